//! Each change of a list is taken back with what it gave for that, and what happened since stays.

use serde_json::{Value, json};

use super::Device;

impl Device {
    /// Takes back what this call did; the sentence that tells of it.
    async fn undone(&self, lang: &str, tool: &str, arguments: Value) -> String {
        let outcome = self.call(lang, tool, arguments).await.expect("an outcome");
        self.says(lang, "restore_list", Value::Object(outcome.undo)).await
    }

    async fn items(&self) -> Value {
        let list = self.call("en", "read_list", json!({})).await.expect("a list");
        list.result["items"].clone()
    }
}

#[tokio::test]
async fn what_was_put_on_is_taken_off_and_the_other_way_round() {
    let device = Device::new();
    device
        .says("en", "add_to_list", json!({"items": "milk, bread, tea"}))
        .await;
    let said = device
        .undone("en", "add_to_list", json!({"items": "bread and eggs"}))
        .await;
    assert_eq!(said, "I removed eggs from your shopping list.");
    assert_eq!(device.items().await, json!(["milk", "bread", "tea"]));
    let said = device
        .undone("en", "remove_from_list", json!({"items": "milk and bread"}))
        .await;
    assert_eq!(said, "I added milk and bread to your shopping list.");
    assert_eq!(device.items().await, json!(["milk", "bread", "tea"]));
    let cleared = device.call("en", "clear_list", json!({})).await.expect("cleared");
    device.says("en", "add_to_list", json!({"items": "jam"})).await;
    device
        .says("de", "restore_list", Value::Object(cleared.undo))
        .await;
    assert_eq!(device.items().await, json!(["milk", "bread", "tea", "jam"]));
}

#[tokio::test]
async fn what_changed_nothing_gives_nothing_to_take_back() {
    let device = Device::new();
    device.says("en", "add_to_list", json!({"items": "milk"})).await;
    for (tool, arguments) in [
        ("add_to_list", json!({"items": "milk"})),
        ("remove_from_list", json!({"items": "bread"})),
        ("clear_list", json!({"list": "to-do"})),
    ] {
        let outcome = device.call("en", tool, arguments).await.expect("an outcome");
        assert!(outcome.undo.is_empty(), "{tool}");
    }
    let added = device
        .call("en", "add_to_list", json!({"items": "tea"}))
        .await
        .expect("added");
    device
        .says("en", "remove_from_list", json!({"items": "tea"}))
        .await;
    let gone = device.call("en", "restore_list", Value::Object(added.undo)).await;
    assert!(
        gone.expect_err("nothing is left")
            .to_string()
            .starts_with("LookupError")
    );
}

#[tokio::test]
async fn taking_back_has_a_sentence_in_six_languages() {
    for lang in ["en-US", "de-DE", "fr-FR", "es-ES", "pt-PT", "it-IT"] {
        let device = Device::new();
        let one = json!({"items": "x1"});
        assert!(
            device
                .undone(lang, "add_to_list", one.clone())
                .await
                .contains("x1")
        );
        device.says(lang, "add_to_list", one.clone()).await;
        assert!(device.undone(lang, "remove_from_list", one).await.contains("x1"));
    }
}

#[tokio::test]
async fn a_list_is_made_with_nothing_on_it_and_ends_when_that_is_taken_back() {
    let device = Device::new();
    let list = || json!({"list": "camping list"});
    assert_eq!(
        device.says("en", "create_list", list()).await,
        "I made your camping list."
    );
    assert_eq!(
        device.says("en", "lists", json!({})).await,
        "You have your camping list with 0 items."
    );
    let again = device.call("en", "create_list", list()).await.expect("told");
    assert_eq!(
        again.spoken.as_deref(),
        Some("Your camping list is there already.")
    );
    assert!(again.undo.is_empty());
    assert_eq!(
        device.says("en", "clear_list", list()).await,
        "I cleared your camping list."
    );
    assert_eq!(
        device.undone("en", "create_list", list()).await,
        "Your camping list is gone again."
    );
    assert_eq!(
        device.says("en", "lists", json!({})).await,
        "You have no lists yet."
    );
}
