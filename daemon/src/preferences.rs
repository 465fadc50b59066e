//! Settings that a person changes while the daemon runs, by voice or on the page: written to their `loquat.toml`, then read
//! again as at any reload, so that turns that run go on.
//!
//! One change after the other. Never changes a key that is not named here.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_failure::with_causes;
use loquat_models::{Catalogue, Kind};
use loquat_part::model_files;
use loquat_part::reload::Reload;
use loquat_skills::permission::{Allowed, Rules, Service, Standing};
use loquat_skills::preferences::{ModelSize, Pace, Preferences, Unchanged};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::models_in_use::ModelsInUse;
use crate::settings::amend::{AmendError, Amended, amend};
use crate::settings::section::Section as _;
use crate::settings::{Document, Environment, LoadOptions, NetworkServices, Settings};
use crate::voice::Speed;
use crate::voice::settings::Voice;

/// Changes that may wait; a further one waits for its place.
const WAITING: usize = 4;

/// Reading settings and making personas ready takes less, also on a small board.
const PATIENCE: Duration = Duration::from_secs(20);

/// How fast the device speaks.
pub const SPEED: &str = "voice.words_per_minute";

/// The model on the device.
pub const MODEL: &str = "local_brain.model";

/// Where the device stands.
pub const LATITUDE: &str = "device.latitude";
/// In degrees east.
pub const LONGITUDE: &str = "device.longitude";

/// The services outside of the device that may be asked, and those that may not.
const ALLOWED: &str = "network.allowed";
const DENIED: &str = "network.denied";

/// A step of the speed.
const STEP: f64 = 1.2;

/// What is to be changed.
#[derive(Debug, Clone)]
pub enum Change {
    /// How fast the device speaks.
    Pace(Pace),
    /// A model is used, by its size.
    Model(ModelSize),
    /// How a service outside of the device stands.
    Network(Service, Standing),
    /// Keys and their values as the page has them; an empty one is as without the setting.
    Keys(Vec<(&'static str, String)>),
}

type Outcome = Result<String, Unchanged>;

/// The way to have settings changed. Clones lead to the same task.
#[derive(Debug, Clone)]
pub struct Wishes(mpsc::Sender<(Change, oneshot::Sender<Outcome>)>);

/// What is to be changed, for the task.
#[derive(Debug)]
pub struct Inbox(mpsc::Receiver<(Change, oneshot::Sender<Outcome>)>);

/// Makes the end at which changes are wished for, and the one at which they are taken.
pub fn wishes() -> (Wishes, Inbox) {
    let (sender, receiver) = mpsc::channel(WAITING);
    (Wishes(sender), Inbox(receiver))
}

impl Wishes {
    /// Has something changed; the value that counts then comes back.
    pub async fn change(&self, change: Change) -> Outcome {
        let (sender, receiver) = oneshot::channel();
        let changed = async {
            self.0.send((change, sender)).await.ok()?;
            receiver.await.ok()
        };
        match timeout(PATIENCE, changed).await {
            Ok(Some(outcome)) => outcome,
            Ok(None) => Err(Unchanged::Absent),
            Err(_) => Err(Unchanged::Mistaken(
                "the settings were not read in time".to_owned(),
            )),
        }
    }
}

impl Preferences for Wishes {
    fn pace(&self, pace: Pace) -> BoxFuture<'_, Result<(), Unchanged>> {
        self.change(Change::Pace(pace))
            .map(|outcome| outcome.map(drop))
            .boxed()
    }

    fn model(&self, size: ModelSize) -> BoxFuture<'_, Result<String, Unchanged>> {
        self.change(Change::Model(size)).boxed()
    }

    fn network(&self, service: Service, standing: Standing) -> BoxFuture<'_, Result<(), Unchanged>> {
        self.change(Change::Network(service, standing))
            .map(|outcome| outcome.map(drop))
            .boxed()
    }
}

