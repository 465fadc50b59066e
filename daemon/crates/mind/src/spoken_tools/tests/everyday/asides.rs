//! Orders and questions with a reason or an interjection beside them, and what only looks like one.

use super::*;

/// Understood as if the rest had not been said.
const SAID: &[Asked] = &[
    // A reason with a time of its own, beside an order that has one.
    (
        "en-US",
        "set_alarm",
        r#"{"time": "five"}"#,
        &[
            "wake me at five, my flight leaves at half past seven",
            "wake me at five, I have to be at the airport by seven",
            "our ferry departs at eight, wake me at five",
            "wake me at five, the market opens at six",
        ],
    ),
    (
        "en-US",
        "set_alarm",
        r#"{"time": "five", "date": "Saturday"}"#,
        &["wake me at five on Saturday, we fly to Malta on Sunday"],
    ),
    // What a clause of the sentence itself is to be reminded of.
    (
        "en-US",
        "set_reminder",
        r#"{"date": "at five"}"#,
        &[
            "I have to water the roses at five so remind me",
            "remind me, I have to fetch the boys at five",
        ],
    ),
    (
        "de-DE",
        "set_reminder",
        r#"{"date": "um fünf"}"#,
        &["ich muss um fünf die Kinder holen, erinnere mich daran"],
    ),
    (
        "es-ES",
        "set_reminder",
        r#"{"date": "a las cinco"}"#,
        &["tengo que regar las plantas a las cinco, recuérdamelo"],
    ),
    (
        "pt-PT",
        "set_reminder",
        r#"{"date": "às cinco"}"#,
        &["tenho de regar as plantas às cinco, lembra-me disso"],
    ),
    (
        "de-DE",
        "set_alarm",
        r#"{"time": "sechs"}"#,
        &[
            "weck mich um sechs, mein Flug geht um neun",
            "die Schule fängt um acht an, weck mich um sechs",
        ],
    ),
    (
        "fr-FR",
        "set_alarm",
        r#"{"time": "six heures"}"#,
        &["réveille-moi à six heures, mon avion part à neuf heures"],
    ),
    (
        "es-ES",
        "set_alarm",
        r#"{"time": "seis"}"#,
        &["despiértame a las seis, mi vuelo sale a las nueve"],
    ),
    (
        "pt-PT",
        "set_alarm",
        r#"{"time": "seis"}"#,
        &["acorda-me às seis, o meu voo parte às nove"],
    ),
    // What tells of a thing, in a language that writes it with a capital.
    (
        "de-DE",
        "change_volume",
        r#"{"by": -10.0}"#,
        &[
            "mach die Musik leiser, der Hund bellt",
            "mach die Musik leiser, die Kinder lernen",
            "die Gäste unterhalten sich, mach die Musik leiser",
        ],
    ),
    (
        "en-US",
        "control_player",
        r#"{"action": "pause"}"#,
        &[
            "pause the music, somebody is at the door",
            "the doorbell's ringing, pause the music",
            "okay, pause the music, I can't hear myself talk",
            "my mother is on the phone so pause the music",
            "um, pause the music",
            "pause the music because the baby is asleep",
        ],
    ),
    (
        "en-US",
        "control_player",
        r#"{"action": "next"}"#,
        &[
            "I can't stand this singer, next song",
            "skip this song, it's so boring",
        ],
    ),
    (
        "en-US",
        "set_timer",
        r#"{"duration": "twenty minutes"}"#,
        &[
            "there's a cake in the oven, set a timer for twenty minutes",
            "set a timer for twenty minutes, I'm steaming dumplings",
            "right, the rolls are in, shout when twenty minutes are up",
            "well, set a timer for twenty minutes, would you, love",
        ],
    ),
    (
        "en-US",
        "get_current_datetime",
        "{}",
        &[
            "what day is it, I have no idea",
            "oh dear, what time is it",
            "so what time is it now",
        ],
    ),
    (
        "en-US",
        "change_volume",
        "{}",
        &[
            "it's so loud, turn it down",
            "you're shouting, turn the volume down",
        ],
    ),
    (
        "de-DE",
        "control_player",
        r#"{"action": "pause"}"#,
        &[
            "das Telefon klingelt, halt mal die Musik an",
            "äh, pausiere die Musik",
        ],
    ),
    (
        "de-DE",
        "set_timer",
        r#"{"duration": "zwanzig Minuten"}"#,
        &["die Pizza ist drin, stell einen Timer auf zwanzig Minuten"],
    ),
    (
        "fr-FR",
        "control_player",
        r#"{"action": "pause"}"#,
        &["le bébé dort, mets la musique en pause"],
    ),
    (
        "es-ES",
        "control_player",
        r#"{"action": "pause"}"#,
        &["el niño está dormido, pausa la música"],
    ),
    (
        "it-IT",
        "control_player",
        r#"{"action": "pause"}"#,
        &["il bambino sta dormendo, metti in pausa la musica"],
    ),
    (
        "pt-PT",
        "control_player",
        r#"{"action": "pause"}"#,
        &["o bebé está a dormir, pausa a música"],
    ),
];

