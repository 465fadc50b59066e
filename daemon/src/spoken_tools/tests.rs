//! What people say in six languages, and what they say that is not for a tool.

use std::sync::Arc;

use loquat_agent::toolbox::Circumstances;
use loquat_orchestrator::search::ToolIntents;
use loquat_skills::{Intents, Locales, Resources};
use serde_json::Value;

mod alerts;
mod memory;
mod several;

use super::SpokenTools;
use crate::app::own_toolboxes;
use crate::settings::{Environment, LoadOptions, Sentences, Settings};

fn spoken() -> SpokenTools {
    let (spoken, errors) = SpokenTools::new(Intents::new(Locales::embedded().into()), Sentences::Alone);
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert!(errors.is_empty(), "{errors:?}");
    spoken
}

/// The tool, its arguments and what it says.
async fn answer(spoken: &SpokenTools, text: &str, lang: &str) -> Option<(String, Value, Option<String>)> {
    let found = spoken.recognise(text, lang)?;
    let call = spoken
        .call(&found.intent_name, text, lang)
        .expect("what was recognised is called")
        .call;
    let toolboxes = own_toolboxes(&Resources::volatile(Arc::clone(spoken.locales())));
    let toolbox = toolboxes
        .iter()
        .find(|toolbox| toolbox.id() == call.toolbox_id)
        .expect("a toolbox");
    let person = Circumstances {
        lang: Some(lang.to_owned()),
        time_zone: Some("Europe/Berlin".to_owned()),
        dialog: call.dialog,
        ..Circumstances::default()
    };
    let outcome = toolbox.call(&call.tool, call.arguments.clone(), &person).await;
    let told = outcome.ok().and_then(|outcome| outcome.spoken);
    Some((found.intent_name, Value::Object(call.arguments), told))
}

