//! The brain's window: estimates that fit what the server counts, advice, and notes that keep the facts.

use std::sync::Arc;
use std::time::Duration;

use loquat_agent::brain::{Capabilities, ChatMessage, ChatRequest, Role};
use loquat_agent::event::Event;
use loquat_agent::record::Reason;
use loquat_agent::toolbox::Tool;
use loquat_agent::turn::TurnCache;
use serde_json::json;

use crate::brain::{Meter, Step, act, done, say};
use crate::support::{Played, Stage};
use crate::tools::{Deed, Tools, tool};

fn characters(request: &ChatRequest) -> u64 {
    request
        .messages
        .iter()
        .map(|message| message.content.chars().count() as u64)
        .sum()
}

/// A tokenizer that knows English well.
fn generous(request: &ChatRequest) -> u64 {
    characters(request) * 10 / 45 + 3 * request.messages.len() as u64
}

/// Counts as a tokenizer that cuts everything into small pieces, with a long template around each message.
fn stingy(request: &ChatRequest) -> u64 {
    let pieces = request
        .messages
        .iter()
        .flat_map(|message| message.content.split_whitespace());
    let pieces: usize = pieces.map(|word| word.chars().count().div_ceil(2)).sum();
    pieces as u64 + 12 * request.messages.len() as u64
}

/// Gives the estimates beside what the server counted.
fn estimates(played: &Played, meter: Meter) -> Vec<(u64, u64)> {
    let estimated = played.events.iter().filter_map(|event| match event {
        Event::BrainAsked { prompt_tokens, .. } => Some(*prompt_tokens),
        _ => None,
    });
    estimated.zip(played.requests.iter().map(meter)).collect()
}

fn library() -> Tools {
    let page =
        json!({"title": "Lyon", "text": "A city at two rivers, with 522250 people in 2021. ".repeat(12)});
    let (read, deed) = tool("read", Deed::Give(page));
    let read = Tool {
        argument_schema: json!({"type": "object", "properties": {"page": {"type": "integer"}}}),
        ..read
    };
    Tools::new([
        (read, deed),
        tool(
            "list",
            Deed::Give(json!({"places": ["Lyon", "Paris", "Nice"], "n": [1, 2, 3, 4.5]})),
        ),
    ])
}

