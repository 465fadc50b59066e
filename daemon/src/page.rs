//! The page: what a person sees and does with a browser. Rendered here, kept up to date by events, and reached by those only
//! whom the device's owner lets in.
//!
//! Everything shown comes from the stream of events, the bus, the journal and small questions to the parts that own it;
//! nothing is decided here that the desk or the gate decides.

mod check;
mod clock;
mod conversation;
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
mod personas;
mod session;
mod settings;
mod shell;
mod sound;
mod timers;
mod tools;
mod turns;
mod veil;
mod work;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use loquat_bus::Bus;
use loquat_failure::with_causes;
use loquat_skills::Resources;
use loquat_speech::EarHandle;
use secrecy::SecretString;
use tokio::sync::{Semaphore, broadcast, watch};

use self::conversation::Conversation;
use self::door::Door;
pub use self::door::{Address, DoorError, address};
use self::entry::Password;
use self::guard::Submission;
use self::listener::Listener;
use self::live::Change;
pub use self::log_tail::LogTail;
use self::mcp::Mcp;
use self::metrics::Metrics;
use self::models::Fetches;
use self::own_address::OwnAddress;
use self::session::{Notice, Session, Sessions};
use self::tools::consent::Questions;
use self::turns::Turns;
use self::work::Work;
use crate::app::{Reloading, Standing};
use crate::desk::Forgetter;
use crate::ear::EarNews;
use crate::events::Hub;
use crate::mind::Mind;
use crate::models_in_use::ModelsInUse;
use crate::orders::Orders;
use crate::owners_word::PAGE;
use crate::preferences::Wishes;
use crate::settings::{Environment, LoadOptions, Secret, Settings};
use crate::supervisor::Supervisor;

/// Changes that a slow browser may be behind; it gets the whole view again when it is further.
const CHANGES: usize = 1024;

/// Views that are kept up to date at once.
const MOST_WATCHERS: usize = 32;

/// What the page is made of.
#[derive(Debug)]
pub struct Parts {
    /// The bus, to be listened to, and by which goes out what the owner types: as it is the daemon's own client, no other
    /// client can have sent it.
    pub bus: Bus,
    /// A client of its own, by which all other orders go out.
    pub client: Bus,
    /// What turns report to.
    pub hub: Hub,
    /// Who answers.
    pub mind: Arc<Mind>,
    /// What toolboxes share.
    pub resources: Resources,
    /// Reads settings and personas again.
    pub reloading: Reloading,
    /// The models in use.
    pub models: ModelsInUse,
    /// The settings with which the daemon began.
    pub settings: Settings,
    /// The environment they were read from.
    pub environment: Environment,
    /// What the command line says about settings.
    pub options: LoadOptions,
    /// The status line.
    pub status: watch::Receiver<String>,
    /// Whether the device hears.
    pub ear_news: watch::Receiver<EarNews>,
    /// What it understands while it listens; empty where that is nothing.
    pub half_heard: watch::Receiver<String>,
    /// The ear, where there is one.
    pub ear: Option<EarHandle>,
    /// The end of the log.
    pub log: LogTail,
    /// The device's language.
    pub lang: String,
    /// The way to have settings changed.
    pub wishes: Wishes,
    /// The way to have the device's own conversation forgotten.
    pub forgetter: Forgetter,
}

/// What all views share.
#[derive(Debug)]
struct PageState {
    bus: Bus,
    mind: Arc<Mind>,
    resources: Resources,
    models_in_use: ModelsInUse,
    /// The language model, which may be another than at the start.
    standing: watch::Receiver<Standing>,
    settings: Settings,
    environment: Environment,
    options: LoadOptions,
    status: watch::Receiver<String>,
    ear_news: watch::Receiver<EarNews>,
    half_heard: watch::Receiver<String>,
    ear: Option<EarHandle>,
    log: LogTail,
    orders: Orders,
    own: OwnAddress,
    metrics_token: Option<SecretString>,
    mcp: Option<Mcp>,
    /// How long a yes is waited for.
    patience: Duration,
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
    wishes: Wishes,
    forgetter: Forgetter,
}

impl PageState {
    fn new(parts: Parts, own: OwnAddress) -> Self {
        let settings = &parts.settings;
        let mcp_token = token(settings, settings.page.mcp_token.as_deref(), &parts.environment);
        let client = parts.client;
        Self {
            mcp: mcp_token.map(|token| Mcp::new((settings, client.clone()), &own, token)),
            standing: parts.reloading.standing(),
            orders: Orders::new(PAGE, client, parts.reloading, &parts.lang).of_the_owner(parts.bus.clone()),
            metrics_token: token(
                settings,
                settings.page.metrics_token.as_deref(),
                &parts.environment,
            ),
            patience: Duration::from_secs(settings.desk.consent_seconds.into()),
            password: Password::new(settings.page.password.clone()),
            bus: parts.bus,
            mind: parts.mind,
            resources: parts.resources,
            models_in_use: parts.models,
            settings: parts.settings,
            environment: parts.environment,
            options: parts.options,
            status: parts.status,
            ear_news: parts.ear_news,
            half_heard: parts.half_heard,
            ear: parts.ear,
            log: parts.log,
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
            wishes: parts.wishes,
            forgetter: parts.forgetter,
        }
    }

    /// Tells open views of a change.
    fn tell(&self, change: Change) {
        // That no view is open is no fault.
        drop(self.changes.send(change));
    }
}

/// The first line of a file of the settings, where one is named and can be read.
fn token(
    settings: &Settings,
    file: Option<&std::path::Path>,
    environment: &Environment,
) -> Option<SecretString> {
    let secret = Secret::File(environment.expand_home(file?));
    let fetched = secret.fetch(&settings.folders);
    fetched
        .inspect_err(|error| tracing::warn!(error = with_causes(error), "a token of the page cannot be read"))
        .ok()
}

/// Serves the page. One that cannot be served stops nothing else.
pub async fn start(supervisor: &Supervisor, parts: Parts) {
    let listener = match Listener::open(&parts.settings.page).await {
        Ok(listener) => listener,
        Err(error) => {
            tracing::warn!("the page is not served: failed to {}", with_causes(&error));
            return;
        }
    };
    let door = Door::open(&parts.settings.folders.runtime);
    let own = OwnAddress::new(&parts.settings.page, listener.address);
    let (hub, bus) = (parts.hub.clone(), parts.bus.clone());
    let page = Arc::new(PageState::new(parts, own));
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
        .route("/settings", get(settings::view).post(settings::change))
        .route("/settings/network", post(settings::change_network))
        .route("/conversation/forget", post(settings::forget))
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
