//! A program whose settings are those of hearing alone, for tests.

use std::path::Path;

use loquat_settings::brought::{Contradiction, Tables};
use loquat_settings::section::Table;
use serde::{Deserialize, Serialize};

use crate::settings::{HearingSettings, Speech};

pub(crate) type Settings = loquat_settings::Settings<Document>;

/// Its one table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Document {
    speech: Speech,
}

impl loquat_settings::Document for Document {
    fn tables() -> Vec<Table> {
        vec![Table::of::<Speech>()]
    }

    fn models_folder(&self) -> Option<&Path> {
        None
    }

    fn contradictions(&self, _: &Tables) -> Vec<Contradiction> {
        Vec::new()
    }
}

/// Gathers what the settings say about hearing.
pub(crate) fn hearing(settings: &Settings) -> HearingSettings<'_> {
    HearingSettings {
        speech: &settings.document.speech,
        mycroft: &settings.mycroft,
        folders: &settings.folders,
    }
}
