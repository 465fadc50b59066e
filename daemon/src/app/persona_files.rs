//! The files of personas as a person edits them on the page: read, judged before they are written, kept among the person's own,
//! and deleted there. Never writes a file of which no persona could answer, and none outside of the person's own folder.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use loquat_models::Catalogue;
use loquat_page::device::PersonaFile;
use loquat_persona::slug;
use loquat_settings::commented_json::parse_object;
use loquat_skills::Resources;

use super::local_brain::brains;
use super::sources::{personas_of, sources};
use super::{Roll, load_personas};
use crate::models_in_use::ModelsInUse;
use crate::persona::{Persona, Sources};
use crate::settings::{Complaint, Complaints, Environment, LoadOptions, Origin, Settings};

/// The rights of the folder of personas, less what the person's mask takes.
const FOLDER_RIGHTS: u32 = 0o777;

/// Where the files are, and what a persona is judged with. All of it blocks.
pub(super) struct PersonaFiles {
    pub(super) environment: Environment,
    pub(super) options: LoadOptions,
    pub(super) resources: Resources,
}

impl PersonaFiles {
    fn settings(&self) -> Settings {
        Settings::load_leniently(&self.environment, &self.options).0
    }

    fn sources(&self) -> Sources {
        sources(&self.settings(), &self.environment)
    }

    /// Finds the file of a persona; nothing where it is part of the program.
    fn file_of(&self, id: &str) -> Option<PathBuf> {
        match self.origin_of(id)? {
            Origin::File { path, .. } => Some(path),
            _ => None,
        }
    }

    fn origin_of(&self, id: &str) -> Option<Origin> {
        let (personas, _) = load_personas(&self.settings(), &self.environment);
        let known: Option<&Persona> = personas.iter().find(|persona| persona.id == id);
        known.map(|persona| persona.origin.clone())
    }

    /// Tells whether a file lies in the first folder, which is the person's own.
    fn is_own(&self, file: &Path) -> bool {
        let sources = self.sources();
        sources
            .folders
            .first()
            .is_some_and(|own| file.parent() == Some(own))
    }

    /// Gives the text of the file of a persona.
    pub(super) fn text_of(&self, id: &str) -> Option<PersonaFile> {
        match self.origin_of(id)? {
            Origin::Embedded(name) => Some(PersonaFile {
                text: loquat_persona::embedded(name)?.to_owned(),
                is_own: false,
            }),
            Origin::File { path, .. } => Some(PersonaFile {
                text: fs::read_to_string(&path).ok()?,
                is_own: self.is_own(&path),
            }),
            _ => None,
        }
    }

    /// Says what is wrong with a file that holds this text: it is loaded and made ready as all are, from a folder of its own.
    pub(super) fn judge(&self, text: &str) -> Vec<Complaint> {
        let failed = |error: std::io::Error| {
            let text = format!("the file cannot be tried out: {error}");
            vec![Complaint::refusal(Origin::Default, text)]
        };
        let folder = match tempfile::tempdir() {
            Ok(folder) => folder,
            Err(error) => return failed(error),
        };
        let file = folder.path().join(file_name(text));
        if let Err(error) = fs::write(&file, text) {
            return failed(error);
        }
        let settings = self.settings();
        let sources = Sources {
            folders: vec![folder.path().to_owned()],
            embedded: false,
            blacklist: Vec::new(),
            default: None,
            ..self.sources()
        };
        let read = personas_of(&sources, &settings);
        let models = ModelsInUse::choose(&settings, &self.environment, &Catalogue::embedded());
        let mut brains = brains(&settings, &self.environment, &models);
        let roll = Roll::of_these(read, &settings, &mut brains, &self.resources);
        let shown = PathBuf::from(file_name(text));
        let complaints = roll.complaints.into_iter().chain(roll.skills).collect();
        Complaints(complaints).about(&file, &shown).0
    }

    /// Writes it in the place of that of this id, where that is the person's own, or as a new file.
    pub(super) fn keep(&self, id: Option<&str>, text: &str) -> Result<(), String> {
        let complaints = self.judge(text);
        if let Some(refusal) = complaints.iter().find(|complaint| complaint.is_refusal()) {
            return Err(format!("Nothing is written: {}", refusal.text));
        }
        let own = id
            .and_then(|id| self.file_of(id))
            .filter(|file| self.is_own(file));
        let named = self.file_of(&id_of(text)).filter(|file| self.is_own(file));
        let file = match (own, named) {
            (own, Some(named)) if own.as_ref() != Some(&named) => {
                return Err(format!(
                    "A persona of this name is in {} already; choose another name",
                    named.display()
                ));
            }
            (Some(own), _) => own,
            (None, _) => self.new_file(text)?,
        };
        written(&file, text).map_err(|error| format!("Failed to write {}: {error}", file.display()))
    }

    /// Finds a name for a new file, which takes no other's place.
    fn new_file(&self, text: &str) -> Result<PathBuf, String> {
        let folders = self.sources().folders;
        let folder = folders
            .first()
            .ok_or("This user has no home, so no persona can be kept")?;
        let file = folder.join(file_name(text));
        if file.exists() {
            return Err(format!(
                "There is a file {} already; choose another name",
                file.display()
            ));
        }
        Ok(file)
    }

    /// Deletes the file of one that is the person's own.
    pub(super) fn delete(&self, id: &str) -> Result<(), String> {
        let own = self.file_of(id).filter(|file| self.is_own(file));
        let file = own.ok_or("Only personas of your own folder can be deleted here")?;
        fs::remove_file(&file).map_err(|error| format!("Failed to delete {}: {error}", file.display()))
    }
}

/// Makes the id of the persona of this text; it is empty where it has no name.
fn id_of(text: &str) -> String {
    let object = parse_object(text, &Origin::Default).ok().flatten();
    let name = object.as_ref().and_then(|object| object.get("name")?.as_str());
    slug(name.unwrap_or_default())
}

/// Names the file of a persona after it.
fn file_name(text: &str) -> String {
    let id = id_of(text);
    let id = if id.is_empty() { "persona" } else { &id };
    format!("{id}.json")
}

/// Puts the whole text there at once.
fn written(file: &Path, text: &str) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    loquat_disk::make_folder(folder, FOLDER_RIGHTS)?;
    let mut beside = tempfile::Builder::new()
        .prefix(".persona.")
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
        .tempfile_in(folder)?;
    beside.write_all(text.as_bytes())?;
    beside.as_file().sync_all()?;
    beside.persist(file).map_err(|error| error.error)?;
    loquat_disk::sync(folder);
    Ok(())
}
