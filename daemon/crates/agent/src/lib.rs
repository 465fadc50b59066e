//! The mind: one utterance in, one answer and one reason out.

pub mod brain;
pub mod engine;
pub mod event;
pub mod gate;
pub mod record;
mod speakable;
pub mod toolbox;
pub mod turn;

pub use speakable::speakable;
pub use turn::answer;
