//! What a small model tells out of its head is told as what it is.

use loquat_agent::brain::ChatMessage;
use loquat_agent::event::Event;
use loquat_agent::turn::Selection;
use serde_json::json;

use crate::brain::{Step, act, done, say};
use crate::support::{Played, Stage};
use crate::tools::{Deed, tool};

/// A turn of a small brain that is asked this.
fn asked(question: &str, replies: impl IntoIterator<Item = Step>) -> Stage {
    let mut stage = Stage::react(replies).with([tool("look", Deed::Give(json!({"height": 330})))]);
    stage.capabilities.small = true;
    question.clone_into(&mut stage.question.utterance);
    stage.question.selection = Some(Selection {
        asks: true,
        ..Selection::default()
    });
    stage
}

async fn answer(question: &str, told: &str) -> String {
    asked(question, [done(told)]).play().await.record.answer
}

#[tokio::test(start_paused = true)]
async fn numbers_and_names_that_nothing_gave_are_told_as_a_thought() {
    for (question, told, expected) in [
        (
            "How high is that tower?",
            "It is 330 metres high.",
            "I think: It is 330 metres high.",
        ),
        (
            "What is the capital of Peru?",
            "The capital of Peru is Lima.",
            "I think: The capital of Peru is Lima.",
        ),
        (
            "Is 330 metres a lot?",
            "Yes, 330 metres is a lot.",
            "Yes, 330 metres is a lot.",
        ),
        (
            "Why is the sky blue?",
            "Air scatters blue light.",
            "Air scatters blue light.",
        ),
        ("Do you know a riddle?", "What has 88 keys?", "What has 88 keys?"),
        (
            "Can't you ask Olga?",
            "I cannot ask Olga or Boris.",
            "I cannot ask Olga or Boris.",
        ),
        (
            "Who was Bach?",
            "Bach was a composer. He was born in 1685. He died.",
            "Bach was a composer. I think: He was born in 1685. He died.",
        ),
    ] {
        assert_eq!(answer(question, told).await, expected, "{question}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_tool_brought_or_was_said_before_is_told_as_it_is_and_so_is_what_a_large_model_knows() {
    let told = "It is 330 metres high.";
    let looked = asked("How high is it?", [act("look", "{}"), done(told)]);
    assert_eq!(looked.play().await.record.answer, told);
    let mut before = asked("How high was it again?", [done(told)]);
    before.question.history = vec![
        ChatMessage::user("It has 330 metres."),
        ChatMessage::assistant("Fine."),
    ];
    assert_eq!(before.play().await.record.answer, told);
    let mut large = asked("How high is it?", [done(told)]);
    large.capabilities.small = false;
    assert_eq!(large.play().await.record.answer, told);
    let mut wish = asked("Tell it.", [done(told)]);
    wish.question.selection.as_mut().unwrap().asks = false;
    assert_eq!(wish.play().await.record.answer, told);
}

#[tokio::test(start_paused = true)]
async fn a_language_in_which_all_nouns_are_capital_has_only_numbers_doubted() {
    for (told, expected) in [
        ("Der Hund bellt.", "Der Hund bellt."),
        ("Er hat 42 Zähne.", "Ich glaube: Er hat 42 Zähne."),
    ] {
        let mut stage = asked("Was macht er?", [done(told)]);
        stage.question.lang = Some("de-DE".to_owned());
        assert_eq!(stage.play().await.record.answer, expected);
    }
}

fn told(played: &Played) -> String {
    let deltas = played.events.iter().filter_map(|event| match event {
        Event::AnswerDelta { text, .. } => Some(text.as_str()),
        _ => None,
    });
    deltas.collect()
}

#[tokio::test(start_paused = true)]
async fn what_is_told_while_it_is_written_is_told_in_the_same_words() {
    let whole = "FINAL_ANSWER: Bach was a composer. He was born in 1685. He died in 1750. So it is.";
    let played = asked("Who was Bach?", [say(whole)]).play().await;
    assert!(played.told_early().len() > 1);
    assert_eq!(told(&played), played.record.answer);
    assert!(
        played
            .record
            .answer
            .contains(". I think: He was born in 1685. He died")
    );
    assert!(
        !played
            .events
            .iter()
            .any(|event| matches!(event, Event::AnswerVoided { .. }))
    );
}
