//! The calculator as a brain calls it, at a stopped clock: whole wishes, what is told of them, and complaints.

use std::sync::Arc;

use jiff::Timestamp;
use loquat_agent::toolbox::{Circumstances, Outcome, ToolError, Toolbox};
use serde_json::{Map, Value, json};

use loquat_kit::Skill;
use loquat_kit::wording::Wording;
use loquat_trial::heard;

use super::SKILL;

/// On Saturday, 21 November 2026, eleven minutes past five in Berlin.
async fn call(expression: &str, lang: &str) -> Result<Outcome, ToolError> {
    let now: Timestamp = "2026-11-21T16:11:12Z".parse().expect("a timestamp");
    let wording = Wording::new(Skill::locales([&SKILL]).into());
    let toolbox = super::toolbox(Arc::new(move || now), &wording);
    let arguments = Map::from_iter([("expression".to_owned(), json!(expression))]);
    let person = Circumstances {
        lang: Some(lang.to_owned()),
        time_zone: Some("Europe/Berlin".to_owned()),
        ..Circumstances::default()
    };
    toolbox.call("evaluate_expression", arguments, &person).await
}

async fn evaluated(expression: &str) -> Result<Value, String> {
    match call(expression, "en-US").await {
        Ok(outcome) => Ok(outcome.result["result"].clone()),
        Err(error) => Err(error.to_string()),
    }
}

/// The result with its unit, and what is said.
async fn shown(expression: &str, lang: &str) -> (String, String) {
    match call(expression, lang).await {
        Ok(outcome) => {
            let unit = outcome
                .result
                .get("unit")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let comparison = outcome.result.get("comparison").and_then(Value::as_str);
            let result = comparison.map_or_else(|| outcome.result["result"].to_string(), str::to_owned);
            let result = format!("{result} {unit}");
            (result.trim().replace('"', ""), outcome.spoken.unwrap_or_default())
        }
        Err(error) => ("error".to_owned(), error.to_string()),
    }
}

