//! `ovos-math-tools`: expressions, units, statistics and equations.

use crate::function::FunctionToolbox;

/// The toolbox's id.
pub const ID: &str = "ovos-math-tools";

/// The toolbox.
pub fn toolbox() -> FunctionToolbox {
    FunctionToolbox::new(ID, Vec::new())
}
