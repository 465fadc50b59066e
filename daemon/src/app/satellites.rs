//! The door for the voice devices of Home Assistant, where the settings open it.

use super::App;
use crate::settings::Settings;
use crate::wyoming::{Offer, Wyoming};

impl App {
    /// Listens for Wyoming, if the settings say where.
    pub fn start_satellites(&self, settings: &Settings) {
        let Some(listen) = settings.wyoming.listen else {
            return;
        };
        let persona = self.mind.default_persona();
        let ladder = settings.wyoming.transcribe.then(|| self.ladder.clone());
        let offer = Offer {
            persona: persona.map_or_else(|| "Loquat".to_owned(), |persona| persona.name.clone()),
            lang: self.device.lang.clone(),
            secondary_langs: settings.mycroft.secondary_langs.clone(),
            whisper: ladder.is_some().then(|| self.models.whisper.name.clone()),
        };
        let door = Wyoming::new(
            (listen, &settings.wyoming),
            self.bus.clone(),
            offer,
            (
                ladder,
                settings.speech.longest_utterance(&settings.mycroft.listener),
            ),
        );
        let front = &self.supervisor.front;
        self.supervisor.spawn(front, "wyoming", door.run(front.token()));
    }
}
