//! The port for understanding plain sentences without a brain: which calls a sentence asks for. Runs no call.

use std::fmt::Debug;

use futures_util::future::BoxFuture;

use crate::intended::IntendedCall;

/// Understands the device's own sentences.
pub trait Grammar: Debug + Send + Sync {
    /// Gives what a sentence asks for in which a brain has said again what the person wants; nothing where it is no sentence of the
    /// device, or holds what the person did not say. Cancel safe: nothing is done.
    fn understood<'a>(&'a self, sentence: &'a str) -> BoxFuture<'a, Option<IntendedCall>>;
}
