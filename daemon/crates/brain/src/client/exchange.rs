//! One request and the reply to it, within its time limits.

use std::time::Duration;

use loquat_agent::brain::{BrainError, ChatReply, ChatRequest, DeltaSink, WaitPhase};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Response};
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout, timeout_at};

use super::address::Address;
use super::dialect::Dialect;
use super::fault::{Again, Fault};
use super::pause;
use super::refusal::{Circumstance, ServerWords};
use super::request::{self, Body};
use crate::reply::{Intake, MAX_REPLY_BYTES, Progress, ReplyFault};
use crate::settings::OpenAiSettings;

/// Complaints are short; what is longer is not read.
const MAX_COMPLAINT_BYTES: usize = 64 * 1024;

/// A complaint whose text does not come is a complaint without text.
const COMPLAINT_PATIENCE: Duration = Duration::from_secs(2);

/// The figures follow the last token at once, from servers that send them.
const FIGURES_PATIENCE: Duration = Duration::from_secs(1);

/// The end of the body usually comes in one packet with the last event; a connection read to its end can be kept.
const END_PATIENCE: Duration = Duration::from_millis(50);

/// One attempt at one call.
pub(crate) struct Exchange<'a> {
    pub(crate) client: &'a Client,
    pub(crate) address: &'a Address,
    pub(crate) settings: &'a OpenAiSettings,
    pub(crate) dialect: &'a Dialect,
    pub(crate) key: Option<&'a str>,
    pub(crate) request: &'a ChatRequest,
}

/// Until when the next thing has to come.
struct Wait {
    phase: WaitPhase,
    limit: Duration,
    until: Instant,
}

impl Wait {
    fn new(phase: WaitPhase, limit: Duration) -> Self {
        Self {
            phase,
            limit,
            until: Instant::now() + limit,
        }
    }
}

