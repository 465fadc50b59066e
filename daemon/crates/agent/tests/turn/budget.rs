//! The limits: steps, calls and tokens, the advice near their end, and the closing answer.

use loquat_agent::record::Reason;
use serde_json::json;

use crate::brain::{Step, act, call, done, say};
use crate::support::Stage;
use crate::tools::{Deed, Tools, add, tool};

fn sums(n: u32) -> Step {
    act("add", &format!("{{\"a\": {n}, \"b\": 1}}"))
}

#[tokio::test(start_paused = true)]
async fn after_the_last_step_tools_are_withheld() {
    let stage = Stage {
        tools: Tools::new([add()]),
        settings: json!({"max_iterations": 2}),
        ..Stage::native([
            call("add", r#"{"a": 1, "b": 1}"#),
            call("add", r#"{"a": 2, "b": 1}"#),
            say("Three."),
        ])
    };
    let played = stage.play().await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::MaxIterations, "Three.")
    );
    let offered: Vec<usize> = played
        .requests
        .iter()
        .map(|request| request.tools.len())
        .collect();
    assert_eq!(offered, [1, 1, 0]);
}

#[tokio::test(start_paused = true)]
async fn a_call_instead_of_the_closing_answer_is_never_run_nor_said() {
    let stage = Stage {
        tools: Tools::new([add()]),
        settings: json!({"max_iterations": 1}),
        ..Stage::react([sums(1), sums(2), sums(3)])
    };
    let played = stage.play().await;
    assert_eq!(played.ran.len(), 1);
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::MaxIterations, "2")
    );
    assert_eq!(played.record.brain_calls, 3);
    assert!(played.record.fault.is_some());
}

#[tokio::test(start_paused = true)]
async fn what_a_tool_says_to_brains_is_not_said_where_it_has_words_for_a_person() {
    let problem = json!({"problem": "failed to reach org.mpris.MediaPlayer2"});
    let told = "I cannot reach the music players of this device.";
    let stage = Stage {
        tools: Tools::new([tool("play", Deed::Tell(problem, told))]),
        settings: json!({"max_iterations": 1}),
        ..Stage::react([act("play", "{}"), act("play", "{}"), act("play", "{}")])
    };
    let played = stage.play().await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::MaxIterations, told)
    );
}

#[tokio::test(start_paused = true)]
async fn zero_and_negative_steps_count_as_one() {
    for steps in [0, -3] {
        let stage = Stage {
            tools: Tools::new([add()]),
            settings: json!({"max_iterations": steps}),
            ..Stage::react([sums(1), done("2")])
        };
        let played = stage.play().await;
        assert_eq!(
            (
                played.ran.len(),
                played.record.brain_calls,
                played.record.answer.as_str()
            ),
            (1, 2, "2")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn the_call_limit_holds_inside_a_step() {
    let three = Step::Call(
        String::new(),
        (1..=3)
            .map(|n| ("", "add", format!("{{\"a\": {n}, \"b\": 1}}")))
            .collect(),
    );
    let mut stage = Stage {
        tools: Tools::new([add()]),
        ..Stage::native([three, say("Two of three.")])
    };
    stage.budget.max_tool_calls = 2;
    let played = stage.play().await;
    assert_eq!(played.ran.len(), 2);
    assert!(
        played.seen(2).contains("the limit of 2 tool calls"),
        "{}",
        played.seen(2)
    );
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::MaxToolCalls, "Two of three.")
    );
}

#[tokio::test(start_paused = true)]
async fn no_calls_allowed_means_no_tools_offered() {
    let mut stage = Stage {
        tools: Tools::new([add()]),
        ..Stage::native([say("Five.")])
    };
    stage.budget.max_tool_calls = 0;
    let played = stage.play().await;
    assert!(played.requests[0].tools.is_empty());
    assert_eq!(played.record.reason, Reason::Answered);
}

#[tokio::test(start_paused = true)]
async fn money_runs_out() {
    let costly = Step::Costly("Action: add\nAction Input: {\"a\": 1, \"b\": 1}".into(), 900);
    let mut stage = Stage {
        tools: Tools::new([add()]),
        ..Stage::react([costly.clone(), costly, done("2")])
    };
    stage.budget.max_cost = Some(0.0015);
    let played = stage.play().await;
    assert_eq!(played.end(), (Reason::CriticalTokens, "2"));
    assert_eq!(played.record.brain_calls, 3);
    assert!(played.shown(1).contains("Consider wrapping up."));
    let result = serde_json::to_value(loquat_agent::result::TurnResult::from(&played.record)).unwrap();
    assert_eq!(result["cost"], 0.0018);
}

#[tokio::test(start_paused = true)]
async fn tokens_run_out() {
    let costly = Step::Costly("Action: add\nAction Input: {\"a\": 1, \"b\": 1}".into(), 900);
    let mut stage = Stage {
        tools: Tools::new([add()]),
        ..Stage::react([costly.clone(), costly, done("2")])
    };
    stage.budget.max_tokens = Some(1_500);
    let played = stage.play().await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::CriticalTokens, "2")
    );
    assert_eq!(played.record.brain_calls, 3);
    // What the last call took its brain does not say.
    let usage = played.record.usage;
    assert!(usage.estimated && usage.prompt_tokens > 1_800, "{usage:?}");
}

#[tokio::test(start_paused = true)]
async fn the_brain_is_advised_near_the_end() {
    let replies = (1..=9).map(sums).chain([done("ok")]);
    let played = Stage {
        tools: Tools::new([add()]),
        ..Stage::react(replies)
    }
    .play()
    .await;
    let advice = [
        "Consider wrapping up",
        "Complete the current task soon",
        "You must conclude immediately",
    ];
    let heard: Vec<Option<usize>> = played.requests[1..]
        .iter()
        .map(|request| {
            let shown = &request.messages.last().expect("a message").content;
            advice.iter().position(|advice| shown.contains(advice))
        })
        .collect();
    assert_eq!(
        heard,
        [
            None,
            None,
            None,
            None,
            Some(0),
            Some(0),
            Some(1),
            Some(2),
            Some(2)
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_huge_result_does_not_flood_the_conversation() {
    let tools = Tools::new([tool(
        "log",
        Deed::Give(json!({"text": "0123456789".repeat(20_000)})),
    )]);
    let played = Stage {
        tools,
        ..Stage::react([act("log", "{}"), done("It is long.")])
    }
    .play()
    .await;
    let shown = played.last_shown();
    assert!(
        shown.len() < 9_000 && shown.contains("characters left out"),
        "{}",
        shown.len()
    );
}
