//! Orders and questions in six languages with the calls that they ask for, and sentences that are only like them.

use loquat_orchestrator::manifest::Recognised;
use serde_json::json;

use super::*;

/// The language, the tool, some of its arguments, and what people say for it.
type Asked = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// Names that are one word with the word for what they name.
const COMPOUNDS: &[Asked] = &[
    (
        "de-DE",
        "set_timer",
        r#"{"name": "Kartoffel"}"#,
        &[
            "Stell einen Kartoffeltimer auf 20 Minuten",
            "Kartoffeltimer 20 Minuten",
            "starte den Kartoffeltimer mit 20 Minuten",
            "kannst du bitte einen Kartoffel-Timer auf 20 Minuten stellen",
        ],
    ),
    (
        "de-DE",
        "set_timer",
        r#"{"name": "Wäsche"}"#,
        &[
            "Mach mir einen Wäschetimer für eine Stunde",
            "Wäschetimer starten",
        ],
    ),
    (
        "de-DE",
        "list_alerts",
        r#"{"kind": "timer", "name": "Pizza"}"#,
        &[
            "Läuft der Pizzatimer noch?",
            "Wie lange läuft der Pizzatimer noch",
            "wann klingelt mein Pizzatimer",
            "gibt es einen Pizzatimer",
            "wie lange noch beim Pizzatimer",
        ],
    ),
    (
        "de-DE",
        "cancel_alert",
        r#"{"kind": "timer", "name": "Tee"}"#,
        &[
            "Stopp den Teetimer",
            "Teetimer abbrechen",
            "schalte den Teetimer aus",
        ],
    ),
    (
        "de-DE",
        "change_alert",
        r#"{"kind": "timer", "name": "Übung", "by": "zwei Minuten"}"#,
        &[
            "Verlängere den Übungstimer um zwei Minuten",
            "gib dem Übungstimer noch zwei Minuten",
            "füge zwei Minuten zum Übungstimer hinzu",
        ],
    ),
    (
        "de-DE",
        "pause_timer",
        r#"{"name": "Ofen"}"#,
        &["Pausiere den Ofentimer"],
    ),
    (
        "de-DE",
        "set_alarm",
        r#"{"name": "Schul"}"#,
        &[
            "Stell einen Schulwecker auf 6 Uhr 30",
            "Schulwecker auf halb sieben stellen",
        ],
    ),
    (
        "de-DE",
        "cancel_alert",
        r#"{"kind": "alarm", "name": "Schul"}"#,
        &["Lösch den Schulwecker", "schalte den Schulwecker aus"],
    ),
];