async fn check(lang: &str, cases: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (expression, result, spoken) in cases {
        let found = shown(expression, lang).await;
        if (found.0.as_str(), found.1.as_str()) != (*result, *spoken) {
            wrong.push((expression, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn an_equation_with_one_solution_has_that_result() {
    assert_eq!(evaluated("3x + 7 = 40").await, Ok(json!(11)));
    assert_eq!(evaluated("x = 2.5 * 3").await, Ok(json!(7.5)));
}

#[tokio::test]
async fn any_other_equation_is_sent_to_its_own_tool() {
    for equation in ["x^2 = 4", "2 = 3", "x^2 = -1", "2^x = 8"] {
        let error = evaluated(equation).await.expect_err(equation);
        let is_sent_on =
            error.contains("equations are for solve_equation") || error.contains("unknown name 'x'");
        assert!(is_sent_on, "{error}");
    }
    // Half an equation is none.
    let error = evaluated("x + 5").await.expect_err("there is nothing to solve");
    assert!(error.contains("unknown name 'x'"), "{error}");
}

/// Amounts, the result with its unit, and what is said.
const AMOUNTS: &[(&str, &str, &str)] = &[
    (
        "3 yards - 20 cm",
        "2.78127734033246 yards",
        "That is about 2.78 yards.",
    ),
    (
        "3 yards - 20 cm in m",
        "2.5432 meters",
        "That is about 2.54 meters.",
    ),
    (
        "2 hours + 45 minutes in minutes",
        "165 minutes",
        "That is 165 minutes.",
    ),
    (
        "2 hours + 45 minutes",
        "2.75 hours",
        "That is 2 hours and 45 minutes.",
    ),
    (
        "5 feet 10 inches in cm",
        "177.8 centimeters",
        "That is 177.8 centimeters.",
    ),
    ("2.5 kg / 5", "0.5 kilograms", "That is 0.5 kilograms."),
    ("60 miles per hour * 2.5 hours", "150 miles", "That is 150 miles."),
    (
        "100 km / 2 h",
        "50 kilometers per hour",
        "That is 50 kilometers per hour.",
    ),
    ("100 km / 50 km/h", "2 hours", "That is 2 hours."),
    ("3 m * 4 m", "12 square meters", "That is 12 square meters."),
    (
        "3 cups + 2 tablespoons in ml",
        "739.3382390625 milliliters",
        "That is about 739.34 milliliters.",
    ),
    ("1 hour 20 minutes * 3", "4 hours", "That is 4 hours."),
    (
        "1 hour and 20 minutes + 5 min",
        "1.41666666666667 hours",
        "That is 1 hour and 25 minutes.",
    ),
    (
        "1h 20m",
        "1.33333333333333 hours",
        "That is 1 hour and 20 minutes.",
    ),
    ("50 minutes * 3", "150 minutes", "That is 2 hours and 30 minutes."),
    ("90 minutes in hours", "1.5 hours", "That is 1.5 hours."),
    (
        "20 C in F",
        "68 degrees Fahrenheit",
        "That is 68 degrees Fahrenheit.",
    ),
    (
        "convert -40 °C to °F",
        "-40 degrees Fahrenheit",
        "That is -40 degrees Fahrenheit.",
    ),
    ("3/4 cup + 1/4 cup", "1 cups", "That is 1 cup."),
    ("1 1/2 cups * 2", "3 cups", "That is 3 cups."),
    ("2 liters / 250 ml", "8", "That is 8."),
    (
        "half an hour + 10 minutes",
        "0.666666666666667 hours",
        "That is 40 minutes.",
    ),
    ("10% of 2 km", "0.2 kilometers", "That is 0.2 kilometers."),
    (
        "how many centimeters are in 3 feet",
        "91.44 centimeters",
        "That is 91.44 centimeters.",
    ),
    ("(3 + 4) km", "7 kilometers", "That is 7 kilometers."),
    ("10 in in cm", "25.4 centimeters", "That is 25.4 centimeters."),
    (
        "5 meters squared",
        "25 square meters",
        "That is 25 square meters.",
    ),
    (
        "three yards minus twenty cm",
        "2.78127734033246 yards",
        "That is about 2.78 yards.",
    ),
    (
        "20 minutes * 3 in hours and minutes",
        "1 hours",
        "That is 1 hour.",
    ),
    (
        "2 weeks - 3 days",
        "1.57142857142857 weeks",
        "That is 1 week and 4 days.",
    ),
];

#[tokio::test]
async fn amounts_are_calculated_in_the_unit_of_the_first() {
    check("en-US", AMOUNTS).await;
}

#[tokio::test]
async fn money_keeps_its_currency() {
    check(
        "en-US",
        &[
            ("87 euros / 3", "29 euros", "That is 29 euros."),
            ("$2,450 * 2", "4900 dollars", "That is 4900 dollars."),
            (
                "15 percent tip on 48 dollars",
                "7.2 dollars",
                "That is 7.20 dollars.",
            ),
            (
                "48 dollars + 15 percent",
                "55.2 dollars",
                "That is 55.20 dollars.",
            ),
            ("$48 + 15%", "55.2 dollars", "That is 55.20 dollars."),
            ("20% off $80", "64 dollars", "That is 64 dollars."),
            (
                "100 EUR / 3",
                "33.3333333333333 euros",
                "That is about 33.33 euros.",
            ),
            ("£5 + £3.50", "8.5 pounds sterling", "That is 8.50 pounds."),
            ("$10 / $4", "2.5", "That is 2.5."),
            ("5 € + 3", "8 euros", "That is 8 euros."),
        ],
    )
    .await;
}

/// Days and times, and what is said.
const MOMENTS: &[(&str, &str, &str)] = &[
    (
        "weeks left in this year",
        "5.71428571428571 weeks",
        "That is 5 weeks and 5 days.",
    ),
    ("days until christmas", "34 days", "That is 34 days."),
    (
        "how many days are there until christmas",
        "34 days",
        "That is 34 days.",
    ),
    (
        "weeks until 1 June",
        "27.4285714285714 weeks",
        "That is 27 weeks and 3 days.",
    ),
    ("minutes until 18:30", "79 minutes", "That is 79 minutes."),
    ("minutes until half past six", "79 minutes", "That is 79 minutes."),
    ("minutes until 6:30", "79 minutes", "That is 79 minutes."),
    (
        "time until 6:30 am",
        "13.3166666666667 hours",
        "That is 13 hours and 19 minutes.",
    ),
    (
        "hours between 9:15 and 17:45",
        "8.5 hours",
        "That is 8 hours and 30 minutes.",
    ),
    ("hours from 9 am to 5 pm", "8 hours", "That is 8 hours."),
    ("hours between 22:00 and 6:00", "8 hours", "That is 8 hours."),
    ("17:45 - 9:15", "8.5 hours", "That is 8 hours and 30 minutes."),
    (
        "today + 3 weeks",
        "2026-12-12",
        "That is Saturday, December 12, 2026.",
    ),
    (
        "today + 3 months",
        "2027-02-21",
        "That is Sunday, February 21, 2027.",
    ),
    ("9:40 + 50 minutes", "10:30", "That is 10:30 AM."),
    ("3 pm + 2 hours 15 minutes", "17:15", "That is 5:15 PM."),
    (
        "days between 1 March 2027 and 15 April 2027",
        "45 days",
        "That is 45 days.",
    ),
    ("days between March 1 and April 15", "45 days", "That is 45 days."),
    (
        "100 days after 1 May 2027",
        "2027-08-09",
        "That is Monday, August 9, 2027.",
    ),
    (
        "2 weeks before christmas",
        "2026-12-11",
        "That is Friday, December 11, 2026.",
    ),
    (
        "3 weeks from today",
        "2026-12-12",
        "That is Saturday, December 12, 2026.",
    ),
    ("2 weeks ago", "2026-11-07", "That is Saturday, November 7, 2026."),
    (
        "(days until christmas) / 7",
        "4.85714285714286",
        "That is about 4.86.",
    ),
    (
        "days until christmas / 7",
        "4.85714285714286",
        "That is about 4.86.",
    ),
    ("days until christmas + 1", "35 days", "That is 35 days."),
    (
        "years since 4 July 1976",
        "50 years",
        "That is 50 years, 4 months and 17 days.",
    ),
    ("days since 1 November", "20 days", "That is 20 days."),
    ("days since christmas", "331 days", "That is 331 days."),
    ("christmas - today", "34 days", "That is 34 days."),
    ("2026-12-25 - 2026-11-21", "34 days", "That is 34 days."),
    ("2026-12-25", "1989", "That is 1989."),
    ("2026-12-25 - today", "34 days", "That is 34 days."),
    ("days until 25/12/2026", "34 days", "That is 34 days."),
    (
        "hours until tomorrow",
        "6.81666666666667 hours",
        "That is 6 hours and 49 minutes.",
    ),
    (
        "now + 90 minutes",
        "2026-11-21T18:41:12+01:00",
        "That is 6:41 PM on Saturday, November 21, 2026.",
    ),
    ("days left in this month", "9 days", "That is 9 days."),
    (
        "hours left today",
        "6.81666666666667 hours",
        "That is 6 hours and 49 minutes.",
    ),
    ("days until friday", "6 days", "That is 6 days."),
    ("3 * days_until('friday')", "18", "That is 18."),
    ("2 * (days_until \"1 June\")", "384", "That is 384."),
    ("days_until(\"1 June\")", "192 days", "That is 192 days."),
    ("days until (today + 3 weeks)", "21 days", "That is 21 days."),
    ("1 June 2027 > christmas", "true", "Yes, that is true."),
    ("23:40 + 50 minutes", "00:30", "That is 12:30 AM."),
    (
        "a week after christmas",
        "2027-01-01",
        "That is Friday, January 1, 2027.",
    ),
    ("noon - 45 minutes", "11:15", "That is 11:15 AM."),
    (
        "hours until friday at 6 pm",
        "144.816666666667 hours",
        "That is 144 hours and 49 minutes.",
    ),
];

#[tokio::test]
async fn dates_and_times_are_counted_and_moved() {
    check("en-US", MOMENTS).await;
}

#[tokio::test]
async fn lists_are_sorted_and_compared() {
    check(
        "en-US",
        &[
            ("max(3, 8, 5)", "8", "That is 8."),
            ("largest of 3, 8 and 5", "8", "That is 8."),
            ("what is the smallest of 3, 8 or 5?", "3", "That is 3."),
            ("sort 5, 2, 9", "[2,5,9]", "In order: 2, 5 and 9."),
            ("sort 5,2,9", "[2,5,9]", "In order: 2, 5 and 9."),
            ("sort(5, 2, 9)", "[2,5,9]", "In order: 2, 5 and 9."),
            ("sort [5, 2, 9]", "[2,5,9]", "In order: 2, 5 and 9."),
            (
                "sort 5, 2 and 9 in descending order",
                "[9,5,2]",
                "In order: 9, 5 and 2.",
            ),
            (
                "sort 5 km, 3 miles",
                "[3 miles,5 kilometers]",
                "In order: 3 miles and 5 kilometers.",
            ),
            ("is 3/8 > 0.4", "false", "No, that is not true."),
            (
                "which is larger: 2**10 or 10**3",
                "1024 > 1000",
                "1024 is more than 1000.",
            ),
            (
                "which is smaller, 3/8 or 0.4?",
                "0.375 < 0.4",
                "0.375 is less than 0.4.",
            ),
            (
                "compare 5 km and 3 miles",
                "5 kilometers > 3 miles kilometers",
                "5 kilometers is more than 3 miles.",
            ),
            (
                "compare 3/8 with 0.375",
                "0.375 == 0.375",
                "They are the same: 0.375.",
            ),
            ("is 5 km longer than 3 miles", "true", "Yes, that is true."),
            ("5 km > 3 miles", "true", "Yes, that is true."),
            ("1 mile == 5280 feet", "true", "Yes, that is true."),
            ("20 C > 65 F", "true", "Yes, that is true."),
            (
                "difference between 72 kg and 150 pounds",
                "3.9611445 kilograms",
                "That is about 3.96 kilograms.",
            ),
            (
                "difference between 1 March 2027 and 15 April 2027",
                "45 days",
                "That is 45 days.",
            ),
            ("difference between 8 and 5", "3", "That is 3."),
            ("average of 12 and 18 percent of 50", "10.5", "That is 10.5."),
            ("average of 12, 15, 20 and 37", "21", "That is 21."),
            (
                "average of 20 minutes, 40 minutes and 1 hour",
                "40 minutes",
                "That is 40 minutes.",
            ),
            ("sum of 2 and 3", "5", "That is 5."),
            ("median(3, 1, 2)", "2", "That is 2."),
            ("max(1 km, 3 miles)", "3 miles", "That is 3 miles."),
            ("is 91 prime", "false", "No, that is not true."),
            ("is 2028 a leap year?", "true", "Yes, that is true."),
        ],
    )
    .await;
}

#[tokio::test]
async fn complaints_name_both_sides() {
    for (expression, complaint) in [
        (
            "3 yards + 2 kg",
            "'+' cannot join yards (length) and kilograms (mass)",
        ),
        ("3 yards + 2", "'+' cannot join yards (length) and a plain number"),
        ("3 yards in kg", "yards measures length, kilograms measures mass"),
        (
            "5 euros + 3 dollars",
            "'+' cannot join euros (money) and dollars (money)",
        ),
        (
            "5 euros > 3 dollars",
            "'>' cannot join euros (money) and dollars (money)",
        ),
        (
            "20 C + 5 C",
            "temperatures can be converted and compared, and have no sum or difference",
        ),
        (
            "20 C * 2",
            "temperatures can be converted and compared, and not multiplied or divided",
        ),
        ("-300 C in F", "-300 degrees Celsius is below absolute zero"),
        (
            "sqrt(3 km)",
            "sqrt: a plain number is needed, not kilometers (length)",
        ),
        ("20 in minutes", "a plain number cannot be converted to minutes"),
        ("today + 5", "'+' cannot join a date and a plain number"),
        (
            "today + 5 hours",
            "a date cannot be moved by hours; write now or a time of day for that",
        ),
        (
            "today + 1e15 years",
            "that is beyond the years that the calendar knows",
        ),
        (
            "today + 99999 years",
            "that is beyond the years that the calendar knows",
        ),
        (
            "days until someday",
            "at character 12: expected a date or a time of day, found 'someday'",
        ),
        (
            "days between christmas",
            "at character 23: expected 'and' or 'to', found the end",
        ),
        (
            "5 mb in bits",
            "'mb' can mean megabits or megabytes; write one of them",
        ),
        (
            "5 wobbles",
            "at character 3: expected an operator or the end, found 'wobbles'",
        ),
        ("sort 5", "[5]"),
        (
            "compare 5",
            "at least two values are needed, with a comma or 'and' between them",
        ),
        (
            "sort 5 km, 3 kg",
            "',' cannot join kilograms (mass) and kilometers (length)",
        ),
        (
            "1 / 5 km * 2 kg",
            "'*' cannot join kilometers (length) and kilograms (mass)",
        ),
        ("5k", "at character 2: expected an operator or the end, found 'k'"),
        (
            "31 April + 3 days",
            "at character 4: expected an operator or the end, found 'april'",
        ),
        ("5 km / 0", "division by zero"),
        ("5 km / 0 m", "division by zero"),
    ] {
        let found = match evaluated(expression).await {
            Ok(result) => result.to_string(),
            Err(error) => error.replace("ValueError: expression: ", ""),
        };
        assert_eq!(found, complaint, "{expression}");
    }
}

#[tokio::test]
async fn amounts_are_told_in_six_languages() {
    for (lang, expression, spoken) in [
        (
            "de-DE",
            "2 hours + 45 minutes",
            "Das sind 2 Stunden und 45 Minuten.",
        ),
        ("de-DE", "1 Stunde 20 Minuten * 3", "Das sind 4 Stunden."),
        ("de-DE", "1 hour * 1", "Das ist 1 Stunde."),
        ("de-DE", "days until Weihnachten", "Das sind 34 Tage."),
        ("de-DE", "48 Euro + 15%", "Das sind 55,20 Euro."),
        ("de-DE", "today + 3 weeks", "Das ist Samstag, 12. Dezember 2026."),
        (
            "fr-FR",
            "2 hours + 45 minutes",
            "Cela fait 2 heures et 45 minutes.",
        ),
        ("fr-FR", "9:40 + 50 minutes", "Cela donne 10 h 30."),
        ("fr-FR", "today + 3 weeks", "C'est le samedi 12 décembre 2026."),
        ("es-ES", "2 hours + 45 minutes", "Son 2 horas y 45 minutos."),
        ("es-ES", "87 euros / 3", "Son 29 euros."),
        ("it-IT", "2 hours + 45 minutes", "Sono 2 ore e 45 minuti."),
        ("it-IT", "sort 3, 1, 2", "In ordine: 1, 2 e 3."),
        ("pt-PT", "2 hours + 45 minutes", "São 2 horas e 45 minutos."),
        (
            "pt-PT",
            "compare 5 km and 3 miles",
            "5 quilómetros é mais do que 3 milhas.",
        ),
    ] {
        assert_eq!(shown(expression, lang).await.1, spoken, "{expression} ({lang})");
    }
}

/// What people say, and the arguments of the call that it asks for.
const CONVERTED: &[(&str, &str, &str)] = &[
    // How much there is, and then in what it is wanted.
    (
        "en-us",
        "forty kilograms, what's that in pounds?",
        r#"{"value": 40.0, "from_unit": "kilograms", "to_unit": "pounds"}"#,
    ),
    (
        "en-us",
        "forty kilograms, so how many pounds is that?",
        r#"{"value": 40.0, "from_unit": "kilograms", "to_unit": "pounds"}"#,
    ),
    (
        "en-us",
        "it's minus ten celsius, how cold is that in fahrenheit",
        r#"{"value": -10.0, "from_unit": "degrees Celsius", "to_unit": "degrees Fahrenheit"}"#,
    ),
    (
        "en-us",
        "she's five foot seven, what is that in meters",
        r#"{"expression": "5 feet 7 inches in meters"}"#,
    ),
    (
        "de-de",
        "vierzig Meilen, wie viel Kilometer sind das?",
        r#"{"value": 40.0, "from_unit": "miles", "to_unit": "kilometers"}"#,
    ),
    (
        "de-de",
        "vierzig Meilen, was ist das in Kilometern?",
        r#"{"value": 40.0, "from_unit": "miles", "to_unit": "kilometers"}"#,
    ),
    (
        "fr-fr",
        "quarante miles, ça fait combien de kilomètres ?",
        r#"{"value": 40.0, "from_unit": "miles", "to_unit": "kilometers"}"#,
    ),
    (
        "es-es",
        "cuarenta millas, cuánto es eso en kilómetros",
        r#"{"value": 40.0, "from_unit": "miles", "to_unit": "kilometers"}"#,
    ),
    (
        "it-it",
        "quaranta miglia, quanti chilometri sono?",
        r#"{"value": 40.0, "from_unit": "miles", "to_unit": "kilometers"}"#,
    ),
    (
        "pt-pt",
        "quarenta milhas, quanto é isso em quilómetros?",
        r#"{"value": 40.0, "from_unit": "miles", "to_unit": "kilometers"}"#,
    ),
    // How many of one go into another.
    (
        "en-us",
        "how many ounces to the pound",
        r#"{"value": 1.0, "from_unit": "pounds", "to_unit": "ounces"}"#,
    ),
    (
        "en-us",
        "a yard in centimeters",
        r#"{"value": 1.0, "from_unit": "yards", "to_unit": "centimeters"}"#,
    ),
    (
        "de-de",
        "wie viel Gramm wiegt ein Pfund",
        r#"{"value": 1.0, "from_unit": "metric pounds", "to_unit": "grams"}"#,
    ),
    (
        "de-de",
        "wie viel Zentiliter hat ein viertel Liter",
        r#"{"value": 0.25, "from_unit": "liters", "to_unit": "centiliters"}"#,
    ),
    (
        "fr-fr",
        "il y a combien de centilitres dans un litre",
        r#"{"value": 1.0, "from_unit": "liters", "to_unit": "centiliters"}"#,
    ),
    (
        "fr-fr",
        "combien de centilitres font un quart de litre",
        r#"{"value": 0.25, "from_unit": "liters", "to_unit": "centiliters"}"#,
    ),
    (
        "es-es",
        "cuántas onzas caben en una libra",
        r#"{"value": 1.0, "from_unit": "pounds", "to_unit": "ounces"}"#,
    ),
    (
        "it-it",
        "quante once stanno in una libbra",
        r#"{"value": 1.0, "from_unit": "pounds", "to_unit": "ounces"}"#,
    ),
    (
        "pt-pt",
        "quantas onças cabem numa libra",
        r#"{"value": 1.0, "from_unit": "pounds", "to_unit": "ounces"}"#,
    ),
];

/// Units in talk, and what no unit is.
const NOT_CONVERTED: &[(&str, &str)] = &[
    ("en-us", "forty kilograms, what's that about"),
    ("en-us", "twelve kilometers, what's that in dog years"),
    ("en-us", "how many steps to the mile marker"),
    ("en-us", "a foot in the door"),
    ("de-de", "vierzig Meilen sind weit"),
    ("de-de", "wie viel kostet ein Pfund"),
    ("fr-fr", "quarante miles, c'est loin"),
    ("es-es", "cuarenta millas es mucho"),
    ("it-it", "quaranta miglia sono tante"),
    ("pt-pt", "quarenta milhas é muito"),
];

#[test]
fn amounts_are_converted_whichever_comes_first() {
    let mut wrong = Vec::new();
    for (lang, text, arguments) in CONVERTED {
        let expected: Value = serde_json::from_str(arguments).expect("JSON");
        let call = heard(&[&SKILL], text, lang).map(|call| Value::Object(call.arguments));
        wrong.extend((call.as_ref() != Some(&expected)).then(|| format!("{text} ({lang}): {call:?}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for (lang, text) in NOT_CONVERTED {
        assert_eq!(heard(&[&SKILL], text, lang), None, "{text} ({lang})");
    }
}
