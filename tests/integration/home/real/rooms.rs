//! What is said aloud in the rooms of a real home: by a voice satellite, and by players through a voice of Home Assistant.

use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::Value;

use super::owner::{at_a_real_home, noted};
use crate::home::types;

const PLAYER: &str = "media_player.living_room";

/// Waits until the voice of the home has spoken a sentence with these words, and gives what was noted since.
async fn spoken(since: usize, words: &str) -> Vec<Value> {
    wait_for(words, PATIENCE, async || {
        let noted = noted().split_off(since);
        let is_it = |note: &Value| note["spoken"].as_str().is_some_and(|text| text.contains(words));
        noted.iter().any(is_it).then_some(noted)
    })
    .await
}

/// Waits until something has sounded at the satellite.
async fn sounded(since: usize) {
    wait_for("a sound at the satellite", PATIENCE, async || {
        let noted = noted().split_off(since);
        let is_it = |note: &Value| note["heard"].as_u64().is_some_and(|bytes| bytes > 0);
        noted.iter().any(is_it).then_some(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a real Home Assistant, which `make test-home` brings"]
async fn words_for_the_rooms_of_a_real_home_are_spoken_there() {
    let (story, owner) = at_a_real_home().await;
    let rooms = types(&story, "Which rooms can you speak in?").await;
    for room in ["Kitchen", "Living Room"] {
        assert!(rooms.contains(room), "{rooms}");
    }
    let mark = noted().len();
    let said = types(&story, "Tell the kitchen that the soup is hot").await;
    assert_eq!(said, "I have said it there: Kitchen.");
    spoken(mark, "the soup is hot").await;
    sounded(mark).await;
    let mark = noted().len();
    let said = types(&story, "Announce that dinner is ready").await;
    assert!(said.contains("Kitchen") && said.contains("Living Room"), "{said}");
    spoken(mark, "dinner is ready").await;
    sounded(mark).await;
    let played = owner.sees(PLAYER).await["attributes"]["media_content_id"].clone();
    let played = played.as_str().unwrap_or_default();
    assert!(played.starts_with("media-source://tts/"), "{played}");
    assert!(played.to_lowercase().contains("dinner"), "{played}");
}
