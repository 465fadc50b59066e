//! What speaks on this machine: what the settings name, else Piper where it is installed with a voice, and `espeak-ng` last.

use std::path::PathBuf;

use loquat_failure::with_causes;
use loquat_settings::{Environment, Folders};

use super::espeak::{self, Espeak};
use super::ladder::pieces;
use super::piper::{self, NoPiper, Wanted};
use super::process::{SpeechCommand, SpeechProcess};
use super::rung::Rung;
use super::server::SpeechServer;
use super::settings::{Installed, Voice};
use super::speed::Speed;

const WORD: &str = "Loquat.";

/// Piper's voices lie in this folder, below the folders for data.
const VOICES: &str = "piper-voices";

/// Folders for data of the machine.
const SYSTEM_DATA: [&str; 2] = ["usr/local/share", "usr/share"];

/// The ways to make speech that were found on this machine.
#[derive(Debug)]
pub struct Choice {
    /// The best come first.
    pub(super) rungs: Vec<Rung>,
    /// Says why Piper is not among them, where it was looked for.
    pub(super) no_piper: Option<NoPiper>,
}

impl Choice {
    /// Tells whether the settings let anything speak here.
    pub fn may_speak(voice: &Voice) -> bool {
        voice.espeak == Installed::Auto
            || voice.piper == Installed::Auto
            || voice.url.is_some()
            || !voice.command.is_empty()
    }

    /// Looks for what the settings name and allow. Asks each program called `piper` what it is.
    pub async fn of(
        voice: &Voice,
        lang: &str,
        folders: &Folders,
        environment: &Environment,
        speed: &Speed,
    ) -> Self {
        let search_path = environment.variable("PATH").unwrap_or_default();
        let (mut rungs, mut no_piper) = (Vec::new(), None);
        if !voice.command.is_empty() {
            let command = SpeechCommand {
                words: voice.command.clone(),
                rate: voice.sample_rate,
                lang: lang.to_owned(),
            };
            rungs.push(Rung::Process(Box::new(SpeechProcess::new(
                command,
                speed.clone(),
            ))));
        }
        if let Some(url) = &voice.url {
            rungs.push(Rung::Server(SpeechServer::new(url.address(), speed.clone())));
        }
        // Each process holds a voice in memory, so there is one at most.
        if rungs.is_empty() && voice.piper == Installed::Auto {
            let wanted = Wanted {
                search_path: search_path.to_owned(),
                folders: folders_of_voices(folders, environment),
                voice: voice
                    .piper_voice
                    .as_ref()
                    .map(|voice| environment.expand_home(voice)),
                lang: lang.to_owned(),
            };
            match piper::find(&wanted).await {
                Ok(command) => rungs.push(Rung::Process(Box::new(SpeechProcess::new(
                    command,
                    speed.clone(),
                )))),
                Err(why) => no_piper = Some(why),
            }
        }
        let espeak = espeak::find(search_path).filter(|_| voice.espeak == Installed::Auto);
        rungs.extend(espeak.map(|program| Rung::Espeak(Espeak::new(program, lang, speed.clone()))));
        Self { rungs, no_piper }
    }

    /// Has each make a word, the best first, until one does. Gives the name of that one, and why those before it did not.
    pub async fn try_out(mut self, lang: &str) -> (Option<String>, Vec<String>) {
        let mut faults = Vec::new();
        for rung in &mut self.rungs {
            // What it makes is not wanted.
            let sender = pieces().0;
            match rung.make(WORD, lang, &sender).await {
                Ok(()) => return (Some(rung.name()), faults),
                Err(error) => faults.push(with_causes(&error)),
            }
        }
        (None, faults)
    }

    /// Names what speaks, the first rung first.
    pub fn names(&self) -> Vec<String> {
        self.rungs.iter().map(Rung::name).collect()
    }
}

/// Lists the voices of Piper that are on this machine, by their files.
pub fn voices(folders: &Folders, environment: &Environment) -> Vec<PathBuf> {
    piper::voices_in(&folders_of_voices(folders, environment))
}

fn folders_of_voices(folders: &Folders, environment: &Environment) -> Vec<PathBuf> {
    let own = [Some(folders.models.clone()), environment.data_home()];
    let system = SYSTEM_DATA.map(|folder| Some(environment.system_path(folder)));
    let all = own.into_iter().chain(system).flatten();
    all.map(|folder| folder.join(VOICES)).collect()
}
