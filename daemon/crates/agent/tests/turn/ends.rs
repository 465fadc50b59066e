//! However a turn ends, it ends once, with one reason and the words it has.

use std::time::Duration;

use loquat_agent::brain::{BrainError, ChatMessage};
use loquat_agent::event::Event;
use loquat_agent::record::Reason;
use serde_json::json;

use crate::brain::{Step, act, done, say};
use crate::support::Stage;
use crate::tools::{Deed, Tools, add, tool, writing};

fn gone() -> BrainError {
    BrainError::Unreachable {
        address: "127.0.0.1:1".into(),
        reason: "refused".into(),
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_ends_it() {
    let played = Stage {
        tools: Tools::new([add()]),
        ..Stage::react([act("add", r#"{"a": 2, "b": 3}"#), done("5")])
    };
    let played = played.play().await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::Answered, "5")
    );
    assert_eq!((played.record.brain_calls, played.record.steps.len()), (2, 2));
    assert_eq!(played.ran, [("add".to_owned(), json!({"a": 2, "b": 3}))]);
    assert_eq!(
        played.record.history,
        [
            ChatMessage::user("What is 2 plus 3?"),
            ChatMessage::assistant("5")
        ]
    );
    assert_eq!(played.record.steps[0].thought, "I need a tool.");
    assert_eq!(played.record.fault, None);
}

#[tokio::test(start_paused = true)]
async fn nothing_said_is_nothing_to_answer() {
    let mut stage = Stage::react([done("5")]);
    stage.question.utterance = " \n".into();
    let played = stage.play().await;
    assert_eq!(
        (played.record.reason, played.record.brain_calls),
        (Reason::Noop, 0)
    );
}

#[tokio::test(start_paused = true)]
async fn noop_ends_it_in_silence() {
    let played = Stage {
        tools: Tools::new([add()]),
        ..Stage::react([act("noop", "{}")])
    }
    .play()
    .await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::Noop, "")
    );
    assert!(played.ran.is_empty());
}

#[tokio::test(start_paused = true)]
async fn noop_is_offered_where_silence_is_allowed() {
    let is_offered = async |settings| {
        let played = Stage {
            tools: Tools::new([add()]),
            settings,
            ..Stage::react([act("noop", "{}")])
        }
        .play()
        .await;
        assert_eq!(played.record.reason, Reason::Noop);
        let messages = &played.requests[0].messages;
        messages.iter().any(|message| message.content.contains("noop"))
    };
    assert!(is_offered(json!({"may_be_silent": true})).await);
    assert!(!is_offered(json!({})).await);
}

#[tokio::test(start_paused = true)]
async fn a_stop_drops_the_brain_at_once() {
    let before = tokio::time::Instant::now();
    let played = Stage::react([Step::StopMeanwhile(Reason::BargeIn)]).play().await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::BargeIn, "")
    );
    assert_eq!(before.elapsed(), Duration::ZERO);
    assert_eq!(played.record.history, [ChatMessage::user("What is 2 plus 3?")]);
}

#[tokio::test(start_paused = true)]
async fn a_stop_before_the_start_asks_nobody() {
    let played = Stage::react([done("5")])
        .play_with(|stopper| stopper.stop(Reason::Stopped))
        .await;
    assert_eq!(
        (played.record.reason, played.requests.len()),
        (Reason::Stopped, 0)
    );
}