/// Changes settings, one after the other.
#[derive(Debug)]
pub struct Steward {
    /// Where the settings are read from.
    pub environment: Environment,
    /// What the command line says about them.
    pub options: LoadOptions,
    /// Has them read again.
    pub reloading: Arc<dyn Reload>,
    /// How fast the device speaks, and whether it is we who speak.
    pub speed: Speed,
}

impl Steward {
    /// Runs until cancelled.
    pub async fn run(self, mut inbox: Inbox, cancel: CancellationToken) {
        while let Some(Some((change, done))) = cancel.run_until_cancelled(inbox.0.recv()).await {
            let outcome = self.make(change).await;
            if let Err(why) = &outcome {
                tracing::info!(error = with_causes(why), "a setting is what it was");
            }
            // Who asked may be gone.
            drop(done.send(outcome));
        }
    }

    async fn make(&self, change: Change) -> Outcome {
        match change {
            Change::Pace(pace) => self.pace(pace).await,
            Change::Model(size) => self.model(size).await,
            Change::Network(service, standing) => self.network(service, standing).await,
            Change::Keys(keys) => {
                let keys = keys.into_iter().map(|(key, text)| (key, typed(key, text.trim())));
                self.write_all(keys.collect()).await
            }
        }
    }

    async fn pace(&self, pace: Pace) -> Outcome {
        if !self.speed.is_ours() {
            return Err(Unchanged::SpokenElsewhere);
        }
        let now = self.speed.words_per_minute();
        let (slowest, fastest) = speed_bounds();
        let stepped = |by: f64| {
            let rounded = (f64::from(now) * by / 5.0).round() * 5.0;
            rounded.clamp(slowest, fastest) as u16
        };
        let wanted = match pace {
            Pace::Normal => return self.write(SPEED, None).await,
            Pace::Slower => stepped(1.0 / STEP),
            Pace::Faster => stepped(STEP),
        };
        if wanted == now {
            return Err(Unchanged::AtTheBound);
        }
        self.write(SPEED, Some(i64::from(wanted).into())).await
    }

    async fn model(&self, size: ModelSize) -> Outcome {
        let (settings, _) = Settings::load_leniently(&self.environment, &self.options);
        let catalogue = Catalogue::embedded();
        let present = models_present(&settings);
        let wanted = match size {
            ModelSize::Small => present.first(),
            ModelSize::Big => present.last(),
        };
        let wanted = wanted.ok_or(Unchanged::NoModel)?;
        let used = ModelsInUse::choose(&settings, &self.environment, &catalogue).language;
        if used.name == *wanted {
            return Err(match present.as_slice() {
                [only] => Unchanged::OnlyModel(only.clone()),
                _ => Unchanged::SameModel(used.name),
            });
        }
        self.write(MODEL, Some(wanted.as_str().into())).await
    }

    async fn network(&self, service: Service, standing: Standing) -> Outcome {
        let (settings, _) = Settings::load_leniently(&self.environment, &self.options);
        for (key, to) in network_changes(&settings.network.rules(), service, standing) {
            self.write(key, to).await?;
        }
        Ok(service.to_string())
    }

    /// Writes a key and has all settings read again; what it is now comes back.
    async fn write(&self, key: &'static str, to: Option<toml_edit::Value>) -> Outcome {
        let told = to.as_ref().map_or_else(String::new, shown);
        self.write_all(vec![(key, to)]).await.map(|_| told)
    }

