//! Spans of turns for a collector of OpenTelemetry, where the settings name one: a reader of the one stream of events.
//!
//! What a collector that is away does not take is dropped; no turn waits for it. Holds no word of a person unless the
//! settings say so.

mod exporter;
mod otlp;
mod part;
pub mod settings;
mod spans;
#[cfg(test)]
mod tests;

pub use self::part::TelemetryPart;
