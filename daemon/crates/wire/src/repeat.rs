//! Frames that are sent again because it is not known whether the bus relayed them before it died.
//!
//! Such a frame is what it was the first time, but for a key at the end of its context with the milliseconds since then.
//! So a client that has heard the first can tell that this is no new event; peers that do not know the key carry it on like
//! any other, and a frame that merely inherits it repeats nothing.

use std::time::Duration;

use crate::context::REPEATED;

/// Writes a frame as it goes out once more, so long after the first time.
#[must_use]
pub fn repeated(first: &str, age: Duration) -> String {
    let Some(head) = first.strip_suffix("}}") else {
        return first.to_owned();
    };
    let comma = if head.ends_with('{') { "" } else { "," };
    let age = age.as_millis();
    format!("{head}{comma}\"{REPEATED}\":{age}}}}}")
}

/// Gives the text of a repeated frame as it was the first time, and how long ago that was; it is nothing for
/// any other frame.
pub fn first_of(text: &str) -> Option<(String, Duration)> {
    let marked = text.strip_suffix("}}")?;
    let head = marked.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let age = marked.get(head.len()..)?.parse().ok()?;
    let head = head
        .strip_suffix("\":")?
        .strip_suffix(REPEATED)?
        .strip_suffix('"')?;
    let head = head.strip_suffix(',').unwrap_or(head);
    Some((format!("{head}}}}}"), Duration::from_millis(age)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Message;

    const AGE: Duration = Duration::from_millis(1500);

    #[test]
    fn a_repeated_frame_is_the_same_message_and_leads_back_to_the_first() {
        let mut message = Message::new("test.topic", json!({"deep": {"er": {}}}));
        for _ in 0..2 {
            let first = message.to_text();
            let again = repeated(&first, AGE);
            assert_eq!(first_of(&again), Some((first.clone(), AGE)));
            assert_eq!(first_of(&first), None);
            let mut heard = Message::parse(&again).unwrap();
            assert_eq!(heard.context.remove(REPEATED), Some(json!(1500)));
            assert_eq!(heard, message);
            // The second time with a context that is not empty and ends in an object.
            message
                .context
                .insert("session", json!({"session_id": "x", "n": {"a": 1.5}}));
        }
    }

    #[test]
    fn what_is_derived_from_a_repeated_frame_repeats_nothing() {
        let first = Message::new("test.topic", json!({})).to_text();
        let heard = Message::parse(&repeated(&first, AGE)).unwrap();
        let answer = heard.reply("test.topic.response", json!({}));
        assert_eq!(first_of(&answer.to_text()), None);
    }

    #[test]
    fn other_texts_are_no_repetition() {
        for text in [
            "",
            "}}",
            "12}}",
            r#""_loquat_repeated":}}"#,
            r#"{"_loquat_repeated":7}"#,
            "ü}}",
        ] {
            assert_eq!(first_of(text), None, "{text}");
        }
        assert_eq!(repeated("no frame", AGE), "no frame");
    }
}
