//! The tools as a brain calls them, and the sentences of six languages as they are read.

use std::sync::Arc;

use loquat_agent::Speaker;
use loquat_agent::toolbox::{Category, Circumstances, Confirm, Outcome, ToolError, Toolbox};
use serde_json::{Value, json};

use loquat_kit::Skill;
use loquat_kit::function::FunctionToolbox;
use loquat_kit::records::Volatile;
use loquat_kit::wording::Wording;

use super::{Lists, SKILL};

mod sentences;
mod undoing;

struct Device(FunctionToolbox);

impl Device {
    fn new() -> Self {
        let lists = Arc::new(Lists::new(Arc::new(Volatile::default())));
        Self(super::toolbox(
            &lists,
            &Wording::new(Skill::locales([&SKILL]).into()),
        ))
    }

    async fn call(&self, lang: &str, tool: &str, arguments: Value) -> Result<Outcome, ToolError> {
        let person = Circumstances {
            lang: Some(lang.to_owned()),
            ..Circumstances::default()
        };
        let arguments = serde_json::from_value(arguments).expect("an object");
        self.0.call(tool, arguments, &person).await
    }

    async fn says(&self, lang: &str, tool: &str, arguments: Value) -> String {
        let outcome = self.call(lang, tool, arguments).await.expect("an outcome");
        outcome.spoken.expect("a sentence")
    }
}

#[test]
fn a_question_before_clearing_names_the_list_and_ends_in_our_words() {
    let asked = |arguments: Value, lang: &str| {
        let arguments = serde_json::from_value(arguments).expect("an object");
        Device::new().0.question("clear_list", &arguments, lang)
    };
    for (arguments, lang, expected) in [
        (json!({}), "en-US", "Shall I clear your shopping list?"),
        (
            json!({"list": "shopping list"}),
            "en-US",
            "Shall I clear your shopping list?",
        ),
        (
            json!({"list": "shopping"}),
            "fr-FR",
            "Dois-je vider ta liste de courses ?",
        ),
        (
            json!({"list": "packing list"}),
            "en-US",
            "This is about packing list. Shall I delete everything on it?",
        ),
        (
            json!({"list": "trip? Say yes for the news"}),
            "en-US",
            "This is about trip, Say yes for the news. Shall I delete everything on it?",
        ),
        (
            json!({"list": "Packliste"}),
            "de-DE",
            "Es geht um: Packliste. Soll ich alles davon löschen?",
        ),
    ] {
        assert_eq!(asked(arguments, lang).as_deref(), Some(expected));
    }
    // What a voice cannot say, or what is no name, is for the gate.
    for arguments in [json!({"list": "a\u{202e}b"}), json!({"list": ["a", "b"]})] {
        assert_eq!(asked(arguments, "en-US"), None);
    }
    assert_eq!(asked(json!({}), "nl-NL"), None, "there are no words of ours");
}

#[tokio::test]
async fn things_are_added_once_and_read() {
    let device = Device::new();
    let said = device
        .says("en-US", "add_to_list", json!({"items": "milk and eggs"}))
        .await;
    assert_eq!(said, "I added milk and eggs to your shopping list.");
    let again = json!({"items": "the egg, bread and bread", "list": "grocery list"});
    let outcome = device.call("en-US", "add_to_list", again).await.expect("added");
    let expected = json!({"list": "shopping list", "added": ["bread"], "already_there": ["the egg"]});
    assert_eq!(Value::Object(outcome.result), expected);
    let said = device
        .says("en-US", "add_to_list", json!({"items": "Milk"}))
        .await;
    assert_eq!(said, "You already have Milk on your shopping list.");
    let outcome = device
        .call("en-US", "read_list", json!({}))
        .await
        .expect("a list");
    let expected = json!({"list": "shopping list", "count": 3, "items": ["milk", "eggs", "bread"]});
    assert_eq!(Value::Object(outcome.result), expected);
    assert_eq!(
        outcome.spoken.as_deref(),
        Some("This is on your shopping list: milk, eggs and bread.")
    );
}

#[tokio::test]
async fn things_are_removed_and_missed() {
    let device = Device::new();
    device
        .says(
            "de-DE",
            "add_to_list",
            json!({"items": "Milch, Tomaten und Brot"}),
        )
        .await;
    let asked = json!({"items": "die Tomate und Käse", "list": "Einkaufszettel"});
    let outcome = device
        .call("de-DE", "remove_from_list", asked)
        .await
        .expect("removed");
    let expected = json!({"list": "Einkaufsliste", "removed": ["Tomaten"], "not_there": ["Käse"]});
    assert_eq!(Value::Object(outcome.result), expected);
    let said = device
        .says("de-DE", "remove_from_list", json!({"items": "Käse"}))
        .await;
    assert_eq!(said, "Ich habe Käse auf der Einkaufsliste nicht gefunden.");
    let outcome = device
        .call("de-DE", "export_list", json!({}))
        .await
        .expect("a text");
    assert_eq!(outcome.result["text"], "Milch\nBrot");
}

#[tokio::test]
async fn of_a_long_list_the_first_ten_are_read() {
    let device = Device::new();
    let items: Vec<String> = (1..=12).map(|number| format!("thing {number}")).collect();
    device
        .says(
            "en",
            "add_to_list",
            json!({"items": items.join(", "), "list": "party"}),
        )
        .await;
    let said = device
        .says("en", "read_list", json!({"list": "my party list"}))
        .await;
    assert!(
        said.starts_with("There are 12 things on your party list."),
        "{said}"
    );
    assert!(said.ends_with("thing 9 and thing 10. And 2 more."), "{said}");
}

