//! Prompts are files: a persona's own words reach its brain, and `loquat prompts show` prints what is sent.

use loquat_tests::brain::Reply;
use loquat_tests::daemon::Launch;
use loquat_tests::home::Home;
use loquat_tests::persona::Persona;
use serde_json::{Value, json};

use crate::story::{Scene, TESTER};

const OWN: &str = "Answer like a lighthouse keeper.";
const FILED: &str = "No more tools. Say what you know, keeper.";

fn lamp_keeper(scene: &Scene) -> Persona {
    scene.tester().key("prompts", json!({"step-text": OWN}))
}

async fn shown(home: &Home, what: &str) -> String {
    let finished = Launch::new(home, &["prompts", "show", what]).run().await;
    assert!(finished.status.success(), "{}", finished.shown());
    finished.stdout
}

#[tokio::test]
async fn a_persona_and_a_file_replace_our_words() {
    let scene = Scene::default();
    let tester = lamp_keeper(&scene)
        .toolboxes(&["ovos-math-tools"])
        .setting("max_iterations", json!(1));
    scene.home.write("config/loquat/prompts/conclude-text.md", FILED);
    let story = scene.play(&tester).await;
    let sum = json!({"expression": "2+2"});
    story.script([
        Reply::acts("evaluate_expression", &sum),
        Reply::answers("It is four."),
    ]);
    assert_eq!(story.ask("What is two and two?").await.answer(), "It is four.");
    let requests = story.brain.requests(TESTER);
    assert!(requests[0].text().contains(OWN), "{}", requests[0].text());
    assert!(requests[1].newest().contains(FILED), "{}", requests[1].newest());
}

#[tokio::test]
async fn what_is_shown_is_what_is_sent() {
    let scene = Scene::default();
    let tester = lamp_keeper(&scene).toolboxes(&["ovos-math-tools"]);
    let story = scene.play(&tester).await;
    story.script([Reply::answers("It is four.")]);
    story.ask("What is two and two?").await;
    let sent = story.brain.requests(TESTER)[0].messages().to_vec();
    let printed = shown(&story.home, "What is two and two?").await;
    for message in &sent {
        // The moment goes on.
        let text = message["content"]
            .as_str()
            .unwrap()
            .split("It is ")
            .next()
            .unwrap();
        assert!(printed.contains(text), "{text}\n-- is not in --\n{printed}");
    }
    assert_eq!(shown(&story.home, "step-text").await.trim_end(), OWN);
}

#[tokio::test]
async fn a_prompt_that_does_not_exist_is_named_with_the_nearest() {
    let scene = Scene::default();
    scene
        .home
        .persona(&scene.tester().key("prompts", json!({"step-txt": OWN})));
    let finished = Launch::new(&scene.home, &["--json", "personas"]).run().await;
    let listed: Value = serde_json::from_str(&finished.stdout).unwrap();
    let complaints = listed["complaints"].to_string();
    assert!(
        complaints.contains("step-txt") && complaints.contains("step-text"),
        "{complaints}"
    );
}
