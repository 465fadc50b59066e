//! Everyday wordings by their kinds, in English, German and where a kind was written in other languages; and ordinary talk
//! that has the words of such a kind.

use loquat_agent::Speaker;
use serde_json::json;

use super::*;

/// The language, the tool, some of its arguments, and what people say for it.
type Asked = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// Understood whatever is set.
const SAID: &[Asked] = &[
    (
        "en-US",
        "set_timer",
        r#"{"duration": "twenty five minutes"}"#,
        &[
            "alert me when twenty five minutes are over",
            "give me a call as soon as twenty five minutes have passed",
            "ping me in twenty five minutes",
            "I could do with a timer for twenty five minutes",
            "start a countdown from twenty five minutes",
            "put twenty five minutes on the clock please",
        ],
    ),
    (
        "en-US",
        "set_timer",
        r#"{"name": "soup", "duration": "six minutes"}"#,
        &[
            "time the soup for six minutes",
            "soup timer six minutes",
            "would you mind timing the soup for six minutes",
        ],
    ),
    (
        "de-DE",
        "set_timer",
        r#"{"duration": "zwanzig Minuten"}"#,
        &[
            "gib mir Bescheid, sobald zwanzig Minuten vorbei sind",
            "meld dich in zwanzig Minuten wieder",
            "könntest du mir in zwanzig Minuten Bescheid geben",
            "ich hätte gern einen Timer für zwanzig Minuten",
            "stell die Küchenuhr auf zwanzig Minuten",
        ],
    ),
    (
        "fr-FR",
        "set_timer",
        r#"{"duration": "vingt minutes"}"#,
        &[
            "préviens-moi quand vingt minutes sont écoulées",
            "fais-moi signe dans vingt minutes",
        ],
    ),
    (
        "es-ES",
        "set_timer",
        r#"{"duration": "veinte minutos"}"#,
        &[
            "avísame cuando pasen veinte minutos",
            "avísame dentro de veinte minutos",
        ],
    ),
    (
        "it-IT",
        "set_timer",
        r#"{"duration": "venti minuti"}"#,
        &[
            "avvisami quando sono passati venti minuti",
            "avvertimi tra venti minuti",
        ],
    ),
    (
        "pt-PT",
        "set_timer",
        r#"{"duration": "vinte minutos"}"#,
        &[
            "avisa-me quando passarem vinte minutos",
            "avisa-me daqui a vinte minutos",
        ],
    ),
    (
        "en-US",
        "set_alarm",
        "{}",
        &[
            "I have to be out of bed by twenty past five",
            "see to it that I am awake at eight",
            "get me out of bed tomorrow at seven",
            "do not let me sleep beyond half past nine",
            "I would like a wake up call at six",
        ],
    ),
    (
        "de-DE",
        "set_alarm",
        "{}",
        &[
            "ich muss morgen um acht aus dem Bett",
            "sorg dafür, dass ich um sieben wach bin",
            "übermorgen um sechs muss ich aufstehen",
            "könntest du mich morgen um halb acht wecken",
        ],
    ),
    (
        "fr-FR",
        "set_alarm",
        "{}",
        &["je dois me lever demain à sept heures"],
    ),
    (
        "es-ES",
        "set_alarm",
        "{}",
        &["tengo que levantarme mañana a las siete"],
    ),
    ("it-IT", "set_alarm", "{}", &["devo alzarmi domani alle sette"]),
    ("pt-PT", "set_alarm", "{}", &["tenho de acordar amanhã às sete"]),
    (
        "en-US",
        "cancel_alert",
        r#"{"kind": "alarm"}"#,
        &["I don't need an alarm tomorrow", "you needn't wake me tomorrow"],
    ),
    (
        "de-DE",
        "cancel_alert",
        r#"{"kind": "alarm"}"#,
        &[
            "morgen brauche ich keinen Wecker",
            "du musst mich morgen nicht wecken",
        ],
    ),
    (
        "en-US",
        "change_alert",
        r#"{"kind": "alarm", "by": "twenty minutes"}"#,
        &["push my alarm back by twenty minutes"],
    ),
    (
        "en-US",
        "set_reminder",
        r#"{"text": "feed the cat"}"#,
        &[
            "ping me at five to feed the cat",
            "give me a heads up in an hour to feed the cat",
            "don't let me forget to feed the cat tonight",
            "make sure I feed the cat at seven",
            "I need to feed the cat at seven so remind me",
            "help me remember to feed the cat tomorrow",
            "I mustn't forget to feed the cat",
        ],
    ),
    (
        "de-DE",
        "set_reminder",
        r#"{"text": "die Katze füttern muss"}"#,
        &[
            "sag mir um fünf, dass ich die Katze füttern muss",
            "kannst du mich um fünf daran erinnern, dass ich die Katze füttern muss",
        ],
    ),
    (
        "de-DE",
        "set_reminder",
        r#"{"text": "die Katze zu füttern"}"#,
        &[
            "ich darf nicht vergessen, heute Abend die Katze zu füttern",
            "lass mich nicht vergessen, die Katze zu füttern",
        ],
    ),
    (
        "en-US",
        "cancel_alert",
        r#"{"kind": "reminder", "name": "dentist"}"#,
        &[
            "scrap the reminder about dentist",
            "you don't have to remind me about dentist any more",
            "I no longer need the dentist reminder",
        ],
    ),
    (
        "de-DE",
        "cancel_alert",
        r#"{"kind": "reminder", "name": "Zahnarzt"}"#,
        &["du brauchst mich nicht mehr an Zahnarzt zu erinnern"],
    ),
    (
        "en-US",
        "list_alerts",
        "{}",
        &[
            "is something about to go off",
            "will anything ring tonight",
            "have we got anything coming up tomorrow",
        ],
    ),
    (
        "de-DE",
        "list_alerts",
        "{}",
        &["läutet gleich noch was", "habe ich morgen noch etwas geplant"],
    ),
    (
        "en-US",
        "add_to_list",
        r#"{"items": "oat milk"}"#,
        &[
            "we're out of oat milk",
            "I am running low on oat milk",
            "there is hardly any oat milk left",
            "the oat milk is nearly gone",
            "I must buy oat milk",
        ],
    ),
    (
        "en-US",
        "add_to_list",
        r#"{"items": "lemons, dishwasher tabs"}"#,
        &[
            "we are almost out of lemons and dishwasher tabs",
            "we need lemons and dishwasher tabs",
        ],
    ),
    (
        "de-DE",
        "add_to_list",
        r#"{"items": "Hafermilch"}"#,
        &[
            "wir haben keine Hafermilch mehr",
            "uns geht langsam die Hafermilch aus",
            "ich muss noch Hafermilch besorgen",
            "es fehlt noch Hafermilch",
        ],
    ),
    (
        "fr-FR",
        "add_to_list",
        r#"{"items": "café"}"#,
        &["il n'y a plus de café", "on n'a presque plus de café"],
    ),
    (
        "es-ES",
        "add_to_list",
        r#"{"items": "café"}"#,
        &["ya no queda café", "nos hemos quedado sin café"],
    ),
    (
        "it-IT",
        "add_to_list",
        r#"{"items": "caffè"}"#,
        &["non c'è più caffè", "siamo rimasti senza caffè"],
    ),
    (
        "pt-PT",
        "add_to_list",
        r#"{"items": "café"}"#,
        &["já não há café", "ficámos sem café"],
    ),
    (
        "en-US",
        "read_list",
        "{}",
        &[
            "run through the shopping list with me",
            "what else do we need to buy",
        ],
    ),
    (
        "de-DE",
        "read_list",
        "{}",
        &["geh die Einkaufsliste mit mir durch", "was fehlt uns noch"],
    ),
    (
        "en-US",
        "set_volume",
        r#"{"percent": 33.0}"#,
        &["turn the volume down to a third", "volume at one third"],
    ),
    (
        "de-DE",
        "set_volume",
        r#"{"percent": 75.0}"#,
        &["dreh die Lautstärke auf drei Viertel"],
    ),
    (
        "fr-FR",
        "set_volume",
        r#"{"percent": 50.0}"#,
        &["mets le volume à la moitié"],
    ),
    (
        "es-ES",
        "set_volume",
        r#"{"percent": 50.0}"#,
        &["pon el volumen a la mitad"],
    ),
    (
        "it-IT",
        "set_volume",
        r#"{"percent": 50.0}"#,
        &["metti il volume a metà"],
    ),
    (
        "pt-PT",
        "set_volume",
        r#"{"percent": 50.0}"#,
        &["põe o volume a metade"],
    ),
    (
        "en-US",
        "change_volume",
        "{}",
        &[
            "the music is way too loud",
            "I can barely hear you",
            "pump up the volume",
        ],
    ),
    (
        "de-DE",
        "change_volume",
        "{}",
        &["die Musik ist viel zu laut", "ich versteh dich kaum"],
    ),
    (
        "en-US",
        "unit_convert",
        "{}",
        &[
            "five kilometers how far is that in miles",
            "how many ounces go into a pound",
        ],
    ),
    (
        "de-DE",
        "unit_convert",
        "{}",
        &["wie viele Gramm passen in ein Kilogramm"],
    ),
    (
        "en-US",
        "evaluate_expression",
        "{}",
        &["what does 12 plus 30 add up to", "what would 8 times 9 give"],
    ),
    (
        "de-DE",
        "evaluate_expression",
        "{}",
        &["was kommt bei 8 mal 9 heraus"],
    ),
    (
        "en-US",
        "get_weather",
        "{}",
        &["is it chilly out there", "how's it looking outside"],
    ),
    (
        "en-US",
        "weather_detail",
        r#"{"about": "rain"}"#,
        &["is there any rain on the way"],
    ),
    (
        "de-DE",
        "get_weather",
        "{}",
        &["ist es heute warm draußen", "wie sieht es draußen aus"],
    ),
    (
        "en-US",
        "get_battery",
        "{}",
        &["do you need to be charged", "how much juice have you got"],
    ),
    (
        "de-DE",
        "get_battery",
        "{}",
        &["hängst du am Strom", "musst du geladen werden"],
    ),
];

