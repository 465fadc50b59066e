//! What people say to other rooms, to people by their names, and of who they are.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_skills::intercom::Intercom;
use loquat_skills::people::Residents;
use loquat_skills::{Announcement, Station, Stations, Unspoken, Volatile};
use serde_json::json;

use super::*;

/// A house of which every room has a name in each language.
#[derive(Debug)]
struct Rooms;

impl Stations for Rooms {
    fn stations(&self) -> Vec<Station> {
        let kitchen = ["kitchen", "Küche", "cuisine", "cocina", "cucina", "cozinha"];
        let bedroom = [
            "bedroom",
            "Schlafzimmer",
            "chambre",
            "dormitorio",
            "camera da letto",
            "quarto",
        ];
        let station = |id: &str, names: [&str; 6]| Station {
            id: id.to_owned(),
            names: names.map(str::to_owned).to_vec(),
            is_there: true,
            ..Station::default()
        };
        vec![station("kitchen", kitchen), station("bedroom", bedroom)]
    }

    fn speak<'a>(&'a self, _: &'a str, _: &'a Announcement) -> BoxFuture<'a, Result<(), Unspoken>> {
        std::future::ready(Ok(())).boxed()
    }
}

fn in_a_house() -> SpokenTools {
    let spoken = spoken();
    let residents = Arc::new(Residents::new(Arc::new(Volatile::default()), |_| None));
    residents.bind([("hive:bath".to_owned(), "Ana".to_owned())].into());
    let intercom = Intercom::new(Arc::clone(spoken.locales()), Arc::clone(&residents));
    intercom.add(Arc::new(Rooms));
    spoken.things().put(Arc::new(intercom));
    spoken.things().put(residents);
    spoken
}

/// The tool and the arguments; the words of a message as they were said.
fn called(spoken: &SpokenTools, text: &str, lang: &str) -> Option<(String, Value)> {
    let found = spoken.recognise(text, lang)?;
    let call = spoken.call(&found.intent_name, text, lang)?.call;
    Some((call.tool, Value::Object(call.arguments)))
}

/// A language, what is said in it, the tool, and its arguments.
type Said = (&'static str, &'static str, &'static str, &'static str);

