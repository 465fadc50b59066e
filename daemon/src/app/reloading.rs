//! Reads settings, persona files and sentences again while the daemon runs, and has what comes of it answer. Programs ask
//! for it over D-Bus, and systemd with SIGHUP.
//!
//! What else is set counts from the next start on, and that is told. Nothing is changed where the settings cannot be used.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_brain::LocalBrain;
use loquat_failure::with_causes;
use loquat_models::Catalogue;
use loquat_part::reload::{Reload, ReloadError, Standing};
use loquat_skills::Resources;
use parking_lot::Mutex;
use tokio::signal::unix::Signal;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{App, Roll, device, local_model, understanding, weather};
use crate::health;
use crate::mind::{Brains, Mind};
use crate::models_in_use::ModelsInUse;
use crate::preferences;
use crate::settings::{Complaints, Entry, Environment, LoadOptions, Settings, kept};
use crate::spoken_tools::CurrentSentences;
use crate::tools::own_toolboxes;
use crate::voice::Speed;
use crate::voice::settings::Voice;

/// What counts as soon as it is read again: tables, and keys of others.
const AT_ONCE: [&str; 11] = [
    "budget.",
    "device.place",
    "device.latitude",
    "device.longitude",
    "device.time_format",
    "device.units",
    "keys.",
    "network.",
    "desk.persona",
    preferences::MODEL,
    preferences::SPEED,
];

/// Tells whether a key counts as soon as it is read again.
pub(super) fn counts_at_once(key: &str) -> bool {
    AT_ONCE.iter().any(|begin| key.starts_with(begin))
}

impl App {
    /// Adds what the command line says about settings, which counts when they are read again.
    #[must_use]
    pub fn with_options(mut self, options: LoadOptions) -> Self {
        self.reloading.options = options;
        self
    }

    /// Reads settings and personas again at each of these signals.
    pub fn reload_at(&self, signals: Signal) {
        let reloading = self.reloading.clone();
        self.place
            .serve("reloading", |token| reloading.at_each(signals, token));
    }
}

/// Reads them again. Clones share the brains.
#[derive(Debug, Clone)]
pub struct Reloading {
    environment: Environment,
    options: LoadOptions,
    mind: Arc<Mind>,
    brains: Arc<Mutex<Brains>>,
    resources: Resources,
    sentences: CurrentSentences,
    /// The settings with which the daemon began.
    began_with: Arc<Vec<Entry>>,
    speed: Speed,
    standing: watch::Sender<Standing>,
}

/// Says what is shown where these models are used and this is wrong with the files.
fn standing(models: &ModelsInUse, mistakes: Option<&Complaints>) -> Standing {
    Standing {
        language: models.language.clone(),
        mistake: mistakes.and_then(Complaints::in_one_line),
        left_out: None,
    }
}

impl Reload for Reloading {
    fn reload(&self) -> BoxFuture<'_, Result<String, ReloadError>> {
        async move {
            let own = self.clone();
            let read = tokio::task::spawn_blocking(move || own.read());
            read.await.map_err(|_| ReloadError::Broken)?
        }
        .boxed()
    }

    fn standing(&self) -> watch::Receiver<Standing> {
        self.standing.subscribe()
    }
}

impl Reloading {
    /// Reads again for this mind, whose brains these are.
    pub fn new(
        settings: &Settings,
        environment: &Environment,
        mind: &Arc<Mind>,
        brains: Brains,
        resources: Resources,
        sentences: CurrentSentences,
    ) -> Self {
        let models = ModelsInUse::choose(settings, environment, &Catalogue::embedded());
        let standing = standing(&models, settings.mistakes.as_ref());
        Self {
            environment: environment.clone(),
            options: LoadOptions::default(),
            mind: Arc::clone(mind),
            brains: Arc::new(Mutex::new(brains)),
            resources,
            sentences,
            began_with: Arc::new(settings.entries()),
            speed: Speed::new(settings.tables.get::<Voice>().words_per_minute),
            standing: watch::Sender::new(standing),
        }
    }

