//! The command line: what people type and what they are shown.

mod arguments;
mod ask;
mod bus;
mod check;
mod listen;
mod models;
mod output;
mod personas;
mod question;
mod replay;
mod run;
mod tools;

use anyhow::Result;

pub use self::arguments::{Addressee, Arguments, Ask, Command, Listen, Models, Replay, Tools};
pub use self::output::{Exit, Output};
use crate::settings::{Environment, LoadOptions, Settings};

/// What every command gets.
#[derive(Debug)]
pub struct Context {
    /// The settings.
    pub settings: Settings,
    /// The environment they were read from.
    pub environment: Environment,
    /// Where to write.
    pub output: Output,
}

/// Runs a command.
pub async fn run(arguments: Arguments, environment: Environment) -> Result<Exit> {
    let Arguments {
        json,
        overrides,
        command,
    } = arguments;
    let output = Output::new(json);
    let options = LoadOptions {
        overrides,
        ..LoadOptions::default()
    };
    if matches!(command, Command::Check) {
        return check::run(&environment, &options, output).await;
    }
    let settings = match Settings::load(&environment, &options) {
        Ok(settings) => settings,
        Err(complaints) => {
            output.remark(complaints.to_string());
            return Ok(Exit::Settings);
        }
    };
    run::start_log(&settings, &command, output)?;
    for warning in &settings.warnings {
        tracing::warn!("{warning}");
    }
    let context = Context {
        settings,
        environment,
        output,
    };
    match command {
        Command::Run => run::run(context).await,
        Command::Bus => bus::run(&context).await,
        Command::Ask(ask) => ask::run(context, ask).await,
        Command::Listen(listen) => listen::run(context, listen).await,
        Command::Tools { command } => tools::run(context, command).await,
        Command::Personas => Ok(personas::run(&context)),
        Command::Models { command } => models::run(&context, command).await,
        Command::Replay(replay) => replay::run(&context, replay).await,
        Command::Check => Ok(Exit::Ok),
    }
}
