//! What the page is given of the device: who changes settings, who answers as the files are now, and what is found wrong.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_failure::with_causes;
use loquat_mind::model_speed::ModelSpeeds;
use loquat_models::Store;
use loquat_page::LogTail;
use loquat_page::device::{
    Administration, CurrentSettings, Device, Hearing, ListedPersona, ListedSetting, Personas, QuickSetting,
};
use loquat_part::Finding;
use loquat_persona::Persona;
use loquat_skills::Resources;
use loquat_skills::mcp::Servers;
use loquat_skills::permission::{Service, Standing};

use super::{App, Began, Roll, counts_at_once};
use crate::desk::Forgetter;
use crate::mind::Mind;
use crate::models_in_use::ModelsInUse;
use crate::preferences::{Change, MODEL, SPEED, Wishes, models_present};
use crate::settings::{Entry, Environment, LoadOptions, Settings};

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
    forgetter: Forgetter,
    examine: Examine,
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
            forgetter: self.changes.forgetter.clone(),
            examine,
        };
        Device {
            tool_trials: Arc::clone(&self.mind) as _,
            administration: Arc::new(administration),
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

    fn wish(&self, change: Change) -> BoxFuture<'_, Result<(), String>> {
        async move {
            let changed = self.wishes.change(change).await;
            changed.map(drop).map_err(|why| with_causes(&why))
        }
        .boxed()
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
            models: models_present(&settings),
            network: settings.network.rules(),
        }
    }

    fn key(&self, what: QuickSetting) -> &'static str {
        match what {
            QuickSetting::Speed => SPEED,
            QuickSetting::Model => MODEL,
        }
    }

    fn change(&self, what: QuickSetting, to: String) -> BoxFuture<'_, Result<(), String>> {
        self.wish(Change::Key(self.key(what), to))
    }

    fn permit(&self, service: Service, standing: Standing) -> BoxFuture<'_, Result<(), String>> {
        self.wish(Change::Network(service, standing))
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

    fn uses(&self, model: &str) -> bool {
        self.models.all().any(|file| file.name == model)
    }

    fn speed(&self, model: &Path) -> Option<String> {
        let speeds = ModelSpeeds::recall(&self.settings.folders.state);
        let rates = speeds.of(model, self.settings.local_brain.threads.map(u32::from));
        rates.map(|rates| rates.to_string())
    }

    fn forget(&self) -> BoxFuture<'_, Result<(), String>> {
        async move { self.forgetter.forget().await.map_err(|why| with_causes(&why)) }.boxed()
    }
}
