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

#[test]
fn messages_to_rooms_and_people_are_understood_in_six_languages() {
    let spoken = in_a_house();
    let mut wrong = Vec::new();
    for (lang, text, tool, arguments) in [
        (
            "en-US",
            "Tell the kitchen that dinner is ready",
            "announce",
            json!({"room": "kitchen", "message": "dinner is ready"}),
        ),
        (
            "en-US",
            "tell the bedroom dinner is ready in ten minutes",
            "announce",
            json!({"room": "bedroom", "message": "dinner is ready in ten minutes"}),
        ),
        (
            "en-US",
            "Let the kitchen know we are leaving",
            "announce",
            json!({"room": "kitchen", "message": "we are leaving"}),
        ),
        (
            "en-US",
            "Tell Ana to come down",
            "announce",
            json!({"room": "Ana", "message": "come down"}),
        ),
        (
            "en-US",
            "Announce that the film begins",
            "announce",
            json!({"message": "the film begins"}),
        ),
        (
            "en-US",
            "Broadcast dinner is ready",
            "announce",
            json!({"message": "dinner is ready"}),
        ),
        (
            "en-US",
            "Tell everyone that it is time to go",
            "announce",
            json!({"room": "everyone", "message": "it is time to go"}),
        ),
        (
            "en-US",
            "Announce in the attic that it is late",
            "announce",
            json!({"room": "attic", "message": "it is late"}),
        ),
        (
            "en-US",
            "Say in the other room that I am here",
            "announce",
            json!({"elsewhere": true, "message": "I am here"}),
        ),
        (
            "en-US",
            "Tell the kitchen something",
            "announce",
            json!({"room": "kitchen"}),
        ),
        ("en-US", "Make an announcement", "announce", json!({})),
        (
            "en-US",
            "Reply I am coming",
            "reply_to_room",
            json!({"message": "I am coming"}),
        ),
        ("en-US", "Which rooms can you reach?", "list_rooms", json!({})),
        (
            "de-DE",
            "Sag der Küche, dass das Essen fertig ist",
            "announce",
            json!({"room": "Küche", "message": "das Essen fertig ist"}),
        ),
        (
            "de-DE",
            "Sag im Schlafzimmer Bescheid, dass wir gehen",
            "announce",
            json!({"room": "Schlafzimmer", "message": "wir gehen"}),
        ),
        (
            "de-DE",
            "Sag Ana, dass sie kommen soll",
            "announce",
            json!({"room": "Ana", "message": "sie kommen soll"}),
        ),
        (
            "de-DE",
            "Sag allen, dass der Film beginnt",
            "announce",
            json!({"message": "der Film beginnt"}),
        ),
        (
            "de-DE",
            "Sag auf dem Dachboden, dass es spät ist",
            "announce",
            json!({"room": "Dachboden", "message": "es spät ist"}),
        ),
        (
            "de-DE",
            "Antworte, dass ich komme",
            "reply_to_room",
            json!({"message": "ich komme"}),
        ),
        ("de-DE", "Mach eine Durchsage", "announce", json!({})),
        (
            "fr-FR",
            "Dis à la cuisine que le dîner est prêt",
            "announce",
            json!({"room": "cuisine", "message": "le dîner est prêt"}),
        ),
        (
            "fr-FR",
            "Dis à Ana de venir",
            "announce",
            json!({"room": "Ana", "message": "venir"}),
        ),
        (
            "fr-FR",
            "Annonce à tout le monde que le film commence",
            "announce",
            json!({"message": "le film commence"}),
        ),
        (
            "fr-FR",
            "Dis dans la chambre que nous partons",
            "announce",
            json!({"room": "chambre", "message": "nous partons"}),
        ),
        (
            "fr-FR",
            "Réponds que j'arrive",
            "reply_to_room",
            json!({"message": "j'arrive"}),
        ),
        (
            "es-ES",
            "Di a la cocina que la cena está lista",
            "announce",
            json!({"room": "cocina", "message": "la cena está lista"}),
        ),
        (
            "es-ES",
            "Avisa en el dormitorio que nos vamos",
            "announce",
            json!({"room": "dormitorio", "message": "nos vamos"}),
        ),
        (
            "es-ES",
            "Anuncia a todos que empieza la película",
            "announce",
            json!({"message": "empieza la película"}),
        ),
        (
            "es-ES",
            "Dile a Ana que venga",
            "announce",
            json!({"room": "Ana", "message": "venga"}),
        ),
        (
            "es-ES",
            "Responde que ya voy",
            "reply_to_room",
            json!({"message": "ya voy"}),
        ),
        (
            "it-IT",
            "Di' alla cucina che la cena è pronta",
            "announce",
            json!({"room": "cucina", "message": "la cena è pronta"}),
        ),
        (
            "it-IT",
            "Avvisa la cucina che usciamo",
            "announce",
            json!({"room": "cucina", "message": "usciamo"}),
        ),
        (
            "it-IT",
            "Annuncia a tutti che il film comincia",
            "announce",
            json!({"message": "il film comincia"}),
        ),
        (
            "it-IT",
            "Di' ad Ana di venire",
            "announce",
            json!({"room": "Ana", "message": "venire"}),
        ),
        (
            "it-IT",
            "Rispondi che arrivo",
            "reply_to_room",
            json!({"message": "arrivo"}),
        ),
        (
            "pt-PT",
            "Diz à cozinha que o jantar está pronto",
            "announce",
            json!({"room": "cozinha", "message": "o jantar está pronto"}),
        ),
        (
            "pt-PT",
            "Avisa o quarto que vamos sair",
            "announce",
            json!({"room": "quarto", "message": "vamos sair"}),
        ),
        (
            "pt-PT",
            "Anuncia a todos que o filme começa",
            "announce",
            json!({"message": "o filme começa"}),
        ),
        (
            "pt-PT",
            "Diz à Ana que venha",
            "announce",
            json!({"room": "Ana", "message": "venha"}),
        ),
        (
            "pt-PT",
            "Responde que já vou",
            "reply_to_room",
            json!({"message": "já vou"}),
        ),
    ] {
        let found = called(&spoken, text, lang);
        if found != Some((tool.to_owned(), arguments)) {
            wrong.push((text, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn who_speaks_and_who_is_reminded_is_understood_in_six_languages() {
    let spoken = in_a_house();
    let mut wrong = Vec::new();
    let name = |name: &str| ("name_speaker", json!({ "name": name }));
    let home = |who: Option<&str>, text: &str| {
        let mut arguments = json!({"text": text, "when_home": true});
        if let Some(who) = who {
            arguments["person"] = json!(who);
        }
        ("set_reminder", arguments)
    };
    for (lang, text, (tool, arguments)) in [
        ("en-US", "This is Zoe", name("Zoe")),
        ("en-US", "My name is zoe", name("Zoe")),
        ("en-US", "I'm Ana", name("Ana")),
        ("en-US", "Who am I?", ("tell_speaker", json!({}))),
        ("en-US", "Forget who I am", ("forget_speaker", json!({}))),
        ("de-DE", "Hier ist Zoe", name("Zoe")),
        ("de-DE", "Ich heiße Zoe", name("Zoe")),
        ("de-DE", "Ich bin Ana", name("Ana")),
        ("de-DE", "Wer bin ich?", ("tell_speaker", json!({}))),
        ("fr-FR", "Je m'appelle Zoe", name("Zoe")),
        ("fr-FR", "Je suis Ana", name("Ana")),
        ("fr-FR", "Qui suis-je ?", ("tell_speaker", json!({}))),
        ("es-ES", "Me llamo Zoe", name("Zoe")),
        ("es-ES", "Soy Ana", name("Ana")),
        ("es-ES", "¿Quién soy?", ("tell_speaker", json!({}))),
        ("it-IT", "Mi chiamo Zoe", name("Zoe")),
        ("it-IT", "Sono Ana", name("Ana")),
        ("it-IT", "Chi sono?", ("tell_speaker", json!({}))),
        ("pt-PT", "Chamo-me Zoe", name("Zoe")),
        ("pt-PT", "Sou a Ana", name("Ana")),
        ("pt-PT", "Quem sou eu?", ("tell_speaker", json!({}))),
        (
            "en-US",
            "Remind Ana to call Ben at six",
            (
                "set_reminder",
                json!({"person": "Ana", "text": "call Ben", "time": "six"}),
            ),
        ),
        (
            "en-US",
            "Remind Ana to call Ben in one second",
            (
                "set_reminder",
                json!({"person": "Ana", "text": "call Ben", "duration": "one second"}),
            ),
        ),
        (
            "en-US",
            "Remind Ana to rest when she is home",
            home(Some("Ana"), "rest"),
        ),
        (
            "en-US",
            "When Ana gets home, tell her that dinner is in the oven",
            home(Some("Ana"), "dinner is in the oven"),
        ),
        (
            "en-US",
            "Remind me to water the plants when I get home",
            home(None, "water the plants"),
        ),
        (
            "de-DE",
            "Erinnere Ana um sechs Uhr ans Ausruhen",
            (
                "set_reminder",
                json!({"person": "Ana", "text": "Ausruhen", "date": "um sechs Uhr"}),
            ),
        ),
        (
            "de-DE",
            "Erinnere Ana daran, die Blumen zu gießen, wenn sie nach Hause kommt",
            home(Some("Ana"), "die Blumen zu gießen"),
        ),
        (
            "fr-FR",
            "Rappelle à Ana d'arroser les plantes quand elle rentre",
            home(Some("Ana"), "arroser les plantes"),
        ),
        (
            "es-ES",
            "Recuérdale a Ana regar las plantas cuando llegue a casa",
            home(Some("Ana"), "regar las plantas"),
        ),
        (
            "it-IT",
            "Ricorda a Ana di annaffiare le piante quando torna a casa",
            home(Some("Ana"), "annaffiare le piante"),
        ),
        (
            "pt-PT",
            "Lembra a Ana de regar as plantas quando chegar a casa",
            home(Some("Ana"), "regar as plantas"),
        ),
    ] {
        let found = called(&spoken, text, lang);
        if found != Some((tool.to_owned(), arguments)) {
            wrong.push((text, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
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
