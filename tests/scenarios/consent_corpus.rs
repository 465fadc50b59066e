//! What people say when they are asked for their consent, in six languages, said to the running daemon: nothing but a
//! plain yes runs the tool. The whole corpus goes through the reading alone in the daemon's own tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use loquat_tests::brain::Reply;
use loquat_tests::frame::Frame;
use loquat_tests::story::{Scene, Story, TESTER};
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::PATIENCE;
use serde_json::json;

const DOORS: &str = "door-tools";

/// Sentences of each kind and language that are said.
const SAMPLE: usize = 3;

/// What makes the brain want the tool.
const WISH: &str = "Unlock the front door";

fn corpus(lang: &str) -> BTreeMap<String, Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("consent")
        .join(format!("{lang}.toml"));
    // One list of texts to a line: the same in TOML and in JSON.
    let text = fs::read_to_string(path).expect("the corpus is there");
    let lists = text.lines().filter_map(|line| line.split_once(" = "));
    lists
        .map(|(kind, list)| {
            (
                kind.to_owned(),
                serde_json::from_str(list).expect("a list of texts"),
            )
        })
        .collect()
}

/// Every how many-th sentence, so that the sample is spread over the list.
fn sample(sentences: &[String]) -> impl Iterator<Item = &String> {
    sentences
        .iter()
        .step_by((sentences.len() / SAMPLE).max(1))
        .take(SAMPLE)
}

fn is_question(frame: &Frame, session: &str) -> bool {
    is_spoken(frame, session) && frame.data["expect_response"] == true
}

/// Whether something is said in a session; once for each sentence, which also goes out under its newer topic.
fn is_spoken(frame: &Frame, session: &str) -> bool {
    frame.topic == "speak" && frame.session_id() == session
}

/// Says a sentence to the question, twice where it is asked again. How often the tool ran in that session.
async fn runs_after(
    story: &Story,
    doors: &ScriptedToolbox,
    (lang, session, sentence): (&str, &str, &str),
) -> usize {
    let said = |text: &str| {
        Utterance::new(text)
            .in_session(session)
            .session("lang", json!(lang))
    };
    let wish = said(WISH);
    let mark = wish.enter(&story.probe).await;
    let asked = |frame: &Frame| is_question(frame, session);
    story.probe.wait("the question", mark, PATIENCE, asked).await;
    for _ in 0..2 {
        let mark = said(sentence).enter(&story.probe).await;
        let is_end = |frame: &Frame| frame.topic == HANDLED && wish.owns(frame);
        let next = |frame: &Frame| is_spoken(frame, session) || is_end(frame);
        let next = story.probe.wait("what comes of it", mark, PATIENCE, next).await;
        if !is_question(&next, session) {
            break;
        }
    }
    wish.end(&story.probe, mark).await;
    let calls = doors.calls();
    calls.iter().filter(|call| call.session_id == session).count()
}

async fn play(lang: &str, tag: &str) {
    let scene = Scene::default();
    scene.home.setting("desk.consent_from", "\"bus\"");
    let tester = scene.tester().toolboxes(&[DOORS]);
    let story = scene.play(&tester).await;
    let doors = vec![ScriptedTool::named(
        "unlock_door",
        Act::Returns(json!({"text": "front"})),
    )];
    let doors = ScriptedToolbox::join(story.home.port(), DOORS, doors).await;
    story.brain.after(TESTER, 1, Reply::answers("That is all."));
    story.brain.whenever(
        TESTER,
        WISH,
        Reply::acts("unlock_door", &json!({"text": "front"})),
    );
    let mut wrong = Vec::new();
    let mut number = 0;
    for (kind, sentences) in corpus(tag) {
        for sentence in sample(&sentences) {
            number += 1;
            let session = format!("{tag}-{number}");
            let runs = runs_after(&story, &doors, (lang, &session, sentence)).await;
            if runs != usize::from(kind == "yes") {
                wrong.push(format!("{tag} {kind}: after {sentence:?} it ran {runs} times"));
            }
        }
    }
    assert!(number >= 8 * SAMPLE, "{tag}: {number} sentences");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn s22_only_a_plain_yes_runs_it_in_english() {
    play("en-US", "en").await;
}

#[tokio::test]
async fn s22_only_a_plain_yes_runs_it_in_german() {
    play("de-DE", "de").await;
}

#[tokio::test]
async fn s22_only_a_plain_yes_runs_it_in_french() {
    play("fr-FR", "fr").await;
}

#[tokio::test]
async fn s22_only_a_plain_yes_runs_it_in_spanish() {
    play("es-ES", "es").await;
}

#[tokio::test]
async fn s22_only_a_plain_yes_runs_it_in_portuguese() {
    play("pt-PT", "pt").await;
}

#[tokio::test]
async fn s22_only_a_plain_yes_runs_it_in_italian() {
    play("it-IT", "it").await;
}
