//! Sentences that are nearly understood: what only reads or is easily undone is done, what changes more is asked about, and a
//! yes answers that.

use loquat_tests::turn::Utterance;
use serde_json::json;

use super::community::{FOR_THE_PERSONA, said, with_pack};
use super::types;

#[tokio::test]
async fn what_only_reads_or_is_easily_undone_is_done() {
    let (story, home) = with_pack().await;
    let mut wrong = Vec::new();
    for (lang, text, told) in [
        // A word that stands twice, and one too many.
        ("en-US", "what time is is it", "It is"),
        ("en-US", "how many the lights are on", "4"),
        ("de-DE", "wie viele Lampen sind sind an", "4"),
        ("fr-FR", "combien de de lumières sont allumées", "4"),
        // A word too few.
        ("en-US", "what time it", "It is"),
        // A name that was misheard.
        ("nl-NL", "is Bet Light aan", "Nee"),
        ("sv-SE", "är Bett Light på", "Nej"),
        ("en-US", "set set a timer for five minutes", "5 minutes"),
    ] {
        let answer = said(&story, lang, text).await;
        if !answer.contains(told) || !home.calls().is_empty() {
            wrong.push(format!("{lang}, {text}: {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn what_changes_more_is_asked_about_and_a_yes_answers_it() {
    let (story, home) = with_pack().await;
    let text = "Unlock unlock the front door";
    let question = types(&story, text).await;
    assert_eq!(question, "Front Door: shall I unlock this?");
    assert_eq!(home.calls(), Vec::<String>::new());
    types(&story, "No").await;
    assert_eq!(home.calls(), Vec::<String>::new());
    types(&story, text).await;
    types(&story, "Yes").await;
    assert_eq!(home.calls(), ["lock.unlock lock.front_door"]);
}

#[tokio::test]
async fn what_is_easily_taken_back_is_done() {
    let (story, home) = with_pack().await;
    let said = types(&story, "Turn on on the bed light").await;
    assert!(said.contains("I have turned on Bed Light."), "{said}");
    assert_eq!(home.calls(), ["light.turn_on light.bed_light"]);
    types(&story, "Undo that").await;
    assert_eq!(home.calls(), ["light.turn_off light.bed_light"]);
}

#[tokio::test]
async fn what_was_understood_second_best_and_is_a_sentence_goes_before_a_guess() {
    let (story, home) = with_pack().await;
    let entry = Utterance::new("Unlock unlock the front door");
    let mut frame = entry.frame();
    frame["data"]["utterances"] = json!(["Unlock unlock the front door", "What time is it?"]);
    let mark = story.probe.mark();
    story.probe.send(&frame).await;
    let turn = entry.end(&story.probe, mark).await;
    assert!(turn.answer().starts_with("It is"), "{}", turn.answer());
    assert_eq!(home.calls(), Vec::<String>::new());
}

#[tokio::test]
async fn what_holds_words_of_ones_own_is_no_guess() {
    let (story, home) = with_pack().await;
    for text in ["remind me me", "the the weather in my head"] {
        assert_eq!(said(&story, "en-US", text).await, FOR_THE_PERSONA, "{text}");
        assert_eq!(home.calls(), Vec::<String>::new(), "{text}");
    }
}
