//! The gaps of what people say.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::{Intents, Locales};

#[test]
fn a_gap_is_a_name() {
    let intents = Intents::new(Arc::new(Locales::embedded()));
    for (intent, slot, expected) in [
        (
            "files.list",
            ("folder", "holiday photos"),
            json!({"path": "holiday photos"}),
        ),
        (
            "files.read",
            ("file", "shopping list"),
            json!({"path": "shopping list"}),
        ),
        (
            "files.find",
            ("name", "shopping list"),
            json!({"glob": "*shopping*list*"}),
        ),
    ] {
        let call = intents.call(intent, "en-US", [slot]).expect("a call");
        assert_eq!(Value::Object(call.arguments), expected);
        let long = (slot.0, "one two three four five six seven");
        assert!(!intents.takes(intent, "en-US", long), "{intent}");
    }
    assert!(!intents.takes("files.find", "en-US", ("name", "../*")));
}
