//! Fetching against a hub on the loopback interface and mirrors in a folder.

mod catalogue;
mod fetching;
mod hub;
mod packs;
mod store;
