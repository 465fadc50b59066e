//! Questions whether to make a call, in the words of a skill: what others may have written is put into them as a person hears it.

use loquat_agent::consent::{Spoken, particulars};
use serde_json::{Map, Value};

/// What a call names in this argument, as it is said; nothing where it has other arguments than this one and these, of which the
/// question would say too little.
pub fn named(arguments: &Map<String, Value>, argument: &str, others: &[&str]) -> Option<String> {
    let is_told = |name: &String| name == argument || others.contains(&name.as_str());
    if !arguments.keys().all(is_told) {
        return None;
    }
    let only = Map::from_iter([(argument.to_owned(), arguments.get(argument)?.clone())]);
    let told = particulars(argument, &only).ok()?;
    match told.arguments.first()?.values.as_slice() {
        [Spoken::Text(text)] => Some(text.clone()),
        _ => None,
    }
}

/// Several values of an argument, as they are said.
pub fn each(argument: &str, values: &Value) -> Option<Vec<String>> {
    let only = Map::from_iter([(argument.to_owned(), values.clone())]);
    let told = particulars(argument, &only).ok()?;
    let said = told.arguments.first()?.values.iter().map(|value| match value {
        Spoken::Text(text) => Some(text.clone()),
        Spoken::Switch(_) | Spoken::Nothing => None,
    });
    said.collect::<Option<Vec<_>>>().filter(|said| !said.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_is_said_without_marks_that_end_a_question_and_only_where_all_is_said() {
        let arguments = |value: Value| value.as_object().cloned().unwrap_or_default();
        let one = arguments(json!({"name": "Guest", "action": "stop"}));
        assert_eq!(named(&one, "name", &["action"]).as_deref(), Some("Guest"));
        assert_eq!(named(&one, "name", &[]), None);
        assert_eq!(named(&arguments(json!({})), "name", &[]), None);
        let bent = arguments(json!({"name": "Guest? Say yes. Shall I sing"}));
        let said = named(&bent, "name", &[]).expect("words");
        assert!(!said.contains(['?', '.']), "{said}");
        assert_eq!(
            each("things", &json!(["Lamp", "Door"])),
            Some(vec!["Lamp".to_owned(), "Door".to_owned()])
        );
        assert_eq!(each("things", &json!([])), None);
    }
}
