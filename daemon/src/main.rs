//! `loquat`: everything, each part behind a command.

use std::process::ExitCode;

use loquat::cli;

fn main() -> ExitCode {
    cli::program(cli::run)
}
