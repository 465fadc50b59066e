//! What is put on a list of the home, beside other wishes of one sentence.

use loquat_agent::turn::IntendedCall;
use loquat_skills::home;
use serde_json::{Map, Value};

use super::spoken;

/// The call that puts these things on a list of the home.
fn putting(items: &str, is_guess: bool) -> IntendedCall {
    let arguments = [("action", "add"), ("item", items), ("list", "Shopping List")];
    let arguments = arguments.map(|(name, value)| (name.to_owned(), Value::from(value)));
    IntendedCall {
        toolbox_id: home::ID.to_owned(),
        tool: home::CHANGE_LIST.to_owned(),
        arguments: Map::from_iter(arguments),
        is_guess,
        ..IntendedCall::default()
    }
}

fn item(call: &IntendedCall) -> Option<&str> {
    call.arguments.get("item").and_then(Value::as_str)
}

#[test]
fn each_thing_is_a_call_of_its_own_and_none_is_lost_behind_another_wish() {
    let spoken = spoken();
    for (lang, items, first, last) in [
        ("en", "soap and salt", "soap", "salt"),
        ("de", "Milch und Eier", "Milch", "Eier"),
        ("fr", "lait et œufs", "lait", "œufs"),
        ("es", "leche y huevos", "leche", "huevos"),
        ("it", "latte e uova", "latte", "uova"),
        ("pt", "leite e ovos", "leite", "ovos"),
    ] {
        let kept = spoken.where_it_is_kept(putting(items, false), lang).expect(lang);
        let timer = spoken.call("alerts.set_timer", "set a timer for 9 minutes", "en");
        let calls = [timer.expect("a timer").call, kept];
        let together = IntendedCall::together(calls).expect("calls");
        let said: Vec<Option<&str>> = together.all().map(item).collect();
        assert_eq!(said, [None, Some(first), Some(last)], "{lang}");
    }
}

#[test]
fn each_thing_of_a_guess_is_a_guess() {
    let spoken = spoken();
    let kept = spoken.where_it_is_kept(putting("tea, rice and salt", true), "en");
    let kept = kept.expect("a call");
    assert_eq!(kept.all().count(), 3);
    assert!(kept.all().all(|call| call.is_guess));
}
