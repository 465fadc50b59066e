//! The toolboxes through the port that turns use: what they promise, and that no argument hurts them.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a failed expectation is how a test fails"
)]

use std::sync::Arc;
use std::time::Duration;

use loquat_agent::toolbox::{Circumstances, ToolError, Toolbox};
use loquat_skills::services::AllowedServices;
use loquat_skills::{Resources, TOOLBOXES, ToolboxSettingsError};
use proptest::prelude::*;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Map, Value, json};
use tokio::runtime::{Builder, Runtime};

fn find(id: &str, settings: &Map<String, Value>) -> Option<Result<Arc<dyn Toolbox>, ToolboxSettingsError>> {
    let services = AllowedServices::try_from(vec!["radio.service".to_owned()]).expect("a service");
    let resources = Resources::volatile(Arc::new(loquat_skills::locales())).with_services(services);
    loquat_skills::find(id, settings, &resources)
}

fn call(toolbox: &str, tool: &str, arguments: Value) -> Result<Map<String, Value>, ToolError> {
    let toolbox = find(toolbox, &Map::new())
        .expect("a toolbox")
        .expect("no settings");
    let arguments = serde_json::from_value(arguments).expect("an object");
    let person = Circumstances {
        time_zone: Some("Asia/Tokyo".to_owned()),
        ..Circumstances::default()
    };
    runtime()
        .block_on(toolbox.call(tool, arguments, &person))
        .map(|outcome| outcome.result)
}

fn runtime() -> Runtime {
    Builder::new_current_thread().build().expect("a runtime")
}

fn complaint(toolbox: &str, tool: &str, arguments: Value) -> String {
    match call(toolbox, tool, arguments) {
        Err(ToolError::Reply { class, message, .. }) => format!("{class}: {message}"),
        other => panic!("no complaint but {other:?}"),
    }
}

#[test]
fn every_listed_toolbox_is_found_under_its_id() {
    for id in TOOLBOXES {
        let toolbox = find(id, &Map::new()).expect(id).expect("no settings");
        assert_eq!(toolbox.id(), id);
        // What tools these have depends on files of the device, and on the home.
        let is_dynamic = [loquat_skills::skill_md::ID, loquat_skills::home::ID].contains(&id);
        assert!(is_dynamic || !toolbox.tools().is_empty());
        assert!(toolbox.tools().iter().all(|tool| tool.toolbox_id == id));
    }
    assert!(find("ovos-unknown-tools", &Map::new()).is_none());
}

#[test]
fn unknown_settings_are_all_named() {
    let settings = serde_json::from_value(json!({"zone": "UTC", "format": 1})).expect("an object");
    let refused = find("ovos-clock-tools", &settings)
        .expect("a toolbox")
        .expect_err("unknown settings");
    let ToolboxSettingsError::UnknownKeys { ref keys, .. } = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(keys.len(), 2);
    let text = refused.to_string();
    assert!(
        text.contains("'zone'") && text.contains("'format'") && text.contains("ovos-clock-tools"),
        "{text}"
    );
}

#[test]
fn descriptors_are_as_published() {
    let mut published = Map::new();
    for id in TOOLBOXES {
        for tool in find(id, &Map::new())
            .expect(id)
            .expect("no settings")
            .tools()
            .iter()
            .filter(|tool| !tool.only_undoes)
        {
            let shown = json!({
                "description": tool.description,
                "arguments": tool.argument_schema,
                "output": tool.output_schema,
            });
            published.insert(format!("{id}/{}", tool.name), shown);
        }
    }
    let expected: Value = serde_json::from_str(include_str!("toolboxes/descriptors.json")).expect("JSON");
    let shown = serde_json::to_string_pretty(&published).expect("JSON");
    assert_eq!(
        Value::Object(published),
        expected,
        "if this is meant, put it into descriptors.json:\n{shown}"
    );
}

