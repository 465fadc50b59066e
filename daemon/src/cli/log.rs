//! The log of a command. What people say is in it at trace level only, and never a control character: a log is read on
//! a terminal, and what strangers send is in it.

use std::io::{self, Write};

use anyhow::{Context as _, Result};
use loquat_agent::printable::printable;
use loquat_page::LogTail;
use tracing::{Level, Metadata};
use tracing_subscriber::filter::{LevelFilter, filter_fn};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Registry, fmt};

use super::{Command, Output, Typed};
use crate::events;
use crate::settings::{Environment, LogFormat, Origin, Settings};

/// What the fields of the journal begin with, as in `LOQUAT_TURN`.
const FIELDS: &str = "LOQUAT";

/// Starts the log on standard error, and keeps its end. Beside a person at the terminal only trouble is logged, since the
/// rest is shown.
pub(super) fn start(
    settings: &Settings,
    environment: &Environment,
    command: &Typed,
    output: Output,
) -> Result<LogTail> {
    let serves = match command {
        Typed::Own(own) => matches!(own, Command::Run | Command::Bus),
        Typed::OfPart(of_part) => of_part.serves(),
    };
    let shown_to_a_person = !serves || output.is_terminal();
    let usual = settings.origin_of("log.filter") == Origin::Default;
    let shown = if shown_to_a_person && usual {
        "error"
    } else {
        settings.log.filter.as_str()
    };
    let log = fmt::layer()
        .with_ansi(false)
        .with_writer(|| Printable(io::stderr()));
    let journal = matches!(settings.log.format, LogFormat::Auto) && goes_to_journal(environment);
    let journal = journal.then(tracing_journald::layer).and_then(io::Result::ok);
    let has_fields = journal.is_some();
    let log: Box<dyn Layer<Registry> + Send + Sync> = match settings.log.format {
        // The journal shows a message without its fields, which is enough of a turn and not of a fault.
        LogFormat::Auto if has_fields => fmt::layer()
            .with_ansi(false)
            .without_time()
            .with_writer(ToJournal)
            .with_filter(filter_fn(|event| !is_of_a_turn(event)))
            .boxed(),
        LogFormat::Json => log.json().boxed(),
        LogFormat::Text => log.boxed(),
        LogFormat::Auto if output.is_terminal() => log.boxed(),
        // The journal has its own clock.
        LogFormat::Auto => log.without_time().boxed(),
    };
    let fields = journal.map(|journal| {
        let journal = journal
            .with_field_prefix(Some(FIELDS.to_owned()))
            .with_syslog_identifier("loquat".to_owned());
        journal.with_filter(filter_fn(is_of_a_turn))
    });
    let fields_filter = filter(settings, shown)?;
    let tail = LogTail::default();
    let kept = tail.clone();
    // What people say is logged at trace, and is nothing for a page.
    let end = fmt::layer()
        .with_ansi(false)
        .with_target(false)
        .with_writer(move || kept.clone())
        .with_filter(filter(settings, &settings.log.filter)?)
        .with_filter(LevelFilter::DEBUG);
    let end = matches!(command, Typed::Own(Command::Run)).then_some(end);
    let started = Registry::default()
        .with(log.with_filter(filter(settings, shown)?))
        .with(fields.with_filter(fields_filter))
        .with(end)
        .try_init();
    started.map_err(|error| anyhow::anyhow!("failed to start the log: {error}"))?;
    Ok(tail)
}

/// Tells whether an event tells of a turn, by which it can be found in the journal.
fn is_of_a_turn(event: &Metadata<'_>) -> bool {
    event.target() == events::LOG_TARGET
}

/// Writes lines that the journal reads the level of.
struct ToJournal;

impl<'a> MakeWriter<'a> for ToJournal {
    type Writer = Levelled;

    fn make_writer(&'a self) -> Levelled {
        Levelled("<6>")
    }

    fn make_writer_for(&'a self, event: &Metadata<'_>) -> Levelled {
        Levelled(match *event.level() {
            Level::ERROR => "<3>",
            Level::WARN => "<4>",
            Level::INFO => "<6>",
            _ => "<7>",
        })
    }
}

/// A line for the journal, behind its level.
struct Levelled(&'static str);

impl Write for Levelled {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let levelled = format!("{}{}", self.0, printable(&text));
        io::stderr().write_all(levelled.as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Tells whether standard error is the journal, which then takes fields and not only lines.
fn goes_to_journal(environment: &Environment) -> bool {
    let Some(named) = environment.variable("JOURNAL_STREAM") else {
        return false;
    };
    let Ok(stderr) = rustix::fs::fstat(io::stderr()) else {
        return false;
    };
    named == format!("{}:{}", stderr.st_dev, stderr.st_ino)
}

fn filter(settings: &Settings, directives: &str) -> Result<EnvFilter> {
    let filter = EnvFilter::try_new(of_all_crates(directives))
        .with_context(|| format!("failed to understand log.filter '{directives}'"))?;
    // One complains of each connection that we have ended, and what the other does is told by us in a sentence. What the
    // third logs are the words of MCP servers, which may give back their token.
    let mut filter = filter;
    for library in ["pulseaudio", "async_nats", "rmcp"] {
        if !settings.log.filter.contains(library) {
            filter = filter.add_directive(format!("{library}=off").parse()?);
        }
    }
    Ok(filter)
}

/// The crates in which what was a room of this one may stand.
const CRATES_WITH_ROOMS: [&str; 8] = [
    "loquat_desk",
    "loquat_hearing",
    "loquat_mind",
    "loquat_part",
    "loquat_settings",
    "loquat_connections",
    "loquat_transcription",
    "loquat_voice",
];

/// Completes the directives: those for a room of this crate also count for the crate that it is by now, or in
/// which it stands.
fn of_all_crates(directives: &str) -> String {
    let rooms = directives
        .split(',')
        .filter_map(|directive| directive.trim().strip_prefix("loquat::"));
    let crates = rooms.flat_map(|room| {
        let inside = CRATES_WITH_ROOMS.map(|within| format!("{within}::{room}"));
        std::iter::once(format!("loquat_{room}")).chain(inside)
    });
    let all: Vec<String> = std::iter::once(directives.to_owned()).chain(crates).collect();
    all.join(",")
}

/// Passes lines on without control characters. It is given whole lines at once.
struct Printable<To>(To);

impl<To: Write> Write for Printable<To> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        self.0.write_all(printable(&text).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_is_logged_wherever_it_stands() {
        let all = of_all_crates("info,loquat::state=debug");
        assert!(
            all.starts_with("info,loquat::state=debug,loquat_state=debug,")
                && all.contains(",loquat_part::state=debug"),
            "{all}"
        );
        let all = of_all_crates("loquat::recordings=debug");
        assert!(all.contains(",loquat_transcription::recordings=debug"), "{all}");
        assert_eq!(of_all_crates("warn"), "warn");
    }

    #[test]
    fn a_line_of_the_log_orders_no_terminal_about() {
        let mut log = Printable(Vec::new());
        writeln!(log, "tool \u{1b}]0;owned\u{7} failed").unwrap();
        assert_eq!(log.0, b"tool ]0;owned failed\n");
    }
}