#[tokio::test(start_paused = true)]
async fn estimates_are_within_ten_per_cent_of_what_the_server_counts() {
    for meter in [generous as Meter, stingy] {
        let turn_cache = Arc::new(TurnCache::default());
        let mut checked = 0;
        for turn in 0..2 {
            let mut stage = Stage {
                tools: library(),
                turn_cache: Arc::clone(&turn_cache),
                meter: Some(meter),
                ..Stage::react([
                    act("read", r#"{"page": 1}"#),
                    act("list", r#"{"page": 2}"#),
                    act("read", r#"{"page": 3}"#),
                    done("Half a million people live in Lyon."),
                ])
            };
            stage.question.utterance = "How many people live in the city at the two rivers?".into();
            stage.question.persona_prompt = "You are a patient guide who knows the country well. ".repeat(8);
            let played = stage.play().await;
            // Nothing is known before the first reply of a brain.
            for (estimated, counted) in estimates(&played, meter).into_iter().skip(usize::from(turn == 0)) {
                let error = estimated.abs_diff(counted) as f64 / counted as f64;
                assert!(error <= 0.1, "{estimated} instead of {counted}");
                checked += 1;
            }
        }
        assert_eq!(checked, 7);
    }
}

/// A long conversation in which the person once told a name.
fn long_history() -> Vec<ChatMessage> {
    let chat = (0..12).flat_map(|n| {
        let said = if n == 3 {
            "My sister is called Philippa and lives in Porto.".to_owned()
        } else {
            format!(
                "Tell me something about number {n}. {}",
                "It may be long. ".repeat(12)
            )
        };
        [
            ChatMessage::new(Role::User, said),
            ChatMessage::new(
                Role::Assistant,
                format!("Number {n} is fine. {}", "Really. ".repeat(20)),
            ),
        ]
    });
    chat.collect()
}

fn talk(replies: impl IntoIterator<Item = Step>, window: u32) -> Stage {
    let mut stage = Stage {
        tools: library(),
        meter: Some(generous),
        capabilities: Capabilities {
            context_tokens: Some(window),
            ..Capabilities::default()
        },
        ..Stage::react(replies)
    };
    stage.question.history = long_history();
    stage.question.utterance = "What is my sister called?".into();
    stage
}

#[tokio::test(start_paused = true)]
async fn a_crowded_window_is_cleared_and_the_facts_are_kept() {
    let replies = [
        say("The person's sister is called Philippa and lives in Porto."),
        done("Philippa."),
    ];
    let played = talk(replies, 1_500).play().await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::Answered, "Philippa.")
    );
    let [notes, asked] = played.requests.as_slice() else {
        panic!("{} requests", played.requests.len());
    };
    let shown = |request: &ChatRequest| {
        request
            .messages
            .iter()
            .map(|message| message.content.clone())
            .collect::<String>()
    };
    // The brain sees the fact when it takes notes, and the notes without the old talk when it answers.
    assert!(shown(notes).contains("Philippa") && notes.tools.is_empty());
    assert!(shown(asked).contains("sister is called Philippa") && !shown(asked).contains("number 3."));
    assert!(
        generous(notes) < 1_500 && generous(asked) < 1_200,
        "below 80 % of the window"
    );
    assert!(shown(asked).ends_with("What is my sister called?"));
    assert!(played.happened(
        |event| matches!(event, Event::ContextCompacted { noted: true, before, after, .. } if *before >= 0.8 && *after < 0.8)
    ));
}

#[tokio::test(start_paused = true)]
async fn a_window_with_room_is_left_alone() {
    let played = talk([done("Philippa.")], 8_000).play().await;
    assert_eq!(played.requests.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_a_tool_found_is_noted_too_and_calls_keep_their_observations() {
    let call = |n: u32| Step::Call(String::new(), vec![("", "read", format!("{{\"page\": {n}}}"))]);
    let mut stage = Stage {
        tools: library(),
        capabilities: Capabilities {
            native_tools: true,
            context_tokens: Some(1_000),
            ..Capabilities::default()
        },
        ..Stage::native([
            call(1),
            call(2),
            call(3),
            call(4),
            say("Lyon has 522250 people."),
            say("522250."),
        ])
    };
    stage.question.utterance = "How many people?".into();
    // The stage itself checks that each call is followed by its observation in every request.
    let played = stage.play().await;
    let compacted = |event: &Event| matches!(event, Event::ContextCompacted { noted: true, .. });
    assert!(played.happened(compacted), "{:?}", played.events);
    let noted = played.requests.iter().any(|request| {
        request
            .messages
            .iter()
            .any(|message| message.content.contains("522250 people."))
    });
    assert!(noted);
}

#[tokio::test(start_paused = true)]
async fn the_server_has_the_last_word_about_the_window() {
    // The brain says nothing of its window, so that only the server's complaint tells.
    let mut stage = talk([say("unused")], 1_500);
    stage.capabilities.context_tokens = None;
    let too_long = || Step::Fail(loquat_agent::brain::BrainError::ContextTooLong { address: "x".into() });
    stage.replies = vec![too_long(), say("The sister is Philippa."), done("Philippa.")];
    let turn_cache = Arc::clone(&stage.turn_cache);
    let played = stage.play().await;
    assert_eq!(
        (
            played.record.reason,
            played.record.answer.as_str(),
            played.requests.len()
        ),
        (Reason::Answered, "Philippa.", 3)
    );
    // The next turn knows better and makes room ahead of time.
    let mut next = talk([say("The sister is Philippa."), done("Philippa.")], 1_500);
    next.capabilities.context_tokens = None;
    next.turn_cache = turn_cache;
    let played = next.play().await;
    assert_eq!(
        (played.record.answer.as_str(), played.requests.len()),
        ("Philippa.", 2)
    );
}

#[tokio::test(start_paused = true)]
async fn without_notes_what_is_long_is_cut() {
    let too_long = || Step::Fail(loquat_agent::brain::BrainError::ContextTooLong { address: "x".into() });
    let mut stage = talk([too_long(), say(""), done("No idea.")], 1_500);
    stage.capabilities.context_tokens = None;
    let played = stage.play().await;
    assert_eq!(
        (played.record.answer.as_str(), played.requests.len()),
        ("No idea.", 3)
    );
    // One retry and no more.
    let mut hopeless = talk([too_long(), say("Notes."), too_long()], 1_500);
    hopeless.capabilities.context_tokens = None;
    let played = hopeless.play().await;
    assert_eq!(
        (played.record.reason, played.requests.len()),
        (Reason::LlmError, 3)
    );
}

#[tokio::test(start_paused = true)]
async fn slow_notes_are_not_waited_for() {
    let slow = Step::Slow(Duration::from_secs(40), "Notes.".into());
    let played = talk([slow, done("No idea.")], 1_500).play().await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::Answered, "No idea.")
    );
    assert_eq!(played.record.elapsed, Duration::from_secs(20));
    assert!(generous(&played.requests[1]) < 1_200);
}

/// A turn that reads one page.
fn reading() -> Stage {
    let mut stage = Stage {
        tools: library(),
        meter: Some(generous),
        ..Stage::react([act("read", "{}"), done("Done.")])
    };
    stage.question.utterance = "Read it.".into();
    stage
}

#[tokio::test(start_paused = true)]
async fn a_window_that_fills_is_advised_about() {
    let usual = reading();
    let turn_cache = Arc::clone(&usual.turn_cache);
    let usual = usual.play().await;
    let filled = generous(&usual.requests[1]) as f64;
    for (share, advice) in [
        (0.45, None),
        (0.55, Some("Consider wrapping up")),
        (0.75, Some("Complete the current task soon")),
    ] {
        let mut stage = reading();
        stage.turn_cache = Arc::clone(&turn_cache);
        stage.capabilities.context_tokens = Some((filled / share) as u32);
        let played = stage.play().await;
        let shown = played.last_shown();
        match advice {
            Some(advice) => assert!(shown.contains(advice), "{share}: {shown}"),
            None => assert!(!shown.contains("Note:"), "{share}: {shown}"),
        }
    }
}
