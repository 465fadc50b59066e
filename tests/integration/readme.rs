//! What the README shows of a conversation, and what it says can be said: said to the running daemon.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use loquat_tests::brain::Reply;

use crate::story::{Scene, TESTER};

fn readme() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    fs::read_to_string(page).unwrap()
}

/// The lines that a person types there, each with what is answered.
fn shown(page: &str) -> Vec<(String, String)> {
    let fence = page.split("```").nth(1).unwrap_or_default();
    let lines: Vec<&str> = fence.lines().filter(|line| !line.is_empty()).collect();
    let pairs = lines.chunks(2).filter_map(|pair| match pair {
        [said, answered] => Some((said.strip_prefix("› ")?.to_owned(), (*answered).to_owned())),
        _ => None,
    });
    pairs.collect()
}

/// How much is left of a timer depends on how quick the machine is.
fn without_times_left(text: &str) -> String {
    let pieces = text.split(" has ").map(|piece| match piece.split_once(" left") {
        Some((_, behind)) => format!("… left{behind}"),
        None => piece.to_owned(),
    });
    pieces.collect::<Vec<_>>().join(" has ")
}

/// A scene in which it is noon, since "tomorrow" is asked about behind midnight.
fn at_noon() -> Scene {
    let scene = Scene::default();
    let hour = UNIX_EPOCH.elapsed().unwrap().as_secs() / 3_600 % 24;
    // The signs of these zones are turned round.
    let zone = format!("\"Etc/GMT{:+}\"", hour.cast_signed() - 12);
    scene.home.setting("device.time_zone", &zone);
    scene.home.without_setting("skills.intents");
    scene
}

#[tokio::test]
async fn the_conversation_of_the_readme_goes_as_it_stands_there() {
    let scene = at_noon();
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    let shown = shown(&readme());
    assert!(shown.len() >= 6, "{shown:?}");
    for (said, answered) in shown {
        let turn = story.ask(&said).await;
        assert_eq!(
            without_times_left(turn.answer()),
            without_times_left(&answered),
            "{said}"
        );
    }
    assert!(story.brain.requests(TESTER).is_empty());
}

#[tokio::test]
async fn what_the_readme_says_can_be_said_is_understood() {
    let scene = at_noon();
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story
        .brain
        .whenever(TESTER, "", Reply::answers("A model answers."));
    let page = readme();
    let table = page.split("| You say |").nth(1).unwrap_or_default();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with("| "));
    // One needs the model; the others services outside, or a sentence before them.
    let left_out = ["model on your device", "Wikipedia", "weather", "goes on with"];
    let rows = rows.filter(|row| !left_out.iter().any(|words| row.contains(words)));
    let mut count = 0;
    for row in rows {
        let says = row.split("| ").nth(1).unwrap_or_default();
        for said in says.split('“').skip(1).filter_map(|rest| rest.split('”').next()) {
            let turn = story.ask(said).await;
            let by_model = story.brain.requests(TESTER).len();
            assert_eq!(by_model, 0, "{said}: {}", turn.answer());
            count += 1;
        }
    }
    assert!(count >= 8, "only {count} sentences");
}
