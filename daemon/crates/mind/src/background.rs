//! Calls that go on after their turn: begun at once, ended by themselves, by a person, by their deadline or with the
//! daemon, and told once to the session that asked for them.
//!
//! Each is written down before it begins. After a restart one that had ended is told, and one that had not is told to have
//! been interrupted; none is begun again. What is told is the desk's to say.

mod toolbox;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use loquat_agent::speakable;
use loquat_agent::toolbox::{Circumstances, Outcome, Tool, ToolError, Toolbox};
use loquat_part::satellite::is_of_satellite;
use loquat_phrases::{BackgroundEnd, Phrases};
use loquat_skills::{Change, Records};
use loquat_state::unix_now;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

pub(crate) use self::toolbox::{BackgroundArrivals, BackgroundToolbox};
use crate::deed;

/// Calls that go on at once; one more is refused.
const MOST: usize = 8;

/// Of one session.
const MOST_OF_SESSION: usize = 4;

/// Notices that wait for the desk; a call that ends waits with its own.
const NOTICES: usize = 32;

/// What its records are called.
const RECORD: &str = "background";

/// Clients that were on our bus when it died with us need a moment to come back and hear the news.
const RETURN: Duration = Duration::from_secs(3);

/// A tool that is cancelled gets so long to end by itself.
const FAREWELL: Duration = Duration::from_secs(1);

/// What came of a call that went on, for the session that asked for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    /// The call.
    pub id: u64,
    /// It belongs to this session.
    pub session_id: String,
    /// The keys of a frame that bring it there.
    pub route: Map<String, Value>,
    /// The language to tell it in, BCP-47.
    pub lang: String,
    /// What was asked for, in a few words.
    pub deed: String,
    /// Whether its words may be a stranger's.
    pub foreign: bool,
    /// What is said; absent as long as it goes on.
    pub text: Option<String>,
}

/// A call that goes on.
#[derive(Debug)]
struct Running {
    notice: Notice,
    toolbox_id: String,
    tool: String,
    since: Instant,
    cancel: CancellationToken,
}

/// A call that is to begin.
#[derive(Debug)]
struct Start {
    notice: Notice,
    tool: Tool,
    toolbox: Arc<dyn Toolbox>,
    arguments: Map<String, Value>,
    circumstances: Circumstances,
    cancel: CancellationToken,
}

/// Where calls are begun, listed and cancelled.
#[derive(Debug)]
pub struct Background {
    starts: mpsc::Sender<Box<Start>>,
    running: Mutex<Vec<Running>>,
    last_id: Mutex<u64>,
    /// The calls that began before it was read what an earlier process has left.
    first: Mutex<Option<Vec<u64>>>,
    records: Arc<dyn Records>,
}

/// Runs them.
#[derive(Debug)]
pub struct Worker {
    background: Arc<Background>,
    starts: mpsc::Receiver<Box<Start>>,
    calls: JoinSet<(Notice, Option<Result<Outcome, ToolError>>)>,
    notices: mpsc::Sender<Notice>,
}

impl Background {
    /// None yet; with what runs them, and what came of them.
    pub fn new(records: Arc<dyn Records>) -> (Arc<Self>, Worker, mpsc::Receiver<Notice>) {
        let (starts, started) = mpsc::channel(MOST);
        let (notices, told) = mpsc::channel(NOTICES);
        let background = Arc::new(Self {
            starts,
            running: Mutex::default(),
            last_id: Mutex::default(),
            first: Mutex::new(Some(Vec::new())),
            records,
        });
        let worker = Worker {
            background: Arc::clone(&background),
            starts: started,
            calls: JoinSet::new(),
            notices,
        };
        (background, worker, told)
    }

