//! The page: what a person sees and does with a browser. Rendered here, kept up to date by events, and reached by those only
//! whom the device's owner lets in.
//!
//! Everything shown comes from the stream of events, the bus, the journal and small questions to the parts that own it;
//! nothing is decided here that the desk or the gate decides.

mod check;
mod clock;
mod command;
mod conversation;
pub mod device;
mod door;
mod entry;
mod entry_file;
mod guard;
mod half_heard;
mod listener;
mod lists;
mod live;
mod log;
mod log_tail;
mod mcp;
mod memory;
mod metrics;
mod models;
mod own_address;
mod part;
pub mod password;
mod personas;
mod session;
pub mod settings;
mod settings_view;
mod shell;
mod sound;
mod timers;
mod tools;
mod turns;
mod veil;
mod work;

use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use loquat_bus::Bus;
use loquat_connections::http_door::HttpDoor;
use loquat_failure::with_causes;
use loquat_part::Ground;
use loquat_part::events::Hub;
use loquat_part::orders::Orders;
use loquat_part::owners_word::PAGE;
use loquat_part::reload::{Reload, Standing};
use loquat_part::supervisor::Supervisor;
use loquat_settings::Secret;
use secrecy::SecretString;
use tokio::sync::{Semaphore, broadcast, watch};

use self::conversation::Conversation;
use self::device::Device;
use self::door::Door;
use self::entry::Password;
use self::guard::Submission;
use self::listener::Listener;
use self::live::Change;
pub use self::log_tail::LogTail;
use self::mcp::Mcp;
use self::metrics::Metrics;
use self::models::Fetches;
use self::own_address::OwnAddress;
pub use self::part::PagePart;
use self::session::{Notice, Session, Sessions};
use self::tools::consent::Questions;
use self::turns::Turns;
use self::work::Work;

/// Changes that a slow browser may be behind; it gets the whole view again when it is further.
const CHANGES: usize = 1024;

/// Views that are kept up to date at once.
const MOST_WATCHERS: usize = 32;

/// What the page is made of.
struct Given {
    settings: Arc<settings::Page>,
    ground: Ground,
    /// The bus, to be listened to, and by which goes out what the owner types: as it is the daemon's own client, no other
    /// client can have sent it.
    bus: Bus,
    /// A client of its own, by which all other orders go out.
    client: Bus,
    hub: Hub,
    device: Device,
    /// The door for MCP clients; absent where this program has none.
    mcp: Option<Arc<dyn HttpDoor>>,
    reload: Arc<dyn Reload>,
    /// The status line.
    status: watch::Receiver<String>,
    /// The device's language.
    lang: String,
}

/// What all views share.
#[derive(Debug)]
struct PageState {
    bus: Bus,
    device: Device,
    ground: Ground,
    /// The language model, which may be another than at the start.
    standing: watch::Receiver<Standing>,
    status: watch::Receiver<String>,
    orders: Orders,
    own: OwnAddress,
    metrics_token: Option<SecretString>,
    mcp: Option<Mcp>,
    password: Password,
    sessions: Sessions,
    conversation: Conversation,
    turns: Turns,
    questions: Questions,
    fetches: Fetches,
    metrics: Metrics,
    work: Work,
    changes: broadcast::Sender<Change>,
    watchers: Arc<Semaphore>,
}

impl PageState {
    fn new(given: Given, own: OwnAddress) -> Self {
        let (settings, ground) = (&given.settings, &given.ground);
        let mcp_token = token(settings.mcp_token.as_deref(), ground);
        Self {
            mcp: mcp_token.map(|token| Mcp::new(given.mcp.as_deref(), &own, token)),
            standing: given.reload.standing(),
            orders: Orders::new(PAGE, given.client, given.reload, &given.lang)
                .of_the_owner(given.bus.clone()),
            metrics_token: token(settings.metrics_token.as_deref(), ground),
            password: Password::new(settings.password.clone()),
            bus: given.bus,
            device: given.device,
            ground: given.ground,
            status: given.status,
            own,
            sessions: Sessions::default(),
            conversation: Conversation::default(),
            turns: Turns::default(),
            questions: Questions::default(),
            fetches: Fetches::default(),
            metrics: Metrics::new(),
            work: Work::default(),
            changes: broadcast::Sender::new(CHANGES),
            watchers: Arc::new(Semaphore::new(MOST_WATCHERS)),
        }
    }

