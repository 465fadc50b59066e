//! The hive, where the settings open it.

use std::sync::Arc;

use loquat_speech::WakeWordEffect;

use super::{App, speech_settings};
use crate::hive::clients::Clients;
use crate::hive::hub::Hub;
use crate::hive::{self, Ears, Ground, member};
use crate::recordings::Hearing;
use crate::settings::Settings;
use crate::wake_word::WakeWordInUse;

impl App {
    /// Listens for satellites of HiveMind and joins a hive, if the settings say where.
    pub fn start_hive(&self, settings: &Settings) {
        self.open_hive(settings);
        if let Ok(hub) = Hub::of(settings) {
            let bus = self.another_client(settings);
            let front = &self.supervisor.front;
            let member = member::run(hub, bus, front.token());
            self.supervisor.spawn(front, "member of a hive", member);
        }
    }

    fn open_hive(&self, settings: &Settings) {
        let own = &settings.hive;
        let Some(listen) = own.listen else {
            return;
        };
        let clients = Clients::of(&settings.folders.state);
        let transcribes = own.transcribe && self.ladder.can_hear();
        let speech = speech_settings(settings, &self.models);
        let is_of_use = |word: &&WakeWordInUse| {
            transcribes
                && word.effect == WakeWordEffect::Listen
                && word.file.is_present()
                && speech.vad_model.is_file()
        };
        let wake_word = self.models.wake_words.words.iter().find(is_of_use).cloned();
        let ears = wake_word.map(|word| Ears::new(&self.ladder, speech, word));
        let ground = Ground {
            ears,
            bus: self.another_client(settings),
            mind: Arc::clone(&self.mind),
            guests: self.guests.clone(),
            hearing: transcribes.then(|| Hearing::new(self.ladder.clone())),
            longest: settings.speech.longest_utterance(&settings.mycroft.listener),
            lang: self.device.lang.clone(),
            certificate: own.certificate.clone().zip(own.key.clone()),
            takes_old: own.old_protocols,
        };
        let front = &self.supervisor.front;
        let door = hive::run(listen, clients, ground, front.token());
        self.supervisor.spawn(front, "hive", door);
    }
}