/// What is asked, the intent that it is, and what is said; days and times of day are left out.
const ASKED: &[(&str, &str, &str, &str)] = &[
    ("en-US", "What time is it?", "clock.time", "It is "),
    (
        "en-US",
        "Hey, can you tell me what time it is please?",
        "clock.time",
        "It is ",
    ),
    ("en-GB", "what's the time in Tokyo", "clock.time_in", " in Tokyo."),
    ("en-US", "What's the date today?", "clock.date", "Today is "),
    ("en-US", "what day is it", "clock.date", "Today is "),
    (
        "en-US",
        "which day of the week is it",
        "clock.weekday",
        "Today is ",
    ),
    ("en-US", "what day is tomorrow", "clock.date_of", "That is "),
    ("en-US", "When is Christmas?", "clock.when", "December 25"),
    (
        "en-US",
        "How many days until Christmas?",
        "clock.days_until",
        "December 25",
    ),
    (
        "en-US",
        "what time is it in Tokyo when it is 3 pm in London",
        "clock.convert_time",
        " in Tokyo",
    ),
    (
        "en-US",
        "What is 17 percent of 2,450?",
        "math.calculate",
        "That is 416.5.",
    ),
    (
        "en-US",
        "What's 60 percent of 1,250",
        "math.calculate",
        "That is 750.",
    ),
    ("en-US", "what's five plus three", "math.calculate", "That is 8."),
    ("en-US", "What's 5 x 3?", "math.calculate", "That is 15."),
    ("en-US", "what's 5x3", "math.calculate", "That is 15."),
    ("en-US", "100 - 37", "math.calculate", "That is 63."),
    (
        "en-US",
        "what is the square root of 144",
        "math.calculate",
        "That is 12.",
    ),
    (
        "en-US",
        "what is 2 to the power of 10",
        "math.calculate",
        "That is 1024.",
    ),
    (
        "en-US",
        "what is 10 divided by 3",
        "math.calculate",
        "That is about 3.33.",
    ),
    (
        "en-US",
        "what is three point five times two",
        "math.calculate",
        "That is 7.",
    ),
    (
        "en-US",
        "How many feet are in a mile?",
        "math.convert_one",
        "That is 5280 feet.",
    ),
    (
        "en-US",
        "convert 5 miles to kilometers",
        "math.convert",
        "That is 8.05 kilometers.",
    ),
    (
        "en-US",
        "what is twenty five miles in kilometers",
        "math.convert",
        "That is 40.23 kilometers.",
    ),
    (
        "en-US",
        "How much is minus 40 degrees Celsius in Fahrenheit?",
        "math.convert",
        "That is -40 degrees Fahrenheit.",
    ),
    ("de-DE", "Wie spät ist es?", "clock.time", "Uhr."),
    (
        "de-AT",
        "Wie viel Uhr ist es in Tokio?",
        "clock.time_in",
        "In Tokio ist es ",
    ),
    (
        "de-DE",
        "Welches Datum haben wir heute?",
        "clock.date",
        "Heute ist ",
    ),
    (
        "de-DE",
        "Welcher Wochentag ist morgen?",
        "clock.date_of",
        "Das ist ",
    ),
    ("de-DE", "Wann ist Weihnachten?", "clock.when", "25. Dezember"),
    (
        "de-DE",
        "Was ist 17 Prozent von 2.450?",
        "math.calculate",
        "Das ist 416,5.",
    ),
    ("de-DE", "Was ist fünf mal drei?", "math.calculate", "Das ist 15."),
    (
        "de-DE",
        "Was ist die Wurzel aus 144?",
        "math.calculate",
        "Das ist 12.",
    ),
    (
        "de-DE",
        "Wie viele Kilometer sind fünf Meilen?",
        "math.convert",
        "Das sind 8,05 Kilometer.",
    ),
    (
        "de-DE",
        "Was sind 3,5 Meilen in Kilometern?",
        "math.convert",
        "Das sind 5,63 Kilometer.",
    ),
    ("fr-FR", "Quelle heure est-il ?", "clock.time", "Il est "),
    (
        "fr-CA",
        "Quelle heure est-il à Tokyo ?",
        "clock.time_in",
        "À Tokyo",
    ),
    (
        "fr-FR",
        "Quel jour sommes-nous ?",
        "clock.date",
        "Nous sommes le ",
    ),
    ("fr-FR", "Quand est Noël ?", "clock.when", "25 décembre"),
    (
        "fr-FR",
        "Combien font 17 pour cent de 2450 ?",
        "math.calculate",
        "Cela fait 416,5.",
    ),
    (
        "fr-FR",
        "Combien font 5 miles en kilomètres ?",
        "math.convert",
        "Cela fait 8,05 kilomètres.",
    ),
    ("es-ES", "¿Qué hora es?", "clock.time", "Son las "),
    ("es-MX", "¿Qué hora es en Tokio?", "clock.time_in", "En Tokio"),
    (
        "es-ES",
        "¿Cuánto es el 17 por ciento de 2450?",
        "math.calculate",
        "Son 416,5.",
    ),
    (
        "es-ES",
        "¿Cuántos días faltan para Navidad?",
        "clock.days_until",
        "25 de diciembre",
    ),
    (
        "es-ES",
        "¿Cuántos kilómetros son 5 millas?",
        "math.convert",
        "Son 8,05 kilómetros.",
    ),
    ("pt-PT", "Que horas são?", "clock.time", "São "),
    ("pt-BR", "Que horas são em Tóquio?", "clock.time_in", "Em Tóquio"),
    (
        "pt-PT",
        "Quanto é 17 por cento de 2450?",
        "math.calculate",
        "São 416,5.",
    ),
    (
        "pt-PT",
        "Quantos quilómetros são 5 milhas?",
        "math.convert",
        "São 8,05 quilómetros.",
    ),
    ("it-IT", "Che ore sono?", "clock.time", "Sono le "),
    ("it-IT", "Che ore sono a Tokyo?", "clock.time_in", "A Tokyo"),
    (
        "it-IT",
        "Quanto fa il 17 per cento di 2450?",
        "math.calculate",
        "Fa 416,5.",
    ),
    (
        "it-IT",
        "Quanti giorni mancano a Natale?",
        "clock.days_until",
        "25 dicembre",
    ),
    (
        "it-IT",
        "Quanti chilometri sono 5 miglia?",
        "math.convert",
        "Sono 8,05 chilometri.",
    ),
    (
        "en-US",
        "how many hours are there in 3 weeks and 2 days",
        "math.convert_sum",
        "That is 552 hours.",
    ),
    (
        "en-US",
        "How many kilometers are 4 miles and 9 kilometers together?",
        "math.convert_sum",
        "That is about 15.4",
    ),
    (
        "en-US",
        "what is half of 15 percent of 640",
        "math.calculate",
        "That is 48.",
    ),
    (
        "de-DE",
        "Wie viele Stunden sind 3 Wochen und 2 Tage?",
        "math.convert_sum",
        "552 Stunden",
    ),
    (
        "en-US",
        "how many weeks are left in this year",
        "math.count_left",
        "That is ",
    ),
    (
        "en-US",
        "How many minutes until half past six?",
        "math.count_until",
        " minute",
    ),
    (
        "en-US",
        "How many weeks until Christmas?",
        "math.count_until",
        "That is ",
    ),
    (
        "en-US",
        "How many hours are there between 9:15 and 17:45?",
        "math.count_between",
        "That is 8 hours and 30 minutes.",
    ),
    (
        "en-US",
        "how many years have passed since 4 July 1976",
        "math.count_since",
        " years",
    ),
    (
        "en-US",
        "how long is it until half past six",
        "math.time_until",
        "That is ",
    ),
    (
        "en-US",
        "What is 3 yards minus 20 centimeters?",
        "math.calculate",
        "That is about 2.78 yards.",
    ),
    (
        "en-US",
        "what is 3 yards minus 20 centimeters in meters",
        "math.calculate",
        "That is about 2.54 meters.",
    ),
    (
        "en-US",
        "What is 2 hours plus 45 minutes?",
        "math.calculate",
        "That is 2 hours and 45 minutes.",
    ),
    (
        "en-US",
        "what is one hour and twenty minutes times three",
        "math.calculate",
        "That is 4 hours.",
    ),
    (
        "en-US",
        "what is 15 percent of 48 dollars",
        "math.calculate",
        "That is 7.20 dollars.",
    ),
    (
        "en-US",
        "what is a 15 percent tip on 48 dollars",
        "math.calculate",
        "That is 7.20 dollars.",
    ),
    (
        "en-US",
        "what is 87 euros divided by 3",
        "math.calculate",
        "That is 29 euros.",
    ),
    (
        "de-DE",
        "Wie viele Wochen hat dieses Jahr noch?",
        "math.count_left",
        "Das ",
    ),
    (
        "de-DE",
        "Wie viele Minuten sind es noch bis halb sieben?",
        "math.count_until",
        " Minute",
    ),
    (
        "de-DE",
        "Wie viele Stunden liegen zwischen 9:15 und 17:45?",
        "math.count_between",
        "Das sind 8 Stunden und 30 Minuten.",
    ),
    (
        "de-DE",
        "Wie viele Jahre sind seit dem 4. Juli 1976 vergangen?",
        "math.count_since",
        " Jahre",
    ),
    (
        "de-DE",
        "Wie lange ist es noch bis 18:30?",
        "math.time_until",
        "Das ",
    ),
    (
        "de-DE",
        "Was sind zwei Stunden plus 45 Minuten?",
        "math.calculate",
        "Das sind 2 Stunden und 45 Minuten.",
    ),
    (
        "de-DE",
        "Wie viel sind 48 Euro plus 15 Prozent?",
        "math.calculate",
        "Das sind 55,20 Euro.",
    ),
    (
        "fr-FR",
        "Combien de semaines reste-t-il cette année ?",
        "math.count_left",
        "Cela fait ",
    ),
    (
        "fr-FR",
        "Combien de minutes reste-t-il avant six heures et demie ?",
        "math.count_until",
        " minute",
    ),
    (
        "fr-FR",
        "Combien font 2 heures plus 45 minutes ?",
        "math.calculate",
        "Cela fait 2 heures et 45 minutes.",
    ),
    (
        "es-ES",
        "¿Cuántas semanas quedan en este año?",
        "math.count_left",
        " ",
    ),
    (
        "es-ES",
        "¿Cuántas semanas faltan para Navidad?",
        "math.count_until",
        " ",
    ),
    (
        "es-ES",
        "¿Cuánto son 2 horas más 45 minutos?",
        "math.calculate",
        "Son 2 horas y 45 minutos.",
    ),
    (
        "pt-PT",
        "Quantas semanas faltam neste ano?",
        "math.count_left",
        " ",
    ),
    (
        "pt-PT",
        "Quantas semanas faltam para o Natal?",
        "math.count_until",
        " ",
    ),
    (
        "pt-PT",
        "Quanto são 2 horas mais 45 minutos?",
        "math.calculate",
        "São 2 horas e 45 minutos.",
    ),
    (
        "it-IT",
        "Quante settimane restano in quest'anno?",
        "math.count_left",
        " ",
    ),
    (
        "it-IT",
        "Quante settimane mancano a Natale?",
        "math.count_until",
        " ",
    ),
    (
        "it-IT",
        "Quanto fanno 2 ore più 45 minuti?",
        "math.calculate",
        "Sono 2 ore e 45 minuti.",
    ),
];

