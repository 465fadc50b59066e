//! Finds out what a person means who names a model to be fetched: one of the catalogue, one that is offered, an address on
//! the hub, or a file. Loads nothing of it.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use super::address::HubAddress;
use super::catalogue::{Hub, Kind, Model, Offer};
use super::checksum;
use super::download::SourceError;
use super::fetch::{FetchError, in_file};
use super::gguf::GgufFacts;
use super::hub::{HubError, HubFile, HubServer};
use super::mirror::Mirror;
use super::own;
use super::progress::{Progress, ProgressSink};
use super::store::Store;

/// What a model takes beside its weights for its window, in GiB.
const BESIDE_THE_WEIGHTS: f64 = 0.5;

impl Store {
    /// The GGUF files of a folder, in the order of their names; nothing where it is none.
    pub fn models_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        let entries = std::fs::read_dir(folder)?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        let mut paths: Vec<PathBuf> = paths.collect::<io::Result<_>>()?;
        paths.retain(|path| {
            path.extension()
                .is_some_and(|ending| ending.eq_ignore_ascii_case("gguf"))
        });
        paths.sort_unstable();
        Ok(paths)
    }

    /// Where the file of a model will be that can be fetched by this name and is not there yet.
    pub fn offered_file(&self, name: &str) -> Option<PathBuf> {
        let offer = self.catalogue().offers().find(|offer| offer.name == name)?;
        let address: HubAddress = offer.address.parse().ok()?;
        Some(self.folder().join(file_name(Path::new(&address.file?))))
    }

    /// Tells whether this names a model or is an address, so that a person who may not name files of this machine may have it
    /// fetched.
    pub fn knows(&self, name: &str) -> Result<(), FetchError> {
        let is_offered = self.catalogue().offers().any(|offer| offer.name == name);
        if is_offered {
            return Ok(());
        }
        if HubAddress::is_meant(name) {
            name.parse::<HubAddress>()?;
            return Ok(());
        }
        Ok(self.catalogue().find(name).map(drop)?)
    }

    /// The model that is meant.
    pub(super) async fn wanted(
        &self,
        name: &str,
        sink: &dyn ProgressSink,
    ) -> Result<Cow<'_, Model>, FetchError> {
        let unknown = match self.catalogue().find(name) {
            Ok(model) => return Ok(Cow::Borrowed(model)),
            Err(unknown) => unknown,
        };
        if let Some(offer) = self.catalogue().offers().find(|offer| offer.name == name) {
            return self.of_address(&offer.address, Some(offer)).await;
        }
        if HubAddress::is_meant(name) {
            return self.of_address(name, None).await;
        }
        if name.contains('/') || Path::new(name).is_file() {
            return self.of_file(Path::new(name), sink).await.map(Cow::Owned);
        }
        Err(unknown.into())
    }

    /// Notes what a model is that is of no catalogue, beside where its file will be.
    pub(super) fn describe(&self, model: &Model) -> Result<(), FetchError> {
        let is_known = |known: &Model| known.name == model.name;
        if model.origin.is_none() || self.catalogue().models().iter().any(is_known) {
            return Ok(());
        }
        let folder = self.folder();
        own::write(folder, model).map_err(|source| in_file(&own::description_of(folder, model), source))
    }

    /// Takes the note back where nothing of the model has arrived.
    pub(super) fn forget_unless_begun(&self, model: &Model) -> Result<(), FetchError> {
        let description = own::description_of(self.folder(), model);
        if model.origin.is_none() || self.part_of(model).exists() || !description.exists() {
            return Ok(());
        }
        std::fs::remove_file(&description).map_err(|source| in_file(&description, source))
    }

    async fn of_address(&self, text: &str, offer: Option<&Offer>) -> Result<Cow<'_, Model>, FetchError> {
        let address: HubAddress = text.parse()?;
        let path = address.file.as_ref().map(|file| address.path_of(file));
        let mut known = self.catalogue().models().iter();
        let is_at = |model: &&Model| path.as_ref() == Some(&model.hub.path);
        if let Some(model) = known.find(is_at) {
            return Ok(Cow::Borrowed(model));
        }
        let (found, is_of_the_hub) = self.look(&address).await?;
        let (Some(path), Some(file)) = (path, address.file.as_ref()) else {
            // A server that knows an address without a file knows nothing.
            return Err(not_found(&address, Vec::new()));
        };
        let pinned = found.commit.filter(|_| is_of_the_hub);
        let pinned = pinned.map(|commit| format!("{}/{}", self.hub(), address.path_at(&commit, file)));
        let mut model = own_model(file_name(Path::new(file)), found.size, found.sha256);
        model.origin = Some(address.to_string());
        model.hub.path = path;
        model.hub.url = pinned;
        if let Some(offer) = offer {
            model.name.clone_from(&offer.name);
            model.about.clone_from(&offer.about);
            model.licence.clone_from(&offer.licence);
            model.languages.clone_from(&offer.languages);
            model.memory_gib = offer.memory_gib;
        }
        self.unless_taken(model).map(Cow::Owned)
    }

    /// Asks a mirror that is a server, then the hub; where neither can tell, a folder's own file tells. Says whether it was
    /// the hub.
    async fn look(&self, address: &HubAddress) -> Result<(HubFile, bool), FetchError> {
        let mut failures = Vec::new();
        if let Some(Mirror::Server(mirror)) = self.mirror() {
            match asked(HubServer::new(mirror, None), address).await {
                Ok(found) => return Ok((found, false)),
                Err(error) => failures.push(error),
            }
        }
        match asked(HubServer::new(self.hub(), self.token()), address).await {
            Ok(found) => return Ok((found, true)),
            Err(error) => failures.push(error),
        }
        match self.mirrored(address).await {
            Some(found) => Ok((found, false)),
            None => Err(not_found(address, failures)),
        }
    }

    /// What a folder that mirrors the hub has of an address.
    async fn mirrored(&self, address: &HubAddress) -> Option<HubFile> {
        let Some(Mirror::Folder(folder)) = self.mirror() else {
            return None;
        };
        let path = folder.join(address.path_of(address.file.as_ref()?));
        let (hash, size) = checksum::of_file(&path).await.ok()?;
        (size > 0).then(|| HubFile {
            size,
            sha256: checksum::shown(hash),
            commit: None,
        })
    }

    async fn of_file(&self, path: &Path, sink: &dyn ProgressSink) -> Result<Model, FetchError> {
        let unreadable = |source: io::Error| FetchError::NoSource {
            model: path.display().to_string(),
            file: self.folder().join(file_name(path)),
            failures: vec![SourceError::Unreadable {
                path: path.to_owned(),
                source,
            }],
        };
        let path = path.canonicalize().map_err(unreadable)?;
        GgufFacts::read(&path)?.check(&path)?;
        let remark = format!("{} is read, so that damage can be noticed later.", path.display());
        sink.progress(Progress::Remark(&remark));
        let (hash, size) = checksum::of_file(&path).await.map_err(unreadable)?;
        let mut model = own_model(file_name(&path), size, checksum::shown(hash));
        let origin = Some(path.display().to_string());
        model.origin.clone_from(&origin);
        let known = self.unless_taken(model)?;
        // Also where the catalogue knows it: the file is here, and the hub may be far.
        Ok(Model { origin, ..known })
    }

    /// The model, or the one that is there already with the same content.
    fn unless_taken(&self, model: Model) -> Result<Model, FetchError> {
        let is_alike = |known: &&Model| known.name == model.name || known.file == model.file;
        match self.catalogue().models().iter().find(is_alike) {
            Some(known) if known.hub.knows(&model.hub.sha256) => Ok(known.clone()),
            Some(known) => Err(FetchError::Taken {
                wanted: model.origin.unwrap_or_default(),
                name: known.name.clone(),
                origin: known.origin.clone(),
            }),
            None => Ok(model),
        }
    }
}

async fn asked(server: Result<HubServer<'_>, HubError>, address: &HubAddress) -> Result<HubFile, HubError> {
    server?.file(address).await
}

fn not_found(address: &HubAddress, failures: Vec<HubError>) -> FetchError {
    FetchError::NotFound {
        address: address.to_string(),
        failures,
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// A model of which nothing but its file is known.
fn own_model(file: String, size: u64, sha256: String) -> Model {
    let name = Path::new(&file).file_stem().unwrap_or_default();
    let gib = size as f64 / f64::from(1 << 30);
    Model {
        name: name.to_string_lossy().into_owned(),
        kind: Kind::Language,
        about: "fetched by its address, not measured by us".to_owned(),
        file,
        size,
        licence: "see its page".to_owned(),
        languages: Vec::new(),
        memory_gib: ((gib + BESIDE_THE_WEIGHTS) * 10.0).ceil() / 10.0,
        usual: false,
        spotting: None,
        origin: None,
        hub: Hub {
            path: String::new(),
            url: None,
            sha256,
            converted_sha256: None,
        },
    }
}
