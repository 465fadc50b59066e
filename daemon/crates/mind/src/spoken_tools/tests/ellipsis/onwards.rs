//! A question about the same person or thing, more or less of a step, and a day beside the one before; what the last of the sentences
//! asks for.

use super::talks::Talk;

pub(super) const ONWARDS: &[Talk] = &[
    (
        "en",
        &["who was Isaac Newton", "when was he born"],
        r#"[["find_fact",{"fact":"birth","subject":"Isaac Newton"}]]"#,
    ),
    (
        "en",
        &["who was Isaac Newton", "when was he born", "and where"],
        r#"[["find_fact",{"fact":"birthplace","subject":"Isaac Newton"}]]"#,
    ),
    (
        "en",
        &["who was Rosa Luxemburg", "where did she die"],
        r#"[["find_fact",{"fact":"deathplace","subject":"Rosa Luxemburg"}]]"#,
    ),
    (
        "en",
        &["how old is Paul McCartney", "who is his wife"],
        r#"[["find_fact",{"fact":"spouse","subject":"Paul McCartney"}]]"#,
    ),
    (
        "en",
        &["tell me about Portugal", "what's its capital"],
        r#"[["find_fact",{"fact":"capital","subject":"Portugal"}]]"#,
    ),
    (
        "en",
        &["what is the capital of Chile", "and the currency"],
        r#"[["find_fact",{"fact":"currency","subject":"Chile"}]]"#,
    ),
    (
        "en",
        &["how high is the Matterhorn", "which country is it in"],
        r#"[["find_fact",{"fact":"country","subject":"the Matterhorn"}]]"#,
    ),
    (
        "en",
        &["who is the prime minister of Canada", "and of Japan"],
        r#"[["find_fact",{"fact":"head of government","subject":"Japan"}]]"#,
    ),
    (
        "de",
        &["wer war Isaac Newton", "wann wurde er geboren"],
        r#"[["find_fact",{"fact":"birth","subject":"Isaac Newton"}]]"#,
    ),
    (
        "de",
        &["wer war Rosa Luxemburg", "wo ist sie gestorben"],
        r#"[["find_fact",{"fact":"deathplace","subject":"Rosa Luxemburg"}]]"#,
    ),
    (
        "de",
        &["wie hoch ist der Brocken", "und das Matterhorn"],
        r#"[["find_fact",{"fact":"height","subject":"das Matterhorn"}]]"#,
    ),
    (
        "de",
        &["was ist die Hauptstadt von Chile", "und die Währung"],
        r#"[["find_fact",{"fact":"currency","subject":"Chile"}]]"#,
    ),
    (
        "fr",
        &["qui était Isaac Newton", "où est-il né"],
        r#"[["find_fact",{"fact":"birthplace","subject":"Isaac Newton"}]]"#,
    ),
    (
        "es",
        &["quién fue Isaac Newton", "dónde murió"],
        r#"[["find_fact",{"fact":"deathplace","subject":"Isaac Newton"}]]"#,
    ),
    (
        "it",
        &["chi era Isaac Newton", "quando è nato"],
        r#"[["find_fact",{"fact":"birth","subject":"Isaac Newton"}]]"#,
    ),
    (
        "pt",
        &["quem foi Isaac Newton", "onde nasceu"],
        r#"[["find_fact",{"fact":"birthplace","subject":"Isaac Newton"}]]"#,
    ),
    (
        "en",
        &["quieter", "even more"],
        r#"[["change_volume",{"by":-10.0}]]"#,
    ),
    (
        "en",
        &["volume up", "that's too much"],
        r#"[["change_volume",{"by":-10.0}]]"#,
    ),
    (
        "de",
        &["leiser", "etwas mehr"],
        r#"[["change_volume",{"by":-10.0}]]"#,
    ),
    (
        "fr",
        &["plus fort", "encore un peu"],
        r#"[["change_volume",{"by":10.0}]]"#,
    ),
    (
        "es",
        &["más bajo", "un poco más"],
        r#"[["change_volume",{"by":-10.0}]]"#,
    ),
    (
        "it",
        &["più forte", "ancora un po"],
        r#"[["change_volume",{"by":10.0}]]"#,
    ),
    (
        "pt",
        &["mais alto", "um pouco mais"],
        r#"[["change_volume",{"by":10.0}]]"#,
    ),
    ("en", &["set the volume to 20 percent", "a bit more"], ""),
    (
        "en",
        &["speak faster", "still too slow"],
        r#"[["set_speech_speed",{"speed":"faster"}]]"#,
    ),
    (
        "en",
        &["slow down a little while you read", "a little faster"],
        r#"[["set_speech_speed",{"speed":"faster"}]]"#,
    ),
    (
        "de",
        &["rede schneller", "nicht so schnell"],
        r#"[["set_speech_speed",{"speed":"slower"}]]"#,
    ),
    (
        "fr",
        &["parle plus vite", "encore plus vite"],
        r#"[["set_speech_speed",{"speed":"faster"}]]"#,
    ),
    (
        "es",
        &["habla más despacio", "como antes"],
        r#"[["set_speech_speed",{"speed":"normal"}]]"#,
    ),
    (
        "it",
        &["parla più lentamente", "ancora più lentamente"],
        r#"[["set_speech_speed",{"speed":"slower"}]]"#,
    ),
    (
        "pt",
        &["fala mais depressa", "mais devagar"],
        r#"[["set_speech_speed",{"speed":"slower"}]]"#,
    ),
    (
        "en",
        &["are there any notifications", "dismiss them"],
        r#"[["clear_notifications",{}]]"#,
    ),
    (
        "de",
        &["gibt es neue Benachrichtigungen", "lies sie mir vor"],
        r#"[["read_notifications",{}]]"#,
    ),
    (
        "en",
        &["will it rain on Monday", "and the following day"],
        r#"[["will_it_rain",{"when":"1 day after Monday"}]]"#,
    ),
    (
        "de",
        &["regnet es am Montag", "und am nächsten Tag"],
        r#"[["will_it_rain",{"when":"1 Tag nach Montag"}]]"#,
    ),
    (
        "en",
        &[
            "tell the office that the cake is cut",
            "say it in the kitchen too",
        ],
        r#"[["announce",{"room":"kitchen","message":"the cake is cut"}]]"#,
    ),
    (
        "en",
        &["add rice to the shopping list", "and beans and maize"],
        r#"[["add_to_list",{"items":"beans and maize","list":"shopping list"}]]"#,
    ),
];
