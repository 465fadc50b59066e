//! How much of a registration is taken. Anybody on the bus may register anything, so everything that is kept has a
//! limit, and the log names what was refused. Sentences themselves are not logged.

use loquat_wire::Message;
use serde_json::Value;

/// Bytes of an id, a name, a language or the id of a session.
const NAME: usize = 256;

/// Sentences of an intent, words that exclude one, ways to say a keyword: a longer list gains nothing.
pub const SAMPLES: usize = 500;

/// Known values of a slot; these may be the stations of a radio.
pub const VALUES: usize = 5000;

/// Bytes of one sentence or value.
pub const LONGEST: usize = 500;

/// Keywords in one part of an intent, and groups of them.
pub const KEYWORDS: usize = 32;

/// Capabilities of one skill.
pub const CAPABILITIES: usize = 32;

/// What all that is kept may weigh together, as [`weight`] has it, with what compiled sentences hold.
pub const ALL: usize = 64 * 1024 * 1024;

/// Gives the part of one skill in something that there is so much of for all: whatever one registers, others
/// have room.
pub const fn share(all: usize) -> usize {
    all / 4
}

/// What a text costs beside its bytes: once as it was registered, once as it is compared.
const PER_TEXT: usize = 64;

/// The fields of a registration that are names.
const NAMES: [&str; 8] = [
    "skill_id",
    "name",
    "intent_name",
    "entity_name",
    "entity_type",
    "end",
    "lang",
    "alias_of",
];

/// Estimates the memory that texts need, in bytes.
pub fn weight<'a>(texts: impl IntoIterator<Item = &'a String>) -> usize {
    texts.into_iter().map(|text| text.len() + PER_TEXT).sum()
}

/// Weighs one text that is kept as its words.
pub fn weight_of_words(words: &[String]) -> usize {
    let letters: usize = words.iter().map(|word| word.len() + 1).sum();
    letters.saturating_sub(1) + PER_TEXT
}

/// Finds the field of a registration that is too long for a name, if there is one.
pub fn oversized(message: &Message) -> Option<&'static str> {
    let too_long = |field: &&&str| {
        let text = message.data.get(**field).and_then(Value::as_str);
        text.is_some_and(|text| text.len() > NAME)
    };
    if message.context.session_id().len() > NAME {
        return Some("session_id");
    }
    if message.context.skill_id().is_some_and(|id| id.len() > NAME) {
        return Some("skill_id");
    }
    NAMES.iter().find(too_long).copied()
}

/// Where in the registrations something stands, for the log.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// This skill registers it.
    pub owner: &'a str,
    /// The text stands in this field.
    pub field: &'a str,
}

/// Takes the texts of a list: at most so many, and none that is too long.
pub fn texts(value: Option<&Value>, most: usize, source: Source<'_>) -> Vec<String> {
    let listed = value.and_then(Value::as_array).into_iter().flatten();
    let listed: Vec<&str> = listed.filter_map(Value::as_str).collect();
    let short = listed.iter().filter(|text| text.len() <= LONGEST);
    let taken: Vec<String> = short.take(most).map(|text| (*text).to_owned()).collect();
    refused(listed.len() - taken.len(), source);
    taken
}

/// Takes the entries of a list.
pub fn entries<'a>(value: Option<&'a Value>, most: usize, source: Source<'_>) -> &'a [Value] {
    let listed = value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let taken = listed.get(..most).unwrap_or(listed);
    refused(listed.len() - taken.len(), source);
    taken
}

fn refused(count: usize, Source { owner, field }: Source<'_>) {
    if count > 0 {
        tracing::warn!(
            owner,
            field,
            count,
            "entries of a registration are not taken: too many or too long"
        );
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_and_names_have_a_limit() {
        let many = json!(["short", "x".repeat(LONGEST + 1), "other", "third", 7]);
        let source = Source {
            owner: "s",
            field: "samples",
        };
        assert_eq!(texts(Some(&many), 2, source), ["short", "other"]);
        assert_eq!(entries(Some(&many), 2, source).len(), 2);
        assert!(texts(Some(&json!("x")), 2, source).is_empty());
        let named = |name: usize| Message::new("x", json!({"skill_id": "x".repeat(name)}));
        assert_eq!(oversized(&named(NAME)), None);
        assert_eq!(oversized(&named(NAME + 1)), Some("skill_id"));
        let mut message = named(1);
        message
            .context
            .set_session(&loquat_wire::Session::named(&"x".repeat(NAME + 1)));
        assert_eq!(oversized(&message), Some("session_id"));
    }
}
