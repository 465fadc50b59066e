//! What the device says and understands by itself, in the languages that it knows: its sentences, what is a yes and what a no,
//! and the digits of a PIN. Decides nothing, and never looks at who speaks.

pub mod asides;
pub mod asking;
pub mod assent;
pub mod following;
mod phrases;
pub mod pin;
mod politeness;
mod topics;

pub use self::phrases::{BackgroundEnd, Phrases};
