//! The skills that ask servers outside of the device: weather, searching and reading the web, and works of reference.
//!
//! All of them go out by `net`, which is closed until the owner has allowed the service.

pub mod knowledge;
mod lookup;
mod net;
mod reference;
pub mod weather;
pub mod web;
pub mod wikidata;
pub mod wikipedia;
pub mod wiktionary;

pub use lookup::{Lookup, lookup, lookup_ids};
