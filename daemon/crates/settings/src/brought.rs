//! Tables that a part of the program brings: what they hold is known to the part alone, and asked for by its type.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::Value;

use crate::section::{Section, Table};

/// Says why a table cannot be read, and which of its keys is at fault.
pub type ReadError = serde_path_to_error::Error<toml::de::Error>;

/// Says what is wrong with a table whose values are right one by one: the key that it is about, and the complaint.
pub type Contradiction = (&'static str, String);

/// A section that a part can bring.
pub trait Bring:
    Section + fmt::Debug + Default + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

impl<Own> Bring for Own where
    Own: Section + fmt::Debug + Default + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

/// The values that were read of a table.
trait Held: fmt::Debug + Send + Sync {
    fn value(&self) -> Option<Value>;

    fn as_any(&self) -> &dyn Any;

    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

impl<Own: Bring> Held for Own {
    fn value(&self) -> Option<Value> {
        Value::try_from(self).ok()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

/// Judges a table whose values are fine each by itself.
type Judge = Arc<dyn Fn(&dyn Any) -> Option<Contradiction> + Send + Sync>;

/// A table of a part, as the loader is given it.
#[derive(Clone)]
pub struct Brought {
    /// The table, as the loader and the sample file know it.
    pub table: Table,
    read: fn(Value) -> Result<Arc<dyn Held>, ReadError>,
    judge: Judge,
}

impl fmt::Debug for Brought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Brought").field(&self.table.name).finish()
    }
}

impl Brought {
    /// Describes the table that a section declares.
    pub fn of<Own: Bring>() -> Self {
        Self::judged::<Own>(|_| None)
    }

    /// Brings the table that a section declares, whose values are judged together, too.
    pub fn judged<Own: Bring>(judge: fn(&Own) -> Option<Contradiction>) -> Self {
        Self {
            table: Table::of::<Own>(),
            read: |value| serde_path_to_error::deserialize(value).map(|own: Own| Arc::new(own) as _),
            judge: Arc::new(move |held: &dyn Any| held.downcast_ref().and_then(judge)),
        }
    }

    /// Tells whether the section can be made of this.
    pub fn try_read(&self, value: Value) -> Result<(), ReadError> {
        (self.read)(value).map(drop)
    }
}

/// The values that were read of all tables of parts, by the tables' names.
#[derive(Debug, Clone, Default)]
pub struct Tables(BTreeMap<&'static str, Arc<dyn Held>>);

impl Tables {
    /// Gives the values that were read of a section's table; its defaults where nothing was.
    pub fn get<Own: Bring>(&self) -> Arc<Own> {
        let held = self.0.get(Own::TABLE).cloned();
        let own = held.and_then(|held| held.into_any().downcast().ok());
        own.unwrap_or_default()
    }

    /// Takes what can be read of a table.
    pub(super) fn read(&mut self, brought: &Brought, value: Value) -> Result<(), ReadError> {
        self.0.insert(brought.table.name, (brought.read)(value)?);
        Ok(())
    }

    /// Lists all of them as they are written.
    pub(super) fn values(&self) -> impl Iterator<Item = (String, Value)> {
        let tables = self.0.iter();
        tables.filter_map(|(name, held)| Some(((*name).to_owned(), held.value()?)))
    }

    /// Collects what contradicts itself.
    pub(super) fn contradictions(&self, brought: &[Brought]) -> Vec<Contradiction> {
        let judged = brought.iter().filter_map(|brought| {
            let held = self.0.get(brought.table.name)?;
            (brought.judge)(held.as_any())
        });
        judged.collect()
    }
}
