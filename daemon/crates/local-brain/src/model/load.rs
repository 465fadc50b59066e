//! Loads a model. Never leaves a person with less than one sentence about why it cannot be.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use loquat_kernels::Kernel;
use tokio_util::sync::CancellationToken;

use super::file::{self, FileError};
use super::window::BATCH;
use crate::telemetry;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Facts {
    /// The window has so many tokens.
    pub(crate) window: usize,
}

/// A model could not be loaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadError {
    /// The file is not what it should be.
    #[error("failed to load the model {}: {source}; fetch it with `loquat models` or name another file with --model", path.display())]
    File {
        path: PathBuf,
        #[source]
        source: FileError,
    },
    /// llama.cpp cannot use it.
    #[error("failed to load the model {}: {why}; fetch it again with `loquat models`, as it is cut short, damaged or of an unknown kind", path.display())]
    Content {
        path: PathBuf,
        /// llama.cpp says this of it.
        why: String,
    },
    /// There is no room for the window.
    #[error("failed to make a window of {tokens} tokens for the model {}: {why}; give a smaller --context", path.display())]
    Window {
        path: PathBuf,
        tokens: u32,
        /// llama.cpp says this of it.
        why: String,
    },
}

/// Loads the model at `path`, or nothing when it is told to stop meanwhile. Where the kernel copies the weights anyway, the
/// file is not mapped: its pages would stay in memory beside the copy.
pub(crate) fn model(
    backend: &LlamaBackend,
    path: &Path,
    kernel: Kernel,
    stop: &CancellationToken,
) -> Result<Option<LlamaModel>, LoadError> {
    file::check(path).map_err(|source| LoadError::File {
        path: path.to_owned(),
        source,
    })?;
    let stopped = stop.clone();
    let settings = LlamaModelParams::default()
        .with_use_mmap(!kernel.reorders_weights())
        .with_progress_callback(move |_| !stopped.is_cancelled());
    match LlamaModel::load_from_file(backend, path, &settings) {
        Ok(model) => Ok(Some(model)),
        Err(_) if stop.is_cancelled() => Ok(None),
        Err(error) => Err(LoadError::Content {
            path: path.to_owned(),
            why: telemetry::take_first_error().unwrap_or_else(|| error.to_string()),
        }),
    }
}

/// Makes a context of at most `tokens`, or of what the model was taught to use when that is less.
pub(crate) fn context<'model>(
    backend: &LlamaBackend,
    model: &'model LlamaModel,
    path: &Path,
    tokens: u32,
    threads: i32,
) -> Result<LlamaContext<'model>, LoadError> {
    let taught = model.n_ctx_train();
    if taught > 0 && taught < tokens {
        tracing::warn!(
            asked = tokens,
            taught,
            "the model knows no window as large as asked; its own is used"
        );
    }
    let size = if taught > 0 { tokens.min(taught) } else { tokens };
    let batch = u32::try_from(BATCH).unwrap_or(u32::MAX);
    let settings = LlamaContextParams::default()
        .with_n_ctx(NonZeroU32::new(size))
        .with_n_batch(batch)
        .with_n_ubatch(batch)
        .with_n_threads(threads)
        .with_n_threads_batch(threads)
        .with_no_perf(true);
    model
        .new_context(backend, settings)
        .map_err(|error| LoadError::Window {
            path: path.to_owned(),
            tokens: size,
            why: telemetry::take_first_error().unwrap_or_else(|| error.to_string()),
        })
}
