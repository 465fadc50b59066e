//! All keys of `loquat.toml` in one place to look them up in, and what was probably meant by one that does not exist.

use crate::document::LeftOut;
use crate::section::{Key, Table};
use crate::wording::{listed, nearest};

/// The keys that exist.
#[derive(Debug)]
pub(super) struct Catalogue {
    tables: Vec<Table>,
    left_out: Vec<LeftOut>,
}

impl Catalogue {
    pub(super) fn of(tables: Vec<Table>) -> Self {
        let left_out = Vec::new();
        Self { tables, left_out }
    }

    /// Adds the tables of parts that the program was built without.
    pub(super) fn without(self, left_out: Vec<LeftOut>) -> Self {
        Self { left_out, ..self }
    }

    /// Says why a table or a key of it counts for nothing, where its part is one that the program was built
    /// without. `is_it` knows the table.
    pub(super) fn left_out(&self, is_it: impl Fn(&str) -> bool) -> Option<String> {
        let LeftOut { table, feature } = self.left_out.iter().find(|left_out| is_it(left_out.table))?;
        Some(format!(
            "this loquat was built without {feature}, so [{table}] counts for nothing; take one that has it, or leave the \
             setting out"
        ))
    }

    pub(super) fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &Key> {
        self.tables.iter().flat_map(|table| &table.keys)
    }

    /// Finds a key by its path, for example `bus.port`.
    pub(super) fn key(&self, path: &str) -> Option<&Key> {
        let (table, name) = path.split_once('.')?;
        let table = self.table(table)?;
        table.keys.iter().find(|key| key.name == name)
    }

    /// Finds a key by its environment variable, for example `LOQUAT_BUS__PORT`.
    pub(super) fn key_of_variable(&self, variable: &str) -> Option<&Key> {
        self.keys().find(|key| variable_of(key) == variable)
    }

    /// Tells why there is no such table, and which there are.
    pub(super) fn unknown_table(&self, name: &str) -> String {
        let mend = match nearest(name, self.tables.iter().map(|table| table.name)) {
            Some(table) => format!("did you mean [{table}]?"),
            None => self.which_tables(),
        };
        format!("[{name}] is no table; {mend}")
    }

    /// Tells why there is no such key, and which was probably meant.
    pub(super) fn unknown_key(&self, path: &str) -> String {
        format!("{path} is no setting; {}", self.meant(path))
    }

    fn meant(&self, path: &str) -> String {
        let (table, name) = path.split_once('.').unwrap_or(("", path));
        // A key in the wrong table is a likelier mistake than a distant spelling.
        let elsewhere = self.keys().find(|key| key.name == name).map(Key::path);
        let Some(table) = self.table(table) else {
            let paths: Vec<String> = self.keys().map(Key::path).collect();
            let near = nearest(path, paths.iter().map(String::as_str)).map(str::to_owned);
            return match elsewhere.or(near) {
                Some(path) => format!("did you mean {path}?"),
                None => self.which_tables(),
            };
        };
        let names = table.keys.iter().map(|key| key.name);
        let near = nearest(name, names.clone()).map(|near| format!("{}.{near}", table.name));
        match near.or(elsewhere) {
            Some(path) => format!("did you mean {path}?"),
            None => format!("[{}] knows {}", table.name, listed(names)),
        }
    }

    fn which_tables(&self) -> String {
        let names = self.tables.iter().map(|table| format!("[{}]", table.name));
        format!("the tables are {}", listed(names))
    }

    /// Tells why there is no such variable, and which was probably meant.
    pub(super) fn unknown_variable(&self, variable: &str) -> String {
        let names: Vec<String> = self.keys().map(variable_of).collect();
        let mend = match nearest(variable, names.iter().map(String::as_str)) {
            Some(name) => format!("did you mean {name}?"),
            None => "settings are named LOQUAT_TABLE__KEY, for example LOQUAT_BUS__PORT".to_owned(),
        };
        format!("no such setting; {mend}")
    }
}

/// Names the environment variable of a key, for example `LOQUAT_BUS__PORT`.
fn variable_of(key: &Key) -> String {
    format!("LOQUAT_{}__{}", key.table, key.name).to_uppercase()
}
