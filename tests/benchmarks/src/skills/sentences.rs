//! What people say most for each skill, through the daemon without a model: is it the right tool with the right arguments,
//! is a sentence said, and how long does that take?

use std::time::Duration;

use loquat_tests::frame::Frame;
use loquat_tests::turn::{HANDLED, Turn, Utterance};
use loquat_tests::wait::PATIENCE;
use serde_json::{Map, Value, json};

use super::entry::{Entry, LANGUAGES, Sentence};
use super::room::{NOT_UNDERSTOOD, Room};

/// What people say when the device asks whether it shall.
const YES: [(&str, &str); 6] = [
    ("en", "yes"),
    ("de", "ja"),
    ("fr", "oui"),
    ("es", "sí"),
    ("pt", "sim"),
    ("it", "sì"),
];

/// What came of the sentences of a skill in a language.
#[derive(Debug, Clone, Default)]
pub struct Heard {
    /// How many were said.
    pub asked: usize,
    /// How long those took that were understood.
    pub took: Vec<Duration>,
    /// What was wrong with the others.
    pub faults: Vec<String>,
}

/// Says all sentences of a skill in all languages, in their order, each language in a session of its own.
pub async fn say_all(room: &Room, entry: &Entry) -> [Heard; LANGUAGES.len()] {
    let mut heard: [Heard; LANGUAGES.len()] = Default::default();
    for (heard, (lang, tag)) in heard.iter_mut().zip(LANGUAGES) {
        for sentence in entry.sentences.get(lang).into_iter().flatten() {
            let session = format!("{}-{lang}", entry.name);
            let utterance = Utterance::new(&sentence.0)
                .in_session(&session)
                .session("lang", json!(tag));
            let turn = assented(room, &utterance, &session, tag).await;
            heard.asked += 1;
            match judged(&turn, sentence) {
                Ok(took) => heard.took.push(took),
                Err(fault) => heard
                    .faults
                    .push(format!("{} {lang}: {}: {fault}", entry.name, sentence.0)),
            }
        }
    }
    heard
}

/// Says a sentence, and yes where something is asked; all until its end.
async fn assented(room: &Room, utterance: &Utterance, session: &str, tag: &str) -> Turn {
    let mark = utterance.enter(&room.probe).await;
    let is_news = |frame: &Frame| {
        let asks = frame.topic == "speak" && frame.data["expect_response"] == true;
        frame.session_id() == session && (asks || frame.topic == HANDLED && utterance.owns(frame))
    };
    let news = room.probe.try_wait(mark, PATIENCE, is_news).await;
    if news.is_some_and(|news| news.topic != HANDLED) {
        let yes = YES
            .iter()
            .find(|(lang, _)| tag.starts_with(lang))
            .map(|(_, yes)| yes);
        let yes = Utterance::new(yes.unwrap_or(&"yes"))
            .in_session(session)
            .session("lang", json!(tag));
        yes.enter(&room.probe).await;
    }
    utterance.end(&room.probe, mark).await
}

/// How long it took until something was said, or what is wrong.
fn judged(turn: &Turn, Sentence(_, tool, arguments): &Sentence) -> Result<Duration, String> {
    let spoken = turn.spoken();
    let answer = spoken.last().map(|frame| frame.utterance()).unwrap_or_default();
    let result = turn
        .frames
        .iter()
        .find(|frame| frame.topic == "loquat.turn.result");
    let Some(result) = result.map(|frame| &frame.data) else {
        return Err(format!("no turn has ended; said was {answer:?}"));
    };
    if result["engine"] != "loquat-intent" || answer == NOT_UNDERSTOOD {
        return Err("no intent has understood it".to_owned());
    }
    let call = &result["results"][0];
    let told = || format!("{}({}): {answer:?}", call["tool"], call["arguments"]);
    if call["tool"] != json!(tool) || !is_equal(arguments, &call["arguments"]) {
        return Err(format!("it became {}", told()));
    }
    if call["success"] != true || answer.trim().is_empty() {
        return Err(format!("it came to nothing: {}", told()));
    }
    let first = |is: fn(&Frame) -> bool| turn.frames.iter().find(|frame| is(frame)).map(|frame| frame.seen);
    let times = first(Frame::is_entry).zip(first(Frame::is_speak));
    times
        .map(|(entered, said)| said - entered)
        .ok_or_else(|| "nothing was said".to_owned())
}

/// Whether a call has these arguments and no others. What is empty was not said; case does not count.
fn is_equal(wanted: &Map<String, Value>, had: &Value) -> bool {
    let had = had.as_object().cloned().unwrap_or_default();
    let said = |value: &Value| !value.is_null() && *value != json!("");
    let count = had.values().filter(|value| said(value)).count();
    count == wanted.len()
        && wanted
            .iter()
            .all(|(name, value)| had.get(name).is_some_and(|had| is_same(value, had)))
}

fn is_same(wanted: &Value, had: &Value) -> bool {
    match (wanted, had) {
        (Value::Number(wanted), Value::Number(had)) => wanted.as_f64() == had.as_f64(),
        (Value::String(wanted), Value::String(had)) => wanted.to_lowercase() == had.to_lowercase(),
        _ => wanted == had,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_have_to_be_all_that_was_said_and_no_more() {
        let wanted = json!({"place": "Paris", "value": 5});
        let wanted = wanted.as_object().expect("an object");
        assert!(is_equal(
            wanted,
            &json!({"place": "paris", "value": 5.0, "when": ""})
        ));
        assert!(!is_equal(wanted, &json!({"place": "Paris"})));
        assert!(!is_equal(wanted, &json!({"place": "Rome", "value": 5})));
        assert!(!is_equal(
            wanted,
            &json!({"place": "Paris", "value": 5, "when": "now"})
        ));
    }
}
