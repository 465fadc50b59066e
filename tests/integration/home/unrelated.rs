//! What people say that is for no tool, to a device that has the pack, its own sentences, a home full of names, and guesses at
//! what was misheard: none of it is taken, and nothing of the home moves. Nor does it by what is not to be done, or was only asked.

use futures_util::future::join_all;
use loquat_tests::home_assistant::FakeHomeAssistant;
use loquat_tests::turn::Utterance;
use serde_json::json;

use super::community::{FOR_THE_PERSONA, with_pack};
use crate::story::Story;

/// Chat, questions of knowledge, stories, opinions and puzzles: fifty sentences of each language.
const UNRELATED: [(&str, &str); 6] = [
    ("en-US", include_str!("unrelated/en.txt")),
    ("de-DE", include_str!("unrelated/de.txt")),
    ("fr-FR", include_str!("unrelated/fr.txt")),
    ("es-ES", include_str!("unrelated/es.txt")),
    ("it-IT", include_str!("unrelated/it.txt")),
    ("pt-PT", include_str!("unrelated/pt.txt")),
];

/// What is not to be done, and what is said to that.
const NOT_TO_BE_DONE: &[(&str, &str, &[&str])] = &[
    (
        "en-US",
        "All right, nothing was set or changed.",
        &[
            "don't turn on the bed light",
            "do not open the hall window",
            "never unlock the front door",
            "please don't set a timer for five minutes",
            "don't set an alarm for seven",
        ],
    ),
    (
        "de-DE",
        "In Ordnung, es ist nichts gestellt und nichts geändert.",
        &[
            "mach Bed Light nicht an",
            "öffne Hall Window nicht",
            "stell keinen Timer auf fünf Minuten",
            "stell keinen Wecker auf sieben Uhr",
        ],
    ),
    (
        "fr-FR",
        "D'accord, rien n'a été programmé ni changé.",
        &[
            "n'allume pas Bed Light",
            "n'ouvre pas Hall Window",
            "ne mets pas de minuteur de cinq minutes",
            "ne mets pas d'alarme à sept heures",
        ],
    ),
    (
        "es-ES",
        "De acuerdo, no he puesto ni cambiado nada.",
        &[
            "no enciendas Bed Light",
            "no abras Hall Window",
            "no pongas un temporizador de cinco minutos",
            "no pongas una alarma a las siete",
        ],
    ),
    (
        "it-IT",
        "Va bene, non ho impostato né cambiato nulla.",
        &[
            "non accendere Bed Light",
            "non aprire Hall Window",
            "non impostare un timer di cinque minuti",
            "non mettere una sveglia alle sette",
        ],
    ),
    (
        "pt-PT",
        "Está bem, não defini nem alterei nada.",
        &[
            "não ligues Bed Light",
            "não abras Hall Window",
            "não ponhas um temporizador de cinco minutos",
            "não ponhas um alarme para as sete",
        ],
    ),
];

/// What is asked without a wish that it be done.
const ONLY_ASKED: &[(&str, &[&str])] = &[
    (
        "en-US",
        &[
            "should I turn on the bed light",
            "why did you turn off the kitchen lights",
            "can you tell me who turned on the bed light",
        ],
    ),
    (
        "de-DE",
        &[
            "soll ich Bed Light anmachen",
            "warum hast du Bed Light ausgemacht",
        ],
    ),
    (
        "fr-FR",
        &[
            "est-ce que je dois allumer Bed Light",
            "pourquoi as-tu éteint Bed Light",
        ],
    ),
    (
        "es-ES",
        &["debería encender Bed Light", "por qué has apagado Bed Light"],
    ),
    (
        "it-IT",
        &["dovrei accendere Bed Light", "perché hai spento Bed Light"],
    ),
    (
        "pt-PT",
        &["devo ligar Bed Light", "porque é que desligaste Bed Light"],
    ),
];

/// All that is said to this, in one of the conversations of its language.
async fn said(story: &Story, (lang, part): (&str, usize), text: &str) -> String {
    let utterance = Utterance::new(text)
        .in_session(&format!("{lang}-{part}"))
        .session("lang", json!(lang));
    let turn = utterance.ask(&story.probe).await;
    let spoken = turn.spoken();
    let spoken: Vec<&str> = spoken.iter().map(|frame| frame.utterance()).collect();
    spoken.join(" ")
}

/// What was answered otherwise, and what was moved.
async fn caught(
    (story, home): &(Story, FakeHomeAssistant),
    ((lang, part), expected): ((&str, usize), &str),
    sentences: impl Iterator<Item = &str>,
) -> Vec<String> {
    let mut caught = Vec::new();
    for text in sentences {
        let told = said(story, (lang, part), text).await;
        let calls = home.calls();
        if told != expected || !calls.is_empty() {
            caught.push(format!("{lang}, {text}: {told}: {calls:?}"));
        }
    }
    caught
}

#[tokio::test]
async fn three_hundred_unrelated_sentences_are_all_left_to_the_persona() {
    let device = with_pack().await;
    let mut wrong = Vec::new();
    for (lang, sentences) in UNRELATED {
        let lines: Vec<&str> = sentences.lines().collect();
        let parts = lines.chunks(10).enumerate();
        let parts = parts
            .map(|(part, lines)| caught(&device, ((lang, part), FOR_THE_PERSONA), lines.iter().copied()));
        wrong.extend(join_all(parts).await.into_iter().flatten());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let count: usize = UNRELATED
        .iter()
        .map(|(_, sentences)| sentences.lines().count())
        .sum();
    assert_eq!(count, 300);
}

#[tokio::test]
async fn what_is_not_to_be_done_and_what_is_only_asked_is_not_done_in_six_languages() {
    let device = with_pack().await;
    let denied = NOT_TO_BE_DONE
        .iter()
        .map(|(lang, said, sentences)| caught(&device, ((lang, 0), said), sentences.iter().copied()));
    let mut wrong: Vec<String> = join_all(denied).await.into_iter().flatten().collect();
    let asked = ONLY_ASKED
        .iter()
        .map(|(lang, sentences)| caught(&device, ((lang, 0), FOR_THE_PERSONA), sentences.iter().copied()));
    wrong.extend(join_all(asked).await.into_iter().flatten());
    assert!(wrong.is_empty(), "{wrong:#?}");
}
