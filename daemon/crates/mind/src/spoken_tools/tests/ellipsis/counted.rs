//! Bare numbers behind a timer, what is enough or will do as well, and what wants an answer once more; what the last of the
//! sentences asks for.

use super::talks::Talk;

pub(super) const COUNTED: &[Talk] = &[
    // A number counts in the unit of the timer.
    (
        "en",
        &["set a timer for 10 minutes", "and another for the rice, eighteen"],
        r#"[["set_timer",{"duration":"eighteen minutes","name":"rice"}]]"#,
    ),
    (
        "en",
        &["set a timer for 90 seconds", "and one for the eggs, forty"],
        r#"[["set_timer",{"duration":"forty seconds","name":"eggs"}]]"#,
    ),
    (
        "en",
        &["set a timer for 10 minutes", "and the potatoes need twenty five"],
        r#"[["set_timer",{"duration":"twenty five minutes","name":"potatoes"}]]"#,
    ),
    (
        "en",
        &["set a timer for 10 minutes", "give it seven more"],
        r#"[["change_alert",{"by":"seven minutes","kind":"timer","name":"last"}]]"#,
    ),
    (
        "en",
        &["set a timer for 10 minutes", "pause it", "add three"],
        r#"[["change_alert",{"by":"three minutes","kind":"timer","name":"last"}]]"#,
    ),
    (
        "de",
        &[
            "stell einen Timer auf 10 Minuten",
            "und die Kartoffeln brauchen zwanzig",
        ],
        r#"[["set_timer",{"duration":"zwanzig Minuten","name":"Kartoffeln"}]]"#,
    ),
    (
        "de",
        &["stell einen Timer auf 10 Minuten", "und einen für den Tee, vier"],
        r#"[["set_timer",{"duration":"vier Minuten","name":"Tee"}]]"#,
    ),
    (
        "de",
        &["stell einen Timer auf 10 Minuten", "gib ihm noch zwei"],
        r#"[["change_alert",{"by":"zwei Minuten","kind":"timer","name":"last"}]]"#,
    ),
    (
        "fr",
        &["mets un minuteur de 10 minutes", "et un autre pour le riz, douze"],
        r#"[["set_timer",{"duration":"douze minutes","name":"riz"}]]"#,
    ),
    (
        "es",
        &[
            "pon un temporizador de 10 minutos",
            "y otro para el arroz, dieciocho",
        ],
        r#"[["set_timer",{"duration":"dieciocho minutos","name":"arroz"}]]"#,
    ),
    (
        "it",
        &["imposta un timer di 10 minuti", "e il sugo ha bisogno di venti"],
        r#"[["set_timer",{"duration":"venti minuti","name":"sugo"}]]"#,
    ),
    (
        "pt",
        &["põe um temporizador de 10 minutos", "e o molho precisa de vinte"],
        r#"[["set_timer",{"duration":"vinte minutos","name":"molho"}]]"#,
    ),
    // No length is wanted, the number is a time of day, or the unit is not clear.
    (
        "en",
        &["set a timer for 10 minutes", "there are twelve of us"],
        "",
    ),
    ("en", &["set a timer for 10 minutes", "read chapter seven"], ""),
    ("en", &["set a timer for 10 minutes", "and one at twelve"], ""),
    (
        "en",
        &["set a timer for half an hour", "and one for the rice, twelve"],
        "",
    ),
    (
        "en",
        &["set a timer for an hour and a half", "give it two more"],
        "",
    ),
    (
        "en",
        &["set the volume to 30 percent", "and one for the rice, twelve"],
        "",
    ),
    ("en", &["wake me at six", "and the potatoes need twelve"], ""),
    (
        "de",
        &["stell einen Timer auf 10 Minuten", "wir sind zu acht"],
        "",
    ),
    (
        "fr",
        &["mets un minuteur de 10 minutes", "nous sommes douze à table"],
        "",
    ),
    ("es", &["pon un temporizador de 10 minutos", "somos doce"], ""),
    ("it", &["imposta un timer di 10 minuti", "siamo in dodici"], ""),
    ("pt", &["põe um temporizador de 10 minutos", "somos doze"], ""),
    // Something else is enough.
    (
        "en",
        &["wake me at six", "a quarter to seven will do"],
        r#"["back",["set_alarm",{"time":"a quarter to seven"}]]"#,
    ),
    (
        "en",
        &["wake me at six", "half past is fine"],
        r#"["back",["set_alarm",{"time":"half past six"}]]"#,
    ),
    (
        "en",
        &["set a timer for 20 minutes", "ten is plenty"],
        r#"["back",["set_timer",{"duration":"ten minutes"}]]"#,
    ),
    (
        "de",
        &["weck mich um sechs", "viertel nach sieben tut's auch"],
        r#"["back",["set_alarm",{"time":"viertel nach sieben"}]]"#,
    ),
    (
        "de",
        &["stell einen Timer auf 20 Minuten", "mir reichen zehn"],
        r#"["back",["set_timer",{"duration":"zehn Minuten"}]]"#,
    ),
    (
        "fr",
        &["réveille-moi à six heures", "huit heures suffira"],
        r#"["back",["set_alarm",{"time":"huit heures"}]]"#,
    ),
    (
        "es",
        &["despiértame a las seis", "a las ocho me vale"],
        r#"["back",["set_alarm",{"time":"a las ocho"}]]"#,
    ),
    (
        "it",
        &["svegliami alle sei", "alle otto va bene lo stesso"],
        r#"["back",["set_alarm",{"time":"alle otto"}]]"#,
    ),
    (
        "pt",
        &["acorda-me às seis", "às oito também serve"],
        r#"["back",["set_alarm",{"time":"às oito"}]]"#,
    ),
    ("en", &["wake me at six", "that will do"], ""),
    ("en", &["wake me at six", "the coffee is fine"], ""),
    ("en", &["what's the weather in Paris", "London is fine"], ""),
    ("en", &["add milk to the shopping list", "oat milk will do"], ""),
    ("de", &["weck mich um sechs", "das reicht"], ""),
    ("de", &["weck mich um sechs", "mir reicht es"], ""),
    ("fr", &["réveille-moi à six heures", "ça ira"], ""),
    ("es", &["despiértame a las seis", "eso es suficiente"], ""),
    ("it", &["svegliami alle sei", "così va bene"], ""),
    ("pt", &["acorda-me às seis", "isso serve"], ""),
    // A no of everyday speech.
    (
        "en",
        &["wake me at six", "nah, at seven"],
        r#"["back",["set_alarm",{"time":"at seven"}]]"#,
    ),
    (
        "de",
        &["weck mich um sechs", "nee, doch lieber um acht"],
        r#"["back",["set_alarm",{"time":"um acht"}]]"#,
    ),
    (
        "de",
        &["weck mich um sechs", "ach nö, halb acht"],
        r#"["back",["set_alarm",{"time":"halb acht"}]]"#,
    ),
    (
        "fr",
        &["réveille-moi à six heures", "ah non, à huit heures"],
        r#"["back",["set_alarm",{"time":"à huit heures"}]]"#,
    ),
    ("de", &["weck mich um sechs", "ach nee, lass mal"], ""),
    // The answer once more.
    (
        "en",
        &["what's the weather in Paris", "say again"],
        r#"[["get_weather",{"place":"Paris"}]]"#,
    ),
    (
        "en",
        &[
            "what's the weather in Paris",
            "would you mind repeating that please",
        ],
        r#"[["get_weather",{"place":"Paris"}]]"#,
    ),
    (
        "de",
        &["wie ist das Wetter in Paris", "wie bitte?"],
        r#"[["get_weather",{"place":"Paris"}]]"#,
    ),
    (
        "de",
        &["wie ist das Wetter in Paris", "was hast du eben gesagt"],
        r#"[["get_weather",{"place":"Paris"}]]"#,
    ),
    (
        "fr",
        &["quel temps fait-il à Paris", "comment ?"],
        r#"[["get_weather",{"place":"Paris"}]]"#,
    ),
    (
        "es",
        &["qué tiempo hace en París", "¿cómo has dicho?"],
        r#"[["get_weather",{"place":"París"}]]"#,
    ),
    (
        "it",
        &["che tempo fa a Parigi", "scusa, come hai detto?"],
        r#"[["get_weather",{"place":"Parigi"}]]"#,
    ),
    (
        "pt",
        &["como está o tempo em Paris", "desculpa, o que disseste?"],
        r#"[["get_weather",{"place":"Paris"}]]"#,
    ),
    ("en", &["what's the weather in Paris", "tell me what"], ""),
    (
        "en",
        &["what's the weather in Paris", "what did you say to Tom"],
        "",
    ),
    ("de", &["wie ist das Wetter in Paris", "was hast du"], ""),
    ("fr", &["quel temps fait-il à Paris", "comment vas-tu"], ""),
    ("es", &["qué tiempo hace en París", "cómo te llamas"], ""),
    ("it", &["che tempo fa a Parigi", "come ti chiami"], ""),
    ("pt", &["como está o tempo em Paris", "como te chamas"], ""),
];
