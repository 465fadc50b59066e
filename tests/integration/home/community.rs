//! The sentences of Home Assistant's community, said to a device in a home: they move and tell what they name, in languages of
//! ours and in others, and what asks first still asks.

use loquat_tests::brain::Reply;
use loquat_tests::home_assistant::{FakeHomeAssistant, Manner};
use loquat_tests::models;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use super::TOOLS;
use crate::story::{Scene, Story, TESTER};

pub(super) const FOR_THE_PERSONA: &str = "The persona has it.";

/// A daemon in the living room of a home, with the pack.
pub(super) async fn with_pack() -> (Story, FakeHomeAssistant) {
    let home = FakeHomeAssistant::start(Manner::Good).await;
    let scene = Scene::default();
    home.furnish(&scene.home);
    let pack = models::smallest("home_assistant_intents", "whl");
    scene.home.setting("sentences.pack", &pack);
    scene.home.setting("home_assistant.area", "\"Living Room\"");
    let tester = scene.tester().toolboxes(&[TOOLS]);
    let story = scene.play_attended(&tester).await;
    story.daemon.wrote("connected to Home Assistant", PATIENCE).await;
    story.brain.whenever(TESTER, "", Reply::answers(FOR_THE_PERSONA));
    (story, home)
}

/// All that is said to this.
pub(super) async fn said(story: &Story, lang: &str, text: &str) -> String {
    let utterance = Utterance::new(text).session("lang", json!(lang));
    let turn = utterance.ask(&story.probe).await;
    let spoken = turn.spoken();
    let spoken: Vec<&str> = spoken.iter().map(|frame| frame.utterance()).collect();
    spoken.join(" ")
}

#[tokio::test]
async fn what_the_community_says_to_a_home_is_done() {
    let (story, home) = with_pack().await;
    let mut wrong = Vec::new();
    for (lang, text, called) in [
        ("en-US", "set Bed Light to 40%", "light.turn_on light.bed_light"),
        (
            "en-US",
            "could you turn off the bed light please",
            "light.turn_off light.bed_light",
        ),
        (
            "en-US",
            "close Hall Window",
            "cover.close_cover cover.hall_window",
        ),
        (
            "de-DE",
            "schalte bitte Bed Light aus",
            "light.turn_off light.bed_light",
        ),
        ("fr-FR", "allume Bed Light", "light.turn_on light.bed_light"),
        ("nl-NL", "doe Bed Light uit", "light.turn_off light.bed_light"),
        ("pl-PL", "włącz Bed Light", "light.turn_on light.bed_light"),
        ("ru-RU", "выключи Bed Light", "light.turn_off light.bed_light"),
    ] {
        said(&story, lang, text).await;
        let calls = home.calls();
        if calls != [called] {
            wrong.push(format!("{lang}, {text}: {calls:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(home.guarded_moves(), Vec::<String>::new());
}

#[tokio::test]
async fn what_the_community_asks_of_a_home_is_answered_and_what_asks_first_is_asked() {
    let (story, home) = with_pack().await;
    for (lang, text, answer) in [
        ("en-US", "is Hall Window open", "Yes."),
        ("en-US", "which lights are on", "Kitchen Lights"),
        ("en-US", "how many lights are on", "4"),
        (
            "de-DE",
            "ist Hall Window geschlossen",
            "Nein, Hall Window: offen.",
        ),
    ] {
        let told = said(&story, lang, text).await;
        assert!(told.contains(answer), "{text}: {told}");
    }
    for (lang, text) in [
        ("en-US", "unlock the front door"),
        ("en-US", "open the garage door"),
        ("de-DE", "schließe Front Door auf"),
    ] {
        let told = said(&story, lang, text).await;
        assert_ne!(told, FOR_THE_PERSONA, "{text}");
        assert_eq!(home.guarded_moves(), Vec::<String>::new(), "{text}: {told}");
    }
    for text in [
        "never mind",
        "I wonder who lit the first lamp",
        "say hello to the kitchen",
    ] {
        let told = said(&story, "en-US", text).await;
        let expected = if text == "never mind" { "" } else { FOR_THE_PERSONA };
        assert_eq!(told, expected, "{text}");
    }
}

#[tokio::test]
async fn what_is_done_is_told_in_the_packs_answers_where_there_are_none_of_ours() {
    let (story, home) = with_pack().await;
    let mut wrong = Vec::new();
    for (lang, text, told, called) in [
        ("nl-NL", "hoeveel lampen zijn aan", "4", ""),
        (
            "nl-NL",
            "doe Bed Light aan",
            "Aangezet",
            "light.turn_on light.bed_light",
        ),
        ("nl-NL", "is Bed Light aan", "Ja", ""),
        (
            "nl-NL",
            "sluit Hall Window",
            "Gesloten",
            "cover.close_cover cover.hall_window",
        ),
        ("nl-NL", "hoe laat is het", "Het is", ""),
        ("nl-NL", "zet een timer van 5 minuten", "5 minuten", ""),
        ("nl-NL", "annuleer de timer", "Timer geannuleerd", ""),
        (
            "pl-PL",
            "wyłącz Bed Light",
            "Wyłączono",
            "light.turn_off light.bed_light",
        ),
        (
            "pl-PL",
            "otwórz Hall Window",
            "Otwarto",
            "cover.open_cover cover.hall_window",
        ),
        ("sv-SE", "är Bed Light på", "Nej, den är av", ""),
        (
            "sv-SE",
            "tänd Bed Light",
            "Slog på lampan",
            "light.turn_on light.bed_light",
        ),
        ("sv-SE", "starta en timer på 5 minuter", "Timer startad", ""),
    ] {
        let answer = said(&story, lang, text).await;
        let calls = home.calls().join(", ");
        if !answer.contains(told) || calls != called {
            wrong.push(format!("{lang}, {text}: {answer}: {calls}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
