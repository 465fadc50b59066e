//! The door of the desk: every frame that the desk reads passes here before anything else looks at it, and leaves no larger
//! than a person and a skill need. Anybody on the bus may send anything, and what a frame brings is copied into every frame
//! that is derived from it, into the journal and into memory.
//!
//! It looks at sizes alone; it never decides whose a frame is.

use std::time::Duration;

use loquat_bus::{Cut, MAX_READ_BYTES};
use loquat_orchestrator::registration;
use loquat_phrases::Phrases;
use loquat_wire::context::{DESTINATION, SESSION, SOURCE};
use loquat_wire::extent::{extent, shed};
use loquat_wire::{Message, Session};
use serde_json::{Map, Value};
use tokio::time::Instant;

/// Bytes of what is said at once, all hypotheses together.
const UTTERANCE: usize = 8 * 1024;

/// Hypotheses of one utterance.
const HYPOTHESES: usize = 16;

/// Bytes of a session.
pub(super) const LARGEST_SESSION: usize = 64 * 1024;

/// Bytes of the rest of a context.
const CONTEXT: usize = 16 * 1024;

/// Bytes of a payload. Registrations have limits of their own and are not kept as they come.
const PAYLOAD: usize = 16 * 1024;

/// Bytes of an id, and of where a frame comes from and goes to.
const ID: usize = 256;

/// Bytes of a list of them, which old peers send.
const ROUTES: usize = 1024;

/// How often the log tells of frames that were cut.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// Why nothing of a frame is believed but its topic and its ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Excess {
    /// It was larger than a client reads.
    Frame,
    /// It gave way to others in a flood.
    Flood,
    /// It came when the daemon ends.
    Leaving,
    /// Its session is too large or too deep, or has an id that is none.
    Session,
    /// What was said is too long.
    Utterance,
}

impl Excess {
    /// As the bus is told.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Frame => "too large: at most 1 MiB of a frame is read",
            Self::Flood => "busy: more came at once than is kept",
            Self::Leaving => "shutting down",
            Self::Session => "too large: at most 64 KiB of a session is read, 32 levels deep",
            Self::Utterance => "too long: at most 8 KiB of an utterance is read",
        }
    }

    /// As a person is told.
    pub(super) fn sentence(self, phrases: &Phrases) -> String {
        let limit = match self {
            Self::Flood => return phrases.busy.clone(),
            Self::Leaving => return phrases.shutting_down.clone(),
            Self::Frame => MAX_READ_BYTES,
            Self::Session => LARGEST_SESSION,
            Self::Utterance => UTTERANCE,
        };
        phrases.too_much(limit / 1024)
    }
}

impl From<Cut> for Excess {
    fn from(cut: Cut) -> Self {
        match cut {
            Cut::TooLarge => Self::Frame,
            Cut::Overload => Self::Flood,
        }
    }
}

/// The gate, and how many frames it has cut that the log does not tell of yet.
#[derive(Debug, Default)]
pub(super) struct Door {
    cut: u64,
    told: Option<Instant>,
}

impl Door {
    /// Cuts a frame to what it may be. With an excess there is nothing left in it but its topic and its ids.
    pub(super) fn pass(&mut self, canonical: &str, message: &mut Message) -> Option<Excess> {
        let (mut cut, excess) = bound_session(message);
        cut |= bound_routes(message);
        cut |= message.context.shed(CONTEXT);
        let said = bound_utterances(&mut message.data);
        if !registration::TOPICS.contains(&canonical) {
            cut |= shed(&mut message.data, PAYLOAD);
        }
        let excess = excess.or(said);
        if cut || excess.is_some() {
            self.tell(canonical, excess);
        }
        excess
    }

    fn tell(&mut self, canonical: &str, excess: Option<Excess>) {
        self.cut += 1;
        if self.told.is_none_or(|told| told.elapsed() >= TOLD_EVERY) {
            tracing::warn!(
                topic = canonical,
                ?excess,
                frames = self.cut,
                "frames on the bus are larger than what is taken, and were cut"
            );
            (self.cut, self.told) = (0, Some(Instant::now()));
        }
    }
}

fn bound_session(message: &mut Message) -> (bool, Option<Excess>) {
    let Some(carried) = message.context.get(SESSION) else {
        return (false, None);
    };
    let id = message.context.session_id();
    if id.len() > ID || extent(carried, LARGEST_SESSION).is_none() {
        // Of an id that is too long the rest would be that of another session; no session has this one.
        let id: String = id.chars().take(ID / 4).collect();
        message.context.set_session(&Session::named(&id));
        return (true, Some(Excess::Session));
    }
    let mut session = message.context.session();
    let cut = session.bound();
    if cut {
        message.context.set_session(&session);
    }
    (cut, None)
}

