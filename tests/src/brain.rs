//! A scripted model server in the OpenAI shape.
//!
//! Each path prefix is a lane with a script of its own, so that many personas share one server. It keeps every
//! request and polices the protocol: a request that a strict server would refuse fails the test.

mod reply;
mod request;
mod server;
mod stream;

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;
use tokio::task::JoinSet;

pub use self::reply::{Delivery, Gate, Reply};
pub use self::request::Request;
use crate::wait::within;

/// What is said when a script has run out.
const EXHAUSTED: &str = "SCRIPT EXHAUSTED";

/// The server; it goes away with this value.
#[derive(Debug)]
pub struct ScriptedBrain {
    address: SocketAddr,
    lanes: Arc<Lanes>,
    _tasks: JoinSet<()>,
}

/// The scripts and what came in.
#[derive(Debug)]
struct Lanes {
    by_name: Mutex<HashMap<String, Lane>>,
    /// Counts everything that changes: requests that came and requests that were given up.
    changes: watch::Sender<u64>,
}

/// A script that looks at the whole request.
struct Decision(Box<Decide>);

type Decide = dyn Fn(&Request) -> Option<Reply> + Send + Sync;

impl fmt::Debug for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Decision")
    }
}

#[derive(Debug, Default)]
struct Lane {
    decision: Option<Decision>,
    /// Requests are not kept, only what was wrong with them.
    is_forgetful: bool,
    complaints: Vec<String>,
    rules: Vec<(String, Reply)>,
    /// By how often the brain has spoken in the conversation.
    by_depth: Vec<(usize, Reply)>,
    replies: Vec<Reply>,
    next: usize,
    requests: Vec<Request>,
    given_up: usize,
}

/// A crowd of turns connects at once, more than the hundred that usually may wait to be let in.
fn listen() -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((Ipv4Addr::LOCALHOST, 0).into())?;
    socket.listen(4096)
}

impl ScriptedBrain {
    /// Starts on a free port of the loopback interface, within a runtime.
    pub fn start() -> Self {
        let listener = listen().expect("a loopback port is free");
        let address = listener.local_addr().expect("a bound socket has an address");
        let lanes = Arc::new(Lanes {
            by_name: Mutex::default(),
            changes: watch::channel(0).0,
        });
        let mut tasks = JoinSet::new();
        tasks.spawn(server::serve(listener, Arc::clone(&lanes)));
        Self {
            address,
            lanes,
            _tasks: tasks,
        }
    }

    /// Gives the `api_url` of a lane.
    pub fn url(&self, lane: &str) -> String {
        format!("http://{}/{lane}/v1", self.address)
    }

    /// Adds replies that are given in order.
    pub fn script(&self, lane: &str, replies: impl IntoIterator<Item = Reply>) {
        self.lanes
            .lock()
            .entry(lane.to_owned())
            .or_default()
            .replies
            .extend(replies);
    }

    /// What was added and not asked for yet is given no more.
    pub fn forget(&self, lane: &str) {
        let mut lanes = self.lanes.lock();
        let lane = lanes.entry(lane.to_owned()).or_default();
        lane.next = lane.replies.len();
    }

    /// Gives `reply` whenever the newest message contains `text`; goes before the replies in order.
    pub fn whenever(&self, lane: &str, text: &str, reply: Reply) {
        self.lanes
            .lock()
            .entry(lane.to_owned())
            .or_default()
            .rules
            .push((text.to_owned(), reply));
    }

    /// Gives `reply` whenever the brain has spoken `count` times in the conversation, so that conversations may run beside
    /// each other; goes before the replies in order.
    pub fn after(&self, lane: &str, count: usize, reply: Reply) {
        self.lanes
            .lock()
            .entry(lane.to_owned())
            .or_default()
            .by_depth
            .push((count, reply));
    }

    /// Asks `decide` first for every reply of a lane; where it gives none, the other scripts do.
    pub fn decides(&self, lane: &str, decide: impl Fn(&Request) -> Option<Reply> + Send + Sync + 'static) {
        self.lanes.lock().entry(lane.to_owned()).or_default().decision = Some(Decision(Box::new(decide)));
    }

