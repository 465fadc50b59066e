//! The hive, where the settings open it.

use std::sync::Arc;

use super::App;
use crate::hive::clients::Clients;
use crate::hive::hub::Hub;
use crate::hive::{self, Ground, member};
use crate::link;
use crate::recordings::Hearing;
use crate::settings::Settings;

impl App {
    /// Listens for satellites of HiveMind and joins a hive, if the settings say where.
    pub fn start_hive(&self, settings: &Settings) {
        self.open_hive(settings);
        if let Ok(hub) = Hub::of(settings) {
            let bus = link::another_client(self.address.clone(), settings, &self.supervisor);
            let front = &self.supervisor.front;
            let member = member::run(hub, bus, front.token());
            self.supervisor.spawn(front, "member of a hive", member);
        }
    }

    fn open_hive(&self, settings: &Settings) {
        let Some(listen) = settings.hive.listen else {
            return;
        };
        let clients = Clients::of(&settings.folders.state);
        let transcribes = settings.hive.transcribe && self.ladder.can_hear();
        let ground = Ground {
            bus: link::another_client(self.address.clone(), settings, &self.supervisor),
            mind: Arc::clone(&self.mind),
            hearing: transcribes.then(|| Hearing::new(self.ladder.clone())),
            longest: settings.longest_utterance(),
            lang: self.device.lang.clone(),
        };
        let front = &self.supervisor.front;
        let door = hive::run(listen, clients, ground, front.token());
        self.supervisor.spawn(front, "hive", door);
    }
}
