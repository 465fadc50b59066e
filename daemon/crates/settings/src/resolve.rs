//! Lets the strongest value of each key win, and says which values make no sense.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::brought::{Brought, ReadError, Tables};
use super::catalogue::Catalogue;
use super::complaint::{Complaint, Origin};
use super::document::Document;
use super::layers::Assignment;
use super::section::Key;
use super::wording::{nearest, shown};

/// The outcome, in which every key has its strongest usable value.
#[derive(Debug)]
pub(super) struct Resolved<Ours> {
    pub(super) document: Ours,
    pub(super) tables: Tables,
    pub(super) origins: BTreeMap<String, Origin>,
    pub(super) complaints: Vec<Complaint>,
}

/// The values that were set, by the paths of their keys, the weakest first.
type Stacks = BTreeMap<String, Vec<Assignment>>;

/// Merges and types the values. One that cannot be used is complained of and gives way to the next weaker one.
pub(super) fn resolve<Ours: Document>(
    catalogue: &Catalogue,
    brought: &[Brought],
    assignments: Vec<Assignment>,
) -> Resolved<Ours> {
    let mut complaints = Vec::new();
    let mut stacks = stacked(catalogue, assignments, &mut complaints);
    let mut tables = Tables::default();
    let mut origins = BTreeMap::new();
    for brought in brought {
        let own = taken(&mut stacks, brought.table.name);
        let mut reading = Reading {
            catalogue,
            stacks: own,
            complaints: &mut complaints,
        };
        let name = brought.table.name;
        reading.settle(
            |mut values| {
                let own = values.remove(name).unwrap_or_else(|| Value::Table(Table::new()));
                tables.read(brought, own)
            },
            |path| format!("{name}.{path}"),
        );
        origins.extend(reading.origins());
    }
    let mut reading = Reading {
        catalogue,
        stacks,
        complaints: &mut complaints,
    };
    let document = reading.settle(
        |values| serde_path_to_error::deserialize(Value::Table(values)),
        str::to_owned,
    );
    origins.extend(reading.origins());
    Resolved {
        document: document.unwrap_or_default(),
        tables,
        origins,
        complaints,
    }
}

/// Keeps the values that are within their bounds.
fn stacked(catalogue: &Catalogue, assignments: Vec<Assignment>, complaints: &mut Vec<Complaint>) -> Stacks {
    let mut stacks = Stacks::new();
    for assignment in assignments {
        match catalogue
            .key(&assignment.path)
            .and_then(|key| out_of_bounds(key, &assignment.value))
        {
            Some(text) => complaints.push(Complaint::refusal(assignment.origin, text)),
            None => stacks
                .entry(assignment.path.clone())
                .or_default()
                .push(assignment),
        }
    }
    stacks
}

/// Takes what was set of a table.
fn taken(stacks: &mut Stacks, table: &str) -> Stacks {
    let is_of_table = |path: &str| path.split('.').next() == Some(table);
    let (own, others) = std::mem::take(stacks)
        .into_iter()
        .partition(|(path, _)| is_of_table(path));
    *stacks = others;
    own
}

/// Takes the values that were set to those that count.
#[derive(Debug)]
struct Reading<'a> {
    catalogue: &'a Catalogue,
    stacks: Stacks,
    complaints: &'a mut Vec<Complaint>,
}

impl Reading<'_> {
    /// Reads the strongest values, and weaker ones in the place of those that cannot be read. `place` makes the path of a key
    /// of that in the error.
    fn settle<Read>(
        &mut self,
        mut read: impl FnMut(Table) -> Result<Read, ReadError>,
        place: impl Fn(&str) -> String,
    ) -> Option<Read> {
        loop {
            let error = match read(merged(&self.stacks)) {
                Ok(read) => return Some(read),
                Err(error) => error,
            };
            let fault = place(&error.path().to_string());
            let path = key_path(&fault);
            let Some(assignment) = self.stacks.get_mut(&path).and_then(Vec::pop) else {
                // Every value has a key of its own, so there is always one to blame; were there none, the defaults are at
                // least known to be good.
                let text = error.inner().to_string();
                self.complaints.push(Complaint::refusal(Origin::Default, text));
                return None;
            };
            self.complaints
                .push(complaint(self.catalogue, assignment, &fault, &error));
        }
    }

    /// Tells for each setting that is set from where its value comes.
    fn origins(self) -> impl Iterator<Item = (String, Origin)> {
        self.stacks
            .into_iter()
            .filter_map(|(path, mut stack)| Some((path, stack.pop()?.origin)))
    }
}

/// `tools.expose[1]` is about `tools.expose`.
fn key_path(path: &str) -> String {
    let name = |part: &str| part.split('[').next().unwrap_or_default().to_owned();
    path.split('.').take(2).map(name).collect::<Vec<_>>().join(".")
}

fn merged(stacks: &Stacks) -> Table {
    let mut document = Table::new();
    for (path, stack) in stacks {
        if let (Some((table, key)), Some(strongest)) = (path.split_once('.'), stack.last()) {
            let table = document
                .entry(table)
                .or_insert_with(|| Value::Table(Table::new()));
            if let Value::Table(table) = table {
                table.insert(key.to_owned(), strongest.value.clone());
            }
        }
    }
    document
}

/// Words an error; `fault` is the path at which reading has failed, which may lie within the value of a key.
fn complaint(catalogue: &Catalogue, assignment: Assignment, fault: &str, error: &ReadError) -> Complaint {
    let path = &assignment.path;
    let value = shown(&assignment.value);
    let text = match catalogue.key(path) {
        // A table within a key says best itself what is wrong in it.
        Some(key) if assignment.value.is_table() && key.default.as_ref().is_some_and(Value::is_table) => {
            let message = error.inner().message().replace('\n', ", ");
            format!("{fault}: {message}")
        }
        Some(key) if key.is_secret => format!("{path} must be {}", key.expected()),
        Some(key) => {
            let meant = meant(key, &assignment.value).unwrap_or_default();
            format!("{path} must be {}, not {value}{meant}", key.expected())
        }
        None => catalogue.unknown_key(path),
    };
    Complaint::refusal(assignment.origin, text)
}

/// Finds the word that was probably meant by a text that is none of the allowed words.
fn meant(key: &Key, value: &Value) -> Option<String> {
    let texts = value
        .as_array()
        .map_or(std::slice::from_ref(value), Vec::as_slice);
    let mut texts = texts.iter().filter_map(Value::as_str);
    let wrong = texts.find(|text| !key.words.is_empty() && !key.words.contains(text))?;
    let near = nearest(wrong, key.words.iter().copied())?;
    Some(format!("; did you mean {near}?"))
}

/// Complains of a value that has the right type and is out of bounds.
fn out_of_bounds(key: &Key, value: &Value) -> Option<String> {
    let path = key.path();
    if value.as_str() == Some("") {
        return Some(format!("{path} must not be empty; leave it out for the default"));
    }
    let number = value.as_float().or_else(|| Some(value.as_integer()? as f64))?;
    let (low, high) = key.bounds?;
    // Written this way round so that a number that is none (nan) is out of bounds.
    let inside = number >= low && number <= high;
    (!inside).then(|| format!("{path} must be {}, not {value}", key.expected()))
}
