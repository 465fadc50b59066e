//! Keeps a conversation within the brain's window: watches how full it is, and has notes taken before it is too late.

use tokio::time::timeout;

use super::Turn;
use super::window::CROWDED;
use loquat_conversation::brain::{Asking, ChatRequest};
use loquat_conversation::conversation::Item;
use loquat_conversation::conversation::notes::{notes_in, room};
use loquat_conversation::event::Event;
use loquat_conversation::tokens::Size;

/// Notes may be taken so often in a turn ahead of time, and once more when the server complains.
const MOST_COMPACTIONS: u32 = 2;

impl Turn {
    /// The used share of the window with the conversation and perhaps one more item.
    pub(super) fn crowding(&mut self, more: Option<Item>) -> f64 {
        if self.resources.window.tokens().is_none() {
            return 0.0;
        }
        let speech = self.conversation.speech(self.capabilities());
        let messages = match more {
            Some(item) => self.conversation.messages_with(item, &speech),
            None => self.conversation.messages(&speech),
        };
        let size = self.ledger.scales.weigh(&ChatRequest {
            messages,
            ..ChatRequest::default()
        });
        let stays = self.staying();
        self.resources.window.fullness(size, stays)
    }

    /// What cannot be made smaller: instructions that list all tools of a device. They may fill most of a small window, and say
    /// nothing of how long a conversation has become.
    pub(super) fn staying(&mut self) -> Size {
        let mut messages = Vec::new();
        if self.catalogue.is_fitted() {
            let speech = self.conversation.speech(self.capabilities());
            messages.extend(self.conversation.messages(&speech).into_iter().next());
        }
        self.ledger.scales.weigh(&ChatRequest {
            messages,
            ..ChatRequest::default()
        })
    }

    /// Makes room ahead of time, if that was not done too often.
    pub(super) async fn make_room(&mut self) -> bool {
        self.ledger.compactions < MOST_COMPACTIONS && self.compact().await
    }

    /// Has notes taken of the older part of the conversation. Where there is none, or no notes are taken, or they are not
    /// enough, what is long is cut. False when nothing could be done.
    pub(super) async fn compact(&mut self) -> bool {
        self.ledger.compactions += 1;
        let before = self.crowding(None);
        let noted = self.note().await;
        let cut = (!noted || self.crowding(None) >= CROWDED) && self.conversation.shrink();
        if noted || cut {
            let after = self.crowding(None);
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
        let speech = self.conversation.speech(self.capabilities());
        let Some(request) = self
            .conversation
            .notes_request(room(self.resources.window.tokens()), &speech)
        else {
            return false;
        };
        // A person who waits for an answer must not wait for notes alone.
        let patience = self.ledger.spending.remaining() / 3;
        let size = self.ledger.scales.weigh(&request);
        let Ok(Ok(reply)) = timeout(patience, self.ask_once(&Asking::of(request), size, None)).await else {
            return false;
        };
        let notes = notes_in(&reply);
        if let Some(notes) = &notes {
            self.conversation.take_notes(notes);
        }
        notes.is_some()
    }
}
