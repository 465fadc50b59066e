//! The skills that people try first: a coin, dice and a number by chance, the spelling of words, and what the device can do.
//! They keep nothing and ask no service.

pub mod chance;
pub mod help;
pub mod spelling;
