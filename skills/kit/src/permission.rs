//! Services outside the device that skills ask: which there are, and which of them the owner has allowed.
//!
//! Servers that only the settings can name are no matter of it, since naming one allows it. Puts no question, keeps no file
//! and connects to nothing.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use loquat_agent::toolbox::ToolError;
use parking_lot::RwLock;
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, MutexGuard};

use crate::spelling::nearest;

/// A service outside the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Service {
    /// The weather service Open-Meteo, with its search for places.
    Weather,
    /// Articles are read at Wikipedia.
    Wikipedia,
    /// Meanings of words are read at Wiktionary.
    Wiktionary,
    /// Facts are read at Wikidata.
    Wikidata,
    /// The owner's search server is asked.
    WebSearch,
    /// Pages of the web, wherever they lie.
    WebPages,
}

/// All of them, in the order in which they are listed to people.
pub const SERVICES: [Service; 6] = [
    Service::Weather,
    Service::Wikipedia,
    Service::Wiktionary,
    Service::Wikidata,
    Service::WebSearch,
    Service::WebPages,
];

/// A name that no service has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no service '{name}'; {mend}")]
pub struct UnknownService {
    name: String,
    mend: String,
}

impl Service {
    /// Its name in the settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Weather => "weather",
            Self::Wikipedia => "wikipedia",
            Self::Wiktionary => "wiktionary",
            Self::Wikidata => "wikidata",
            Self::WebSearch => "web_search",
            Self::WebPages => "web_pages",
        }
    }

    /// What it is, for people who read English.
    pub fn title(self) -> &'static str {
        match self {
            Self::Weather => "the weather service Open-Meteo, with its search for places",
            Self::Wikipedia => "Wikipedia",
            Self::Wiktionary => "Wiktionary",
            Self::Wikidata => "Wikidata",
            Self::WebSearch => "the search server that web.search_url names",
            Self::WebPages => "pages of the web",
        }
    }

    /// Whether only the settings name its server, so that there is nothing left to ask.
    fn is_named_by_owner(self) -> bool {
        self == Self::WebSearch
    }
}

impl fmt::Display for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Service {
    type Err = UnknownService;

    fn from_str(name: &str) -> Result<Self, UnknownService> {
        let found = SERVICES.into_iter().find(|service| service.name() == name);
        found.ok_or_else(|| {
            let names = SERVICES.map(Self::name);
            let near = nearest(name, names.into_iter(), 1);
            let mend = match near.first() {
                Some(near) => format!("did you mean {near}?"),
                None => format!("known are {}", names.join(", ")),
            };
            let name = name.to_owned();
            UnknownService { name, mend }
        })
    }
}

/// What the settings say of services that are allowed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Allowed {
    /// Nothing: each is asked about.
    #[default]
    Unsaid,
    /// None is, and none is asked about.
    Nothing,
    /// All are.
    Everything,
    /// These are; the others are asked about.
    These(BTreeSet<Service>),
}

/// What the owner has said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// The services that are allowed.
    pub allowed: Allowed,
    /// Those that are not, whatever stands above, and that are not asked about.
    pub denied: BTreeSet<Service>,
}

/// How a service stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It may be asked.
    Allowed,
    /// It may not.
    Denied,
    /// The owner has not been asked yet.
    Unasked,
}

impl Rules {
    /// Rules by which every service may be asked.
    pub fn everything() -> Self {
        Self {
            allowed: Allowed::Everything,
            denied: BTreeSet::new(),
        }
    }

    /// How a service stands.
    pub fn of(&self, service: Service) -> Standing {
        if self.denied.contains(&service) {
            return Standing::Denied;
        }
        match &self.allowed {
            Allowed::Nothing => Standing::Denied,
            Allowed::Everything => Standing::Allowed,
            Allowed::These(these) if these.contains(&service) => Standing::Allowed,
            Allowed::These(_) | Allowed::Unsaid if service.is_named_by_owner() => Standing::Allowed,
            Allowed::These(_) | Allowed::Unsaid => Standing::Unasked,
        }
    }

    /// These rules with another word on one service; each of the others stands as before.
    #[must_use]
    pub fn with(&self, service: Service, standing: Standing) -> Self {
        let mut rules = self.clone();
        rules.denied.remove(&service);
        let before = SERVICES.into_iter().filter(|other| *other != service);
        match standing {
            Standing::Denied => {
                rules.denied.insert(service);
                if let Allowed::These(these) = &mut rules.allowed {
                    these.remove(&service);
                }
            }
            Standing::Allowed => match &mut rules.allowed {
                Allowed::Everything => {}
                Allowed::These(these) => {
                    these.insert(service);
                }
                Allowed::Unsaid => rules.allowed = Allowed::These(BTreeSet::from([service])),
                Allowed::Nothing => {
                    rules.denied.extend(before);
                    rules.allowed = Allowed::These(BTreeSet::from([service]));
                }
            },
            Standing::Unasked => match &mut rules.allowed {
                Allowed::Unsaid => {}
                Allowed::These(these) => {
                    these.remove(&service);
                }
                Allowed::Everything => rules.allowed = Allowed::These(before.collect()),
                Allowed::Nothing => {
                    rules.denied.extend(before);
                    rules.allowed = Allowed::Unsaid;
                }
            },
        }
        if rules.allowed == Allowed::These(BTreeSet::new()) {
            rules.allowed = Allowed::Unsaid;
        }
        rules
    }
}

/// What the owner has said so far, for all toolboxes of a process.
#[derive(Debug, Default)]
pub struct Permissions {
    rules: RwLock<Rules>,
    /// Who holds it asks the owner.
    asking: Mutex<()>,
}

impl Permissions {
    /// By these rules.
    pub fn new(rules: Rules) -> Self {
        Self {
            rules: RwLock::new(rules),
            asking: Mutex::default(),
        }
    }

    /// The rules that count now.
    pub fn rules(&self) -> Rules {
        self.rules.read().clone()
    }

    /// From now on these rules count.
    pub fn set(&self, rules: Rules) {
        *self.rules.write() = rules;
    }

    /// How a service stands.
    pub fn of(&self, service: Service) -> Standing {
        self.rules.read().of(service)
    }

    /// One question at a time, so that what one answer settles is not asked again.
    pub async fn floor(&self) -> MutexGuard<'_, ()> {
        self.asking.lock().await
    }

    /// What the owner has said of one service.
    pub fn note(&self, service: Service, standing: Standing) {
        let mut rules = self.rules.write();
        *rules = rules.with(service, standing);
    }
}

/// The class of complaints about a service that may not be asked.
const CLOSED: &str = "PermissionError";

/// What a tool complains of where it may not ask a service.
pub fn closed(complaint: impl Into<String>) -> ToolError {
    ToolError::reply(CLOSED, complaint)
}

/// Whether a tool has complained of a service that it may not ask.
pub fn is_closed(error: &ToolError) -> bool {
    matches!(error, ToolError::Reply { class, .. } if class == CLOSED)
}
