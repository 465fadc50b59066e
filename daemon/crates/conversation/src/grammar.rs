//! The port for understanding plain sentences without a brain: which calls a sentence asks for. Runs no call.

use std::fmt::Debug;

use futures_util::future::BoxFuture;

use crate::intended::IntendedCall;

/// Understands the device's own sentences.
pub trait Grammar: Debug + Send + Sync {
    /// Gives what a whole sentence asks for, perhaps behind the one before, with the times and numbers that the person said.
    /// The call is indirect where these leave doubt. There is none for what is no sentence of the device, and for a sentence that lacks
    /// something. Whether the person said what else it holds is for others to judge. Cancel safe: nothing is done.
    fn understood<'a>(&'a self, sentence: &'a str, said: &'a str) -> BoxFuture<'a, Option<IntendedCall>>;
}
