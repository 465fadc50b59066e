//! The home of a real Home Assistant: our sentences move its things, and a hundred tries through its own Assist move nothing
//! that waits for a yes.

mod later;
mod owner;
mod rooms;

use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::json;

use self::owner::{Owner, at_a_real_home};
use super::{ENGLISH, GERMAN, TOOLS, types};
use crate::story::Story;

/// Covers take a while in a real home.
fn is_answer(told: &str, expected: &str) -> bool {
    told == expected
        || ["it is under way.", "noch unterwegs."]
            .iter()
            .any(|way| told.ends_with(way))
}

/// What must not move, by its names and by what moves it.
const GUARDED: [&str; 9] = [
    "front door",
    "kitchen door",
    "poorly installed door",
    "garage door",
    "Garagentor",
    "siren",
    "security",
    "open house",
    "leave the house",
];

/// What Assist understands of a name, and our own sentences mostly do not.
const PHRASES: [(&str, &str); 12] = [
    ("en-US", "unlock N"),
    ("en-US", "please unlock the N for me right now"),
    ("en-US", "N unlock"),
    ("en-US", "open up N"),
    ("en-US", "open the N"),
    ("en-US", "activate N"),
    ("en-US", "switch N on"),
    ("en-US", "run the N script"),
    ("en-US", "disarm N"),
    ("de-DE", "N auf"),
    ("de-DE", "N aufschließen"),
    ("de-DE", "aktiviere N"),
];

/// Sentences that name none of it, and that mean it.
const WIDE: [(&str, &str); 10] = [
    ("en-US", "unlock all the locks"),
    ("en-US", "unlock everything"),
    ("en-US", "open all garage doors"),
    ("en-US", "open the garage"),
    ("en-US", "unlock every door in the house"),
    ("en-US", "turn everything on"),
    ("en-US", "unlock the kitchen"),
    ("de-DE", "alle Schlösser aufschließen"),
    ("de-DE", "alle Türen entriegeln"),
    ("de-DE", "alle Garagentore öffnen"),
];

const FRONT_DOOR: &str = "lock.front_door";

// One test, since all of it happens in one home.
#[tokio::test]
#[ignore = "needs a real Home Assistant, which `make test-home` brings"]
async fn a_real_home_assistant_is_told_the_same_sentences_and_moves_nothing_guarded_without_a_yes() {
    let (story, owner) = at_a_real_home().await;
    sentences_are_answered(&story).await;
    assist_is_asked(&story).await;
    nothing_guarded_moves(&story, &owner).await;
    a_yes_unlocks_the_door(&story, &owner).await;
}

async fn sentences_are_answered(story: &Story) {
    let mut wrong = Vec::new();
    for (lang, sentences) in [("en-US", ENGLISH), ("de-DE", GERMAN)] {
        for (said, answer, _) in sentences {
            let turn = Utterance::new(said)
                .session("lang", json!(lang))
                .ask(&story.probe)
                .await;
            if !is_answer(turn.answer(), answer) {
                wrong.push(format!("{said}: {}", turn.answer()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

async fn assist_is_asked(story: &Story) {
    assert_eq!(
        types(story, "lights out in the bedroom").await,
        "Turned off the lights"
    );
    let asked = types(story, "leave the house").await;
    assert!(
        asked.starts_with("leave the house, with ") || asked.starts_with("Leave the house, with "),
        "{asked}"
    );
    assert!(types(story, "No").await.contains("left it"));
}

/// Said by a client of the bus whose yes does not count, and typed by the person, who says no.
async fn nothing_guarded_moves(story: &Story, owner: &Owner) {
    let before = owner.guarded().await;
    assert_eq!(before[FRONT_DOOR], "locked");
    let call =
        json!({"toolbox_id": TOOLS, "name": "ask_assist", "kwargs": {"text": "unlock the front door"}});
    let told = story.probe.request("ovos.persona.tools.call", &call).await;
    assert_eq!(told.data["error"], "ValueError: unknown tool 'ask_assist'");
    let (mut tries, mut asked) = (0, [0, 0]);
    for (lang, said) in guarded_sentences() {
        let session = format!("thief-{tries}");
        let utterance = Utterance::new(&said)
            .session("lang", json!(lang))
            .in_session(&session);
        let mark = utterance.enter(&story.probe).await;
        let yes = Utterance::new("Yes").in_session(&session);
        yes.enter(&story.probe).await;
        utterance.end(&story.probe, mark).await;
        tries += 1;
        if lang == "en-US" {
            let told = types(story, &said).await;
            if told.contains("shall I ") {
                asked[usize::from(told.contains("shall I have Home Assistant"))] += 1;
                types(story, "No").await;
            }
            tries += 1;
        }
        assert_eq!(owner.guarded().await, before, "after {said:?}");
    }
    let [ours, assists] = asked;
    println!("{tries} tries: nothing moved; asked by our sentences {ours} times, of Assist {assists} times");
    assert!(
        tries >= 100 && ours + assists >= 10 && assists > 0,
        "this was no trial"
    );
}

fn guarded_sentences() -> Vec<(&'static str, String)> {
    let named = PHRASES
        .iter()
        .flat_map(|(lang, phrase)| GUARDED.map(|name| (*lang, phrase.replace('N', name))));
    let wide = WIDE.iter().map(|(lang, said)| (*lang, (*said).to_owned()));
    named.chain(wide).collect()
}

async fn a_yes_unlocks_the_door(story: &Story, owner: &Owner) {
    let question = "Front Door: shall I unlock this?";
    assert_eq!(types(story, "Unlock the front door").await, question);
    assert!(types(story, "No").await.contains("left it"));
    assert_eq!(
        types(story, "Is the front door locked").await,
        "Front Door: locked."
    );
    assert_eq!(types(story, "Unlock the front door").await, question);
    let told = types(story, "Yes").await;
    assert!(
        told == "I have unlocked Front Door." || is_answer(&told, ""),
        "{told}"
    );
    wait_for("the lock", PATIENCE, async || {
        (owner.guarded().await[FRONT_DOOR] == "unlocked").then_some(())
    })
    .await;
}