    /// Begins a call; what its turn sees of it is that it has begun.
    async fn start(
        &self,
        toolbox: Arc<dyn Toolbox>,
        tool: Tool,
        arguments: Map<String, Value>,
        circumstances: &Circumstances,
    ) -> Result<Outcome, ToolError> {
        let lang = circumstances.lang.clone().unwrap_or_else(|| "en".to_owned());
        let notice = Notice {
            id: self.free_id(),
            session_id: circumstances.session_id.clone(),
            route: circumstances.route.clone(),
            deed: speakable(&deed::deed(&tool.name, &arguments)),
            foreign: tool.brings_foreign_text,
            text: None,
            lang,
        };
        let cancel = CancellationToken::new();
        let phrases = Phrases::of(&notice.lang);
        let mut result = Map::new();
        let said = if is_of_satellite(&notice.session_id) {
            // A brain words its own answer, and is to say so too.
            result.insert(
                "told".to_owned(),
                json!("when the person speaks here the next time"),
            );
            phrases.background_started_there.clone()
        } else {
            phrases.background_started.clone()
        };
        let id = notice.id;
        self.enter(&notice, &tool, &cancel)?;
        let is_kept = self.keep(&notice).await;
        // An effect that cannot be recorded must not happen.
        if !is_kept && !tool.read_only && !tool.idempotent {
            self.leave(id);
            return Err(ToolError::unwritten());
        }
        let start = Start {
            notice,
            tool,
            toolbox,
            arguments,
            circumstances: circumstances.clone(),
            cancel,
        };
        if self.starts.try_send(Box::new(start)).is_err() {
            self.leave(id);
            self.told(id).await;
            return Err(busy());
        }
        result.extend([("started".to_owned(), json!(true)), ("id".to_owned(), json!(id))]);
        Ok(Outcome {
            spoken: Some(said),
            ..Outcome::from(result)
        })
    }

    fn free_id(&self) -> u64 {
        let mut last = self.last_id.lock();
        *last = (unix_now() as u64).max(*last + 1);
        if let Some(first) = self.first.lock().as_mut() {
            first.push(*last);
        }
        *last
    }

    fn enter(&self, notice: &Notice, tool: &Tool, cancel: &CancellationToken) -> Result<(), ToolError> {
        let mut running = self.running.lock();
        let of_session = running
            .iter()
            .filter(|call| call.notice.session_id == notice.session_id);
        if running.len() >= MOST || of_session.count() >= MOST_OF_SESSION {
            return Err(busy());
        }
        running.push(Running {
            notice: notice.clone(),
            toolbox_id: tool.toolbox_id.clone(),
            tool: tool.name.clone(),
            since: Instant::now(),
            cancel: cancel.clone(),
        });
        Ok(())
    }

    fn leave(&self, id: u64) {
        self.running.lock().retain(|call| call.notice.id != id);
    }

    /// What goes on in a session, in a few words each.
    pub fn deeds(&self, session_id: &str) -> Vec<String> {
        let running = self.running.lock();
        let here = running.iter().filter(|call| call.notice.session_id == session_id);
        here.map(|call| call.notice.deed.clone()).collect()
    }

    /// What goes on, for programs: all of it, or what is of one session.
    pub fn listing(&self, session_id: Option<&str>) -> Vec<Value> {
        let running = self.running.lock();
        let shown = |call: &Running| {
            json!({"id": call.notice.id, "session_id": call.notice.session_id, "toolbox_id": call.toolbox_id,
                   "name": call.tool, "seconds": call.since.elapsed().as_secs_f64()})
        };
        let is_meant = |call: &&Running| session_id.is_none_or(|id| call.notice.session_id == id);
        running.iter().filter(is_meant).map(shown).collect()
    }

    /// Ends what goes on in a session; what that was.
    pub fn cancel(&self, session_id: &str) -> Vec<String> {
        self.cancel_where(|notice| notice.session_id == session_id)
    }

    /// Ends one call, where it may only be one of this session.
    pub fn cancel_one(&self, id: u64, session_id: Option<&str>) {
        let is_of_session =
            |notice: &Notice| session_id.is_none_or(|session_id| notice.session_id == session_id);
        self.cancel_where(|notice| notice.id == id && is_of_session(notice));
    }

    /// Ends all.
    pub fn cancel_all(&self) {
        self.cancel_where(|_| true);
    }

    fn cancel_where(&self, is_meant: impl Fn(&Notice) -> bool) -> Vec<String> {
        let mut running = self.running.lock();
        let ended = running.extract_if(.., |call| is_meant(&call.notice));
        let ended = ended.map(|call| {
            call.cancel.cancel();
            call.notice.deed
        });
        ended.collect()
    }

    /// Writes down how far a call is; whether that is kept.
    async fn keep(&self, notice: &Notice) -> bool {
        let change = Change::write(RECORD, notice.id.to_string(), json!(notice));
        self.records.change(vec![change]).await.is_ok()
    }

