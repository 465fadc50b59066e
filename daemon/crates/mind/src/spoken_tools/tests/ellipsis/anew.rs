//! A second thing of its own, and one that begins anew; what the last of the sentences asks for.

use super::talks::Talk;

pub(super) const ANEW: &[Talk] = &[
    // A second one with a name and a length of its own.
    (
        "en",
        &[
            "set a pasta timer for 9 minutes",
            "and one for the oven, half an hour",
        ],
        r#"[["set_timer",{"duration":"half an hour","name":"oven"}]]"#,
    ),
    (
        "en",
        &[
            "set a pasta timer for 9 minutes",
            "and another for the oven, a quarter of an hour",
        ],
        r#"[["set_timer",{"duration":"a quarter of an hour","name":"oven"}]]"#,
    ),
    (
        "en",
        &[
            "set a pasta timer for 9 minutes",
            "and one for the bread, an hour and a half",
        ],
        r#"[["set_timer",{"duration":"an hour and a half","name":"bread"}]]"#,
    ),
    (
        "en",
        &[
            "set a pasta timer for 9 minutes",
            "and one for the oven half an hour",
        ],
        r#"[["set_timer",{"duration":"half an hour","name":"oven"}]]"#,
    ),
    (
        "en",
        &[
            "set a pasta timer for 9 minutes",
            "another for the cake, three quarters of an hour",
        ],
        r#"[["set_timer",{"duration":"three quarters of an hour","name":"cake"}]]"#,
    ),
    (
        "en",
        &["set a pasta timer for 9 minutes", "and half an hour for the oven"],
        r#"[["set_timer",{"duration":"half an hour","name":"oven"}]]"#,
    ),
    (
        "de",
        &[
            "stell einen Nudel-Timer auf 9 Minuten",
            "und einen für den Ofen, eine halbe Stunde",
        ],
        r#"[["set_timer",{"duration":"eine halbe Stunde","name":"Ofen"}]]"#,
    ),
    (
        "de",
        &[
            "stell einen Nudel-Timer auf 9 Minuten",
            "und noch einen für den Kuchen, eine Dreiviertelstunde",
        ],
        r#"[["set_timer",{"duration":"eine Dreiviertelstunde","name":"Kuchen"}]]"#,
    ),
    (
        "de",
        &[
            "stell einen Nudel-Timer auf 9 Minuten",
            "und einen für den Reis, anderthalb Stunden",
        ],
        r#"[["set_timer",{"duration":"anderthalb Stunden","name":"Reis"}]]"#,
    ),
    (
        "fr",
        &[
            "mets un minuteur de 9 minutes pour les pâtes",
            "et un autre pour le four, une demi-heure",
        ],
        r#"[["set_timer",{"duration":"une demi-heure","name":"four"}]]"#,
    ),
    (
        "fr",
        &[
            "mets un minuteur de 9 minutes pour les pâtes",
            "et un pour le riz, un quart d'heure",
        ],
        r#"[["set_timer",{"duration":"un quart d'heure","name":"riz"}]]"#,
    ),
    (
        "fr",
        &[
            "mets un minuteur de 9 minutes pour les pâtes",
            "et un autre pour le gâteau, une heure et demie",
        ],
        r#"[["set_timer",{"duration":"une heure et demie","name":"gâteau"}]]"#,
    ),
    (
        "es",
        &[
            "pon un temporizador de 9 minutos para la pasta",
            "y otro para el horno, media hora",
        ],
        r#"[["set_timer",{"duration":"media hora","name":"horno"}]]"#,
    ),
    (
        "es",
        &[
            "pon un temporizador de 9 minutos para la pasta",
            "y uno para el arroz, un cuarto de hora",
        ],
        r#"[["set_timer",{"duration":"un cuarto de hora","name":"arroz"}]]"#,
    ),
    (
        "es",
        &[
            "pon un temporizador de 9 minutos para la pasta",
            "y otro para el pastel, hora y media",
        ],
        r#"[["set_timer",{"duration":"hora y media","name":"pastel"}]]"#,
    ),
    (
        "it",
        &[
            "imposta un timer di 9 minuti per la pasta",
            "e uno per il forno, mezz'ora",
        ],
        r#"[["set_timer",{"duration":"mezz'ora","name":"forno"}]]"#,
    ),
    (
        "it",
        &[
            "imposta un timer di 9 minuti per la pasta",
            "e uno per il tè, mezza ora",
        ],
        r#"[["set_timer",{"duration":"mezza ora","name":"tè"}]]"#,
    ),
    (
        "it",
        &[
            "imposta un timer di 9 minuti per la pasta",
            "e un altro per il riso, un quarto d'ora",
        ],
        r#"[["set_timer",{"duration":"un quarto d'ora","name":"riso"}]]"#,
    ),
    (
        "it",
        &[
            "imposta un timer di 9 minuti per la pasta",
            "e uno per la torta, un'ora e mezza",
        ],
        r#"[["set_timer",{"duration":"un'ora e mezza","name":"torta"}]]"#,
    ),
    (
        "pt",
        &[
            "põe um temporizador de 9 minutos para a massa",
            "e outro para o forno, meia hora",
        ],
        r#"[["set_timer",{"duration":"meia hora","name":"forno"}]]"#,
    ),
    (
        "pt",
        &[
            "põe um temporizador de 9 minutos para a massa",
            "e um para o arroz, um quarto de hora",
        ],
        r#"[["set_timer",{"duration":"um quarto de hora","name":"arroz"}]]"#,
    ),
    (
        "pt",
        &[
            "põe um temporizador de 9 minutos para a massa",
            "e outro para o bolo, hora e meia",
        ],
        r#"[["set_timer",{"duration":"hora e meia","name":"bolo"}]]"#,
    ),
    (
        "en",
        &[
            "set a pasta timer for 9 minutes",
            "no, for the oven, half an hour",
        ],
        r#"["back",["set_timer",{"duration":"half an hour","name":"oven"}]]"#,
    ),
    // A name alone says no length, and what stands behind a comma is no part of it.
    (
        "en",
        &["set a pasta timer for 9 minutes", "and one for the cat"],
        "",
    ),
    (
        "en",
        &[
            "set a pasta timer for 9 minutes",
            "and one for the oven, blue cheese",
        ],
        "",
    ),
    (
        "en",
        &[
            "set a pasta timer for 9 minutes",
            "and another for the oven, as usual",
        ],
        "",
    ),
    (
        "de",
        &["stell einen Nudel-Timer auf 9 Minuten", "und einen für die Katze"],
        "",
    ),
    (
        "de",
        &[
            "stell einen Nudel-Timer auf 9 Minuten",
            "und einen für den Ofen, bitte schnell",
        ],
        "",
    ),
    (
        "fr",
        &[
            "mets un minuteur de 9 minutes pour les pâtes",
            "et un autre pour le chat",
        ],
        "",
    ),
    (
        "fr",
        &[
            "mets un minuteur de 9 minutes pour les pâtes",
            "et un autre pour le four, fromage bleu",
        ],
        "",
    ),
    (
        "es",
        &[
            "pon un temporizador de 9 minutos para la pasta",
            "y otro para el gato",
        ],
        "",
    ),
    (
        "es",
        &[
            "pon un temporizador de 9 minutos para la pasta",
            "y otro para el horno, queso azul",
        ],
        "",
    ),
    (
        "it",
        &["imposta un timer di 9 minuti per la pasta", "e uno per il gatto"],
        "",
    ),
    (
        "it",
        &[
            "imposta un timer di 9 minuti per la pasta",
            "e uno per il tè, appena possibile",
        ],
        "",
    ),
    (
        "pt",
        &[
            "põe um temporizador de 9 minutos para a massa",
            "e outro para o gato",
        ],
        "",
    ),
    (
        "pt",
        &[
            "põe um temporizador de 9 minutos para a massa",
            "e outro para o forno, amanhã talvez",
        ],
        "",
    ),
    // The length of before is asked for in so many words.
    (
        "en",
        &["set a pasta timer for 9 minutes", "and the same for the eggs"],
        r#"[["set_timer",{"name":"eggs","duration":"9 minutes"}]]"#,
    ),
    (
        "de",
        &[
            "stell einen Nudel-Timer auf 9 Minuten",
            "und dasselbe für die Eier",
        ],
        r#"[["set_timer",{"name":"Eier","duration":"9 Minuten"}]]"#,
    ),
    // Anew from the beginning, what is gone and what runs.
    (
        "en",
        &["set a timer for 9 minutes", "cancel it", "restart it"],
        r#"[["restart_timer",{"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "en",
        &["set a timer for 9 minutes", "restart it"],
        r#"[["restart_timer",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "en",
        &["set a timer for 9 minutes", "cancel it", "start it again"],
        r#"[["restart_timer",{"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "en",
        &["set a timer for 9 minutes", "start it again"],
        r#"[["restart_timer",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "en",
        &["set a timer for 9 minutes", "cancel it", "set it again"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "en",
        &["set a timer for 9 minutes", "set it again"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"last"}]]"#,
    ),
    (
        "en",
        &["set a timer for 9 minutes", "cancel it", "start it over"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "en",
        &["set a timer for 9 minutes", "start it over"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"last"}]]"#,
    ),
    (
        "en",
        &["set a timer for 9 minutes", "cancel it", "put it back on"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "en",
        &["set a timer for 9 minutes", "put it back on"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"last"}]]"#,
    ),
    (
        "de",
        &["stell einen Timer auf 9 Minuten", "lösch ihn", "starte ihn neu"],
        r#"[["restart_timer",{"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "de",
        &["stell einen Timer auf 9 Minuten", "starte ihn neu"],
        r#"[["restart_timer",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "de",
        &[
            "stell einen Timer auf 9 Minuten",
            "lösch ihn",
            "stell ihn nochmal",
        ],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "de",
        &["stell einen Timer auf 9 Minuten", "stell ihn nochmal"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"last"}]]"#,
    ),
    (
        "de",
        &[
            "stell einen Timer auf 9 Minuten",
            "lösch ihn",
            "starte ihn von vorn",
        ],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "de",
        &["stell einen Timer auf 9 Minuten", "starte ihn von vorn"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"last"}]]"#,
    ),
    (
        "fr",
        &["mets un minuteur de 9 minutes", "annule-le", "relance-le"],
        r#"[["restart_timer",{"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "fr",
        &["mets un minuteur de 9 minutes", "relance-le"],
        r#"[["restart_timer",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "fr",
        &["mets un minuteur de 9 minutes", "annule-le", "redémarre-le"],
        r#"[["restart_timer",{"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "fr",
        &["mets un minuteur de 9 minutes", "redémarre-le"],
        r#"[["restart_timer",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "fr",
        &["mets un minuteur de 9 minutes", "annule-le", "remets-le"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "fr",
        &["mets un minuteur de 9 minutes", "remets-le"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"last"}]]"#,
    ),
    (
        "fr",
        &["mets un minuteur de 9 minutes", "annule-le", "recommence-le"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "fr",
        &["mets un minuteur de 9 minutes", "recommence-le"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"last"}]]"#,
    ),
    (
        "es",
        &["pon un temporizador de 9 minutos", "cancélalo", "reinícialo"],
        r#"[["restart_timer",{"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "es",
        &["pon un temporizador de 9 minutos", "reinícialo"],
        r#"[["restart_timer",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "es",
        &["pon un temporizador de 9 minutos", "cancélalo", "ponlo otra vez"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "es",
        &["pon un temporizador de 9 minutos", "ponlo otra vez"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"last"}]]"#,
    ),
    (
        "es",
        &[
            "pon un temporizador de 9 minutos",
            "cancélalo",
            "empiézalo de cero",
        ],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "es",
        &["pon un temporizador de 9 minutos", "empiézalo de cero"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"last"}]]"#,
    ),
    (
        "it",
        &["imposta un timer di 9 minuti", "cancellalo", "riavvialo"],
        r#"[["restart_timer",{"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "it",
        &["imposta un timer di 9 minuti", "riavvialo"],
        r#"[["restart_timer",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "it",
        &["imposta un timer di 9 minuti", "cancellalo", "rimettilo"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "it",
        &["imposta un timer di 9 minuti", "rimettilo"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"last"}]]"#,
    ),
    (
        "it",
        &["imposta un timer di 9 minuti", "cancellalo", "riavvialo da capo"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "it",
        &["imposta un timer di 9 minuti", "riavvialo da capo"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"last"}]]"#,
    ),
    (
        "pt",
        &["põe um temporizador de 9 minutos", "cancela-o", "reinicia-o"],
        r#"[["restart_timer",{"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "pt",
        &["põe um temporizador de 9 minutos", "reinicia-o"],
        r#"[["restart_timer",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "pt",
        &[
            "põe um temporizador de 9 minutos",
            "cancela-o",
            "põe-no outra vez",
        ],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "pt",
        &["põe um temporizador de 9 minutos", "põe-no outra vez"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"last"}]]"#,
    ),
    (
        "pt",
        &["põe um temporizador de 9 minutos", "cancela-o", "recomeça-o"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "pt",
        &["põe um temporizador de 9 minutos", "recomeça-o"],
        r#"[["restart_timer",{"over":true,"kind":"timer","name":"last"}]]"#,
    ),
    (
        "en",
        &[
            "set a pasta timer for 9 minutes",
            "cancel the pasta timer",
            "restart it",
        ],
        r#"[["restart_timer",{"kind":"timer","name":"(gone)"}]]"#,
    ),
    // What is there again is spoken of as any other.
    (
        "en",
        &[
            "set a rice timer for 12 minutes",
            "delete it",
            "start it again",
            "delete it",
        ],
        r#"[["cancel_alert",{"kind":"timer","name":"(back)"}]]"#,
    ),
    (
        "en",
        &[
            "set a rice timer for 12 minutes",
            "delete it",
            "start it again",
            "pause it",
        ],
        r#"[["pause_timer",{"kind":"timer","name":"(back)"}]]"#,
    ),
    (
        "en",
        &[
            "set a rice timer for 12 minutes",
            "delete it",
            "start it again",
            "how long is left on it",
        ],
        r#"[["list_alerts",{"kind":"timer","name":"(back)"}]]"#,
    ),
    (
        "en",
        &[
            "set a rice timer for 12 minutes",
            "delete it",
            "start it again",
            "restart it",
        ],
        r#"[["restart_timer",{"kind":"timer","name":"(back)"}]]"#,
    ),
    (
        "de",
        &[
            "stell einen Timer auf 9 Minuten",
            "lösch ihn wieder",
            "starte ihn neu",
            "lösch ihn",
        ],
        r#"[["cancel_alert",{"kind":"timer","name":"(back)"}]]"#,
    ),
    (
        "en",
        &["wake me at six", "cancel it", "set it again"],
        r#"[["restart_timer",{"over":true,"kind":"alarm","name":"(gone)"}]]"#,
    ),
    (
        "en",
        &["set a timer for 9 minutes", "pause it", "start it again"],
        r#"[["restart_timer",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "en",
        &["set a timer for 9 minutes", "pause it", "resume it"],
        r#"[["resume_timer",{"kind":"timer","name":"last"}]]"#,
    ),
    // What plays begins anew too, and a list does not.
    (
        "en",
        &["next song", "restart it"],
        r#"[["control_player",{"action":"restart"}]]"#,
    ),
    (
        "en",
        &["next song", "start it over"],
        r#"[["control_player",{"action":"restart"}]]"#,
    ),
    (
        "de",
        &["nächstes Lied", "spiel es nochmal"],
        r#"[["control_player",{"action":"restart"}]]"#,
    ),
    (
        "fr",
        &["chanson suivante", "rejoue-la"],
        r#"[["control_player",{"action":"restart"}]]"#,
    ),
    (
        "es",
        &["siguiente canción", "repítela"],
        r#"[["control_player",{"action":"restart"}]]"#,
    ),
    (
        "it",
        &["canzone successiva", "ripetila"],
        r#"[["control_player",{"action":"restart"}]]"#,
    ),
    (
        "pt",
        &["próxima música", "repete-a"],
        r#"[["control_player",{"action":"restart"}]]"#,
    ),
    ("en", &["add milk to the shopping list", "restart it"], ""),
    ("en", &["what time is it", "restart it"], ""),
    ("de", &["setz Milch auf die Einkaufsliste", "starte sie neu"], ""),
    (
        "fr",
        &["ajoute du lait à la liste de courses", "redémarre-la"],
        "",
    ),
    ("es", &["añade leche a la lista de la compra", "reiníciala"], ""),
    ("it", &["aggiungi latte alla lista della spesa", "riavviala"], ""),
    ("pt", &["adiciona leite à lista de compras", "reinicia-a"], ""),
];
