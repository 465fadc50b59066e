//! Arithmetic as people and small models write it: parsed to a tree, then evaluated.
//!
//! Text is bounded in length and depth, so that neither step can take long or use up the stack.

mod function;
mod node;
mod parser;
mod span;
#[cfg(test)]
mod tests;
mod token;
mod wish;

pub(super) use node::Node;
pub(super) use parser::{parse_equation, parse_wish};
pub(super) use wish::{Outcome, Wish};
