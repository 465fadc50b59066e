//! What a tool tells while it works is heard at once, and joined it is the result; where that is the answer, by sentences.

use std::time::Duration;

use loquat_agent::event::Event;
use loquat_agent::record::Reason;
use loquat_agent::toolbox::{Category, Tool};
use serde_json::json;
use tokio::task::JoinSet;

use crate::brain::{act, done};
use crate::support::{Played, Stage};
use crate::tools::{Deed, streaming, tool};

const PIECES: &[&str] = &["Once there ", "was a fox. ", "It slept. ", "The end."];

fn story(deed: Deed) -> (Tool, Deed) {
    let (story, deed) = streaming("story", deed);
    (
        Tool {
            may_end_turn: true,
            ..story
        },
        deed,
    )
}

/// The pieces of a tool and of the answer, each with the second in which it was told.
fn told(played: &Played) -> Vec<(u64, &str, &str)> {
    let began = played.times[0];
    let all = played.events.iter().zip(&played.times);
    let pieces = all.filter_map(|(event, at)| {
        let (kind, text) = match event {
            Event::ToolPiece { text, .. } => ("piece", text.as_str()),
            Event::AnswerDelta { text, .. } => ("answer", text.as_str()),
            Event::AnswerVoided { .. } => ("void", ""),
            _ => return None,
        };
        Some((at.duration_since(began).as_secs(), kind, text))
    });
    pieces.collect()
}

#[tokio::test(start_paused = true)]
async fn pieces_come_as_they_are_told_and_joined_they_are_the_result() {
    let replies = [act("watch", "{}"), done("It came.")];
    let watch = streaming("watch", Deed::Stream(&["one ", "two ", "three"]));
    let played = Stage::react(replies).with([watch]).play().await;
    let expected = [
        (1, "piece", "one "),
        (2, "piece", "two "),
        (3, "piece", "three"),
        (3, "answer", "It came."),
    ];
    assert_eq!(told(&played), expected);
    assert_eq!(played.seen(0), r#"{"text":"one two three"}"#);
}

#[tokio::test(start_paused = true)]
async fn a_final_tool_answers_by_whole_sentences_while_it_runs() {
    let played = Stage::react([act("story", "{}")])
        .with([story(Deed::Stream(PIECES))])
        .play()
        .await;
    let answers: Vec<_> = told(&played)
        .into_iter()
        .filter(|(_, kind, _)| *kind != "piece")
        .collect();
    let expected = [
        (2, "answer", "Once there was a fox."),
        (3, "answer", " It slept."),
        (4, "answer", " The end."),
    ];
    assert_eq!(answers, expected);
    assert_eq!(
        played.end(),
        (Reason::FinalTool, "Once there was a fox. It slept. The end.")
    );
    assert_eq!(played.record.brain_calls, 1);
    let terminal = |(tool, deed): (Tool, Deed)| {
        let tool = Tool {
            category: Category::Terminal,
            ..tool
        };
        (tool, deed)
    };
    let played = Stage::react([act("story", "{}")])
        .with([terminal(streaming("story", Deed::Stream(PIECES)))])
        .play()
        .await;
    assert_eq!(played.end().0, Reason::TerminalTool);
    assert_eq!(told(&played).len(), 7);
}

#[tokio::test(start_paused = true)]
async fn what_was_told_is_taken_back_when_the_tool_fails_in_the_middle() {
    let broken = story(Deed::StreamThenComplain(PIECES));
    let retried = Tool { retry: 2, ..broken.0 };
    let played = Stage::react([act("story", "{}"), done("I know no story.")])
        .with([(retried, broken.1)])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "I know no story."));
    assert_eq!(
        played.ran.len(),
        1,
        "a tool that has told something is not run again"
    );
    let kinds: Vec<_> = told(&played).into_iter().map(|(_, kind, _)| kind).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "void").count(), 1);
    assert_eq!(played.seen(0), r#"{"error":"OSError: the line is dead"}"#);
}

#[tokio::test(start_paused = true)]
async fn a_stop_in_the_middle_leaves_no_answer() {
    let mut later = JoinSet::new();
    let played = Stage::react([act("story", "{}")])
        .with([story(Deed::Stream(PIECES))])
        .play_with(|stopper| {
            later.spawn(async move {
                tokio::time::sleep(Duration::from_millis(3500)).await;
                stopper.stop(Reason::BargeIn);
            });
        })
        .await;
    assert_eq!(played.end(), (Reason::BargeIn, ""));
    assert_eq!(told(&played).last(), Some(&(3, "void", "")));
    assert!(played.calls()[0].observation.contains("stopped"));
}

#[tokio::test(start_paused = true)]
async fn a_flood_ends_the_call() {
    for (tool, voids) in [(streaming("flood", Deed::Flood), 0), (story(Deed::Flood), 1)] {
        let name = tool.0.name.clone();
        let played = Stage::react([act(&name, "{}"), done("Nothing.")])
            .with([tool])
            .play()
            .await;
        assert!(played.seen(0).contains("OverflowError"), "{}", played.seen(0));
        let pieces = told(&played);
        let count = |wanted: &str| pieces.iter().filter(|(_, kind, _)| *kind == wanted).count();
        assert_eq!((count("piece"), count("void")), (1024, voids));
        assert_eq!(played.end(), (Reason::Answered, "Nothing."));
    }
}

#[tokio::test(start_paused = true)]
async fn who_does_not_stream_is_not_heard() {
    let played = Stage::react([act("quiet", "{}"), done("Yes.")])
        .with([tool("quiet", Deed::Stream(&["one", "two"]))])
        .play()
        .await;
    assert_eq!(told(&played), [(2, "answer", "Yes.")]);
}

#[tokio::test(start_paused = true)]
async fn of_several_calls_only_the_one_that_ends_the_turn_answers() {
    let played = Stage::native([
        crate::brain::Step::Call(
            String::new(),
            vec![("a", "watch", "{}".into()), ("b", "story", "{}".into())],
        ),
        done("No."),
    ])
    .with([
        crate::tools::writing("watch", Deed::Give(json!({"seen": "a fox"}))),
        story(Deed::Stream(PIECES)),
    ])
    .play()
    .await;
    assert_eq!(
        played.end(),
        (Reason::FinalTool, "Once there was a fox. It slept. The end.")
    );
    assert_eq!(played.told(), played.record.answer);
}
