//! Sums that people ask for by a verb, and the expression that each is.

use super::*;

/// The language, the expression, and what people say for it.
const SUMS: &[(&str, &str, &[&str])] = &[
    (
        "en-US",
        "84 / 6",
        &[
            "divide 84 by 6",
            "share 84 equally among 6 people",
            "what's 84 split between 6",
            "split 84 six ways",
        ],
    ),
    (
        "en-US",
        "47.60 / 3",
        &[
            "forty-seven sixty between three people",
            "split forty-seven sixty between three",
        ],
    ),
    ("en-US", "90 / 5", &["what's 90 between 5 people"]),
    (
        "de-DE",
        "47.60 / 3",
        &["siebenundvierzig sechzig durch drei Leute"],
    ),
    (
        "en-US",
        "25 % off 64",
        &[
            "knock 25 percent off 64",
            "reduce 64 by 25 percent",
            "how much is 64 less 25 percent",
        ],
    ),
    (
        "en-US",
        "90 - 17",
        &[
            "subtract 17 from 90",
            "take 17 away from 90",
            "what's left of 90 if I spend 17",
        ],
    ),
    (
        "en-US",
        "90 + 17",
        &["add 17 to 90", "what do you get if you add 17 and 90"],
    ),
    ("en-US", "12 * 9", &["multiply 12 by 9"]),
    ("en-US", "2 * 36", &["double 36"]),
    ("en-US", "36 / 2", &["halve 36"]),
    ("en-US", "48 * (1 - (1 / 3))", &["knock a third off 48"]),
    ("en-US", "18 % of 42", &["a tip of 18 percent on 42"]),
    ("en-US", "130 / 9", &["how often does 9 fit into 130"]),
    (
        "de-DE",
        "84 / 6",
        &["teile 84 durch 6", "verteil 84 auf 6 Personen"],
    ),
    (
        "de-DE",
        "25 % off 64",
        &["nimm 25 Prozent von 64 weg", "reduziere 64 um 25 Prozent"],
    ),
    ("de-DE", "90 - 17", &["subtrahiere 17 von 90"]),
    (
        "fr-FR",
        "84 / 6",
        &["divise 84 par 6", "partage 84 entre 6 personnes"],
    ),
    ("es-ES", "84 / 6", &["divide 84 entre 6 personas"]),
    ("it-IT", "84 / 6", &["dividi 84 per 6"]),
    ("de-DE", "48 * (1 - (1 / 3))", &["zieh ein Drittel von 48 ab"]),
    ("de-DE", "130 / 9", &["wie oft passt 9 in 130"]),
    ("de-DE", "2 * 36", &["verdopple 36"]),
    ("fr-FR", "130 / 9", &["combien de fois 9 entre dans 130"]),
    ("fr-FR", "36 / 2", &["coupe 36 en deux"]),
    ("fr-FR", "(3 / 4) * 48", &["combien font trois quarts de 48"]),
    ("fr-FR", "48 * (1 - (1 / 3))", &["retire un tiers de 48"]),
    ("fr-FR", "18 % of 42", &["un pourboire de 18 pour cent sur 42"]),
    ("fr-FR", "25 % off 64", &["retire 25 pour cent à 64"]),
    ("es-ES", "130 / 9", &["cuántas veces cabe 9 en 130"]),
    ("es-ES", "36 / 2", &["divide 36 por la mitad"]),
    ("es-ES", "(3 / 4) * 48", &["calcula tres cuartos de 48"]),
    ("es-ES", "48 * (1 - (1 / 3))", &["resta un tercio de 48"]),
    ("es-ES", "18 % of 42", &["una propina del 18 por ciento sobre 42"]),
    ("it-IT", "130 / 9", &["quante volte sta 9 in 130"]),
    ("it-IT", "36 / 2", &["dimezza 36"]),
    ("it-IT", "(3 / 4) * 48", &["quanto fa tre quarti di 48"]),
    ("it-IT", "48 * (1 - (1 / 3))", &["togli un terzo da 48"]),
    ("it-IT", "18 % of 42", &["una mancia del 18 per cento su 42"]),
    ("pt-PT", "84 / 6", &["divide 84 por 6"]),
    ("pt-PT", "130 / 9", &["quantas vezes cabe 9 em 130"]),
    ("pt-PT", "36 / 2", &["divide 36 ao meio"]),
    ("pt-PT", "2 * 36", &["duplica 36"]),
    ("pt-PT", "(3 / 4) * 48", &["calcula três quartos de 48"]),
    ("pt-PT", "48 * (1 - (1 / 3))", &["tira um terço de 48"]),
    ("pt-PT", "36 * (1 + 15 / 100)", &["aumenta 36 em 15 por cento"]),
    ("pt-PT", "18 % of 42", &["uma gorjeta de 18 por cento sobre 42"]),
    // What is made of several numbers together.
    (
        "en-US",
        "mean(7, 31, 40)",
        &[
            "what's the average of 7, 31 and 40",
            "give me the mean of 7 31 and 40",
            "how much is 7, 31 and 40 on average",
        ],
    ),
    (
        "en-US",
        "max(7.5, 31, 30)",
        &[
            "what is the highest of 7.5, 31 and 30",
            "which one is the biggest number out of 7.5, 31 and 30",
        ],
    ),
    (
        "en-US",
        "min(7 kilograms, 5 kilograms)",
        &["which is the lowest of 7 kilos and 5 kilos"],
    ),
    (
        "en-US",
        "sum(7, 31, 40)",
        &[
            "add up 7, 31 and 40",
            "what do 7, 31 and 40 come to altogether",
            "the total of 7, 31 and 40",
        ],
    ),
    (
        "de-DE",
        "mean(7, 31, 40)",
        &["was ist der Durchschnitt von 7, 31 und 40"],
    ),
    (
        "de-DE",
        "max(7, 31, 40)",
        &["was ist die größte Zahl von 7, 31 und 40"],
    ),
    ("de-DE", "sum(7, 31, 40)", &["zähl 7, 31 und 40 zusammen"]),
    (
        "fr-FR",
        "mean(7, 31, 40)",
        &["quelle est la moyenne de 7, 31 et 40"],
    ),
    (
        "de-DE",
        "min(7, 31, 40)",
        &["was ist die kleinste Zahl von 7, 31 und 40"],
    ),
    ("es-ES", "mean(7, 31, 40)", &["cuál es la media de 7, 31 y 40"]),
    ("es-ES", "max(7, 31, 40)", &["cuál es el mayor de 7, 31 y 40"]),
    ("es-ES", "min(7, 31, 40)", &["dime el menor de 7, 31 y 40"]),
    ("es-ES", "sum(7, 31, 40)", &["cuánto suman 7, 31 y 40 en total"]),
    ("it-IT", "mean(7, 31, 40)", &["qual è la media di 7, 31 e 40"]),
    ("pt-PT", "mean(7, 31, 40)", &["qual é a média de 7, 31 e 40"]),
];

#[test]
fn sums_are_understood_by_their_verbs() {
    let spoken = spoken();
    let expression = |text: &str, lang: &str| {
        let found = spoken.recognise(text, lang)?;
        let wanted = spoken.call(&found.intent_name, text, lang)?;
        wanted.call.arguments.get("expression").cloned()
    };
    let mut wrong = Vec::new();
    for (lang, expected, sentences) in SUMS {
        for text in *sentences {
            let heard = expression(text, lang);
            let is_right = heard.as_ref().and_then(Value::as_str) == Some(*expected);
            wrong.extend((!is_right).then(|| format!("{lang} {text}: {heard:?}")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
