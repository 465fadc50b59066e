//! What is written is read as it was, whatever of it is shared, and in files of the layout before too.

use std::path::Path;

use loquat_agent::brain::ChatMessage;
use loquat_agent::journal::{Happened, Offer};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::file::{open, path_in};
use super::*;

const TABLES_1: &str = "
    CREATE TABLE turn (id TEXT PRIMARY KEY, session TEXT NOT NULL, utterance TEXT NOT NULL, cause TEXT NOT NULL,
        since REAL NOT NULL, opened INTEGER NOT NULL DEFAULT 0, settled REAL);
    CREATE INDEX turn_since ON turn (since);
    CREATE TABLE entry (sequence INTEGER PRIMARY KEY, turn TEXT NOT NULL REFERENCES turn (id) ON DELETE CASCADE,
        attempt INTEGER NOT NULL, entry TEXT NOT NULL);
    CREATE INDEX entry_turn ON entry (turn, attempt, sequence);
    PRAGMA user_version = 1;
";

fn owed(turn_id: &str, since: f64) -> Owed {
    Owed {
        turn_id: turn_id.to_owned(),
        session_id: "s".to_owned(),
        utterance: "How late is it?".to_owned(),
        cause: "{}".to_owned(),
        since,
        opened: false,
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

/// The same without tools, made from what a turn really writes.
fn bare_opening() -> Entry {
    serde_json::from_str(include_str!("tests/opened.json")).unwrap()
}

fn count(folder: &Path, table: &str) -> i64 {
    let connection = Connection::open(path_in(folder)).unwrap();
    let query = format!("SELECT count(*) FROM {table}");
    connection.query_row(&query, [], |row| row.get(0)).unwrap()
}

/// What is in the file when everything so far is on the disk.
async fn written(state: &State) -> Vec<(Owed, Vec<Vec<Entry>>)> {
    state.flush().await;
    state.debts().await
}

#[tokio::test]
async fn turns_that_are_offered_the_same_share_it_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::open(folder.path(), 10).unwrap();
    for (turn, tool) in [("a", "look"), ("b", "look"), ("c", "listen")] {
        state.owe(owed(turn, 1.0)).await;
        state.journal(turn, 0).write(opening(tool), Care::Usual).await;
    }
    let debts = written(&state).await;
    let kept: Vec<&Entry> = debts.iter().map(|(_, attempts)| &attempts[0][0]).collect();
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
        state.owe(owed(turn, 1.0)).await;
        state.journal(turn, 0).write(entry, Care::Usual).await;
        state.settled(turn).await;
        written(&state).await;
    }
    assert_eq!(count(folder.path(), "turn"), 1);
    assert_eq!(count(folder.path(), "offer"), 1);
    let kept = Archive::open(folder.path()).unwrap().unwrap().find("c").unwrap();
    assert_eq!(kept[0].attempts, [[looks]]);
}

#[tokio::test]
async fn a_file_of_the_first_layout_keeps_its_turns() {
    let folder = tempfile::tempdir().unwrap();
    let old = Connection::open(path_in(folder.path())).unwrap();
    old.execute_batch(TABLES_1).unwrap();
    for (turn, since) in [("later", 2.0), ("earlier", 1.0)] {
        old.execute(
            "INSERT INTO turn (id, session, utterance, cause, since) VALUES (?1, 's', 'How late is it?', '{}', ?2)",
            rusqlite::params![turn, since],
        )
        .unwrap();
        let entry = serde_json::to_string(&opening("look")).unwrap();
        old.execute(
            "INSERT INTO entry (turn, attempt, entry) VALUES (?1, 0, ?2)",
            [turn, &entry],
        )
        .unwrap();
    }
    drop(old);
    drop(open(folder.path()).unwrap());
    let state = State::open(folder.path(), 10).unwrap();
    let expected = [("earlier", 1.0), ("later", 2.0)]
        .map(|(turn, since)| (owed(turn, since), vec![vec![opening("look")]]));
    assert_eq!(written(&state).await, expected);
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
        // Sessions are told apart by the moment in which they spoke.
        state.flush().await;
    }
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
    drop(open(folder.path()).unwrap());
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
    state.owe(owed("a", 1.0)).await;
    state.flush().await;
    let kept = state.recall().await;
    assert_eq!(kept.len(), 100);
    assert_eq!(kept[0], said("new", "Hello."));
    assert_eq!(kept[1].session_id, "s300");
}

#[tokio::test]
async fn a_file_of_the_second_layout_gets_a_place_for_conversations() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()).unwrap());
    Connection::open(path_in(folder.path()))
        .unwrap()
        .execute_batch("DROP TABLE conversation; PRAGMA user_version = 2;")
        .unwrap();
    let state = State::open(folder.path(), 10).unwrap();
    state.remember(said("a", "Hello.")).await;
    assert_eq!(state.recall().await, [said("a", "Hello.")]);
}

#[tokio::test]
async fn a_conversation_that_cannot_be_understood_costs_no_other() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()).unwrap());
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