#[test]
fn descriptors_are_small() {
    for id in TOOLBOXES {
        for tool in find(id, &Map::new())
            .expect(id)
            .expect("no settings")
            .tools()
            .iter()
        {
            let schema = tool.argument_schema.to_string();
            assert!(
                !["$schema", "$ref", "$defs", "title", "format"]
                    .iter()
                    .any(|key| schema.contains(key)),
                "{schema}"
            );
            assert!(
                schema.len() < 420,
                "{} characters for {}: {schema}",
                schema.len(),
                tool.name
            );
            assert!(
                tool.description.len() < 120 && !tool.description.contains('\n'),
                "{}",
                tool.description
            );
        }
    }
}

#[test]
fn an_equation_in_the_wrong_tool_is_solved_in_words() {
    let found = call(
        "ovos-math-tools",
        "evaluate_expression",
        json!({"expression": "3x + 7 = 40"}),
    );
    let expected =
        json!({"spoken": "the solution of 3x + 7 = 40 is 11", "result": 11, "expression": "3x + 7 = 40"});
    assert_eq!(Value::Object(found.expect("a solution")), expected);
}

#[test]
fn comparisons_are_told_as_true_or_false() {
    for (expression, expected) in [("2028 % 4 == 0", true), ("isprime(91)", false)] {
        let found = call(
            "ovos-math-tools",
            "evaluate_expression",
            json!({"expression": expression}),
        );
        assert_eq!(found.expect("a truth")["result"], json!(expected), "{expression}");
    }
}

#[test]
fn results_are_json_numbers() {
    let found = call(
        "ovos-math-tools",
        "evaluate_expression",
        json!({"expression": "17 percent of 2,450"}),
    );
    assert_eq!(
        Value::Object(found.expect("a value")),
        json!({"result": 416.5, "expression": "17 percent of 2,450"})
    );
    let found = call(
        "ovos-math-tools",
        "evaluate_expression",
        json!({"expression": "100*1.15"}),
    )
    .expect("a value");
    assert_eq!(found["result"], json!(115));
    let found = call(
        "ovos-math-tools",
        "unit_convert",
        json!({"value": 5, "from_unit": "miles", "to_unit": "km"}),
    );
    let expected = json!({
        "result": 8.04672, "rounded": 8.05, "from_unit": "miles", "to_unit": "kilometers", "category": "length",
    });
    assert_eq!(Value::Object(found.expect("a value")), expected);
    let found = call(
        "ovos-math-tools",
        "statistics_summary",
        json!({"numbers": [1, 2, 3, 4]}),
    )
    .expect("figures");
    assert_eq!(found["mean"], json!(2.5));
    assert_eq!(found["total"], json!(10));
    assert_eq!(found["count"], json!(4));
    let found = call(
        "ovos-math-tools",
        "solve_equation",
        json!({"equation": "x^2 = 2x"}),
    )
    .expect("solutions");
    let expected = json!({
        "spoken": "the solutions of x^2 = 2x are 0 and 2",
        "solutions": [0, 2],
        "equation": "x^2 = 2x",
        "method": "symbolic",
    });
    assert_eq!(Value::Object(found), expected);
}

#[test]
fn the_person_s_units_are_the_default() {
    let toolbox = find("ovos-math-tools", &Map::new())
        .expect("a toolbox")
        .expect("no settings");
    for (units, expected) in [("metric", "degrees Celsius"), ("imperial", "degrees Celsius")] {
        let person = Circumstances {
            units: Some(units.to_owned()),
            ..Circumstances::default()
        };
        let arguments = serde_json::from_value(json!({"value": 50, "from_unit": "F"})).expect("an object");
        let found = runtime()
            .block_on(toolbox.call("unit_convert", arguments, &person))
            .expect("a value");
        assert_eq!(found.result["to_unit"], expected);
        assert_eq!(found.result["result"], json!(10));
    }
}

