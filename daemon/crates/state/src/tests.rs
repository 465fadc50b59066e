//! What is written is read as it was, whatever of it is shared.

use std::path::Path;

use loquat_agent::brain::ChatMessage;
use loquat_agent::journal::{Care, Entry, Happened, Offer};
use loquat_kit::records::{Change, MEMORY, Records};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::file::{open, path_in};
use super::slots::{Slots, Stage};
use super::*;

fn pending(turn_id: &str, since: f64) -> PendingTurn {
    PendingTurn {
        turn_id: turn_id.to_owned(),
        session_id: "s".to_owned(),
        utterance: "How late is it?".to_owned(),
        cause: "{}".to_owned(),
        since: Moment {
            unix_seconds: since,
            ..Moment::default()
        },
        opened: false,
        attempts: 0,
        is_whole: true,
        closing: None,
    }
}

/// The first entry of a turn that was offered one tool of this name.
fn opening(tool: &str) -> Entry {
    let schema = json!({"type": "object"});
    let duration = json!({"secs": 1, "nanos": 0});
    let tool = json!({
        "name": tool, "description": "Looks.", "argument_schema": schema, "output_schema": schema,
        "toolbox_id": "box", "category": "safe", "read_only": true, "idempotent": true, "cacheable": duration,
        "cache_scope": "turn", "timeout": duration, "retry": 0, "confirm": "never", "undo": null,
        "progress_phrase": null, "may_end_turn": false, "example": null
    });
    let mut entry = bare_opening();
    if let Happened::Opened { opening } = &mut entry.happened {
        opening.toolboxes = serde_json::from_value(json!([["box", [tool]]])).unwrap();
    }
    entry
}

/// An opening without tools, made from what a turn really writes.
fn bare_opening() -> Entry {
    serde_json::from_str(include_str!("tests/opened.json")).unwrap()
}

async fn write(state: &State, turn: &str, entry: Entry) {
    let written = state.journal(turn, 0).write(entry, Care::Usual).await;
    written.expect("nobody waits for the disk");
}

fn count(folder: &Path, table: &str) -> i64 {
    let connection = Connection::open(path_in(folder)).unwrap();
    let query = format!("SELECT count(*) FROM {table}");
    connection.query_row(&query, [], |row| row.get(0)).unwrap()
}

/// Reads what is in the file when everything so far is on the disk.
async fn written(state: &State) -> Vec<(PendingTurn, Vec<Vec<Entry>>)> {
    state.flush().await;
    state.pending().await
}

#[tokio::test]
async fn turns_that_are_offered_the_same_share_it_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::open(folder.path(), 10).unwrap();
    for (turn, tool) in [("a", "look"), ("b", "look"), ("c", "listen")] {
        state.note_pending(pending(turn, 1.0)).await;
        write(&state, turn, opening(tool)).await;
    }
    let pending = written(&state).await;
    let kept: Vec<&Entry> = pending.iter().map(|(_, attempts)| &attempts[0][0]).collect();
    assert_eq!(kept, [&opening("look"), &opening("look"), &opening("listen")]);
    assert_eq!(count(folder.path(), "offer"), 2);
}

#[tokio::test]
async fn an_offer_goes_with_the_last_turn_that_had_it_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::open(folder.path(), 1).unwrap();
    // One and the same, as a toolbox gives it to turn after turn.
    let looks = opening("look");
    for (turn, entry) in [
        ("a", looks.clone()),
        ("b", opening("listen")),
        ("c", looks.clone()),
    ] {
        state.note_pending(pending(turn, 1.0)).await;
        write(&state, turn, entry).await;
        state.settled(turn).await;
        written(&state).await;
    }
    assert_eq!(count(folder.path(), "turn"), 1);
    assert_eq!(count(folder.path(), "offer"), 1);
    let kept = Archive::open(folder.path()).unwrap().unwrap().find("c").unwrap();
    assert_eq!(kept[0].attempts, [[looks]]);
}

fn said(session_id: &str, words: &str) -> Remembered {
    Remembered {
        session_id: session_id.to_owned(),
        messages: vec![ChatMessage::user(words), ChatMessage::assistant("Well.")],
        notes: Some("It is warm.".to_owned()),
    }
}

#[tokio::test]
async fn what_was_said_last_in_each_session_is_read_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::open(folder.path(), 10).unwrap();
    for (session, words) in [("a", "Hello."), ("b", "How are you?"), ("a", "And you?")] {
        state.remember(said(session, words)).await;
    }
    state.flush().await;
    drop(state);
    let state = State::open(folder.path(), 10).unwrap();
    assert_eq!(
        state.recall().await,
        [said("a", "And you?"), said("b", "How are you?")]
    );
}

#[tokio::test]
async fn sessions_that_were_silent_longest_are_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path(), 0).unwrap());
    let connection = Connection::open(path_in(folder.path())).unwrap();
    for since in 1..=300 {
        connection
            .execute(
                "INSERT INTO conversation (session, messages, since) VALUES (?1, '[]', ?2)",
                rusqlite::params![format!("s{since}"), since],
            )
            .unwrap();
    }
    let state = State::open(folder.path(), 10).unwrap();
    state.remember(said("new", "Hello.")).await;
    // Old things are forgotten when a turn begins.
    state.note_pending(pending("a", 1.0)).await;
    state.flush().await;
    let kept = state.recall().await;
    assert_eq!(kept.len(), 100);
    assert_eq!(kept[0], said("new", "Hello."));
    assert_eq!(kept[1].session_id, "s300");
}

