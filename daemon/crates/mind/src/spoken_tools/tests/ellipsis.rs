//! Second sentences: what they mean behind a first one, in six languages, and that no other words are taken for one.

mod anew;
mod both;
mod recalled;
mod reworded;
mod talks;
mod unrelated;

use std::sync::Arc;
use std::time::Duration;

use loquat_agent::Speaker;
use loquat_agent::record::Reason;
use loquat_agent::turn::IntendedCall;
use loquat_orchestrator::search::ToolIntents;
use serde_json::{Value, json};

use self::anew::ANEW;
use self::both::BOTH;
use self::recalled::RECALLED;
use self::reworded::REWORDED;
use self::talks::TALKS;
use self::unrelated::UNRELATED;
use super::pack::with_pack;
use super::spoken;
use crate::reply::{Reply, Undoable};
use crate::spoken_tools::{InConversation, LastSaid, SpokenTools, Wanted};

/// What takes a call back here.
fn taking_back(wanted: &Wanted) -> Undoable {
    let toolbox_id = wanted.done().map(|call| call.toolbox_id.clone());
    Undoable {
        call: IntendedCall {
            toolbox_id: toolbox_id.unwrap_or_default(),
            tool: "take_back".to_owned(),
            undoes: true,
            ..IntendedCall::default()
        },
        deed: "deed".to_owned(),
    }
}

/// What is known behind a sentence that asks for this; each deed can be taken back.
fn behind(spoken: &SpokenTools, wanted: &Wanted, (text, lang): (&str, &str)) -> Option<Arc<LastSaid>> {
    let acts = wanted.done().is_some_and(|call| spoken.acts(call.clone()));
    let reply = Reply {
        undo: acts.then(|| taking_back(wanted)),
        ..Reply::instead(Reason::Answered, "")
    };
    LastSaid::of(wanted, text, lang, &Speaker::Owner, &reply).map(Arc::new)
}

/// What the last of these sentences asks for, said one after the other, and what is known behind it.
fn said(
    spoken: &Arc<SpokenTools>,
    lang: &str,
    sentences: &[&str],
) -> (Option<Wanted>, Option<Arc<LastSaid>>) {
    let (mut last, mut asked) = (None, None);
    for text in sentences {
        let before: Option<Arc<LastSaid>> = last.take();
        let tools = InConversation::new(Arc::clone(spoken), before.clone());
        let found = tools.recognise(text, lang);
        asked = found.and_then(|found| tools.call(&found.intent_name, text, lang));
        let now = asked
            .as_ref()
            .and_then(|wanted| behind(spoken, wanted, (text, lang)));
        last = now.map(|now| Arc::new(Arc::unwrap_or_clone(now).behind(before.as_ref())));
    }
    (asked, last)
}

/// The tool and the arguments, with what is taken back before.
fn told(wanted: &Wanted) -> Value {
    let calls = wanted.call.all().map(|call| {
        if call.undoes {
            json!("back")
        } else {
            json!([call.tool, call.arguments])
        }
    });
    calls.collect()
}

