//! `ovos-clock-tools`: date and time here and elsewhere.

use crate::function::FunctionToolbox;

/// The toolbox's id.
pub const ID: &str = "ovos-clock-tools";

/// The toolbox on the system's clock.
pub fn toolbox() -> FunctionToolbox {
    FunctionToolbox::new(ID, Vec::new())
}
