//! The table of the parts that are crates of their own, in the order in which they are started. Knows none of their work.

use loquat_desktop::DesktopPart;
use loquat_hive_part::HivePart;
use loquat_page::PagePart;
use loquat_part::{Context, Part, Start};
use loquat_telemetry::TelemetryPart;
use loquat_workers_part::WorkersPart;
use loquat_wyoming::WyomingPart;

/// All of them.
pub(crate) static PARTS: &[&dyn Part] = &[
    &TelemetryPart,
    &WorkersPart,
    &WyomingPart,
    &HivePart,
    &PagePart,
    &DesktopPart,
];

/// Starts those whose time it is.
pub(crate) fn start(now: Start, context: &Context) {
    for part in PARTS.iter().filter(|part| part.starts() == now) {
        part.start(context);
    }
}
