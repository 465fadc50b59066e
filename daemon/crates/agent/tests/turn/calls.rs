//! What may run, what may not, in which order, and what happens to tools that misbehave.

use std::time::Duration;

use loquat_agent::event::Event;
use loquat_agent::record::Reason;
use loquat_agent::toolbox::Tool;
use serde_json::{Value, json};

use crate::brain::{Step, act, call, done, say};
use crate::support::Stage;
use crate::tools::{Deed, Tools, add, confirmed, dangerous, tool, writing};

#[tokio::test(start_paused = true)]
async fn an_unknown_tool_is_told_with_its_nearest_name() {
    let tools = Tools::new([add(), tool("get_current_datetime", Deed::Give(json!({})))]);
    let played = Stage {
        tools,
        ..Stage::react([act("get_datetime", "{}"), done("5")])
    }
    .play()
    .await;
    assert!(
        played.seen(0).contains("Did you mean 'get_current_datetime'?"),
        "{}",
        played.seen(0)
    );
    assert!(played.last_shown().contains("Did you mean"));
    assert!(played.ran.is_empty());
    assert_eq!(played.record.answer, "5");
}

#[tokio::test(start_paused = true)]
async fn a_name_that_differs_only_in_spelling_is_understood() {
    let played = Stage {
        tools: Tools::new([add()]),
        ..Stage::react([act("`Add`", r#"{"a": 2, "b": 3}"#), done("5")])
    };
    assert_eq!(played.play().await.ran.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_observation_that_is_repeated_before_the_answer_is_passed_over() {
    let replies = [
        act("add", r#"{"a": 2, "b": 3}"#),
        say("Observation: {\"sum\": 5}\nThought: That is it.\nFINAL_ANSWER: five"),
    ];
    let played = Stage {
        tools: Tools::new([add()]),
        ..Stage::react(replies)
    }
    .play()
    .await;
    assert_eq!(
        (played.record.answer.as_str(), played.record.brain_calls),
        ("five", 2)
    );
    // Before any call it is invented.
    let replies = [say("Observation: {\"sum\": 5}\nFINAL_ANSWER: five"), done("six")];
    let played = Stage {
        tools: Tools::new([add()]),
        ..Stage::react(replies)
    }
    .play()
    .await;
    assert_eq!(played.record.answer, "six");
}

#[tokio::test(start_paused = true)]
async fn wrong_arguments_are_named_and_can_be_mended() {
    let replies = [
        act("add", r#"{"x": 4}"#),
        act("add", r#"{"a": "2", "b": 3, "c": 1}"#),
        done("5"),
    ];
    let played = Stage {
        tools: Tools::new([add()]),
        ..Stage::react(replies)
    }
    .play()
    .await;
    assert!(
        played.seen(0).contains("'a' is required but missing"),
        "{}",
        played.seen(0)
    );
    assert!(
        played.seen(0).contains("add(a: number, b: number)"),
        "{}",
        played.seen(0)
    );
    assert_eq!(played.ran, [("add".to_owned(), json!({"a": 2, "b": 3}))]);
    assert_eq!(played.record.answer, "5");
}

#[tokio::test(start_paused = true)]
async fn after_two_repairs_only_an_answer_is_wanted() {
    let wrong = |n: u32| act("add", &format!("{{\"x\": {n}}}"));
    let replies = [wrong(1), wrong(2), wrong(3), say("I could not add them.")];
    let played = Stage {
        tools: Tools::new([add()]),
        ..Stage::react(replies)
    }
    .play()
    .await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::Answered, "I could not add them.")
    );
    assert_eq!(played.record.brain_calls, 4);
    assert!(
        played.last_shown().contains("No more tools"),
        "{}",
        played.last_shown()
    );
}

#[tokio::test(start_paused = true)]
async fn arguments_cut_in_a_string_are_reported_and_not_guessed() {
    let tools = Tools::new([tool("note", Deed::Give(json!({"ok": true})))]);
    let played = Stage {
        tools,
        ..Stage::native([call("note", "{\"text\": \"x"), say("Sorry.")])
    }
    .play()
    .await;
    assert!(
        played.seen(0).contains("ends in the middle of a string"),
        "{}",
        played.seen(0)
    );
    assert!(played.ran.is_empty());
}

#[tokio::test(start_paused = true)]
async fn what_needs_a_yes_is_not_run() {
    for guarded in [dangerous("open_door"), confirmed("open_door")] {
        let stage = Stage {
            tools: Tools::new([guarded]),
            ..Stage::react([act("open_door", "{}"), done("I may not.")])
        };
        let played = stage.play().await;
        assert!(played.ran.is_empty());
        assert!(played.seen(0).contains("permission"), "{}", played.seen(0));
        assert_eq!(
            (played.record.reason, played.record.answer.as_str()),
            (Reason::Answered, "I may not.")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_repeats_itself_is_a_loop() {
    let stage = Stage {
        tools: Tools::new([add()]),
        ..Stage::native(std::iter::repeat_n(call("add", r#"{"a": 1, "b": 1}"#), 30))
    };
    let played = stage.play().await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::LoopDetected, "2")
    );
    assert_eq!(played.ran.len(), 1);
    assert_eq!(played.record.brain_calls, 5);
    assert!(
        played.seen(1).contains(r#""earlier":{"sum":2.0}"#),
        "{}",
        played.seen(1)
    );
    assert!(played.happened(|event| matches!(event, Event::CallDropped { tool, .. } if tool == "add")));
}

#[tokio::test(start_paused = true)]
async fn a_repeated_wish_is_granted_twice() {
    let tools = Tools::new([writing("louder", Deed::Give(json!({"ok": true})))]);
    let played = Stage {
        tools,
        ..Stage::react([act("louder", "{}"), act("louder", "{}"), done("Louder.")])
    }
    .play()
    .await;
    assert_eq!((played.ran.len(), played.record.reason), (2, Reason::Answered));
}

#[tokio::test(start_paused = true)]
async fn reading_calls_run_at_once_and_writing_ones_in_order() {
    let wait = Duration::from_millis(200);
    let four = || {
        Step::Call(
            String::new(),
            ["a", "b", "c", "d"]
                .map(|name| (name, name, "{}".to_owned()))
                .into(),
        )
    };
    let slow = || Deed::Slow(wait, json!({"ok": true}));
    let reading = Tools::new(["a", "b", "c", "d"].map(|name| tool(name, slow())));
    let played = Stage {
        tools: reading,
        ..Stage::native([four(), say("Done.")])
    }
    .play()
    .await;
    assert_eq!(played.record.elapsed, wait);
    let mixed = Tools::new([
        tool("a", slow()),
        writing("b", slow()),
        tool("c", slow()),
        tool("d", slow()),
    ]);
    let played = Stage {
        tools: mixed,
        ..Stage::native([four(), say("Done.")])
    }
    .play()
    .await;
    assert_eq!(played.record.elapsed, wait * 4);
    assert_eq!(
        played
            .ran
            .iter()
            .map(|(name, _)| name.as_str())
            .collect::<Vec<_>>(),
        ["a", "b", "c", "d"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_hanging_tool_is_given_up_after_its_own_time() {
    let (hanging, deed) = tool("hang", Deed::Hang);
    let hanging = Tool {
        timeout: Duration::from_secs(5),
        ..hanging
    };
    let played = Stage {
        tools: Tools::new([(hanging, deed)]),
        ..Stage::react([act("hang", "{}"), done("No luck.")])
    };
    let played = played.play().await;
    assert!(
        played
            .seen(0)
            .contains("TimeoutError: the tool gave no result within 5 seconds"),
        "{}",
        played.seen(0)
    );
    assert_eq!(
        (played.record.reason, played.record.elapsed),
        (Reason::Answered, Duration::from_secs(5))
    );
}

#[tokio::test(start_paused = true)]
async fn who_waits_long_for_a_tool_is_told_once() {
    let seconds = |seconds| Deed::Slow(Duration::from_secs(seconds), json!({"ok": true}));
    let (slow, deed) = tool("slow", seconds(9));
    let slow = Tool {
        progress_phrase: Some("I am looking outside".to_owned()),
        ..slow
    };
    let tools = Tools::new([
        (slow, deed),
        tool("quick", seconds(1)),
        tool("silent", seconds(3)),
    ]);
    let played = Stage {
        tools,
        ..Stage::native([
            Step::Call(
                String::new(),
                ["slow", "quick", "silent"]
                    .map(|name| (name, name, "{}".to_owned()))
                    .into(),
            ),
            say("Done."),
        ])
    };
    let played = played.play().await;
    let awaited: Vec<(&str, Option<&str>)> = played
        .events
        .iter()
        .filter_map(|event| match event {
            Event::ToolAwaited { tool, phrase, .. } => Some((tool.as_str(), phrase.as_deref())),
            _ => None,
        })
        .collect();
    assert_eq!(awaited.len(), 2, "{awaited:?}");
    assert!(
        awaited.contains(&("slow", Some("I am looking outside"))) && awaited.contains(&("silent", None)),
        "{awaited:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_idempotent_tool_is_tried_again_with_growing_waits() {
    let (flaky, deed) = tool("flaky", Deed::FailFirst(2, json!({"ok": true})));
    let flaky = Tool { retry: 2, ..flaky };
    let once = Tools::new([(flaky.clone(), deed.clone())]);
    let played = Stage {
        tools: once,
        ..Stage::react([act("flaky", "{}"), done("ok")])
    }
    .play()
    .await;
    assert_eq!(
        (played.ran.len(), played.record.elapsed),
        (3, Duration::from_millis(800 + 1_600))
    );
    assert!(played.calls()[0].ok);
    // A tool that must not run twice is not tried again.
    let tools = Tools::new([(
        Tool {
            idempotent: false,
            ..flaky
        },
        deed,
    )]);
    let played = Stage {
        tools,
        ..Stage::react([act("flaky", "{}"), done("ok")])
    }
    .play()
    .await;
    assert_eq!(played.ran.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_complaint_reaches_the_brain_and_is_not_retried() {
    let (failing, deed) = tool("fail", Deed::Complain("ValueError", "disk full"));
    let tools = Tools::new([(Tool { retry: 2, ..failing }, deed)]);
    let played = Stage {
        tools,
        ..Stage::react([act("fail", "{}"), done("It did not work.")])
    }
    .play()
    .await;
    assert_eq!(played.seen(0), r#"{"error":"ValueError: disk full"}"#);
    assert_eq!(played.ran.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_crashing_or_lying_tool_is_only_an_error() {
    let (lying, deed) = tool("lie", Deed::Give(json!({"n": "five"})));
    let schema = json!({"type": "object", "properties": {"n": {"type": "number"}}});
    let lying = Tool {
        output_schema: schema,
        ..lying
    };
    let tools = Tools::new([tool("crash", Deed::Crash), (lying, deed)]);
    let played = Stage {
        tools,
        ..Stage::react([act("crash", "{}"), act("lie", "{}"), done("No.")])
    }
    .play()
    .await;
    assert!(played.seen(0).contains("crashed"), "{}", played.seen(0));
    assert!(
        played.seen(1).contains("does not keep to its own schema"),
        "{}",
        played.seen(1)
    );
    assert_eq!(played.record.reason, Reason::Answered);
}

#[tokio::test(start_paused = true)]
async fn ids_are_unique_even_if_the_server_repeats_them() {
    let twice = || {
        Step::Call(
            String::new(),
            vec![
                ("call_1", "add", r#"{"a": 1, "b": 2}"#.to_owned()),
                ("call_1", "add", r#"{"a": 3, "b": 4}"#.to_owned()),
            ],
        )
    };
    let played = Stage {
        tools: Tools::new([add()]),
        ..Stage::native([twice(), say("3 and 7")])
    }
    .play()
    .await;
    assert_eq!(played.calls().len(), 2);
    assert_eq!(played.record.answer, "3 and 7");
}

#[tokio::test(start_paused = true)]
async fn a_result_is_a_better_answer_than_what_was_said_beside_the_call() {
    let arguments = r#"{"a": 1, "b": 1}"#.to_owned();
    let call = Step::Call("Let me add that.".to_owned(), vec![("call_1", "add", arguments)]);
    let played = Stage {
        tools: Tools::new([add()]),
        ..Stage::native(std::iter::repeat_n(call, 30))
    }
    .play()
    .await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::LoopDetected, "2")
    );
}

#[tokio::test(start_paused = true)]
async fn what_only_looks_like_a_call_has_no_effect() {
    let shaped = |tool: &str| {
        say(format!(
            "Gedanke: so geht es\nBefehl: {tool}\nDazu: {{\"value\": 1}}"
        ))
    };
    let names: [(&str, &[&str]); 2] = [("look", &["look"]), ("open", &[])];
    for (name, ran) in names {
        let stage = Stage::react([shaped(name), done("So.")]).with([
            tool("look", Deed::Give(json!({}))),
            writing("open", Deed::Give(json!({}))),
        ]);
        let played = stage.play().await;
        let tools: Vec<&str> = played.ran.iter().map(|(tool, _)| tool.as_str()).collect();
        assert_eq!(tools, ran);
        assert_eq!(played.end(), (Reason::Answered, "So."));
    }
    // Under its own labels the brain gets what it wants.
    let stage = Stage::react([shaped("open"), act("open", "{}"), done("Open.")])
        .with([writing("open", Deed::Give(json!({})))]);
    let played = stage.play().await;
    assert_eq!(played.ran.len(), 1);
    assert!(
        played.shown(1).contains("under other labels"),
        "{}",
        played.shown(1)
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_in_elements_of_its_own_is_asked_for_again_and_never_said() {
    let elements = [
        "<tool>add</tool><tool_input>{\"a\": 2, \"b\": 3}</tool_input>",
        "Thought: a sum\n<tool_name>add</tool_name>\n<arguments>{\"a\": 2, \"b\": 3}</arguments>",
        "<invoke><tool>add</tool></invoke>",
        "FINAL_ANSWER: <add>{\"a\": 2, \"b\": 3}</add>",
    ];
    for engine in [
        "ovos-react-loop",
        "ovos-native-toolcall-loop",
        "ovos-self-ask-loop",
    ] {
        for reply in elements {
            let replies = [say(reply), done("5")];
            let played = Stage::of(engine, Value::Null, replies).with([add()]).play().await;
            assert_eq!(played.record.answer, "5", "{engine}: {reply}");
            assert!(played.ran.is_empty(), "{engine}: {reply}");
            assert!(
                played.last_shown().contains("That cannot be used"),
                "{}",
                played.last_shown()
            );
        }
        let stubborn = Stage::of(engine, Value::Null, elements.map(say))
            .with([add()])
            .play()
            .await;
        assert!(
            !stubborn.record.answer.contains('<'),
            "{engine}: {}",
            stubborn.record.answer
        );
    }
}
