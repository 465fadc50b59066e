//! What people say one after the other, and what the last of it asks for.

/// The language, the sentences, and the calls that the last of them asks for: `back` takes the deed before back.
pub(super) type Talk = (&'static str, &'static [&'static str], &'static str);

pub(super) const TALKS: &[Talk] = &[
    // One more of the same.
    (
        "en",
        &["set a timer for 10 minutes", "and another for twenty minutes"],
        r#"[["set_timer",{"duration":"twenty minutes"}]]"#,
    ),
    (
        "en",
        &["set a timer for 10 minutes", "one more for 3 minutes"],
        r#"[["set_timer",{"duration":"3 minutes"}]]"#,
    ),
    (
        "en",
        &["wake me at six", "set another one for half past six"],
        r#"[["set_alarm",{"time":"for half past six"}]]"#,
    ),
    (
        "de",
        &[
            "stell einen Timer auf zehn Minuten",
            "stell noch einen auf zwanzig Minuten",
        ],
        r#"[["set_timer",{"duration":"zwanzig Minuten"}]]"#,
    ),
    (
        "fr",
        &[
            "mets un minuteur de dix minutes",
            "mets-en un autre de vingt minutes",
        ],
        r#"[["set_timer",{"duration":"vingt minutes"}]]"#,
    ),
    (
        "es",
        &[
            "pon un temporizador de diez minutos",
            "pon otro de veinte minutos",
        ],
        r#"[["set_timer",{"duration":"veinte minutos"}]]"#,
    ),
    (
        "it",
        &[
            "imposta un timer di dieci minuti",
            "mettine un altro di venti minuti",
        ],
        r#"[["set_timer",{"duration":"venti minuti"}]]"#,
    ),
    (
        "pt",
        &["põe um temporizador de dez minutos", "põe outro de vinte minutos"],
        r#"[["set_timer",{"duration":"vinte minutos"}]]"#,
    ),
    // A place.
    (
        "en",
        &["what time is it in Lima", "and in New York"],
        r#"[["get_current_datetime",{"timezone":"New York"}]]"#,
    ),
    (
        "en",
        &["what time is it", "and in Tokyo?"],
        r#"[["get_current_datetime",{"timezone":"Tokyo"}]]"#,
    ),
    (
        "en",
        &["what's the weather", "and in London?"],
        r#"[["get_weather",{"place":"London"}]]"#,
    ),
    (
        "en",
        &["what's the weather tomorrow in Paris", "and in London"],
        r#"[["get_weather",{"when":"tomorrow","place":"London"}]]"#,
    ),
    (
        "en",
        &["is it raining", "and tomorrow?"],
        r#"[["will_it_rain",{"when":"tomorrow"}]]"#,
    ),
    (
        "de",
        &["wie wird das Wetter morgen", "und in Berlin?"],
        r#"[["get_weather",{"when":"morgen","place":"Berlin"}]]"#,
    ),
    (
        "de",
        &["wie spät ist es in Lima", "und in London?"],
        r#"[["get_current_datetime",{"timezone":"London"}]]"#,
    ),
    (
        "fr",
        &["quel temps fait-il à Paris", "et à Londres ?"],
        r#"[["get_weather",{"place":"Londres"}]]"#,
    ),
    (
        "fr",
        &["quelle heure est-il à Lima", "et à Berlin ?"],
        r#"[["get_current_datetime",{"timezone":"Berlin"}]]"#,
    ),
    (
        "es",
        &["qué hora es en Lima", "¿y en Madrid?"],
        r#"[["get_current_datetime",{"timezone":"Madrid"}]]"#,
    ),
    (
        "es",
        &["qué tiempo hace en París", "¿y en Berlín?"],
        r#"[["get_weather",{"place":"Berlín"}]]"#,
    ),
    (
        "it",
        &["che ora è a Lima", "e a Roma?"],
        r#"[["get_current_datetime",{"timezone":"Roma"}]]"#,
    ),
    (
        "it",
        &["che tempo fa a Parigi", "e a Roma?"],
        r#"[["get_weather",{"place":"Roma"}]]"#,
    ),
    (
        "pt",
        &["que horas são em Tóquio", "e em Lisboa?"],
        r#"[["get_current_datetime",{"timezone":"Lisboa"}]]"#,
    ),
    (
        "pt",
        &["como está o tempo em Paris", "e em Lisboa?"],
        r#"[["get_weather",{"place":"Lisboa"}]]"#,
    ),
    // A day.
    (
        "en",
        &["what's the weather in Paris", "what about tomorrow?"],
        r#"[["get_weather",{"place":"Paris","when":"tomorrow"}]]"#,
    ),
    (
        "de",
        &["wie ist das Wetter in Paris", "und morgen?"],
        r#"[["get_weather",{"place":"Paris","when":"morgen"}]]"#,
    ),
    (
        "de",
        &["wie ist das Wetter in Paris", "was ist mit morgen?"],
        r#"[["get_weather",{"place":"Paris","when":"morgen"}]]"#,
    ),
    (
        "fr",
        &["quel temps fait-il à Paris", "et demain ?"],
        r#"[["get_weather",{"place":"Paris","when":"demain"}]]"#,
    ),
    (
        "es",
        &["qué tiempo hace en París", "¿y mañana?"],
        r#"[["get_weather",{"place":"París","when":"mañana"}]]"#,
    ),
    (
        "it",
        &["che tempo fa a Parigi", "e domani?"],
        r#"[["get_weather",{"place":"Parigi","when":"domani"}]]"#,
    ),
    (
        "pt",
        &["como está o tempo em Paris", "e amanhã?"],
        r#"[["get_weather",{"place":"Paris","when":"amanhã"}]]"#,
    ),
    ("en", &["what's the weather", "and tomorrow in London?"], ""),
    // A number.
    (
        "en",
        &["what is the square root of 81", "and of 90?"],
        r#"[["evaluate_expression",{"expression":"sqrt ( 90 )"}]]"#,
    ),
    (
        "en",
        &["what is 15 percent of 60", "and of 90?"],
        r#"[["evaluate_expression",{"expression":"15 % of 90"}]]"#,
    ),
    (
        "en",
        &[
            "what is 15 percent of one hundred and twenty",
            "and of nine hundred?",
        ],
        r#"[["evaluate_expression",{"expression":"15 % of 900"}]]"#,
    ),
    (
        "es",
        &["cuánto es el 10 por ciento de ochenta y cinco", "¿y de noventa?"],
        r#"[["evaluate_expression",{"expression":"10 % of 90"}]]"#,
    ),
    ("en", &["what is 15 percent of 60", "and 90?"], ""),
    (
        "en",
        &["how many kilometers are 5 miles", "and 10?"],
        r#"[["unit_convert",{"to_unit":"kilometers","value":10.0,"from_unit":"miles"}]]"#,
    ),
    (
        "en",
        &["what is 72 fahrenheit in celsius", "and in kelvin?"],
        r#"[["unit_convert",{"value":72.0,"from_unit":"degrees Fahrenheit","to_unit":"kelvins"}]]"#,
    ),
    (
        "de",
        &["was ist die Wurzel aus 81", "und aus 90?"],
        r#"[["evaluate_expression",{"expression":"sqrt ( 90 )"}]]"#,
    ),
    (
        "de",
        &["was sind 15 Prozent von 60", "und von 90?"],
        r#"[["evaluate_expression",{"expression":"15 % of 90"}]]"#,
    ),
    (
        "fr",
        &["combien font 15 pour cent de 60", "et de 90 ?"],
        r#"[["evaluate_expression",{"expression":"15 % of 90"}]]"#,
    ),
    (
        "es",
        &["cuánto es el 15 por ciento de 60", "¿y de 90?"],
        r#"[["evaluate_expression",{"expression":"15 % of 90"}]]"#,
    ),
    (
        "it",
        &["quanto fa il 15 per cento di 60", "e di 90?"],
        r#"[["evaluate_expression",{"expression":"15 % of 90"}]]"#,
    ),
    (
        "pt",
        &["quanto é 15 por cento de 60", "e de 90?"],
        r#"[["evaluate_expression",{"expression":"15 % of 90"}]]"#,
    ),
    // One more of the same.
    (
        "en",
        &["set a timer for 5 minutes", "and one for the oven, 20 minutes"],
        r#"[["set_timer",{"duration":"20 minutes","name":"oven"}]]"#,
    ),
    (
        "en",
        &["set a pasta timer for 8 minutes", "and one for the oven"],
        "",
    ),
    (
        "en",
        &["set a timer for 5 minutes", "and another one for ten minutes"],
        r#"[["set_timer",{"duration":"ten minutes"}]]"#,
    ),
    (
        "en",
        &["wake me at six", "and at seven"],
        r#"[["set_alarm",{"time":"at seven"}]]"#,
    ),
    (
        "en",
        &["add milk to the shopping list", "and bread"],
        r#"[["add_to_list",{"items":"bread","list":"shopping list"}]]"#,
    ),
    (
        "en",
        &["add milk to the shopping list", "and some butter too"],
        r#"[["add_to_list",{"items":"butter","list":"shopping list"}]]"#,
    ),
    (
        "de",
        &[
            "stell einen Timer auf 5 Minuten",
            "und einen für den Ofen, 20 Minuten",
        ],
        r#"[["set_timer",{"duration":"20 Minuten","name":"Ofen"}]]"#,
    ),
    (
        "de",
        &[
            "stell einen Timer auf 5 Minuten",
            "und noch einen auf zehn Minuten",
        ],
        r#"[["set_timer",{"duration":"zehn Minuten"}]]"#,
    ),
    (
        "de",
        &["setz Milch auf die Einkaufsliste", "und Brot"],
        r#"[["add_to_list",{"items":"Brot","list":"Einkaufsliste"}]]"#,
    ),
    (
        "fr",
        &["mets un minuteur de 5 minutes", "et un autre de 20 minutes"],
        r#"[["set_timer",{"duration":"20 minutes"}]]"#,
    ),
    (
        "fr",
        &["ajoute du lait à la liste de courses", "et du pain"],
        r#"[["add_to_list",{"items":"du pain","list":"liste de courses"}]]"#,
    ),
    (
        "es",
        &["pon un temporizador de 5 minutos", "y otro de 20 minutos"],
        r#"[["set_timer",{"duration":"20 minutos"}]]"#,
    ),
    (
        "es",
        &["añade leche a la lista de la compra", "y pan"],
        r#"[["add_to_list",{"items":"pan","list":"lista de la compra"}]]"#,
    ),
    (
        "it",
        &["imposta un timer di 5 minuti", "e un altro di 20 minuti"],
        r#"[["set_timer",{"duration":"20 minuti"}]]"#,
    ),
    (
        "it",
        &["aggiungi latte alla lista della spesa", "e pane"],
        r#"[["add_to_list",{"items":"pane","list":"lista della spesa"}]]"#,
    ),
    (
        "pt",
        &["põe um temporizador de 5 minutos", "e outro de 20 minutos"],
        r#"[["set_timer",{"duration":"20 minutos"}]]"#,
    ),
    (
        "pt",
        &["adiciona leite à lista de compras", "e pão"],
        r#"[["add_to_list",{"items":"pão","list":"lista de compras"}]]"#,
    ),
    // What was meant instead.
    (
        "en",
        &["set a timer for 5 minutes", "no, I meant fifteen minutes"],
        r#"["back",["set_timer",{"duration":"fifteen minutes"}]]"#,
    ),
    (
        "en",
        &["set a timer for 5 minutes", "no, fifteen"],
        r#"["back",["set_timer",{"duration":"fifteen minutes"}]]"#,
    ),
    (
        "en",
        &["set a pasta timer for 8 minutes", "not pasta, pizza"],
        r#"["back",["set_timer",{"name":"pizza","duration":"8 minutes"}]]"#,
    ),
    (
        "en",
        &["wake me at six", "no, tomorrow"],
        r#"["back",["set_alarm",{"time":"six","date":"tomorrow"}]]"#,
    ),
    (
        "de",
        &["weck mich morgen um sieben", "nein, halb acht"],
        r#"["back",["set_alarm",{"date":"morgen","time":"halb acht"}]]"#,
    ),
    (
        "de",
        &["weck mich morgen früh um sechs", "nein, um viertel vor sieben"],
        r#"["back",["set_alarm",{"date":"morgen","time":"um viertel vor sieben"}]]"#,
    ),
    (
        "de",
        &["stell den Wecker für morgen auf sechs", "nein, halb sieben"],
        r#"["back",["set_alarm",{"date":"morgen","time":"halb sieben"}]]"#,
    ),
    (
        "en",
        &["wake me at six", "make it half past"],
        r#"["back",["set_alarm",{"time":"half past six"}]]"#,
    ),
    (
        "en",
        &["wake me tomorrow at six", "no, at seven"],
        r#"["back",["set_alarm",{"date":"tomorrow","time":"at seven"}]]"#,
    ),
    (
        "en",
        &["remind me to call mum at six", "no, in ten minutes"],
        r#"["back",["set_reminder",{"text":"call mum","time":"ten minutes"}]]"#,
    ),
    (
        "en",
        &["what's the weather in Paris", "I meant Paris, Texas"],
        r#"[["get_weather",{"place":"Paris Texas"}]]"#,
    ),
    (
        "en",
        &["what's the weather in Paris", "no, in London"],
        r#"[["get_weather",{"place":"London"}]]"#,
    ),
    (
        "en",
        &["add milk to the shopping list", "no, I meant bread"],
        r#"["back",["add_to_list",{"items":"bread","list":"shopping list"}]]"#,
    ),
    (
        "en",
        &["add milk to the shopping list", "not milk, bread"],
        r#"["back",["add_to_list",{"items":"bread","list":"shopping list"}]]"#,
    ),
    (
        "en",
        &["set the volume to 30 percent", "no, 40"],
        r#"["back",["set_volume",{"percent":40.0}]]"#,
    ),
    (
        "de",
        &[
            "stell einen Timer auf 5 Minuten",
            "nein, ich meinte fünfzehn Minuten",
        ],
        r#"["back",["set_timer",{"duration":"fünfzehn Minuten"}]]"#,
    ),
    (
        "de",
        &["stell einen Timer auf 5 Minuten", "nein, fünfzehn"],
        r#"["back",["set_timer",{"duration":"fünfzehn Minuten"}]]"#,
    ),
    (
        "de",
        &["weck mich um sechs", "nein, morgen"],
        r#"["back",["set_alarm",{"time":"sechs","date":"morgen"}]]"#,
    ),
    (
        "de",
        &["weck mich um sechs", "nein, um sieben"],
        r#"["back",["set_alarm",{"time":"um sieben"}]]"#,
    ),
    (
        "de",
        &["setz Milch auf die Einkaufsliste", "nicht Milch, sondern Brot"],
        r#"["back",["add_to_list",{"items":"Brot","list":"Einkaufsliste"}]]"#,
    ),
    (
        "fr",
        &[
            "mets un minuteur de 5 minutes",
            "non, je voulais dire quinze minutes",
        ],
        r#"["back",["set_timer",{"duration":"quinze minutes"}]]"#,
    ),
    (
        "fr",
        &["mets un minuteur de 5 minutes", "non, quinze"],
        r#"["back",["set_timer",{"duration":"quinze minutes"}]]"#,
    ),
    (
        "fr",
        &["réveille-moi à six heures", "non, à sept heures"],
        r#"["back",["set_alarm",{"time":"à sept heures"}]]"#,
    ),
    (
        "fr",
        &["réveille-moi à six heures", "plutôt et demie"],
        r#"["back",["set_alarm",{"time":"six heures et demie"}]]"#,
    ),
    (
        "fr",
        &[
            "ajoute du lait à la liste de courses",
            "non, pas du lait mais du pain",
        ],
        r#"["back",["add_to_list",{"items":"pain","list":"liste de courses"}]]"#,
    ),
    (
        "es",
        &[
            "pon un temporizador de 5 minutos",
            "no, quería decir quince minutos",
        ],
        r#"["back",["set_timer",{"duration":"quince minutos"}]]"#,
    ),
    (
        "es",
        &["pon un temporizador de 5 minutos", "no, quince"],
        r#"["back",["set_timer",{"duration":"quince minutos"}]]"#,
    ),
    (
        "es",
        &["despiértame a las seis", "no, a las siete"],
        r#"["back",["set_alarm",{"time":"a las siete"}]]"#,
    ),
    (
        "es",
        &["despiértame a las seis", "mejor y media"],
        r#"["back",["set_alarm",{"time":"seis y media"}]]"#,
    ),
    (
        "es",
        &["añade leche a la lista de la compra", "no leche sino pan"],
        r#"["back",["add_to_list",{"items":"pan","list":"lista de la compra"}]]"#,
    ),
    (
        "it",
        &["imposta un timer di 5 minuti", "no, volevo dire quindici minuti"],
        r#"["back",["set_timer",{"duration":"quindici minuti"}]]"#,
    ),
    (
        "it",
        &["imposta un timer di 5 minuti", "no, quindici"],
        r#"["back",["set_timer",{"duration":"quindici minuti"}]]"#,
    ),
    (
        "it",
        &["svegliami alle sei", "no, alle sette"],
        r#"["back",["set_alarm",{"time":"alle sette"}]]"#,
    ),
    (
        "it",
        &["aggiungi latte alla lista della spesa", "non latte, ma pane"],
        r#"["back",["add_to_list",{"items":"pane","list":"lista della spesa"}]]"#,
    ),
    (
        "pt",
        &[
            "põe um temporizador de 5 minutos",
            "não, queria dizer quinze minutos",
        ],
        r#"["back",["set_timer",{"duration":"quinze minutos"}]]"#,
    ),
    (
        "pt",
        &["põe um temporizador de 5 minutos", "não, quinze"],
        r#"["back",["set_timer",{"duration":"quinze minutos"}]]"#,
    ),
    (
        "pt",
        &["acorda-me às seis", "não, às sete"],
        r#"["back",["set_alarm",{"time":"às sete"}]]"#,
    ),
    (
        "pt",
        &["adiciona leite à lista de compras", "não leite mas pão"],
        r#"["back",["add_to_list",{"items":"pão","list":"lista de compras"}]]"#,
    ),
    // What was spoken of last.
    (
        "en",
        &["set a timer for 5 minutes", "add two minutes to it"],
        r#"[["change_alert",{"by":"two minutes","kind":"timer","name":"last"}]]"#,
    ),
    (
        "en",
        &["set a timer for 5 minutes", "how long does it have left"],
        r#"[["list_alerts",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "en",
        &["set a timer for 5 minutes", "pause it"],
        r#"[["pause_timer",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "en",
        &["how long is left on the pasta timer", "make it ten minutes"],
        r#"[["change_alert",{"name":"pasta","to":"ten minutes","kind":"timer"}]]"#,
    ),
    (
        "en",
        &["add milk to the shopping list", "take it off again"],
        r#"[["remove_from_list",{"items":"milk","list":"shopping list"}]]"#,
    ),
    (
        "de",
        &["stell einen Timer auf 5 Minuten", "gib ihm zwei Minuten mehr"],
        r#"[["change_alert",{"by":"zwei Minuten","kind":"timer","name":"last"}]]"#,
    ),
    (
        "de",
        &["stell einen Timer auf 5 Minuten", "wie lange läuft er noch"],
        r#"[["list_alerts",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "de",
        &["stell einen Timer auf 5 Minuten", "lösch ihn wieder"],
        r#"[["cancel_alert",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "fr",
        &["mets un minuteur de 5 minutes", "ajoute-lui deux minutes"],
        r#"[["change_alert",{"by":"deux minutes","kind":"timer","name":"last"}]]"#,
    ),
    (
        "fr",
        &["mets un minuteur de 5 minutes", "combien de temps lui reste-t-il"],
        r#"[["list_alerts",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "fr",
        &["mets un minuteur de 5 minutes", "annule-le"],
        r#"[["cancel_alert",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "es",
        &["pon un temporizador de 5 minutos", "añádele dos minutos"],
        r#"[["change_alert",{"by":"dos minutos","kind":"timer","name":"last"}]]"#,
    ),
    (
        "es",
        &["pon un temporizador de 5 minutos", "cuánto le queda"],
        r#"[["list_alerts",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "es",
        &["pon un temporizador de 5 minutos", "bórralo"],
        r#"[["cancel_alert",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "it",
        &["imposta un timer di 5 minuti", "aggiungici due minuti"],
        r#"[["change_alert",{"by":"due minuti","kind":"timer","name":"last"}]]"#,
    ),
    (
        "it",
        &["imposta un timer di 5 minuti", "quanto gli manca"],
        r#"[["list_alerts",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "it",
        &["imposta un timer di 5 minuti", "cancellalo"],
        r#"[["cancel_alert",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "pt",
        &["põe um temporizador de 5 minutos", "acrescenta-lhe dois minutos"],
        r#"[["change_alert",{"by":"dois minutos","kind":"timer","name":"last"}]]"#,
    ),
    (
        "pt",
        &["põe um temporizador de 5 minutos", "quanto tempo lhe falta"],
        r#"[["list_alerts",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "pt",
        &["põe um temporizador de 5 minutos", "apaga-o"],
        r#"[["cancel_alert",{"kind":"timer","name":"last"}]]"#,
    ),
    // Once more.
    ("en", &["roll a die", "again"], r#"[["roll_dice",{}]]"#),
    ("de", &["würfle", "noch einmal"], r#"[["roll_dice",{}]]"#),
    ("fr", &["lance un dé", "encore une fois"], r#"[["roll_dice",{}]]"#),
    ("es", &["tira un dado", "otra vez"], r#"[["roll_dice",{}]]"#),
    ("it", &["lancia un dado", "di nuovo"], r#"[["roll_dice",{}]]"#),
    ("pt", &["lança um dado", "outra vez"], r#"[["roll_dice",{}]]"#),
    // Several sentences.
    (
        "en",
        &["set a timer for 5 minutes", "no, fifteen", "no, twenty"],
        r#"["back",["set_timer",{"duration":"twenty minutes"}]]"#,
    ),
    (
        "en",
        &["what's the weather in Paris", "and tomorrow", "and in London"],
        r#"[["get_weather",{"place":"London","when":"tomorrow"}]]"#,
    ),
    (
        "en",
        &["set a timer for 5 minutes", "add two minutes to it", "no, three"],
        r#"["back",["change_alert",{"by":"three minutes","kind":"timer","name":"last"}]]"#,
    ),
    (
        "en",
        &[
            "set a timer for 5 minutes",
            "add two minutes to it",
            "and one for the oven, 20 minutes",
        ],
        r#"[["set_timer",{"duration":"20 minutes","name":"oven"}]]"#,
    ),
    // What fits nowhere or in two places is not understood.
    (
        "en",
        &[
            "what is the time difference between Tokyo and Paris",
            "and London",
        ],
        "",
    ),
    ("en", &["what time is it", "add two minutes to it"], ""),
    (
        "en",
        &["what's the weather in Paris", "I meant 9 o'clock"],
        r#"[["get_weather",{"place":"Paris","when":"9 o'clock"}]]"#,
    ),
];
