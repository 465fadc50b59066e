//! A worker's line to the device whose turn it runs: it asks what came of calls and questions, and is told. It never has
//! anything done: what the device does is what its own turn decides.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use async_nats::{Client, Request as Envelope, RequestErrorKind};
use futures_util::future::BoxFuture;
use loquat_agent::consent::{Consent, Person, Request as Question};
use loquat_agent::journal::{Entry, Happened, Offer, call_key, question_key};
use loquat_agent::toolbox::{Arrivals, Circumstances, Outcome, Tool, ToolError, Toolbox};
use parking_lot::Mutex;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::message::{Asked, Request, Told, run_of, sealed};
use crate::seal::SealKey;

/// A device that knows nothing yet says so sooner.
const PATIENCE: Duration = Duration::from_secs(10);

/// The line of one run.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) client: Client,
    /// The subject on which the device answers.
    pub(crate) subject: String,
    pub(crate) placement: String,
    pub(crate) run: String,
    pub(crate) key: SealKey,
    /// Cancelled when the turn is over.
    pub(crate) over: CancellationToken,
    /// Cancelled when another run has the turn.
    pub(crate) taken: CancellationToken,
    serials: AtomicU64,
    places: Mutex<Places>,
}

/// Counts equal calls and questions, since only their place tells them apart.
#[derive(Debug, Default)]
struct Places {
    calls: HashMap<String, usize>,
    questions: HashMap<String, usize>,
}

impl Line {
    pub(crate) fn new(client: Client, subject: String, placement: String, run: String, key: SealKey) -> Self {
        Self {
            client,
            subject,
            placement,
            run,
            key,
            over: CancellationToken::new(),
            taken: CancellationToken::new(),
            serials: AtomicU64::new(0),
            places: Mutex::default(),
        }
    }

    /// Counts what was called and asked by the runs before. A yes whose call had not begun is asked for once more when a
    /// turn is gone on with, and was asked once at the device.
    pub(crate) fn count(&self, entries: &[Entry]) {
        let mut places = self.places.lock();
        let mut asked: HashMap<u32, &str> = HashMap::new();
        let mut open: HashMap<&str, usize> = HashMap::new();
        for entry in entries {
            match &entry.happened {
                Happened::ToolCalled { call, .. } => {
                    *places.calls.entry(call.clone()).or_default() += 1;
                    // What was allowed has begun.
                    open.retain(|question, _| !is_of(call, question));
                }
                Happened::PersonAsked { number, call } => {
                    asked.insert(*number, call);
                }
                Happened::PersonAnswered { number, consent } => {
                    let Some(question) = asked.remove(number) else {
                        continue;
                    };
                    *places.questions.entry(question.to_owned()).or_default() += 1;
                    if *consent == Consent::Given {
                        *open.entry(question).or_default() += 1;
                    }
                }
                _ => {}
            }
        }
        for (question, count) in open {
            if let Some(known) = places.questions.get_mut(question) {
                *known = known.saturating_sub(count);
            }
        }
    }

    /// Asks until the device knows; [`Told::Over`] also where it is not there.
    pub(crate) async fn ask(&self, asked: Asked) -> Told {
        loop {
            match self.ask_once(&asked).await {
                Some(Told::Pending) => {}
                Some(Told::Taken) => {
                    self.taken.cancel();
                    return Told::Taken;
                }
                Some(Told::Over) | None => {
                    self.over.cancel();
                    return Told::Over;
                }
                Some(told) => return told,
            }
        }
    }

