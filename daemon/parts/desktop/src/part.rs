//! The desktop as a part of the daemon.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_part::reload::Reload;
use loquat_part::{Context, Introduction, Part, Running, Start, StatusLine};
use loquat_settings::brought::Brought;

use super::desktop::Desktop;
use super::place::Place;
use super::settings::Dbus;
use super::shown::Shown;

/// The part.
#[derive(Debug)]
pub struct DesktopPart;

impl Part for DesktopPart {
    fn tables(&self) -> Vec<Brought> {
        vec![Brought::of::<Dbus>()]
    }

    fn starts(&self) -> Start {
        Start::WithTheStatus
    }

    /// Offers the device to programs on D-Bus, where the settings and the machine have one.
    fn start<'a>(&'a self, context: &'a mut Context) -> BoxFuture<'a, Running> {
        async { start(context) }.boxed()
    }
}

fn start(context: &mut Context) -> Running {
    let (Some(introduction), Some(reload), Some(StatusLine(status))) = (
        context.offered::<Introduction>(),
        context.offered::<Arc<dyn Reload>>(),
        context.offered::<StatusLine>(),
    ) else {
        return Running::default();
    };
    let interface = context.ground.table::<Dbus>().interface;
    let Some(place) = Place::choose(interface, &context.ground.environment) else {
        return Running::default();
    };
    let shown = Shown {
        status: status.clone(),
        settings: reload.standing(),
        personas: Arc::clone(&introduction.personas),
    };
    let (client, hub) = (context.another_client(), context.hub.clone());
    let desktop = Desktop::new(place, client, hub, shown, Arc::clone(reload), &introduction.lang);
    let front = &context.supervisor.front;
    context
        .supervisor
        .spawn_optional(front, "desktop", desktop.run(front.token()));
    Running::default()
}
