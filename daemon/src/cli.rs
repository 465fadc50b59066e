//! The command line: what people type and what they are shown.

mod allowed_tools;
mod arguments;
mod ask;
mod bus;
#[cfg(test)]
mod chapters;
mod check;
mod emergency_stop;
mod greeting;
mod listen;
mod log;
mod mcp;
mod memory;
mod models;
mod network;
mod of_part;
mod owners_request;
mod papers;
mod personas;
mod pin;
mod prompts;
mod reload;
mod replay;
mod run;
mod say;
mod sentences;
mod setup;
mod sound_cookie;
mod tools;

use std::io;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use loquat_page::LogTail;
pub use loquat_part::output::{Exit, Output, Style};

pub use self::arguments::{
    Arguments, Ask, Command, EmergencyStop, Listen, Mcp, Memories, Models, NetworkCommand, Prompts, Replay,
    Tools,
};
pub use self::of_part::{OfPart, Typed};
use crate::settings::{Environment, LoadOptions, Settings};

/// What every command gets.
#[derive(Debug)]
pub struct Context {
    /// The settings.
    pub settings: Settings,
    /// The environment they were read from.
    pub environment: Environment,
    /// What the command line says about settings.
    pub options: LoadOptions,
    /// Where to write.
    pub output: Output,
    /// The end of the log.
    pub log: LogTail,
}

/// The whole of a program: reads the command line, starts the runtime, and turns what comes out into an exit code.
pub fn program<Run>(run: impl FnOnce(Arguments, Environment) -> Run) -> ExitCode
where
    Run: Future<Output = Result<Exit>>,
{
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // clap knows whether this is help for standard output or a complaint.
            drop(error.print());
            let asked = !error.use_stderr();
            return if asked { Exit::Ok } else { Exit::Usage }.into();
        }
    };
    // Each client of the bus and each connection to a brain is an open file.
    loquat_bus::raise_descriptor_limit();
    crate::core_files::forbid();
    let output = Output::new(arguments.json);
    let outcome = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(run(arguments, Environment::from_process())),
        Err(error) => Err(error.into()),
    };
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) => {
            output.remark(format!("loquat: {error:#}"));
            Exit::Failed.into()
        }
    }
}

/// Runs a command.
pub async fn run(arguments: Arguments, environment: Environment) -> Result<Exit> {
    let output = Output::new(arguments.json);
    match &arguments.command {
        Typed::Own(Command::Check) => {
            return check::run(&environment, &options(arguments.overrides), output).await;
        }
        Typed::Own(Command::Papers { folder }) => return papers::run(folder, output),
        // The settings may be waiting for just this line.
        Typed::Own(Command::Pin) => return pin::run(output),
        Typed::Own(Command::Bus) => {
            let kept = bus::become_small();
            if kept.kind() != io::ErrorKind::NotFound {
                output.remark(format!("loquat: failed to become loquat-bus: {kept}"));
            }
        }
        Typed::Own(_) => {}
        Typed::OfPart(command) => {
            if let Some(done) = command.run_without_settings(output) {
                return done;
            }
        }
    }
    match prepare(arguments, environment)? {
        Ok((Typed::Own(command), context)) => Box::pin(obey(command, context)).await,
        Ok((Typed::OfPart(command), context)) => command.run(context).await,
        Err(exit) => Ok(exit),
    }
}

/// Does what was typed of ours.
async fn obey(command: Command, context: Context) -> Result<Exit> {
    match command {
        Command::Run => Box::pin(run::run(context)).await,
        Command::Bus => bus::run(&context).await,
        Command::Ask(ask) => Box::pin(ask::run(context, ask)).await,
        Command::Listen(listen) => Box::pin(listen::run(context, listen)).await,
        Command::Tools { command } => tools::run(context, command).await,
        Command::Personas => Ok(personas::run(&context)),
        Command::Prompts { command } => prompts::run(&context, command).await,
        Command::Models { command } => models::run(&context, command).await,
        Command::Memory { command } => memory::run(&context, command),
        Command::Network { command } => network::run(&context, command),
        Command::Mcp { command } => mcp::run(&context, command).await,
        Command::Setup => Box::pin(setup::run(context)).await,
        Command::Reload => reload::run(&context).await,
        Command::Sentences { words, lang } => Ok(sentences::run(&context, &words, lang.as_deref())),
        Command::Say { text } => say::run(&context, &text.join(" ")).await,
        Command::Replay(replay) => replay::run(&context, replay).await,
        Command::EmergencyStop { order } => emergency_stop::run(&context, order).await,
        Command::Check | Command::Pin | Command::Papers { .. } => Ok(Exit::Ok),
    }
}

/// Runs the bus, whatever the command: all that `loquat-bus` can do.
pub async fn run_bus(arguments: Arguments, environment: Environment) -> Result<Exit> {
    match prepare(arguments, environment)? {
        Ok((_, context)) => bus::run(&context).await,
        Err(exit) => Ok(exit),
    }
}

fn options(overrides: Vec<String>) -> LoadOptions {
    LoadOptions {
        overrides,
        ..LoadOptions::default()
    }
}

/// Reads the settings and starts the log; an exit code where the settings cannot be used.
fn prepare(arguments: Arguments, environment: Environment) -> Result<Result<(Typed, Context), Exit>> {
    let output = Output::new(arguments.json);
    let options = options(arguments.overrides);
    let settings = match Settings::load_or_recall(&environment, &options) {
        Ok(settings) => settings,
        Err(complaints) => {
            output.remark(complaints.to_string());
            return Ok(Err(Exit::Settings));
        }
    };
    if let Some(mistakes) = &settings.mistakes {
        output.remark(mistakes.to_string());
        output.remark("loquat: until that is mended, the settings count with which the daemon last ran well");
    }
    for left_out in &settings.left_out {
        output.remark(format!("loquat: {left_out}"));
    }
    let is_asked = matches!(arguments.command, Typed::Own(Command::Listen(_) | Command::Setup));
    let opens_microphone = is_asked || matches!(arguments.command, Typed::Own(Command::Run));
    let failed = opens_microphone.then(|| sound_cookie::provide(&settings, &environment, is_asked));
    let log = log::start(&settings, &environment, &arguments.command, output)?;
    if let Some(error) = failed.flatten() {
        tracing::warn!(%error, "failed to have a cookie for PulseAudio; a microphone of its may not open");
    }
    for warning in &settings.warnings {
        tracing::warn!("{warning}");
    }
    let context = Context {
        settings,
        environment,
        options,
        output,
        log,
    };
    Ok(Ok((arguments.command, context)))
}
