//! Judges calls as the leaderboard does: the right tools, each argument with one of the values that count as right, and no call
//! beside them. Makes no call.

use serde_json::{Map, Value};

use super::case::{Case, Truth};
use crate::decoding::Wanted;

/// Judges the calls of a case. Calls that are wanted together may come in any order; where no tool helps, none may be made.
pub fn is_right(case: &Case, calls: &[Wanted]) -> bool {
    if case.truth.iter().any(|truth| truth.options.is_none()) {
        let is_wanted = |call: &Wanted| case.truth.iter().any(|truth| truth.tool == call.tool);
        return !calls.is_empty() && calls.iter().all(is_wanted);
    }
    if calls.len() != case.truth.len() {
        return false;
    }
    let mut open: Vec<&Truth> = case.truth.iter().collect();
    calls.iter().all(|call| {
        let place = open.iter().position(|truth| is_met(truth, call));
        place.map(|place| open.remove(place)).is_some()
    })
}

fn is_met(truth: &Truth, call: &Wanted) -> bool {
    let are_met = |options| are_met(options, &call.arguments);
    truth.tool == call.tool && truth.options.as_ref().is_none_or(are_met)
}

/// Tells whether each member is one of its options, and each that is left out may be.
fn are_met(options: &Map<String, Value>, members: &Map<String, Value>) -> bool {
    let known =
        |(name, value): (&String, &Value)| options.get(name).is_some_and(|options| is_among(value, options));
    let may_lack = |(name, options): (&String, &Value)| {
        members.contains_key(name) || is_among(&Value::from(""), options)
    };
    members.iter().all(known) && options.iter().all(may_lack)
}

fn is_among(value: &Value, options: &Value) -> bool {
    let options = options.as_array().into_iter().flatten();
    options.into_iter().any(|option| is_same(value, option))
}

/// Compares texts by their letters and digits, numbers by their value, lists by their items, and objects by their members' options.
fn is_same(value: &Value, option: &Value) -> bool {
    match (value, option) {
        (Value::String(value), Value::String(option)) => bare(value) == bare(option),
        (Value::Number(value), Value::Number(option)) => value.as_f64() == option.as_f64(),
        (Value::Array(items), Value::Array(wanted)) => {
            items.len() == wanted.len()
                && items
                    .iter()
                    .zip(wanted)
                    .all(|(item, wanted)| is_same(item, wanted))
        }
        (Value::Object(members), Value::Object(options)) => are_met(options, members),
        _ => value == option,
    }
}

/// A text without case, spaces and the marks that the leaderboard does not look at.
fn bare(text: &str) -> String {
    let kept = text.chars().filter(|letter| !" ,./-_*^".contains(*letter));
    kept.collect::<String>().to_lowercase().replace('\'', "\"")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn case(truth: &[(&str, Value)]) -> Case {
        let truth = truth.iter().map(|(tool, options)| Truth {
            tool: (*tool).to_owned(),
            options: options.as_object().cloned(),
        });
        Case {
            category: 0,
            question: String::new(),
            tools: Vec::new(),
            truth: truth.collect(),
        }
    }

    fn call(tool: &str, arguments: &Value) -> Wanted {
        Wanted {
            tool: tool.to_owned(),
            arguments: arguments.as_object().cloned().unwrap(),
        }
    }

    #[test]
    fn a_call_is_right_with_one_of_the_values_for_each_argument() {
        let case = case(&[(
            "area",
            json!({"base": [6, 6.0], "unit": ["cm", "centi-metres", ""]}),
        )]);
        for (arguments, right) in [
            (json!({"base": 6}), true),
            (json!({"base": 6.0, "unit": "Centi Metres"}), true),
            (json!({"base": "6"}), false),
            (json!({"base": 7}), false),
            (json!({"unit": "cm"}), false),
            (json!({"base": 6, "height": 2}), false),
        ] {
            assert_eq!(is_right(&case, &[call("area", &arguments)]), right, "{arguments}");
        }
        assert!(!is_right(&case, &[call("volume", &json!({"base": 6}))]));
        assert!(!is_right(&case, &[]));
    }

    #[test]
    fn only_the_tools_count_where_no_arguments_are_known() {
        let mut case = case(&[("area", json!({}))]);
        case.truth[0].options = None;
        let [right, wrong] = ["area", "volume"].map(|tool| call(tool, &json!({"of": "it"})));
        assert!(is_right(&case, &[right.clone(), right.clone()]));
        assert!(!is_right(&case, &[right, wrong]));
        assert!(!is_right(&case, &[]));
    }

    #[test]
    fn lists_and_objects_are_compared_by_what_they_hold() {
        let options =
            json!({"points": [[[1, 2], [3, 4]]], "order": [{"dish": ["soup"], "size": ["large", ""]}]});
        let case = case(&[("plan", options)]);
        let right = json!({"points": [[1, 2], [3, 4.0]], "order": {"dish": "Soup"}});
        assert!(is_right(&case, &[call("plan", &right)]));
        let wrong = json!({"points": [[1, 2]], "order": {"dish": "Soup"}});
        assert!(!is_right(&case, &[call("plan", &wrong)]));
    }

    #[test]
    fn calls_that_are_wanted_together_may_come_in_any_order_and_each_once() {
        let pair = case(&[("get", json!({"of": ["a"]})), ("get", json!({"of": ["b"]}))]);
        let [first, second] = ["a", "b"].map(|of| call("get", &json!({"of": of})));
        assert!(is_right(&pair, &[second, first.clone()]));
        assert!(!is_right(&pair, &[first.clone(), first.clone()]));
        assert!(is_right(&case(&[]), &[]));
        assert!(!is_right(&case(&[]), &[first]));
    }
}
