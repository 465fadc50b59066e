//! What came of things after their sentence was answered. A satellite asks and is answered, and cannot be called: so this
//! waits for what is said next in the conversation, or at the same device, and stands in front of that answer.
//!
//! Bounded in number and size; what nothing is said after any more is forgotten. Knows no bus and no peer.

use std::collections::VecDeque;

/// Outcomes that are kept for all conversations; the oldest give way.
const MOST: usize = 64;

/// Outcomes that are kept for one conversation, so that none takes the places of the others.
const MOST_OF_ONE: usize = 8;

/// An outcome is cut to this many bytes.
const LONGEST: usize = 2 * 1024;

/// Tells where a satellite is found again: by its conversation, and by its device where that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Whose {
    /// The id of the conversation's session.
    pub(super) session: String,
    /// The name of the device, which is told apart from others of the same machine.
    pub(super) device: Option<String>,
}

impl Whose {
    fn is(&self, other: &Self) -> bool {
        self.session == other.session || (self.device.is_some() && self.device == other.device)
    }
}

#[derive(Debug, Default)]
pub(super) struct Late(VecDeque<(Whose, String)>);

impl Late {
    /// Keeps what was said too late.
    pub(super) fn keep(&mut self, whose: Whose, text: &str) {
        let text = text.trim();
        if text.is_empty() || text.len() > LONGEST {
            return;
        }
        let of_one = |(other, _): &&(Whose, String)| whose.is(other);
        if self.0.iter().filter(of_one).count() >= MOST_OF_ONE {
            let oldest = self.0.iter().position(|(other, _)| whose.is(other));
            oldest.and_then(|oldest| self.0.remove(oldest));
        }
        if self.0.len() >= MOST {
            self.0.pop_front();
        }
        self.0.push_back((whose, text.to_owned()));
    }

    /// Takes what is to be said to this satellite now, in the order in which it came.
    pub(super) fn take(&mut self, whose: &Whose) -> Vec<String> {
        let (own, others): (VecDeque<_>, VecDeque<_>) =
            self.0.drain(..).partition(|(other, _)| whose.is(other));
        self.0 = others;
        own.into_iter().map(|(_, text)| text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whose(session: &str, device: Option<&str>) -> Whose {
        Whose {
            session: session.to_owned(),
            device: device.map(str::to_owned),
        }
    }

    #[test]
    fn it_waits_for_the_conversation_or_the_device_and_is_said_once() {
        let mut late = Late::default();
        late.keep(whose("a", Some("kitchen")), "Done.");
        late.keep(whose("a", None), "And this.");
        late.keep(whose("b", None), "Of others.");
        late.keep(whose("a", None), "  ");
        assert_eq!(late.take(&whose("c", None)), Vec::<String>::new());
        assert_eq!(late.take(&whose("c", Some("kitchen"))), ["Done."]);
        assert_eq!(late.take(&whose("a", Some("kitchen"))), ["And this."]);
        assert_eq!(late.take(&whose("a", Some("kitchen"))), Vec::<String>::new());
    }

    #[test]
    fn nothing_grows_and_none_takes_the_places_of_others() {
        let mut late = Late::default();
        late.keep(whose("quiet", None), "Done.");
        for number in 0..10 * MOST {
            late.keep(whose("loud", None), &number.to_string());
        }
        late.keep(whose("long", None), &"x".repeat(LONGEST + 1));
        assert_eq!(late.0.len(), MOST_OF_ONE + 1);
        assert_eq!(late.take(&whose("quiet", None)), ["Done."]);
        for number in 0..10 * MOST {
            late.keep(whose(&number.to_string(), None), "Done.");
        }
        assert_eq!(late.0.len(), MOST);
    }
}
