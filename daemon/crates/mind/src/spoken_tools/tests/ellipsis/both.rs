//! Both of two things, one of each kind, dice of another kind, and names behind an article that is one word with its preposition; what
//! the last of the sentences asks for.

use super::talks::Talk;

pub(super) const BOTH: &[Talk] = &[
    // Both, in few words.
    (
        "en",
        &[
            "set a timer for 9 minutes",
            "and another for 20 minutes",
            "delete both",
        ],
        r#"["back","back"]"#,
    ),
    (
        "en",
        &[
            "set a timer for 9 minutes",
            "and another for 20 minutes",
            "delete both timers",
        ],
        r#"["back","back"]"#,
    ),
    (
        "en",
        &[
            "set a timer for 9 minutes",
            "and another for 20 minutes",
            "cancel both",
        ],
        r#"["back","back"]"#,
    ),
    (
        "en",
        &[
            "set a timer for 9 minutes",
            "and another for 20 minutes",
            "cancel both of the timers",
        ],
        r#"["back","back"]"#,
    ),
    (
        "en",
        &[
            "set a timer for 9 minutes",
            "and another for 20 minutes",
            "get rid of both",
        ],
        r#"["back","back"]"#,
    ),
    (
        "de",
        &[
            "stell einen Timer auf 9 Minuten",
            "und einen auf 20 Minuten",
            "beide löschen",
        ],
        r#"["back","back"]"#,
    ),
    (
        "de",
        &[
            "stell einen Timer auf 9 Minuten",
            "und einen auf 20 Minuten",
            "lösch beide",
        ],
        r#"["back","back"]"#,
    ),
    (
        "de",
        &[
            "stell einen Timer auf 9 Minuten",
            "und einen auf 20 Minuten",
            "lösch beide Timer",
        ],
        r#"["back","back"]"#,
    ),
    (
        "de",
        &[
            "stell einen Timer auf 9 Minuten",
            "und einen auf 20 Minuten",
            "beide Timer löschen",
        ],
        r#"["back","back"]"#,
    ),
    (
        "fr",
        &[
            "mets un minuteur de 9 minutes",
            "et un autre de 20 minutes",
            "supprime les deux",
        ],
        r#"["back","back"]"#,
    ),
    (
        "fr",
        &[
            "mets un minuteur de 9 minutes",
            "et un autre de 20 minutes",
            "supprime les deux minuteurs",
        ],
        r#"["back","back"]"#,
    ),
    (
        "fr",
        &[
            "mets un minuteur de 9 minutes",
            "et un autre de 20 minutes",
            "annule-les tous les deux",
        ],
        r#"["back","back"]"#,
    ),
    (
        "es",
        &[
            "pon un temporizador de 9 minutos",
            "y otro de 20 minutos",
            "borra los dos",
        ],
        r#"["back","back"]"#,
    ),
    (
        "es",
        &[
            "pon un temporizador de 9 minutos",
            "y otro de 20 minutos",
            "bórralos los dos",
        ],
        r#"["back","back"]"#,
    ),
    (
        "es",
        &[
            "pon un temporizador de 9 minutos",
            "y otro de 20 minutos",
            "cancela ambos temporizadores",
        ],
        r#"["back","back"]"#,
    ),
    (
        "it",
        &[
            "imposta un timer di 9 minuti",
            "e un altro di 20 minuti",
            "cancellali entrambi",
        ],
        r#"["back","back"]"#,
    ),
    (
        "it",
        &[
            "imposta un timer di 9 minuti",
            "e un altro di 20 minuti",
            "cancella entrambi i timer",
        ],
        r#"["back","back"]"#,
    ),
    (
        "it",
        &[
            "imposta un timer di 9 minuti",
            "e un altro di 20 minuti",
            "eliminali tutti e due",
        ],
        r#"["back","back"]"#,
    ),
    (
        "pt",
        &[
            "põe um temporizador de 9 minutos",
            "e outro de 20 minutos",
            "apaga os dois",
        ],
        r#"["back","back"]"#,
    ),
    (
        "pt",
        &[
            "põe um temporizador de 9 minutos",
            "e outro de 20 minutos",
            "apaga os dois temporizadores",
        ],
        r#"["back","back"]"#,
    ),
    (
        "pt",
        &[
            "põe um temporizador de 9 minutos",
            "e outro de 20 minutos",
            "apaga-os os dois",
        ],
        r#"["back","back"]"#,
    ),
    (
        "en",
        &[
            "set a timer for 9 minutes",
            "and another for 20 minutes",
            "delete both alarms",
        ],
        r#"[["cancel_alert",{"kind":"alarm","name":"both"}]]"#,
    ),
    (
        "en",
        &[
            "set a timer for 9 minutes",
            "wake me at six",
            "delete both timers",
        ],
        r#"[["cancel_alert",{"kind":"timer","name":"both"}]]"#,
    ),
    (
        "en",
        &["set a timer for 9 minutes", "delete both timers"],
        r#"[["cancel_alert",{"kind":"timer","name":"both"}]]"#,
    ),
    // Behind nothing.
    (
        "en",
        &["cancel both alarms"],
        r#"[["cancel_alert",{"kind":"alarm","name":"both"}]]"#,
    ),
    (
        "en",
        &["scrap both of my reminders"],
        r#"[["cancel_alert",{"kind":"reminder","name":"both"}]]"#,
    ),
    (
        "de",
        &["storniere beide Wecker"],
        r#"[["cancel_alert",{"kind":"alarm","name":"both"}]]"#,
    ),
    (
        "de",
        &["beide Wecker entfernen"],
        r#"[["cancel_alert",{"kind":"alarm","name":"both"}]]"#,
    ),
    (
        "fr",
        &["supprime les deux rappels"],
        r#"[["cancel_alert",{"kind":"reminder","name":"both"}]]"#,
    ),
    (
        "es",
        &["borra ambas alarmas"],
        r#"[["cancel_alert",{"kind":"alarm","name":"both"}]]"#,
    ),
    (
        "it",
        &["elimina entrambe le sveglie"],
        r#"[["cancel_alert",{"kind":"alarm","name":"both"}]]"#,
    ),
    (
        "pt",
        &["apaga os dois lembretes"],
        r#"[["cancel_alert",{"kind":"reminder","name":"both"}]]"#,
    ),
    ("en", &["pause both alarms"], ""),
    ("en", &["do not cancel both alarms"], ""),
    (
        "it",
        &[
            "imposta un timer di 9 minuti",
            "e un altro di 20 minuti",
            "cancellali",
        ],
        "",
    ),
    // One die more, or so many.
    (
        "en",
        &["roll two dice", "and a twenty-sided one"],
        r#"[["roll_dice",{"sides":20}]]"#,
    ),
    (
        "en",
        &["roll two dice", "and a d20"],
        r#"[["roll_dice",{"sides":20}]]"#,
    ),
    (
        "en",
        &["roll two dice", "and another d20"],
        r#"[["roll_dice",{"sides":20}]]"#,
    ),
    (
        "en",
        &["roll two dice", "and a ten-sided die"],
        r#"[["roll_dice",{"sides":10}]]"#,
    ),
    (
        "en",
        &["roll two dice", "and two four-sided ones"],
        r#"[["roll_dice",{"count":2,"sides":4}]]"#,
    ),
    (
        "en",
        &["roll two dice", "and six-sided ones"],
        r#"[["roll_dice",{"count":2,"sides":6}]]"#,
    ),
    (
        "en",
        &["roll two dice", "and three d8"],
        r#"[["roll_dice",{"count":3,"sides":8}]]"#,
    ),
    (
        "en",
        &["roll a die", "and two four-sided ones"],
        r#"[["roll_dice",{"count":2,"sides":4}]]"#,
    ),
    (
        "de",
        &["würfle mit zwei Würfeln", "und einen W20"],
        r#"[["roll_dice",{"sides":20}]]"#,
    ),
    (
        "de",
        &["würfle mit zwei Würfeln", "und ein zwanzigseitiger"],
        r#"[["roll_dice",{"sides":20}]]"#,
    ),
    (
        "de",
        &["würfle mit zwei Würfeln", "und zwei W4"],
        r#"[["roll_dice",{"count":2,"sides":4}]]"#,
    ),
    (
        "de",
        &["würfle mit zwei Würfeln", "und einen mit zwanzig Seiten"],
        r#"[["roll_dice",{"count":1,"sides":20}]]"#,
    ),
    (
        "fr",
        &["lance deux dés", "et un d20"],
        r#"[["roll_dice",{"sides":20}]]"#,
    ),
    (
        "fr",
        &["lance deux dés", "et un à vingt faces"],
        r#"[["roll_dice",{"count":1,"sides":20}]]"#,
    ),
    (
        "fr",
        &["lance deux dés", "et deux à quatre faces"],
        r#"[["roll_dice",{"count":2,"sides":4}]]"#,
    ),
    (
        "es",
        &["lanza dos dados", "y un d20"],
        r#"[["roll_dice",{"sides":20}]]"#,
    ),
    (
        "es",
        &["lanza dos dados", "y uno de veinte caras"],
        r#"[["roll_dice",{"count":1,"sides":20}]]"#,
    ),
    (
        "es",
        &["lanza dos dados", "y dos de cuatro caras"],
        r#"[["roll_dice",{"count":2,"sides":4}]]"#,
    ),
    (
        "it",
        &["lancia due dadi", "e un d20"],
        r#"[["roll_dice",{"sides":20}]]"#,
    ),
    (
        "it",
        &["lancia due dadi", "e uno a venti facce"],
        r#"[["roll_dice",{"count":1,"sides":20}]]"#,
    ),
    (
        "it",
        &["lancia due dadi", "e due a quattro facce"],
        r#"[["roll_dice",{"count":2,"sides":4}]]"#,
    ),
    (
        "pt",
        &["lança dois dados", "e um d20"],
        r#"[["roll_dice",{"sides":20}]]"#,
    ),
    (
        "pt",
        &["lança dois dados", "e um de vinte lados"],
        r#"[["roll_dice",{"count":1,"sides":20}]]"#,
    ),
    (
        "pt",
        &["lança dois dados", "e dois de quatro lados"],
        r#"[["roll_dice",{"count":2,"sides":4}]]"#,
    ),
    // The article that is one word with its preposition is no part of a name.
    (
        "pt",
        &["põe um temporizador de 9 minutos", "apaga o dos ovos"],
        r#"[["cancel_alert",{"kind":"timer","name":"ovos"}]]"#,
    ),
    (
        "pt",
        &["põe um temporizador de 9 minutos", "apaga o do arroz"],
        r#"[["cancel_alert",{"kind":"timer","name":"arroz"}]]"#,
    ),
    (
        "pt",
        &["põe um temporizador de 9 minutos", "cancela o das batatas"],
        r#"[["cancel_alert",{"kind":"timer","name":"batatas"}]]"#,
    ),
    (
        "pt",
        &["põe um temporizador de 9 minutos", "apaga o da massa"],
        r#"[["cancel_alert",{"kind":"timer","name":"massa"}]]"#,
    ),
    (
        "it",
        &["imposta un timer di 9 minuti", "cancella quello delle uova"],
        r#"[["cancel_alert",{"kind":"timer","name":"uova"}]]"#,
    ),
];
