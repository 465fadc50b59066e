//! The way to a Home Assistant: one websocket that is opened again whenever it is lost, what is known of the home
//! meanwhile, and calls with their answers.
//!
//! States come by subscription and names by the registries. All is bounded: the size of a message, the calls that wait, how
//! long anything is waited for. Decides nothing about what is called.

use std::time::Duration;

use parking_lot::{Mutex, RwLock};
use serde_json::{Map, Value, json};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::timeout;

use super::guard::Guard;
use super::house::House;
use super::settings::HomeSettings;

/// Calls that wait to be sent; one more is refused, so that a flood costs its sender.
const WAITING: usize = 32;

/// The longest that an answer is waited for. A lock takes seconds before Home Assistant answers.
const PATIENCE: Duration = Duration::from_secs(10);

/// A person who speaks while the connection is being made waits for it so long.
const TO_CONNECT: Duration = Duration::from_secs(2);

/// How things stand with the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// It is being connected to.
    Connecting,
    /// It answers; whether the token is an administrator's.
    Ready {
        /// Such a token may do everything.
        is_admin: bool,
    },
    /// It cannot be reached, and why.
    Unreachable(String),
    /// The token is not accepted, or there is none, and why.
    Refused(String),
}

/// Why a call came to nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HomeFault {
    /// There is no connection.
    #[error(
        "failed to reach Home Assistant at {url}: {why}; see that it runs and that home_assistant.url is right"
    )]
    Unreachable { url: String, why: String },
    /// The token is wrong.
    #[error(
        "failed to sign in to Home Assistant: {why}; make a new long-lived token there and put it where \
         home_assistant.token_file or home_assistant.token_credential says"
    )]
    Refused { why: String },
    /// No answer came in time.
    #[error("Home Assistant did not answer within {} seconds", PATIENCE.as_secs())]
    Silent,
    /// The connection ended before the answer.
    #[error("the connection to Home Assistant ended before it answered; whether it was done is not known")]
    Lost,
    /// Too many calls at once.
    #[error("too many calls wait for Home Assistant")]
    Busy,
    #[error("Home Assistant says: {message} ({code})")]
    Failed { code: String, message: String },
}

/// A command, and where its answer goes.
pub(super) struct Order {
    pub(super) command: Map<String, Value>,
    pub(super) answer: oneshot::Sender<Result<Value, HomeFault>>,
}

/// A Home Assistant and what is known of its home.
pub struct HomeAssistant {
    pub(super) settings: HomeSettings,
    pub(super) guard: Guard,
    /// Read recursively only: of two reads within each other the second would wait for a change that waits for the first.
    pub(super) house: RwLock<House>,
    pub(super) condition: watch::Sender<Condition>,
    /// Counts what has been taken in, so that a change can be waited for.
    pub(super) changes: watch::Sender<u64>,
    pub(super) orders: mpsc::Sender<Order>,
    /// Taken by the task that serves them.
    pub(super) inbox: Mutex<Option<mpsc::Receiver<Order>>>,
}

impl std::fmt::Debug for HomeAssistant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HomeAssistant")
            .field("url", &self.settings.url)
            .finish_non_exhaustive()
    }
}

impl HomeAssistant {
    /// Nothing is connected to before [`run`](Self::run).
    pub fn new(settings: HomeSettings) -> Self {
        let (orders, inbox) = mpsc::channel(WAITING);
        Self {
            guard: Guard {
                asks: settings.asks.clone(),
                unasked: settings.unasked.clone(),
            },
            house: RwLock::new(House::taking_in(&settings.also)),
            settings,
            condition: watch::channel(Condition::Connecting).0,
            changes: watch::channel(0).0,
            orders,
            inbox: Mutex::new(Some(inbox)),
        }
    }

    /// What is wrong now.
    pub(crate) fn fault(&self) -> HomeFault {
        match &*self.condition.borrow() {
            Condition::Refused(why) => HomeFault::Refused { why: why.clone() },
            Condition::Unreachable(why) => self.unreachable(why),
            Condition::Connecting | Condition::Ready { .. } => self.unreachable("it is not connected yet"),
        }
    }

    fn unreachable(&self, why: &str) -> HomeFault {
        HomeFault::Unreachable {
            url: self.settings.url.clone(),
            why: why.to_owned(),
        }
    }

    /// How things stand with the server.
    pub fn condition(&self) -> watch::Receiver<Condition> {
        self.condition.subscribe()
    }

    /// Whether anything is known of the home.
    pub(crate) fn is_known(&self) -> bool {
        !self.house.read_recursive().entities.is_empty()
    }

    /// The names of the home's things and rooms, as far as a conversation may see them.
    pub fn names(&self) -> Vec<String> {
        let house = self.house.read_recursive();
        let things = house.exposed().flat_map(|entity| entity.names.iter());
        let rooms = house.areas.iter().flat_map(|area| area.names.iter());
        things.chain(rooms).cloned().collect()
    }

    /// Whether it answers now.
    pub(crate) fn is_ready(&self) -> bool {
        matches!(*self.condition.borrow(), Condition::Ready { .. })
    }

    /// Waits a moment for a connection that is being made; an error where there is none.
    pub(crate) async fn ready(&self) -> Result<(), HomeFault> {
        let mut condition = self.condition.subscribe();
        let settled = condition.wait_for(|condition| *condition != Condition::Connecting);
        let settled = timeout(TO_CONNECT, settled).await;
        match settled {
            Ok(Ok(condition)) if matches!(*condition, Condition::Ready { .. }) => Ok(()),
            _ => Err(self.fault()),
        }
    }

    /// Sends a command and waits for its answer.
    pub(crate) async fn ask(&self, command: Value) -> Result<Value, HomeFault> {
        let Value::Object(command) = command else {
            return Err(HomeFault::Busy);
        };
        let (answer, answered) = oneshot::channel();
        let order = Order { command, answer };
        self.orders.try_send(order).map_err(|_| HomeFault::Busy)?;
        match timeout(PATIENCE, answered).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(HomeFault::Lost),
            Err(_) => Err(HomeFault::Silent),
        }
    }

    /// Calls a service with these entities and no others.
    pub(crate) async fn call(
        &self,
        domain: &str,
        service: &str,
        data: &Map<String, Value>,
        entities: &[String],
    ) -> Result<Value, HomeFault> {
        let call = json!({
            "type": "call_service",
            "domain": domain,
            "service": service,
            "service_data": data,
            "target": {"entity_id": entities},
        });
        self.ask(call).await
    }
}
