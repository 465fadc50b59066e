//! What the page is given of the device: who changes settings, who answers as the files are now, and what is found wrong.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_failure::with_causes;
use loquat_mind::model_speed::ModelSpeeds;
use loquat_models::{Catalogue, Kind, Store};
use loquat_page::LogTail;
use loquat_page::device::{
    Administration, Choices, CurrentSettings, Device, EasySetting, Hearing, KeptToken, ListedPersona,
    ListedSetting, PersonaFile, Personas, Town, Wish,
};
use loquat_part::reload::Reload;
use loquat_part::{Finding, Part as _};
use loquat_persona::{LOCAL_BRAIN, Persona};
use loquat_skills::Resources;
use loquat_skills::mcp::Servers;
use loquat_skills::permission::{Service, Standing};
use loquat_voice::VoicePart;
use secrecy::SecretString;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::own_conversation::ConversationOfDesk;
use super::persona_files::PersonaFiles;
use super::town::towns_called;
use super::{App, Began, Roll, counts_at_once, device, load_personas};
use crate::home_token;
use crate::mind::{Mind, ReadyPersona};
use crate::models_in_use::ModelsInUse;
use crate::preferences::{Change, LATITUDE, LONGITUDE, MODEL, SPEED, Wishes, models_present};
use crate::settings::{Complaint, Entry, Environment, LoadOptions, Settings, ground};
use crate::supervisor::Supervisor;

/// Our units of systemd set this variable: they start the daemon again where it ends for that.
const RESTARTS: &str = "RESTART_EXIT_STATUS";

/// In this time the browser that asked for a restart is answered.
const BEFORE_THE_END: Duration = Duration::from_secs(1);

/// What is looked at for the page.
#[derive(Debug, Clone)]
pub struct Examined {
    /// The settings with which the daemon began.
    pub settings: Settings,
    /// The folders and variables of the process are read from it.
    pub environment: Environment,
    /// What the command line says about settings.
    pub options: LoadOptions,
    /// The MCP servers that run.
    pub servers: Servers,
}

/// Looks at a device whose daemon runs.
pub type Examine = fn(Examined) -> BoxFuture<'static, Vec<Finding>>;

/// Reads and changes the settings, personas and models of this device for the page.
#[derive(Debug)]
struct DeviceAdministration {
    /// The settings with which the daemon began.
    settings: Settings,
    environment: Environment,
    options: LoadOptions,
    models: ModelsInUse,
    mind: Arc<Mind>,
    resources: Resources,
    wishes: Wishes,
    reloading: Arc<dyn Reload>,
    supervisor: Supervisor,
    examine: Examine,
    /// What was found of voice and loudspeaker, and when.
    sound_tried: Mutex<Option<(Instant, Vec<Finding>)>>,
}

impl App {
    /// What the page shows of the device and has it do.
    pub(super) fn paged(&self, began: Began<'_>, log: LogTail, examine: Examine) -> Device {
        let administration = DeviceAdministration {
            settings: began.settings.clone(),
            environment: began.environment.clone(),
            options: began.options.clone(),
            models: self.models.clone(),
            mind: Arc::clone(&self.mind),
            resources: self.resources.clone(),
            wishes: self.changes.wishes.clone(),
            reloading: Arc::new(self.reloading.clone()),
            supervisor: self.place.supervisor.clone(),
            examine,
            sound_tried: Mutex::default(),
        };
        Device {
            tool_trials: Arc::clone(&self.mind) as _,
            administration: Arc::new(administration),
            conversation: Arc::new(ConversationOfDesk {
                mind: Arc::clone(&self.mind),
                desk: self.changes.conversation.clone(),
            }),
            hearing: Hearing {
                news: self.ear_news(),
                so_far: self.senses.half_heard.subscribe(),
                ear: self.ear(),
            },
            resources: self.resources.clone(),
            patience: Duration::from_secs(began.settings.desk.consent_seconds.into()),
            log,
        }
    }
}

impl DeviceAdministration {
    fn listed(&self, roll: &Roll, persona: &Persona) -> ListedPersona {
        let ready = self.mind.find(&persona.name);
        let default = self.mind.default_persona();
        let both = ready.as_ref().zip(default.as_ref());
        ListedPersona {
            persona: persona.clone(),
            answers: ready.is_some(),
            is_default: both.is_some_and(|(ready, default)| Arc::ptr_eq(ready, default)),
            why_not: roll.why_not(persona).map(str::to_owned),
        }
    }

