//! What a part of the daemon is.

use std::fmt::Debug;

use futures_util::future::BoxFuture;
use loquat_settings::LeftOut;
use loquat_settings::brought::Brought;
use tokio::sync::watch;

use super::command::Command;
use super::{Context, Finding, Ground};

/// When a part is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Before the first turn, whose events it hears, also where one question is answered without a daemon.
    WithTheEvents,
    /// When all that answers stands, and the microphone was tried: it lets others in.
    Last,
    /// When systemd was told that everything stands: it shows how the device fares.
    WithTheStatus,
}

/// A part that was started.
#[derive(Debug, Default)]
pub struct Running {
    /// What it tells of itself in the status line, where it is started before there is one.
    pub status: Option<watch::Receiver<String>>,
}

/// A part of the daemon: a crate of its own, and a line in the daemon's table of parts.
pub trait Part: Debug + Send + Sync {
    /// Declares the tables of `loquat.toml` that are read for it, with their defaults.
    fn tables(&self) -> Vec<Brought>;

    /// Says at which point of the daemon's start it is started.
    fn starts(&self) -> Start;

    /// Starts its tasks, where the settings want it. What it needs of other parts is in the context, and what it gives to those
    /// that are started later goes there.
    fn start(&self, context: &mut Context) -> Running;

    /// Tells for `loquat check` how it is, whether the daemon runs or not.
    fn check<'a>(&'a self, ground: &'a Ground) -> BoxFuture<'a, Vec<Finding>>;

    /// Tells whether [`check`](Self::check) asks little enough to be asked from the page beside a daemon that
    /// runs.
    fn is_checked_beside_the_daemon(&self) -> bool {
        false
    }

    /// Lists the commands that it brings to `loquat`.
    fn commands(&self) -> Vec<&dyn Command> {
        Vec::new()
    }

    /// Names the table that nothing reads, where this stands in the place of a part that the program was
    /// built without.
    fn left_out(&self) -> Option<LeftOut> {
        None
    }
}
