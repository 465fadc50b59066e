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
    (
        "en-US",
        "do_not_disturb",
        r#"{"duration": "1 hour"}"#,
        &[
            "stay quiet for the next hour",
            "don't bother me for the next hour",
            "no interruptions the next hour",
            "I don't want to be interrupted in the next hour",
        ],
    ),
    (
        "en-US",
        "do_not_disturb",
        r#"{"duration": "two hours"}"#,
        &[
            "keep quiet the next two hours",
            "leave me alone for the next two hours",
        ],
    ),
    (
        "de-DE",
        "do_not_disturb",
        r#"{"duration": "1 Stunde"}"#,
        &[
            "bleib die nächste Stunde leise",
            "lass mich die nächste Stunde in Ruhe",
            "stör mich in der nächsten Stunde nicht",
        ],
    ),
    (
        "fr-FR",
        "do_not_disturb",
        r#"{"duration": "1 heure"}"#,
        &["garde le silence pendant la prochaine heure"],
    ),
    (
        "es-ES",
        "do_not_disturb",
        r#"{"duration": "1 hora"}"#,
        &["no me molestes durante la próxima hora"],
    ),
    (
        "it-IT",
        "do_not_disturb",
        r#"{"duration": "1 ora"}"#,
        &["resta in silenzio per la prossima ora"],
    ),
    (
        "en-US",
        "list_bluetooth_devices",
        "{}",
        &[
            "is your bluetooth switched on",
            "is bluetooth enabled",
            "what's the bluetooth status",
            "is anything connected via bluetooth",
            "have you got bluetooth",
        ],
    ),
    (
        "de-DE",
        "list_bluetooth_devices",
        "{}",
        &[
            "ist dein Bluetooth aktiviert",
            "ist etwas per Bluetooth verbunden",
        ],
    ),
    (
        "en-US",
        "get_volume",
        "{}",
        &["are you muted", "is the sound off"],
    ),
    (
        "en-US",
        "evaluate_expression",
        r#"{"expression": "84 / 6"}"#,
        &[
            "divide 84 by 6",
            "share 84 equally among 6 people",
            "what's 84 split between 6",
            "split 84 six ways",
        ],
    ),
    (
        "en-US",
        "evaluate_expression",
        r#"{"expression": "25 % off 64"}"#,
        &[
            "knock 25 percent off 64",
            "reduce 64 by 25 percent",
            "how much is 64 less 25 percent",
        ],
    ),
    (
        "en-US",
        "evaluate_expression",
        r#"{"expression": "90 - 17"}"#,
        &[
            "subtract 17 from 90",
            "take 17 away from 90",
            "what's left of 90 if I spend 17",
        ],
    ),
    (
        "en-US",
        "evaluate_expression",
        r#"{"expression": "90 + 17"}"#,
        &["add 17 to 90", "what do you get if you add 17 and 90"],
    ),
    (
        "en-US",
        "evaluate_expression",
        r#"{"expression": "12 * 9"}"#,
        &["multiply 12 by 9"],
    ),
    (
        "en-US",
        "evaluate_expression",
        r#"{"expression": "2 * 36"}"#,
        &["double 36"],
    ),
    (
        "en-US",
        "evaluate_expression",
        r#"{"expression": "36 / 2"}"#,
        &["halve 36"],
    ),
    (
        "en-US",
        "evaluate_expression",
        r#"{"expression": "48 * (1 - (1 / 3))"}"#,
        &["knock a third off 48"],
    ),
    (
        "en-US",
        "evaluate_expression",
        r#"{"expression": "18 % of 42"}"#,
        &["a tip of 18 percent on 42"],
    ),
    (
        "en-US",
        "evaluate_expression",
        r#"{"expression": "130 / 9"}"#,
        &["how often does 9 fit into 130"],
    ),
    (
        "de-DE",
        "evaluate_expression",
        r#"{"expression": "84 / 6"}"#,
        &["teile 84 durch 6", "verteil 84 auf 6 Personen"],
    ),
    (
        "de-DE",
        "evaluate_expression",
        r#"{"expression": "25 % off 64"}"#,
        &["nimm 25 Prozent von 64 weg", "reduziere 64 um 25 Prozent"],
    ),
    (
        "de-DE",
        "evaluate_expression",
        r#"{"expression": "90 - 17"}"#,
        &["subtrahiere 17 von 90"],
    ),
    (
        "fr-FR",
        "evaluate_expression",
        r#"{"expression": "84 / 6"}"#,
        &["divise 84 par 6", "partage 84 entre 6 personnes"],
    ),
    (
        "es-ES",
        "evaluate_expression",
        r#"{"expression": "84 / 6"}"#,
        &["divide 84 entre 6 personas"],
    ),
    (
        "it-IT",
        "evaluate_expression",
        r#"{"expression": "84 / 6"}"#,
        &["dividi 84 per 6"],
    ),
    (
        "en-US",
        "add_to_list",
        r#"{"items": "sugar"}"#,
        &["add some more sugar", "don't forget to buy sugar"],
    ),
    (
        "en-US",
        "set_reminder",
        r#"{"text": "lock up", "date": "in an hour"}"#,
        &["remind us in an hour to lock up", "in an hour tell me to lock up"],
    ),
    (
        "en-US",
        "set_timer",
        r#"{"name": "dough", "duration": "forty minutes"}"#,
        &[
            "give me a timer for the dough, forty minutes",
            "timer for the dough forty minutes",
            "forty minutes timer for the dough",
        ],
    ),
    (
        "de-DE",
        "set_timer",
        r#"{"name": "Linsen", "duration": "vierzig Minuten"}"#,
        &[
            "mach vierzig Minuten für die Linsen",
            "Timer für die Linsen auf vierzig Minuten",
        ],
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
    (
        "en-US",
        "change_alert",
        r#"{"name": "rice", "by": "four more minutes"}"#,
        &[
            "the rice needs four more minutes",
            "my rice could do with four more minutes",
            "leave the rice on for four more minutes",
        ],
    ),
    (
        "en-US",
        "change_alert",
        r#"{"name": "rice", "by": "four minutes"}"#,
        &[
            "the rice still needs another four minutes",
            "the rice has to simmer another four minutes",
        ],
    ),
    (
        "en-US",
        "cancel_alert",
        r#"{"name": "rice"}"#,
        &["cancel the rice one", "stop the one for the rice"],
    ),
    (
        "en-US",
        "pause_timer",
        r#"{"name": "rice"}"#,
        &["pause the rice one"],
    ),
    (
        "de-DE",
        "change_alert",
        r#"{"name": "Reis", "by": "vier weitere Minuten"}"#,
        &["der Reis braucht vier weitere Minuten"],
    ),
    (
        "de-DE",
        "cancel_alert",
        r#"{"name": "Reis"}"#,
        &["lösch den für den Reis"],
    ),
    (
        "en-US",
        "remove_from_list",
        r#"{"items": "bread"}"#,
        &["cross out bread", "remove bread"],
    ),
];

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
