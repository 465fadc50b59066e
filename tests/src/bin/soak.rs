//! `make soak`: thousands of utterances against the real daemon, while the bus is started again, the daemon is killed, its
//! disk is full and its clock jumps. Ends with 1 when anything was lost, doubled or done twice, or memory grows.
//!
//! UTTERANCES, CALM, SESSIONS, KILLS, RESTARTS, DISK (0 or 1) and SEED change its size and its chances.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::process::ExitCode;

use anyhow::Result;
use loquat_tests::machine;
use loquat_tests::soak::{Plan, soak};

#[tokio::main]
async fn main() -> Result<ExitCode> {
    let plan = Plan::LONG.from_environment()?;
    println!("{}", machine::told());
    println!("{plan:?}");
    let report = soak(plan).await;
    println!("{report}");
    Ok(if report.is_green() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
