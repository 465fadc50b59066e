//! `[network]`: which services outside of the device its skills may ask.

use std::collections::BTreeSet;

use loquat_settings::form::Form;
use loquat_settings::section;
use loquat_settings::wording::{did_you_mean, listed};
use loquat_skills::permission::{Allowed, Rules, SERVICES, Service};
use serde::{Deserialize, Serialize};

const ALL: &str = "all";
const NONE: &str = "none";

/// Names of services.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct NetworkServices(pub BTreeSet<Service>);

/// All services, none, or some.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct NetworkAllowed(pub Allowed);

/// As it stands in the file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Word(String),
    List(Vec<String>),
}

impl TryFrom<Vec<String>> for NetworkServices {
    type Error = String;

    fn try_from(names: Vec<String>) -> Result<Self, String> {
        let read = |name: &String| name.parse::<Service>().map_err(|_| unknown(name, &[]));
        names.iter().map(read).collect::<Result<_, _>>().map(Self)
    }
}

impl From<NetworkServices> for Vec<String> {
    fn from(NetworkServices(services): NetworkServices) -> Self {
        services.iter().map(ToString::to_string).collect()
    }
}

impl TryFrom<Written> for NetworkAllowed {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let allowed = match written {
            Written::Word(word) if word == ALL => Allowed::Everything,
            Written::Word(word) if word == NONE => Allowed::Nothing,
            Written::Word(word) => return Err(unknown(&word, &[ALL, NONE])),
            Written::List(names) if names.is_empty() => Allowed::Nothing,
            Written::List(names) => Allowed::These(NetworkServices::try_from(names)?.0),
        };
        Ok(Self(allowed))
    }
}

impl From<NetworkAllowed> for Written {
    fn from(NetworkAllowed(allowed): NetworkAllowed) -> Self {
        match allowed {
            Allowed::Everything => Self::Word(ALL.to_owned()),
            Allowed::Nothing => Self::Word(NONE.to_owned()),
            Allowed::These(these) => Self::List(NetworkServices(these).into()),
            // The key is absent then.
            Allowed::Unsaid => Self::List(Vec::new()),
        }
    }
}

fn unknown(name: &str, words: &[&str]) -> String {
    let names = SERVICES.map(Service::name);
    let known: Vec<&str> = words.iter().chain(&names).copied().collect();
    format!("there is no service '{name}'; {}", did_you_mean(name, &known))
}

fn names() -> String {
    listed(SERVICES.map(Service::name))
}

impl Form for NetworkServices {
    fn expected() -> String {
        format!("a list of services, of {}", names())
    }

    fn words() -> Vec<&'static str> {
        SERVICES.map(Service::name).to_vec()
    }
}

impl Form for NetworkAllowed {
    fn expected() -> String {
        format!("\"all\", \"none\" or a list of services, of {}", names())
    }

    fn words() -> Vec<&'static str> {
        let names = SERVICES.map(Service::name);
        [ALL, NONE].into_iter().chain(names).collect()
    }
}

section! {
    /// Which services outside of the device its skills may ask.
    /// Servers that these settings or a persona's file name, such as those of models, MCP and Home Assistant, are no matter
    /// of it: naming one allows it.
    "network" Network {
        /// `"all"`, `"none"`, or a list as in `["wikipedia", "weather"]`. The device asks before it asks another one for the first
        /// time, and adds it here after a yes.
        /// Absent: each is asked about. With "none" or an empty list nothing is sent, and nothing is asked.
        allowed: Option<NetworkAllowed> = None, eg "none";
        /// Services to which the answer was no: they are not asked, nor asked about again.
        denied: NetworkServices = NetworkServices::default();
    }
}

impl Network {
    /// What these settings say.
    pub fn rules(&self) -> Rules {
        let allowed = self.allowed.clone().map(|NetworkAllowed(allowed)| allowed);
        Rules {
            allowed: allowed.unwrap_or_default(),
            denied: self.denied.0.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Network, toml::de::Error> {
        toml::from_str(text)
    }

    #[test]
    fn all_none_and_lists_are_told_apart() {
        let some = Allowed::These(BTreeSet::from([Service::Weather, Service::Wikipedia]));
        for (text, expected) in [
            ("", Allowed::Unsaid),
            ("allowed = \"all\"", Allowed::Everything),
            ("allowed = \"none\"", Allowed::Nothing),
            ("allowed = []", Allowed::Nothing),
            ("allowed = [\"wikipedia\", \"weather\"]", some),
        ] {
            assert_eq!(read(text).unwrap().rules().allowed, expected, "{text}");
        }
        let denied = read("denied = [\"wikidata\"]").unwrap().rules().denied;
        assert_eq!(denied, BTreeSet::from([Service::Wikidata]));
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_nearest() {
        for (text, near) in [
            ("allowed = [\"wikipedai\"]", "wikipedia"),
            ("allowed = \"al\"", "all"),
            ("denied = [\"wether\"]", "weather"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(&format!("did you mean {near}?")), "{error}");
        }
    }
}
