//! Our id on the bus. Here for all who name us there, whatever else they know.

/// Our id on the bus: skill, pipeline plugin and fallback handler.
pub const SKILL_ID: &str = "loquat";
