//! The folder of models: what is there, what is half there, and what is wrong with it.
//!
//! A file has a model's name only when it was complete once, so its length tells whether it is there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use secrecy::SecretString;

use super::catalogue::{Catalogue, HUB, Kind, Model, UnknownModel};
use super::gguf::{GgufError, GgufFacts};
use super::mirror::{Mirror, Source};
use super::{checksum, own};

/// The folder, and the catalogue of what belongs there.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
    /// Folders of files that came with the program. They are read and never written.
    carried: Vec<PathBuf>,
    catalogue: Catalogue,
    /// What is wrong with descriptions of models that are of no catalogue.
    complaints: Vec<String>,
    mirror: Option<Mirror>,
    /// The hub has this address.
    hub: String,
    /// It logs a person in there.
    token: Option<SecretString>,
    /// Licences that a person accepts although they forbid commercial use.
    accepted: Vec<String>,
}

/// A model of the catalogue, with its file.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed<'a> {
    /// It is this entry of the catalogue.
    pub model: &'a Model,
    /// The path at which its file is, or would be.
    pub path: PathBuf,
    /// Says whether it is there.
    pub state: State,
}

/// Tells how much of a model is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum State {
    /// Nothing of it is there.
    Absent,
    /// A download has begun.
    Partial {
        /// So many bytes have come.
        bytes: u64,
    },
    /// The whole file is there.
    Complete,
    /// A file of its name, but not as long as it has to be.
    WrongSize {
        /// The file has this many bytes.
        bytes: u64,
    },
}

/// Says why there is no file of a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MissingModel {
    /// There is no such model.
    #[error(transparent)]
    Unknown(#[from] UnknownModel),
    /// It is not there, or not all of it.
    #[error("find model '{model}' at {path}; run 'loquat models fetch {model}'", path = .path.display())]
    Missing {
        /// The name of the model.
        model: String,
        /// The path at which it was looked for.
        path: PathBuf,
    },
}

/// Says why a model is not known to be sound.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// It is not there.
    #[error(transparent)]
    Missing(#[from] MissingModel),
    /// It cannot be read.
    #[error("read {path}: {source}", path = .path.display())]
    Read {
        /// The file is here.
        path: PathBuf,
        /// The operating system says this.
        #[source]
        source: io::Error,
    },
    /// It is not what the catalogue means.
    #[error(
        "recognise {path}: its checksum {found} is none that the catalogue knows; \
         run 'loquat models remove {model}' and 'loquat models fetch {model}'",
        path = .path.display()
    )]
    Damaged {
        /// The name of the model.
        model: String,
        /// The file is here.
        path: PathBuf,
        /// The file has this checksum.
        found: String,
    },
}

/// Says why a model was not removed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoveError {
    /// There is no such model.
    #[error(transparent)]
    Unknown(#[from] UnknownModel),
    /// The file came with the program and is not removed.
    #[error("remove {}: it belongs to the installed package of Loquat, and goes with it", .0.display())]
    Carried(PathBuf),
    /// The operating system refuses.
    #[error("remove {path}: {source}", path = .path.display())]
    Refused {
        /// The file is here.
        path: PathBuf,
        /// The operating system says this.
        #[source]
        source: io::Error,
    },
}

impl Store {
    /// The models of the program's own catalogue in this folder, which need not exist yet, and those that a person has
    /// fetched into it from elsewhere.
    pub fn new(folder: impl AsRef<Path>) -> Self {
        Self::with_catalogue(folder, Catalogue::embedded())
    }

    /// Keeps the models of another catalogue, for tests.
    pub fn with_catalogue(folder: impl AsRef<Path>, catalogue: Catalogue) -> Self {
        let folder = folder.as_ref().to_owned();
        let (own, complaints) = own::read_all(&folder);
        Self {
            folder,
            carried: Vec::new(),
            catalogue: catalogue.with(own),
            complaints,
            mirror: None,
            hub: HUB.to_owned(),
            token: None,
            accepted: Vec::new(),
        }
    }

    /// Logs in at the hub with this token.
    #[must_use]
    pub fn with_token(mut self, token: Option<SecretString>) -> Self {
        self.token = token;
        self
    }

    /// Takes the server at this address for the hub, for tests.
    #[cfg(test)]
    #[must_use]
    pub(super) fn with_hub(mut self, address: &str) -> Self {
        address.clone_into(&mut self.hub);
        self
    }

    /// Takes from these folders, which a package of the program fills, what is not in its own; the first one counts first.
    #[must_use]
    pub fn carrying(mut self, folders: Vec<PathBuf>) -> Self {
        self.carried = folders;
        self
    }

    /// Asks this mirror before the hub.
    #[must_use]
    pub fn with_mirror(mut self, mirror: Option<Mirror>) -> Self {
        self.mirror = mirror;
        self
    }

    /// Fetches models of these licences, too, although they forbid commercial use.
    #[must_use]
    pub fn accepting(mut self, licences: Vec<String>) -> Self {
        self.accepted = licences;
        self
    }

    /// Tells whether a model may be fetched for this person.
    pub(super) fn may_fetch(&self, model: &Model) -> bool {
        !model.is_non_commercial() || self.accepted.contains(&model.licence)
    }