#[test]
fn second_sentences_mean_what_the_first_leaves_open() {
    let mut wrong = Vec::new();
    for spoken in [spoken(), with_pack()].map(Arc::new) {
        for (lang, sentences, expected) in TALKS
            .iter()
            .chain(RECALLED)
            .chain(REWORDED)
            .chain(ANEW)
            .chain(BOTH)
        {
            let (asked, _) = said(&spoken, lang, sentences);
            let asked = asked.map(|wanted| told(&wanted).to_string());
            if asked.as_deref().unwrap_or_default() != *expected {
                wrong.push((lang, sentences, asked));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn nothing_else_is_taken_for_a_second_sentence() {
    let spoken = Arc::new(spoken());
    let (mut count, mut caught) = (0, Vec::new());
    for (lang, firsts, texts) in UNRELATED {
        for first in *firsts {
            let (_, last) = said(&spoken, lang, &[first]);
            let tools = InConversation::new(Arc::clone(&spoken), Some(last.expect(first)));
            for text in *texts {
                let asked = tools.goes_on(text, lang);
                caught.extend(asked.map(|wanted| (first, text, told(&wanted).to_string())));
            }
        }
        count += texts.len();
    }
    assert!(caught.is_empty(), "{caught:#?}");
    assert!(count >= 160, "{count} sentences");
}

#[tokio::test(start_paused = true)]
async fn what_was_understood_serves_its_speaker_for_three_minutes() {
    let spoken = spoken();
    let (text, lang) = ("what time is it in Lima", "en");
    let wanted = spoken.call("clock.time_in", text, lang).expect("a call");
    let reply = Reply::instead(Reason::Answered, "");
    let last = LastSaid::of(&wanted, text, lang, &Speaker::Owner, &reply).expect("a reading");
    assert!(last.is_of(&Speaker::Owner) && !last.is_of(&Speaker::Program));
    assert_eq!(last.told(), r#"get_current_datetime {"timezone":"Lima"}"#);
    tokio::time::advance(Duration::from_secs(179)).await;
    assert!(last.is_of(&Speaker::Owner));
    tokio::time::advance(Duration::from_secs(2)).await;
    assert!(!last.is_of(&Speaker::Owner), "it is too old");
}

#[test]
fn a_deed_is_changed_behind_a_question_about_it() {
    let spoken = Arc::new(spoken());
    for (sentences, expected) in [
        (
            &[
                "wake me up at 7 tomorrow",
                "what alarms do I have",
                "no, half past six",
            ][..],
            json!(["back", ["set_alarm", {"time": "half past six", "date": "tomorrow"}]]),
        ),
        (
            &[
                "set a timer for 5 minutes",
                "how much time is left",
                "what timers do I have",
                "make it ten",
            ],
            json!(["back", ["set_timer", {"duration": "ten minutes"}]]),
        ),
        (
            &[
                "add milk to the shopping list",
                "what's on my shopping list",
                "not milk, bread",
            ],
            json!(["back", ["add_to_list", {"items": "bread", "list": "shopping list"}]]),
        ),
    ] {
        let asked = said(&spoken, "en", sentences).0;
        assert_eq!(asked.as_ref().map(told), Some(expected), "{sentences:?}");
    }
    // A question about something else comes between.
    let asked = said(
        &spoken,
        "en",
        &[
            "wake me up at 7 tomorrow",
            "what time is it in Lima",
            "no, half past six",
        ],
    )
    .0;
    assert_eq!(asked.as_ref().map(told), None);
}

#[test]
fn what_cannot_be_taken_back_is_asked_about_and_what_is_set_anew_is_not() {
    let spoken = Arc::new(spoken());
    let corrected = |first: &str, then: &str| {
        let wanted = said(&spoken, "en", &[first]).0.expect("a call");
        let reply = Reply::instead(Reason::Answered, "");
        let last = LastSaid::of(&wanted, first, "en", &Speaker::Owner, &reply).map(Arc::new);
        let tools = InConversation::new(Arc::clone(&spoken), last);
        tools.goes_on(then, "en").expect("a correction").call
    };
    let timer = corrected("set a timer for 5 minutes", "no, for the oven, 20 minutes");
    assert!(!timer.undoes && timer.further.is_empty());
    let list = corrected("add milk to the shopping list", "not milk, bread");
    assert!(list.is_guess && list.further.is_empty(), "it asks");
    let volume = corrected("set the volume to 30 percent", "no, 40");
    assert!(!volume.is_guess && volume.further.is_empty());
}

#[test]
fn a_sentence_with_two_wishes_and_a_guess_are_followed_by_nothing() {
    let spoken = Arc::new(spoken());
    for first in [
        "set a timer for 5 minutes and add milk to the shopping list",
        "set set a timer for five minutes",
    ] {
        let (asked, _) = said(&spoken, "en", &[first, "no, ten minutes"]);
        assert!(
            asked.is_none_or(|wanted| wanted.intent == "alerts.change_last"),
            "{first}"
        );
    }
}

#[test]
fn the_device_is_not_restarted_by_a_pronoun_for_another_thing() {
    let spoken = Arc::new(spoken());
    for first in [
        "set a timer for 5 minutes",
        "next song",
        "add milk to the shopping list",
    ] {
        let (_, last) = said(&spoken, "en", &[first]);
        let tools = InConversation::new(Arc::clone(&spoken), last);
        for text in ["restart it", "please restart that", "reboot it"] {
            let found = tools.recognise(text, "en").or_else(|| tools.guess(text, "en"));
            let intent = found.map(|found| found.intent_name).unwrap_or_default();
            assert!(!intent.starts_with("power"), "{first}: {text}: {intent}");
        }
    }
    let tools = InConversation::new(Arc::clone(&spoken), None);
    let guessed = tools.guess("restart it", "en").expect("the nearest sentence");
    assert_eq!(guessed.intent_name, "power.restart", "behind nothing");
}