/// What no tool here answers: other wishes, half of a wish, two wishes, and words that only sound alike.
const NOT_OURS: &[(&str, &[&str])] = &[
    (
        "en-US",
        &[
            "what is 5",
            "what is love",
            "what is the time machine about",
            "what time is dinner",
            "what time is the movie in Paris",
            "what's the time difference",
            "time flies",
            "tell me a joke",
            "what is the capital of France",
            "how many people live in Tokyo",
            "how many days are in a week and who decided that",
            "set a timer for the pasta",
            "wake me up with music",
            "what day is my birthday",
            "when is the next train",
            "when is the meeting",
            "what is 5 plus",
            "plus 3",
            "five and a half",
            "what is the square root of love",
            "convert my file to pdf",
            "convert 5 miles",
            "how many miles",
            "how many hours are there in the movie and 2 trailers",
            "how many calories are in 3 apples and 2 pears",
            "how many feet does a centipede have",
            "what is 20 minutes in a sauna good for",
            "what is 5 apples plus 3 apples",
            "turn on the light in the kitchen",
            "play some music",
            "what is the date of the battle of Hastings",
            "what time is it and feed the fish",
            "what is 5 plus 3 and who was it",
            "how much is the fish",
            "what is two by four lumber",
            "how many days until my holiday",
            "days of thunder",
            "today was a good day",
            "what is in a name",
            "the time has come",
            "call 911",
            "what is 50 cent's real name",
            "who won the world cup in 2014",
            "is it five o'clock somewhere",
            "what was the time signature of that song",
            "add milk to the coffee",
            "how far is the moon",
            "how long is a piece of string",
            "what is the value of friendship",
            "one",
            "two times",
            "five",
            "what's up",
            "good morning",
            "stop the music in ten minutes",
            "how many weeks are left in this season",
            "how many weeks left",
            "how many weeks until the holidays",
            "how many minutes until dinner",
            "how many minutes until the pizza is ready",
            "how many hours between trains",
            "how many hours between 9 and dinner",
            "how many years since the war",
            "how many days are left in my trial",
            "how long until half past six and then what",
            "how long until the bus comes",
            "how much time is left until the deadline",
            "what is 3 yards minus 20",
            "what is 3 yards minus 20 kilograms",
            "what is 5 euros plus 3 dollars",
            "what is 2 hours plus dinner",
            "what is 5 feet 10 inches",
            "two hours and twenty minutes",
            "one hour and a half",
            "a 15 percent tip",
            "what is 20 percent of my salary",
            "what is 3 yards minus 20 centimeters in kilograms",
            "what is 20 degrees Celsius plus 5 degrees Celsius",
            "years since you were born",
            "weeks until",
            "five minutes",
            "half past six",
            "how many weeks until half past six in the morning in Tokyo",
        ],
    ),
    (
        "de-DE",
        &[
            "Was ist Liebe?",
            "Wie spät fährt der Zug?",
            "Wie spät ist es geworden gestern?",
            "Wie viele Tage hat der Februar und warum?",
            "Stell einen Wecker auf das Regal",
            "Wann ist mein Termin?",
            "Was ist fünf?",
            "Was ist eine Meile wert?",
            "Erzähl mir einen Witz",
            "Wie viele Menschen leben in Tokio?",
            "Mach das Licht an",
            "Heute ist ein schöner Tag",
            "Was ist 5 plus drei Äpfel?",
            "Wie viel kostet das?",
            "Wie war das Wetter gestern?",
            "Wann kommt der Bus?",
            "Und was jetzt?",
            "Eins und zwei Polizei",
            "Wie lange dauert der Film?",
            "Der Wievielte bin ich in der Schlange?",
            "Rechne mir das vor",
            "Was ist die Wurzel des Problems?",
            "Wie viele Meter?",
            "Morgen",
            "Spiel Musik",
            "Mal mir ein Bild",
            "Halb fünf",
            "Danke",
            "Zwei Stunden und zwanzig Minuten",
            "Wie viele Wochen hat das Jahr und warum?",
            "Wie viele Minuten sind es bis zum Essen?",
            "Wie viele Stunden liegen zwischen uns?",
            "Wie viele Jahre sind seit dem Krieg vergangen?",
            "Wie lange ist es noch bis zum Urlaub?",
            "Was sind drei Meter plus zwei Kilogramm?",
            "Wie viele Wochen bleiben mir?",
        ],
    ),
    (
        "fr-FR",
        &[
            "Quelle heure pour le dîner ?",
            "Quel est le sens de la vie ?",
            "Quel jour est ton anniversaire ?",
            "Combien coûte ce livre ?",
            "Allume la lumière",
            "Combien de jours de vacances ai-je ?",
            "Quand est la réunion ?",
            "C'est quoi l'amour ?",
            "Mets un minuteur dans la cuisine",
            "Bonjour",
            "Combien de kilomètres ?",
            "Convertis mon fichier",
            "Cinq",
            "Raconte une blague",
            "Quelle est la capitale de la France ?",
            "Il est fou",
            "Joue de la musique",
            "Combien font les impôts ?",
            "Deux et demi",
            "Merci",
            "Quand est mon train ?",
            "Demain",
            "Sur la route",
            "La racine du mal",
            "Un et tous",
            "Deux heures et vingt minutes",
            "Combien de semaines reste-t-il avant les vacances ?",
            "Combien de minutes avant le dîner ?",
            "Combien de temps reste-t-il avant la fin du film ?",
        ],
    ),
    (
        "es-ES",
        &[
            "¿A qué hora es la cena?",
            "¿Qué es el amor?",
            "¿Cuánto es?",
            "¿Cuánto cuesta?",
            "¿Cuándo es mi cita?",
            "Enciende la luz",
            "Cuenta un chiste",
            "¿Cuántos años tienes?",
            "¿Qué día es tu cumpleaños?",
            "Pon música",
            "¿Cuál es la capital de Francia?",
            "¿Cuánto falta para mi viaje?",
            "Mañana será otro día",
            "Cinco",
            "Pasa la sal",
            "Por favor",
            "Hola",
            "Gracias",
            "¿Cuántos kilómetros?",
            "Calcula mis gastos",
            "¿Qué es la raíz del problema?",
            "Uno por todos",
            "Dos horas y veinte minutos",
            "¿Cuántas semanas quedan para las vacaciones?",
            "¿Cuánto tiempo falta para la cena?",
            "Un temporizador de cocina",
        ],
    ),
    (
        "pt-PT",
        &[
            "A que horas é o jantar?",
            "O que é o amor?",
            "Quanto é?",
            "Quanto custa?",
            "Quando é a minha consulta?",
            "Acende a luz",
            "Conta uma piada",
            "Quantos anos tens?",
            "Que dia é o teu aniversário?",
            "Põe música",
            "Qual é a capital da França?",
            "Amanhã será outro dia",
            "Cinco",
            "Por favor",
            "Olá",
            "Obrigado",
            "Quantos quilómetros?",
            "Calcula as despesas",
            "A raiz do problema",
            "Um por todos",
            "Um temporizador de cozinha",
            "Dois",
            "Que horas é o filme?",
            "Duas horas e vinte minutos",
            "Quantas semanas faltam para as férias?",
            "Quanto tempo falta para o jantar?",
        ],
    ),
    (
        "it-IT",
        &[
            "A che ora è la cena?",
            "Che cos'è l'amore?",
            "Quanto è?",
            "Quanto costa?",
            "Quando è la riunione?",
            "Accendi la luce",
            "Racconta una barzelletta",
            "Quanti anni hai?",
            "Che giorno è il tuo compleanno?",
            "Metti musica",
            "Qual è la capitale della Francia?",
            "Domani è un altro giorno",
            "Cinque",
            "Per favore",
            "Ciao",
            "Grazie",
            "Quanti chilometri?",
            "Calcola le spese",
            "La radice del problema",
            "Uno per tutti",
            "Un timer da cucina",
            "Due",
            "Quanto manca al treno?",
            "Due ore e venti minuti",
            "Quante settimane mancano alle vacanze?",
            "Quanto tempo manca alla fine del film?",
        ],
    ),
    // No sentences are known in this language.
    ("nl-NL", &["Hoe laat is het?"]),
];

