//! Fetching: from the mirror if there is one, else from the hub, and only a complete file gets its name.

use std::io;
use std::path::{Path, PathBuf};

use tokio_util::sync::CancellationToken;

use super::address::AddressError;
use super::catalogue::{Model, UnknownModel};
use super::download::{Download, DownloadError, SourceError};
use super::gguf::{GgufError, GgufFacts};
use super::hub::HubError;
use super::mirror::Source;
use super::part::Part;
use super::progress::{Progress, ProgressSink};
use super::store::Store;
use super::{lock, room};

/// Left free on the disk whatever happens: a full disk hurts more than a missing model.
const SPARE_ROOM: u64 = 64 << 20;

/// Says why a model was not fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// There is no such model.
    #[error(transparent)]
    Unknown(#[from] UnknownModel),
    /// The folder or a file in it cannot be written.
    #[error("write {path}: {source}", path = .path.display())]
    Write {
        /// The file is here.
        path: PathBuf,
        /// The operating system says this.
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
        /// The name of the model.
        model: String,
        /// Models are kept in this folder.
        folder: PathBuf,
        /// The bytes that are free.
        free: u64,
        /// The bytes that are needed.
        needed: u64,
    },
    /// The licence forbids commercial use, and no person has said that they accept that.
    #[error(
        "fetch model '{model}': its licence, {licence}, forbids commercial use, so it is fetched for nobody who has not read \
         it; if your use is allowed, run 'loquat models fetch --accept-licence {licence} {model}'"
    )]
    NonCommercial {
        /// The name of the model.
        model: String,
        /// The licence has this SPDX identifier.
        licence: String,
    },
    /// No source gave the model.
    #[error(
        "fetch model '{model}': {failed}; connect to the network, or set models.mirror to a mirror of the hub, and run \
         'loquat models fetch {model}' again, or put the file at {file}",
        failed = listed(failures), file = .file.display()
    )]
    NoSource {
        /// The name of the model.
        model: String,
        /// The path at which the file belongs.
        file: PathBuf,
        /// Says why each source did not help, in the order in which they were asked.
        failures: Vec<SourceError>,
    },
    /// The address is none.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// Neither the hub nor a mirror says what file that is.
    #[error("fetch {address}: {}", listed(failures))]
    NotFound {
        /// The address that a person has named.
        address: String,
        /// Says why each of them did not help, in the order in which they were asked.
        failures: Vec<HubError>,
    },
    /// The file is no model that could be used.
    #[error(transparent)]
    Unfit(#[from] GgufError),
    /// There is another model of the same name.
    #[error(
        "fetch {wanted}: the name {name} is that of another model{}; remove that one first with 'loquat models remove {name}'",
        origin.as_ref().map(|origin| format!(", from {origin}")).unwrap_or_default()
    )]
    Taken {
        /// The address or the path that a person has named.
        wanted: String,
        /// The name that both would have.
        name: String,
        /// The place that the other one is from.
        origin: Option<String>,
    },
    /// It was stopped; what has arrived is kept.
    #[error("fetch model '{0}': it was stopped, and goes on from there the next time")]
    Stopped(String),
}

fn listed(failures: &[impl std::fmt::Display]) -> String {
    let each = failures.iter().map(|failure| format!("failed to {failure}"));
    each.collect::<Vec<_>>().join(", and ")
}

impl Store {
    /// Fetches a model unless it is there; where its file is. It is one of the catalogue, the address of one on the hub, or
    /// the path of a file.
    ///
    /// Of two fetches of one model at a time, the second waits for the first. Whatever ends a fetch, what has
    /// arrived is used by the next one.
    pub async fn fetch(
        &self,
        name: &str,
        sink: &dyn ProgressSink,
        cancel: CancellationToken,
    ) -> Result<PathBuf, FetchError> {
        let fetching = async {
            let model = self.wanted(name, sink).await?;
            if !self.may_fetch(&model) {
                return Err(FetchError::NonCommercial {
                    model: model.name.clone(),
                    licence: model.licence.clone(),
                });
            }
            self.fetch_model(&model, sink).await
        };
        let fetched = cancel.run_until_cancelled(fetching).await;
        fetched.unwrap_or_else(|| Err(FetchError::Stopped(name.to_owned())))
    }

    async fn fetch_model(&self, model: &Model, sink: &dyn ProgressSink) -> Result<PathBuf, FetchError> {
        if self.is_complete(model) {
            return Ok(self.file_of(model));
        }
        let file = self.own_file_of(model);
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
        self.describe(model)?;
        if !self.is_complete(model) {
            let fetched = self.fetch_locked(model, &file, sink).await;
            if fetched.is_err() {
                self.forget_unless_begun(model)?;
            }
            fetched?;
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
        let mut failures = Vec::new();
        for source in self.sources(model) {
            if let Some(error) = failures.last() {
                let remark = format!("One source is of no use now (failed to {error}). Trying {source}.");
                sink.progress(Progress::Remark(&remark));
            }
            match self.download(model, &source, &part, sink).await? {
                Ok(()) => {
                    check(model, &part, file).await?;
                    return put_in_place(&part, file).await;
                }
                Err(error) => failures.push(error),
            }
        }
        let (model, file) = (model.name.clone(), file.to_owned());
        Err(FetchError::NoSource {
            model,
            file,
            failures,
        })
    }

    /// The source's failure is inside, since another one may help.
    async fn download(
        &self,
        model: &Model,
        source: &Source,
        path: &Path,
        sink: &dyn ProgressSink,
    ) -> Result<Result<(), SourceError>, FetchError> {
        let part = Part::open(path).await.map_err(|source| in_file(path, source))?;
        self.check_room(model, model.size.saturating_sub(part.length()))
            .await?;
        let token = self.token_for(source);
        match Download::new(model, source, token, sink).complete(part).await {
            Ok(()) => Ok(Ok(())),
            Err(DownloadError::Source(error)) => {
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

/// Looks at what is of no catalogue before it gets its name. What is no model is removed.
async fn check(model: &Model, part: &Path, file: &Path) -> Result<(), FetchError> {
    if model.origin.is_none() {
        return Ok(());
    }
    let checked = GgufFacts::read_for(part, file).and_then(|facts| facts.check(file));
    if checked.is_err() {
        tokio::fs::remove_file(part)
            .await
            .map_err(|source| in_file(part, source))?;
    }
    Ok(checked?)
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

pub(super) fn in_file(path: &Path, source: io::Error) -> FetchError {
    FetchError::Write {
        path: path.to_owned(),
        source,
    }
}
