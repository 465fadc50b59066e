//! The answer is told while it is written, and what is told, joined, is the answer.

use loquat_agent::brain::{BrainError, Delta};
use loquat_agent::event::Event;
use proptest::prelude::*;
use serde_json::json;

use crate::brain::{Step, act, done, pieces, say};
use crate::support::{Played, Stage};
use crate::tools::{Deed, Tools, add, tool};

const LONG: &str =
    "Paris lies on the Seine. It is the capital of France. About two million people live in it.";

fn tools() -> Tools {
    Tools::new([add(), tool("look", Deed::Give(json!({})))])
}

fn voids(played: &Played) -> usize {
    let is_void = |event: &&Event| matches!(event, Event::AnswerVoided { .. });
    played.events.iter().filter(is_void).count()
}

#[tokio::test(start_paused = true)]
async fn sentences_are_told_as_soon_as_they_are_whole_in_every_grammar() {
    let json = json!({"thought": "I know. It is easy.", "answer": LONG}).to_string();
    let action = json!({"tool": null, "inputs": {}, "final_answer": LONG});
    let stages = [
        (
            "text",
            Stage::react([act("add", r#"{"a": 2, "b": 3}"#), done(LONG)]),
        ),
        (
            "bold text",
            Stage::react([say(format!(
                "**Thought:** I know. Sure.\n**Final Answer:** {LONG}"
            ))]),
        ),
        (
            "an action of JSON",
            Stage::react([say(format!("Thought: I know. Sure.\nAction: {action}"))]),
        ),
        ("steps of JSON", Stage::json([say(json)])),
        (
            "behind reasoning",
            Stage::react([say(format!(
                "<think>Is it. Yes. FINAL_ANSWER: No. Well.</think>FINAL_ANSWER: {LONG}"
            ))]),
        ),
        (
            "self-ask",
            Stage::of(
                "ovos-self-ask-loop",
                json!({}),
                [say(format!("So the final answer is: {LONG}"))],
            ),
        ),
    ];
    for (name, stage) in stages {
        let played = Stage {
            tools: tools(),
            ..stage
        }
        .play()
        .await;
        assert_eq!(played.record.answer, LONG, "{name}");
        let early = played.told_early();
        assert_eq!(
            early,
            ["Paris lies on the Seine.", " It is the capital of France."],
            "{name}"
        );
        assert_eq!(voids(&played), 0, "{name}");
    }
    for stage in [Stage::react([say(LONG)]), Stage::native([say(LONG)])] {
        let played = stage.play().await;
        assert_eq!(
            played.told_early().len(),
            2,
            "without tools there is nothing but the answer"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_may_not_be_said_is_not_told_and_what_came_before_it_is_taken_back() {
    let deed = "I have set a timer for you.";
    for (refused, told_and_voided) in [
        (format!("{deed} It rings soon. Then it stops."), 0),
        (format!("Timers are useful. {deed} It rings soon."), 1),
    ] {
        let stage = Stage {
            tools: tools(),
            ..Stage::react([done(&refused), done(LONG)])
        };
        let played = stage.play().await;
        assert_eq!(played.record.answer, LONG);
        assert_eq!(voids(&played), told_and_voided, "{refused}");
        let told = played.events.iter().filter_map(|event| match event {
            Event::AnswerDelta { text, .. } => Some(text.as_str()),
            _ => None,
        });
        assert!(told.clone().all(|text| !text.contains("timer for")), "{refused}");
    }
}

#[tokio::test(start_paused = true)]
async fn behind_a_piece_that_is_too_long_nothing_is_told_early() {
    let answer = [
        "FINAL_ANSWER: One. A".to_owned(),
        format!("{}. B", "x".repeat(1 << 16)),
        "ut two. A".to_owned(),
        "nd three. F".to_owned(),
        "our.".to_owned(),
    ];
    let deltas = answer.map(Delta::Content).to_vec();
    let played = Stage::react([Step::Stream(deltas)]).play().await;
    assert_eq!(voids(&played), 0, "no words without those before them");
    assert!(played.record.answer.ends_with("But two. And three. Four."));
}

#[tokio::test(start_paused = true)]
async fn what_may_still_become_a_call_is_not_told() {
    let aside = "I will look it up. One moment. Then I can say more. It takes a while.";
    let native = Stage::native([
        Step::Call(aside.into(), vec![("c", "add", r#"{"a": 2, "b": 3}"#.into())]),
        say("Five. So it is."),
    ]);
    let text = Stage::react([
        say(format!(
            "{aside}\nAction: add\nAction Input: {{\"a\": 2, \"b\": 3}}"
        )),
        say("Five. So it is."),
    ]);
    for stage in [native, text] {
        let played = Stage {
            tools: tools(),
            ..stage
        }
        .play()
        .await;
        assert_eq!((played.ran.len(), voids(&played)), (1, 0));
        assert_eq!(
            (played.told().as_str(), played.told_early().len()),
            ("Five. So it is.", 0)
        );
    }
    // A native answer is told when it is too long to be anything else, and taken back when it was.
    let long = format!("{LONG} {LONG} {LONG}");
    let played = Stage {
        tools: tools(),
        ..Stage::native([say(long.as_str())])
    }
    .play()
    .await;
    assert!(played.told_early().concat().len() > LONG.len() && voids(&played) == 0);
    let calls = Step::Call(long, vec![("c", "add", r#"{"a": 2, "b": 3}"#.into())]);
    let played = Stage {
        tools: tools(),
        ..Stage::native([calls, say("Five.")])
    }
    .play()
    .await;
    assert_eq!((played.told().as_str(), voids(&played)), ("Five.", 1));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_may_still_change_is_told_when_it_is_final() {
    let reflexion = Stage::of(
        "ovos-reflexion-loop",
        json!({}),
        [done(LONG), say("SATISFACTORY. It is. Right.")],
    );
    let critic = Stage::of(
        "ovos-critic-loop",
        json!({}),
        [say(LONG), say("VERIFIED: yes. All of it.")],
    );
    let plan = Stage::of(
        "ovos-plan-execute-loop",
        json!({}),
        [
            say("1. Think. Hard.\n2. Say. It."),
            say("STEP_RESULT: Paris. Yes."),
            say("STEP_RESULT: Seine. Yes."),
            say(LONG),
        ],
    );
    for (name, stage, early) in [
        ("reflexion", reflexion, 0),
        ("critic", critic, 0),
        ("plan", plan, 2),
    ] {
        let played = Stage {
            tools: tools(),
            ..stage
        }
        .play()
        .await;
        assert_eq!((played.told().as_str(), voids(&played)), (LONG, 0), "{name}");
        assert_eq!(played.told_early().len(), early, "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_told_is_taken_back_when_the_stream_breaks() {
    let broken: Vec<Delta> = pieces("FINAL_ANSWER: Lyon it is. Or")
        .chain([Delta::Restart])
        .chain(pieces("FINAL_ANSWER: Paris it is. Yes."))
        .collect();
    let played = Stage::react([Step::Stream(broken)]).play().await;
    assert_eq!((played.told().as_str(), voids(&played)), ("Paris it is. Yes.", 1));

    // Nothing is left of an answer that never came to its end.
    let stage = Stage::react([
        Step::Stream(pieces("FINAL_ANSWER: Lyon it is. FINAL_ANSWER:\n").collect()),
        Step::Fail(BrainError::CutOff {
            address: "script".into(),
        }),
    ]);
    stage.play().await;
}

#[tokio::test(start_paused = true)]
async fn what_is_spoken_otherwise_than_written_is_told_as_it_is_spoken() {
    let marked = "It is **very. big.** Really. See [the map](http://x.y/z). - And `code`. Yes.";
    let played = Stage::react([done(marked)]).play().await;
    let spoken = loquat_agent::speakable(marked);
    assert_eq!(played.told(), spoken);
    assert!(!spoken.contains("**"), "{spoken}");
}

#[tokio::test(start_paused = true)]
async fn a_long_answer_takes_few_looks() {
    let long = "It is so. ".repeat(9_000);
    let played = Stage::react([done(&long)]).play().await;
    let early = played.told_early();
    // Each look is linear in what was heard, so there must be fewer of them the longer it gets.
    assert!((20..120).contains(&early.len()), "{}", early.len());
    assert!(early.concat().len() > 50_000, "and then the rest at once");
}

/// Makes replies and damaged ones, in pieces cut anywhere.
fn stream() -> impl Strategy<Value = Vec<Delta>> {
    let part = prop_oneof![
        Just("FINAL_ANSWER:"),
        Just("Final Answer: "),
        Just("**Final Answer:**"),
        Just("Thought: "),
        Just("Action: add"),
        Just("\nAction Input: {\"a\": 2, \"b\": 3}"),
        Just("Observation: 5"),
        Just("<think>"),
        Just("</think>"),
        Just("{\"thought\": \"x. y\", \"answer\": \""),
        Just("\"}"),
        Just("{\"call\": {\"name\": \"add\"}}"),
        Just("```json"),
        Just("```"),
        Just("\n"),
        Just("\n\n"),
        Just(" "),
        Just("Grüße. Straße! "),
        Just("はい。"),
        Just("🦀. "),
        Just("İ. "),
        Just("**bold. text.** "),
        Just("- item. \n"),
        Just("| a. | b. |\n"),
        Just("[a. b](http://c.d) "),
        Just("3.14 "),
        Just("It is so. "),
        Just("\\u00e9. "),
        Just("\\n"),
        Just("</answer>"),
        Just("<answer>"),
        Just("User: hi. "),
        Just("So the final answer is: "),
        Just("# Title. \n"),
        Just("1. one. \n"),
        Just("<tool_call>"),
        Just("</tool_call>"),
    ];
    let text = prop::collection::vec(part, 0..14).prop_map(|parts| parts.concat());
    let cuts = prop::collection::vec(1..9_usize, 1..9);
    let reply = (text, cuts).prop_map(|(text, cuts)| {
        let mut pieces = Vec::new();
        let mut rest = text.chars().peekable();
        for length in cuts.iter().cycle() {
            if rest.peek().is_none() {
                break;
            }
            pieces.push(Delta::Content(rest.by_ref().take(*length).collect()));
        }
        pieces
    });
    (reply.clone(), prop::option::of(reply)).prop_map(|(mut first, second)| {
        if let Some(second) = second {
            first.push(Delta::Restart);
            first.extend(second);
        }
        first
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// The invariant is checked for every turn that is played: the pieces since the last void, joined, are the answer.
    #[test]
    fn whatever_is_streamed_the_pieces_are_the_answer(first in stream(), second in stream(), engine in 0..5_usize) {
        let replies = [Step::Stream(first), Step::Stream(second), done("Yes. No.")];
        let stage = match engine {
            0 => Stage::native(replies),
            1 => Stage::json(replies),
            2 => Stage::of("ovos-self-ask-loop", json!({}), replies),
            3 => Stage::of("auto", json!({}), replies),
            _ => Stage::react(replies),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(Stage { tools: tools(), ..stage }.play());
    }

    /// Many voids would make the pieces worthless: words alone need none, however they are cut.
    #[test]
    fn plain_words_are_never_taken_back(words in prop::collection::vec("[A-Za-zäß ]{1,12}[.!?,] ?", 1..12), cut in 1..9_usize) {
        let answer = words.concat();
        let mut rest = format!("Thought: sure.\nFINAL_ANSWER: {answer}").chars().collect::<Vec<_>>().into_iter().peekable();
        let mut deltas = Vec::new();
        while rest.peek().is_some() {
            deltas.push(Delta::Content(rest.by_ref().take(cut).collect()));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let stage = Stage::react([Step::Stream(deltas), done("Yes.")]);
        let played = runtime.block_on(Stage { tools: tools(), ..stage }.play());
        prop_assert_eq!(voids(&played), 0);
    }
}