#[tokio::test]
async fn people_are_understood_and_answered_in_their_language() {
    let spoken = spoken();
    let mut wrong = Vec::new();
    for (lang, text, intent, words) in ASKED {
        let answered = answer(&spoken, text, lang).await;
        let is_right = answered.as_ref().is_some_and(|(found, _, told)| {
            found == intent && told.as_ref().is_some_and(|told| told.contains(words))
        });
        wrong.extend((!is_right).then_some((text, answered)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn nothing_is_answered_from_half_a_match() {
    let spoken = spoken();
    let (mut count, mut caught) = (0, Vec::new());
    for (lang, texts) in NOT_OURS {
        for text in *texts {
            caught.extend(spoken.recognise(text, lang).map(|found| (text, found)));
            count += 1;
        }
    }
    assert!(caught.is_empty(), "{caught:#?}");
    assert!(count >= 200, "{count} sentences");
}

#[test]
fn six_languages_have_the_same_intents_and_dialogs() {
    let spoken = spoken();
    let of = |lang: &str| {
        let intents = spoken.understood.iter().filter(|intent| intent.lang == lang);
        let mut names: Vec<&str> = intents.map(|intent| intent.name.as_str()).collect();
        names.sort_unstable();
        names
    };
    let english = of("en-us");
    assert!(english.len() >= 16, "{english:?}");
    for lang in ["de-de", "fr-fr", "es-es", "pt-pt", "it-it"] {
        assert_eq!(of(lang), english, "{lang}");
    }
}

#[test]
fn never_is_never() {
    let (spoken, _) = SpokenTools::new(Intents::new(Locales::embedded().into()), Sentences::Never);
    assert_eq!(spoken.recognise("What time is it?", "en-US"), None);
    assert_eq!(spoken.names().count(), 0);
}

#[test]
fn sentences_about_services_are_for_the_persona_where_none_may_be_changed() {
    let spoken = |overrides: &[&str]| {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().display().to_string();
        let environment = Environment::from_pairs([("HOME", path)]).with_system_root(home.path());
        let options = LoadOptions {
            config_file: None,
            overrides: overrides.iter().map(|&text| text.to_owned()).collect(),
        };
        let settings = Settings::load(&environment, &options).unwrap();
        SpokenTools::load(&settings, None).0
    };
    let asks = "Restart the audio service";
    assert_eq!(spoken(&[]).recognise(asks, "en-US"), None);
    let found = spoken(&["services.allowed=[\"ovos-audio.service\"]"]).recognise(asks, "en-US");
    let found = found.map(|found| found.intent_name);
    assert_eq!(found.as_deref(), Some("services.restart"));
}
