//! The life of one server: reached, greeted, asked for its tools, called, and begun anew after it has failed.
//!
//! One task owns it, its calls and its process. The toolbox only hands calls to that task.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, Outcome, Tool, ToolError, Toolbox};
use loquat_failure::Backoff;
use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::connection::{Caller, Connection};
use super::lines::{self, PassedOver};
use super::listing::{self, Listed};
use super::reply;
use super::rules::ServerRules;
use super::secrets::Secrets;
use super::updates::Updates;
use loquat_kit::records::{Change, Records};

/// The records of the tools that were allowed as they were.
pub const ALLOWED: &str = "mcp_tool";

/// Calls that wait for the task; the caller of one more waits.
const WAITING: usize = 16;

/// Calls at once; one more is answered with an error.
const CALLS_AT_ONCE: usize = 8;

/// How long a failed server is left alone.
const PAUSES: Backoff = Backoff::doubling(Duration::from_secs(1), Duration::from_secs(300));

/// One that has run so long has not failed in a row.
const STEADY: Duration = Duration::from_secs(60);

/// A server that says again and again that its tools have changed is asked no more often.
const BETWEEN_LISTS: Duration = Duration::from_secs(1);

/// How a server is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Condition {
    /// It was not reached yet.
    #[default]
    Starting,
    /// It can be used.
    Up {
        /// Its tools, and whether each asks first.
        tools: Vec<(String, bool)>,
        /// What there is to know: tools that changed, that are missing, that are too large.
        remarks: Vec<String>,
    },
    /// It cannot be used for now, for this reason.
    Down(String),
}

/// A server, as a toolbox.
#[derive(Debug)]
pub struct Server {
    rules: ServerRules,
    id: String,
    records: Arc<dyn Records>,
    condition: watch::Sender<Condition>,
    /// Changes whenever the condition of any server does.
    changes: watch::Sender<u64>,
    offered: Mutex<(Arc<[Tool]>, Vec<Listed>)>,
    orders: mpsc::Sender<Order>,
    /// The task takes it.
    taken: Mutex<Option<mpsc::Receiver<Order>>>,
    passed_over: PassedOver,
    updates: Updates,
}

/// A call on its way to the task.
#[derive(Debug)]
struct Order {
    listed: Listed,
    arguments: Map<String, Value>,
    who: Circumstances,
    answer: oneshot::Sender<Result<Outcome, ToolError>>,
}

impl Server {
    /// A server that has not begun.
    pub(crate) fn new(rules: ServerRules, records: Arc<dyn Records>, changes: watch::Sender<u64>) -> Self {
        let (orders, taken) = mpsc::channel(WAITING);
        Self {
            id: rules.toolbox_id(),
            rules,
            records,
            condition: watch::Sender::default(),
            changes,
            offered: Mutex::new((Arc::new([]), Vec::new())),
            orders,
            taken: Mutex::new(Some(taken)),
            passed_over: PassedOver::default(),
            updates: Updates::default(),
        }
    }

    /// Tells there what the server says of resources.
    #[must_use]
    pub(super) fn telling(self, updates: Updates) -> Self {
        Self { updates, ..self }
    }

    /// What its owner says of it.
    pub fn rules(&self) -> &ServerRules {
        &self.rules
    }

    /// How it is, from now on.
    pub fn condition(&self) -> watch::Receiver<Condition> {
        self.condition.subscribe()
    }

    /// What it wrote to its standard output beside messages, in words; nothing where that was nothing.
    pub fn passed_over(&self) -> Option<String> {
        lines::told(self.passed_over.count())
    }