    fn wish(&self, change: Change) -> BoxFuture<'_, Result<String, String>> {
        async move {
            let changed = self.wishes.change(change).await;
            changed.map_err(|why| with_causes(&why))
        }
        .boxed()
    }

    /// The personas of this device, as their files are now.
    fn persona_files(&self) -> PersonaFiles {
        PersonaFiles {
            environment: self.environment.clone(),
            options: self.options.clone(),
            resources: self.resources.clone(),
        }
    }

    /// Changes them where that may block, and has what was written counted.
    async fn rewrite(
        &self,
        change: impl FnOnce(PersonaFiles) -> Result<(), String> + Send + 'static,
    ) -> Result<String, String> {
        let files = self.persona_files();
        let changed = tokio::task::spawn_blocking(move || change(files)).await;
        changed.map_err(|_| "The writing thread ended; see the log".to_owned())??;
        self.reload().await
    }

    /// Has what was written counted. Where it cannot be, that is told with what is wrong.
    async fn reload(&self) -> Result<String, String> {
        let read = self.reloading.reload().await;
        read.map_err(|error| with_causes(&error))
    }
}

/// How long what was found of voice and loudspeaker holds: to try them a word is made, which takes a small board its time.
const SOUND_HOLDS: Duration = Duration::from_secs(20);

/// Names the key of a setting that people change.
fn key(what: EasySetting) -> &'static str {
    match what {
        EasySetting::Language => "device.language",
        EasySetting::Place => "device.place",
        EasySetting::Latitude => LATITUDE,
        EasySetting::Longitude => LONGITUDE,
        EasySetting::TimeZone => "device.time_zone",
        EasySetting::Units => "device.units",
        EasySetting::TimeFormat => "device.time_format",
        EasySetting::Persona => "desk.persona",
        EasySetting::Model => MODEL,
        EasySetting::WakeWord => "speech.wake_word",
        EasySetting::Voice => "voice.piper_voice",
        EasySetting::Speed => SPEED,
        EasySetting::Home => "home_assistant.url",
        EasySetting::HomeToken => "home_assistant.token_file",
    }
}

/// What may be chosen on this device, and what counts now.
fn choices(settings: &Settings, environment: &Environment) -> Choices {
    let (personas, _) = load_personas(settings, environment);
    let catalogue = Catalogue::embedded();
    let words = catalogue
        .models()
        .iter()
        .filter(|model| model.kind == Kind::WakeWord);
    let mycroft = &settings.mycroft;
    Choices {
        models: models_present(settings),
        personas: personas.iter().map(|persona| persona.name.clone()).collect(),
        wake_words: words.map(|model| model.name.clone()).collect(),
        voices: loquat_voice::voices(&settings.folders, environment)
            .iter()
            .map(|voice| voice.display().to_string())
            .collect(),
        language: mycroft.lang.clone(),
        place: device(settings).place,
        time_zone: mycroft.location.time_zone.clone(),
        units: mycroft.system_unit.clone(),
        town_server: settings.weather.geocoding_url.clone(),
    }
}

/// Makes the line of a setting, and says whether it counts beside those with which the daemon began.
fn line(entry: Entry, began_with: &[Entry]) -> ListedSetting {
    let is_in_force = |own: &Entry| own.key == entry.key && own.value == entry.value;
    ListedSetting {
        counts: began_with.iter().any(is_in_force) || counts_at_once(&entry.key),
        entry,
    }
}

impl Administration for DeviceAdministration {
    fn settings(&self) -> CurrentSettings {
        let (settings, complaints) = Settings::load_leniently(&self.environment, &self.options);
        let began_with = self.settings.entries();
        let entries = settings.entries().into_iter();
        CurrentSettings {
            settings: entries.map(|entry| line(entry, &began_with)).collect(),
            complaints: complaints.0,
            choices: choices(&settings, &self.environment),
            network: settings.network.rules(),
        }
    }

