//! `loquat-bus`: what `loquat bus` becomes. A program of its own, because of a large one the system keeps more in memory
//! than a bus is worth.

use std::process::ExitCode;

use loquat::cli;

fn main() -> ExitCode {
    cli::program(cli::run_bus)
}
