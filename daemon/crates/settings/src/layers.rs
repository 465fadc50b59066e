//! Finds what was set: in files, in the environment and by flags, the weakest first.
//!
//! Nothing is merged or judged here beyond whether a key exists.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Value;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::catalogue::Catalogue;
use super::commented_json::read_text;
use super::complaint::{Complaint, Origin};
use super::environment::Environment;
use super::section::Key;
use super::wording::shown;

/// Variables of these names are for the test suite and never settings.
const TEST_PREFIX: &str = "LOQUAT_TEST_";

/// Names the person's settings file in place of the usual one; not a setting itself.
const CONFIG_VARIABLE: &str = "LOQUAT_CONFIG";

/// Finds the settings file that was named in place of the usual one.
fn named_file(environment: &Environment, options: &LoadOptions) -> Option<PathBuf> {
    let variable = || environment.variable(CONFIG_VARIABLE).map(PathBuf::from);
    options.config_file.clone().or_else(variable)
}

/// Finds the path of the person's settings file, there or not. A service without a home has none.
pub(super) fn person_file(environment: &Environment, options: &LoadOptions) -> Option<PathBuf> {
    let usual = || Some(environment.config_home()?.join("loquat/loquat.toml"));
    named_file(environment, options).or_else(usual)
}

/// The flags of the command line about settings.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// The person's settings are in this file in place of the usual one (`--config`, else `LOQUAT_CONFIG`).
    pub config_file: Option<PathBuf>,
    /// The arguments of `--set`, each `table.key=value`; later ones win.
    pub overrides: Vec<String>,
}

/// A value that was set, with its place.
#[derive(Debug)]
pub(super) struct Assignment {
    /// It is written `table.key`, and such a key exists.
    pub(super) path: String,
    pub(super) value: Value,
    pub(super) origin: Origin,
}

/// The values and complaints that were found so far.
#[derive(Debug)]
pub(super) struct Layers<'a> {
    catalogue: &'a Catalogue,
    pub(super) assignments: Vec<Assignment>,
    pub(super) complaints: Vec<Complaint>,
    /// What was set for parts that the program was built without.
    pub(super) left_out: Vec<Complaint>,
}

impl<'a> Layers<'a> {
    /// Reads everything: machine, drop-ins, person, environment, flags.
    pub(super) fn collect(
        catalogue: &'a Catalogue,
        environment: &Environment,
        options: &LoadOptions,
    ) -> Self {
        let mut layers = Self {
            catalogue,
            assignments: Vec::new(),
            complaints: Vec::new(),
            left_out: Vec::new(),
        };
        let system = environment.system_path("etc/loquat");
        layers.file(&system.join("loquat.toml"));
        layers.drop_ins(&system.join("loquat.d"));
        layers.person(environment, options);
        layers.environment(environment);
        layers.flags(&options.overrides);
        layers
    }

    fn person(&mut self, environment: &Environment, options: &LoadOptions) {
        match named_file(environment, options) {
            Some(path) if !path.exists() => {
                let text = "no such file; it was named as the settings file";
                self.complaints.push(Complaint::refusal(Origin::file(path), text));
            }
            Some(path) => self.file(&path),
            None => {
                if let Some(file) = person_file(environment, options) {
                    self.file(&file);
                }
            }
        }
    }

    fn drop_ins(&mut self, folder: &Path) {
        let Ok(entries) = std::fs::read_dir(folder) else {
            return;
        };
        let mut files: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
            .collect();
        files.sort();
        for file in files {
            self.file(&file);
        }
    }

    fn file(&mut self, path: &Path) {
        match read_text(path) {
            Ok(None) => {}
            Ok(Some(text)) => self.document(&text, &Origin::file(path)),
            Err(complaint) => self.complaints.push(complaint),
        }
    }

    fn document(&mut self, text: &str, file: &Origin) {
        let parsed = DeTable::parse(text).and_then(|table| Ok((table, toml::from_str(text)?)));
        let (spans, values): (_, toml::Table) = match parsed {
            Ok(parsed) => parsed,
            Err(error) => {
                let place = error
                    .span()
                    .map_or(file.clone(), |span| place(text, span.start, file));
                let message = error.message().replace('\n', ", ");
                self.complaints
                    .push(Complaint::refusal(place, format!("not valid TOML: {message}")));
                return;
            }
        };
        for (name, span) in spans.get_ref() {
            let origin = place(text, name.span().start, file).at_line();
            match (values.get(name.get_ref().as_ref()), span.get_ref()) {
                (Some(Value::Table(values)), DeValue::Table(spans)) => {
                    self.table(text, name.get_ref(), values, spans, &origin);
                }
                _ => self.not_a_table(name.get_ref(), origin),
            }
        }
    }

