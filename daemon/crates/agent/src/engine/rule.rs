//! Rules that judge an answer without asking anybody.

use std::collections::HashSet;

use serde_json::{Map, Value};

use loquat_conversation::dialect::phase::Judgement;
use loquat_conversation::setting::whole;

/// Judges by all rules that there are: `contains` and `lacks` (texts, in any case), `max_words`, `has_number`,
/// `used_tool` (any tool, or the one of that name).
pub(super) fn judge(rules: &Map<String, Value>, answer: &str, trajectory: &str) -> Judgement {
    let broken = rules
        .iter()
        .find_map(|(name, rule)| broken(name, rule, answer, trajectory));
    Judgement {
        good: broken.is_none(),
        why: broken.unwrap_or_default(),
    }
}

/// Says what is wrong with the answer by one rule.
fn broken(name: &str, rule: &Value, answer: &str, trajectory: &str) -> Option<String> {
    let has = |text: &str| answer.to_lowercase().contains(&text.to_lowercase());
    match name {
        "contains" => texts(rule)
            .find(|text| !has(text))
            .map(|text| format!("the answer has to contain {text:?}")),
        "lacks" => texts(rule)
            .find(|text| has(text))
            .map(|text| format!("the answer must not contain {text:?}")),
        "max_words" => {
            let most = whole(rule)? as usize;
            (answer.split_whitespace().count() > most)
                .then(|| format!("the answer has more than {most} words"))
        }
        "has_number" if *rule == Value::Bool(true) => {
            (!answer.chars().any(char::is_numeric)).then(|| "the answer has to contain a number".to_owned())
        }
        "used_tool" => match rule {
            Value::Bool(true) if trajectory.is_empty() => Some("a tool has to be used".to_owned()),
            Value::String(tool)
                if !trajectory
                    .lines()
                    .any(|line| line.starts_with(&format!("{tool}("))) =>
            {
                Some(format!("the tool {tool} has to be used"))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Reads one text or a list of them.
fn texts(rule: &Value) -> impl Iterator<Item = &str> {
    let list = rule.as_array().map(Vec::as_slice).unwrap_or_default();
    rule.as_str()
        .into_iter()
        .chain(list.iter().filter_map(Value::as_str))
}

/// Tells whether an answer tells a figure that the question did not hold, and no such figure that the trajectory does
/// not.
pub(super) fn tells(question: &str, answer: &str, trajectory: &str) -> bool {
    let asked: HashSet<String> = figures(question).collect();
    let found: HashSet<String> = figures(trajectory).collect();
    let mut told = figures(answer)
        .filter(|figure| !asked.contains(figure))
        .peekable();
    told.peek().is_some() && told.all(|figure| found.contains(&figure))
}

/// The figures in a text, without the commas between thousands and zeros that mean nothing.
fn figures(text: &str) -> impl Iterator<Item = String> {
    let is_figure = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | ':');
    let bare = |figure: &str| {
        let figure = figure.trim_matches(['.', ',', ':']).replace(',', "");
        figure
            .parse()
            .map(|number: f64| number.to_string())
            .unwrap_or(figure)
    };
    text.split(move |c| !is_figure(c))
        .map(bare)
        .filter(|figure| !figure.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_rule_can_break() {
        let good = |rules: Value| judge(rules.as_object().unwrap(), "It is 5 metres.", "add({}) gave 5").good;
        assert!(good(
            json!({"contains": "METRES", "lacks": ["feet"], "max_words": 4, "has_number": true})
        ));
        assert!(good(json!({"used_tool": true})) && good(json!({"used_tool": "add"})));
        for rules in [
            json!({"contains": ["metres", "feet"]}),
            json!({"lacks": "metres"}),
            json!({"max_words": 3}),
            json!({"used_tool": "lookup"}),
        ] {
            assert!(!good(rules.clone()), "{rules}");
        }
        assert!(!judge(json!({"has_number": true}).as_object().unwrap(), "Five.", "").good);
    }

    #[test]
    fn an_answer_tells_what_was_found_or_something_else() {
        let found = "evaluate(17% of 3650) gave {\"result\":1620.5,\"time\":\"5:04 AM\"}";
        for (answer, told) in [
            ("It is 1,620.5.", true),
            ("17 percent of 3,650 is 1620.5", true),
            ("It is 5:04 AM.", true),
            ("It is 1620.5, or 12.", false),
            ("17 percent of 3,650.", false),
            ("I cannot do that.", false),
        ] {
            assert_eq!(
                tells("What is 17 percent of 3,650?", answer, found),
                told,
                "{answer}"
            );
        }
    }
}
