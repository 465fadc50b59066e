//! The services that may be started and stopped, as the settings name them.
//!
//! Asks nothing whether they exist.

use std::sync::Arc;

use loquat_kit::folded;

/// In characters, as systemd has it.
const LONGEST: usize = 255;

/// What the name of every service ends with.
const SUFFIX: &str = ".service";

/// Units of systemd, each by its whole name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowedServices(Arc<[String]>);

/// Why a text names no service.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "failed to read the service {name:?}: write the whole name of its unit, as in \"ovos-audio.service\""
)]
pub struct AllowedServicesError {
    /// What was written.
    pub name: String,
}

impl TryFrom<Vec<String>> for AllowedServices {
    type Error = AllowedServicesError;

    fn try_from(names: Vec<String>) -> Result<Self, AllowedServicesError> {
        for name in &names {
            if !is_unit(name) {
                let name = name.clone();
                return Err(AllowedServicesError { name });
            }
        }
        Ok(Self(names.into()))
    }
}

impl From<AllowedServices> for Vec<String> {
    fn from(AllowedServices(names): AllowedServices) -> Self {
        names.to_vec()
    }
}

impl AllowedServices {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// The unit that is meant by what a person calls it: "ovos audio" is `ovos-audio.service`.
    pub(super) fn find(&self, called: &str) -> Option<&str> {
        let wanted = plain(called);
        self.names().find(|unit| plain(unit) == wanted)
    }
}

/// As people say it.
pub(super) fn spoken(unit: &str) -> String {
    let bare = unit.strip_suffix(SUFFIX).unwrap_or(unit);
    bare.replace(['-', '_', '@', '.'], " ")
}

fn plain(called: &str) -> String {
    let words = folded(&spoken(called.trim()));
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A template is none: what stands behind its @ would be a choice.
fn is_unit(name: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || ":-_.@\\".contains(letter);
    let bare = name.strip_suffix(SUFFIX);
    bare.is_some_and(|bare| !bare.is_empty() && !bare.ends_with('@'))
        && name.len() <= LONGEST
        && name.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_whole_units() {
        for (name, is_one) in [
            ("ovos-audio.service", true),
            ("getty@tty1.service", true),
            ("ovos-audio", false),
            (".service", false),
            ("getty@.service", false),
            ("sleep.target", false),
            ("a/b.service", false),
            ("ä.service", false),
        ] {
            let read = AllowedServices::try_from(vec![name.to_owned()]);
            assert_eq!(read.is_ok(), is_one, "{name}");
        }
    }

    #[test]
    fn what_a_person_says_finds_no_other_unit() {
        let names = vec!["ovos-audio.service".to_owned(), "mosquitto.service".to_owned()];
        let allowed = AllowedServices::try_from(names).expect("services");
        for called in ["ovos audio", "OVOS-Audio", "ovos-audio.service", " ovos  audio "] {
            assert_eq!(allowed.find(called), Some("ovos-audio.service"), "{called}");
        }
        for called in ["ovos", "ssh", "mosquitto.socket", "", "*"] {
            assert_eq!(allowed.find(called), None, "{called}");
        }
    }
}
