//! The Home Assistant of the home as the settings name it. Fetches its token for each connection and keeps it nowhere.

use std::sync::Arc;

use loquat_failure::with_causes;
use loquat_settings::{Folders, Secret};
use loquat_skills::home::{HomeAssistant, HomeSettings};

use crate::settings::{HomeAssistant as Table, HomeUrl};

/// It, where the settings name one. Nothing is connected to yet.
pub fn of(own: &Table, folders: &Folders) -> Option<Arc<HomeAssistant>> {
    let HomeUrl(url) = own.url.clone()?;
    let secret = token(own);
    let folders = folders.clone();
    let fetch = move || secret.fetch(&folders).map_err(|error| with_causes(&error));
    Some(Arc::new(HomeAssistant::new(HomeSettings {
        ca_file: own.ca_file.clone(),
        area: own.area.clone(),
        asks: own.ask.clone(),
        unasked: own.unasked.clone(),
        also: own.also.clone(),
        assist: own.assist,
        ..HomeSettings::new(url, Arc::new(fetch))
    })))
}

/// Where the token is kept.
pub fn token(own: &Table) -> Secret {
    match &own.token_file {
        Some(file) => Secret::File(file.clone()),
        None => Secret::Credential(own.token_credential.clone()),
    }
}