#[tokio::test(start_paused = true)]
async fn a_stop_cancels_the_tool_and_closes_its_call() {
    let tools = Tools::new([writing("play", Deed::StopMeanwhile(Reason::Stopped)), add()]);
    let calls = Step::Call(
        String::new(),
        vec![
            ("a", "add", r#"{"a": 1, "b": 1}"#.into()),
            ("b", "play", "{}".into()),
            ("c", "add", r#"{"a": 2, "b": 2}"#.into()),
        ],
    );
    let played = Stage {
        tools,
        ..Stage::native([calls])
    }
    .play()
    .await;
    assert_eq!(played.record.reason, Reason::Stopped);
    let calls = played.calls();
    assert_eq!(
        calls
            .iter()
            .map(|call| (call.executed, call.ok))
            .collect::<Vec<_>>(),
        [(true, true), (true, false), (false, false)]
    );
    assert_eq!(played.seen(0), r#"{"sum":2.0}"#);
    assert!(played.seen(1).contains("stopped") && played.seen(2).contains("stopped"));
    assert_eq!(played.ran.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_stopped_tool_feels_its_token() {
    let (stopper, stop) = loquat_agent::turn::stop_pair();
    let tools = std::sync::Arc::new(
        Tools::new([tool("play", Deed::StopMeanwhile(Reason::Stopped))]).with_stopper(stopper.clone()),
    );
    let script = crate::brain::Script::new(
        loquat_agent::brain::Capabilities::default(),
        vec![act("play", "{}")],
        stopper,
    );
    let means = loquat_agent::turn::Means {
        brain: std::sync::Arc::new(script),
        toolboxes: vec![std::sync::Arc::clone(&tools) as std::sync::Arc<dyn loquat_agent::toolbox::Toolbox>],
        arrivals: None,
        grammar: None,
        budget: loquat_agent::turn::Budget::default(),
        settings: serde_json::Map::new(),
        observer: std::sync::Arc::new(()),
        stop,
        turn_cache: std::sync::Arc::default(),
        person: None,
    };
    let engine = loquat_agent::engine::find("ovos-react-loop").unwrap();
    let question = loquat_agent::turn::Question {
        utterance: "Play".into(),
        ..Default::default()
    };
    loquat_agent::answer(engine, question, means).await;
    let cancel = tools.last_cancel.lock().unwrap().clone();
    assert!(cancel.is_some_and(|cancel| cancel.is_cancelled()));
}

#[tokio::test(start_paused = true)]
async fn a_deadline_ends_a_hanging_brain() {
    let mut stage = Stage::react([Step::Hang]);
    stage.budget.deadline_seconds = 7;
    let played = stage.play().await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::Deadline, "")
    );
    assert_eq!(played.record.elapsed, Duration::from_secs(7));
    assert!(played.record.fault.is_some());
}

#[tokio::test(start_paused = true)]
async fn a_deadline_gives_the_best_answer_so_far() {
    let told = Step::Call(
        "It is about five, let me check.".into(),
        vec![("a", "hang", "{}".into())],
    );
    let tools = Tools::new([tool("hang", Deed::Hang)]);
    let mut stage = Stage {
        tools,
        ..Stage::native([told])
    };
    stage.budget.deadline_seconds = 5;
    let played = stage.play().await;
    assert_eq!(played.record.reason, Reason::Deadline);
    assert_eq!(played.record.answer, "It is about five, let me check.");
    assert!(played.seen(0).contains("stopped"));
}

#[tokio::test(start_paused = true)]
async fn a_slow_brain_is_asked_to_answer_before_the_deadline() {
    let tools = Tools::new([tool("look", Deed::Give(json!({"n": 5})))]);
    let slow = |text: &str| Step::Slow(Duration::from_secs(20), text.to_owned());
    let mut stage = Stage {
        tools,
        ..Stage::react([
            slow("Action: look"),
            slow("Action: look\nAction Input: {\"x\": 1}"),
            slow("FINAL_ANSWER: 5"),
        ])
    };
    stage.budget.deadline_seconds = 62;
    let played = stage.play().await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::Deadline, "5")
    );
    assert!(
        played.last_shown().contains("Answer the person now"),
        "{}",
        played.last_shown()
    );
}

#[tokio::test(start_paused = true)]
async fn a_brain_that_fails_keeps_the_finished_work() {
    let tools = Tools::new([add()]);
    let stage = Stage {
        tools,
        ..Stage::react([act("add", r#"{"a": 2, "b": 3}"#), Step::Fail(gone())])
    };
    let played = stage.play().await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::LlmError, "")
    );
    assert_eq!(
        played.record.fault.as_deref(),
        Some("failed to reach the brain at 127.0.0.1:1: refused")
    );
    assert_eq!((played.record.brain_calls, played.calls().len()), (2, 1));
    assert!(played.happened(|event| matches!(event, Event::BrainFailed { step: 2, .. })));
}

#[tokio::test(start_paused = true)]
async fn a_crash_of_the_client_is_a_failure_like_any_other() {
    let played = Stage::react([Step::Crash]).play().await;
    assert_eq!(played.record.reason, Reason::LlmError);
}

#[tokio::test(start_paused = true)]
async fn an_empty_brain_is_asked_three_times_and_then_to_conclude() {
    let played = Stage {
        tools: Tools::new([add()]),
        ..Stage::react(std::iter::repeat_n(say(""), 20))
    }
    .play()
    .await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::ParseError, "")
    );
    assert_eq!(played.record.brain_calls, 4);
    let rejected = played
        .events
        .iter()
        .filter(|event| matches!(event, Event::ReplyRejected { .. }))
        .count();
    assert_eq!(rejected, 4);
}