/// What is due in a time.
const DUE: &[Asked] = &[
    (
        "en-US",
        "list_alerts",
        r#"{"kind": "alarm"}"#,
        &[
            "which alarms are set for the day after tomorrow",
            "do I have an alarm on Sunday",
            "are there any alarms before 6 am",
            "list my alarms for next week",
            "what alarms go off tomorrow morning",
            "am I getting woken up on Friday",
            "any alarms this weekend",
            "my alarms for Monday",
            "will an alarm ring tomorrow",
            "how many alarms do I have tomorrow",
        ],
    ),
    (
        "en-US",
        "list_alerts",
        r#"{"kind": "reminder"}"#,
        &[
            "do I have any reminders this afternoon",
            "what do I have to remember on Thursday",
            "show me my reminders for next week",
            "what reminders are there between noon and 3 pm",
            "what should you remind me of tomorrow",
        ],
    ),
    (
        "en-US",
        "list_alerts",
        "{}",
        &[
            "what is planned for tomorrow",
            "do I have anything scheduled on Friday",
            "are there any events after 6 pm",
        ],
    ),
    (
        "en-US",
        "cancel_alert",
        r#"{"kind": "alarm", "name": "all"}"#,
        &[
            "delete all my alarms for tomorrow",
            "turn off all alarms at the weekend",
            "clear alarms before 8 am tomorrow",
            "cancel every alarm next week",
            "no alarms on Sunday please",
        ],
    ),
    (
        "en-US",
        "cancel_alert",
        r#"{"kind": "reminder", "name": "all"}"#,
        &[
            "remove all reminders on Monday",
            "cancel my reminders between 2 and 4 pm",
        ],
    ),
    (
        "en-US",
        "cancel_alert",
        r#"{"kind": "alarm"}"#,
        &["cancel my alarm tomorrow", "turn off the alarm on Friday"],
    ),
    (
        "de-DE",
        "list_alerts",
        r#"{"kind": "alarm"}"#,
        &[
            "welche Wecker habe ich am Sonntag",
            "habe ich morgen einen Wecker gestellt",
            "gibt es Wecker vor 6 Uhr",
            "klingelt am Samstag ein Wecker",
            "meine Wecker für nächste Woche",
            "wie viele Wecker habe ich morgen",
        ],
    ),
    (
        "de-DE",
        "list_alerts",
        r#"{"kind": "reminder"}"#,
        &[
            "gibt es morgen Nachmittag Erinnerungen",
            "welche Erinnerungen habe ich zwischen 14 und 16 Uhr",
            "woran sollst du mich am Freitag erinnern",
        ],
    ),
    (
        "de-DE",
        "cancel_alert",
        r#"{"kind": "alarm", "name": "all"}"#,
        &[
            "lösche alle Wecker am Wochenende",
            "schalte alle Wecker morgen früh aus",
            "alle Wecker am Montag löschen",
        ],
    ),
    (
        "fr-FR",
        "list_alerts",
        r#"{"kind": "alarm"}"#,
        &[
            "quels réveils ai-je demain",
            "est-ce que j'ai un réveil dimanche",
            "y a-t-il des alarmes avant 6 heures",
            "à quelle heure sonne mon réveil samedi",
        ],
    ),
    (
        "fr-FR",
        "cancel_alert",
        r#"{"kind": "alarm", "name": "all"}"#,
        &[
            "annule toutes les alarmes de demain",
            "supprime tous mes réveils du week-end",
        ],
    ),
    (
        "es-ES",
        "list_alerts",
        r#"{"kind": "alarm"}"#,
        &[
            "qué alarmas tengo mañana",
            "tengo alguna alarma el domingo",
            "hay alarmas antes de las 6",
        ],
    ),
    (
        "es-ES",
        "cancel_alert",
        r#"{"kind": "alarm", "name": "all"}"#,
        &[
            "cancela todas las alarmas de mañana",
            "borra las alarmas del fin de semana",
        ],
    ),
    (
        "it-IT",
        "list_alerts",
        r#"{"kind": "alarm"}"#,
        &[
            "quali sveglie ho domani",
            "ho una sveglia domenica",
            "ci sono sveglie prima delle 6",
        ],
    ),
    (
        "it-IT",
        "cancel_alert",
        r#"{"kind": "alarm", "name": "all"}"#,
        &[
            "cancella tutte le sveglie di domani",
            "annulla le sveglie del fine settimana",
        ],
    ),
    (
        "pt-PT",
        "list_alerts",
        r#"{"kind": "alarm"}"#,
        &[
            "que alarmes tenho amanhã",
            "tenho algum alarme no domingo",
            "há alarmes antes das 6",
        ],
    ),
    (
        "pt-PT",
        "cancel_alert",
        r#"{"kind": "alarm", "name": "all"}"#,
        &[
            "cancela todos os alarmes de amanhã",
            "apaga os alarmes do fim de semana",
        ],
    ),
];

