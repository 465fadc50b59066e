//! What the bus is told of a turn beside its answer, and in which topics.

use std::fs;
use std::path::Path;
use std::time::Duration;

use loquat_tests::brain::{Delivery, Reply};
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::turn::{HANDLED, Turn, Utterance};
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER};

const RESULT: &str = "loquat.turn.result";
const EVENT: &str = "loquat.turn.event";

/// The setting with which events are told.
const EVENTS_TOLD: (&str, &str) = ("bus.reports", "\"events\"");

async fn two_steps(key: &str, value: &str) -> (Story, Turn, Vec<Value>) {
    let home = Home::without_bus();
    home.setting(key, value);
    let scene = Scene::at(home);
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.script([
        Reply::says(
            "Thought: I have to add.\nAction: evaluate_expression\nAction Input: {\"expression\": \"2+2\"}",
        ),
        Reply::answers("It is **4**."),
    ]);
    let mark = story.probe.mark();
    let turn = Utterance::new("What is two and two?").ask(&story.probe).await;
    let events = if (key, value) == EVENTS_TOLD {
        story.events(mark).await
    } else {
        let mut frames = story.probe.recording().since(mark);
        frames.retain(|frame| frame.topic == EVENT);
        frames
    };
    let events = events.into_iter().map(|frame| frame.data);
    (story, turn, events.collect())
}

#[tokio::test]
async fn a_turn_tells_how_it_came_out_between_its_answer_and_its_end() {
    let (_story, turn, events) = two_steps("bus.reports", "\"result\"").await;
    let topics = turn.topics();
    let place = |topic: &str| topics.iter().position(|other| *other == topic);
    assert!(
        place("ovos.utterance.speak") < place(RESULT) && place(RESULT) < place(HANDLED),
        "{topics:?}"
    );
    let result = &turn.frame(RESULT).data;
    assert_eq!(result["answer"], turn.answer(), "{result}");
    for (key, value) in [
        ("termination_reason", json!("answered")),
        ("success", json!(true)),
        ("iterations", json!(2)),
        ("brain_calls", json!(2)),
        ("success_count", json!(1)),
        ("engine", json!("ovos-react-loop")),
        ("persona_id", json!(TESTER)),
        ("plan", json!([])),
    ] {
        assert_eq!(result[key], value, "{key}: {result}");
    }
    let call = &result["results"][0];
    assert_eq!(
        (&call["tool"], &call["success"]),
        (&json!("evaluate_expression"), &json!(true))
    );
    assert_eq!(call["arguments"], json!({"expression": "2+2"}));
    assert_eq!(result["steps"][0]["calls"], json!([call["call_id"]]));
    assert!(
        result["seconds"].as_f64() > Some(0.0) && result["tokens"]["prompt"].is_u64(),
        "{result}"
    );
    assert_eq!(events, Vec::<Value>::new());
    let chapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../daemon/book/src/messages.md");
    let chapter = fs::read_to_string(chapter).unwrap();
    let told = chapter.lines().find(|line| line.contains(RESULT)).unwrap();
    for key in result.as_object().unwrap().keys() {
        let words = told.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
        assert!(
            words.clone().any(|word| word == key),
            "the book lacks {key}: {told}"
        );
    }
}

#[tokio::test]
async fn whoever_wants_the_events_gets_thoughts_before_calls_and_the_answer_last() {
    let (_story, turn, events) = two_steps(EVENTS_TOLD.0, EVENTS_TOLD.1).await;
    let names: Vec<&str> = events
        .iter()
        .filter_map(|event| event["event"].as_str())
        .collect();
    let first = |name: &str| names.iter().position(|other| *other == name);
    assert_eq!(
        (first("turn_started"), names.last()),
        (Some(0), Some(&"turn_ended")),
        "{names:?}"
    );
    assert!(
        first("reply_delta") < first("thought") && first("thought") < first("tool_called"),
        "{names:?}"
    );
    assert!(first("tool_called") < first("tool_returned"), "{names:?}");
    let turn_id = &turn.frame(RESULT).data["turn_id"];
    assert!(
        events.iter().all(|event| event["turn_id"] == *turn_id),
        "{events:?}"
    );
    let ended = events.last().unwrap();
    assert!(ended["elapsed"].as_f64() > Some(0.0), "{ended}");
    assert_eq!(
        (turn.answer(), &ended["answer"]),
        ("It is 4.", &json!("It is 4."))
    );
}

