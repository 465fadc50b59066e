//! How settings are declared, found, judged, shown and changed: what OVOS owns from its `mycroft.conf`, what is ours from
//! `loquat.toml`, the environment and flags; and where things are kept.
//!
//! A table is declared once ([`section!`]); the loader, the complaints and the sample file are made from that. No table
//! stands here: each belongs to the part that reads it, and the program names them all in its [`Document`].
//!
//! Nothing else in a program reads the environment or a settings file; what is written is what [`amend`](mod@amend) is asked
//! for, and the copy of [`kept`].

#[cfg(test)]
extern crate self as loquat_settings;

pub mod amend;
pub mod brought;
mod catalogue;
pub mod commented_json;
pub mod complaint;
pub mod environment;
pub mod folders;
pub mod form;
pub mod kept;
mod layers;
pub mod mycroft;
mod resolve;
pub mod sample;
pub mod secret;
pub mod secret_hash;
pub mod section;
#[cfg(test)]
mod tests;
pub mod wording;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use complaint::{Complaint, Complaints, Origin, Severity};
pub use environment::Environment;
pub use folders::Folders;
pub use mycroft::{Hotword, Mycroft};
pub use secret::{Secret, SecretError};
// What [`section!`] writes names it.
#[doc(hidden)]
pub use toml;

use brought::{Bring, Brought, Contradiction, Tables};
use catalogue::Catalogue;
use layers::Layers;
use resolve::{Resolved, resolve};
use section::{Key, Table};

/// All of a program's `loquat.toml`: a struct with a field for each table.
pub trait Document: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned {
    /// Gives the tables in the order of the sample file.
    fn tables() -> Vec<Table>;

    /// The folder of models, where one is named.
    fn models_folder(&self) -> Option<&Path>;

    /// Collects what is wrong with settings that are right one by one.
    fn contradictions(&self) -> Vec<Contradiction>;

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

/// The flags of the command line about settings.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// The person's settings file in place of the usual one (`--config`, else `LOQUAT_CONFIG`).
    pub config_file: Option<PathBuf>,
    /// The arguments of `--set`, each `table.key=value`; later ones win.
    pub overrides: Vec<String>,
}

/// All settings of a program.
#[derive(Debug, Clone)]
pub struct Settings<Ours> {
    /// The program's own tables, with every default. What a table leaves to `mycroft` is said by the table's own
    /// methods, and [`Folders`] says where things are in the end.
    pub document: Ours,
    /// The tables that only parts know.
    pub tables: Tables,
    /// The settings of OVOS's own file.
    pub mycroft: Mycroft,
    /// The folders in which things are kept.
    pub folders: Folders,
    /// Complaints that the person should know although the settings are usable.
    pub warnings: Vec<Complaint>,
    /// Complaints about what was set for parts that the program was built without.
    pub left_out: Vec<Complaint>,
    /// Says what is wrong with the files, where these are not the settings that they hold but those with which the
    /// daemon last ran well.
    pub mistakes: Option<Complaints>,
    origins: BTreeMap<String, Origin>,
}

/// A setting as it is in the end.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The path `table.key`.
    pub key: String,
    /// The value; absent where it is not set and absence means something.
    pub value: Option<toml::Value>,
    /// The place from which it comes.
    pub origin: Origin,
    /// Says whether the value is not to be shown.
    pub is_secret: bool,
    /// Says what it does, one sentence per line.
    pub doc: &'static str,
}

impl<Ours: Document> Settings<Ours> {
    /// Reads all settings. When something of ours is wrong, all that is wrong is returned instead, warnings too.
    pub fn load(environment: &Environment, options: &LoadOptions) -> Result<Self, Complaints> {
        let (settings, complaints) = Self::load_leniently(environment, options);
        if complaints.refuse() {
            Err(complaints)
        } else {
            Ok(settings)
        }
    }

