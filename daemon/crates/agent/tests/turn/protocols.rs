//! One turn over text, over constrained JSON and over native calls.

use loquat_agent::brain::{Capabilities, Role, Sampling, ToolChoice};
use loquat_agent::event::Event;
use loquat_agent::record::Reason;
use loquat_agent::toolbox::{Example, Tool};
use serde_json::{Value, json};

use crate::brain::{Step, act, call, done, say};
use crate::support::Stage;
use crate::tools::{Tools, add};

fn tools() -> Tools {
    Tools::new([add()])
}

#[tokio::test(start_paused = true)]
async fn text_has_stop_sequences_and_no_schema() {
    let played = Stage {
        tools: tools(),
        ..Stage::react([act("add", r#"{"a": 2, "b": 3}"#), done("5")])
    }
    .play()
    .await;
    for request in &played.requests {
        assert!(request.stop.contains(&"\nObservation:".to_owned()));
        assert!(request.response_schema.is_none() && request.tools.is_empty());
    }
    let conversation: Vec<&str> = played.requests[1].messages[2..]
        .iter()
        .map(|m| m.content.as_str())
        .collect();
    assert_eq!(
        conversation,
        [
            "Thought: I need a tool.\nAction: add\nAction Input: {\"a\":2,\"b\":3}",
            "Observation: {\"sum\":5.0}"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_plans_step_is_reminded_of_the_question_and_not_of_the_step() {
    let call = r#"{"thought": "sum", "tool": "add", "arguments": {"a": 2, "b": 3}}"#;
    let played = Stage {
        engine: "ovos-plan-execute-loop",
        tools: tools(),
        ..Stage::json([
            say(r#"{"thought": "two", "steps": [{"step": "Call add", "needs": []}]}"#),
            say(call),
            say(r#"{"thought": "done", "tool": "none", "answer": "5"}"#),
            say(r#"{"answer": "It is 5."}"#),
        ])
    }
    .play()
    .await;
    assert_eq!(played.ran.len(), 1, "{:?}", played.record);
    let shown = played.requests[2].messages.last().expect("a result");
    assert!(
        shown.content.ends_with("}\nThe person asked: What is 2 plus 3?"),
        "{}",
        shown.content
    );
}

#[tokio::test(start_paused = true)]
async fn json_steps_are_held_to_a_schema_that_thinks_first() {
    let step = say(r#"{"thought": "sum", "tool": "add", "arguments": {"a": 2, "b": 3}}"#);
    let played = Stage {
        tools: tools(),
        ..Stage::json([step, say(r#"{"thought": "done", "tool": "none", "answer": "5"}"#)])
    }
    .play()
    .await;
    assert_eq!((played.record.answer.as_str(), played.ran.len()), ("5", 1));
    // The question stands below the result, for models that would have forgotten it.
    assert!(
        played
            .last_shown()
            .ends_with("}\nThe person asked: What is 2 plus 3?"),
        "{}",
        played.last_shown()
    );
    let schema = played.requests[0].response_schema.as_ref().expect("a schema");
    let branches = schema["anyOf"].as_array().expect("branches");
    let keys = |branch: &Value| {
        branch["properties"]
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(
        branches.iter().map(keys).collect::<Vec<_>>(),
        [
            vec!["thought", "tool", "arguments", "last"],
            vec!["thought", "calls", "last"],
            vec!["thought", "tool", "answer"]
        ]
    );
    assert_eq!(
        branches[0]["properties"]["arguments"],
        json!({
            "type": "object",
            "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
            "required": ["a", "b"],
            "additionalProperties": false
        })
    );
    assert_eq!(
        played.requests[1].messages[2].content,
        r#"{"thought": "sum", "tool": "add", "arguments": {"a": 2, "b": 3}, "last": false}"#
    );
}

#[tokio::test(start_paused = true)]
async fn a_brain_that_acts_at_once_is_asked_for_no_thought_and_shown_none() {
    let stage = Stage::json([
        say(r#"{"tool": "add", "arguments": {"a": 2, "b": 3}, "last": false}"#),
        say(r#"{"tool": "none", "answer": "5"}"#),
    ]);
    let played = Stage {
        tools: tools(),
        capabilities: Capabilities {
            acts_at_once: true,
            ..stage.capabilities
        },
        ..stage
    }
    .play()
    .await;
    assert_eq!((played.record.answer.as_str(), played.ran.len()), ("5", 1));
    for request in &played.requests {
        let all = serde_json::to_string(request).expect("a request is JSON");
        assert!(!all.contains("thought"), "{all}");
    }
    assert_eq!(
        played.requests[1].messages[2].content,
        r#"{"tool": "add", "arguments": {"a": 2, "b": 3}, "last": false}"#
    );
    assert_eq!(
        played.requests[1].guess.as_deref(),
        Some(r#"{"tool": "none", "answer": ""#)
    );
}

#[tokio::test(start_paused = true)]
async fn a_worked_call_is_shown_before_the_first_step() {
    let (plain, deed) = add();
    let example = Example {
        question: "What are two and two?".to_owned(),
        thought: "This is a sum.".to_owned(),
        arguments: json!({"a": 2, "b": 2}),
        result: json!({"sum": 4}),
        answer: "Four.".to_owned(),
    };
    let worked = Tool {
        example: Some(example),
        ..plain.clone()
    };
    let expected = [
        (plain, "\"tool\": \"look_up\""),
        (worked, "\"tool\": \"add\", \"arguments\": {\"a\": 2, \"b\": 2}"),
    ];
    for (tool, shown) in expected {
        let played = Stage {
            tools: Tools::new([(tool, deed.clone())]),
            ..Stage::json([say(r#"{"thought": "done", "tool": "none", "answer": "5"}"#)])
        }
        .play()
        .await;
        let instructions = &played.requests[0].messages[0].content;
        assert!(instructions.contains(shown), "{instructions}");
    }
}

#[tokio::test(start_paused = true)]
async fn several_worked_calls_begin_and_end_the_examples() {
    let worked = |name: &str| {
        let (tool, deed) = add();
        let example = Example {
            question: format!("Will {name} do?"),
            thought: "x".to_owned(),
            arguments: json!({"a": 1, "b": 2}),
            result: json!({"sum": 3}),
            answer: "Three.".to_owned(),
        };
        let (name, example) = (name.to_owned(), Some(example));
        (
            Tool {
                name,
                example,
                ..tool
            },
            deed,
        )
    };
    let played = Stage {
        tools: Tools::new([worked("first"), worked("last")]),
        ..Stage::json([done("5")])
    }
    .play()
    .await;
    let instructions = &played.requests[0].messages[0].content;
    let (_, examples) = instructions.split_once("Examples:\n").expect("examples");
    assert!(examples.starts_with("Person: Will last do?"), "{examples}");
    let call = r#"{"thought": "x", "tool": "first", "arguments": {"a": 1, "b": 2}, "last": true}"#;
    let (_, end) = examples.split_once("Person: Will first do?\n").expect(examples);
    assert!(end.starts_with(call) && !end.contains("Observation"), "{end}");
}

#[tokio::test(start_paused = true)]
async fn no_wish_is_called_hopeless_that_a_tool_may_fulfil() {
    const HOPELESS: &str = "\"No tool books flights.\", \"tool\": \"none\"";
    for (description, expected) in [("Adds.", true), ("Books a Flight to a place.", false)] {
        let (tool, deed) = add();
        let described = Tool {
            description: description.to_owned(),
            ..tool
        };
        let played = Stage {
            tools: Tools::new([(described, deed)]),
            ..Stage::json([done("5")])
        }
        .play()
        .await;
        let instructions = &played.requests[0].messages[0].content;
        assert_eq!(instructions.contains(HOPELESS), expected, "{instructions}");
        assert!(instructions.contains("No tool calls taxis."), "{instructions}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_small_brain_is_told_what_to_do_about_a_failed_call() {
    let wrong = r#"{"thought": "x", "tool": "add", "arguments": {"a": 2}}"#;
    let none = r#"{"thought": "x", "tool": "none", "answer": "I cannot."}"#;
    for (stage, expected) in [
        (Stage::json([say(wrong), say(none)]), true),
        (
            Stage::react([act("add", r#"{"a": 2}"#), done("I cannot.")]),
            false,
        ),
    ] {
        let played = Stage {
            tools: tools(),
            ..stage
        }
        .play()
        .await;
        let shown = played.last_shown();
        assert_eq!(played.record.answer, "I cannot.");
        assert_eq!(
            shown.ends_with("I'm sorry, I cannot do that."),
            expected,
            "{shown}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_brain_that_runs_on_in_the_same_words_is_not_asked_to_mend_them_again() {
    let runs_on = |end: &str| {
        Step::Cut(format!(
            r#"{{"thought": "x", "tool": "add", "arguments": {{"a": 1{end}"#
        ))
    };
    for (second, calls) in [(runs_on("1"), 3), (runs_on("2"), 4)] {
        let played = Stage {
            tools: tools(),
            ..Stage::json([runs_on("1"), second, runs_on("3"), say(r#"{"answer": "5"}"#)])
        }
        .play()
        .await;
        assert_eq!(played.requests.len(), calls, "{:?}", played.record);
        let last = played.requests.last().expect("a request");
        assert_eq!(last.tool_choice, ToolChoice::None);
    }
}

#[tokio::test(start_paused = true)]
async fn the_closing_json_step_can_only_answer() {
    let step = say(r#"{"thought": "sum", "tool": "add", "arguments": {"a": 2, "b": 3}}"#);
    let stage = Stage {
        tools: tools(),
        settings: json!({"max_iterations": 1}),
        ..Stage::json([step, say(r#"{"thought": "x", "answer": "5"}"#)])
    };
    let played = stage.play().await;
    let schema = played.requests[1].response_schema.as_ref().expect("a schema");
    assert!(schema.get("anyOf").is_none() && schema["properties"].get("arguments").is_none());
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::MaxIterations, "5")
    );
}

#[tokio::test(start_paused = true)]
async fn every_form_is_understood_in_every_mode() {
    let forms = [
        "Action: add\nAction Input: {\"a\": 2, \"b\": 3}",
        "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}</tool_call>",
        "{\"thought\": \"x\", \"tool\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}",
        "{\"thought\": \"x\", \"call\": {\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}}",
    ];
    for form in forms {
        for stage in [
            Stage::react([say(form), done("5")]),
            Stage::json([say(form), done("5")]),
            Stage::native([say(form), done("5")]),
        ] {
            let played = Stage {
                tools: tools(),
                ..stage
            }
            .play()
            .await;
            assert_eq!(
                (played.record.answer.as_str(), played.ran.len()),
                ("5", 1),
                "{form}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn native_calls_are_answered_by_tool_messages() {
    let played = Stage {
        tools: tools(),
        ..Stage::native([call("add", r#"{"a": 2, "b": 3}"#), say("Five.")])
    }
    .play()
    .await;
    let messages = &played.requests[1].messages;
    let answered = messages.last().expect("an observation");
    assert_eq!(
        (
            answered.role,
            answered.tool_call_id.as_deref(),
            answered.name.as_deref()
        ),
        (Role::Tool, Some("call_1"), Some("add"))
    );
    assert_eq!(answered.content, r#"{"sum":5.0}"#);
    assert_eq!(played.requests[0].tools[0].name, "add");
}

#[tokio::test(start_paused = true)]
async fn a_native_call_in_the_content_becomes_a_native_one() {
    let salvaged = say("{\"name\": \"add\", \"parameters\": {\"a\": 2, \"b\": 3}}");
    let played = Stage {
        tools: tools(),
        ..Stage::native([salvaged, say("Five.")])
    }
    .play()
    .await;
    let messages = &played.requests[1].messages;
    assert_eq!(messages[messages.len() - 2].tool_calls.len(), 1);
    assert_eq!(messages[messages.len() - 2].content, "");
    assert_eq!(played.record.answer, "Five.");
}

#[tokio::test(start_paused = true)]
async fn without_native_tools_the_native_engine_is_the_react_loop() {
    let stage = Stage {
        tools: tools(),
        capabilities: Capabilities::default(),
        ..Stage::native([act("add", r#"{"a": 2, "b": 3}"#), done("5")])
    };
    let played = stage.play().await;
    assert_eq!((played.record.answer.as_str(), played.ran.len()), ("5", 1));
    assert!(played.requests[0].tools.is_empty() && !played.requests[0].stop.is_empty());
}

#[tokio::test(start_paused = true)]
async fn without_tools_the_brain_is_just_asked() {
    for stage in [
        Stage::react([say("Hello")]),
        Stage::native([say("Hello")]),
        Stage::json([say("Hello")]),
    ] {
        let played = stage.play().await;
        let request = &played.requests[0];
        assert!(request.tools.is_empty() && request.response_schema.is_none() && request.stop.is_empty());
        assert_eq!(
            (played.record.answer.as_str(), request.tool_choice),
            ("Hello", ToolChoice::Auto)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn the_prompt_stays_small() {
    let played = Stage {
        tools: tools(),
        ..Stage::react([done("5")])
    }
    .play()
    .await;
    let system = played.requests[0].messages[0].content.chars().count();
    assert!(system < 1_400, "{system}");
}

#[tokio::test(start_paused = true)]
async fn a_cut_reply_is_asked_for_again() {
    let stage = Stage {
        tools: tools(),
        ..Stage::react([
            Step::Cut("FINAL_ANSWER: Paris lies on the".into()),
            done("Paris."),
        ])
    };
    let played = stage.play().await;
    assert_eq!(played.record.answer, "Paris.");
    assert!(played.last_shown().contains("shorter"), "{}", played.last_shown());
}

#[tokio::test(start_paused = true)]
async fn the_reply_is_heard_while_it_is_written() {
    let played = Stage::react([say("Hello")]).play().await;
    let pieces = played.events.iter().filter_map(|event| match event {
        Event::ReplyDelta { step: 1, text } => Some(text.as_str()),
        _ => None,
    });
    assert_eq!(pieces.collect::<Vec<_>>(), ["Hel", "lo"]);
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_thoughts_does_not_fill_the_next_prompt() {
    let flood = format!(
        "Thought: {}\nAction: add\nAction Input: {{\"a\": 2, \"b\": 3}}",
        "and so on ".repeat(10_000)
    );
    let played = Stage {
        tools: tools(),
        ..Stage::react([say(&flood), done("5")])
    }
    .play()
    .await;
    assert_eq!((played.record.answer.as_str(), played.ran.len()), ("5", 1));
    let asked: usize = played.requests[1]
        .messages
        .iter()
        .map(|message| message.content.len())
        .sum();
    assert!(asked < 10_000, "{asked} bytes");
}

#[tokio::test(start_paused = true)]
async fn a_repair_is_drawn_almost_greedily_and_kept_short() {
    let broken = || say("Action: add\nAction Input: {\"a\": 2, b");
    let played = Stage {
        tools: tools(),
        ..Stage::react([broken(), act("add", r#"{"a": 2, "b": 3}"#), done("5")])
    }
    .play()
    .await;
    assert_eq!((played.record.answer.as_str(), played.ran.len()), ("5", 1));
    let drawn: Vec<_> = played.requests.iter().map(|request| request.sampling).collect();
    let repair = Sampling {
        temperature: Some(0.2),
        top_p: None,
        max_tokens: Some(300),
    };
    assert_eq!(drawn, [Sampling::default(), repair, Sampling::default()]);
}

#[tokio::test(start_paused = true)]
async fn a_brain_that_reasons_keeps_its_room_for_it() {
    let played = Stage {
        tools: tools(),
        ..Stage::react([say("<think>hm</think>"), done("5")])
    }
    .play()
    .await;
    let repair = played.requests[1].sampling;
    assert_eq!((repair.temperature, repair.max_tokens), (Some(0.2), None));
}
