//! Telemetry as a part of the daemon.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_part::{Context, Finding, Ground, Part, Running, Start, Verdict};
use loquat_settings::brought::Brought;

use super::exporter::{follow, probe, queue, send};
use super::settings::Telemetry;

/// Telemetry, as the table of parts knows it.
#[derive(Debug)]
pub struct TelemetryPart;

impl Part for TelemetryPart {
    fn tables(&self) -> Vec<Brought> {
        vec![Brought::of::<Telemetry>()]
    }

    fn starts(&self) -> Start {
        Start::WithTheEvents
    }

    /// Starts the spans of what turns tell. Their end waits for the back, so that the last turn's are sent
    /// too.
    fn start(&self, context: &mut Context) -> Running {
        let settings = context.ground.table::<Telemetry>();
        let Some(endpoint) = &settings.endpoint else {
            return Running::default();
        };
        let (spans, finished) = queue();
        let (supervisor, back) = (&context.supervisor, &context.supervisor.back);
        let follow = follow(settings.content, context.hub.subscribe(), spans, back.token());
        supervisor.spawn(back, "spans", follow);
        let send = send(endpoint.traces(), finished, back.token());
        supervisor.spawn_optional(back, "telemetry", send);
        Running::default()
    }

    /// Tells whether the collector takes spans, by sending it none.
    fn check<'a>(&'a self, ground: &'a Ground) -> BoxFuture<'a, Vec<Finding>> {
        async move {
            let settings = ground.table::<Telemetry>();
            let Some(endpoint) = &settings.endpoint else {
                return vec![Finding::ok("telemetry", "off")];
            };
            vec![match probe(endpoint).await {
                Ok(()) => Finding::ok("telemetry", format!("{} takes spans", endpoint.traces())),
                Err(why) => Finding::bad(
                    "telemetry",
                    Verdict::Missing,
                    format!("{} takes no spans: {why}", endpoint.traces()),
                    "start the collector, or correct telemetry.endpoint; spans are dropped meanwhile",
                ),
            }]
        }
        .boxed()
    }

    fn is_checked_beside_the_daemon(&self) -> bool {
        true
    }
}