const MESSAGES: &[Said] = &[
    (
        "en-US",
        "Tell the kitchen that dinner is ready",
        "announce",
        r#"{"room": "kitchen", "message": "dinner is ready"}"#,
    ),
    (
        "en-US",
        "tell the bedroom dinner is ready in ten minutes",
        "announce",
        r#"{"room": "bedroom", "message": "dinner is ready in ten minutes"}"#,
    ),
    (
        "en-US",
        "Let the kitchen know we are leaving",
        "announce",
        r#"{"room": "kitchen", "message": "we are leaving"}"#,
    ),
    (
        "en-US",
        "Tell Ana to come down",
        "announce",
        r#"{"room": "Ana", "message": "come down"}"#,
    ),
    (
        "en-US",
        "Announce that the film begins",
        "announce",
        r#"{"message": "the film begins"}"#,
    ),
    (
        "en-US",
        "Broadcast dinner is ready",
        "announce",
        r#"{"message": "dinner is ready"}"#,
    ),
    (
        "en-US",
        "Tell everyone that it is time to go",
        "announce",
        r#"{"room": "everyone", "message": "it is time to go"}"#,
    ),
    (
        "en-US",
        "Announce in the attic that it is late",
        "announce",
        r#"{"room": "attic", "message": "it is late"}"#,
    ),
    (
        "en-US",
        "Say in the other room that I am here",
        "announce",
        r#"{"elsewhere": true, "message": "I am here"}"#,
    ),
    (
        "en-US",
        "Tell the kitchen something",
        "announce",
        r#"{"room": "kitchen"}"#,
    ),
    ("en-US", "Make an announcement", "announce", "{}"),
    (
        "en-US",
        "Reply I am coming",
        "reply_to_room",
        r#"{"message": "I am coming"}"#,
    ),
    ("en-US", "Which rooms can you reach?", "list_rooms", "{}"),
    (
        "de-DE",
        "Sag der Küche, dass das Essen fertig ist",
        "announce",
        r#"{"room": "Küche", "message": "das Essen fertig ist"}"#,
    ),
    (
        "de-DE",
        "Sag im Schlafzimmer Bescheid, dass wir gehen",
        "announce",
        r#"{"room": "Schlafzimmer", "message": "wir gehen"}"#,
    ),
    (
        "de-DE",
        "Sag Ana, dass sie kommen soll",
        "announce",
        r#"{"room": "Ana", "message": "sie kommen soll"}"#,
    ),
    (
        "de-DE",
        "Sag allen, dass der Film beginnt",
        "announce",
        r#"{"message": "der Film beginnt"}"#,
    ),
    (
        "de-DE",
        "Sag auf dem Dachboden, dass es spät ist",
        "announce",
        r#"{"room": "Dachboden", "message": "es spät ist"}"#,
    ),
    (
        "de-DE",
        "Antworte, dass ich komme",
        "reply_to_room",
        r#"{"message": "ich komme"}"#,
    ),
    ("de-DE", "Mach eine Durchsage", "announce", "{}"),
    (
        "fr-FR",
        "Dis à la cuisine que le dîner est prêt",
        "announce",
        r#"{"room": "cuisine", "message": "le dîner est prêt"}"#,
    ),
    (
        "fr-FR",
        "Dis à Ana de venir",
        "announce",
        r#"{"room": "Ana", "message": "venir"}"#,
    ),
    (
        "fr-FR",
        "Annonce à tout le monde que le film commence",
        "announce",
        r#"{"message": "le film commence"}"#,
    ),
    (
        "fr-FR",
        "Dis dans la chambre que nous partons",
        "announce",
        r#"{"room": "chambre", "message": "nous partons"}"#,
    ),
    (
        "fr-FR",
        "Réponds que j'arrive",
        "reply_to_room",
        r#"{"message": "j'arrive"}"#,
    ),
    (
        "es-ES",
        "Di a la cocina que la cena está lista",
        "announce",
        r#"{"room": "cocina", "message": "la cena está lista"}"#,
    ),
    (
        "es-ES",
        "Avisa en el dormitorio que nos vamos",
        "announce",
        r#"{"room": "dormitorio", "message": "nos vamos"}"#,
    ),
    (
        "es-ES",
        "Anuncia a todos que empieza la película",
        "announce",
        r#"{"message": "empieza la película"}"#,
    ),
    (
        "es-ES",
        "Dile a Ana que venga",
        "announce",
        r#"{"room": "Ana", "message": "venga"}"#,
    ),
    (
        "es-ES",
        "Responde que ya voy",
        "reply_to_room",
        r#"{"message": "ya voy"}"#,
    ),
    (
        "it-IT",
        "Di' alla cucina che la cena è pronta",
        "announce",
        r#"{"room": "cucina", "message": "la cena è pronta"}"#,
    ),
    (
        "it-IT",
        "Avvisa la cucina che usciamo",
        "announce",
        r#"{"room": "cucina", "message": "usciamo"}"#,
    ),
    (
        "it-IT",
        "Annuncia a tutti che il film comincia",
        "announce",
        r#"{"message": "il film comincia"}"#,
    ),
    (
        "it-IT",
        "Di' ad Ana di venire",
        "announce",
        r#"{"room": "Ana", "message": "venire"}"#,
    ),
    (
        "it-IT",
        "Rispondi che arrivo",
        "reply_to_room",
        r#"{"message": "arrivo"}"#,
    ),
    (
        "pt-PT",
        "Diz à cozinha que o jantar está pronto",
        "announce",
        r#"{"room": "cozinha", "message": "o jantar está pronto"}"#,
    ),
    (
        "pt-PT",
        "Avisa o quarto que vamos sair",
        "announce",
        r#"{"room": "quarto", "message": "vamos sair"}"#,
    ),
    (
        "pt-PT",
        "Anuncia a todos que o filme começa",
        "announce",
        r#"{"message": "o filme começa"}"#,
    ),
    (
        "pt-PT",
        "Diz à Ana que venha",
        "announce",
        r#"{"room": "Ana", "message": "venha"}"#,
    ),
    (
        "pt-PT",
        "Responde que já vou",
        "reply_to_room",
        r#"{"message": "já vou"}"#,
    ),
];

