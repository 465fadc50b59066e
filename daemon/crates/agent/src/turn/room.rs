//! Keeps a conversation within the brain's window: watches how full it is, and has notes taken before it is too late.

use std::sync::Arc;

use tokio::time::timeout;

use super::Turn;
use crate::brain::{ChatMessage, ChatRequest, Usage};
use crate::context::gauge::{Gauge, Size};
use crate::context::notes::{notes_in, room};
use crate::event::Event;

/// From this share of the window on, room is made before the brain is asked.
const CROWDED: f64 = 0.8;

/// Notes may be taken so often in a turn ahead of time, and once more when the server complains.
const MOST_COMPACTIONS: u32 = 2;

impl Turn {
    /// How many tokens a request takes.
    pub(super) fn estimate(&self, size: &Size) -> u64 {
        self.gauge().estimate(size)
    }

    fn gauge(&self) -> Gauge {
        self.rules.standing().gauge(self.brain.name())
    }

    /// Takes in what the server counted. From an estimate nothing can be learned.
    pub(super) fn calibrate(&self, size: &Size, usage: Usage) {
        if usage.estimated {
            return;
        }
        self.rules.standing().change_gauge(self.brain.name(), |gauge| {
            gauge.observe(size, usage.prompt_tokens);
        });
    }

    /// Takes in that the server found a request too long.
    pub(super) fn was_too_long(&self, size: &Size) {
        self.rules
            .standing()
            .change_gauge(self.brain.name(), |gauge| gauge.too_long(size));
    }

    fn window(&self) -> Option<u64> {
        self.gauge().window(self.capabilities().context_tokens)
    }

    /// How full the window is with this request; zero while nobody knows how large it is.
    fn fullness(&self, size: &Size) -> f64 {
        self.window()
            .map_or(0.0, |window| self.estimate(size) as f64 / window as f64)
    }

    /// How full the window is with the conversation and these messages.
    pub(super) fn crowding(&mut self, more: &[ChatMessage]) -> f64 {
        if self.window().is_none() {
            return 0.0;
        }
        let mut messages = self.context.messages();
        messages.extend(more.iter().cloned().map(Arc::new));
        let size = self.scales.weigh(&ChatRequest {
            messages,
            ..ChatRequest::default()
        });
        self.fullness(&size)
    }

    /// Whether room has to be made before this is asked.
    pub(super) fn is_crowded(&self, size: &Size) -> bool {
        self.fullness(size) >= CROWDED
    }

    /// Makes room ahead of time, if that was not done too often.
    pub(super) async fn make_room(&mut self) -> bool {
        self.compactions < MOST_COMPACTIONS && self.compact().await
    }

    /// Has notes taken of the older part of the conversation. Where there is none, or nobody takes notes, or they are not
    /// enough, what is long is cut. False when nothing could be done.
    pub(super) async fn compact(&mut self) -> bool {
        self.compactions += 1;
        let before = self.crowding(&[]);
        let noted = self.note().await;
        let cut = (!noted || self.crowding(&[]) >= CROWDED) && self.context.shrink();
        if noted || cut {
            let after = self.crowding(&[]);
            self.emit(&Event::ContextCompacted {
                step: self.step(),
                noted,
                before,
                after,
            });
        }
        noted || cut
    }

    async fn note(&mut self) -> bool {
        let Some(request) = self.context.notes_request(room(self.window())) else {
            return false;
        };
        // Whoever waits for an answer must not wait for notes alone.
        let patience = self.spending.remaining() / 3;
        let size = self.scales.weigh(&request);
        let Ok(Ok(reply)) = timeout(patience, self.ask_once(&request, &size, None)).await else {
            return false;
        };
        let notes = notes_in(&reply);
        if let Some(notes) = &notes {
            self.context.take_notes(notes);
        }
        notes.is_some()
    }
}