    /// The sources of a model, in the order in which they are asked.
    pub(super) fn sources(&self, model: &Model) -> Vec<Source> {
        let is_file = |origin: &&String| !origin.starts_with("hf:");
        if let Some(file) = model.origin.as_ref().filter(is_file) {
            return vec![Source::File(PathBuf::from(file))];
        }
        let mirrored = self.mirror.iter().map(|mirror| mirror.source(&model.hub));
        mirrored
            .chain([Source::Address(model.hub.url(&self.hub))])
            .collect()
    }

    pub(super) fn mirror(&self) -> Option<&Mirror> {
        self.mirror.as_ref()
    }

    pub(super) fn hub(&self) -> &str {
        &self.hub
    }

    /// What logs a person in where this source is the hub. No other server is told it.
    pub(super) fn token_for(&self, source: &Source) -> Option<&SecretString> {
        let Source::Address(address) = source else {
            return None;
        };
        let is_on_the_hub = address.strip_prefix(&self.hub)?.starts_with('/');
        self.token.as_ref().filter(|_| is_on_the_hub)
    }

    pub(super) fn token(&self) -> Option<&SecretString> {
        self.token.as_ref()
    }

    /// What is wrong with the descriptions of models that a person has fetched from elsewhere.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }

    /// What the file of a language model says of it; nothing for other kinds, and where the file is not there.
    pub fn facts_of(&self, model: &Model) -> Option<Result<GgufFacts, GgufError>> {
        let is_there = model.kind == Kind::Language && self.is_complete(model);
        is_there.then(|| GgufFacts::read(&self.file_of(model)))
    }

    /// The catalogue of the models that belong there.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The folder that is written.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path at which the file of a model is, or would be.
    pub fn file_of(&self, model: &Model) -> PathBuf {
        let own = self.own_file_of(model);
        let is_whole = |file: &PathBuf| length(file) == Some(model.size);
        if is_whole(&own) {
            return own;
        }
        self.carried_files(model).find(is_whole).unwrap_or(own)
    }

    /// The path of the file of a model in the folder that is written.
    pub(super) fn own_file_of(&self, model: &Model) -> PathBuf {
        self.folder.join(&model.file)
    }

    fn carried_files(&self, model: &Model) -> impl Iterator<Item = PathBuf> {
        self.carried.iter().map(|folder| folder.join(&model.file))
    }

    /// Lists all models of the catalogue.
    pub fn list(&self) -> Vec<Listed<'_>> {
        let listed = |model| Listed {
            model,
            path: self.file_of(model),
            state: self.state_of(model),
        };
        self.catalogue.models().iter().map(listed).collect()
    }

    /// Looks how much of a model is there.
    pub fn state_of(&self, model: &Model) -> State {
        match (length(&self.file_of(model)), length(&self.part_of(model))) {
            (Some(bytes), _) if bytes == model.size => State::Complete,
            (_, Some(bytes)) => State::Partial { bytes },
            (Some(bytes), None) => State::WrongSize { bytes },
            (None, None) => State::Absent,
        }
    }

    /// The file of a model that is there.
    pub fn path_of(&self, name: &str) -> Result<PathBuf, MissingModel> {
        let model = self.catalogue.find(name)?;
        let path = self.file_of(model);
        if self.is_complete(model) {
            return Ok(path);
        }
        Err(MissingModel::Missing {
            model: model.name.clone(),
            path,
        })
    }

    /// Reads a model's file and compares its checksum with that of the catalogue. Takes seconds.
    pub async fn verify(&self, name: &str) -> Result<(), VerifyError> {
        let path = self.path_of(name)?;
        let model = self.catalogue.find(name).map_err(MissingModel::from)?;
        let read = checksum::of_file(&path).await;
        let (hash, _) = read.map_err(|source| VerifyError::Read {
            path: path.clone(),
            source,
        })?;
        let found = checksum::shown(hash);
        if model.hub.knows(&found) {
            return Ok(());
        }
        Err(VerifyError::Damaged {
            model: model.name.clone(),
            path,
            found,
        })
    }

    /// Removes a model and what was begun of it; whether there was anything.
    pub fn remove(&self, name: &str) -> Result<bool, RemoveError> {
        let model = self.catalogue.find(name)?;
        let mut removed = false;
        for path in [self.own_file_of(model), self.part_of(model)] {
            removed |= gone(&path, fs::remove_file(&path))?;
        }
        let lock = self.lock_of(model);
        gone(&lock, fs::remove_file(&lock))?;
        if model.origin.is_some() {
            let description = own::description_of(&self.folder, model);
            removed |= gone(&description, fs::remove_file(&description))?;
        }
        match self.carried_files(model).find(|file| file.is_file()) {
            Some(path) if !removed => Err(RemoveError::Carried(path)),
            _ => Ok(removed),
        }
    }

    pub(super) fn is_complete(&self, model: &Model) -> bool {
        length(&self.file_of(model)) == Some(model.size)
    }

    pub(super) fn part_of(&self, model: &Model) -> PathBuf {
        self.folder.join(format!("{}.part", model.file))
    }

    pub(super) fn lock_of(&self, model: &Model) -> PathBuf {
        self.folder.join(format!(".{}.lock", model.file))
    }
}

fn length(path: &Path) -> Option<u64> {
    fs::metadata(path)
        .ok()
        .filter(fs::Metadata::is_file)
        .map(|metadata| metadata.len())
}

fn gone(path: &Path, removed: io::Result<()>) -> Result<bool, RemoveError> {
    match removed {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(RemoveError::Refused {
            path: path.to_owned(),
            source,
        }),
    }
}
