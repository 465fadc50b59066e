//! Which toolboxes a persona may use, and how far those of other programs on the bus are trusted.

use std::fmt;
use std::time::Duration;

use serde_json::{Map, Value};

use super::fields::{self, Owner, Report, Shape, Spec};
use super::parse::Scopes;
use crate::settings::wording::{listed, nearest, shown};

pub(super) const TRUST_KEYS: &[Spec<'static>] = &[
    ("trust", Shape::Text),
    ("read_only", Shape::Switch),
    ("timeout_seconds", Shape::Number(0.1, 3600.0)),
];

/// A toolbox of a persona. `Debug` names the settings and not their values.
#[derive(Clone)]
pub struct ToolboxChoice {
    /// Its id.
    pub id: String,
    /// How far it is trusted, when it is one of another program on the bus; absent for those of this program.
    pub on_bus: Option<Trust>,
    /// Its settings, as they stand in the file.
    pub settings: Map<String, Value>,
}

/// What a persona says about the tools of another program, which say nothing about themselves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Trust {
    /// Its tools run without asking the person (`"trust": "safe"`); otherwise they are dangerous.
    pub safe: bool,
    /// Its tools change nothing, so that several may run at once.
    pub read_only: bool,
    /// How long a call may take; absent is the device's limit.
    pub timeout: Option<Duration>,
}

impl fmt::Debug for ToolboxChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&String> = self.settings.keys().collect();
        f.debug_struct("ToolboxChoice")
            .field("id", &self.id)
            .field("on_bus", &self.on_bus)
            .field("settings", &names)
            .finish()
    }
}

/// Reads a list of toolbox ids.
pub(super) fn choose(
    list: Option<&Value>,
    path: &str,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Vec<ToolboxChoice> {
    let entries = match list {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Array(entries)) => entries,
        Some(other) => {
            report.refuse(format!("{path} must be a list of texts, not {}", shown(other)));
            return Vec::new();
        }
    };
    let mut chosen: Vec<ToolboxChoice> = Vec::new();
    for entry in entries {
        match entry.as_str() {
            None => report.refuse(format!("{path} must be a list of texts, not {}", shown(entry))),
            Some(id) if chosen.iter().any(|choice| choice.id == id) => {}
            Some(id) => chosen.extend(read(id, path, scopes, report)),
        }
    }
    chosen
}

fn read(id: &str, path: &str, scopes: &Scopes<'_>, report: &mut Report) -> Option<ToolboxChoice> {
    let configured = scopes.has(id);
    let own = &scopes.known.toolboxes;
    let (settings, place) = scopes.settings_of(id, report)?;
    let built_in = own.iter().any(|own| own == id);
    if built_in {
        return Some(ToolboxChoice {
            id: id.to_owned(),
            on_bus: None,
            settings,
        });
    }
    if !configured {
        let ids = own.iter().map(String::as_str);
        if let Some(near) = nearest(id, ids) {
            report.refuse(format!(
                "{path}: there is no toolbox {id} here; did you mean {near}? Loquat's own are {}; for one of \
                 another program on the bus write \"{id}\": {{}} beside it",
                listed(own)
            ));
            return None;
        }
        report.warn(format!(
            "{path}: {id} is no toolbox of Loquat's own ({}); it is looked for on the bus, and its tools are \
             dangerous unless \"{id}\": {{\"trust\": \"safe\"}} says otherwise",
            listed(own)
        ));
    }
    Some(ToolboxChoice {
        id: id.to_owned(),
        on_bus: Some(trust(&settings, &place, report)),
        settings: Map::new(),
    })
}

fn trust(settings: &Map<String, Value>, path: &str, report: &mut Report) -> Trust {
    let settings = fields::block(settings, path, TRUST_KEYS, Owner::Ovos, report);
    let safe = match settings.get("trust").and_then(Value::as_str) {
        Some("safe") => true,
        None | Some("dangerous") => false,
        Some(other) => {
            report.refuse(format!(
                "{path}.trust must be \"safe\" or \"dangerous\", not \"{}\"",
                shown(&other)
            ));
            false
        }
    };
    Trust {
        safe,
        read_only: settings.get("read_only") == Some(&Value::Bool(true)),
        timeout: settings
            .get("timeout_seconds")
            .and_then(Value::as_f64)
            .map(Duration::from_secs_f64),
    }
}
