//! The sentences that a small brain is shown as the device's own are understood, and what was said before is shown in plain words.

use loquat_agent::Speaker;
use loquat_agent::record::Reason;
use loquat_agent::restated::sentences;
use loquat_agent::turn::IntendedCall;
use serde_json::json;

use super::*;
use crate::reply::Reply;
use crate::spoken_tools::{InConversation, LastSaid};

#[test]
fn what_a_brain_is_shown_is_understood() {
    let spoken = spoken_at_home();
    let shown = sentences("en").into_iter();
    let strange: Vec<String> = shown
        .filter(|sentence| spoken.recognise(sentence, "en").is_none())
        .collect();
    assert_eq!(strange, Vec::<String>::new());
}

/// What is known behind a sentence that asks for this.
fn behind(spoken: &Arc<SpokenTools>, text: &str) -> (IntendedCall, InConversation) {
    let found = spoken.recognise(text, "en").expect("an intent");
    let wanted = spoken.call(&found.intent_name, text, "en").expect("a call");
    let reply = Reply::instead(Reason::Answered, "");
    let last = LastSaid::of(&wanted, text, "en", &Speaker::Owner, &reply).map(Arc::new);
    (wanted.call, InConversation::new(Arc::clone(spoken), last))
}

#[test]
fn what_was_said_before_is_told_in_plain_words_that_mean_the_same() {
    let spoken = Arc::new(spoken());
    for text in [
        "nine minutes for the spaghetti please",
        "wake me tomorrow at seven",
        "we need milk and eggs",
        "what's the weather going to be like in Oslo on Sunday",
        "how many inches in a metre",
        "could you skip this song",
    ] {
        let (call, conversation) = behind(&spoken, text);
        let plain = conversation.plainly_before("en").expect("a sentence");
        let again = InConversation::new(Arc::clone(&spoken), None).restated(&plain, text, "en");
        let mut again = again.unwrap_or_else(|| panic!("{text}: {plain}")).call;
        // The list that is meant where none is named is called by its name in plain words.
        if !call.arguments.contains_key("list") {
            again.arguments.remove("list");
        }
        assert_eq!(
            (again.tool, again.arguments),
            (call.tool, call.arguments),
            "{text}: {plain}"
        );
    }
}

#[test]
fn times_and_days_are_those_that_a_person_said() {
    let spoken = Arc::new(spoken());
    let conversation = InConversation::new(Arc::clone(&spoken), None);
    for (said, sentence, arguments) in [
        (
            "the vet can only take us tomorrow at ten to five in the afternoon, so nudge me then",
            "remind me to take us to the vet at ten to five in the afternoon",
            json!({"text": "take us to the vet", "time": "ten to five in the afternoon", "date": "tomorrow"}),
        ),
        (
            "better let it ring at twenty past six",
            "wake me at six",
            json!({"time": "twenty past six"}),
        ),
        ("up at six please", "wake me at six", json!({"time": "six"})),
    ] {
        let call = conversation
            .restated(sentence, said, "en")
            .unwrap_or_else(|| panic!("{said}"))
            .call;
        assert_eq!(json!(call.arguments), arguments, "{said}");
    }
}

#[test]
fn a_sentence_that_lacks_something_is_none() {
    let spoken = Arc::new(spoken());
    let conversation = InConversation::new(Arc::clone(&spoken), None);
    for sentence in [
        "remind me to tell the time",
        "wake me",
        "set a timer called church",
    ] {
        assert_eq!(
            conversation.restated(sentence, sentence, "en"),
            None,
            "{sentence}"
        );
    }
}
