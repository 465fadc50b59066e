//! Fetching against a hub on the loopback interface and mirrors in a folder.

mod any_model;
mod catalogue;
mod fetching;
mod hub;
mod model_hub;
mod packs;
mod store;