/// Reminders that are forgotten, and rooms that no home knows.
const CANCELLED: &[Asked] = &[
    (
        "en-US",
        "cancel_alert",
        r#"{"kind": "reminder", "name": "all"}"#,
        &[
            "forget every reminder",
            "please forget my reminders",
            "forget about all of my reminders",
        ],
    ),
    (
        "en-US",
        "cancel_alert",
        r#"{"kind": "reminder"}"#,
        &["forget the reminder", "forget my reminder for tomorrow"],
    ),
    (
        "en-US",
        "cancel_alert",
        r#"{"kind": "reminder", "name": "feed the cat"}"#,
        &["forget the reminder to feed the cat"],
    ),
    (
        "de-DE",
        "cancel_alert",
        r#"{"kind": "reminder", "name": "all"}"#,
        &[
            "vergiss sämtliche Erinnerungen",
            "vergiss bitte meine Erinnerungen",
        ],
    ),
    (
        "de-DE",
        "cancel_alert",
        r#"{"kind": "reminder"}"#,
        &["vergiss die Erinnerung", "vergiss meine Erinnerung für morgen"],
    ),
    (
        "fr-FR",
        "cancel_alert",
        r#"{"kind": "reminder", "name": "all"}"#,
        &["oublie tous mes rappels", "oubliez les rappels"],
    ),
    (
        "es-ES",
        "cancel_alert",
        r#"{"kind": "reminder", "name": "all"}"#,
        &["olvida todos los recordatorios", "olvida mis recordatorios"],
    ),
    (
        "it-IT",
        "cancel_alert",
        r#"{"kind": "reminder", "name": "all"}"#,
        &["dimentica tutti i promemoria", "dimentica i miei promemoria"],
    ),
    (
        "pt-PT",
        "cancel_alert",
        r#"{"kind": "reminder", "name": "all"}"#,
        &["esquece todos os lembretes", "esquece os meus lembretes"],
    ),
    (
        "en-US",
        "forget",
        "{}",
        &[
            "forget what I told you about my sister",
            "forget everything about the garden",
        ],
    ),
    (
        "de-DE",
        "forget",
        "{}",
        &["vergiss was du über meine Schwester weißt"],
    ),
    (
        "en-US",
        "cancel_alert",
        r#"{"kind": "timer", "name": "all", "area": "garage"}"#,
        &["stop all timers in the garage", "delete the timers in the garage"],
    ),
    (
        "de-DE",
        "cancel_alert",
        r#"{"kind": "timer", "name": "all", "area": "Garage"}"#,
        &[
            "lösche alle Timer in der Garage",
            "alle Timer in der Garage abbrechen",
        ],
    ),
    (
        "fr-FR",
        "cancel_alert",
        r#"{"kind": "timer", "name": "all", "area": "cuisine"}"#,
        &["arrête tous les minuteurs de la cuisine"],
    ),
    (
        "es-ES",
        "cancel_alert",
        r#"{"kind": "timer", "name": "all", "area": "cocina"}"#,
        &["cancela todos los temporizadores de la cocina"],
    ),
    (
        "it-IT",
        "cancel_alert",
        r#"{"kind": "timer", "name": "all", "area": "cucina"}"#,
        &["ferma tutti i timer della cucina"],
    ),
    (
        "pt-PT",
        "cancel_alert",
        r#"{"kind": "timer", "name": "all", "area": "cozinha"}"#,
        &["cancela todos os temporizadores da cozinha"],
    ),
    (
        "en-US",
        "list_alerts",
        r#"{"kind": "timer", "area": "garage"}"#,
        &[
            "are there any timers in the garage",
            "which timers are running in the garage",
        ],
    ),
];

