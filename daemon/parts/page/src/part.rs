//! The page as a part of the daemon.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_connections::http_door::HttpDoor;
use loquat_part::command::Command;
use loquat_part::reload::Reload;
use loquat_part::{Context, Finding, Ground, Introduction, Part, Running, Start, StatusLine};
use loquat_settings::brought::Brought;

use super::command::PageCommand;
use super::device::Device;
use super::page_state::Given;
use super::server::serve;
use super::settings::Page;

/// The part.
#[derive(Debug)]
pub struct PagePart;

impl Part for PagePart {
    fn tables(&self) -> Vec<Brought> {
        vec![Brought::judged::<Page>(|settings| {
            Some(("page.address", settings.complaint()?))
        })]
    }

    fn starts(&self) -> Start {
        Start::WithTheStatus
    }

    /// Serves the page, where the settings have a port for it.
    fn start(&self, context: &mut Context) -> Running {
        let settings = context.ground.table::<Page>();
        if settings.port == 0 {
            return Running::default();
        }
        let (Some(device), Some(reload), Some(introduction), Some(StatusLine(status))) = (
            context.offered::<Device>(),
            context.offered::<Arc<dyn Reload>>(),
            context.offered::<Introduction>(),
            context.offered::<StatusLine>(),
        ) else {
            return Running::default();
        };
        let given = Given {
            settings,
            ground: context.ground.clone(),
            bus: context.bus.clone(),
            client: context.another_client(),
            hub: context.hub.clone(),
            device: device.clone(),
            mcp: context.offered::<Arc<dyn HttpDoor>>().cloned(),
            reload: Arc::clone(reload),
            status: status.clone(),
            lang: introduction.lang.clone(),
        };
        serve(&context.supervisor, given);
        Running::default()
    }

    fn commands(&self) -> Vec<&dyn Command> {
        vec![&PageCommand]
    }

    /// Finds nothing, since how the page fares is seen on it.
    fn check<'a>(&'a self, _: &'a Ground) -> BoxFuture<'a, Vec<Finding>> {
        async { Vec::new() }.boxed()
    }
}
