//! All personas of a device, and how one of them is found. Says nothing of what one does.

use loquat_settings::complaint::Complaint;

use super::known::Known;
use super::persona::Persona;
use super::sources::Sources;
use super::{load, names};

/// All personas, in the order in which they were found.
#[derive(Debug, Clone, Default)]
pub struct Personas {
    personas: Vec<Persona>,
    default: Option<usize>,
}

impl Personas {
    /// Reads the folders and what is part of the program. Of personas of the same name the first wins, so a person
    /// can put their own in the place of one of ours.
    ///
    /// Refusals among the complaints are about personas that were left out. Blocks for a few small files.
    pub fn load(sources: &Sources, known: &Known) -> (Self, Vec<Complaint>) {
        let (personas, mut complaints) = load::load(sources, known);
        let (default, complaint) = names::default_of(&personas, sources.default.as_ref());
        complaints.extend(complaint);
        (Self { personas, default }, complaints)
    }

    /// The persona of this name or id, in any case; a name may also be written as its id.
    pub fn find(&self, name: &str) -> Option<&Persona> {
        names::find(&self.personas, name).and_then(|index| self.personas.get(index))
    }

    /// Gives the one that answers where no other was asked for: the one that was set, else Loquat, else the
    /// first.
    pub fn default_persona(&self) -> Option<&Persona> {
        self.personas.get(self.default?)
    }

    /// Iterates over all personas.
    pub fn iter(&self) -> std::slice::Iter<'_, Persona> {
        self.personas.iter()
    }

    /// Counts the personas.
    pub fn len(&self) -> usize {
        self.personas.len()
    }

    /// Tells whether there is none at all.
    pub fn is_empty(&self) -> bool {
        self.personas.is_empty()
    }
}

impl<'a> IntoIterator for &'a Personas {
    type Item = &'a Persona;
    type IntoIter = std::slice::Iter<'a, Persona>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
