//! What people say in six languages, and what they say that is for no work of reference.

use loquat_sentences::{Spelling, Template};

use loquat_kit::Skill;
use loquat_trial::heard;

use crate::{web, wikidata, wikipedia, wiktionary};

/// The skills that look things up.
const OURS: [&Skill; 4] = [
    &web::SKILL,
    &wikipedia::SKILL,
    &wiktionary::SKILL,
    &wikidata::SKILL,
];

/// Language, sentence, tool and what it is asked.
const ASKED: &[[&str; 4]] = &[
    [
        "en-us",
        "Who was Ada Lovelace?",
        "search_wikipedia",
        "Ada Lovelace",
    ],
    [
        "en-us",
        "who is Alexander the Great",
        "search_wikipedia",
        "Alexander the Great",
    ],
    ["en-us", "look up black holes", "search_wikipedia", "black holes"],
    [
        "en-us",
        "Tell me about the Roman Empire",
        "search_wikipedia",
        "the Roman Empire",
    ],
    [
        "en-us",
        "search Wikipedia for loquat",
        "search_wikipedia",
        "loquat",
    ],
    [
        "en-us",
        "what does wikipedia say about photosynthesis",
        "search_wikipedia",
        "photosynthesis",
    ],
    [
        "en-us",
        "search the web for rust 1.90 release notes",
        "web_search",
        "rust 1.90 release notes",
    ],
    [
        "en-us",
        "search for cheap flights online",
        "web_search",
        "cheap flights",
    ],
    [
        "de-de",
        "Wer war Otto von Bismarck?",
        "search_wikipedia",
        "Otto von Bismarck",
    ],
    [
        "de-de",
        "Erzähl mir etwas über Vulkane",
        "search_wikipedia",
        "Vulkane",
    ],
    [
        "de-de",
        "Schlag Photosynthese nach",
        "search_wikipedia",
        "Photosynthese",
    ],
    [
        "de-de",
        "suche im Internet nach Kuchenrezepten",
        "web_search",
        "Kuchenrezepten",
    ],
    [
        "fr-fr",
        "Qui était Charles de Gaulle ?",
        "search_wikipedia",
        "Charles de Gaulle",
    ],
    [
        "fr-fr",
        "cherche volcan sur Wikipédia",
        "search_wikipedia",
        "volcan",
    ],
    [
        "fr-fr",
        "cherche sur internet recette de crêpes",
        "web_search",
        "recette de crêpes",
    ],
    [
        "es-es",
        "¿Quién fue Miguel de Cervantes?",
        "search_wikipedia",
        "Miguel de Cervantes",
    ],
    [
        "es-es",
        "háblame de los volcanes",
        "search_wikipedia",
        "los volcanes",
    ],
    [
        "es-es",
        "busca en internet recetas de paella",
        "web_search",
        "recetas de paella",
    ],
    [
        "pt-pt",
        "Quem foi Vasco da Gama?",
        "search_wikipedia",
        "Vasco da Gama",
    ],
    [
        "pt-pt",
        "procura na wikipédia vulcões",
        "search_wikipedia",
        "vulcões",
    ],
    [
        "pt-pt",
        "pesquisa na internet por bacalhau",
        "web_search",
        "bacalhau",
    ],
    [
        "it-it",
        "Chi era Leonardo da Vinci?",
        "search_wikipedia",
        "Leonardo da Vinci",
    ],
    [
        "it-it",
        "cerca vulcani su wikipedia",
        "search_wikipedia",
        "vulcani",
    ],
    [
        "it-it",
        "cerca su internet ricette di pasta",
        "web_search",
        "ricette di pasta",
    ],
];

#[test]
fn people_are_understood() {
    for [lang, said, tool, expected] in ASKED {
        let call = heard(&OURS, said, lang).unwrap_or_else(|| panic!("{said} ({lang})"));
        assert_eq!(call.tool, *tool, "{said} ({lang})");
        assert_eq!(call.arguments["query"], *expected, "{said} ({lang})");
    }
}

