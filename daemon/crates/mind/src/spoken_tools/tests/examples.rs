//! What people are told that they can say is understood, in six languages.

use loquat_skills::help;

use super::*;

/// The toolbox that an example of a topic is for.
fn toolboxes(topic: &str) -> &'static [&'static str] {
    match topic {
        "lights" => &["loquat-home-tools"],
        "music" => &["loquat-media-tools"],
        "timers" | "alarms" | "reminders" => &["loquat-alert-tools"],
        "weather" => &["loquat-weather-tools"],
        "lists" => &["loquat-list-tools"],
        "memory" => &["loquat-memory-tools"],
        "time" => &["ovos-clock-tools"],
        "numbers" => &["ovos-math-tools"],
        "volume" => &["loquat-volume-tools"],
        "games" => &["loquat-chance-tools", "loquat-spelling-tools"],
        _ => &[],
    }
}

#[test]
fn each_example_of_help_is_a_call_of_its_skill() {
    let spoken = spoken_at_home();
    let mut wrong = Vec::new();
    for lang in ["en-US", "de-DE", "fr-FR", "es-ES", "it-IT", "pt-PT"] {
        for topic in help::topics() {
            for example in help::examples(topic, spoken.locales(), lang) {
                let found = spoken.recognise(&example, lang);
                let wanted = found.and_then(|found| spoken.call(&found.intent_name, &example, lang));
                let toolbox = wanted.map(|wanted| wanted.call.toolbox_id);
                let is_right = toolbox
                    .as_deref()
                    .is_some_and(|id| toolboxes(topic).contains(&id));
                wrong.extend((!is_right).then_some((lang, topic, example, toolbox)));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn help_is_asked_for_among_all_skills() {
    let spoken = spoken();
    for (text, lang) in [
        ("What can you do?", "en-US"),
        ("help", "en-US"),
        ("Can you tell me what I can say about alarms, please?", "en-US"),
        ("Was kannst du?", "de-DE"),
        ("Hilfe", "de-DE"),
        ("Que peux-tu faire ?", "fr-FR"),
        ("¿Qué puedes hacer?", "es-ES"),
        ("Che cosa sai fare?", "it-IT"),
        ("O que sabes fazer?", "pt-PT"),
    ] {
        let found = spoken.recognise(text, lang).map(|found| found.intent_name);
        assert!(found.is_some_and(|name| name.starts_with("help.")), "{text}");
    }
}
