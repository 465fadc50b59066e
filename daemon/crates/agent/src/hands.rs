//! Runs the calls of a step: reading ones at once, others in order; each with a deadline, each with one observation.

pub(crate) mod extras;
pub(crate) mod foreign_names;
pub(crate) mod foreign_text;
pub(crate) mod guard;
pub(crate) mod observation;
pub(crate) mod run;