    /// What came of a call has been told, or need not be.
    pub async fn told(&self, id: u64) {
        let change = Change::remove(RECORD, id.to_string());
        if let Err(error) = self.records.change(vec![change]).await {
            tracing::warn!(%error, id, "what came of a call may be told once more after a restart");
        }
    }

    /// What was left by an earlier process.
    async fn left(&self) -> Vec<Notice> {
        let records = self.records.all(RECORD).await.unwrap_or_default();
        let read = |(_, value)| serde_json::from_value(value).ok();
        let own = self.first.lock().take().unwrap_or_default();
        let left = records.into_iter().filter_map(read);
        left.filter(|notice: &Notice| !own.contains(&notice.id))
            .take(NOTICES)
            .collect()
    }
}

fn busy() -> ToolError {
    let message = "too much goes on in the background already; it was not started. Tell the person so.";
    ToolError::reply("BusyError", message)
}

impl Worker {
    /// Runs what is begun, until cancelled; what goes on then is told after the next start.
    pub async fn run(mut self, cancel: CancellationToken) {
        let left = self.background.left().await;
        let mut returns = std::pin::pin!(tokio::time::sleep(RETURN));
        let mut left = Some(left);
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                Some(ended) = self.calls.join_next() => {
                    if let Ok((notice, outcome)) = ended {
                        self.ended(notice, outcome).await;
                    }
                }
                Some(start) = self.starts.recv() => {
                    self.calls.spawn(run(*start));
                }
                () = &mut returns, if left.is_some() => {
                    for notice in left.take().unwrap_or_default() {
                        self.tell_interrupted(notice).await;
                    }
                }
            }
        }
    }

    async fn ended(&self, mut notice: Notice, outcome: Option<Result<Outcome, ToolError>>) {
        self.background.leave(notice.id);
        let Some(outcome) = outcome else {
            return self.background.told(notice.id).await;
        };
        if let Err(error) = &outcome {
            tracing::warn!(%error, "a call that went on after its turn has failed");
        }
        if let Ok(outcome) = &outcome {
            // No turn is there any more that could judge names.
            notice.foreign |= outcome.is_foreign || !outcome.names.is_empty();
        }
        notice.text = Some(said(&notice, outcome));
        self.background.keep(&notice).await;
        self.tell(notice).await;
    }

    async fn tell_interrupted(&self, mut notice: Notice) {
        if notice.text.is_none() {
            let phrases = Phrases::of(&notice.lang);
            notice.text = Some(phrases.background(BackgroundEnd::Interrupted, &notice.deed));
            self.background.keep(&notice).await;
        }
        self.tell(notice).await;
    }

    async fn tell(&self, notice: Notice) {
        // A desk that has gone tells nothing any more; the next one does.
        self.notices.send(notice).await.unwrap_or_default();
    }
}

/// What is said at the end of a call.
fn said(notice: &Notice, outcome: Result<Outcome, ToolError>) -> String {
    let phrases = Phrases::of(&notice.lang);
    let Ok(outcome) = outcome else {
        return phrases.background(BackgroundEnd::Failed, &notice.deed);
    };
    let done = phrases.background(BackgroundEnd::Done, &notice.deed);
    let words = outcome.words().map(|words| speakable(&words)).unwrap_or_default();
    format!("{done} {words}").trim_end().to_owned()
}

/// Runs a call to its end; nothing came of one that was cancelled.
async fn run(start: Start) -> (Notice, Option<Result<Outcome, ToolError>>) {
    let Start {
        notice,
        tool,
        toolbox,
        arguments,
        circumstances,
        cancel,
    } = start;
    let circumstances = Circumstances {
        cancel: cancel.clone(),
        ..circumstances
    };
    let call = AssertUnwindSafe(async { toolbox.call(&tool.name, arguments, &circumstances).await });
    let call = tokio::time::timeout(tool.timeout, call.catch_unwind());
    let given_up = async {
        cancel.cancelled().await;
        tokio::time::sleep(FAREWELL).await;
    };
    let ended = tokio::select! {
        biased;
        ended = call => ended,
        () = given_up => return (notice, None),
    };
    let outcome = match ended {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => Err(ToolError::reply("InternalError", "the tool crashed")),
        Err(_) => Err(ToolError::timed_out(tool.timeout)),
    };
    let is_wanted = !cancel.is_cancelled();
    (notice, is_wanted.then_some(outcome))
}

#[cfg(test)]
mod tests;
