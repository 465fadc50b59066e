//! Where a town lies, as the weather service tells it. Who asks has the person's yes for this one question.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use loquat_skills::permission::{Allowed, Permissions, Rules, Service};
use loquat_skills::weather::{Forecaster, Town, TownsError};

use super::weather;
use crate::settings::Settings;

/// Lists the towns of this name, the likeliest first.
///
/// # Errors
/// Where the service gives no answer.
pub async fn towns_called(settings: &Settings, name: &str) -> Result<Vec<Town>, TownsError> {
    let rules = Rules {
        allowed: Allowed::These(BTreeSet::from([Service::Weather])),
        denied: BTreeSet::new(),
    };
    let service = Forecaster::new(weather(settings), &Arc::new(Permissions::new(rules)));
    let lang = loquat_wire::text::primary_subtag(&settings.mycroft.lang);
    service.towns(name, &lang, Timestamp::now()).await
}