    async fn ask_once(&self, asked: &Asked) -> Option<Told> {
        let request = Request {
            placement: self.placement.clone(),
            serial: self.serials.fetch_add(1, Ordering::Relaxed),
            asked: asked.clone(),
        };
        let payload = serde_json::to_vec(&request).ok()?;
        let envelope = Envelope::new()
            .headers(sealed(&self.key, &self.subject, &self.run, &payload))
            .payload(payload.into())
            .timeout(Some(PATIENCE));
        let reply = self.client.send_request(self.subject.clone(), envelope).await;
        let reply = match reply {
            Ok(reply) => reply,
            Err(error) if error.kind() == RequestErrorKind::TimedOut => return None,
            Err(error) => {
                tracing::debug!(%error, "the device of a turn is not there");
                return None;
            }
        };
        // The answer to this request and no other: its subject is the serial.
        let subject = reply_subject(&self.subject, request.serial);
        run_of(reply.headers.as_ref(), &self.key, &subject, &reply.payload).filter(|run| *run == self.run)?;
        serde_json::from_slice(&reply.payload).ok()
    }

    async fn outcome(&self, key: String) -> Result<Outcome, ToolError> {
        let place = next(&mut self.places.lock().calls, &key);
        match self.ask(Asked::Outcome { key, place }).await {
            Told::Outcome(outcome) => *outcome,
            _ => self.never().await,
        }
    }

    /// The turn is about to be dropped: whatever is said now would be written.
    async fn never<T>(&self) -> T {
        if !self.taken.is_cancelled() {
            self.over.cancel();
        }
        std::future::pending().await
    }
}

/// The seal of an answer is made with this in the place of the reply's subject, which a stranger could choose.
pub(crate) fn reply_subject(subject: &str, serial: u64) -> String {
    format!("{subject} {serial}")
}

fn is_of(call: &str, question: &str) -> bool {
    call.strip_suffix(question).is_some_and(|id| id.ends_with('/'))
}

fn next(counts: &mut HashMap<String, usize>, key: &str) -> usize {
    let count = counts.entry(key.to_owned()).or_default();
    *count += 1;
    *count - 1
}

#[derive(Debug)]
pub(crate) struct DeviceToolbox {
    pub(crate) id: String,
    pub(crate) tools: Arc<[Tool]>,
    pub(crate) line: Arc<Line>,
}

impl DeviceToolbox {
    pub(crate) fn all(offer: &Offer, line: &Arc<Line>) -> Vec<Arc<dyn Toolbox>> {
        let toolboxes = offer.toolboxes().map(|(id, tools)| {
            Arc::new(Self {
                id: id.to_owned(),
                tools: Arc::clone(tools),
                line: Arc::clone(line),
            }) as Arc<dyn Toolbox>
        });
        toolboxes.collect()
    }
}

impl Toolbox for DeviceToolbox {
    fn id(&self) -> &str {
        &self.id
    }

    fn tools(&self) -> Arc<[Tool]> {
        Arc::clone(&self.tools)
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        let key = call_key(&self.id, name, &arguments, &circumstances.extras);
        Box::pin(self.line.outcome(key))
    }
}

/// Tools that come to the device's turn. A turn looks for them again and again, and both turns do so at the same moments.
#[derive(Debug)]
pub(crate) struct DeviceArrivals {
    pub(crate) line: Arc<Line>,
    pub(crate) looks: AtomicUsize,
}

impl Arrivals for DeviceArrivals {
    fn take(&self) -> BoxFuture<'_, Vec<Arc<dyn Toolbox>>> {
        Box::pin(async move {
            let look = self.looks.fetch_add(1, Ordering::Relaxed);
            match self.line.ask(Asked::Arrivals { look }).await {
                Told::Arrived(offer) => DeviceToolbox::all(&offer, &self.line),
                _ => self.line.never().await,
            }
        })
    }
}

pub(crate) struct DevicePerson(pub(crate) Arc<Line>);

impl Person for DevicePerson {
    fn consents<'a>(&'a self, request: &'a Question) -> BoxFuture<'a, Consent> {
        Box::pin(async move {
            let key = question_key(request);
            let place = next(&mut self.0.places.lock().questions, &key);
            match self.0.ask(Asked::Consent { key, place }).await {
                Told::Consent(consent) => consent,
                _ => self.0.never().await,
            }
        })
    }
}
