//! Keeps a conversation within the brain's window: watches how full it is, and has notes taken before it is too late.

use tokio::time::timeout;

use super::ask::Asked;
use super::exchange::Exchange;
use super::resources::Resources;
use super::window::CROWDED;
use super::work::Work;
use loquat_conversation::brain::{Asking, ChatRequest};
use loquat_conversation::conversation::Item;
use loquat_conversation::conversation::notes::{notes_in, room};
use loquat_conversation::event::Event;
use loquat_conversation::tokens::Size;

/// Notes may be taken so often in a turn ahead of time, and once more when the server complains.
const MOST_COMPACTIONS: u32 = 2;

impl Exchange {
    /// The used share of the window with the conversation and perhaps one more item.
    pub(super) fn crowding(&mut self, resources: &Resources, more: Option<Item>) -> f64 {
        if self.window.tokens().is_none() {
            return 0.0;
        }
        let speech = self.conversation.speech(resources.capabilities());
        let messages = match more {
            Some(item) => self.conversation.messages_with(item, &speech),
            None => self.conversation.messages(&speech),
        };
        let size = self.scales.weigh(&ChatRequest {
            messages,
            ..ChatRequest::default()
        });
        let stays = self.staying(resources);
        self.window.fullness(size, stays)
    }

    /// What cannot be made smaller: instructions that list all tools of a device. They may fill most of a small window, and say
    /// nothing of how long a conversation has become.
    pub(super) fn staying(&mut self, resources: &Resources) -> Size {
        let mut messages = Vec::new();
        if resources.catalogue.is_fitted() {
            let speech = self.conversation.speech(resources.capabilities());
            messages.extend(self.conversation.messages(&speech).into_iter().next());
        }
        self.scales.weigh(&ChatRequest {
            messages,
            ..ChatRequest::default()
        })
    }

    /// Makes room ahead of time, if that was not done too often.
    pub(super) async fn make_room(&mut self, resources: &Resources, work: &mut Work) -> bool {
        self.compactions < MOST_COMPACTIONS && self.compact(resources, work).await
    }

    /// Has notes taken of the older part of the conversation. Where there is none, or no notes are taken, or they are not
    /// enough, what is long is cut. False when nothing could be done.
    pub(super) async fn compact(&mut self, resources: &Resources, work: &mut Work) -> bool {
        self.compactions += 1;
        let before = self.crowding(resources, None);
        let noted = self.note(resources, work).await;
        let cut = (!noted || self.crowding(resources, None) >= CROWDED) && self.conversation.shrink();
        if noted || cut {
            let after = self.crowding(resources, None);
            resources.emit(&Event::ContextCompacted {
                step: work.ledger.step(),
                noted,
                before,
                after,
            });
        }
        noted || cut
    }

    async fn note(&mut self, resources: &Resources, work: &mut Work) -> bool {
        let speech = self.conversation.speech(resources.capabilities());
        let room = room(self.window.tokens());
        let Some(request) = self.conversation.notes_request(room, &speech) else {
            return false;
        };
        // A person who waits for an answer must not wait for notes alone.
        let patience = work.remaining() / 3;
        let size = self.scales.weigh(&request);
        let asked = Asked::new(Asking::of(request), size);
        let Ok(Ok(reply)) = timeout(patience, self.ask_once(resources, work, &asked, None)).await else {
            return false;
        };
        let notes = notes_in(&reply);
        if let Some(notes) = &notes {
            self.conversation.take_notes(notes);
        }
        notes.is_some()
    }
}
