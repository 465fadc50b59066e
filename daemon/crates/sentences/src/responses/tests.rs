//! Answers as the community writes them.

use super::*;

fn filled(text: &str, given: &Given) -> String {
    let (responses, errors) = Responses::new([("a.b".to_owned(), text)]);
    assert!(errors.is_empty(), "{errors:?}");
    responses.answer("a", "b", given).unwrap()
}

fn lamp(state: &str) -> State {
    State {
        entity_id: "light.lamp".into(),
        name: "lamp".into(),
        state: state.into(),
        attributes: serde_json::json!({"brightness": 40}).as_object().unwrap().clone(),
        ..State::default()
    }
}

#[test]
fn what_was_said_and_found_is_told_in_single_spaces() {
    let mut given = Given {
        matched: vec![lamp("on")],
        ..Given::default()
    };
    given.slots.insert("area".into(), "kitchen".into());
    let text =
        "{% if query.matched: %}\n  Yes,   {{ state.name }} in {{ slots.area }}\n{% else: %} No {% endif %}";
    assert_eq!(filled(text, &given), "Yes, lamp in kitchen");
    let dark = Given {
        unmatched: vec![lamp("off")],
        matched: Vec::new(),
        ..given
    };
    assert_eq!(filled(text, &dark), "No");
    assert_eq!(
        filled(
            "{{ state_attr(state.entity_id, 'brightness') }}%{{ state_attr('x', 'y') or '' }}",
            &dark
        ),
        "40%"
    );
}

#[test]
fn dates_numbers_and_lists_have_pythons_methods() {
    let given = Given::default().with_date(2026, 11, 27, 4).with_time(8, 5);
    assert_eq!(
        filled(
            "{{ ['Mo','Di','Mi','Do','Fr'][slots.date.weekday()] }} {{ '{0:02d}'.format(slots.time.minute) }}",
            &given
        ),
        "Fr 05"
    );
    let grown = "{% set parts = namespace(values=[]) %}{% set _ = parts.values.append('a') %}{% set _ = parts.values.append('b') %}{{ parts.values | join('-') }}";
    assert_eq!(filled(grown, &given), "a-b");
    assert_eq!(
        filled(
            "{{ (2.0).is_integer() }} {{ dict.fromkeys(['a', 'a', 'b']) | count }} {{ 2 ** 3 }}",
            &given
        ),
        "True 2 8"
    );
}

#[test]
fn what_cannot_be_said_is_named() {
    let (responses, errors) = Responses::new([
        ("a.b".to_owned(), "{% if %}"),
        ("a.c".to_owned(), "{{ 1.nothing() }}"),
    ]);
    assert_eq!(errors[0].to_string(), "failed to read the response `a.b`");
    let told = |key: &str| {
        responses
            .answer("a", key, &Given::default())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(told("b"), "failed to find the response `a.b`");
    assert_eq!(told("c"), "failed to fill the response `a.c`");
}

#[test]
fn hostile_templates_end() {
    let endless = "{% for a in range(9999) %}{% for b in range(9999) %}{{ a * b }}{% endfor %}{% endfor %}";
    let (responses, _) = Responses::new([("a.b".to_owned(), endless)]);
    assert!(responses.answer("a", "b", &Given::default()).is_err());
}
