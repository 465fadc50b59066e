//! How a turn came out, for programs on the bus. Words nothing for a person.

use loquat_agent::record::Record;
use loquat_agent::result::TurnResult;
use loquat_wire::with;
use serde_json::Value;

use super::{Handler, ReadyPersona};

/// The result of a turn and who answered.
pub(super) fn reported(persona: &ReadyPersona, handler: &Handler, record: &Record) -> Value {
    // Nothing in it can fail to become JSON.
    let result = serde_json::to_value(TurnResult::from(record)).unwrap_or_default();
    let result = with(result, "persona_id", persona.id.as_str());
    let result = with(result, "engine", handler.engine.id);
    with(result, "max_allowed_iterations", handler.budget.max_iterations)
}
