//! The parts are started here, each when its time has come, and are offered what they need: who answers, who hears, and how the
//! device fares.

use std::sync::Arc;

use loquat_page::LogTail;
use loquat_part::output::Output;
use loquat_part::reload::Reload;
use loquat_part::{Introduction, Offered, Start, StatusLine};
use tokio::sync::watch;

use super::{App, Began, Examine};
use crate::parts;
use crate::phrases::Phrases;
use crate::settings::Settings;

impl App {
    /// Starts voice and ear. A yes of the owner can be asked for where the ear hears.
    pub async fn start_senses(&mut self, settings: &Settings) {
        self.offer_to_senses(settings);
        self.start_parts(Start::WithTheSenses).await;
        if self.ear().is_some() {
            self.attend();
        }
        self.all_have_come();
    }

    /// Starts the parts that let others in, and the terminal, which writes to `output`.
    pub async fn start_last_parts(&mut self, output: Output) {
        let persona = Offered::default_name(&*self.mind);
        self.context.offer(Introduction {
            persona: persona.unwrap_or_else(|| "Loquat".to_owned()),
            lang: self.device.lang.clone(),
            dont_know: |lang| Phrases::of(lang).dont_know.clone(),
            personas: Arc::clone(&self.mind) as _,
        });
        self.context.offer(self.senses.guests.clone());
        self.context.offer(Arc::clone(&self.resources.intercom));
        self.context.offer(output);
        self.start_parts(Start::Last).await;
    }

    /// Starts the parts that show how the device fares.
    pub async fn start_showing_parts(
        &mut self,
        began: Began<'_>,
        status: watch::Receiver<String>,
        log: LogTail,
        examine: Examine,
    ) {
        let page = self.paged(began, log, examine);
        let reload: Arc<dyn Reload> = Arc::new(self.reloading.clone());
        self.context.offer(page);
        self.context.offer(reload);
        self.context.offer(StatusLine(status));
        #[cfg(feature = "mcp")]
        self.context.offer(super::served(began.settings));
        self.start_parts(Start::WithTheStatus).await;
    }

    /// Starts those whose time it is. What they tell of themselves comes into the status line.
    async fn start_parts(&mut self, now: Start) {
        let running = parts::start(now, &mut self.context).await;
        self.told
            .extend(running.into_iter().filter_map(|running| running.status));
    }
}
