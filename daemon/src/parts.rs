//! The table of the parts, in the order in which those are started whose time is the same. Knows none of their work.
//!
//! Parts that a feature of this crate brings may be left out; what stands in their place tells so.

#[cfg(not(all(
    feature = "hive",
    feature = "telemetry",
    feature = "workers",
    feature = "wyoming"
)))]
use loquat_part::absent::Absent;
use loquat_part::command::Command;
use loquat_part::{Context, Part, Running, Start};
use loquat_settings::LeftOut;

/// A part that is there with a feature of its name; else its place, with its table and its command.
macro_rules! part_of_feature {
    ($name:ident: $part:path, $feature:literal, $table:expr, $command:expr) => {
        #[cfg(feature = $feature)]
        static $name: $part = $part;
        #[cfg(not(feature = $feature))]
        static $name: Absent = Absent {
            feature: $feature,
            table: $table,
            command: $command,
        };
    };
}

part_of_feature!(HIVE: loquat_hive_part::HivePart, "hive", Some("hive"), Some("hive"));
part_of_feature!(TELEMETRY: loquat_telemetry::TelemetryPart, "telemetry", Some("telemetry"), None);
part_of_feature!(WORKERS: loquat_workers_part::WorkersPart, "workers", Some("workers"), Some("worker"));
part_of_feature!(WYOMING: loquat_wyoming::WyomingPart, "wyoming", Some("wyoming"), None);

static PARTS: &[&dyn Part] = &[
    &TELEMETRY,
    &WORKERS,
    // What it plays is taken out of what the next one hears.
    &loquat_voice::VoicePart,
    &loquat_hearing::HearingPart,
    &WYOMING,
    &HIVE,
    // It offers the page its door.
    #[cfg(feature = "mcp")]
    &loquat_mcp::McpPart,
    &loquat_page::PagePart,
    &loquat_desktop::DesktopPart,
    // Others can come in before a person reads that everything stands.
    &loquat_terminal::TerminalPart,
];

/// Lists all of them, in the order in which they are started.
pub(crate) fn all() -> impl Iterator<Item = &'static dyn Part> {
    PARTS.iter().copied()
}

/// Starts those whose time it is, one after the other.
pub(crate) async fn start(now: Start, context: &mut Context) -> Vec<Running> {
    let mut running = Vec::new();
    for part in all().filter(|part| part.starts() == now) {
        running.push(part.start(context).await);
    }
    running
}

/// Lists the commands that parts bring.
pub(crate) fn commands() -> impl Iterator<Item = &'static dyn Command> {
    all().flat_map(|part| part.commands())
}

/// Lists the tables of parts that this program was built without.
pub(crate) fn left_out() -> Vec<LeftOut> {
    all().filter_map(Part::left_out).collect()
}