#[test]
fn wrong_arguments_are_named() {
    let cases = [
        (
            "evaluate_expression",
            json!({}),
            "ValueError: missing field `expression`",
        ),
        (
            "evaluate_expression",
            json!({"expression": 5}),
            "ValueError: expression: invalid type: integer `5`, expected a string",
        ),
        (
            "statistics_summary",
            json!({"numbers": [1, "two"]}),
            "ValueError: numbers[1]: invalid type: string \"two\", expected f64",
        ),
        (
            "statistics_summary",
            json!({"numbers": []}),
            "ValueError: numbers: at least one number is needed",
        ),
        (
            "evaluate_expression",
            json!({"expression": "2 +"}),
            "ValueError: expression: at character 4: expected a number, a function or '(', found the end",
        ),
        (
            "unit_convert",
            json!({"value": 1, "from_unit": "mb", "to_unit": "bits"}),
            "ValueError: unit_convert: 'mb' can mean megabits or megabytes; write one of them",
        ),
        (
            "guess",
            json!({}),
            "LookupError: no tool 'guess' in toolbox 'ovos-math-tools'; it has evaluate_expression, unit_convert, \
             statistics_summary, solve_equation",
        ),
    ];
    for (tool, arguments, expected) in cases {
        assert_eq!(complaint("ovos-math-tools", tool, arguments), expected);
    }
}

/// The most processor time that a call may take, unoptimised; optimised it is a tenth of a second at most.
const PATIENCE: Duration = Duration::from_secs(5);

/// The time for which the processor has worked for this thread, on which the tools run.
fn worked() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("a clock that counts upwards")
}

fn within_patience(toolbox: &str, tool: &str, arguments: Value) {
    let before = worked();
    let shown = arguments.to_string();
    drop(call(toolbox, tool, arguments));
    let took = worked().saturating_sub(before);
    assert!(took < PATIENCE, "{tool} took {took:?} for {shown}");
}

#[test]
fn hard_texts_take_no_time() {
    let nested = format!("{}x{}", "sqrt(".repeat(60), ")".repeat(60));
    let texts = [
        "9**9**9**9**9".to_owned(),
        "factorial(170)".repeat(20),
        "((((((((((2**99)**99)**99)**99)**99)**99)**99)**99)**99)**99)".to_owned(),
        format!("{nested} = 1.5"),
        format!("sin(1000x){}", " + sin(x)".repeat(60)),
        "(x + 1)^16 (x - 1)^16".to_owned(),
        format!("1{}", "/(1 + x".repeat(40)) + &")".repeat(40),
        "max(".repeat(500),
        "1,".repeat(500),
        "a".repeat(100_000),
        "in ".repeat(300),
        "5 km in ".repeat(100),
        "weeks until ".repeat(80),
        "1 may ".repeat(150),
        "$".repeat(390),
        "1 km!".to_owned() + &"!".repeat(390),
        "1 km".to_owned() + &" + 1 km".repeat(130),
        "sort ".to_owned() + &"1 km, ".repeat(130),
        "max of ".repeat(60) + "1, 2",
        "%".repeat(100_000),
    ];
    for text in texts {
        within_patience(
            "ovos-math-tools",
            "evaluate_expression",
            json!({"expression": text}),
        );
        within_patience("ovos-math-tools", "solve_equation", json!({"equation": text}));
        within_patience(
            "ovos-math-tools",
            "unit_convert",
            json!({"value": 1, "from_unit": text, "to_unit": text}),
        );
        within_patience(
            "ovos-clock-tools",
            "get_current_datetime",
            json!({"timezone": text}),
        );
        within_patience(
            "ovos-clock-tools",
            "convert_time",
            json!({"time": text, "from": text, "to": text}),
        );
        within_patience(
            "ovos-clock-tools",
            "days_until",
            json!({"date": text, "from": text}),
        );
        within_patience(
            "loquat-list-tools",
            "add_to_list",
            json!({"items": text, "list": text}),
        );
    }
}

