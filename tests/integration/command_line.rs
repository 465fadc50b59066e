//! What a person types: each command prints for people, and JSON with `--json`.

use loquat_tests::brain::Reply;
use loquat_tests::daemon::{Finished, Launch};
use loquat_tests::home::Home;
use loquat_tests::wait::PATIENCE;
use serde_json::Value;

use crate::story::{Scene, Story, TESTER};

/// Runs a command in the home of a story and reads its JSON.
async fn json_of(home: &Home, arguments: &[&str]) -> Value {
    let finished = Launch::new(home, arguments).run().await;
    assert!(finished.status.success(), "{arguments:?}: {}", finished.shown());
    parsed(&finished)
}

/// The JSON that was printed; a list may come as one value a line.
fn parsed(finished: &Finished) -> Value {
    let values = serde_json::Deserializer::from_str(&finished.stdout).into_iter::<Value>();
    let values: Vec<Value> = values
        .collect::<Result<_, _>>()
        .unwrap_or_else(|error| panic!("no JSON ({error}): {}", finished.shown()));
    assert!(!values.is_empty(), "nothing printed: {}", finished.shown());
    if values.len() == 1 {
        values[0].clone()
    } else {
        Value::Array(values)
    }
}

#[tokio::test]
async fn a_question_is_asked_through_the_running_daemon() {
    let story = Story::begin().await;
    story.script([Reply::answers("Paris."), Reply::answers("Madrid.")]);
    let finished = Launch::new(&story.home, &["ask", "Capital", "of", "France?"])
        .run()
        .await;
    let (status, output) = (finished.status, finished.shown());
    assert!(status.success() && output.contains("Paris."), "{output}");
    let answer = json_of(&story.home, &["--json", "ask", "Capital of Spain?"]).await;
    assert_eq!(answer["answer"], "Madrid.", "{answer}");
    assert!(
        story.brain.requests(TESTER)[0]
            .newest()
            .contains("Capital of France?")
    );
}

#[tokio::test]
async fn without_a_question_each_line_is_one() {
    let story = Story::begin().await;
    story.script([Reply::answers("Paris."), Reply::answers("Madrid.")]);
    let mut chat = Launch::new(&story.home, &["ask"]).attended();
    chat.types("Capital of France?").await;
    chat.wrote("Paris.", PATIENCE).await;
    chat.types("And of Spain?").await;
    chat.wrote("Madrid.", PATIENCE).await;
    chat.left_alone();
    assert!(chat.ended(PATIENCE).await.success(), "{}", chat.output());
}

#[tokio::test]
async fn a_chat_without_a_daemon_says_how_to_start_one() {
    let home = Home::without_bus();
    let finished = Launch::new(&home, &["ask"]).run().await;
    assert!(
        !finished.status.success() && finished.stderr.contains("loquat run"),
        "{}",
        finished.shown()
    );
}

#[tokio::test]
async fn a_question_without_a_daemon_is_answered_or_told_how() {
    let scene = Scene::default();
    scene.home.persona(&scene.tester());
    scene.brain.script(TESTER, [Reply::answers("Paris.")]);
    let finished = Launch::new(&scene.home, &["ask", "Capital of France?"])
        .run()
        .await;
    let (status, output) = (finished.status, finished.shown());
    let answered = status.success() && output.contains("Paris.");
    let told = !status.success() && output.contains("loquat run");
    assert!(answered || told, "{status}: {output}");
}

#[tokio::test]
async fn tools_are_listed_and_called() {
    let story = Story::begin().await;
    let list = json_of(&story.home, &["--json", "tools", "list"]).await;
    assert!(list.to_string().contains("evaluate_expression"), "{list}");
    let call = [
        "--json",
        "tools",
        "call",
        "evaluate_expression",
        r#"{"expression": "6*7"}"#,
    ];
    let result = json_of(&story.home, &call).await;
    assert!(result.to_string().contains("42"), "{result}");

    let wrong = ["tools", "call", "evaluate_expression", r#"{"expresion": "6*7"}"#];
    let finished = Launch::new(&story.home, &wrong).run().await;
    let (status, output) = (finished.status, finished.shown());
    assert!(!status.success() && output.contains("expression"), "{output}");
}

#[tokio::test]
async fn personas_are_listed_with_what_is_wrong_with_them() {
    let scene = Scene::default();
    scene.home.persona(&scene.tester());
    scene.home.write(
        "config/ovos_persona/Broken.json",
        r#"{"name": "Broken", "handlers": ["ovos-react-lop"]}"#,
    );
    let finished = Launch::new(&scene.home, &["personas"]).run().await;
    let output = finished.shown();
    assert!(
        output.contains(TESTER) && output.contains("Broken") && output.contains("ovos-react-lop"),
        "{output}"
    );
    let finished = Launch::new(&scene.home, &["--json", "personas"]).run().await;
    assert!(
        parsed(&finished).to_string().contains(TESTER),
        "{}",
        finished.shown()
    );
}

#[tokio::test]
async fn models_are_listed_without_a_network() {
    let home = Home::without_bus();
    let list = json_of(&home, &["--json", "models", "list"]).await;
    assert!(
        list.to_string().contains("whisper") || list.to_string().contains("ggml"),
        "{list}"
    );
}

#[tokio::test]
async fn a_check_gives_every_part_a_verdict_and_a_mend() {
    let scene = Scene::default();
    scene.home.persona(&scene.tester());
    let report = parsed(&Launch::new(&scene.home, &["--json", "check"]).run().await);
    let text = report.to_string().to_lowercase();
    for part in ["bus", "microphone", "brain", "settings"] {
        assert!(text.contains(part), "{part}: {report}");
    }
}

#[tokio::test]
async fn a_wrong_command_is_explained() {
    let home = Home::without_bus();
    for arguments in [vec!["aks", "x"], vec![], vec!["tools", "call"], vec!["say"]] {
        let finished = Launch::new(&home, &arguments).run().await;
        let (status, output) = (finished.status, finished.shown());
        assert!(!status.success(), "{arguments:?}: {output}");
        assert!(output.to_lowercase().contains("usage"), "{arguments:?}: {output}");
    }
    let version = Launch::new(&home, &["--version"]).run().await.stdout;
    assert!(version.starts_with("loquat "), "{version}");
}