    /// Gives what `wit` makes of each request; the requests are not kept, so that a lane may have any number of them.
    pub fn improvise(&self, lane: &str, wit: impl Fn(&Request) -> Reply + Send + Sync + 'static) {
        self.decides(lane, move |request| Some(wit(request)));
        self.lanes.lock().entry(lane.to_owned()).or_default().is_forgetful = true;
    }

    /// Lists all requests of a lane so far.
    pub fn requests(&self, lane: &str) -> Vec<Request> {
        self.lanes
            .lock()
            .get(lane)
            .map(|lane| lane.requests.clone())
            .unwrap_or_default()
    }

    /// Counts the requests of a lane that the client closed before it had the whole reply.
    pub fn given_up(&self, lane: &str) -> usize {
        self.lanes.lock().get(lane).map_or(0, |lane| lane.given_up)
    }

    /// Waits until `count` requests have come in on a lane.
    pub async fn asked(&self, lane: &str, count: usize, deadline: Duration) {
        self.until(&format!("request {count} to the brain {lane}"), deadline, || {
            self.requests(lane).len() >= count
        })
        .await;
    }

    /// Waits until the client has closed `count` requests of a lane before their end.
    pub async fn abandoned(&self, lane: &str, count: usize, deadline: Duration) {
        self.until(
            &format!("the client to give up on the brain {lane}"),
            deadline,
            || self.given_up(lane) >= count,
        )
        .await;
    }

    /// Lists what was wrong with the requests so far.
    pub fn violations(&self) -> Vec<String> {
        let lanes = self.lanes.lock();
        lanes
            .iter()
            .flat_map(|(name, lane)| lane.violations(name))
            .collect()
    }

    async fn until(&self, what: &str, deadline: Duration, reached: impl Fn() -> bool) {
        let mut changes = self.lanes.changes.subscribe();
        within(what, deadline, async {
            while !reached() {
                changes.changed().await.expect("the server outlives the wait");
            }
        })
        .await;
    }
}

impl Drop for ScriptedBrain {
    fn drop(&mut self) {
        let violations = self.violations();
        assert!(
            violations.is_empty() || std::thread::panicking(),
            "the brain was asked in a way that real servers refuse:\n{}",
            violations.join("\n")
        );
    }
}

impl Lanes {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Lane>> {
        self.by_name.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the request and picks its reply; the brain has `spoken` so often in its conversation.
    fn take(&self, lane: &str, request: Request, spoken: usize) -> Reply {
        let mut lanes = self.lock();
        let reply = lanes.entry(lane.to_owned()).or_default().take(request, spoken);
        drop(lanes);
        self.changes.send_modify(|count| *count += 1);
        reply
    }

    fn give_up(&self, lane: &str) {
        self.lock().entry(lane.to_owned()).or_default().given_up += 1;
        self.changes.send_modify(|count| *count += 1);
    }
}

impl Lane {
    fn take(&mut self, request: Request, spoken: usize) -> Reply {
        let decided = self.decision.as_ref().and_then(|decision| decision.0(&request));
        let mut rules = self.rules.iter();
        let ruled = rules.find(|(text, _)| request.newest().contains(text));
        let ruled = decided.or_else(|| ruled.map(|(_, reply)| reply.clone()));
        let by_depth = self.by_depth.iter().find(|(count, _)| *count == spoken);
        let ruled = ruled.or_else(|| by_depth.map(|(_, reply)| reply.clone()));
        if self.is_forgetful {
            self.complaints.extend(request.violations());
        } else {
            self.requests.push(request);
        }
        ruled.unwrap_or_else(|| {
            let reply = self.replies.get(self.next).cloned();
            self.next += 1;
            reply.unwrap_or_else(|| Reply::says(EXHAUSTED))
        })
    }

    fn violations(&self, name: &str) -> Vec<String> {
        let kept = self.requests.iter().enumerate().flat_map(|(number, request)| {
            let place = format!("{name}, request {}", number + 1);
            request
                .violations()
                .into_iter()
                .map(move |what| format!("{place}: {what}"))
        });
        let complaints = self.complaints.iter().map(|what| format!("{name}: {what}"));
        kept.chain(complaints).collect()
    }
}

#[cfg(test)]
mod tests;
