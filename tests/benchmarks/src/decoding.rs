//! Recorded calls, the grammars in which a model may write them, and the ways in which it gets those wrong.
//!
//! Everything here is written from what models do, never from the decoder. It judges nothing.

pub mod bfcl;
pub mod damage;
pub mod grammar;
pub mod prose;
pub mod spelling;

use serde_json::{Map, Value};

/// A call as it was meant.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
}
