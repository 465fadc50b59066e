//! The page, where the settings have it served: it is given what it shows.

use std::sync::Arc;

use tokio::sync::watch;

use super::App;
use crate::ear::EarNews;
use crate::page::{self, LogTail, Parts};
use crate::settings::{Environment, LoadOptions, Settings};

impl App {
    /// Serves the page.
    pub async fn start_page(
        &self,
        (settings, environment, options): (&Settings, &Environment, &LoadOptions),
        (status, ear_news): (watch::Receiver<String>, watch::Receiver<EarNews>),
        log: LogTail,
    ) {
        if settings.page.port == 0 {
            return;
        }
        let parts = Parts {
            bus: self.bus.clone(),
            client: self.another_client(settings),
            hub: self.hub.clone(),
            mind: Arc::clone(&self.mind),
            resources: self.resources.clone(),
            reloading: self.reloading.clone(),
            models: self.models.clone(),
            settings: settings.clone(),
            environment: environment.clone(),
            options: options.clone(),
            status,
            ear_news,
            half_heard: self.half_heard.subscribe(),
            ear: self.ear.get().cloned(),
            log,
            lang: self.device.lang.clone(),
            wishes: self.wishes.clone(),
            forgetter: self.forgetter.clone(),
        };
        page::start(&self.supervisor, parts).await;
    }
}
