//! Spans of a turn that was told event by event.

use std::sync::Arc;
use std::time::Duration;

use loquat_agent::brain::Usage;
use loquat_agent::event::Event;
use loquat_agent::record::Reason;
use loquat_part::events::News;
use serde_json::{Map, Value, json};

use super::otlp;
use super::spans::{Span, Spans};

const SECRET: &str = "my heart is broken";

fn told(content: bool) -> Vec<Span> {
    let mut spans = Spans::new(content);
    let elapsed = Duration::from_millis(20);
    let arguments = Arc::new(Map::from_iter([("fact".to_owned(), Value::from(SECRET))]));
    let events = [
        Event::TurnStarted {
            utterance: SECRET.to_owned(),
            engine: "ovos-react-loop".to_owned(),
        },
        Event::BrainAsked {
            step: 1,
            brain: "tiny".to_owned(),
            prompt_tokens: 9,
        },
        Event::BrainReplied {
            step: 1,
            elapsed,
            usage: Usage {
                prompt_tokens: 9,
                completion_tokens: 4,
                ..Usage::default()
            },
        },
        Event::ToolCalled {
            step: 1,
            call_id: "1".to_owned(),
            toolbox_id: "box".to_owned(),
            tool: "remember".to_owned(),
            arguments,
        },
        Event::ToolReturned {
            step: 1,
            call_id: "1".to_owned(),
            tool: "remember".to_owned(),
            ok: true,
            observation: SECRET.into(),
            elapsed,
        },
        Event::BrainAsked {
            step: 2,
            brain: "tiny".to_owned(),
            prompt_tokens: 9,
        },
        Event::TurnEnded {
            reason: Reason::Deadline,
            answer: SECRET.to_owned(),
            elapsed: elapsed * 3,
        },
    ];
    let news = events.map(|event| News {
        session_id: "default".into(),
        turn_id: "t".into(),
        persona: "Tester".into(),
        event,
    });
    news.iter().flat_map(|news| spans.take(news)).collect()
}

#[test]
fn a_turn_is_a_tree_of_spans_with_the_names_of_the_conventions() {
    let spans = told(false);
    let names: Vec<&str> = spans.iter().map(|span| span.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "chat tiny",
            "execute_tool remember",
            "chat tiny",
            "invoke_agent Tester"
        ]
    );
    let root = spans.last().unwrap();
    assert!(spans.iter().all(|span| span.trace == root.trace));
    assert!(spans[..3].iter().all(|span| span.parent == Some(root.id)));
    let failed: Vec<bool> = spans.iter().map(|span| span.failed).collect();
    assert_eq!(failed, [false, false, true, true], "the last call was cut off");
    let body = otlp::request(&spans);
    let first = &body["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
    assert_eq!(first["traceId"].as_str().unwrap().len(), 32);
    let tokens = json!({"key": "gen_ai.usage.input_tokens", "value": {"intValue": "9"}});
    assert!(
        first["attributes"].as_array().unwrap().contains(&tokens),
        "{first}"
    );
}

#[test]
fn what_people_said_goes_along_only_where_the_settings_say_so() {
    assert!(!otlp::request(&told(false)).to_string().contains(SECRET));
    let with_content = otlp::request(&told(true)).to_string();
    assert_eq!(with_content.matches(SECRET).count(), 4, "{with_content}");
}

#[test]
fn turns_that_never_end_do_not_pile_up() {
    let mut spans = Spans::new(false);
    for turn in 0..10_000 {
        let event = Event::TurnStarted {
            utterance: String::new(),
            engine: String::new(),
        };
        let (session_id, turn_id) = ("s".into(), turn.to_string().into());
        let persona = "p".into();
        spans.take(&News {
            session_id,
            turn_id,
            persona,
            event,
        });
    }
    assert!(format!("{spans:?}").len() < 400_000);
}
