//! The one thread that owns the model: loads it, then answers one job after the other. Never runs on the event loop, and
//! ends when all senders of jobs are gone.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::LlamaModel;
use loquat_kernels::Kernel;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::generation::{Ahead, Ended, Speaker};
use super::instructions::Instructions;
use super::job::{Event, Job};
use super::kernel;
use super::load::{self, Facts, LoadError};
use super::prompt::{self, Prompt};
use super::reply::Reply;
use super::vocabulary::Vocabulary;
use super::window::Window;
use crate::grammar::Grammars;

/// llama.cpp splits text, and llguidance reads schemas, by calling itself; the usual 2 MiB are not enough.
const STACK_BYTES: usize = 64 << 20;

#[derive(Debug)]
pub(crate) struct Order {
    pub(crate) model: PathBuf,
    /// The window that is wanted, in tokens.
    pub(crate) context: u32,
    /// This many earlier conversations are kept.
    pub(crate) earlier: usize,
    /// The folder in which instructions are kept from one run to the next, if they are.
    pub(crate) instructions: Option<PathBuf>,
    pub(crate) kernel: Kernel,
    pub(crate) threads: i32,
    pub(crate) ahead: Ahead,
    /// Filled when the model is loaded.
    pub(crate) facts: Arc<OnceLock<Facts>>,
    pub(crate) jobs: mpsc::Receiver<Job>,
    /// Cancelled when loading is to be given up.
    pub(crate) stop: CancellationToken,
}

/// Starts the thread, which sends one word when it ends; nothing when it panics.
///
/// # Errors
/// When the system gives no thread. Needs a tokio runtime.
pub(crate) fn start(order: Order) -> std::io::Result<oneshot::Receiver<Result<(), LoadError>>> {
    let runtime = Handle::current();
    let (end, ended) = oneshot::channel();
    std::thread::Builder::new()
        .name("model".into())
        .stack_size(STACK_BYTES)
        .spawn(move || {
            // No request comes any more when the program is ending.
            end.send(order.carry_out(&runtime)).ok();
        })?;
    Ok(ended)
}

impl Order {
    fn carry_out(mut self, runtime: &Handle) -> Result<(), LoadError> {
        let began = tokio::time::Instant::now();
        kernel::put_to_use(self.kernel);
        let backend = LlamaBackend::init().map_err(|error| self.broken(error.to_string()))?;
        let Some(model) = load::model(&backend, &self.model, self.kernel, &self.stop)? else {
            return Ok(());
        };
        let model = Arc::new(model);
        // Beside the rest of the loading, which waits for the disk.
        let of = Arc::clone(&model);
        let grammars = runtime.spawn_blocking(move || Grammars::new(Vocabulary::of(of)));
        let prompt = Prompt::of(&model).map_err(|error| self.broken(error.to_string()))?;
        let context = load::context(&backend, &model, &self.model, self.context, self.threads)?;
        let mut window = Window::new(context, self.earlier);
        warm_up(&mut window, &model);
        let mut instructions = Instructions::new(self.instructions.take(), &self.model, self.earlier);
        instructions.recall(&mut window);
        let grammars = runtime
            .block_on(grammars)
            .map_err(|error| self.broken(error.to_string()))?
            .map_err(|error| self.broken(error.to_string()))?;
        let facts = Facts {
            window: window.size(),
        };
        let elapsed = began.elapsed();
        tracing::info!(model = %self.model.display(), window = facts.window, kernel = %self.kernel, ?elapsed, "the model is loaded");
        self.facts.get_or_init(|| facts);
        let speaker = Speaker {
            model: &model,
            prompt: &prompt,
            grammars: &grammars,
            ahead: self.ahead,
        };
        while let Some(job) = self.jobs.blocking_recv() {
            answer(speaker, &mut window, &mut instructions, &job, runtime);
        }
        Ok(())
    }

    fn broken(&self, why: String) -> LoadError {
        LoadError::Content {
            path: Path::to_owned(&self.model),
            why,
        }
    }
}

/// Reads one token, so that the file's pages and the buffers are there before the first question.
fn warm_up(window: &mut Window<'_>, model: &LlamaModel) {
    let tokens = prompt::tokens(model, " ");
    if let Some(first) = tokens.first() {
        if let Err(error) = window.read(&[*first], &[]) {
            tracing::warn!(%error, "the model failed to read a single token");
        }
    }
    window.forget_all();
}

fn answer(
    speaker: Speaker<'_>,
    window: &mut Window<'_>,
    instructions: &mut Instructions,
    job: &Job,
    runtime: &Handle,
) {
    let began = tokio::time::Instant::now();
    let reply = Reply::new(job, runtime);
    if reply.check().is_err() {
        return;
    }
    let event = match speaker.answer(window, instructions, &job.request, &reply) {
        Ok((finish, usage)) => {
            let elapsed = began.elapsed();
            tracing::debug!(?finish, ?usage, ?elapsed, "answered");
            Event::Finished(finish, usage)
        }
        Err(Ended::Refused(refusal)) => Event::Refused(refusal),
        Err(Ended::Gone) => {
            tracing::debug!("nobody waits for the reply any more");
            return;
        }
    };
    // A client that is gone by now needs no word.
    reply.send(event).ok();
}