fn bound_routes(message: &mut Message) -> bool {
    let mut cut = false;
    for key in [SOURCE, DESTINATION] {
        let too_long = |value: &Value| match value {
            Value::String(text) => text.len() > ID,
            value => extent(value, ROUTES).is_none(),
        };
        if message.context.get(key).is_some_and(too_long) {
            message.context.remove(key);
            cut = true;
        }
    }
    cut
}

/// The best hypothesis has to fit; of the others as many are kept as fit beside it.
fn bound_utterances(data: &mut Map<String, Value>) -> Option<Excess> {
    let is_long = |value: &Value| value.as_str().is_some_and(|text| text.len() > UTTERANCE);
    let best = data.get("utterances").and_then(Value::as_array);
    let best = best.and_then(|texts| texts.iter().find(|text| has_words(text)));
    if best.is_some_and(is_long) || data.get("utterance").is_some_and(is_long) {
        data.remove("utterances");
        data.remove("utterance");
        return Some(Excess::Utterance);
    }
    let too_much = |texts: &Value| extent(texts, UTTERANCE).is_none();
    let too_many = |texts: &Value| texts.as_array().is_some_and(|texts| texts.len() > HYPOTHESES);
    let listed = data.get_mut("utterances");
    if let Some(Value::Array(texts)) = listed.filter(|texts| too_many(texts) || too_much(texts)) {
        let mut left = UTTERANCE;
        texts.retain(|text| {
            let length = text.as_str().filter(|_| has_words(text)).map(str::len);
            let fits = length.and_then(|length| left.checked_sub(length));
            left = fits.unwrap_or(left);
            fits.is_some()
        });
        texts.truncate(HYPOTHESES);
    }
    None
}

fn has_words(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use loquat_wire::topic;
    use serde_json::json;

    use super::*;

    fn passed(data: Value, context: Value) -> (Message, Option<Excess>) {
        let mut message = Message::new(topic::UTTERANCE_HANDLE, data);
        message.context = loquat_wire::object(context).into();
        let excess = Door::default().pass(topic::UTTERANCE_HANDLE, &mut message);
        (message, excess)
    }

    #[test]
    fn an_ordinary_frame_passes_as_it_is() {
        let (data, context) = (
            json!({"utterances": ["what time is it", "what dime is it"], "lang": "en-US"}),
            json!({"source": "audio", "destination": ["skills"], "session": {"session_id": "s", "zzz": [1]}, "k": 1}),
        );
        let (message, excess) = passed(data.clone(), context.clone());
        assert_eq!(excess, None);
        assert_eq!(Value::Object(message.data), data);
        assert_eq!(Value::Object(message.context.into()), context);
    }

    #[test]
    fn a_session_that_is_too_large_is_reduced_to_its_id() {
        let deep = (0..40).fold(json!(1), |inner, _| json!([inner]));
        for junk in [json!("x".repeat(LARGEST_SESSION)), deep] {
            let (message, excess) = passed(
                json!({"utterances": ["hi"]}),
                json!({"session": {"session_id": "kitchen", "junk": junk}}),
            );
            assert_eq!(excess, Some(Excess::Session));
            assert_eq!(
                message.context.get(SESSION),
                Some(&json!({"session_id": "kitchen"}))
            );
        }
        let (message, excess) = passed(json!({}), json!({"session": {"session_id": "ß".repeat(ID)}}));
        assert_eq!(excess, Some(Excess::Session));
        assert!(message.context.session_id().len() <= ID);
    }

    #[test]
    fn what_is_said_has_a_length_and_so_many_hypotheses() {
        let long = "a ".repeat(UTTERANCE / 2 + 1);
        for data in [
            json!({"utterances": [long]}),
            json!({"utterances": ["", long, "hi"]}),
            json!({"utterance": long}),
        ] {
            let (message, excess) = passed(data, json!({}));
            assert_eq!(excess, Some(Excess::Utterance));
            assert!(message.data.is_empty());
        }
        let (message, excess) = passed(json!({"utterances": ["hi", long, "ho"]}), json!({}));
        assert_eq!(
            (excess, &message.data["utterances"]),
            (None, &json!(["hi", "ho"]))
        );
        let many: Vec<String> = (0..100).map(|number| format!("number {number}")).collect();
        let (message, _) = passed(json!({"utterances": many}), json!({}));
        assert_eq!(
            message.data["utterances"].as_array().map(Vec::len),
            Some(HYPOTHESES)
        );
    }

    #[test]
    fn the_rest_of_a_frame_is_bounded_too() {
        let junk = "x".repeat(CONTEXT);
        let (message, excess) = passed(
            json!({"utterances": ["hi"], "junk": junk}),
            json!({"junk": junk, "source": "x".repeat(ID + 1), "destination": "skills", "session": {"session_id": "s"}}),
        );
        assert_eq!(excess, None);
        assert_eq!(Value::Object(message.data), json!({"utterances": ["hi"]}));
        assert_eq!(
            Value::Object(message.context.into()),
            json!({"destination": "skills", "session": {"session_id": "s"}})
        );
    }
}
