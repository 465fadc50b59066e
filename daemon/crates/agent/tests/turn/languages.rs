//! The language of a turn: what the brain is told of it, and what holds a small one to it.

use loquat_agent::brain::Role;
use loquat_agent::record::Reason;
use serde_json::Value;

use crate::brain::{act, done, say};
use crate::support::Stage;
use crate::tools::{Tools, add};

fn tools() -> Tools {
    Tools::new([add()])
}

#[tokio::test(start_paused = true)]
async fn persona_language_and_units_reach_the_brain_once() {
    let mut stage = Stage {
        tools: tools(),
        ..Stage::react([act("add", r#"{"a": 2, "b": 3}"#), done("Cinco.")])
    };
    stage.question.persona_prompt = "You are Ziggy the robot.".into();
    stage.question.lang = Some("pt-PT".into());
    stage.question.units = Some("imperial".into());
    let played = stage.play().await;
    for request in &played.requests {
        let system: Vec<_> = request
            .messages
            .iter()
            .filter(|message| message.role == Role::System)
            .collect();
        assert_eq!(system.len(), 1);
        assert_eq!(system[0].content.matches("You are Ziggy the robot.").count(), 1);
        assert!(system[0].content.contains("Portuguese (pt-PT)"));
        let told = "Give measures in imperial units.\nWhat is 2 plus 3?";
        assert_eq!(request.messages[1].content, told);
    }
    // A prompt cache needs an unchanging prefix.
    let first = &played.requests[0].messages;
    assert_eq!(&played.requests[1].messages[..first.len()], &first[..]);
}

#[tokio::test(start_paused = true)]
async fn a_small_brain_names_the_language_before_it_answers_in_it() {
    let named = r#""language":{"const":"German"},"answer":"#;
    for (lang, names_it) in [("de-DE", true), ("DE", true), ("en-GB", false), ("tlh", false)] {
        for engine in ["ovos-react-loop", "ovos-self-ask-loop", "rewoo", "llm-compiler"] {
            let mut stage = Stage::of(
                engine,
                Value::Null,
                [say(
                    r#"{"thought": "x", "tool": "none", "language": "German", "answer": "Fünf."}"#,
                )],
            )
            .constrained();
            stage.tools = tools();
            stage.question.lang = Some(lang.into());
            let played = stage.play().await;
            assert_eq!(played.end(), (Reason::Answered, "Fünf."), "{engine}");
            let schema = played.requests[0].response_schema.as_ref().expect("a schema");
            assert_eq!(
                schema.to_string().contains(named),
                names_it,
                "{engine} {lang}: {schema}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_small_brain_is_shown_how_to_decline_in_the_persons_language() {
    let wrong = r#"{"thought": "x", "tool": "add", "arguments": {"a": 2}}"#;
    let none = r#"{"thought": "x", "tool": "none", "language": "German", "answer": "Nein."}"#;
    for (lang, apology) in [
        ("de-AT", "Das kann ich leider nicht."),
        ("fi-FI", "I'm sorry, I cannot do that."),
    ] {
        let mut stage = Stage::json([say(wrong), say(none)]);
        stage.tools = tools();
        stage.question.lang = Some(lang.into());
        let played = stage.play().await;
        let instructions = &played.requests[0].messages[0].content;
        assert!(
            instructions.contains(&format!("\"answer\": \"{apology}\"")),
            "{instructions}"
        );
        let names_it = instructions.contains("\"language\": \"German\", \"answer\"");
        assert_eq!(names_it, lang == "de-AT", "{instructions}");
        assert!(played.last_shown().ends_with(apology), "{}", played.last_shown());
    }
}