/// Texts that look like arithmetic, so that they get far into the parser.
fn arithmetic() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "1",
        "2.5",
        "2,450",
        "170",
        "1e308",
        "0",
        "x",
        "e",
        "pi",
        "+",
        "-",
        "*",
        "/",
        "//",
        "%",
        "**",
        "^",
        "!",
        "(",
        ")",
        ",",
        " ",
        "=",
        "sqrt",
        "max",
        "round",
        "factorial",
        "log",
        "gcd",
        "percent",
        "of",
        "off",
        "\u{b2}",
        ";",
        " in ",
        "cm",
        " weeks ",
        "until ",
        "christmas",
        "18:30",
        "2026-12-25",
        " and ",
        "sort ",
        "$",
        "C",
        "since ",
        "ago",
        "9999999999",
        "left ",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn no_arithmetic_panics_or_is_not_a_number(text in arithmetic()) {
        if let Ok(found) = call("ovos-math-tools", "evaluate_expression", json!({"expression": text})) {
            let is_no_number = found["result"].as_f64().is_some_and(|number| !number.is_finite());
            prop_assert!(!is_no_number && !found["result"].is_null(), "{text}: {found:?}");
        }
        within_patience("ovos-math-tools", "solve_equation", json!({"equation": text}));
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,40}", other in "\\PC{0,20}") {
        within_patience("ovos-math-tools", "evaluate_expression", json!({"expression": text}));
        within_patience("ovos-math-tools", "solve_equation", json!({"equation": text}));
        within_patience("ovos-math-tools", "unit_convert", json!({"value": 1, "from_unit": text, "to_unit": other}));
        within_patience("ovos-clock-tools", "get_current_datetime", json!({"timezone": text}));
        within_patience("ovos-clock-tools", "convert_time", json!({"time": text, "from": other}));
        within_patience("ovos-clock-tools", "days_until", json!({"date": text, "from": other}));
        within_patience("loquat-list-tools", "add_to_list", json!({"items": text, "list": other}));
        within_patience("loquat-list-tools", "read_list", json!({"list": text}));
    }

    #[test]
    fn sums_of_cents_are_exact(cents in prop::collection::vec(0_i64..10_000_000, 1..20)) {
        let terms: Vec<String> = cents.iter().map(|cents| format!("{}.{:02}", cents / 100, cents % 100)).collect();
        let found = call("ovos-math-tools", "evaluate_expression", json!({"expression": terms.join(" + ")}));
        let total = cents.iter().sum::<i64>();
        let expected: f64 = format!("{}.{:02}", total / 100, total % 100).parse().expect("a number");
        prop_assert_eq!(found.expect("a sum")["result"].as_f64(), Some(expected));
    }

    #[test]
    fn whole_roots_of_cubics_are_found(mut roots in prop::collection::vec(-50_i64..50, 3)) {
        let [a, b, c] = roots.as_slice() else { panic!("three roots") };
        let equation = format!("(x - ({a}))(x - ({b}))(x - ({c})) = 0");
        let found = call("ovos-math-tools", "solve_equation", json!({"equation": equation})).expect("solutions");
        roots.sort_unstable();
        roots.dedup();
        prop_assert_eq!(&found["solutions"], &json!(roots), "{}", equation);
    }

    #[test]
    fn every_conversion_comes_back(value in -1.0e6..1.0e6_f64, pair in prop::sample::select(vec![
        ("mile", "km"), ("lb", "g"), ("gallon", "ml"), ("mph", "knots"), ("acre", "square meter"), ("GiB", "Mbit"),
        ("week", "ms"), ("\u{b0}F", "\u{b0}C"),
    ])) {
        let (from, to) = pair;
        let there = json!({"value": value, "from_unit": from, "to_unit": to});
        let Ok(there) = call("ovos-math-tools", "unit_convert", there) else { return Ok(()) };
        let back = json!({"value": there["result"], "from_unit": to, "to_unit": from});
        let back = call("ovos-math-tools", "unit_convert", back).expect("the way back");
        let back = back["result"].as_f64().expect("a number");
        prop_assert!((back - value).abs() <= 1e-9 * value.abs().max(1.0), "{value} {from} came back as {back}");
    }
}
