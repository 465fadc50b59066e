//! Workers as a part of the daemon.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_part::{Context, Finding, Ground, Part, Start};
use loquat_settings::brought::Brought;

use super::{Workers, check, settings};

/// Workers, as the table of parts knows them.
#[derive(Debug)]
pub struct WorkersPart;

impl Part for WorkersPart {
    fn tables(&self) -> Vec<Brought> {
        vec![Brought::of::<settings::Workers>()]
    }

    fn starts(&self) -> Start {
        Start::WithTheEvents
    }

    /// Looks for workers where the settings name a server. The mind asks those that are offered here.
    fn start(&self, context: &Context) {
        if let Some(workers) = context.offered::<Arc<Workers>>() {
            let front = &context.supervisor.front;
            let task = Arc::clone(workers).run(front.token());
            context.supervisor.spawn(front, "workers", task);
        }
    }

    fn check<'a>(&'a self, ground: &'a Ground) -> BoxFuture<'a, Vec<Finding>> {
        check::findings(ground).boxed()
    }
}
