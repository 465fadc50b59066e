//! The log of a command. What people say is in it at trace level only.

use anyhow::{Context as _, Result};
use tracing_subscriber::EnvFilter;

use super::{Command, Output};
use crate::settings::{LogFormat, Origin, Settings};

/// Starts the log on standard error. Beside a person at the terminal only trouble is logged, since the rest is shown.
pub(super) fn start(settings: &Settings, command: &Command, output: Output) -> Result<()> {
    let serves = matches!(command, Command::Run | Command::Bus);
    let shown_to_a_person = !serves || output.is_terminal();
    let usual = settings.origin_of("log.filter") == Origin::Default;
    let filter = if shown_to_a_person && usual {
        "error"
    } else {
        settings.log.filter.as_str()
    };
    let filter =
        EnvFilter::try_new(filter).with_context(|| format!("failed to understand log.filter '{filter}'"))?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    let started = match settings.log.format {
        LogFormat::Json => log.json().try_init(),
        LogFormat::Text => log.try_init(),
        LogFormat::Auto if output.is_terminal() => log.try_init(),
        // The journal has its own clock and colours.
        LogFormat::Auto => log.without_time().with_ansi(false).try_init(),
    };
    started.map_err(|error| anyhow::anyhow!("failed to start the log: {error}"))
}