impl Exchange<'_> {
    /// Asks and hears the reply out. Dropping the future closes the connection.
    pub(crate) async fn run(&self, sink: &dyn DeltaSink) -> Result<ChatReply, Fault> {
        let mut body = request::body(self.settings, self.request);
        self.dialect.apply(&mut body.parameters);
        let timeouts = &self.settings.timeouts;
        let wait = if self.settings.stream {
            Wait::new(WaitPhase::FirstToken, timeouts.first_token)
        } else {
            Wait::new(WaitPhase::Whole, timeouts.whole)
        };
        let response = timeout_at(wait.until, self.send(&body))
            .await
            .unwrap_or_else(|_| Err(self.timed_out(&wait)))?;
        if !response.status().is_success() {
            return Err(self.refused(response, &body.parameters).await);
        }
        self.hear(response, wait, sink).await
    }

    async fn send(&self, body: &Body<'_>) -> Result<Response, Fault> {
        let text = serde_json::to_vec(body).map_err(|_| self.garbled("the request is no JSON".to_owned()))?;
        self.client
            .post(self.address.endpoint())
            .header(CONTENT_TYPE, "application/json")
            .body(text)
            .send()
            .await
            .map_err(|error| self.undelivered(&error))
    }

    async fn hear(
        &self,
        mut response: Response,
        mut wait: Wait,
        sink: &dyn DeltaSink,
    ) -> Result<ChatReply, Fault> {
        let announced = response.content_length().unwrap_or_default();
        if usize::try_from(announced).map_or(true, |announced| announced > MAX_REPLY_BYTES) {
            return Err(self.unusable(ReplyFault::TooLarge(MAX_REPLY_BYTES)));
        }
        let mut intake = Intake::new();
        loop {
            let piece = timeout_at(wait.until, response.chunk()).await;
            let bytes = match piece {
                Ok(Ok(Some(bytes))) => bytes,
                Ok(Ok(None)) => return intake.finish(sink).map_err(|fault| self.unusable(fault)),
                _ if intake.is_whole() => break,
                Ok(Err(error)) => return Err(self.undelivered(&error)),
                Err(_) => return Err(self.timed_out(&wait)),
            };
            let heard = intake.feed(&bytes, sink);
            let progress = heard.map_err(|fault| self.unusable(fault))?;
            if intake.is_done() {
                drain(&mut response).await;
                break;
            }
            self.prolong(&mut wait, progress, intake.is_whole());
        }
        intake.into_streamed_reply().map_err(|fault| self.unusable(fault))
    }

    /// Signs of life do not count as the first token, and a trickle of bytes is no sign of life.
    fn prolong(&self, wait: &mut Wait, progress: Option<Progress>, whole: bool) {
        let streaming = wait.phase == WaitPhase::NextToken;
        match progress {
            _ if whole => wait.until = wait.until.min(Instant::now() + FIGURES_PATIENCE),
            Some(Progress::Token) => {
                *wait = Wait::new(WaitPhase::NextToken, self.settings.timeouts.next_token);
            }
            Some(Progress::Alive) if streaming => {
                *wait = Wait::new(WaitPhase::NextToken, self.settings.timeouts.next_token);
            }
            Some(Progress::Alive) | None => {}
        }
    }

    async fn refused(&self, response: Response, sent: &Map<String, Value>) -> Fault {
        let status = response.status().as_u16();
        let retry_after = pause::retry_after(response.headers());
        let words = ServerWords::read(&complaint(response).await);
        let mut fault = self.circumstance().refused(status, retry_after, &words);
        if matches!(status, 400 | 422) && self.dialect.learn(&words, sent) {
            fault.again = Again::Changed;
        }
        fault
    }

    fn circumstance(&self) -> Circumstance<'_> {
        Circumstance {
            address: self.address.shown(),
            model: &self.settings.model,
            key: self.key,
            request: self.request,
            retry_after_cap: self.settings.retry_after_cap,
        }
    }

    /// A fault of the transport, before or in the middle of the reply.
    fn undelivered(&self, error: &reqwest::Error) -> Fault {
        let address = self.address.shown().to_owned();
        if error.is_connect() && error.is_timeout() {
            let connect = self.settings.timeouts.connect;
            let mut fault = self.timed_out(&Wait::new(WaitPhase::Connect, connect));
            fault.again = Again::Soon;
            return fault;
        }
        if error.is_connect() {
            let reason = root(error);
            return Fault::passing(BrainError::Unreachable { address, reason });
        }
        match http_fault(error) {
            Some(fault) if fault.is_parse() => self.garbled("it is no HTTP".to_owned()),
            _ => Fault::passing(BrainError::CutOff { address }),
        }
    }

    fn unusable(&self, fault: ReplyFault) -> Fault {
        let address = self.address.shown().to_owned();
        match fault {
            ReplyFault::Garbled(reason) => self.garbled(reason),
            ReplyFault::CutOff => Fault::passing(BrainError::CutOff { address }),
            ReplyFault::TooLarge(limit_bytes) => {
                Fault::lasting(BrainError::TooLarge { address, limit_bytes })
            }
            ReplyFault::Complaint(words) => self.circumstance().complained(&words),
        }
    }

    fn garbled(&self, reason: String) -> Fault {
        Fault::passing(BrainError::Garbled {
            address: self.address.shown().to_owned(),
            reason,
        })
    }

    /// A stream that stalls is made again; a wait for the first token or the whole is not worth a second one.
    fn timed_out(&self, wait: &Wait) -> Fault {
        Fault {
            again: if wait.phase == WaitPhase::NextToken {
                Again::Soon
            } else {
                Again::No
            },
            error: BrainError::TimedOut {
                address: self.address.shown().to_owned(),
                phase: wait.phase,
                limit: wait.limit,
            },
        }
    }
}

/// Reads what little may follow the last event, so that the connection can be kept.
async fn drain(response: &mut Response) {
    let end = async { while let Ok(Some(_)) = response.chunk().await {} };
    if timeout(END_PATIENCE, end).await.is_err() {
        tracing::trace!("connection is closed, its reply does not end");
    }
}

/// What the server says about a request that it does not serve, as far as it says it soon.
async fn complaint(mut response: Response) -> String {
    let mut text = Vec::new();
    let read = async {
        while let Ok(Some(bytes)) = response.chunk().await {
            let room = MAX_COMPLAINT_BYTES - text.len();
            text.extend(bytes.iter().take(room));
            if bytes.len() >= room {
                break;
            }
        }
    };
    let in_time = timeout(COMPLAINT_PATIENCE, read).await.is_ok();
    if !in_time {
        tracing::trace!("the end of a complaint is not waited for");
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// The innermost cause says it in the fewest words, for example "Connection refused (os error 111)".
fn root(error: &reqwest::Error) -> String {
    causes(error).last().map_or_else(String::new, ToString::to_string)
}

fn http_fault(error: &reqwest::Error) -> Option<&hyper::Error> {
    causes(error).find_map(|cause| cause.downcast_ref())
}

fn causes<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    std::iter::successors(Some(error), |error| error.source())
}