#[tokio::test(start_paused = true)]
async fn reasoning_alone_is_no_answer() {
    let played = Stage::react([Step::Reason("Paris, surely.".into()), say("Paris")])
        .play()
        .await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::Answered, "Paris")
    );
    assert!(
        played.happened(|event| matches!(event, Event::Thought { text, .. } if text == "Paris, surely."))
    );
}

#[tokio::test(start_paused = true)]
async fn a_conversation_too_long_is_shortened_once() {
    let too_long = || Step::Fail(BrainError::ContextTooLong { address: "x".into() });
    let mut stage = Stage::react([too_long(), say("They spoke of old things."), done("5")]);
    stage.question.history = (0..20)
        .map(|n| {
            ChatMessage::new(
                if n % 2 == 0 {
                    loquat_agent::brain::Role::User
                } else {
                    loquat_agent::brain::Role::Assistant
                },
                format!("old {n}"),
            )
        })
        .collect();
    let played = stage.play().await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::Answered, "5")
    );
    assert!(played.requests[2].messages.len() < played.requests[0].messages.len());
    let hopeless = Stage::react([too_long()]).play().await;
    assert_eq!(
        (hopeless.record.reason, hopeless.record.brain_calls),
        (Reason::LlmError, 1)
    );
}

#[tokio::test(start_paused = true)]
async fn a_tools_own_answer_ends_it() {
    let (answering, deed) = tool("ask_oracle", Deed::Answer("Forty-two."));
    let answering = loquat_agent::toolbox::Tool {
        may_end_turn: true,
        ..answering
    };
    let played = Stage {
        tools: Tools::new([(answering, deed)]),
        ..Stage::react([act("ask_oracle", "{}")])
    }
    .play()
    .await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::FinalTool, "Forty-two.")
    );
    assert_eq!(played.record.brain_calls, 1);
    // Without the right to end the turn the same tool does not.
    let tools = Tools::new([tool("ask_oracle", Deed::Answer("Forty-two."))]);
    let played = Stage {
        tools,
        ..Stage::react([act("ask_oracle", "{}"), done("Yes.")])
    }
    .play()
    .await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::Answered, "Yes.")
    );
}

#[tokio::test(start_paused = true)]
async fn a_terminal_tool_ends_it_and_the_rest_is_not_run() {
    let (terminal, deed) = writing("say", Deed::Answer("Said."));
    let terminal = loquat_agent::toolbox::Tool {
        category: loquat_agent::toolbox::Category::Terminal,
        ..terminal
    };
    let tools = Tools::new([(terminal, deed), add()]);
    let calls = Step::Call(
        String::new(),
        vec![
            ("a", "say", "{}".into()),
            ("b", "add", r#"{"a": 1, "b": 2}"#.into()),
        ],
    );
    let played = Stage {
        tools,
        ..Stage::native([calls])
    }
    .play()
    .await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::TerminalTool, "Said.")
    );
    assert_eq!(played.ran.len(), 1);
    assert!(played.seen(1).contains("not run"));
}

#[tokio::test(start_paused = true)]
async fn a_fault_ends_it_with_one_closing_answer() {
    let tools = Tools::new([writing("unlock", Deed::Fault("the lock is offline")), add()]);
    let calls = Step::Call(
        String::new(),
        vec![
            ("a", "unlock", "{}".into()),
            ("b", "add", r#"{"a": 1, "b": 2}"#.into()),
        ],
    );
    let played = Stage {
        tools,
        ..Stage::native([calls, say("I cannot reach the lock.")])
    }
    .play()
    .await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::Answered, "I cannot reach the lock.")
    );
    assert_eq!(played.record.fault.as_deref(), Some("the lock is offline"));
    assert_eq!(played.ran.len(), 1);
    assert!(played.requests[1].tools.is_empty());
}