    fn not_a_table(&mut self, name: &str, origin: Origin) {
        let text = match self.catalogue.table(name) {
            Some(table) => format!("{name} must be a table; begin a line with [{}]", table.name),
            None => self.catalogue.unknown_key(name),
        };
        self.complaints.push(Complaint::refusal(origin, text));
    }

    fn table(&mut self, text: &str, name: &str, values: &toml::Table, spans: &DeTable<'_>, file: &Origin) {
        if self.is_left_out(file, |table| table == name) {
            return;
        }
        if self.catalogue.table(name).is_none() {
            let text = self.catalogue.unknown_table(name);
            self.complaints.push(Complaint::refusal(file.clone(), text));
            return;
        }
        for (key, _) in spans {
            let origin = place(text, key.span().start, file).at_line();
            let path = format!("{name}.{}", key.get_ref());
            let known = self.catalogue.key(&path).is_some();
            let value = values.get(key.get_ref().as_ref()).filter(|_| known).cloned();
            self.add(value.map(|value| (path.clone(), value)), origin, |catalogue| {
                catalogue.unknown_key(&path)
            });
        }
    }

    fn environment(&mut self, environment: &Environment) {
        for (name, text) in environment.beginning_with("LOQUAT_") {
            if name == CONFIG_VARIABLE || name.starts_with(TEST_PREFIX) || text.is_empty() {
                continue;
            }
            let origin = Origin::Variable(name.to_owned());
            if self.is_left_out(&origin, |table| is_of_table(name, table)) {
                continue;
            }
            let key = self.catalogue.key_of_variable(name);
            let value = key.map(|key| (key.path(), written(text, key)));
            self.add(value, origin, |catalogue| catalogue.unknown_variable(name));
        }
    }

    fn flags(&mut self, overrides: &[String]) {
        for argument in overrides {
            let origin = Origin::Flag(shown(argument));
            let Some((path, text)) = argument.split_once('=') else {
                let text = "must look like table.key=value, for example bus.port=8181";
                self.complaints.push(Complaint::refusal(origin, text));
                continue;
            };
            if self.is_left_out(&origin, |table| path.trim().split('.').next() == Some(table)) {
                continue;
            }
            let key = self.catalogue.key(path.trim());
            let value = key.map(|key| (key.path(), written(text.trim(), key)));
            self.add(value, origin, |catalogue| catalogue.unknown_key(path.trim()));
        }
    }

    /// Tells whether something was set for a part that the program was built without, which is noted then.
    /// `is_it` knows the table.
    fn is_left_out(&mut self, origin: &Origin, is_it: impl Fn(&str) -> bool) -> bool {
        let why = self.catalogue.left_out(is_it);
        let complaint = why.map(|why| Complaint::warning(origin.clone(), why));
        let is_left_out = complaint.is_some();
        self.left_out.extend(complaint);
        is_left_out
    }

    /// Notes a value, or why there is no such setting.
    fn add(
        &mut self,
        found: Option<(String, Value)>,
        origin: Origin,
        unknown: impl FnOnce(&Catalogue) -> String,
    ) {
        match found {
            Some((path, value)) => self.assignments.push(Assignment { path, value, origin }),
            None => self
                .complaints
                .push(Complaint::refusal(origin, unknown(self.catalogue))),
        }
    }
}

/// Tells whether a variable is named after a table, as `LOQUAT_BUS__PORT` is after `bus`.
fn is_of_table(variable: &str, table: &str) -> bool {
    let named = variable
        .strip_prefix("LOQUAT_")
        .and_then(|rest| rest.split_once("__"));
    named.is_some_and(|(own, _)| own.eq_ignore_ascii_case(table))
}

/// Reads a value of a variable or flag: TOML where it is that, else a text, so that quotes are rarely needed.
fn written(text: &str, key: &Key) -> Value {
    let parsed = ValueDeserializer::parse(text).and_then(Value::deserialize).ok();
    match parsed {
        Some(value) if !key.is_text || value.is_str() => value,
        _ => Value::String(text.to_owned()),
    }
}

/// Finds the line and column of a byte.
fn place(text: &str, byte: usize, file: &Origin) -> Origin {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    file.at(Some(line), Some(column))
}