/// Lists that are begun and asked for, repetitions with an end or on days that stand before the alarm, and the air.
const OTHERS: &[Asked] = &[
    (
        "en-US",
        "create_list",
        r#"{"list": "camping list"}"#,
        &[
            "make a camping list",
            "start a new camping list",
            "could you create a camping list please",
            "new camping list",
        ],
    ),
    (
        "en-US",
        "create_list",
        r#"{"list": "birthday list"}"#,
        &["create a list called birthday", "make a new list named birthday"],
    ),
    (
        "de-DE",
        "create_list",
        r#"{"list": "Wunschliste"}"#,
        &[
            "erstelle eine Wunschliste",
            "leg bitte eine neue Wunschliste an",
            "eine Wunschliste anlegen",
            "neue Wunschliste",
        ],
    ),
    (
        "de-DE",
        "create_list",
        r#"{"list": "Liste Garten"}"#,
        &["mach eine neue Liste Garten", "erstelle eine Liste namens Garten"],
    ),
    (
        "fr-FR",
        "create_list",
        "{}",
        &[
            "crée une liste de cadeaux",
            "crée une nouvelle liste appelée jardin",
        ],
    ),
    (
        "es-ES",
        "create_list",
        "{}",
        &["crea una lista de regalos", "crea una nueva lista llamada jardín"],
    ),
    (
        "it-IT",
        "create_list",
        "{}",
        &[
            "crea una lista dei regali",
            "crea una nuova lista chiamata giardino",
        ],
    ),
    (
        "pt-PT",
        "create_list",
        "{}",
        &[
            "cria uma lista de presentes",
            "cria uma nova lista chamada jardim",
        ],
    ),
    (
        "en-US",
        "read_list",
        r#"{"list": "to-do"}"#,
        &[
            "is there anything to do",
            "do I have anything left to do",
            "anything to do today",
        ],
    ),
    (
        "de-DE",
        "read_list",
        r#"{"list": "to-do"}"#,
        &[
            "gibt es noch etwas zu tun",
            "habe ich heute noch was zu erledigen",
        ],
    ),
    (
        "fr-FR",
        "read_list",
        r#"{"list": "to-do"}"#,
        &["est-ce que j'ai quelque chose à faire"],
    ),
    (
        "es-ES",
        "read_list",
        r#"{"list": "to-do"}"#,
        &["tengo algo que hacer hoy"],
    ),
    (
        "it-IT",
        "read_list",
        r#"{"list": "to-do"}"#,
        &["ho qualcosa da fare oggi"],
    ),
    (
        "pt-PT",
        "read_list",
        r#"{"list": "to-do"}"#,
        &["tenho alguma coisa para fazer"],
    ),
    (
        "en-US",
        "set_alarm",
        r#"{"repeat": "weekends"}"#,
        &["set a weekend alarm for 9", "weekend alarm at 8:30"],
    ),
    (
        "en-US",
        "set_alarm",
        r#"{"repeat": "weekday"}"#,
        &["create a weekday alarm for 6:45 am"],
    ),
    (
        "en-US",
        "set_alarm",
        r#"{"until": "until Sunday"}"#,
        &[
            "set a daily alarm for 8 am until Sunday",
            "set a weekday alarm for 8 am until Sunday",
        ],
    ),
    (
        "de-DE",
        "set_alarm",
        r#"{"repeat": "weekends"}"#,
        &["stell einen Wochenendwecker auf 9 Uhr"],
    ),
    (
        "de-DE",
        "set_alarm",
        "{}",
        &[
            "weck mich die nächsten drei Wochen jeden Tag um 8 Uhr",
            "weck mich bis Sonntag täglich um 6",
        ],
    ),
    (
        "fr-FR",
        "set_alarm",
        r#"{"repeat": "weekends"}"#,
        &["mets un réveil du week-end à 9 heures"],
    ),
    (
        "es-ES",
        "set_alarm",
        r#"{"repeat": "weekends"}"#,
        &["pon una alarma de fin de semana a las 9"],
    ),
    (
        "it-IT",
        "set_alarm",
        r#"{"repeat": "weekends"}"#,
        &["imposta una sveglia del fine settimana alle 9"],
    ),
    (
        "pt-PT",
        "set_alarm",
        r#"{"repeat": "weekends"}"#,
        &["põe um alarme de fim de semana às 9"],
    ),
    (
        "en-US",
        "weather_detail",
        r#"{"about": "humidity"}"#,
        &[
            "is the air too dry",
            "how damp is the air in Oslo",
            "will the air be dry tomorrow",
            "do we need a dehumidifier today",
        ],
    ),
    (
        "de-DE",
        "weather_detail",
        r#"{"about": "humidity"}"#,
        &[
            "ist die Luft heute trocken",
            "wie feucht ist die Luft",
            "brauchen wir heute einen Luftbefeuchter",
        ],
    ),
    (
        "fr-FR",
        "weather_detail",
        r#"{"about": "humidity"}"#,
        &["l'air est-il sec aujourd'hui", "est-ce que l'air est humide"],
    ),
    (
        "es-ES",
        "weather_detail",
        r#"{"about": "humidity"}"#,
        &["está seco el aire hoy"],
    ),
    (
        "it-IT",
        "weather_detail",
        r#"{"about": "humidity"}"#,
        &["l'aria è secca oggi"],
    ),
    (
        "pt-PT",
        "weather_detail",
        r#"{"about": "humidity"}"#,
        &["o ar está seco hoje"],
    ),
];