/// The pieces of the answer that were told, and how many of them before the reply was complete.
fn told(events: &[Value]) -> (String, usize) {
    let (mut told, mut early, mut open) = (String::new(), 0, true);
    for event in events {
        match event["event"].as_str() {
            Some("answer_delta") => {
                told.push_str(event["text"].as_str().unwrap());
                early += usize::from(open);
            }
            Some("answer_voided") => told.clear(),
            Some("brain_asked") => open = true,
            Some("brain_replied") => open = false,
            _ => {}
        }
    }
    (told, early)
}

/// Asks once in a session of its own, and gives the answer and what was told of it meanwhile.
async fn listened(story: &Story, session: &str, replies: Vec<Reply>) -> (String, String, usize) {
    story.script(replies);
    let mark = story.probe.mark();
    let turn = Utterance::new("How is it in Köln?")
        .in_session(session)
        .ask(&story.probe)
        .await;
    let events = story.events(mark).await;
    let events: Vec<Value> = events.into_iter().map(|frame| frame.data).collect();
    let (told, early) = told(&events);
    (turn.answer().to_owned(), told, early)
}

#[tokio::test]
async fn the_pieces_of_an_answer_are_what_is_spoken_however_the_stream_is_cut() {
    let scene = Scene::default();
    scene.home.setting("bus.reports", "\"events\"");
    let tester = scene.tester().brain("retries", json!(2));
    let story = scene.play(&tester).await;
    let words = "Grüße aus Köln! Es ist 3,5 Grad. 🦀 läuft. はい。 Dann ist **alles** gut. Ende.";
    let spoken = words.replace("**", "");
    let text = || Reply::says(format!("Thought: Hm. Ja.\nFINAL_ANSWER: {words}")).delivered(Delivery::Pieces);
    let action = json!({"final_answer": words, "tool": null, "inputs": {}});
    for (name, replies, early) in [
        (
            "byte by byte",
            vec![text().delivered(Delivery::Dripping(Duration::from_micros(200)))],
            true,
        ),
        ("in pieces", vec![text()], true),
        (
            "in JSON",
            vec![Reply::says(format!("Thought: Hm. Ja.\nAction: {action}")).delivered(Delivery::Pieces)],
            true,
        ),
        (
            "broken off",
            vec![text().delivered(Delivery::CutInHalf), text()],
            true,
        ),
        (
            "after a call",
            vec![
                Reply::acts("evaluate_expression", &json!({"expression": "7/2"})),
                text(),
            ],
            true,
        ),
        ("at once", vec![text().delivered(Delivery::Whole)], false),
        (
            "without a mark",
            vec![Reply::says(words).delivered(Delivery::Pieces)],
            false,
        ),
    ] {
        let (answer, told, count) = listened(&story, name, replies).await;
        assert_eq!(
            (answer.as_str(), told.as_str()),
            (spoken.as_str(), spoken.as_str()),
            "{name}"
        );
        assert_eq!(count > 0, early, "{name}");
    }
    // What we say in the place of an answer is none.
    let gone = vec![text().delivered(Delivery::CutInHalf); 3];
    let (answer, told, _) = listened(&story, "gone", gone).await;
    assert_eq!(told, "");
    crate::story::assert_sentence(&answer);
}

#[tokio::test]
async fn nothing_is_told_where_nobody_wants_it() {
    let (_story, turn, events) = two_steps("bus.reports", "\"nothing\"").await;
    assert!(!turn.topics().contains(&RESULT) && events.is_empty());
    assert_eq!(turn.answer(), "It is 4.");
}

#[tokio::test]
async fn one_vocabulary_is_spoken_where_one_is_wanted_and_both_are_heard() {
    for (compat, answer, silent) in [
        ("\"legacy\"", "speak", "ovos.utterance.speak"),
        ("\"spec\"", "ovos.utterance.speak", "speak"),
    ] {
        let (story, turn, _) = two_steps("bus.compat", compat).await;
        assert_eq!(turn.answer(), "It is 4.", "{compat}");
        let topics = turn.topics();
        assert!(
            topics.contains(&answer) && !topics.contains(&silent),
            "{compat}: {topics:?}"
        );
        let marked = |frame: &Frame| frame.context["_namespace_compat_twin"] == true;
        assert!(!turn.frames.iter().any(marked), "{compat}");
        story.script([Reply::answers("Yes.")]);
        let canonical = Utterance::new("Are you there?")
            .canonical()
            .ask(&story.probe)
            .await;
        assert_eq!(canonical.answer(), "Yes.", "{compat}");
    }
}
