//! `loquat`: reads the command line, starts the runtime and turns the outcome into an exit code.

use std::process::ExitCode;

use clap::Parser;
use loquat::cli::{self, Arguments, Exit, Output};
use loquat::settings::Environment;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // clap knows whether this is help for standard output or a complaint.
            drop(error.print());
            let asked = !error.use_stderr();
            return if asked { Exit::Ok } else { Exit::Usage }.into();
        }
    };
    let output = Output::new(arguments.json);
    let outcome = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(cli::run(arguments, Environment::from_process())),
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
