//! What is done later in a real home, and what is taken back there: a state that is waited for, an order with a moment, and
//! "undo that".

use loquat_tests::frame::Frame;
use loquat_tests::wait::{PATIENCE, wait_for};

use super::owner::at_a_real_home;
use super::{FRONT_DOOR, is_answer};
use crate::home::types;
use crate::story::Story;

const BED_LIGHT: &str = "light.bed_light";
const CURTAINS: &str = "cover.living_room_window";

fn says(frame: &Frame, words: &str) -> bool {
    frame.is_speak() && !frame.is_twin() && frame.utterance().eq_ignore_ascii_case(words)
}

/// Waits until the device sees this of the front door.
async fn the_device_sees(story: &Story, words: &str) {
    wait_for(words, PATIENCE, async || {
        (types(story, "Is the front door locked?").await == words).then_some(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a real Home Assistant, which `make test-home` brings"]
async fn a_door_that_a_real_home_sees_unlocked_is_told_once() {
    const TOLD: &str = "The front door is unlocked.";
    let (story, owner) = at_a_real_home().await;
    owner.moves("lock/lock", FRONT_DOOR, "locked").await;
    the_device_sees(&story, "Front Door: locked.").await;
    let said = types(&story, "When the front door is unlocked, say so").await;
    assert_eq!(said, "I will tell you when the front door is unlocked.");
    let mark = story.probe.mark();
    for round in 0..2 {
        owner.moves("lock/unlock", FRONT_DOOR, "unlocked").await;
        if round == 0 {
            story
                .probe
                .wait(TOLD, mark, PATIENCE, |frame| says(frame, TOLD))
                .await;
        }
        the_device_sees(&story, "Front Door: unlocked.").await;
        owner.moves("lock/lock", FRONT_DOOR, "locked").await;
        the_device_sees(&story, "Front Door: locked.").await;
    }
    let told = story.probe.since(mark);
    let told: Vec<&Frame> = told.iter().filter(|frame| says(frame, TOLD)).collect();
    assert_eq!(told.len(), 1, "{told:#?}");
    assert_eq!(
        types(&story, "What are you waiting for?").await,
        "I am waiting for nothing."
    );
}

#[tokio::test]
#[ignore = "needs a real Home Assistant, which `make test-home` brings"]
async fn an_order_with_a_moment_is_done_in_a_real_home() {
    const TOLD: &str = "I have turned off Bed Light.";
    let (story, owner) = at_a_real_home().await;
    owner.moves("light/turn_on", BED_LIGHT, "on").await;
    let mark = story.probe.mark();
    let said = types(&story, "Turn off the bed light in 3 seconds").await;
    assert_eq!(said, "I will do that in 3 seconds: Turn off the bed light.");
    story
        .probe
        .wait(TOLD, mark, PATIENCE, |frame| says(frame, TOLD))
        .await;
    owner.sees_become(BED_LIGHT, "off").await;
    // What would ask is asked about when it is set, and is done then without another question.
    owner.moves("lock/lock", FRONT_DOOR, "locked").await;
    the_device_sees(&story, "Front Door: locked.").await;
    let asked = types(&story, "Unlock the front door in 3 seconds").await;
    assert!(asked.contains("Front Door"), "{asked}");
    assert_eq!(owner.sees(FRONT_DOOR).await["state"], "locked");
    types(&story, "Yes").await;
    owner.sees_become(FRONT_DOOR, "unlocked").await;
}

#[tokio::test]
#[ignore = "needs a real Home Assistant, which `make test-home` brings"]
async fn a_light_and_a_cover_of_a_real_home_become_again_what_they_were() {
    let (story, owner) = at_a_real_home().await;
    owner.moves("light/turn_off", BED_LIGHT, "off").await;
    owner.moves("cover/open_cover", CURTAINS, "open").await;
    for (said, id, state, undone, before) in [
        (
            "Turn on the bed light",
            BED_LIGHT,
            "on",
            "I have turned off Bed Light.",
            "off",
        ),
        (
            "Close the curtains",
            CURTAINS,
            "closed",
            "I have opened Living Room Window.",
            "open",
        ),
    ] {
        types(&story, said).await;
        owner.sees_become(id, state).await;
        let told = types(&story, "Undo that").await;
        assert!(is_answer(&told, undone), "{said}: {told}");
        owner.sees_become(id, before).await;
    }
    assert_eq!(
        types(&story, "Undo that").await,
        "There is nothing that I can undo."
    );
}
