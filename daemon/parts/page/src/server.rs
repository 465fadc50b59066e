//! The page's listener, what answers there, and the tasks behind it. Knows nothing of what a view shows.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use loquat_failure::with_causes;
use loquat_part::supervisor::Supervisor;

use super::answer::refused;
use super::door::Door;
use super::listener::Listener;
use super::own_address::OwnAddress;
use super::page_state::{Given, PageState};
use super::{conversation, entry, guard, metrics, readers, views};

/// Serves the page. One that cannot be served stops nothing else.
pub(super) fn serve(supervisor: &Supervisor, given: Given) {
    let listener = match Listener::open(&given.settings) {
        Ok(listener) => listener,
        Err(error) => {
            tracing::warn!("the page is not served: failed to {}", with_causes(&error));
            return;
        }
    };
    let door = Door::open(&given.ground.folders.runtime);
    let own = OwnAddress::new(&given.settings, listener.address);
    let (hub, bus) = (given.hub.clone(), given.bus.clone());
    let page = Arc::new(PageState::new(given, own));
    tracing::info!(
        address = page.own.root(),
        "the page is served; loquat page opens it"
    );
    let front = &supervisor.front;
    let (turns, counted) = (hub.subscribe(), hub.subscribe());
    let heard = bus.subscribe(metrics::topics());
    let frames = bus.subscribe(conversation::topics());
    let own = || Arc::clone(&page);
    supervisor.spawn_optional(front, "page turns", readers::turns(own(), turns, front.token()));
    let (counter, ending) = (own(), front.token());
    supervisor.spawn_optional(front, "page metrics", async move {
        counter.metrics.follow(counted, heard, ending).await;
    });
    let conversation = readers::conversation(own(), frames, front.token());
    supervisor.spawn_optional(front, "page conversation", conversation);
    supervisor.spawn_optional(front, "page answering", readers::answering(own(), front.token()));
    supervisor.spawn_optional(
        front,
        "page half heard",
        readers::half_heard(own(), front.token()),
    );
    supervisor.spawn_optional(front, "page alerts", readers::alerts(own(), front.token()));
    supervisor.spawn_optional(front, "page log", readers::log(own(), front.token()));
    let (worker, ending) = (own(), front.token());
    supervisor.spawn_optional(front, "page work", async move { worker.work.run(ending).await });
    match door {
        Ok(door) => supervisor.spawn_optional(front, "page door", door.run(own(), front.token())),
        Err(error) => {
            tracing::warn!(%error, "failed to open the socket by which loquat page reaches the page");
        }
    }
    let served = listener.run(router(page), front.token());
    supervisor.spawn_optional(front, "page", served);
}

fn router(page: Arc<PageState>) -> Router {
    views::routes()
        .route("/metrics", get(figures))
        .route("/mcp", any(mcp))
        .route("/enter", get(entry::knock).post(entry::enter))
        .route("/leave", post(entry::leave))
        .fallback(async || (StatusCode::NOT_FOUND, "There is no such page."))
        .layer(from_fn_with_state(Arc::clone(&page), guard::guard))
        .with_state(page)
}

/// Answers Prometheus.
async fn figures(State(page): State<Arc<PageState>>) -> Response {
    const FORM: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(CONTENT_TYPE, FORM)], page.metrics.text(&page.bus)).into_response()
}

/// Answers MCP clients.
async fn mcp(State(page): State<Arc<PageState>>, request: Request) -> Response {
    match &page.mcp {
        Some(mcp) => mcp.answer(request).await,
        None => refused(
            StatusCode::NOT_FOUND,
            "MCP is not served here; page.mcp_token opens it.",
        ),
    }
}
