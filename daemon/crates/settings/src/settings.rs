//! All settings of a program as they are in the end, with where each comes from. Writes nothing but what is [`kept`].

pub mod kept;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::brought::{Bring, Tables};
use super::catalogue::Catalogue;
use super::complaint::{Complaint, Complaints, Origin};
use super::document::Document;
use super::environment::Environment;
use super::folders::Folders;
use super::layers::{Layers, LoadOptions};
use super::mycroft::Mycroft;
use super::resolve::{Resolved, resolve};
use super::section::Key;

/// All settings of a program.
#[derive(Debug, Clone)]
pub struct Settings<Ours> {
    /// The program's own tables, with every default. What a table leaves to `mycroft` is said by the table's own
    /// methods, and [`Folders`] says where things are in the end.
    pub document: Ours,
    /// The tables that only parts know.
    pub tables: Tables,
    /// OVOS's own file says this.
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
    /// It is written `table.key`.
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
        let (mut mycroft, warnings) = Mycroft::load(environment);
        let Resolved {
            document,
            tables,
            origins,
            complaints,
        } = resolve::<Ours>(&catalogue, &brought, layers.assignments);
        document.amend(&mut mycroft);
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
        settings.mycroft = Mycroft::load(environment).0;
        document.amend(&mut settings.mycroft);
        settings.document = document;
        settings.tables = tables;
        settings.origins = BTreeMap::new();
        if settings.folders.complaint(environment).is_some() || !settings.contradictions().is_empty() {
            return Err(complaints);
        }
        settings.mistakes = Some(complaints);
        Ok(settings)
    }

    /// Finds the place from which the value of a key comes, for example that of `bus.port`.
    pub fn origin_of(&self, key: &str) -> Origin {
        self.origins.get(key).cloned().unwrap_or(Origin::Default)
    }

    /// Lists every setting of ours with its value and where it comes from, in the order of the sample file.
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

    /// Gathers all tables as they are written.
    fn written(&self) -> toml::Table {
        written(&self.document, &self.tables)
    }

    fn contradictions(&self) -> Vec<Complaint> {
        let brought = self.tables.contradictions(&Ours::brought());
        let wrong = self
            .document
            .contradictions(&self.tables)
            .into_iter()
            .chain(brought);
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
