//! The port for understanding plain sentences without a brain: which calls a sentence asks for. Runs no call.

use std::fmt::Debug;

use futures_util::future::BoxFuture;

use crate::intended::IntendedCall;

/// Understands the device's own sentences.
pub trait Grammar: Debug + Send + Sync {
    /// Gives what a whole sentence asks for, perhaps behind the one before; nothing where it is no sentence of the device. Whether the
    /// person said what it holds is for others to judge. Cancel safe: nothing is done.
    fn understood<'a>(&'a self, sentence: &'a str) -> BoxFuture<'a, Option<IntendedCall>>;
}
