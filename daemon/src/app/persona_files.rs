//! The files of personas as a person edits them on the page: read, judged before they are written, kept among the person's own,
//! and deleted there. Never writes a file of which no persona could answer, and none outside of the person's own folder.

use std::fs::{self, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use loquat_models::Catalogue;
use loquat_page::device::PersonaFile;
use loquat_persona::slug;
use loquat_persona::written_secrets::holds_any;
use loquat_settings::commented_json::parse_object;
use loquat_skills::Resources;
use tempfile::NamedTempFile;

use super::local_brain::brains;
use super::sources::{personas_of, sources};
use super::{Roll, load_personas};
use crate::models_in_use::ModelsInUse;
use crate::persona::{Persona, Sources};
use crate::settings::{Complaint, Complaints, Environment, LoadOptions, Origin, Settings};

/// The rights of the folder of personas, less what the person's mask takes.
const FOLDER_RIGHTS: u32 = 0o777;

/// The rights of a file that holds a secret, and of one that holds none. One that was there before keeps those that it had.
const SECRET_RIGHTS: u32 = 0o600;
const OPEN_RIGHTS: u32 = 0o644;

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
        match (own, named) {
            (own, Some(named)) if own.as_ref() != Some(&named) => Err(format!(
                "A persona of this name is in {} already; choose another name",
                named.display()
            )),
            (Some(own), _) => replaced(&own, text),
            (None, _) => self.written_anew(text),
        }
    }

    /// Writes a new file, which takes no other's place.
    fn written_anew(&self, text: &str) -> Result<(), String> {
        let folders = self.sources().folders;
        let folder = folders
            .first()
            .ok_or("This user has no home, so no persona can be kept")?;
        let file = folder.join(file_name(text));
        let failed = |error: std::io::Error| failed(&file, &error);
        loquat_disk::make_folder(folder, FOLDER_RIGHTS).map_err(failed)?;
        let beside = beside(folder, text, rights_of(text)).map_err(failed)?;
        match beside.persist_noclobber(&file) {
            Ok(_) => loquat_disk::sync(folder),
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {
                return Err(format!(
                    "There is a file {} already; choose another name",
                    file.display()
                ));
            }
            Err(error) => return Err(failed(error.error)),
        }
        Ok(())
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

/// Puts the whole text at once into the place of a file, under the rights of that.
fn replaced(file: &Path, text: &str) -> Result<(), String> {
    let replace = || {
        let folder = file.parent().unwrap_or(Path::new("."));
        let rights = fs::metadata(file)?.permissions();
        let beside = beside(folder, text, SECRET_RIGHTS)?;
        beside.as_file().set_permissions(rights)?;
        beside.persist(file).map_err(|error| error.error)?;
        loquat_disk::sync(folder);
        Ok(())
    };
    replace().map_err(|error| failed(file, &error))
}

/// Writes the text beside its place, under these rights less what the person's mask takes.
fn beside(folder: &Path, text: &str, rights: u32) -> std::io::Result<NamedTempFile> {
    let mut beside = tempfile::Builder::new()
        .prefix(".persona.")
        .permissions(Permissions::from_mode(rights))
        .tempfile_in(folder)?;
    beside.write_all(text.as_bytes())?;
    beside.as_file().sync_all()?;
    Ok(beside)
}

/// The rights of a new file with this text.
fn rights_of(text: &str) -> u32 {
    let object = parse_object(text, &Origin::Default).ok().flatten();
    if object.is_some_and(|object| holds_any(&object)) {
        SECRET_RIGHTS
    } else {
        OPEN_RIGHTS
    }
}

fn failed(file: &Path, error: &std::io::Error) -> String {
    format!("Failed to write {}: {error}", file.display())
}
