//! The brain of a device's turn that a worker thinks: it says what the worker's brain said. Where the worker is silent, slow,
//! gone or of another mind, the device's own brain is asked, from there to the end of the turn.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use loquat_agent::brain::{Asking, Brain, BrainError, Capabilities, ChatReply, Delta, DeltaSink};
use loquat_agent::journal::request_key;
use tokio::time::{Instant, sleep_until};

use super::Device;
use crate::message::What;
use crate::placement::{Look, Placement};

/// Says how long a device waits for a worker.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// A worker has to take the turn within this time.
    pub(crate) taken: Duration,
    /// Between two signs of life at most this long may pass.
    pub(crate) silence: Duration,
    /// A whole reply may take this long.
    pub(crate) reply: Duration,
}

/// The brain of one turn.
#[derive(Debug)]
pub(crate) struct FollowedBrain {
    pub(crate) name: String,
    pub(crate) capabilities: Capabilities,
    pub(crate) session: String,
    /// The device's own brain, which is asked where the worker fails.
    pub(crate) own: Arc<dyn Brain>,
    pub(crate) placement: Arc<Placement>,
    pub(crate) device: Arc<Device>,
    pub(crate) patience: Patience,
}

/// The pieces that the turn was told of a reply that is being written.
#[derive(Debug, Default)]
struct Told {
    pieces: usize,
    content: String,
    anything: bool,
}

/// Says why a worker's reply is not waited for.
#[derive(Debug)]
enum Left {
    /// It is the worker's doing.
    Worker(String),
    /// It is not; the turn has no worker any more.
    Lost(String),
}

impl Told {
    fn hear(&mut self, what: What, sink: &dyn DeltaSink) {
        self.pieces += 1;
        self.anything = true;
        match &what {
            What::Content(text) => self.content.push_str(text),
            What::Reasoning(_) => {}
            What::Restart => self.content.clear(),
        }
        sink.delta(what.into());
    }

    /// Tells what is still missing of the whole reply.
    fn complete(&self, reply: &ChatReply, sink: &dyn DeltaSink) {
        match reply.content.strip_prefix(self.content.as_str()) {
            Some("") => {}
            Some(rest) => sink.delta(Delta::Content(rest.to_owned())),
            None => {
                sink.delta(Delta::Restart);
                sink.delta(Delta::Content(reply.content.clone()));
            }
        }
    }
}

impl FollowedBrain {
    async fn follow(&self, asking: &Asking<'_>, sink: &dyn DeltaSink) -> Result<ChatReply, BrainError> {
        let mut told = Told::default();
        match self.reply(asking, sink, &mut told).await {
            Ok(reply) => {
                told.complete(&reply, sink);
                Ok(reply)
            }
            Err(left) => {
                match left {
                    Left::Worker(why) => self.device.fail(&self.placement, &why),
                    Left::Lost(why) => self.device.leave(&self.placement, &why),
                }
                if told.anything {
                    sink.delta(Delta::Restart);
                }
                self.own.ask(asking, sink).await
            }
        }
    }

    /// Waits for the worker's reply, or says why there is none.
    async fn reply(
        &self,
        asking: &Asking<'_>,
        sink: &dyn DeltaSink,
        told: &mut Told,
    ) -> Result<ChatReply, Left> {
        let request = request_key(&asking.for_brain(self.capabilities));
        let mut number = None;
        let mut changes = self.placement.changes();
        let began = Instant::now();
        loop {
            changes.mark_unchanged();
            let until = match self.placement.look(&request, &mut number, told.pieces) {
                Look::Replied(Ok(reply)) => return Ok(reply),
                Look::Replied(Err(error)) => {
                    return Err(Left::Worker(format!("its brain failed to {error}")));
                }
                Look::Pieces(pieces) => {
                    for piece in pieces {
                        told.hear(piece, sink);
                    }
                    continue;
                }
                Look::Lost(why) => return Err(Left::Lost(why)),
                Look::Nothing { sign, is_taken } => {
                    let silence = if is_taken {
                        self.patience.silence
                    } else {
                        self.patience.taken
                    };
                    // What the device itself did meanwhile was no silence of the worker.
                    (sign.max(began) + silence).min(began + self.patience.reply)
                }
            };
            tokio::select! {
                biased;
                changed = changes.changed() => if changed.is_err() {
                    return Err(Left::Lost("it is gone".to_owned()));
                },
                () = sleep_until(until) => {
                    let why = format!("it was silent for {:.1} s", began.elapsed().as_secs_f64());
                    return Err(Left::Worker(why));
                }
            }
        }
    }
}

impl Brain for FollowedBrain {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn ask<'a>(
        &'a self,
        asking: &'a Asking<'_>,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        Box::pin(self.follow(asking, sink))
    }
}

/// The turn is over, however it ended.
impl Drop for FollowedBrain {
    fn drop(&mut self) {
        self.device.end(&self.placement, &self.session);
    }
}
