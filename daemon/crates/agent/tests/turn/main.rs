//! Drives whole turns through the ports: a scripted brain and scripted toolboxes, paused time, one test a promise.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "the helpers of a test fail by panicking, like the test itself"
)]

mod arriving;
mod brain;
mod budget;
mod calls;
mod consent;
mod context;
mod doubt;
mod ends;
mod engines;
mod extras;
mod fitting;
mod gate;
mod intent;
mod journal;
mod languages;
mod lasting;
mod many_tools;
mod observations;
mod one_call;
mod protocols;
mod resolving;
mod strangers;
mod streaming;
mod support;
mod taint;
mod telling;
mod tools;
mod undoing;
mod unsaid;
mod unsure;
