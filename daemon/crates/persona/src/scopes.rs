//! The places of a persona file in which the settings of a plugin may stand. Knows no plugin.

use loquat_settings::environment::Environment;
use loquat_settings::wording::shown;
use serde_json::{Map, Value};

use super::fields::{Report, join};
use super::key_policy::KeyPolicy;
use super::known::Known;
use super::sources::Sources;

/// The places in which the settings of a plugin may stand, the nearest first.
#[derive(Debug, Clone)]
pub(super) struct Scopes<'a> {
    /// It expands `~` in paths.
    pub(super) environment: &'a Environment,
    pub(super) keys: &'a KeyPolicy,
    pub(super) known: &'a Known,
    maps: Vec<(String, &'a Map<String, Value>)>,
}

impl<'a> Scopes<'a> {
    /// Looks in a whole file: in `plugin-config`, then at the top level.
    pub(super) fn of_file(file: &'a Map<String, Value>, known: &'a Known, sources: &'a Sources) -> Self {
        let nested = file.get("plugin-config").and_then(Value::as_object);
        let nested = nested.map(|nested| ("plugin-config".to_owned(), nested));
        let top = (String::new(), file);
        Self {
            environment: &sources.environment,
            keys: &sources.keys,
            known,
            maps: nested.into_iter().chain([top]).collect(),
        }
    }

    /// Puts a plugin's own block before it.
    pub(super) fn within(&self, id: &str, block: &'a Map<String, Value>) -> Self {
        let mut inner = self.clone();
        inner.maps.insert(0, (id.to_owned(), block));
        inner
    }

    /// Tells whether anything is written for this plugin.
    pub(super) fn has(&self, id: &str) -> bool {
        self.maps.iter().any(|(_, map)| map.contains_key(id))
    }

    /// Finds the settings of a plugin, empty where there are none or they are no object, and says where they
    /// stand.
    pub(super) fn settings_of(&self, id: &str, report: &mut Report) -> (Map<String, Value>, String) {
        let written = |(path, map): &(String, &Map<String, Value>)| {
            let value = map.get(id).filter(|value| !value.is_null())?;
            Some((value.clone(), join(path, id)))
        };
        match self.maps.iter().find_map(written) {
            None => (Map::new(), id.to_owned()),
            Some((Value::Object(settings), path)) => (settings, path),
            Some((other, path)) => {
                let other = shown(&other);
                report.warn(format!(
                    "{path} must be an object, not {other}; it counts as empty"
                ));
                (Map::new(), path)
            }
        }
    }

    /// Finds the settings of a plugin that may take rights away, and says where they stand. Nothing, and a
    /// refusal, when they are no object.
    pub(super) fn rights_of(&self, id: &str, report: &mut Report) -> Option<(Map<String, Value>, String)> {
        let written = self.maps.iter().find_map(|(path, map)| {
            let value = map.get(id).filter(|value| !value.is_null())?;
            Some((join(path, id), value))
        });
        match written {
            Some((path, other)) if !other.is_object() => {
                report.refuse(format!("{path} must be an object, not {}", shown(other)));
                None
            }
            _ => Some(self.settings_of(id, report)),
        }
    }
}
