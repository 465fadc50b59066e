//! Which of several things is meant: the device asks, takes any sensible answer in six languages, also where the thing asks for
//! a yes then, and leaves what is no answer to whom it is for.

use loquat_tests::brain::Reply;
use loquat_tests::home_assistant::{FakeHomeAssistant, Manner, Thing};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use super::{TOOLS, types};
use crate::story::{Scene, Story, TESTER};

const FOR_THE_PERSONA: &str = "The persona has it.";

/// A device of this language in a home with two lamps and two gates that are called alike.
async fn with_twins(lang: &str) -> (Story, FakeHomeAssistant) {
    let home = FakeHomeAssistant::start(Manner::Good).await;
    home.brings([
        Thing::new("light.lamp_kitchen", "Lamp", "off").within("kitchen"),
        Thing::new("light.lamp_bedroom", "Lamp", "off").within("bedroom"),
        Thing::new("lock.gate_kitchen", "Gate", "locked").within("kitchen"),
        Thing::new("lock.gate_bedroom", "Gate", "locked").within("bedroom"),
    ]);
    let scene = Scene::default();
    home.furnish(&scene.home);
    scene.home.mycroft_conf(&json!({"lang": lang}));
    let tester = scene.tester().toolboxes(&[TOOLS]);
    let story = scene.play_attended(&tester).await;
    story.daemon.wrote("connected to Home Assistant", PATIENCE).await;
    story.brain.whenever(TESTER, "", Reply::answers(FOR_THE_PERSONA));
    (story, home)
}

/// All that is said to this, in one conversation in this language.
async fn said(story: &Story, lang: &str, text: &str) -> String {
    let utterance = Utterance::new(text)
        .in_session("twins")
        .session("lang", json!(lang));
    let turn = utterance.ask(&story.probe).await;
    let spoken = turn.spoken();
    let spoken: Vec<&str> = spoken.iter().map(|frame| frame.utterance()).collect();
    spoken.join(" ")
}

const KITCHEN: &str = "light.turn_on light.lamp_kitchen";
const BEDROOM: &str = "light.turn_on light.lamp_bedroom";
const BOTH: &str = "light.turn_on light.lamp_bedroom light.lamp_kitchen";

/// What is said in a language, and answers with what is called then.
type Asked = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

/// In a language, what asks back and what is answered, with what is called then.
const ANSWERS: &[Asked] = &[
    (
        "en-US",
        "turn on the lamp",
        &[
            ("the kitchen", KITCHEN),
            ("the one in the bedroom", BEDROOM),
            ("the bedroom lamp", BEDROOM),
            ("the first one", BEDROOM),
            ("number two", KITCHEN),
            ("2", KITCHEN),
            ("both", BOTH),
            ("the kitchin one", KITCHEN),
        ],
    ),
    (
        "de-DE",
        "mach die Lamp an",
        &[
            ("die in der Küche", KITCHEN),
            ("die zweite", KITCHEN),
            ("beide", BOTH),
        ],
    ),
    (
        "fr-FR",
        "allume la lamp",
        &[("la première", BEDROOM), ("les deux", BOTH)],
    ),
    (
        "es-ES",
        "enciende la lamp",
        &[("la de la cocina", KITCHEN), ("las dos", BOTH)],
    ),
    (
        "it-IT",
        "accendi la lamp",
        &[("quella della cucina", KITCHEN), ("la seconda", KITCHEN)],
    ),
    (
        "pt-PT",
        "liga a lamp",
        &[("a primeira", BEDROOM), ("as duas", BOTH)],
    ),
];

#[tokio::test]
async fn any_sensible_answer_to_which_one_is_taken_in_six_languages() {
    let (story, home) = with_twins("en-US").await;
    let mut wrong = Vec::new();
    for (lang, wish, answers) in ANSWERS {
        for (answer, called) in *answers {
            let question = said(&story, lang, wish).await;
            if !question.contains("Lamp (Bedroom)") || !home.calls().is_empty() {
                wrong.push(format!("{lang}, {wish}: {question}"));
            }
            let told = said(&story, lang, answer).await;
            let calls = home.calls().join(", ");
            if calls != *called {
                wrong.push(format!("{lang}, {answer}: {calls}: {told}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn what_is_no_answer_is_an_utterance_of_its_own_and_ends_the_question() {
    let (story, home) = with_twins("en-US").await;
    for (text, told) in [
        ("what do you think of the sea", FOR_THE_PERSONA),
        ("no", ""),
        ("turn on the bed light", "I have turned on Bed Light."),
    ] {
        said(&story, "en-US", "turn on the lamp").await;
        assert_eq!(said(&story, "en-US", text).await, told, "{text}");
        home.calls();
        let late = said(&story, "en-US", "the kitchen").await;
        assert_eq!(
            (late.as_str(), home.calls()),
            (FOR_THE_PERSONA, Vec::new()),
            "{text}"
        );
    }
}

#[tokio::test]
async fn the_one_that_was_meant_still_asks_for_a_yes() {
    for (lang, wish, answer, yes) in [
        ("en-US", "Unlock the gate", "The kitchen", "Yes"),
        ("de-DE", "Schließ das Gate auf", "das in der Küche", "Ja"),
        ("fr-FR", "Déverrouille le gate", "le deuxième", "Oui"),
        ("es-ES", "Desbloquea el gate", "el de la cocina", "Sí"),
        ("it-IT", "Sblocca il gate", "quello della cucina", "Sì"),
        ("pt-PT", "Destranca o gate", "o segundo", "Sim"),
    ] {
        let (story, home) = with_twins(lang).await;
        let which = types(&story, wish).await;
        assert!(which.contains("Gate (Kitchen)"), "{lang}: {which}");
        let question = types(&story, answer).await;
        assert!(question.contains("Gate (Kitchen)"), "{lang}: {question}");
        assert_eq!(home.guarded_moves(), Vec::<String>::new(), "{lang}: {question}");
        let told = types(&story, yes).await;
        assert_eq!(home.state("lock.gate_kitchen"), "unlocked", "{lang}: {told}");
        assert_eq!(home.state("lock.gate_bedroom"), "locked", "{lang}: {told}");
    }
}

#[tokio::test]
async fn of_several_timers_the_one_is_ended_that_the_answer_names() {
    let (story, _home) = with_twins("en-US").await;
    let say = async |text: &str| said(&story, "en-US", text).await;
    for (answer, is_gone) in [
        ("the pizza one", "pizza"),
        ("the first one", "pizza"),
        ("the ten minute timer", "pasta"),
    ] {
        say("set a pizza timer for five minutes").await;
        say("set a pasta timer for ten minutes").await;
        let which = say("cancel the timer").await;
        assert!(which.contains("pizza") && which.contains("pasta"), "{which}");
        let told = say(answer).await;
        assert!(told.to_lowercase().contains(is_gone), "{answer}: {told}");
        let left = say("what timers are there").await;
        assert!(!left.contains(is_gone), "{answer}: {left}");
        say("cancel all timers").await;
    }
    say("set a pizza timer for five minutes").await;
    say("set a pasta timer for ten minutes").await;
    say("cancel the timer").await;
    assert!(say("both").await.contains('2'), "both are ended");
}
