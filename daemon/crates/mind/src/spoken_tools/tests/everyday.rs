//! Everyday wordings by their kinds, in English, German and where a kind was written in other languages. Ordinary talk in the
//! same words is in `everyday/talk.rs`, what needs a timer or a list in `everyday/known.rs`, what
//! is needed at home in `everyday/lists.rs`, what is asked for and no reminder in `everyday/reminders.rs`, what stands beside a wish in
//! `everyday/asides.rs`.

use serde_json::json;

mod asides;
mod known;
mod lists;
mod reminders;
mod sums;
mod talk;

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
            "timer for six minutes for the soup",
            "another timer of six minutes for my soup please",
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
        "de-DE",
        "set_timer",
        r#"{"name": "Suppe", "duration": "sechs Minuten"}"#,
        &[
            "Timer sechs Minuten für die Suppe",
            "einen Timer auf sechs Minuten für die Suppe bitte",
        ],
    ),
    (
        "fr-FR",
        "set_timer",
        r#"{"name": "soupe", "duration": "six minutes"}"#,
        &["minuteur de six minutes pour la soupe"],
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
        &[
            "I don't need an alarm tomorrow",
            "you needn't wake me tomorrow",
            "delete the alarm for half past nine tomorrow",
            "scrap my alarm on Sunday at ten",
        ],
    ),
    (
        "de-DE",
        "cancel_alert",
        r#"{"kind": "alarm"}"#,
        &["lösch den Wecker am Sonntag um zehn"],
    ),
    (
        "fr-FR",
        "cancel_alert",
        r#"{"kind": "alarm"}"#,
        &["supprime le réveil de demain à dix heures"],
    ),
    (
        "es-ES",
        "cancel_alert",
        r#"{"kind": "alarm"}"#,
        &["borra la alarma de mañana a las diez"],
    ),
    (
        "it-IT",
        "cancel_alert",
        r#"{"kind": "alarm"}"#,
        &["cancella la sveglia di domani alle dieci"],
    ),
    (
        "pt-PT",
        "cancel_alert",
        r#"{"kind": "alarm"}"#,
        &["apaga o alarme de amanhã às dez"],
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
        "en-US",
        "unit_convert",
        r#"{"value": 425.0, "from_unit": "degrees Fahrenheit", "to_unit": "degrees Celsius"}"#,
        &[
            "what's 425 in celsius",
            "four twenty-five in celsius",
            "what's four twenty-five fahrenheit in celsius",
        ],
    ),
    (
        "de-DE",
        "unit_convert",
        r#"{"value": 425.0, "from_unit": "degrees Fahrenheit", "to_unit": "degrees Celsius"}"#,
        &["was sind 425 Grad in Celsius"],
    ),
    (
        "en-US",
        "roll_dice",
        r#"{"sides": 12}"#,
        &["throw a die with twelve sides", "a twelve sided die please"],
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
    (
        "en-US",
        "what_is_playing",
        "{}",
        &[
            "who's that singing",
            "who is playing here",
            "who's the band",
            "who is the singer of this song",
            "who's singing right now",
        ],
    ),
    (
        "en-US",
        "control_player",
        r#"{"action": "pause"}"#,
        &["hold the music for a minute", "pause the radio a moment"],
    ),
    (
        "en-US",
        "control_player",
        r#"{"action": "play"}"#,
        &[
            "go on with the podcast",
            "let the song continue",
            "keep going with the music",
        ],
    ),
    (
        "en-US",
        "seek",
        "{}",
        &[
            "skip ahead twenty seconds in this episode",
            "go back one minute in the podcast",
        ],
    ),
    (
        "en-US",
        "set_reminder",
        r#"{"text": "the rent"}"#,
        &[
            "pester me about the rent tomorrow at nine",
            "every Monday at six nag me about the rent",
        ],
    ),
    (
        "en-US",
        "add_to_list",
        r#"{"items": "eggs, flour and yeast"}"#,
        &[
            "we're out of eggs, flour and yeast, put them on the shopping list",
            "I've run out of eggs, flour and yeast so write them on the shopping list",
        ],
    ),
    (
        "en-US",
        "find_on_list",
        "{}",
        &[
            "did we already write yeast down",
            "are eggs noted down already",
            "have I put flour down yet",
        ],
    ),
    (
        "en-US",
        "remember",
        r#"{"fact": "the blue bin is for glass"}"#,
        &[
            "keep in mind the blue bin is for glass",
            "just so you remember the blue bin is for glass",
        ],
    ),
    (
        "en-US",
        "spell_word",
        "{}",
        &["how d'you write rhubarb", "how would you spell rhubarb"],
    ),
    (
        "en-US",
        "tell_moon",
        "{}",
        &[
            "when do we get to see a full moon again",
            "when will I see the next full moon",
        ],
    ),
    (
        "en-US",
        "will_it_rain",
        "{}",
        &[
            "any risk of getting soaked in Bergen tomorrow",
            "will we get rained on this evening",
            "is it gonna bucket down on Friday",
            "am I going to get wet",
        ],
    ),
    (
        "en-US",
        "list_bluetooth_devices",
        "{}",
        &[
            "what do you have linked over bluetooth",
            "which bluetooth gadgets are paired",
        ],
    ),
    (
        "de-DE",
        "what_is_playing",
        "{}",
        &["wer singt denn gerade da", "welche Band spielt da"],
    ),
    (
        "de-DE",
        "control_player",
        r#"{"action": "play"}"#,
        &["lass die Musik weiterlaufen", "mach mit dem Podcast weiter"],
    ),
    (
        "fr-FR",
        "control_player",
        r#"{"action": "pause"}"#,
        &["arrête la musique un instant"],
    ),
    (
        "es-ES",
        "control_player",
        r#"{"action": "pause"}"#,
        &["para la música un segundo"],
    ),
    (
        "it-IT",
        "control_player",
        r#"{"action": "pause"}"#,
        &["ferma la musica un attimo"],
    ),
    (
        "pt-PT",
        "control_player",
        r#"{"action": "pause"}"#,
        &["para a música um bocadinho"],
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