#[tokio::test]
async fn records_outlive_the_process_also_in_a_file_that_had_none() {
    for older in [
        "DROP TABLE record; DROP TABLE memory_text; PRAGMA user_version = 5;",
        "DROP TRIGGER memory_kept; DROP TRIGGER memory_forgotten; DROP TABLE memory_text;
         PRAGMA user_version = 6;",
    ] {
        let folder = tempfile::tempdir().unwrap();
        drop(open(folder.path(), 0).unwrap());
        let file = Connection::open(path_in(folder.path())).unwrap();
        file.execute_batch(older).unwrap();
        drop(file);
        for (life, expected) in [(1, vec![]), (2, vec![("b".to_owned(), json!(1))])] {
            let state = State::open(folder.path(), 10).unwrap();
            assert_eq!(state.all("test").await.unwrap(), expected);
            let changes = vec![
                Change::write("test", "a", json!(life)),
                Change::write("test", "b", json!(life)),
                Change::remove("test", "a"),
                Change::write("other", "b", json!("of another kind")),
            ];
            state.change(changes).await.unwrap();
        }
    }
}

#[tokio::test]
async fn memories_are_found_by_the_forms_of_their_words_as_long_as_they_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::open(folder.path(), 10).unwrap();
    let memory = |owner: &str, text: &str| json!({"owner": owner, "text": text});
    let keep = |id: &str, owner: &str, text: &str| Change::write(MEMORY, id, memory(owner, text));
    let changes = vec![
        keep("1", "me", "Anna is allergic to walnuts"),
        keep("2", "me", "Müller's café opens at nine"),
        keep("3", "other", "the allergies of others"),
        keep("4", "me", "an old word"),
    ];
    state.change(changes).await.unwrap();
    // What takes the place of something is found by its own words alone.
    state
        .change(vec![keep("4", "me", "a new \"word\" OR nothing")])
        .await
        .unwrap();
    let found = async |words: &[&str]| {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        let found = state.search("me", words, 10).await.unwrap();
        found.into_iter().map(|(id, _)| id).collect::<Vec<_>>()
    };
    assert_eq!(found(&["walnut"]).await, ["1"]);
    assert_eq!(found(&["cafe", "muller"]).await, ["2"]);
    assert_eq!(found(&["old"]).await, [""; 0]);
    assert_eq!(found(&["new"]).await, ["4"]);
    assert_eq!(
        found(&["walnut\" OR \"new", "AND", "*", "-"]).await,
        [""; 0],
        "words are words"
    );
    state.change(vec![Change::remove(MEMORY, "1")]).await.unwrap();
    assert_eq!(found(&["walnut", "allergic"]).await, [""; 0]);
}

#[tokio::test]
async fn a_file_of_another_layout_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = path_in(folder.path());
    for version in [1, 4, 8] {
        Connection::open(&path)
            .unwrap()
            .execute_batch(&format!(
                "CREATE TABLE IF NOT EXISTS turn (id TEXT); PRAGMA user_version = {version};"
            ))
            .unwrap();
        let refused = open(folder.path(), 0).expect_err("another layout");
        assert!(
            matches!(refused, StateError::Layout { found, .. } if found == version),
            "{refused}"
        );
        let told = refused.to_string();
        assert!(told.contains("move the file away"), "{told}");
        assert!(Archive::open(folder.path()).is_err());
        assert_eq!(count(folder.path(), "turn"), 0);
    }
}

#[tokio::test]
async fn a_conversation_that_cannot_be_understood_costs_no_other() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path(), 0).unwrap());
    Connection::open(path_in(folder.path()))
        .unwrap()
        .execute_batch("INSERT INTO conversation (session, messages, since) VALUES ('torn', '[{', 1);")
        .unwrap();
    let state = State::open(folder.path(), 10).unwrap();
    state.remember(said("a", "Hello.")).await;
    assert_eq!(state.recall().await, [said("a", "Hello.")]);
}

#[test]
fn an_offer_reads_as_it_was_written() {
    let text = r#"[["box",[]]]"#;
    let offer: Offer = serde_json::from_str(text).unwrap();
    assert_eq!(
        serde_json::to_value(&offer).unwrap(),
        serde_json::from_str::<Value>(text).unwrap()
    );
}

#[tokio::test]
async fn what_is_owed_and_said_survives_the_process_without_a_flush() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::open(folder.path(), 10).unwrap();
    // The file is made first; then the waiting caller is told no sooner than it can be read.
    state.flush().await;
    state.note_pending(pending("a", 1.0)).await;
    assert_eq!(count(folder.path(), "turn"), 1);
    state.closing("a", "{}".to_owned()).await;
    assert_eq!(count(folder.path(), "turn WHERE closing = '{}'"), 1);
    state.settled("a").await;
    assert_eq!(written(&state).await, []);
    assert_eq!(count(folder.path(), "turn WHERE closing IS NULL"), 1);
}

#[tokio::test]
async fn what_stands_in_the_slots_is_owed_no_more_or_not_said_again() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::open(folder.path(), 10).unwrap();
    for turn_id in ["a", "b", "c"] {
        state.note_pending(pending(turn_id, 1.0)).await;
    }
    written(&state).await;
    drop(state);
    let mut slots = Slots::beside(&path_in(folder.path()));
    let size = || {
        std::fs::metadata(folder.path().join("state.slots"))
            .unwrap()
            .len()
    };
    let before = size();
    slots.note("a", Stage::Closing);
    slots.note("b", Stage::Closing);
    slots.note("a", Stage::Settled);
    assert_eq!(size(), before, "a full disk has no room for more");
    let state = State::open(folder.path(), 10).unwrap();
    let pending = written(&state).await;
    let pending: Vec<_> = pending
        .iter()
        .map(|(pending, _)| (pending.turn_id.as_str(), pending.closing.as_deref()))
        .collect();
    assert_eq!(pending, [("b", Some("")), ("c", None)]);
    assert!(Slots::beside(&path_in(folder.path())).is_empty());
}
