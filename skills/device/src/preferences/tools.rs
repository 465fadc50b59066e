//! What the tools take, do and tell. A setting is the whole device's, so it is changed only by who is at the device itself.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::port::{ModelSize, Pace, Preferences, Unchanged};
use loquat_kit::dialog::{Tell, Telling};
use loquat_kit::permission::{Service, Standing};
use loquat_kit::report::{Nothing, Problem, Report, Reporting, reporting};

use super::Forgetting;
use super::question::{self, Asking};

/// The conversation at the device itself.
const AT_THE_DEVICE: [&str; 2] = ["", "default"];

/// The port, where a daemon implements it.
#[derive(Debug, Clone)]
pub(super) struct Owner(pub(super) Option<Arc<dyn Preferences>>);

// What a variant's documentation says would cost a brain more to read than it is worth.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Wanted {
    Slower,
    Faster,
    Normal,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Size {
    Small,
    Big,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub(super) struct Speed {
    speed: Wanted,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub(super) struct Model {
    model: Size,
}

/// What came of it.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Changed {
    done: bool,
    /// The model in use from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
}

impl Changed {
    fn told(model: Option<String>, told: Telling) -> Report<Self> {
        Report::new(Self { done: true, model }, told)
    }
}

impl From<Unchanged> for Problem {
    fn from(why: Unchanged) -> Self {
        let text = why.to_string();
        let told = match why {
            Unchanged::AtTheBound => Telling::new("slowest"),
            Unchanged::SpokenElsewhere => Telling::new("elsewhere_spoken"),
            Unchanged::SameModel(name) => Telling::new("model_already").words("name", name),
            Unchanged::OnlyModel(name) => Telling::new("no_other_model").words("name", name),
            Unchanged::NoModel => Telling::new("no_model"),
            Unchanged::Fixed { key, place } => Telling::new("fixed").words("key", key).words("place", place),
            Unchanged::Unwritable { key, file, .. } => {
                Telling::new("unwritable").words("key", key).words("file", file)
            }
            Unchanged::Mistaken(_) => Telling::new("mistaken"),
            Unchanged::Absent => Telling::new("absent").words("file", "loquat.toml"),
        };
        Self { text, told }
    }
}

impl Owner {
    /// Who changes settings, for a person who may have it done.
    fn asked_by(&self, person: &Circumstances) -> Result<&Arc<dyn Preferences>, Problem> {
        if !AT_THE_DEVICE.contains(&person.session_id.as_str()) {
            let text = "only a person at the device itself may change its settings";
            return Err(Problem::new(text, "elsewhere"));
        }
        self.0.as_ref().ok_or_else(|| Unchanged::Absent.into())
    }
}

pub(super) fn set_speech_speed(owner: Owner, asked: Speed, person: &Circumstances) -> Reporting<'_, Changed> {
    reporting(async move {
        let (pace, done, bound) = match asked.speed {
            Wanted::Slower => (Pace::Slower, "slower", "slowest"),
            Wanted::Faster => (Pace::Faster, "faster", "fastest"),
            Wanted::Normal => (Pace::Normal, "normal", "normal"),
        };
        match owner.asked_by(person)?.pace(pace).await {
            Ok(()) => Ok(Changed::told(None, Telling::new(done))),
            Err(why @ Unchanged::AtTheBound) => Err(Problem::new(why.to_string(), bound)),
            Err(why) => Err(Problem::from(why)),
        }
    })
}

pub(super) fn use_model(owner: Owner, asked: Model, person: &Circumstances) -> Reporting<'_, Changed> {
    reporting(async move {
        let size = match asked.model {
            Size::Small => ModelSize::Small,
            Size::Big => ModelSize::Big,
        };
        let name = owner.asked_by(person)?.model(size).await?;
        let told = Telling::new("model").words("name", name.clone());
        Ok::<_, Problem>(Changed::told(Some(name), told))
    })
}

/// A service outside the device.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct Outside {
    /// Its name in the settings, such as wikipedia.
    service: String,
}

impl Outside {
    fn read(&self) -> Result<Service, ToolError> {
        let service = self.service.parse();
        service.map_err(|error| ToolError::reply("ValueError", format!("service: {error}")))
    }
}

/// What a service may be asked from now on.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Settled {
    service: String,
    allowed: bool,
    #[serde(skip)]
    of: Service,
}

impl Settled {
    fn new(of: Service, allowed: bool) -> Self {
        let service = of.to_string();
        Self { service, allowed, of }
    }
}

impl Tell for Settled {
    fn tell(&self) -> Option<Telling> {
        let dialog = if self.allowed { "allowed" } else { "forbidden" };
        Some(question::of(self.of, Telling::new(dialog)))
    }
}

/// Puts the question anew, also where it was answered with no: a sentence alone, which a program can bring, allows nothing.
pub(super) fn allow_service(
    network: Arc<Asking>,
    asked: Outside,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Settled, ToolError>> {
    async move {
        let service = asked.read()?;
        let allowed = network.ask_anew(service, super::ID, super::ALLOW, person).await;
        allowed.map_err(ToolError::Withheld)?;
        Ok(Settled::new(service, true))
    }
    .boxed()
}

/// Counts at once: nothing more than before leaves the device.
pub(super) fn forbid_service(
    network: Arc<Asking>,
    asked: Outside,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Settled, ToolError>> {
    async move {
        let service = asked.read()?;
        if !AT_THE_DEVICE.contains(&person.session_id.as_str()) {
            let why = network.sentence(Telling::new("elsewhere"), service, person);
            return Err(ToolError::Withheld(why));
        }
        network.keep(service, Standing::Denied).await;
        Ok(Settled::new(service, false))
    }
    .boxed()
}

pub(super) fn forget_conversation(
    forgetting: &Forgetting,
    _: Nothing,
    person: &Circumstances,
) -> Report<Changed> {
    forgetting(&person.session_id);
    Changed::told(None, Telling::new("forgotten"))
}
