//! What a program tells of its `loquat.toml`: its tables, what contradicts itself in them, and what it was built without. Reads
//! no file.

use std::fmt::Debug;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::brought::{Brought, Contradiction, Tables};
use super::mycroft::Mycroft;
use super::section::Table;

/// All of a program's `loquat.toml`: a struct with a field for each table.
pub trait Document: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned {
    /// Gives the tables in the order of the sample file.
    fn tables() -> Vec<Table>;

    /// Gives the folder of models, where the settings name one.
    fn models_folder(&self) -> Option<&Path>;

    /// Collects what is wrong with settings that are right one by one; `tables` are those of the parts.
    fn contradictions(&self, tables: &Tables) -> Vec<Contradiction>;

    /// Puts what its tables say of the device in the place of what OVOS's own file says.
    fn amend(&self, _mycroft: &mut Mycroft) {}

    /// The tables of the program's parts, which are among [`tables`](Self::tables) and have no field.
    fn brought() -> Vec<Brought> {
        Vec::new()
    }

    /// Names the tables of parts that the program was built without.
    fn left_out() -> Vec<LeftOut> {
        Vec::new()
    }
}

/// A table that nothing reads, since the program was built without its part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut {
    /// The name of the table.
    pub table: &'static str,
    /// The feature with which the part is built.
    pub feature: &'static str,
}
