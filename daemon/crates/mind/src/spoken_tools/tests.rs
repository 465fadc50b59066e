//! What people say in six languages, and what they say that is not for a tool.

use std::sync::Arc;

use loquat_agent::toolbox::Circumstances;
use loquat_orchestrator::frames::SKILL_ID;
use loquat_orchestrator::search::ToolIntents;
use loquat_settings::{Environment, Folders, Mycroft};
use loquat_skills::Resources;
use loquat_skills::home::{FetchToken, HomeAssistant, HomeSettings};
use serde_json::Value;

mod alerts;
mod asked;
mod awaited;
mod completeness;
mod deferred;
mod denied;
mod ellipsis;
mod everyday;
mod examples;
mod home_lists;
mod lacking;
mod likely;
mod memory;
mod orders;
mod pack;
mod pack_table;
mod questions;
mod readings;
mod restated;
mod rooms;
mod several;
mod stretches;

use self::asked::ASKED;
use super::SpokenTools;
use crate::settings::{SentenceSettings, Sentences};
use crate::tools::own_toolboxes;

fn spoken() -> SpokenTools {
    spoken_with(None)
}

/// With a home that is never connected to.
fn spoken_at_home() -> SpokenTools {
    let token: FetchToken = Arc::new(|| Err("there is none".to_owned()));
    spoken_with(Some(HomeAssistant::new(HomeSettings::new(
        "http://127.0.0.1:1",
        token,
    ))))
}

fn spoken_with(home: Option<HomeAssistant>) -> SpokenTools {
    let intents = loquat_skills::intents(loquat_skills::locales().into());
    let (spoken, errors) = SpokenTools::new(intents.with_home(home.map(Arc::new)), Sentences::Alone);
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert!(errors.is_empty(), "{errors:?}");
    spoken
}

#[test]
fn every_sentence_of_ours_is_listed_for_other_programs() {
    let spoken = spoken_at_home();
    let ours = spoken.understood.iter().filter(|intent| !intent.is_dependent());
    let listed = spoken.listing(None, Some(SKILL_ID));
    assert_eq!(listed.len(), ours.count());
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
        time_zone: Some(where_it_is_noon()),
        dialog: call.dialog,
        ..Circumstances::default()
    };
    let outcome = toolbox.call(&call.tool, call.arguments.clone(), &person).await;
    let told = outcome.ok().and_then(|outcome| outcome.spoken);
    Some((found.intent_name, Value::Object(call.arguments), told))
}

/// A time zone in which it is about noon, so that no test is asked at night which day tomorrow is.
fn where_it_is_noon() -> String {
    let hours = 12 - jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).hour();
    // East of Greenwich has a minus in these names.
    format!("Etc/GMT{:+}", -hours)
}

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
            "what is the motto of Peru",
            "how many people like Tokyo",
            "how many days are in a week and who decided that",
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
            "Wie viele Menschen mögen Tokio?",
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
            "Combien de jours de vacances ai-je ?",
            "Quand est la réunion ?",
            "C'est quoi l'amour ?",
            "Mets un minuteur dans la cuisine",
            "Bonjour",
            "Combien de kilomètres ?",
            "Convertis mon fichier",
            "Cinq",
            "Raconte une blague",
            "Quelle est la devise de la France ?",
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
            "Cuenta un chiste",
            "¿Cuántos años tienes?",
            "¿Qué día es tu cumpleaños?",
            "Pon música",
            "¿Cuál es el lema de Perú?",
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
            "Conta uma piada",
            "Quantos anos tens?",
            "Que dia é o teu aniversário?",
            "Põe música",
            "Qual é o lema da França?",
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
            "Racconta una barzelletta",
            "Quanti anni hai?",
            "Che giorno è il tuo compleanno?",
            "Metti musica",
            "Qual è il motto della Francia?",
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
            let found = spoken.recognise(text, lang);
            let found = found.or_else(|| spoken.guess(text, lang));
            caught.extend(found.map(|found| (text, found)));
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
fn what_is_nearly_said_is_a_guess_and_no_sentence() {
    let spoken = spoken();
    let (text, lang) = ("set set a timer for five minutes", "en-US");
    assert_eq!(spoken.recognise(text, lang), None);
    let guess = spoken.guess(text, lang).expect("a guess");
    let wanted = spoken.call(&guess.intent_name, text, lang).expect("a call");
    assert!(wanted.call.is_guess);
    assert_eq!(spoken.guess(text, lang), Some(guess));
}

#[test]
fn never_is_never() {
    let (spoken, _) = SpokenTools::new(
        loquat_skills::intents(loquat_skills::locales().into()),
        Sentences::Never,
    );
    assert_eq!(spoken.recognise("What time is it?", "en-US"), None);
    assert_eq!(spoken.names().count(), 0);
}

#[test]
fn sentences_about_services_are_for_the_persona_where_none_may_be_changed() {
    let spoken = |has_services| {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().display().to_string();
        let environment = Environment::from_pairs([("HOME", path)]).with_system_root(home.path());
        let settings = SentenceSettings {
            when: Sentences::Alone,
            has_services,
            mycroft: &Mycroft::load(&environment).0,
            folders: &Folders::find(&environment, None),
        };
        SpokenTools::load(settings, None).0
    };
    let asks = "Restart the audio service";
    assert_eq!(spoken(false).recognise(asks, "en-US"), None);
    let found = spoken(true).recognise(asks, "en-US");
    let found = found.map(|found| found.intent_name);
    assert_eq!(found.as_deref(), Some("services.restart"));
}
