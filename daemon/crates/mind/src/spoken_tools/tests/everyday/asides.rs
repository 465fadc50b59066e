//! Orders and questions with a reason or an interjection beside them, and what only looks like one.

use super::*;

/// Understood as if the rest had not been said.
const SAID: &[Asked] = &[
    (
        "en-US",
        "control_player",
        r#"{"action": "pause"}"#,
        &[
            "pause the music, somebody is at the door",
            "the doorbell's ringing, pause the music",
            "okay, pause the music, I can't hear myself talk",
            "my mother is on the phone so pause the music",
            "um, pause the music",
            "pause the music because the baby is asleep",
        ],
    ),
    (
        "en-US",
        "control_player",
        r#"{"action": "next"}"#,
        &[
            "I can't stand this singer, next song",
            "skip this song, it's so boring",
        ],
    ),
    (
        "en-US",
        "set_timer",
        r#"{"duration": "twenty minutes"}"#,
        &[
            "there's a cake in the oven, set a timer for twenty minutes",
            "set a timer for twenty minutes, I'm steaming dumplings",
            "right, the rolls are in, shout when twenty minutes are up",
            "well, set a timer for twenty minutes, would you, love",
        ],
    ),
    (
        "en-US",
        "get_current_datetime",
        "{}",
        &[
            "what day is it, I have no idea",
            "oh dear, what time is it",
            "so what time is it now",
        ],
    ),
    (
        "en-US",
        "change_volume",
        "{}",
        &[
            "it's so loud, turn it down",
            "you're shouting, turn the volume down",
        ],
    ),
    (
        "de-DE",
        "control_player",
        r#"{"action": "pause"}"#,
        &[
            "das Telefon klingelt, halt mal die Musik an",
            "äh, pausiere die Musik",
        ],
    ),
    (
        "de-DE",
        "set_timer",
        r#"{"duration": "zwanzig Minuten"}"#,
        &["die Pizza ist drin, stell einen Timer auf zwanzig Minuten"],
    ),
    (
        "fr-FR",
        "control_player",
        r#"{"action": "pause"}"#,
        &["le bébé dort, mets la musique en pause"],
    ),
    (
        "es-ES",
        "control_player",
        r#"{"action": "pause"}"#,
        &["el niño está dormido, pausa la música"],
    ),
    (
        "it-IT",
        "control_player",
        r#"{"action": "pause"}"#,
        &["il bambino sta dormendo, metti in pausa la musica"],
    ),
    (
        "pt-PT",
        "control_player",
        r#"{"action": "pause"}"#,
        &["o bebé está a dormir, pausa a música"],
    ),
];

/// Understood as if the words that change nothing had not been said.
const WITH_PARTICLES: &[Asked] = &[
    (
        "en-US",
        "get_current_datetime",
        "{}",
        &["what time is it actually", "what day is it though"],
    ),
    (
        "en-US",
        "control_player",
        r#"{"action": "pause"}"#,
        &["just pause the music quickly", "pause the music for once"],
    ),
    (
        "de-DE",
        "get_current_datetime",
        r#"{"timezone": "Lissabon"}"#,
        &[
            "wie spät ist es denn grad in Lissabon",
            "wie spät ist es eigentlich gerade in Lissabon",
        ],
    ),
    (
        "de-DE",
        "get_current_datetime",
        "{}",
        &[
            "welcher Tag ist denn heute eigentlich",
            "wie spät ist es denn bloß",
        ],
    ),
    (
        "fr-FR",
        "get_current_datetime",
        "{}",
        &["quelle heure est-il donc", "quelle heure est-il déjà"],
    ),
    ("es-ES", "get_current_datetime", "{}", &["qué hora es entonces"]),
    ("it-IT", "get_current_datetime", "{}", &["ma che ore sono allora"]),
    ("pt-PT", "get_current_datetime", "{}", &["que horas são então"]),
];

/// What may say more of the order than why, or is no order at all.
const NOT_APART: &[(&str, &[&str])] = &[
    (
        "en-US",
        &[
            "pause the music, he said",
            "pause the music, not the one in the kitchen",
            "pause the music, if it rains",
            "pause the music, I mean the radio in the hall",
            "pause the music, feed the cat",
            "set a timer for twenty minutes, it should ring at nine",
            "she shouted, pause the music",
            "I am tired, I am going home",
            "it's raining, he's late",
            "so it goes",
            "well, well, well",
            "just like that",
            "perhaps not",
        ],
    ),
    (
        "de-DE",
        &[
            "halt mal die Musik an, sagte er",
            "pausiere die Musik, wenn es regnet",
            "also gut",
        ],
    ),
];

#[test]
fn what_stands_beside_an_order_and_asks_for_nothing_does_not_hide_it() {
    let wrong = wrong(&spoken(), SAID);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn words_that_change_nothing_do_not_hide_an_order() {
    let wrong = wrong(&spoken(), WITH_PARTICLES);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_may_change_an_order_is_no_aside() {
    let spoken = spoken();
    let mut caught: Vec<&str> = Vec::new();
    for (lang, sentences) in NOT_APART {
        let found = |text: &&str| spoken.recognise(text, lang).is_some();
        caught.extend(sentences.iter().copied().filter(found));
    }
    assert!(caught.is_empty(), "{caught:#?}");
}
