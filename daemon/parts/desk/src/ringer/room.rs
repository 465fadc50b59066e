//! Whether the room of the device is free: no person is being answered there, and nothing is spoken. What a persona says of its own
//! accord waits for that. Speaks nothing.

use std::time::Duration;

use loquat_wire::{Message, topic};
use tokio::time::Instant;

/// What has not ended after so long will not be told to end.
const LONGEST: Duration = Duration::from_secs(120);

/// What goes on in the room of the device.
#[derive(Debug, Default)]
pub(super) struct Room {
    answered: Option<Instant>,
    speaking: Option<Instant>,
}

impl Room {
    /// Takes in what begins or ends there.
    pub(super) fn hear(&mut self, topic: &str, message: &Message) {
        if !message.context.session().is_default() {
            return;
        }
        let now = Instant::now();
        match topic {
            topic::UTTERANCE_HANDLE => self.answered = Some(now),
            topic::UTTERANCE_HANDLED => self.answered = None,
            topic::AUDIO_OUTPUT_STARTED => self.speaking = Some(now),
            topic::AUDIO_OUTPUT_ENDED => self.speaking = None,
            _ => {}
        }
    }

    /// Whether nothing goes on there.
    pub(super) fn is_free(&self) -> bool {
        let mut since = [self.answered, self.speaking].into_iter().flatten();
        since.all(|since| since.elapsed() > LONGEST)
    }
}