    /// Every local brain that was made, to be shut down.
    pub fn local_brains(&self) -> Vec<Arc<LocalBrain>> {
        self.brains.lock().local()
    }

    /// Gives how fast the device speaks.
    pub(super) fn speed(&self) -> Speed {
        self.speed.clone()
    }

    /// Reads all of it again at each signal, and tells systemd when that is done. Signals that come meanwhile are one.
    async fn at_each(self, mut signals: Signal, cancel: CancellationToken) {
        while let Some(Some(())) = cancel.run_until_cancelled(signals.recv()).await {
            health::reloading();
            if let Err(error) = self.reload().await {
                tracing::error!(error = with_causes(&error), "told to reload");
            }
            health::ready();
        }
    }

    fn read(&self) -> Result<String, ReloadError> {
        // Held to the end, so that of two at once the later one counts.
        let mut brains = self.brains.lock();
        let settings = Settings::load(&self.environment, &self.options).map_err(|mistakes| {
            self.tell_mistake(mistakes.in_one_line());
            ReloadError::Settings(mistakes)
        })?;
        let models = ModelsInUse::choose(&settings, &self.environment, &Catalogue::embedded());
        brains.exchange(local_model(&settings, &self.environment, &models));
        let home = self.resources.home_assistant.clone();
        let (spoken, mut complaints) = understanding::sentences(&settings, &models, home);
        self.resources.name_to(spoken.things());
        let mut resources = self.resources.clone();
        resources.locales = Arc::clone(spoken.locales());
        let stands = weather(&settings);
        if resources.weather != stands {
            resources = resources.with_weather(stands);
        }
        let roll = Roll::call(&settings, &self.environment, &mut brains, &resources);
        let default = roll.default_name();
        let personas = roll.ready;
        complaints.extend(roll.complaints.into_iter().chain(roll.skills));
        if personas.is_empty() {
            let mistakes = Complaints(complaints);
            let mistake = mistakes.in_one_line();
            self.tell_mistake(mistake.or_else(|| Some("there is no persona".to_owned())));
            return Err(ReloadError::Nobody(mistakes));
        }
        let names: Vec<&str> = personas.iter().map(|persona| persona.name.as_str()).collect();
        let mut lines = vec![format!("personas: {}", names.join(", "))];
        lines.extend(complaints.iter().map(ToString::to_string));
        lines.extend(self.later(&settings));
        self.mind.stands(device(&settings));
        self.mind.replace(personas, default, own_toolboxes(&resources));
        self.sentences.replace(spoken);
        self.resources.permissions.set(settings.network.rules());
        self.speed.set(settings.tables.get::<Voice>().words_per_minute);
        self.standing.send_replace(Standing {
            left_out: Complaints(complaints).in_one_line(),
            ..standing(&models, None)
        });
        if let Err(error) = kept::keep(&settings) {
            tracing::debug!(%error, "the settings are not kept for a start at which their file holds a mistake");
        }
        let report = lines.join("\n");
        tracing::info!(report, "settings, personas and sentences were read again");
        Ok(report)
    }

    /// Tells that what is in force is older than the files, for this reason.
    fn tell_mistake(&self, mistake: Option<String>) {
        self.standing.send_modify(|standing| standing.mistake = mistake);
    }

    /// Lists the settings that are others than at the start and have no effect yet.
    fn later(&self, settings: &Settings) -> Option<String> {
        let now = settings.entries();
        let changed = now
            .iter()
            .zip(self.began_with.iter())
            .filter(|(now, before)| now.value != before.value && !counts_at_once(&now.key));
        let keys: Vec<&str> = changed.map(|(now, _)| now.key.as_str()).collect();
        (!keys.is_empty()).then(|| format!("after a restart: {}", keys.join(", ")))
    }
}