/// Understood as if the words that change nothing had not been said.
const WITH_PARTICLES: &[Asked] = &[
    (
        "en-US",
        "get_current_datetime",
        "{}",
        &["what time is it actually", "what day is it though"],
    ),
    (
        "en-US",
        "control_player",
        r#"{"action": "pause"}"#,
        &["just pause the music quickly", "pause the music for once"],
    ),
    (
        "de-DE",
        "get_current_datetime",
        r#"{"timezone": "Lissabon"}"#,
        &[
            "wie spät ist es denn grad in Lissabon",
            "wie spät ist es eigentlich gerade in Lissabon",
        ],
    ),
    (
        "de-DE",
        "get_current_datetime",
        "{}",
        &[
            "welcher Tag ist denn heute eigentlich",
            "wie spät ist es denn bloß",
        ],
    ),
    (
        "fr-FR",
        "get_current_datetime",
        "{}",
        &["quelle heure est-il donc", "quelle heure est-il déjà"],
    ),
    ("es-ES", "get_current_datetime", "{}", &["qué hora es entonces"]),
    ("it-IT", "get_current_datetime", "{}", &["ma che ore sono allora"]),
    ("pt-PT", "get_current_datetime", "{}", &["que horas são então"]),
];

/// What may say more of the order than why, or is no order at all.
const NOT_APART: &[(&str, &[&str])] = &[
    (
        "en-US",
        &[
            "pause the music, he said",
            "pause the music, not the one in the kitchen",
            "pause the music, if it rains",
            "pause the music, I mean the radio in the hall",
            "pause the music, feed the cat",
            "set a timer for twenty minutes, it should ring at nine",
            "she shouted, pause the music",
            "I am tired, I am going home",
            "it's raining, he's late",
            "so it goes",
            "well, well, well",
            "just like that",
            "perhaps not",
            "wake me at six, I think seven is better",
            "remind me to call Ann, her plane lands at nine",
            "start a timer for ten minutes, the cake takes twenty",
            "Robin, put it on the list",
            "the soap is gone, put it on the shopping list",
            "wake me at four, we're leaving on Tuesday",
            "wake me at four, I work every weekend",
        ],
    ),
    (
        "de-DE",
        &[
            "halt mal die Musik an, sagte er",
            "pausiere die Musik, wenn es regnet",
            "mach die Musik leiser, die Boxen hinten",
            "mach die Musik leiser, die im Bad",
            "also gut",
            "mach die Musik leiser, das Radio drüben",
        ],
    ),
    ("fr-FR", &["le savon est fini, ajoute-le à la liste de courses"]),
    ("it-IT", &["il sapone è finito, mettilo sulla lista della spesa"]),
];

/// Understood with the thing that is named in front or behind in the place of its pronoun.
const OF_A_TOPIC: &[Asked] = &[
    (
        "en-US",
        "list_alerts",
        r#"{"kind": "alarm"}"#,
        &["my alarm, when does it go off?", "when does it go off, my alarm?"],
    ),
    (
        "en-US",
        "list_alerts",
        r#"{"kind": "timer", "name": "rice"}"#,
        &["the rice timer, how long has it got left"],
    ),
    (
        "en-US",
        "control_player",
        r#"{"action": "pause"}"#,
        &[
            "the music, can you pause it",
            "the radio's on, so the music, pause it",
        ],
    ),
    (
        "en-US",
        "read_list",
        r#"{"list": "packing list"}"#,
        &["the packing list, what's on it?"],
    ),
    (
        "de-DE",
        "list_alerts",
        r#"{"kind": "alarm"}"#,
        &["der Wecker, wann klingelt der?"],
    ),
    (
        "de-DE",
        "change_volume",
        r#"{"by": -10.0}"#,
        &["die Musik, mach sie leiser"],
    ),
    (
        "it-IT",
        "control_player",
        r#"{"action": "pause"}"#,
        &["la musica, mettila in pausa"],
    ),
];