#[test]
fn messages_to_rooms_and_people_are_understood_in_six_languages() {
    assert_eq!(misunderstood(MESSAGES), Vec::<String>::new());
}

/// Those of the sentences that are understood as something else.
fn misunderstood(sentences: &[Said]) -> Vec<String> {
    let spoken = in_a_house();
    let wrong = sentences.iter().filter_map(|(lang, text, tool, arguments)| {
        let wanted: Value = serde_json::from_str(arguments).expect("JSON");
        let found = called(&spoken, text, lang);
        let is_right = found == Some(((*tool).to_owned(), wanted));
        (!is_right).then(|| format!("{text}: {found:?}"))
    });
    wrong.collect()
}
const PEOPLE: &[Said] = &[
    ("en-US", "This is Zoe", "name_speaker", r#"{"name": "Zoe"}"#),
    ("en-US", "My name is zoe", "name_speaker", r#"{"name": "Zoe"}"#),
    ("en-US", "I'm Ana", "name_speaker", r#"{"name": "Ana"}"#),
    ("en-US", "Who am I?", "tell_speaker", "{}"),
    ("en-US", "Forget who I am", "forget_speaker", "{}"),
    ("de-DE", "Hier ist Zoe", "name_speaker", r#"{"name": "Zoe"}"#),
    ("de-DE", "Ich heiße Zoe", "name_speaker", r#"{"name": "Zoe"}"#),
    ("de-DE", "Ich bin Ana", "name_speaker", r#"{"name": "Ana"}"#),
    ("de-DE", "Wer bin ich?", "tell_speaker", "{}"),
    ("fr-FR", "Je m'appelle Zoe", "name_speaker", r#"{"name": "Zoe"}"#),
    ("fr-FR", "Je suis Ana", "name_speaker", r#"{"name": "Ana"}"#),
    ("fr-FR", "Qui suis-je ?", "tell_speaker", "{}"),
    ("es-ES", "Me llamo Zoe", "name_speaker", r#"{"name": "Zoe"}"#),
    ("es-ES", "Soy Ana", "name_speaker", r#"{"name": "Ana"}"#),
    ("es-ES", "¿Quién soy?", "tell_speaker", "{}"),
    ("it-IT", "Mi chiamo Zoe", "name_speaker", r#"{"name": "Zoe"}"#),
    ("it-IT", "Sono Ana", "name_speaker", r#"{"name": "Ana"}"#),
    ("it-IT", "Chi sono?", "tell_speaker", "{}"),
    ("pt-PT", "Chamo-me Zoe", "name_speaker", r#"{"name": "Zoe"}"#),
    ("pt-PT", "Sou a Ana", "name_speaker", r#"{"name": "Ana"}"#),
    ("pt-PT", "Quem sou eu?", "tell_speaker", "{}"),
    (
        "en-US",
        "Remind Ana to call Ben at six",
        "set_reminder",
        r#"{"person": "Ana", "text": "call Ben", "time": "six"}"#,
    ),
    (
        "en-US",
        "Remind Ana to call Ben in one second",
        "set_reminder",
        r#"{"person": "Ana", "text": "call Ben", "duration": "one second"}"#,
    ),
    (
        "en-US",
        "Remind Ana to rest when she is home",
        "set_reminder",
        r#"{"person": "Ana", "text": "rest", "when_home": true}"#,
    ),
    (
        "en-US",
        "When Ana gets home, tell her that dinner is in the oven",
        "set_reminder",
        r#"{"person": "Ana", "text": "dinner is in the oven", "when_home": true}"#,
    ),
    (
        "en-US",
        "Remind me to water the plants when I get home",
        "set_reminder",
        r#"{"text": "water the plants", "when_home": true}"#,
    ),
    (
        "de-DE",
        "Erinnere Ana um sechs Uhr ans Ausruhen",
        "set_reminder",
        r#"{"person": "Ana", "text": "Ausruhen", "date": "um sechs Uhr"}"#,
    ),
    (
        "de-DE",
        "Erinnere Ana daran, die Blumen zu gießen, wenn sie nach Hause kommt",
        "set_reminder",
        r#"{"person": "Ana", "text": "die Blumen zu gießen", "when_home": true}"#,
    ),
    (
        "fr-FR",
        "Rappelle à Ana d'arroser les plantes quand elle rentre",
        "set_reminder",
        r#"{"person": "Ana", "text": "arroser les plantes", "when_home": true}"#,
    ),
    (
        "es-ES",
        "Recuérdale a Ana regar las plantas cuando llegue a casa",
        "set_reminder",
        r#"{"person": "Ana", "text": "regar las plantas", "when_home": true}"#,
    ),
    (
        "it-IT",
        "Ricorda a Ana di annaffiare le piante quando torna a casa",
        "set_reminder",
        r#"{"person": "Ana", "text": "annaffiare le piante", "when_home": true}"#,
    ),
    (
        "pt-PT",
        "Lembra a Ana de regar as plantas quando chegar a casa",
        "set_reminder",
        r#"{"person": "Ana", "text": "regar as plantas", "when_home": true}"#,
    ),
];

#[test]
fn who_speaks_and_who_is_reminded_is_understood_in_six_languages() {
    assert_eq!(misunderstood(PEOPLE), Vec::<String>::new());
}

/// Sentences for other tools stay with those.
#[test]
fn other_sentences_are_none_to_a_room_or_of_a_name() {
    let spoken = in_a_house();
    let boxes = ["loquat-intercom-tools", "loquat-people-tools"];
    let mut wrong = Vec::new();
    for (lang, text) in [
        ("en-US", "Tell me the weather"),
        ("en-US", "Tell me a story about the kitchen"),
        ("en-US", "I'm tired"),
        ("en-US", "I am German"),
        ("en-US", "This is great"),
        ("en-US", "It is late"),
        ("en-US", "Answer the phone"),
        ("en-US", "Tell them I am coming"),
        ("en-US", "Remind me to call Ben at six"),
        ("en-US", "Call me a taxi"),
        ("en-US", "Say hello"),
        ("en-US", "Set a timer in the kitchen for ten minutes"),
        ("de-DE", "Ich bin müde"),
        ("de-DE", "Sag mir das Wetter"),
        ("de-DE", "Das ist gut"),
        ("fr-FR", "Je suis fatigué"),
        ("fr-FR", "Dis-moi la météo"),
        ("es-ES", "Soy feliz"),
        ("es-ES", "Dime el tiempo"),
        ("it-IT", "Sono stanco"),
        ("it-IT", "Dimmi che ore sono"),
        ("pt-PT", "Estou cansado"),
        ("pt-PT", "Diz-me as horas"),
    ] {
        let found = spoken.recognise(text, lang);
        let found = found.and_then(|found| spoken.call(&found.intent_name, text, lang));
        if let Some(wanted) = found.filter(|wanted| boxes.contains(&wanted.call.toolbox_id.as_str())) {
            wrong.push((text, wanted.call));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_a_message_lacks_is_the_next_sentence() {
    let spoken = in_a_house();
    for (lang, text, answer, arguments) in [
        (
            "en-US",
            "Tell the kitchen something",
            "The water is warm",
            json!({"room": "kitchen", "message": "The water is warm"}),
        ),
        (
            "en-US",
            "Make an announcement",
            "that dinner is ready",
            json!({"message": "dinner is ready"}),
        ),
        (
            "de-DE",
            "Mach eine Durchsage",
            "Das Essen ist fertig",
            json!({"message": "Das Essen ist fertig"}),
        ),
        (
            "en-US",
            "Say in the other room that I am here",
            "in the kitchen",
            json!({"elsewhere": true, "room": "kitchen", "message": "I am here"}),
        ),
    ] {
        let found = spoken.recognise(text, lang).expect("a sentence");
        let wanted = spoken.call(&found.intent_name, text, lang).expect("a call");
        let completed = spoken.completed(&wanted, answer, lang);
        let completed = completed.map(|wanted| Value::Object(wanted.call.arguments));
        assert_eq!(completed, Some(arguments), "{text}");
    }
}
