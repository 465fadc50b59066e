//! One request and the reply to it, within its time limits.

use std::time::Duration;

use loquat_conversation::brain::{BrainError, ChatReply, ChatRequest, DeltaSink, WaitPhase};
use loquat_failure::{causes, root_cause};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Response};
use serde_json::{Map, Value};
use tokio::task::yield_now;
use tokio::time::timeout;

use super::address::Address;
use super::dialect::{Dialect, Sent};
use super::fault::{Again, Fault};
use super::names::Names;
use super::patience::Patience;
use super::pause;
use super::refusal::Circumstance;
use super::request::{self, Body};
use crate::lesson::Refusal;
use crate::reply::{Intake, MAX_REPLY_BYTES, Progress, ReplyFault};
use crate::server_words::ServerWords;
use crate::settings::OpenAiSettings;

/// A short conversation with its tools fits into this many bytes.
const USUAL_BODY_BYTES: usize = 8 * 1024;

/// Complaints are short; what is longer is not read.
const MAX_COMPLAINT_BYTES: usize = 64 * 1024;

/// A complaint whose text does not come is a complaint without text.
const COMPLAINT_PATIENCE: Duration = Duration::from_secs(2);

/// The figures follow the last token at once, from servers that send them.
const FIGURES_PATIENCE: Duration = Duration::from_secs(1);

/// The end of the body usually comes in one packet with the last event; a connection read to its end can be kept.
const END_PATIENCE: Duration = Duration::from_millis(50);

pub(crate) struct Exchange<'a> {
    pub(crate) name: &'a str,
    pub(crate) client: &'a Client,
    pub(crate) address: &'a Address,
    pub(crate) settings: &'a OpenAiSettings,
    pub(crate) dialect: &'a Dialect,
    pub(crate) key: Option<&'a str>,
    pub(crate) request: &'a ChatRequest,
}