    /// Lives until cancelled. A second task of one server ends at once.
    pub(super) async fn run(&self, cancel: CancellationToken) {
        let Some(mut orders) = self.taken.lock().take() else {
            return;
        };
        let mut failures = 0;
        loop {
            let (began, passed_over) = (Instant::now(), self.passed_over.count());
            let opening = Connection::open(&self.rules, &self.passed_over, &self.updates);
            let why = match cancel.run_until_cancelled(opening).await {
                None => return,
                Some(Ok(connection)) => match self.serve(connection, &mut orders, &cancel).await {
                    None => return,
                    Some(why) => why,
                },
                Some(Err(error)) => match lines::told(self.passed_over.count() - passed_over) {
                    Some(told) => format!("{error}; {told}"),
                    None => error.to_string(),
                },
            };
            self.is_down(&why);
            failures = if began.elapsed() > STEADY { 0 } else { failures };
            let pause = sleep(PAUSES.after(failures));
            failures += 1;
            let refuse = async {
                while let Some(order) = orders.recv().await {
                    drop(order.answer.send(Err(self.unreachable())));
                }
            };
            tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                () = pause => {}
                () = refuse => return,
            }
        }
    }

    fn is_down(&self, why: &str) {
        let why = Secrets::of(&self.rules.way).masked(why);
        tracing::warn!(server = self.rules.name, why, "an MCP server is not there");
        *self.offered.lock() = (Arc::new([]), Vec::new());
        self.set(Condition::Down(why));
    }

    fn set(&self, condition: Condition) {
        self.condition.send_replace(condition);
        self.changes.send_modify(|count| *count += 1);
    }

    fn unreachable(&self) -> ToolError {
        let why = match &*self.condition.borrow() {
            Condition::Down(why) => why.clone(),
            _ => "it is starting".to_owned(),
        };
        ToolError::reply(
            "ConnectionError",
            format!("the server {} is not there: {why}", self.rules.name),
        )
    }

    /// Serves one connection to its end: why it ended, or nothing where we end. The process is ended in any case.
    async fn serve(
        &self,
        mut connection: Connection,
        orders: &mut mpsc::Receiver<Order>,
        cancel: &CancellationToken,
    ) -> Option<String> {
        let mut calls = JoinSet::new();
        let ended = self.converse(&mut connection, orders, &mut calls, cancel).await;
        calls.shutdown().await;
        connection.end().await;
        while let Ok(order) = orders.try_recv() {
            drop(order.answer.send(Err(self.unreachable())));
        }
        ended
    }

    async fn converse(
        &self,
        connection: &mut Connection,
        orders: &mut mpsc::Receiver<Order>,
        calls: &mut JoinSet<()>,
        cancel: &CancellationToken,
    ) -> Option<String> {
        let caller = connection.caller();
        let greeting = async {
            self.list(connection, &[]).await?;
            let untold = connection.follow(&self.rules).await;
            self.remark(&untold);
            Ok(untold)
        };
        let untold = match cancel.run_until_cancelled(greeting).await {
            None => return None,
            Some(Err(why)) => return Some(why),
            Some(Ok(untold)) => untold,
        };
        let (changes, mut is_stale) = (connection.changes(), false);
        let mut listed_at = Instant::now();
        loop {
            // As long as the tools are others than those that were read, none is called.
            let wish = tokio::select! {
                biased;
                () = cancel.cancelled() => return None,
                why = connection.gone() => return Some(why),
                () = changes.notified(), if !is_stale => {
                    is_stale = true;
                    continue;
                }
                () = sleep_until(listed_at + BETWEEN_LISTS), if is_stale => None,
                Some(_) = calls.join_next() => continue,
                order = orders.recv(), if !is_stale => Some(order?),
            };
            let Some(order) = wish else {
                match cancel.run_until_cancelled(self.list(connection, &untold)).await {
                    None => return None,
                    Some(Err(why)) => return Some(why),
                    Some(Ok(())) => (listed_at, is_stale) = (Instant::now(), false),
                }
                continue;
            };
            self.begin(order, &caller, calls);
        }
    }

    fn begin(&self, order: Order, caller: &Caller, calls: &mut JoinSet<()>) {
        if calls.len() >= CALLS_AT_ONCE {
            let busy = ToolError::reply(
                "BusyError",
                "too many calls of this server at once; try again later",
            );
            drop(order.answer.send(Err(busy)));
            return;
        }
        let (caller, server, limit) = (caller.clone(), self.rules.name.clone(), self.rules.call);
        calls.spawn(async move {
            let Order {
                listed,
                arguments,
                who,
                mut answer,
            } = order;
            let (progress, cancel) = (who.progress.clone(), who.cancel.clone());
            let running = caller.questions.running(who);
            // The time of a call stands still while the person is asked, which happens once at most.
            let over = async {
                sleep(limit).await;
                while running.asking.is_open() {
                    sleep(BETWEEN_LISTS).await;
                }
            };
            let unwanted = async {
                tokio::select! {
                    () = cancel.cancelled() => {}
                    () = answer.closed() => {}
                    () = over => return ToolError::timed_out(limit),
                }
                ToolError::reply("InterruptedError", "the call was stopped")
            };
            let result = caller
                .call(&server, listed.name.clone(), arguments, progress, unwanted)
                .await;
            let outcome = result.and_then(|result| reply::outcome(&listed, result));
            drop(answer.send(outcome));
        });
    }

    /// Reads the list of tools, and offers what comes of it, with what there is to know beside that.
    async fn list(&self, connection: &Connection, untold: &[String]) -> Result<(), String> {
        let tools = connection
            .tools(self.rules.start)
            .await
            .map_err(|error| error.to_string())?;
        let allowed = self.allowed().await;
        let (rules, known) = (self.rules.clone(), allowed.clone());
        let read = tokio::task::spawn_blocking(move || listing::read(&rules, &tools, &known)).await;
        let mut listing = read.map_err(|_| "what it offers cannot be read; see the log".to_owned())?;
        listing.remarks.extend_from_slice(untold);
        let new = listing
            .tools
            .iter()
            .filter(|listed| !allowed.contains_key(&listed.name));
        let new =
            new.map(|listed| Change::write(ALLOWED, self.record_of(&listed.name), json!(listed.fingerprint)));
        let new: Vec<Change> = new.collect();
        if !new.is_empty() && self.records.change(new).await.is_err() {
            return Err("what it offers cannot be kept, so that a change would not be seen".to_owned());
        }
        self.offer(listing);
        Ok(())
    }

    /// Adds to what there is to know of it.
    fn remark(&self, untold: &[String]) {
        let mut condition = self.condition.borrow().clone();
        if let Condition::Up { remarks, .. } = &mut condition
            && !untold.is_empty()
        {
            for remark in untold {
                tracing::warn!(server = self.rules.name, "{remark}");
            }
            remarks.extend_from_slice(untold);
            self.set(condition);
        }
    }

    fn offer(&self, listing: listing::Listing) {
        let changed = listing.tools.iter().filter(|listed| listed.has_changed);
        let changed = changed.map(|listed| {
            format!(
                "{} is not as it was when it was allowed; it asks each time until you run: loquat mcp accept {}",
                listed.name, self.rules.name
            )
        });
        let remarks: Vec<String> = changed.chain(listing.remarks).collect();
        let asks = |listed: &Listed| listed.tool.confirm != loquat_agent::toolbox::Confirm::Never;
        let tools = listing
            .tools
            .iter()
            .map(|listed| (listed.name.clone(), asks(listed)));
        let condition = Condition::Up {
            tools: tools.collect(),
            remarks,
        };
        let list: Arc<[Tool]> = listing.tools.iter().map(|listed| listed.tool.clone()).collect();
        {
            let mut offered = self.offered.lock();
            // Turns share a list as long as it is the same.
            if offered.1 != listing.tools {
                *offered = (list, listing.tools);
            }
        }
        if *self.condition.borrow() != condition {
            if let Condition::Up { tools, remarks } = &condition {
                tracing::info!(
                    server = self.rules.name,
                    tools = tools.len(),
                    "an MCP server is there"
                );
                for remark in remarks {
                    tracing::warn!(server = self.rules.name, "{remark}");
                }
            }
            self.set(condition);
        }
    }

    /// The fingerprints of the tools as they were allowed.
    async fn allowed(&self) -> BTreeMap<String, String> {
        let beginning = self.record_of("");
        let records = self.records.all(ALLOWED).await.unwrap_or_default();
        let own = records.into_iter().filter_map(|(id, value)| {
            let name = id.strip_prefix(&beginning)?.to_owned();
            Some((name, value.as_str()?.to_owned()))
        });
        own.collect()
    }

    fn record_of(&self, tool: &str) -> String {
        format!("{}/{tool}", self.rules.name)
    }

    async fn ask(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        circumstances: &Circumstances,
    ) -> Result<Outcome, ToolError> {
        let listed = {
            let offered = self.offered.lock();
            offered.1.iter().find(|listed| listed.tool.name == name).cloned()
        };
        let Some(listed) = listed else {
            if !matches!(&*self.condition.borrow(), Condition::Up { .. }) {
                return Err(self.unreachable());
            }
            let message = format!(
                "the server {} has no '{name}' as it was offered any more",
                self.rules.name
            );
            return Err(ToolError::reply("LookupError", message));
        };
        let (answer, outcome) = oneshot::channel();
        let order = Order {
            listed,
            arguments,
            who: circumstances.clone(),
            answer,
        };
        let sent = timeout(self.rules.call, self.orders.send(order)).await;
        if !matches!(sent, Ok(Ok(()))) {
            return Err(self.unreachable());
        }
        outcome.await.unwrap_or_else(|_| {
            let message = format!(
                "the server {} ended meanwhile, and it is not known whether this was done",
                self.rules.name
            );
            Err(ToolError::reply("ConnectionError", message))
        })
    }
}

impl Toolbox for Server {
    fn id(&self) -> &str {
        &self.id
    }

    fn tools(&self) -> Arc<[Tool]> {
        Arc::clone(&self.offered.lock().0)
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        self.ask(name, arguments, circumstances).boxed()
    }
}
