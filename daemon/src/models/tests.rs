//! Fetching against a hub on the loopback interface and packages in a folder.

mod catalogue;
mod fetching;
mod hub;
mod packages;
mod store;
