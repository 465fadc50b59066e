//! The model on this machine: missing, broken, killed. What it answers is a story of `whole_path`.

use loquat_tests::persona::Persona;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use crate::story::{Scene, Story, assert_sentence};

/// As much of a GGUF file as a broken download leaves behind.
const TRUNCATED_GGUF: &[u8] = b"GGUF\x03\0\0\0\x22\x01\0\0\0\0\0\0\x1a\0\0\0\0\0\0\0";

async fn with_model(model: Option<&str>) -> Story {
    let scene = Scene::default();
    if let Some(model) = model {
        scene.home.setting("local_brain.model", &format!("{model:?}"));
    }
    let file = json!({
        "name": "Local",
        "handlers": ["ovos-react-loop"],
        "ovos-react-loop": {"brain": "loquat-local-brain", "toolboxes": ["ovos-math-tools"]},
    });
    scene
        .home
        .write("config/ovos_persona/Local.json", &file.to_string());
    let tester: Persona = scene.tester();
    scene.play(&tester).await
}

async fn answer_of_local(story: &Story) -> String {
    Utterance::new("Hello")
        .to("Local")
        .ask(&story.probe)
        .await
        .answer()
        .to_owned()
}

#[tokio::test]
async fn a_model_that_is_not_installed_is_said_with_the_mend() {
    let story = with_model(None).await;
    let answer = answer_of_local(&story).await;
    assert_sentence(&answer);
    assert!(answer.contains("loquat"), "the mend is named: {answer}");
    story.assert_goes_on().await;
}

#[tokio::test]
async fn a_truncated_model_is_said_and_others_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.gguf");
    std::fs::write(&path, TRUNCATED_GGUF).unwrap();
    let story = with_model(path.to_str()).await;
    assert_sentence(&answer_of_local(&story).await);
    story.daemon.wrote("broken.gguf", PATIENCE).await;
    story.assert_goes_on().await;
    assert!(
        story.daemon.descendants().is_empty(),
        "nothing of the broken worker is left"
    );
}
