//! The example of the README is a skill like all others: found, understood and answered in its own words. It is part of no
//! program, only of these tests.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use loquat_agent::toolbox::Circumstances;
use serde_json::{Map, json};

use loquat_trial::heard;

use crate::{Resources, table};

/// All that a skill of one tool, with an intent and a dialog in one language, may take.
const MOST_LINES: usize = 80;

fn lines(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).expect("the folder of the example").flatten();
    let count = |path: &Path| {
        if path.is_dir() {
            lines(path)
        } else {
            fs::read_to_string(path).expect("a text").lines().count()
        }
    };
    entries.map(|entry| count(&entry.path())).sum()
}

#[test]
fn a_skill_is_one_small_folder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("example/spell");
    let count = lines(&folder);
    assert!((20..=MOST_LINES).contains(&count), "{count} lines");
}

#[tokio::test]
async fn it_is_understood_and_answered() {
    let mut skills = table::SKILLS.iter().map(|entry| &entry.skill);
    let example = skills.find(|skill| skill.id == "example-spell-tools");
    let call = heard(
        &[example.expect("the example")],
        "How do you spell loquat?",
        "en-us",
    )
    .expect("a call");
    assert_eq!(call.tool, "spell_word");
    let resources = Resources::volatile(Arc::new(crate::locales()));
    let found = crate::find(&call.toolbox_id, &Map::new(), &resources);
    let toolbox = found.expect("a toolbox").expect("settings");
    let person = Circumstances {
        lang: Some("en-US".to_owned()),
        ..Circumstances::default()
    };
    let outcome = toolbox.call(&call.tool, call.arguments, &person).await;
    let outcome = outcome.expect("a result");
    assert_eq!(
        outcome.spoken.as_deref(),
        Some("Loquat is spelled L, O, Q, U, A, T.")
    );
    let long = json!({"word": "x".repeat(50)});
    let long = long.as_object().cloned().expect("an object");
    assert!(toolbox.call("spell_word", long, &person).await.is_err());
}