/// Understood where this is set and stands on the shopping list: a timer called rice, and bread and eggs.
const KNOWN: &[Asked] = &[
    (
        "en-US",
        "change_alert",
        r#"{"name": "rice", "by": "four minutes"}"#,
        &[
            "give the rice another four minutes",
            "the rice needs four minutes more",
            "let the rice cook for another four minutes",
            "another four minutes for the rice",
        ],
    ),
    (
        "en-US",
        "change_alert",
        r#"{"name": "rice", "by": "-a minute"}"#,
        &["knock a minute off the rice"],
    ),
    (
        "en-US",
        "cancel_alert",
        r#"{"name": "rice"}"#,
        &[
            "the rice is ready now",
            "never mind the rice",
            "we don't need the rice any longer",
        ],
    ),
    (
        "en-US",
        "list_alerts",
        r#"{"name": "rice"}"#,
        &[
            "how long does the rice still need",
            "what's left on the rice",
            "how far along is the rice",
        ],
    ),
    (
        "de-DE",
        "change_alert",
        r#"{"name": "Reis", "by": "vier Minuten"}"#,
        &[
            "der Reis braucht noch vier Minuten",
            "gib dem Reis noch vier Minuten",
        ],
    ),
    (
        "de-DE",
        "cancel_alert",
        r#"{"name": "Reis"}"#,
        &["der Reis ist schon gar", "vergiss den Reis"],
    ),
    (
        "de-DE",
        "list_alerts",
        r#"{"name": "Reis"}"#,
        &["wie lange dauert der Reis noch"],
    ),
    (
        "en-US",
        "remove_from_list",
        r#"{"items": "bread and eggs"}"#,
        &[
            "I've already got bread and eggs",
            "we don't need bread and eggs any more",
        ],
    ),
    (
        "en-US",
        "remove_from_list",
        r#"{"items": "bread"}"#,
        &["cross off bread"],
    ),
    (
        "de-DE",
        "remove_from_list",
        r#"{"items": "Brot"}"#,
        &[
            "Brot haben wir schon",
            "wir brauchen kein Brot mehr",
            "hak Brot ab",
        ],
    ),
];

