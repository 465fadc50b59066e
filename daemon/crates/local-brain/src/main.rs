//! `loquat-local-brain`: serves one GGUF model with llama.cpp, in the OpenAI shape, on a Unix socket. It is a process of
//! its own, so that a model that runs out of memory takes nothing along. Never knows anything else of Loquat.
//!
//! On a small board a prompt of 1,500 tokens takes a minute to read, so nothing is read twice that can be kept: the
//! conversation in the window goes on where it was left, some earlier conversations lie beside it in memory, and the
//! instructions of personas are kept as files from one start to the next. Before its first thread the process gives up
//! all files but its model, its instructions and its socket.

mod arguments;
mod cores;
mod failure;
mod grammar;
mod lifetime;
mod model;
mod refusal;
mod request;
mod sandbox;
mod server;
mod socket;
mod telemetry;
mod text;

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use arguments::{Arguments, Asked};
use failure::Failure;
use lifetime::EndSignals;
use model::LoadError;
use sandbox::{Confinement, Needs};
use server::Service;
use socket::Socket;

/// Requests that may wait for the model beside the one at work; beyond it they are refused with Retry-After.
const QUEUE: usize = 8;

fn main() -> ExitCode {
    match Arguments::read(std::env::args_os()).and_then(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(asked: Asked) -> Result<(), Failure> {
    let arguments = match asked {
        Asked::Serve(arguments) => arguments,
        Asked::Print(text) => return Ok(std::io::stdout().write_all(text.as_bytes())?),
    };
    telemetry::start();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(serve(arguments))
}

/// Binds the socket, gives its rights up, loads the model, serves until the end of the parent or a signal, and waits for the model's thread.
async fn serve(arguments: Arguments) -> Result<(), Failure> {
    let stop = CancellationToken::new();
    let mut signals = EndSignals::listen()?;
    let socket = Socket::bind(&arguments.socket)?;
    let (threads, kernel, ahead) = (arguments.threads(), arguments.kernel(), arguments.ahead());
    // Before the first thread: each has the rights of the one that started it.
    let confinement = confine(&arguments)?;
    lifetime::watch_parent(stop.clone())?;
    let facts = Arc::new(OnceLock::new());
    // When it is full, requests are refused.
    let (jobs, queued) = mpsc::channel(QUEUE);
    let service = Service {
        model: model_name(&arguments),
        facts: Arc::clone(&facts),
        confinement,
        kernel,
        jobs,
        stop: stop.clone(),
    };
    let mut ended = model::start(model::Order {
        threads,
        kernel,
        model: arguments.model,
        context: arguments.context,
        ahead,
        earlier: arguments.earlier.into(),
        instructions: arguments.instructions,
        facts,
        jobs: queued,
        stop: stop.clone(),
    })?;
    let early = tokio::select! {
        end = &mut ended => Some(end),
        () = server::serve(socket.listener(), service) => None,
        () = signals.first() => None,
    };
    stop.cancel();
    outcome(match early {
        Some(end) => end,
        None => ended.await,
    })
}

/// Leaves this process with what it needs from here on.
fn confine(arguments: &Arguments) -> Result<Confinement, Failure> {
    let needs = Needs {
        model: &arguments.model,
        instructions: arguments
            .instructions
            .as_deref()
            .filter(|_| arguments.earlier > 0),
        socket_folder: arguments.socket.parent().unwrap_or(Path::new(".")),
        context: arguments.context,
    };
    let confinement = sandbox::enter(arguments.sandbox, &needs)?;
    tracing::info!(?confinement, "the rights that are not needed are given up");
    Ok(confinement)
}

/// The thread's last word; it says nothing when it panicked.
fn outcome(end: Result<Result<(), LoadError>, oneshot::error::RecvError>) -> Result<(), Failure> {
    match end {
        Ok(loaded) => Ok(loaded?),
        Err(_) => Err(Failure::ModelThread),
    }
}

fn model_name(arguments: &Arguments) -> String {
    let name = arguments.model.file_stem().unwrap_or(arguments.model.as_os_str());
    name.to_string_lossy().into_owned()
}
