//! The mind: one utterance in, one answer and one reason out.

pub mod brain;
mod budget;
mod catalogue;
pub mod consent;
mod context;
pub mod decoder;
pub mod engine;
pub mod event;
mod form;
pub mod gate;
mod hands;
pub mod journal;
mod protocol;
mod question;
pub mod record;
pub mod reflection;
pub mod result;
mod speakable;
mod standing;
mod stop;
pub mod toolbox;
pub mod turn;

pub use speakable::speakable;
pub use turn::answer;