    /// Reads all settings, putting the next weaker value in the place of one that makes no sense.
    pub fn load_leniently(environment: &Environment, options: &LoadOptions) -> (Self, Complaints) {
        let catalogue = Catalogue::of(Ours::tables()).without(Ours::left_out());
        let brought = Ours::brought();
        let layers = Layers::collect(&catalogue, environment, options);
        let (mycroft, warnings) = Mycroft::load(environment);
        let Resolved {
            document,
            tables,
            origins,
            complaints,
        } = resolve::<Ours>((&catalogue, &brought), layers.assignments);
        let settings = Self {
            folders: Folders::find(environment, document.models_folder()),
            document,
            tables,
            mycroft,
            warnings: warnings.clone(),
            left_out: layers.left_out.clone(),
            mistakes: None,
            origins,
        };
        let folders = settings.folders.complaint(environment).into_iter().collect();
        let contradictions = settings.contradictions();
        let found = [layers.complaints, layers.left_out, complaints, warnings];
        let all = [found.concat(), folders, contradictions].concat();
        (settings, Complaints(all))
    }

    /// Reads all settings; where something of ours is wrong, those with which the daemon last ran well count, with what is
    /// wrong beside them. A mistake on the command line was made just now, so it is refused, as it is where none were kept.
    pub fn load_or_recall(environment: &Environment, options: &LoadOptions) -> Result<Self, Complaints> {
        let (mut settings, complaints) = Self::load_leniently(environment, options);
        if !complaints.refuse() {
            return Ok(settings);
        }
        let is_typed =
            |complaint: &Complaint| complaint.is_refusal() && matches!(complaint.origin, Origin::Flag(_));
        let kept = kept::recall::<Ours>(&settings.folders.state);
        let (Some((document, tables)), false) = (kept, complaints.0.iter().any(is_typed)) else {
            return Err(complaints);
        };
        settings.folders = Folders::find(environment, document.models_folder());
        settings.document = document;
        settings.tables = tables;
        settings.origins = BTreeMap::new();
        if settings.folders.complaint(environment).is_some() || !settings.contradictions().is_empty() {
            return Err(complaints);
        }
        settings.mistakes = Some(complaints);
        Ok(settings)
    }

    /// The place from which the value of a key comes, for example that of `bus.port`.
    pub fn origin_of(&self, key: &str) -> Origin {
        self.origins.get(key).cloned().unwrap_or(Origin::Default)
    }

    /// Every setting of ours with its value and where it comes from, in the order of the sample file.
    pub fn entries(&self) -> Vec<Entry> {
        let values = self.written();
        let entry = |key: &Key| Entry {
            key: key.path(),
            value: values
                .get(key.table)
                .and_then(|table| table.get(key.name))
                .cloned(),
            origin: self.origin_of(&key.path()),
            is_secret: key.is_secret,
            doc: key.doc,
        };
        Catalogue::of(Ours::tables()).keys().map(entry).collect()
    }

    /// Gives what was read of a table that a part brings.
    pub fn table<Own: Bring>(&self) -> Arc<Own> {
        self.tables.get()
    }

    /// All tables as they are written.
    fn written(&self) -> toml::Table {
        written(&self.document, &self.tables)
    }

    fn contradictions(&self) -> Vec<Complaint> {
        let brought = self.tables.contradictions(&Ours::brought());
        let wrong = self.document.contradictions().into_iter().chain(brought);
        wrong
            .map(|(key, complaint)| Complaint::refusal(self.origin_of(key), complaint))
            .collect()
    }
}

fn written<Ours: Document>(document: &Ours, tables: &Tables) -> toml::Table {
    let mut values = toml::Table::try_from(document).unwrap_or_default();
    values.extend(tables.values());
    values
}

/// A table of ours is read as `settings.bus`, whichever file it comes from.
impl<Ours> std::ops::Deref for Settings<Ours> {
    type Target = Ours;

    fn deref(&self) -> &Ours {
        &self.document
    }
}

impl<Ours> std::ops::DerefMut for Settings<Ours> {
    fn deref_mut(&mut self) -> &mut Ours {
        &mut self.document
    }
}
