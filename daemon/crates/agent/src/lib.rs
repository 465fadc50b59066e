//! The mind: one utterance in, one answer and one reason out.

pub mod brain;
pub mod event;
pub mod record;
pub mod toolbox;
pub mod turn;
