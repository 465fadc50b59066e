//! The skills that keep what people tell them: lists, and facts to remember. What is kept is in the records.

pub mod lists;
pub mod memory;