/// Ordinary talk in the words of these kinds.
const TALK: &[(&str, &[&str])] = &[
    (
        "en-US",
        &[
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

/// What is understood otherwise than it should be.
fn wrong(spoken: &SpokenTools, asked: &[Asked]) -> Vec<String> {
    let heard = |text: &str, lang: &str| {
        let found = spoken.recognise(text, lang)?;
        let wanted = spoken.call(&found.intent_name, text, lang)?;
        wanted.meanings().is_empty().then_some(wanted.call)
    };
    let mut wrong = Vec::new();
    for (lang, tool, arguments, sentences) in asked {
        let expected: Value = serde_json::from_str(arguments).expect("JSON");
        let expected = expected.as_object().expect("an object");
        for text in *sentences {
            let call = heard(text, lang);
            let is_right = call.as_ref().is_some_and(|call| {
                let mut expected = expected.iter();
                call.tool == *tool && expected.all(|(name, value)| call.arguments.get(name) == Some(value))
            });
            if !is_right {
                let heard = call.map(|call| json!({call.tool: call.arguments}));
                wrong.push(format!("{lang} {text}: {}", heard.unwrap_or_default()));
            }
        }
    }
    wrong
}

#[test]
fn everyday_wordings_are_understood() {
    let wrong = wrong(&spoken(), SAID);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn what_is_set_and_listed_is_spoken_about_by_its_name_alone() {
    let spoken = spoken();
    let resources = Resources::volatile(Arc::clone(spoken.locales()));
    let toolboxes = own_toolboxes(&resources);
    let person = Circumstances {
        speaker: Speaker::Owner,
        ..Circumstances::default()
    };
    let call = async |id: &str, tool: &str, arguments: Value| {
        let toolbox = toolboxes
            .iter()
            .find(|toolbox| toolbox.id() == id)
            .expect("a toolbox");
        let arguments = serde_json::from_value(arguments).expect("an object");
        let done = toolbox.call(tool, arguments, &person).await;
        done.expect("an outcome");
    };
    for name in ["rice", "Reis"] {
        let timer = json!({"duration": "20 minutes", "name": name});
        call("loquat-alert-tools", "set_timer", timer).await;
    }
    let items = json!({"items": "bread, eggs, Brot"});
    call("loquat-list-tools", "add_to_list", items).await;
    resources.name_to(spoken.things());
    let wrong = wrong(&spoken, KNOWN);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

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

#[test]
fn without_anything_set_its_name_alone_is_for_others() {
    let spoken = spoken();
    let caught: Vec<_> = KNOWN
        .iter()
        .flat_map(|(lang, _, _, sentences)| sentences.iter().map(move |text| (*lang, *text)))
        .filter(|(lang, text)| spoken.recognise(text, lang).is_some())
        .collect();
    assert!(caught.is_empty(), "{caught:#?}");
}