    fn key(&self, what: EasySetting) -> &'static str {
        key(what)
    }

    fn change(&self, wishes: Vec<Wish>) -> BoxFuture<'_, Result<String, String>> {
        let keys = wishes.into_iter().map(|(what, to)| (key(what), to));
        self.wish(Change::Keys(keys.collect()))
    }

    fn keep_home_token(&self, token: &SecretString) -> Result<KeptToken, String> {
        let folders = &self.settings.folders;
        let before = home_token::kept(folders);
        let file = home_token::keep(folders, token)?.display().to_string();
        Ok(KeptToken { file, before })
    }

    fn take_back_home_token(&self, kept: &KeptToken) -> Result<(), String> {
        let folders = &self.settings.folders;
        match &kept.before {
            Some(before) => home_token::keep(folders, before).map(drop),
            None => home_token::remove(folders),
        }
    }

    fn can_restart(&self) -> bool {
        self.environment.variable(RESTARTS) == Some("75")
    }

    fn restart(&self) {
        self.supervisor.begin_again(BEFORE_THE_END);
    }

    fn towns(&self, name: String) -> BoxFuture<'_, Result<Vec<Town>, String>> {
        async move {
            let (settings, _) = Settings::load_leniently(&self.environment, &self.options);
            let found = towns_called(&settings, &name).await;
            let town = |town: loquat_skills::weather::Town| Town {
                name: town.name,
                lies_in: town.lies_in,
                latitude: town.latitude,
                longitude: town.longitude,
                time_zone: town.time_zone,
            };
            found
                .map(|towns| towns.into_iter().map(town).collect())
                .map_err(|error| with_causes(&error))
        }
        .boxed()
    }

    fn permit(&self, service: Service, standing: Standing) -> BoxFuture<'_, Result<(), String>> {
        let changed = self.wish(Change::Network(service, standing));
        changed.map(|told| told.map(drop)).boxed()
    }

    fn personas(&self) -> Personas {
        let (settings, _) = Settings::load_leniently(&self.environment, &self.options);
        let roll = Roll::with(&settings, &self.environment, &self.resources);
        let personas = roll.personas.iter();
        Personas {
            personas: personas.map(|persona| self.listed(&roll, persona)).collect(),
            complaints: roll.complaints.clone(),
        }
    }

    fn persona_file(&self, id: &str) -> Option<PersonaFile> {
        self.persona_files().text_of(id)
    }

    fn judge_persona(&self, text: &str) -> Vec<Complaint> {
        self.persona_files().judge(text)
    }

    fn keep_persona(&self, id: Option<String>, text: String) -> BoxFuture<'_, Result<String, String>> {
        self.rewrite(move |files| files.keep(id.as_deref(), &text))
            .boxed()
    }

    fn delete_persona(&self, id: String) -> BoxFuture<'_, Result<String, String>> {
        self.rewrite(move |files| files.delete(&id)).boxed()
    }

    fn sound(&self) -> BoxFuture<'_, Vec<Finding>> {
        async move {
            // Held meanwhile, so that several views at once try it out once.
            let mut tried = self.sound_tried.lock().await;
            if let Some((_, findings)) = tried.as_ref().filter(|(at, _)| at.elapsed() < SOUND_HOLDS) {
                return findings.clone();
            }
            let ground = ground(&self.settings, &self.environment);
            let findings = VoicePart.check(&ground).await;
            *tried = Some((Instant::now(), findings.clone()));
            findings
        }
        .boxed()
    }

    fn check(&self) -> BoxFuture<'_, Vec<Finding>> {
        (self.examine)(Examined {
            settings: self.settings.clone(),
            environment: self.environment.clone(),
            options: self.options.clone(),
            servers: self.resources.mcp.clone(),
        })
    }

    fn store(&self) -> Store {
        ModelsInUse::store(&self.settings, &self.environment)
    }

    fn thinks_here(&self) -> bool {
        let default = self.mind.default_persona();
        let is_local = |persona: &Arc<ReadyPersona>| {
            let mut handlers = persona.handlers.iter();
            handlers.any(|handler| handler.brain.name().starts_with(LOCAL_BRAIN))
        };
        default.as_ref().is_none_or(is_local)
    }

    fn uses(&self, model: &str) -> bool {
        self.models.all().any(|file| file.name == model)
    }

    fn speed(&self, model: &Path) -> Option<String> {
        let speeds = ModelSpeeds::recall(&self.settings.folders.state);
        let rates = speeds.of(model, self.settings.local_brain.threads.map(u32::from));
        rates.map(|rates| rates.to_string())
    }
}
