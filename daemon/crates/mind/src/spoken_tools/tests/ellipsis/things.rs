//! Second sentences about what is on a list, a measure, a time that lacks its hour, or one of several alerts; what the last of the
//! sentences asks for.

use super::talks::Talk;

pub(super) const THINGS: &[Talk] = &[
    // More for the list: behind a sound, several at once, and with how much of it.
    (
        "en",
        &["put ham on my picnic list", "oh and a jar of green olives"],
        r#"[["add_to_list",{"items":"jar of green olives","list":"picnic list"}]]"#,
    ),
    (
        "en",
        &["put ham on my picnic list", "and cups, plates and napkins"],
        r#"[["add_to_list",{"items":"cups, plates and napkins","list":"picnic list"}]]"#,
    ),
    (
        "en",
        &["put ham on my picnic list", "and then we ate it all up"],
        "",
    ),
    (
        "en",
        &["put ham on my picnic list", "oh and I forgot my coat"],
        "",
    ),
    (
        "en",
        &["put ham on my picnic list", "and wash the car and walk the dog"],
        "",
    ),
    (
        "en",
        &["put ham on my picnic list", "and a tube of red paint"],
        r#"[["add_to_list",{"items":"tube of red paint","list":"picnic list"}]]"#,
    ),
    (
        "en",
        &["put ham on my picnic list", "stick the blanket on there as well"],
        r#"[["add_to_list",{"items":"the blanket","list":"picnic list"}]]"#,
    ),
    (
        "en",
        &["put ham on my picnic list", "we've packed the ham"],
        r#"[["remove_from_list",{"items":"ham","list":"picnic list"}]]"#,
    ),
    (
        "en",
        &["put ham on my picnic list", "I've bought a new bicycle"],
        "",
    ),
    (
        "de",
        &[
            "setz Senf auf die Einkaufsliste",
            "und eine Kiste Wasser",
            "streich den Senf wieder",
        ],
        r#"[["remove_from_list",{"items":"Senf","list":"Einkaufsliste"}]]"#,
    ),
    (
        "en",
        &["we need salt", "what's on there now"],
        r#"[["read_list",{"list":"shopping list"}]]"#,
    ),
    (
        "en",
        &["put ham on my picnic list", "clear the whole thing"],
        r#"[["clear_list",{"list":"picnic list"}]]"#,
    ),
    // Which of it is corrected, and not how much.
    (
        "en",
        &[
            "add a bottle of red wine to my party list",
            "no sorry, white wine",
        ],
        r#"["back",["add_to_list",{"items":"a bottle of white wine","list":"party list"}]]"#,
    ),
    (
        "en",
        &[
            "add a bottle of red wine to my party list",
            "no sorry, old friend",
        ],
        "",
    ),
    // "That list" is the one that was spoken of.
    (
        "en",
        &["add glue to my craft list", "what's on that list"],
        r#"[["read_list",{"list":"craft list"}]]"#,
    ),
    (
        "de",
        &["setz Kleber auf meine Bastelliste", "was steht auf dieser Liste"],
        r#"[["read_list",{"list":"Bastelliste"}]]"#,
    ),
    (
        "en",
        &["add glue to my craft list", "what's left"],
        r#"[["read_list",{"list":"craft list"}]]"#,
    ),
    // Who has heard a list adds to it, also where something was taken off before.
    (
        "en",
        &[
            "add salt and rice to my picnic list",
            "take the salt off again",
            "what's on it now",
            "and three lemons",
        ],
        r#"[["add_to_list",{"items":"three lemons","list":"picnic list"}]]"#,
    ),
    // Another amount is put in the same unit.
    (
        "en",
        &["how many centimetres is 4 inches", "and 9 inches"],
        r#"[["unit_convert",{"value":9.0,"from_unit":"inches","to_unit":"centimeters"}]]"#,
    ),
    (
        "en",
        &["how many centimetres is 4 inches", "what about 2 feet"],
        r#"[["unit_convert",{"value":2.0,"from_unit":"feet","to_unit":"centimeters"}]]"#,
    ),
    (
        "de",
        &["wie viel Gramm sind zwei Pfund", "und drei Unzen"],
        r#"[["unit_convert",{"value":3.0,"from_unit":"ounces","to_unit":"grams"}]]"#,
    ),
    (
        "en",
        &["how many centimetres is 4 inches", "and my brother is tall"],
        "",
    ),
    // The hour that is nearest to what was said.
    (
        "en",
        &[
            "set an alarm for ten to six tomorrow",
            "no, make that quarter past",
        ],
        r#"["back",["set_alarm",{"time":"6:15","date":"tomorrow"}]]"#,
    ),
    // Nothing is taken back for a time that has to be asked about.
    ("en", &["wake me up tomorrow morning", "no, half past"], ""),
    // Numbers that were named together.
    (
        "en",
        &["what's the average of 3, 8 and 10", "what's the highest of those"],
        r#"[["evaluate_expression",{"expression":"max(3, 8, 10)"}]]"#,
    ),
    (
        "en",
        &["what's the average of 3, 8 and 10", "and of 5 and 6"],
        r#"[["evaluate_expression",{"expression":"mean(5, 6)"}]]"#,
    ),
    (
        "en",
        &["wake me in forty minutes", "better make it fifty"],
        r#"["back",["set_alarm",{"time":"in fifty minutes"}]]"#,
    ),
    (
        "en",
        &["do I have any reminders", "move the morning one to ten"],
        r#"[["change_alert",{"kind":"reminder","name":"morning","to":"ten"}]]"#,
    ),
    (
        "de",
        &["erinner mich morgen an den Termin", "lieber erst am Freitag"],
        r#"["back",["set_reminder",{"date":"am Freitag","text":"den Termin"}]]"#,
    ),
];