    /// Tells open views of a change.
    fn tell(&self, change: Change) {
        // That no view is open is no fault.
        drop(self.changes.send(change));
    }
}

/// The first line of a file of the settings, where one is named and can be read.
fn token(file: Option<&Path>, ground: &Ground) -> Option<SecretString> {
    let secret = Secret::File(ground.environment.expand_home(file?));
    let fetched = secret.fetch(&ground.folders);
    fetched
        .inspect_err(|error| tracing::warn!(error = with_causes(error), "a token of the page cannot be read"))
        .ok()
}

/// Serves the page. One that cannot be served stops nothing else.
fn serve(supervisor: &Supervisor, given: Given) {
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
    let (turns, counted) = (
        hub.subscribe(),
        (hub.subscribe(), bus.subscribe(metrics::topics())),
    );
    let frames = bus.subscribe(conversation::topics());
    let own = || Arc::clone(&page);
    supervisor.spawn_optional(front, "page turns", turns::follow(own(), turns, front.token()));
    supervisor.spawn_optional(
        front,
        "page metrics",
        metrics::follow(own(), counted, front.token()),
    );
    supervisor.spawn_optional(
        front,
        "page conversation",
        conversation::follow(own(), frames, front.token()),
    );
    supervisor.spawn_optional(front, "page half heard", half_heard::follow(own(), front.token()));
    supervisor.spawn_optional(front, "page log", log::follow(own(), front.token()));
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
    Router::new()
        .route("/", get(conversation::view))
        .route("/ask", post(conversation::ask))
        .route("/listen", post(conversation::listen))
        .route("/stop", post(conversation::stop))
        .route("/turns", get(turns::view))
        .route("/turns/{id}", get(turns::one))
        .route("/turns/{id}/prompts/{step}", get(turns::prompt))
        .route("/tools", get(tools::view))
        .route("/tools/{toolbox}/{tool}", get(tools::one).post(tools::call))
        .route("/answer", post(tools::consent::answer))
        .route("/timers", get(timers::view))
        .route("/timers/remove", post(timers::remove))
        .route("/lists", get(lists::view))
        .route("/lists/remove", post(lists::remove))
        .route("/memory", get(memory::view))
        .route("/memory/forget", post(memory::forget))
        .route("/personas", get(personas::view))
        .route("/settings", get(settings_view::view).post(settings_view::change))
        .route("/settings/network", post(settings_view::change_network))
        .route("/conversation/forget", post(settings_view::forget))
        .route("/reload", post(personas::reload))
        .route("/models", get(models::view))
        .route("/models/fetch", post(models::fetch))
        .route("/models/stop", post(models::stop))
        .route("/sound", get(sound::view))
        .route("/say", post(sound::say))
        .route("/check", get(check::view))
        .route("/log", get(log::view))
        .route("/metrics", get(metrics::read))
        .route("/mcp", any(mcp::serve))
        .route("/live/{view}", get(live::live))
        .route("/reveal", post(reveal))
        .route("/enter", get(entry::knock).post(entry::enter))
        .route("/leave", post(entry::leave))
        .route("/assets/page.css", get(shell::style))
        .route("/assets/page.js", get(shell::script))
        .route("/assets/icon.svg", get(shell::icon))
        .fallback(async || (StatusCode::NOT_FOUND, "There is no such page."))
        .layer(from_fn_with_state(Arc::clone(&page), guard::guard))
        .with_state(page)
}

/// Shows what people said, or hides it.
async fn reveal(
    State(_): State<Arc<PageState>>,
    Extension(session): Extension<Arc<Session>>,
    Extension(sent): Extension<Submission>,
) -> Response {
    session.reveal(sent.get("shown") == Some("1"));
    see(sent.get("back").unwrap_or("/"))
}

/// Has the browser look at another view; anything but a path of ours becomes the first one.
fn see(path: &str) -> Response {
    let is_own = path.starts_with('/') && !path.starts_with("//") && !path.contains(['\\', '\r', '\n']);
    let path = if is_own { path } else { "/" };
    (StatusCode::SEE_OTHER, [(LOCATION, path.to_owned())]).into_response()
}

/// Has the browser look at a view, which tells what was done or why it was not.
fn answered(session: &Session, back: &str, done: Result<Option<String>, String>) -> Response {
    let (text, is_fault) = match done {
        Ok(None) => return see(back),
        Ok(Some(text)) => (text, false),
        Err(text) => (text, true),
    };
    session.note(Notice { text, is_fault });
    see(back)
}
