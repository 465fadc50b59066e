//! What a host on the bus tells of a call beside its answer: pieces while the tool works, and the outcome of one that goes
//! on. What is told of another call, out of order, twice, or after the end is not heard.

use std::pin::pin;

use loquat_agent::pieces::{MOST, Pieces};
use loquat_agent::toolbox::{Category, Tool, ToolError};
use loquat_bus::{Bus, Subscription, Topics};
use loquat_wire::{Message, topic};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// So many frames are looked at during a call; whose host tells more is not heard to its end.
const MOST_FRAMES: usize = 4 * MOST;

/// Listens for what a host tells. Made before the call is.
pub(super) struct Following {
    /// Hears the answer too: only in one line with it can be known which pieces came behind it.
    pieces: Option<Subscription>,
    outcome: Option<Subscription>,
}

/// What has been heard of a stream.
struct Heard {
    pieces: Pieces,
    /// The next piece has this number.
    next: u64,
    frames: usize,
    /// A piece is missing, so that those behind it say nothing.
    is_broken: bool,
}

impl Following {
    /// For a call of this tool that is answered on this topic; listens for nothing that it is not trusted to tell.
    pub(super) fn of(bus: &Bus, tool: Option<&Tool>, answered_on: &str) -> Self {
        let is = |told: fn(&Tool) -> bool| tool.is_some_and(told);
        let pieces = is(|tool| tool.streams).then_some([topic::LOQUAT_TOOL_PIECE, answered_on]);
        let outcome = is(|tool| tool.category == Category::Async).then_some([topic::LOQUAT_TOOL_OUTCOME]);
        Self {
            pieces: pieces.map(|topics| bus.subscribe(Topics::of(topics))),
            outcome: outcome.map(|topics| bus.subscribe(Topics::of(topics))),
        }
    }

    /// Whether the tool may go on behind its answer.
    pub(super) fn awaits_outcome(&self) -> bool {
        self.outcome.is_some()
    }

    /// Waits for the answer, and meanwhile tells the pieces on. All of them, joined, come with it.
    pub(super) async fn hear<T>(
        &mut self,
        answer: impl Future<Output = T>,
        is_ours: &impl Fn(&Message) -> bool,
        told_to: &Pieces,
    ) -> Result<(T, Option<String>), ToolError> {
        let Some(mut frames) = self.pieces.take() else {
            return Ok((answer.await, None));
        };
        let told_to = told_to.clone();
        let mut heard = Heard {
            pieces: Pieces::heard_by(move |text| told_to.tell(text)),
            next: 0,
            frames: 0,
            is_broken: false,
        };
        let mut has_ended = false;
        let mut answer = pin!(answer);
        loop {
            tokio::select! {
                biased;
                // What came before the answer is heard before it.
                Some(frame) = frames.recv(), if !has_ended => {
                    let is_ours = is_ours(&frame.message);
                    has_ended = is_ours && frame.message.topic != topic::LOQUAT_TOOL_PIECE;
                    if is_ours && !has_ended {
                        heard.take(&frame.message, frame.cut.is_some())?;
                    }
                }
                () = heard.pieces.flooded() => return Err(ToolError::flooded()),
                answer = &mut answer => return Ok((answer, heard.joined()?)),
            }
        }
    }

    /// Waits for the outcome of a call that goes on; nothing when it is not wanted any more.
    pub(super) async fn outcome(
        &mut self,
        is_it: &impl Fn(&Message) -> bool,
        cancel: &CancellationToken,
    ) -> Option<Message> {
        let frames = self.outcome.as_mut()?;
        loop {
            let frame = cancel.run_until_cancelled(frames.recv()).await??;
            if frame.cut.is_none() && is_it(&frame.message) {
                return Some(frame.message);
            }
        }
    }
}

impl Heard {
    fn take(&mut self, frame: &Message, is_cut: bool) -> Result<(), ToolError> {
        self.frames += 1;
        if is_cut || self.frames > MOST_FRAMES {
            return Err(ToolError::flooded());
        }
        let number = frame.data.get("number").and_then(Value::as_u64);
        let text = frame.data.get("text").and_then(Value::as_str);
        let (Some(number), Some(text)) = (number, text) else {
            return Ok(());
        };
        self.is_broken |= number > self.next;
        if number == self.next && !self.is_broken {
            self.next += 1;
            self.pieces.tell(text);
        }
        Ok(())
    }

    /// All pieces; nothing where none was told.
    fn joined(&self) -> Result<Option<String>, ToolError> {
        if self.is_broken {
            let message = "a part of what the tool told was lost on the way";
            return Err(ToolError::reply("ConnectionError", message));
        }
        let joined = self.pieces.joined();
        Ok((!joined.is_empty()).then_some(joined))
    }
}
