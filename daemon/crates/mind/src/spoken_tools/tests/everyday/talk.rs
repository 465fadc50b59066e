//! Ordinary talk that has the words of everyday wishes and is none.

use super::*;

/// Ordinary talk in the words of these kinds.
const TALK: &[(&str, &[&str])] = &[
    (
        "en-US",
        &[
            "double trouble",
            "half of my friends",
            "the rice needs ten full minutes",
            "split the bill between us",
            "take it off",
            "he took ten percent off because I asked",
            "she divided the cake between the three of us",
            "add insult to injury",
            "multiply your blessings",
            "the next hour will be quiet",
            "it was quiet for an hour",
            "bluetooth was named after a king",
            "the white one is nicer",
            "cancel the other one on Monday",
            "I don't remember that for the life of me",
            "add two hours and ten minutes",
            "two of us need help",
            "the kids have to learn it for four years",
            "we're out of time",
            "we are out of luck",
            "we need to talk",
            "I need you to warm the milk",
            "we need help with the bread",
            "there is no more hope",
            "the party is over",
            "the game is finished",
            "I've got it already",
            "I just got home",
            "I've bought a house",
            "we need milk in the coffee",
            "call me when dinner is ready",
            "let me know when the game is over",
            "give me a minute",
            "the meeting needs another hour",
            "time the race",
            "I want to get out of here by six",
            "make sure the door is locked",
            "I can't forget that night",
            "don't let me down",
            "how far along is the project",
            "what is left of the old town",
            "is anything wrong",
            "never mind the neighbours",
            "forget about tomorrow",
            "is it hot in the oven",
            "any news on the way",
            "how do I set a table",
            "what does the fox say",
            "take it down to the river",
            "leave him alone until three",
            "the battery is running low",
            "the pizza is finished",
            "put down the wine",
            "we're out of stock",
        ],
    ),
    (
        "de-DE",
        &[
            "wir haben keine Zeit mehr",
            "die Party ist aus",
            "es fehlt noch Mut",
            "wir brauchen Hilfe mit dem Brot",
            "ich muss hier raus",
            "meld dich wenn du da bist",
            "sag mir die Wahrheit",
            "das Essen ist fertig",
            "vergiss den Streit",
            "mir geht die Geduld aus",
            "ist es heiß im Ofen",
            "ich habe es schon",
            "die Batterie ist leer",
        ],
    ),
    (
        "fr-FR",
        &[
            "il n'y a plus de temps",
            "je dois partir",
            "il nous faut de l'aide",
        ],
    ),
    (
        "es-ES",
        &[
            "ya no queda tiempo",
            "nos hemos quedado sin ideas",
            "tengo que irme",
        ],
    ),
    (
        "it-IT",
        &["non c'è più tempo", "siamo rimasti senza idee", "devo andare via"],
    ),
    (
        "pt-PT",
        &["já não há tempo", "ficámos sem ideias", "tenho de ir embora"],
    ),
];

#[test]
fn ordinary_talk_in_the_same_words_is_left_to_others() {
    let spoken = spoken();
    let mut caught = Vec::new();
    for (lang, sentences) in TALK {
        for text in *sentences {
            let found = spoken.recognise(text, lang);
            caught.extend(found.map(|found| (text, found.intent_name, found.slots)));
        }
    }
    assert!(caught.is_empty(), "{caught:#?}");
}
