//! Examples fit what is set up, and the ways to ask for them are understood in six languages. That each example is
//! understood is a test of the daemon, which hears all skills.

use loquat_agent::toolbox::Toolbox;
use loquat_trial::{heard, languages_are_whole};
use serde_json::{Map, json};

use super::*;

fn here(has_home: bool, has_player: bool) -> Surroundings {
    Surroundings {
        has_home,
        has_player: Arc::new(move || has_player),
    }
}

async fn told(here: Surroundings, topic: Option<&str>, lang: &str) -> String {
    let toolbox = toolbox(here, &Wording::new(Arc::new(Skill::locales([&SKILL]))));
    let person = Circumstances {
        lang: Some(lang.to_owned()),
        ..Circumstances::default()
    };
    let topic = topic.map(|topic| ("topic".to_owned(), json!(topic)));
    let arguments = Map::from_iter(topic);
    let outcome = toolbox.call(TELL, arguments, &person).await;
    outcome.expect("an answer").spoken.expect("words in the language")
}

#[test]
fn every_language_is_whole_and_has_words_and_examples_for_each_topic() {
    languages_are_whole(&SKILL);
    let locales = Skill::locales([&SKILL]);
    for lang in ["en", "de", "fr", "es", "it", "pt"] {
        for topic in &TOPICS {
            let count = examples(topic.0, &locales, lang).count();
            assert_eq!(count, EXAMPLES, "{lang}: {}", topic.0);
            let mut listed = locales.values(FOLDER, lang, WORDS);
            assert!(
                listed.any(|(name, _)| name.trim() == topic.0),
                "{lang}: {}",
                topic.0
            );
        }
    }
}

#[tokio::test]
async fn what_is_not_set_up_is_no_example() {
    let plain = told(here(false, false), None, "en-US").await;
    let expected = "You can say, for example, “set a timer for 10 minutes”, “is it going to rain today” or “add milk to my \
                    shopping list”. For more, ask what you can say about alarms, reminders or the volume.";
    assert_eq!(plain, expected);
    let whole = told(here(true, true), None, "en-US").await;
    let expected = "You can say, for example, “turn off all the lights”, “pause the music” or “set a timer for 10 minutes”.";
    assert!(whole.starts_with(expected), "{whole}");
    for (topic, way) in [("lights", "home_assistant.url"), ("music", "such as mpv")] {
        let said = told(here(false, false), Some(topic), "en-US").await;
        assert!(said.contains(way), "{topic}: {said}");
    }
}

#[tokio::test]
async fn a_topic_has_examples_of_its_own() {
    let said = told(here(false, false), Some("Timer"), "de-DE").await;
    let expected = "Sag zum Beispiel „stell einen Timer auf 10 Minuten“, „wie lange läuft der Timer noch“ oder „lösch den Timer“.";
    assert_eq!(said, expected);
    let toolbox = toolbox(
        here(false, false),
        &Wording::new(Arc::new(Skill::locales([&SKILL]))),
    );
    let unknown = Map::from_iter([("topic".to_owned(), json!("philosophy"))]);
    let refused = toolbox.call(TELL, unknown, &Circumstances::default()).await;
    assert!(refused.is_err(), "{refused:?}");
}

#[test]
fn help_is_asked_for_in_six_languages() {
    for (text, lang, topic) in [
        ("What can you do?", "en-us", None),
        ("help", "en-us", None),
        ("What can I say?", "en-us", None),
        ("What kinds of questions can you answer?", "en-us", None),
        ("what sort of stuff are you good at", "en-us", None),
        ("what things can we ask you", "en-us", None),
        ("what are you able to help me with", "en-us", None),
        (
            "what sort of things can I say about alarms",
            "en-us",
            Some("alarms"),
        ),
        ("what can I say about timers", "en-us", Some("timers")),
        ("what can you do with the lights", "en-us", Some("lights")),
        ("help me with my shopping list", "en-us", Some("lists")),
        ("Was kannst du?", "de-de", None),
        ("Hilfe", "de-de", None),
        ("Was für Fragen kann ich dir stellen?", "de-de", None),
        ("Wozu bist du imstande?", "de-de", None),
        ("Was kann man dich so alles fragen?", "de-de", None),
        ("Was kann ich zu Timern sagen?", "de-de", Some("timers")),
        ("Que peux-tu faire ?", "fr-fr", None),
        ("Aide", "fr-fr", None),
        ("Quel genre de questions puis-je te poser ?", "fr-fr", None),
        ("De quoi es-tu capable ?", "fr-fr", None),
        ("Que puis-je dire sur les minuteurs ?", "fr-fr", Some("timers")),
        ("¿Qué puedes hacer?", "es-es", None),
        ("Ayuda", "es-es", None),
        ("¿Qué clase de cosas puedo preguntarte?", "es-es", None),
        ("¿De qué eres capaz?", "es-es", None),
        (
            "¿Qué puedo decir sobre los temporizadores?",
            "es-es",
            Some("timers"),
        ),
        ("Che cosa sai fare?", "it-it", None),
        ("Aiuto", "it-it", None),
        ("Che genere di domande posso farti?", "it-it", None),
        ("Cosa sei capace di fare?", "it-it", None),
        ("Cosa posso dire sui timer?", "it-it", Some("timers")),
        ("O que sabes fazer?", "pt-pt", None),
        ("Ajuda", "pt-pt", None),
        ("Que tipo de perguntas posso fazer-te?", "pt-pt", None),
        ("De que és capaz?", "pt-pt", None),
        ("O que posso dizer sobre temporizadores?", "pt-pt", Some("timers")),
    ] {
        let call = heard(&[&SKILL], text, lang).unwrap_or_else(|| panic!("{text} is not understood"));
        let said = call.arguments.get("topic").and_then(Value::as_str);
        assert_eq!(said, topic, "{text}");
    }
    for text in [
        "what can you do about climate change",
        "help me with my homework",
        "help the neighbours",
        "what can I say at a funeral",
        "what kind of music can you play",
        "what sort of thing is that",
        "what else can we do",
        "what is he able to do",
    ] {
        assert_eq!(heard(&[&SKILL], text, "en-us"), None, "{text}");
    }
}