const OTHER_TALK: &[(&str, &[&str])] = &[
    (
        "en-us",
        &[
            "who are you",
            "who am I",
            "who is there",
            "who is it",
            "who is at the door",
            "who is calling",
            "who is next",
            "who is my boss",
            "who is your maker",
            "who's on the phone",
            "who is in the kitchen",
            "who was that",
            "who is knocking at the door",
            "who is winning the game",
            "who is the man in that picture",
            "what is my name",
            "what is the weather",
            "what is on my list",
            "what is 5 plus 3",
            "what is love",
            "what is the time",
            "what is the motto of France",
            "what's up",
            "what is in a name",
            "what is 5",
            "what time is it",
            "tell me a joke",
            "tell me about yourself",
            "tell me about my day",
            "tell me about the weather",
            "tell me something about you",
            "what do you know about me",
            "look up",
            "look up my appointments",
            "look up the weather tomorrow",
            "look it up",
            "search",
            "search for it",
            "search my messages",
            "how many people like Tokyo",
            "who's got the remote",
            "who's coming for dinner",
            "who is talking",
            "how far is the moon",
            "who won the world cup in 2014",
            "how old are you",
            "how old am I",
            "how tall is your father",
            "when was I born",
            "when were you born",
            "when is my birthday",
            "when is the next train",
            "what does it mean",
            "what does that mean",
            "what do you mean",
            "define it",
            "set a timer for the pasta",
            "play some music",
            "turn on the light in the kitchen",
            "good morning",
            "what day is my birthday",
            "how long is a piece of string",
            "how long is the movie",
            "how much is the fish",
            "what is the value of friendship",
            "what is the date of the battle of Hastings",
            "call 911",
            "what is 50 cent's real name",
            "what is two by four lumber",
            "how high is the volume",
            "how old is my dog",
            "what is the population",
            "when was the meeting",
            "when was dinner",
            "what is the meaning of life",
        ],
    ),
    (
        "de-de",
        &[
            "Wer bist du?",
            "Wer ist da?",
            "Wer ist dran?",
            "Wer ist an der Tür?",
            "Wer ist das?",
            "Wer war das?",
            "Wer hat angerufen?",
            "Was ist Liebe?",
            "Was ist los?",
            "Wie heißt du?",
            "Erzähl mir einen Witz",
            "Erzähl mir etwas über dich",
            "Was ist eine Meile wert?",
            "Was ist fünf?",
            "Was weißt du über mich?",
            "Was ist die Wurzel des Problems?",
            "Wie alt bist du?",
            "Wie alt bin ich?",
            "Wann bin ich geboren?",
            "Wie viele Menschen mögen Tokio?",
            "Was bedeutet das?",
            "Was heißt das?",
            "Schlag das nach",
            "Und was jetzt?",
            "Wie hoch ist die Lautstärke?",
            "Such mein Handy",
        ],
    ),
    (
        "fr-fr",
        &[
            "Qui es-tu ?",
            "Qui est là ?",
            "Qui est à la porte ?",
            "C'est qui ?",
            "C'est quoi l'amour ?",
            "Quel est le sens de la vie ?",
            "Raconte une blague",
            "Parle-moi de toi",
            "Quel âge as-tu ?",
            "Quelle est la devise de la France ?",
            "Que veut dire ça ?",
            "Que sais-tu de moi ?",
        ],
    ),
    (
        "es-es",
        &[
            "¿Quién eres?",
            "¿Quién es?",
            "¿Quién está ahí?",
            "¿Qué es el amor?",
            "¿Cuántos años tienes?",
            "¿Cuál es el lema de Francia?",
            "Cuenta un chiste",
            "Háblame de ti",
            "¿Qué significa eso?",
            "¿Qué es la raíz del problema?",
        ],
    ),
    (
        "pt-pt",
        &[
            "Quem és tu?",
            "Quem é?",
            "Quem está aí?",
            "O que é o amor?",
            "Quantos anos tens?",
            "Fala-me de ti",
            "O que significa isso?",
            "Conta uma piada",
        ],
    ),
    (
        "it-it",
        &[
            "Chi sei?",
            "Chi è?",
            "Chi c'è?",
            "Cos'è l'amore?",
            "Quanti anni hai?",
            "Parlami di te",
            "Che cosa significa questo?",
            "Racconta una barzelletta",
            "Chi è alla porta?",
        ],
    ),
];

#[test]
fn other_talk_is_for_no_work_of_reference() {
    let mut caught = Vec::new();
    let mut count = 0;
    for (lang, sentences) in OTHER_TALK {
        for said in *sentences {
            let call = heard(&OURS, said, lang);
            caught.extend(call.map(|call| format!("{said} ({lang}): {} {:?}", call.tool, call.arguments)));
            count += 1;
        }
    }
    assert!(caught.is_empty(), "{}", caught.join("\n"));
    assert!(count >= 120, "{count} sentences");
}

#[test]
fn every_intent_can_be_said_in_at_least_five_ways() {
    let locales = Skill::locales(OURS);
    for skill in OURS {
        for lang in ["en-us", "de-de", "fr-fr", "es-es", "pt-pt", "it-it"] {
            for intent in skill.intents {
                let file = format!("{}.intent", intent.name);
                let lines = locales.file(skill.folder, lang, &file).unwrap_or_default();
                let forms = lines
                    .iter()
                    .filter_map(|line| Template::read(&line.text, Spelling::Words).ok());
                let ways: usize = forms.map(|template| template.sentences(5).len()).sum();
                assert!(ways >= 5, "{file} in {lang} has {ways}");
            }
        }
    }
}
