//! What a part of the daemon is.

use std::fmt::Debug;

use futures_util::FutureExt;
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
    /// When all that answers stands: it is a way for the owner to speak or to be spoken to.
    WithTheSenses,
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
    /// Its tables of `loquat.toml`.
    fn tables(&self) -> Vec<Brought> {
        Vec::new()
    }

    /// Says at which point of the daemon's start it is started.
    fn starts(&self) -> Start;

    /// Starts its tasks, where the settings want it. What it needs of other parts is in the context, and what it gives to those
    /// that are started later goes there. The next part is started when the future has ended; it is never dropped before.
    fn start<'a>(&'a self, context: &'a mut Context) -> BoxFuture<'a, Running>;

    /// What `loquat check` tells of it by opening a device or asking a server, whether the daemon runs or not.
    fn check<'a>(&'a self, _ground: &'a Ground) -> BoxFuture<'a, Vec<Finding>> {
        std::future::ready(Vec::new()).boxed()
    }

    /// What `loquat check` tells of it, and the page of a daemon that runs, for which little is asked and nothing opened.
    fn check_beside_the_daemon<'a>(&'a self, _ground: &'a Ground) -> BoxFuture<'a, Vec<Finding>> {
        std::future::ready(Vec::new()).boxed()
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