/// What only sounds like one of these.
const UNRELATED: &[(&str, &[&str])] = &[
    (
        "de-DE",
        &[
            "Wie alt ist dein Oldtimer",
            "läuft der Oldtimer noch",
            "lösch den Oldtimer",
            "stell den Radiowecker in die Küche",
            "was kostet ein Nudeltimer",
            "wer hat den Eiertimer erfunden",
            "vergiss nicht die Blumen",
            "mach mir eine Liste von Filmen",
            "gibt es etwas zu tun in Berlin",
            "ist die Luft raus",
            "welche Termine hat der Kanzler am Montag",
        ],
    ),
    (
        "en-US",
        &[
            "what alarms people on Friday",
            "are there any concerts on Saturday",
            "make me a list of good movies",
            "create a list of prime numbers",
            "is there anything to do in Paris",
            "is there anything to do around here",
            "forget my birthday",
            "forget the whole thing tomorrow",
            "is the air filter dry",
            "do I need a humidifier for my piano",
            "what did the alarm clock cost last week",
        ],
    ),
    (
        "fr-FR",
        &[
            "oublie mes clés",
            "l'air est connu",
            "quels films y a-t-il demain",
        ],
    ),
    (
        "es-ES",
        &[
            "olvida mis llaves",
            "hay conciertos el domingo",
            "el aire está limpio",
        ],
    ),
    ("it-IT", &["dimentica le mie chiavi", "ci sono concerti domenica"]),
    ("pt-PT", &["esquece as minhas chaves", "há concertos no domingo"]),
];

fn wrong(asked: &[Asked]) -> Vec<String> {
    let spoken = pack::with_pack();
    let mut wrong = Vec::new();
    for (lang, tool, arguments, sentences) in asked {
        let expected: Value = serde_json::from_str(arguments).expect("JSON");
        for text in *sentences {
            let found = spoken.recognise(text, lang);
            let call = found
                .as_ref()
                .and_then(|found| spoken.call(&found.intent_name, text, lang))
                .map(|wanted| wanted.call);
            let is_right = call.as_ref().is_some_and(|call| {
                let mut expected = expected.as_object().expect("an object").iter();
                call.tool == *tool && expected.all(|(name, value)| call.arguments.get(name) == Some(value))
            });
            if !is_right {
                let heard = call.map(|call| json!({call.tool: call.arguments}));
                let intent = found.map(|found| found.intent_name);
                wrong.push(format!("{lang} {text}: {intent:?} {}", heard.unwrap_or_default()));
            }
        }
    }
    wrong
}

#[test]
fn a_name_is_heard_in_one_word_with_what_it_names() {
    let wrong = wrong(COMPOUNDS);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_is_due_in_a_time_is_asked_for_and_cancelled() {
    let mut wrong = wrong(DUE);
    let spoken = pack::with_pack();
    for (lang, _, _, sentences) in DUE {
        for text in *sentences {
            let found = spoken.recognise(text, lang);
            let has_time = |found: &Recognised| found.slots.iter().any(|(slot, _)| slot == "within");
            if !found.as_ref().is_some_and(has_time) {
                wrong.push(format!("{text}: no time"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn reminders_are_forgotten_and_timers_of_a_room_are_cancelled() {
    let wrong = wrong(CANCELLED);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn lists_are_begun_alarms_end_and_the_air_is_asked_about() {
    let wrong = wrong(OTHERS);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_is_only_like_an_order_is_left_to_others() {
    let spoken = pack::with_pack();
    let mut caught = Vec::new();
    for (lang, sentences) in UNRELATED {
        for text in *sentences {
            let found = spoken.recognise(text, lang);
            caught.extend(found.map(|found| (text, found.intent_name, found.slots)));
        }
    }
    assert!(caught.is_empty(), "{caught:#?}");
}
