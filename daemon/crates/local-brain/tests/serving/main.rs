//! Drives the real program with a real small model. `make test` names the folder of models in `LOQUAT_TEST_MODELS`.

#![cfg(test)]

mod ahead;
mod bad_models;
mod chat;
mod client;
mod confinement;
mod grammars;
mod kernels;
mod lifetime;
mod memory;
mod streams;
mod worker;