/// Understood as several timers.
const SEVERAL_TIMERS: &[(&str, &str, &[&str])] = &[
    (
        "en-US",
        r#"[["beans","nine minutes"],["peas","four minutes"]]"#,
        &[
            "beans nine minutes, peas four",
            "the beans nine minutes and the peas four minutes",
            "nine minutes for the beans and four for the peas",
        ],
    ),
    (
        "en-US",
        r#"[[null,"three minutes"],[null,"seven minutes"]]"#,
        &[
            "two timers, three and seven minutes",
            "set two timers for three minutes and seven minutes",
            "set timers for three and seven minutes",
        ],
    ),
    (
        "en-US",
        r#"[["green beans","nine minutes"],["sweet peas","four minutes"]]"#,
        &["set timers for green beans nine minutes and sweet peas four minutes"],
    ),
    (
        "de-DE",
        r#"[["Reis","zwölf Minuten"],["Brokkoli","fünf Minuten"]]"#,
        &[
            "Reis zwölf Minuten, Brokkoli fünf",
            "zwölf Minuten für den Reis und fünf für den Brokkoli",
        ],
    ),
    (
        "de-DE",
        r#"[[null,"drei Minuten"],[null,"sieben Minuten"]]"#,
        &["zwei Timer, drei und sieben Minuten"],
    ),
    (
        "fr-FR",
        r#"[["riz","dix minutes"],["haricots","cinq minutes"]]"#,
        &["riz dix minutes, haricots cinq"],
    ),
    (
        "es-ES",
        r#"[["arroz","diez minutos"],["judías","cinco minutos"]]"#,
        &["arroz diez minutos, judías cinco"],
    ),
    (
        "it-IT",
        r#"[["riso","dieci minuti"],["piselli","cinque minuti"]]"#,
        &["riso dieci minuti, piselli cinque"],
    ),
    (
        "pt-PT",
        r#"[["arroz","dez minutos"],["ervilhas","cinco minutos"]]"#,
        &["arroz dez minutos, ervilhas cinco"],
    ),
];

/// Said with several lengths, and no such timers: the number of them is another, or no name or no length is one.
const NO_TIMERS: &[&str] = &[
    "the concert lasts two hours and the interval twenty minutes",
    "I swam for twenty minutes and rowed for ten",
    "wake me in ten minutes and again in thirty minutes",
    "is breakfast one hour and supper two hours?",
    "the bus takes twenty minutes and the tram ten minutes",
    "two timers, three, five and seven minutes",
    "bread an hour, rolls ten",
    "first ten minutes, then twenty",
    "chapter one ten minutes",
    "Rome two days, Milan three",
];

#[test]
fn what_a_sentence_is_about_may_stand_in_front_of_it_or_behind_it() {
    let wrong = wrong(&spoken(), OF_A_TOPIC);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn several_timers_are_set_in_one_breath() {
    let spoken = spoken();
    let told = |text: &str, lang: &str| {
        let found = spoken.recognise(text, lang)?;
        let call = spoken.call(&found.intent_name, text, lang)?.call;
        let one = |call: &loquat_agent::turn::IntendedCall| {
            json!([call.arguments.get("name"), call.arguments.get("duration")])
        };
        Some(Value::from(call.all().map(one).collect::<Vec<_>>()).to_string())
    };
    let mut wrong = Vec::new();
    for (lang, expected, texts) in SEVERAL_TIMERS {
        let each = texts.iter().map(|text| (text, told(text, lang)));
        wrong.extend(each.filter(|(_, told)| told.as_deref() != Some(*expected)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for text in NO_TIMERS {
        assert_eq!(told(text, "en-US"), None, "{text}");
    }
    let text = "die Fahrt dauert zwei Stunden und der Rückweg drei Stunden";
    assert_eq!(told(text, "de-DE"), None, "{text}");
}

#[test]
fn what_stands_beside_an_order_and_asks_for_nothing_does_not_hide_it() {
    let wrong = wrong(&spoken(), SAID);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn words_that_change_nothing_do_not_hide_an_order() {
    let wrong = wrong(&spoken(), WITH_PARTICLES);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_may_change_an_order_is_no_aside() {
    let spoken = spoken();
    let mut caught: Vec<(&str, Vec<(String, String)>)> = Vec::new();
    for (lang, sentences) in NOT_APART {
        let found = |text: &&'static str| Some((*text, spoken.recognise(text, lang)?.slots));
        caught.extend(sentences.iter().filter_map(found));
    }
    assert!(caught.is_empty(), "{caught:#?}");
}