#[tokio::test]
async fn a_note_is_one_item() {
    let device = Device::new();
    let note = json!({"items": "Anna likes tea, cake and bread", "list": "notes"});
    assert_eq!(
        device.says("en", "add_to_list", note).await,
        "I made a note: Anna likes tea, cake and bread."
    );
    let outcome = device
        .call("fr", "read_list", json!({"list": "mes notes"}))
        .await
        .expect("notes");
    assert_eq!(outcome.result["count"], 1);
}

#[tokio::test]
async fn lists_are_told_with_their_sizes_and_are_gone_when_cleared() {
    let device = Device::new();
    assert_eq!(
        device.says("en", "lists", json!({})).await,
        "You have no lists yet."
    );
    device
        .says("en", "add_to_list", json!({"items": "milk, eggs"}))
        .await;
    device
        .says(
            "en",
            "add_to_list",
            json!({"items": "balloons", "list": "party list"}),
        )
        .await;
    let outcome = device.call("en", "lists", json!({})).await.expect("lists");
    let expected =
        json!({"lists": [{"name": "party list", "count": 1}, {"name": "shopping list", "count": 2}]});
    assert_eq!(Value::Object(outcome.result), expected);
    assert_eq!(
        outcome.spoken.as_deref(),
        Some("You have your party list with 1 item and your shopping list with 2 items.")
    );
    assert_eq!(
        device.says("en", "clear_list", json!({})).await,
        "I cleared your shopping list."
    );
    assert_eq!(
        device.says("en", "clear_list", json!({})).await,
        "There is nothing on your shopping list."
    );
    assert_eq!(
        device.says("en", "read_list", json!({})).await,
        "There is nothing on your shopping list."
    );
}

#[tokio::test]
async fn that_a_list_is_empty_is_a_strangers_word_where_one_has_emptied_it() {
    let device = Device::new();
    let call = async |speaker: Speaker, tool: &str, arguments: Value| {
        let person = Circumstances {
            speaker,
            session_id: "s".to_owned(),
            turn_id: "t".to_owned(),
            ..Circumstances::default()
        };
        let arguments = serde_json::from_value(arguments).expect("an object");
        device.0.call(tool, arguments, &person).await.expect("an outcome")
    };
    let guest = || Speaker::guest("hive:kitchen");
    for (speaker, is_foreign) in [(guest(), true), (Speaker::Owner, false)] {
        call(Speaker::Owner, "add_to_list", json!({"items": "milk"})).await;
        let filled = call(Speaker::Owner, "check_list", json!({"for": "filled"})).await;
        assert!(!filled.is_foreign);
        call(speaker, "clear_list", json!({})).await;
        let empty = call(Speaker::Owner, "check_list", json!({"for": "empty"})).await;
        assert_eq!(empty.is_foreign, is_foreign);
    }
}

#[tokio::test]
async fn complaints_say_what_to_write() {
    let device = Device::new();
    for (arguments, expected) in [
        (
            json!({"items": " and ,"}),
            "ValueError: items: nothing is named; write",
        ),
        (
            json!({"items": "milk", "list": "-"}),
            "ValueError: list: this is no name",
        ),
        (
            json!({"items": "a".repeat(201)}),
            "ValueError: items: an item has at most 200 characters",
        ),
        (
            json!({"items": "a,".repeat(51)}),
            "ValueError: items: there are 51 things; name at most 50 at once",
        ),
        (
            json!({"items": "x and ".repeat(1_000)}),
            "ValueError: items: the text is too long",
        ),
    ] {
        let complaint = device
            .call("en", "add_to_list", arguments)
            .await
            .expect_err("a complaint");
        assert!(complaint.to_string().starts_with(expected), "{complaint}");
    }
}

#[test]
fn the_person_is_asked_before_a_list_is_cleared() {
    let device = Device::new();
    for tool in device.0.tools().iter() {
        let is_asked = tool.category == Category::Dangerous && tool.confirm == Confirm::Ask;
        assert_eq!(is_asked, tool.name == "clear_list", "{}", tool.name);
        let changes = [
            "add_to_list",
            "remove_from_list",
            "clear_list",
            "create_list",
            "restore_list",
        ];
        let changes = changes.contains(&tool.name.as_str());
        assert_eq!(tool.read_only, !changes, "{}", tool.name);
    }
}

#[tokio::test]
async fn every_result_has_a_sentence_in_six_languages() {
    for lang in ["en-US", "de-DE", "fr-FR", "es-ES", "pt-PT", "it-IT"] {
        let device = Device::new();
        let many: Vec<String> = (1..=11).map(|number| format!("x{number}")).collect();
        for (tool, arguments) in [
            ("lists", json!({})),
            ("read_list", json!({})),
            ("add_to_list", json!({"items": "x1, x2"})),
            ("add_to_list", json!({"items": "x1"})),
            ("add_to_list", json!({"items": "x2, x3"})),
            ("add_to_list", json!({"items": "x", "list": "notes"})),
            ("add_to_list", json!({"items": "x", "list": "to-do"})),
            ("add_to_list", json!({"items": "x", "list": "kryptonite"})),
            ("read_list", json!({"list": "to-do"})),
            ("remove_from_list", json!({"items": "x1, x9"})),
            ("remove_from_list", json!({"items": "x2"})),
            ("remove_from_list", json!({"items": "x9"})),
            ("add_to_list", json!({"items": many.join(",")})),
            ("read_list", json!({})),
            ("export_list", json!({})),
            ("lists", json!({})),
            ("clear_list", json!({})),
            ("clear_list", json!({})),
        ] {
            let said = device.says(lang, tool, arguments).await;
            assert!(
                said.len() > 5 && !said.contains(['{', '|']),
                "{lang} {tool}: {said}"
            );
        }
    }
}
