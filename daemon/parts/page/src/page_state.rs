//! What all views share: the device, what is kept of what happens, and the browsers that have entered. Shows none of it.

use std::path::Path;
use std::sync::Arc;

use loquat_bus::Bus;
use loquat_connections::http_door::HttpDoor;
use loquat_failure::with_causes;
use loquat_part::Ground;
use loquat_part::events::Hub;
use loquat_part::orders::Orders;
use loquat_part::owners_word::PAGE;
use loquat_part::reload::{Reload, Standing};
use loquat_settings::Secret;
use secrecy::SecretString;
use tokio::sync::{Mutex, Semaphore, broadcast, watch};

use super::change::Change;
use super::conversation::Conversation;
use super::device::Device;
use super::fetches::Fetches;
use super::first_visit::FirstVisit;
use super::kept_alerts::KeptAlerts;
use super::mcp::Mcp;
use super::metrics::Metrics;
use super::own_address::OwnAddress;
use super::password::Password;
use super::questions::Questions;
use super::session::Sessions;
use super::settings::Page;
use super::turns::Turns;
use super::work::Work;

/// Changes that a slow browser may be behind; it gets the whole view again when it is further.
const CHANGES: usize = 1024;

/// Views that are kept up to date at once.
const MOST_WATCHERS: usize = 32;

/// What the page is made of.
pub(super) struct Given {
    pub(super) settings: Arc<Page>,
    pub(super) ground: Ground,
    /// The bus, to be listened to, and by which goes out what the owner types: as it is the daemon's own client, no other
    /// client can have sent it.
    pub(super) bus: Bus,
    /// A client of its own, by which all other orders go out.
    pub(super) client: Bus,
    pub(super) hub: Hub,
    pub(super) device: Device,
    /// The door for MCP clients; absent where this program has none.
    pub(super) mcp: Option<Arc<dyn HttpDoor>>,
    pub(super) reload: Arc<dyn Reload>,
    pub(super) status: watch::Receiver<String>,
    /// The device speaks this language.
    pub(super) lang: String,
}

/// What all views share.
#[derive(Debug)]
pub(super) struct PageState {
    pub(super) bus: Bus,
    /// Turns tell there of their answers while these are written, for as long as a view follows them.
    pub(super) hub: Hub,
    pub(super) device: Device,
    pub(super) ground: Ground,
    /// The language model, which may be another than at the start.
    pub(super) standing: watch::Receiver<Standing>,
    pub(super) status: watch::Receiver<String>,
    pub(super) orders: Orders,
    pub(super) own: OwnAddress,
    pub(super) metrics_token: Option<SecretString>,
    pub(super) mcp: Option<Mcp>,
    pub(super) password: Password,
    pub(super) sessions: Sessions,
    pub(super) conversation: Conversation,
    pub(super) turns: Turns,
    pub(super) questions: Questions,
    pub(super) fetches: Fetches,
    pub(super) alerts: KeptAlerts,
    pub(super) first_visit: FirstVisit,
    pub(super) metrics: Metrics,
    pub(super) work: Work,
    /// Held while one is made, so that no number of searches takes the device away from who speaks.
    pub(super) searching: Mutex<()>,
    pub(super) changes: broadcast::Sender<Change>,
    pub(super) watchers: Arc<Semaphore>,
}

impl PageState {
    pub(super) fn new(given: Given, own: OwnAddress) -> Self {
        let (settings, ground) = (&given.settings, &given.ground);
        let administration = Arc::clone(&given.device.administration);
        let first_visit = FirstVisit::new(&ground.folders.state, administration);
        let mcp_token = token(settings.mcp_token.as_deref(), ground);
        let changes = broadcast::Sender::new(CHANGES);
        let views = changes.clone();
        given.hub.body().grow(move || views.receiver_count() > 0);
        Self {
            mcp: mcp_token.map(|token| Mcp::new(given.mcp.as_deref(), &own, token)),
            standing: given.reload.standing(),
            orders: Orders::new(PAGE, given.client, given.reload, &given.lang)
                .of_the_owner(given.bus.clone()),
            metrics_token: token(settings.metrics_token.as_deref(), ground),
            password: Password::new(settings.password.clone()),
            bus: given.bus,
            hub: given.hub,
            device: given.device,
            ground: given.ground,
            status: given.status,
            own,
            sessions: Sessions::default(),
            conversation: Conversation::default(),
            turns: Turns::default(),
            questions: Questions::default(),
            fetches: Fetches::default(),
            alerts: KeptAlerts::default(),
            first_visit,
            metrics: Metrics::new(),
            work: Work::default(),
            searching: Mutex::default(),
            changes,
            watchers: Arc::new(Semaphore::new(MOST_WATCHERS)),
        }
    }

    /// Gives the path of the view that a browser sees first.
    pub(super) async fn first_view(&self) -> &'static str {
        if self.first_visit.is_due().await {
            "/setup"
        } else {
            "/"
        }
    }

    /// Tells open views of these changes.
    pub(super) fn tell_all(&self, changes: Vec<Change>) {
        for change in changes {
            self.tell(change);
        }
    }

    /// Tells open views of a change.
    pub(super) fn tell(&self, change: Change) {
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