impl Exchange<'_> {
    /// Asks and hears the reply out. Dropping the future closes the connection.
    pub(crate) async fn run(&self, sink: &dyn DeltaSink) -> Result<ChatReply, Fault> {
        let names = Names::of(self.request);
        let mut body = request::body(self.settings, self.request, &names, |offer| {
            self.dialect.refuses(offer)
        });
        self.dialect.apply(&mut body.parameters);
        let timeouts = &self.settings.timeouts;
        let mut patience = if self.settings.stream {
            Patience::new(WaitPhase::FirstToken, timeouts.first_token, timeouts.next_token)
        } else {
            Patience::new(WaitPhase::Whole, timeouts.whole, timeouts.whole)
        };
        let Some(sent) = patience.wait_for(self.send(&body)).await else {
            return Err(self.timed_out(patience.phase, patience.limit));
        };
        let response = sent?;
        if !response.status().is_success() {
            return Err(self.refused(response, &body.parameters, &names).await);
        }
        let mut reply = self.hear(response, patience, sink).await?;
        for call in &mut reply.tool_calls {
            call.name = names.original(&call.name).to_owned();
        }
        Ok(reply)
    }

    async fn send(&self, body: &Body<'_>) -> Result<Response, Fault> {
        let mut text = Vec::with_capacity(USUAL_BODY_BYTES);
        serde_json::to_writer(&mut text, body)
            .map_err(|_| self.garbled("the request is no JSON".to_owned()))?;
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
        mut patience: Patience,
        sink: &dyn DeltaSink,
    ) -> Result<ChatReply, Fault> {
        let announced = response.content_length().unwrap_or_default();
        if usize::try_from(announced).map_or(true, |announced| announced > MAX_REPLY_BYTES) {
            return Err(self.unusable(ReplyFault::TooLarge(MAX_REPLY_BYTES)));
        }
        let mut intake = Intake::new();
        loop {
            let piece = patience.wait_for(response.chunk()).await;
            let bytes = match piece {
                Some(Ok(Some(bytes))) => bytes,
                Some(Ok(None)) => return intake.finish(sink).map_err(|fault| self.unusable(fault)),
                _ if intake.is_whole() => break,
                Some(Err(error)) => return Err(self.undelivered(&error)),
                None => return Err(self.timed_out(patience.phase, patience.limit)),
            };
            let heard = intake.feed(&bytes, sink);
            let progress = heard.map_err(|fault| self.unusable(fault))?;
            if intake.is_done() {
                drain(&mut response, patience).await;
                break;
            }
            self.prolong(&mut patience, progress, intake.is_whole());
        }
        intake.into_streamed_reply().map_err(|fault| self.unusable(fault))
    }

    /// Signs of life do not count as the first token, and a trickle of bytes is no sign of life.
    fn prolong(&self, patience: &mut Patience, progress: Option<Progress>, whole: bool) {
        let is_streaming = patience.phase == WaitPhase::NextToken;
        match progress {
            _ if whole => patience.shorten(FIGURES_PATIENCE),
            Some(Progress::Alive) if !is_streaming => {}
            Some(Progress::Token | Progress::Alive) => {
                patience.renew(WaitPhase::NextToken, self.settings.timeouts.next_token);
            }
            None => {}
        }
    }

    async fn refused(&self, response: Response, parameters: &Map<String, Value>, names: &Names<'_>) -> Fault {
        let status = response.status().as_u16();
        let retry_after = pause::retry_after(response.headers());
        let words = ServerWords::read(&complaint(response).await);
        let mut fault = self.circumstance().refused(status, retry_after, &words);
        if matches!(status, 400 | 422) && self.learn(&words, parameters, names) {
            fault.again = Again::Changed;
        }
        fault
    }

    /// Tells whether the refusal tells what the same request may be made without.
    fn learn(&self, words: &ServerWords, parameters: &Map<String, Value>, names: &Names<'_>) -> bool {
        let offers = request::offers(self.settings, self.request);
        let tools = offers.filter(|offer| !self.dialect.refuses(offer));
        let tools: Vec<_> = tools.map(|offer| (names.fit(&offer.name), offer)).collect();
        let sent = Sent {
            parameters,
            tools: &tools,
        };
        let lessons = self.dialect.learn(words, &sent);
        for lesson in &lessons {
            let refusal = Refusal {
                brain: self.name.to_owned(),
                lesson: lesson.clone(),
                words: self.circumstance().shorten(&words.text),
            };
            tracing::warn!(brain = refusal.brain, "{refusal}");
            if let Some(told) = &self.settings.refusals {
                // The listener shows the latest of them; one more of a flood is in the log.
                told.try_send(refusal).unwrap_or_default();
            }
        }
        !lessons.is_empty()
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

    /// Makes a fault of an error of the transport, before or in the middle of the reply.
    fn undelivered(&self, error: &reqwest::Error) -> Fault {
        let address = self.address.shown().to_owned();
        if error.is_connect() && error.is_timeout() {
            let connect = self.settings.timeouts.connect;
            let mut fault = self.timed_out(WaitPhase::Connect, connect);
            fault.again = Again::Soon;
            return fault;
        }
        if error.is_connect() {
            let reason = root_cause(error);
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
    fn timed_out(&self, phase: WaitPhase, limit: Duration) -> Fault {
        Fault {
            again: if phase == WaitPhase::NextToken {
                Again::Soon
            } else {
                Again::No
            },
            error: BrainError::TimedOut {
                address: self.address.shown().to_owned(),
                phase,
                limit,
            },
        }
    }
}

/// Reads what little may follow the last event, so that the connection can be kept.
async fn drain(response: &mut Response, mut patience: Patience) {
    // The end has mostly come already: the task that reads the connection finds it now, and no time has to be taken.
    yield_now().await;
    patience.shorten(END_PATIENCE);
    let end = async { while let Ok(Some(_)) = response.chunk().await {} };
    if patience.wait_for(end).await.is_none() {
        tracing::trace!("connection is closed, its reply does not end");
    }
}

/// Reads what the server says about a request that it does not serve, as far as it says it soon.
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

fn http_fault(error: &reqwest::Error) -> Option<&hyper::Error> {
    causes(error).find_map(|cause| cause.downcast_ref())
}