    /// Writes keys, all or none, and has all settings read again; what that tells comes back.
    async fn write_all(&self, changes: Vec<(&'static str, Option<toml_edit::Value>)>) -> Outcome {
        let keys: Vec<&str> = changes.iter().map(|(key, _)| *key).collect();
        let (environment, options) = (self.environment.clone(), self.options.clone());
        let amended =
            tokio::task::spawn_blocking(move || amend::<Document>(&environment, &options, &changes));
        let amended = amended
            .await
            .map_err(|_| Unchanged::Mistaken("the writing thread ended; see the log".to_owned()))?;
        let amended = amended.map_err(unchanged)?;
        let report = match self.reloading.reload().await {
            Ok(report) => report,
            Err(error) => {
                take_back(amended).await;
                return Err(Unchanged::Mistaken(with_causes(&error)));
            }
        };
        tracing::info!(?keys, "settings were changed");
        Ok(report)
    }
}

/// Lists the keys that say how a service outside of the device stands, with what they are to be. What is
/// denied comes first, so that in between nothing more is allowed than before or after.
pub fn network_changes(
    before: &Rules,
    service: Service,
    standing: Standing,
) -> Vec<(&'static str, Option<toml_edit::Value>)> {
    let after = before.with(service, standing);
    let list = |services: &BTreeSet<Service>| {
        let names = Vec::from(NetworkServices(services.clone()));
        toml_edit::Value::from(toml_edit::Array::from_iter(names))
    };
    let denied = (!after.denied.is_empty()).then(|| list(&after.denied));
    let allowed = match &after.allowed {
        Allowed::Unsaid => None,
        Allowed::Nothing => Some("none".into()),
        Allowed::Everything => Some("all".into()),
        Allowed::These(these) => Some(list(these)),
    };
    let denied = (after.denied != before.denied).then_some((DENIED, denied));
    let allowed = (after.allowed != before.allowed).then_some((ALLOWED, allowed));
    denied.into_iter().chain(allowed).collect()
}

/// Takes a change that does not count out of the file too.
async fn take_back(amended: Amended) {
    let taken = tokio::task::spawn_blocking(move || amended.take_back()).await;
    if let Ok(Err(error)) = taken {
        tracing::warn!(%error, "failed to take a setting back that could not be used; it stands in the file");
    }
}

/// Gives the slowest and the fastest speed that the settings allow.
fn speed_bounds() -> (f64, f64) {
    let keys = Voice::keys();
    let speed = keys.iter().find(|key| key.path() == SPEED);
    speed
        .and_then(|key| key.bounds)
        .unwrap_or((0.0, f64::from(u16::MAX)))
}

/// Writes a value as a person reads it.
fn shown(value: &toml_edit::Value) -> String {
    let text = value.as_str().map(str::to_owned);
    text.unwrap_or_else(|| value.to_string().trim().to_owned())
}

/// Reads what was typed: it is a number where the key has one. What makes no sense is for the check of the
/// settings to tell.
fn typed(key: &str, text: &str) -> Option<toml_edit::Value> {
    if text.is_empty() {
        return None;
    }
    let number = match key {
        SPEED => text.parse::<i64>().ok().map(Into::into),
        LATITUDE | LONGITUDE => text.parse::<f64>().ok().map(Into::into),
        _ => None,
    };
    Some(number.unwrap_or_else(|| text.into()))
}

/// The language models on this device, the smallest first: the usual ones, or all where none of these is there.
pub fn models_present(settings: &Settings) -> Vec<String> {
    let store = model_files::store(&settings.folders);
    let all = store.catalogue().models().iter();
    let mut present: Vec<_> = all
        .filter(|model| model.kind == Kind::Language && store.file_of(model).is_file())
        .collect();
    if present.iter().any(|model| model.is_usual()) {
        present.retain(|model| model.is_usual());
    }
    present.sort_by_key(|model| model.size);
    present.into_iter().map(|model| model.name.clone()).collect()
}

fn unchanged(error: AmendError) -> Unchanged {
    match error {
        AmendError::Fixed { key, origin } => Unchanged::Fixed {
            key,
            place: origin.to_string(),
        },
        AmendError::Unwritable { key, file, source } => Unchanged::Unwritable {
            key,
            file: file.display().to_string(),
            why: source.to_string(),
        },
        AmendError::Mistaken(complaints) => Unchanged::Mistaken(complaints.to_string()),
    }
}
