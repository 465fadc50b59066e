//! What a person types: each command prints for people, and JSON with `--json`.

use std::fs;
use std::path::Path;

use loquat_tests::brain::Reply;
use loquat_tests::daemon::{Finished, Launch};
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::models;
use loquat_tests::persona::Persona;
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

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
async fn all_that_can_be_said_here_is_listed_ours_own_and_the_packs() {
    let home = Home::without_bus();
    let pack = models::smallest("home_assistant_intents", "whl");
    home.setting("sentences.pack", &pack);
    home.setting("skills.intents", "\"alone\"");
    home.write(
        "config/loquat/sentences/en-us.toml",
        "[clock.sentences]\ntime = [\"how late is it\"]\n",
    );
    let told = async |arguments: &[&str]| {
        let finished = Launch::new(&home, arguments).run().await;
        assert!(finished.status.success(), "{}", finished.shown());
        finished.stdout
    };
    let brief = told(&["sentences"]).await;
    assert!(
        brief.contains("\n  how late is it\n") && brief.contains("\n  pause timer\n"),
        "{brief}"
    );
    let timers = told(&["sentences", "timer"]).await;
    assert!(
        timers.contains("HassPauseTimer") && timers.contains("set_timer") && !timers.contains("how late"),
        "{timers}"
    );
    let german = told(&["sentences", "Wecker", "--lang", "de"]).await;
    assert!(
        german.contains("wecker") && !german.contains("alarm clock"),
        "{german}"
    );
    let all = json_of(&home, &["--json", "sentences"]).await;
    let of = |writer: &str, intent: &str| {
        let sayings = all.as_array().into_iter().flatten();
        sayings
            .filter(|saying| saying["from"] == writer && saying["intent"] == intent)
            .count()
    };
    assert_eq!(
        (of("owner", "time"), of("community", "HassStartTimer")),
        (1, 1),
        "{all}"
    );
    // What only a home could do is not said where there is none.
    assert_eq!(of("community", "HassTurnOn"), 0);
    let nothing = Launch::new(&home, &["sentences", "xyzzy"]).run().await;
    assert_eq!(nothing.status.code(), Some(1), "{}", nothing.shown());
}

#[tokio::test]
async fn a_chat_without_a_daemon_says_how_to_start_one() {
    let home = Home::without_bus();
    let finished = Launch::new(&home, &["ask"]).run().await;
    assert!(
        finished.status.code() == Some(69) && finished.stderr.contains("loquat run"),
        "{}",
        finished.shown()
    );
}

#[tokio::test]
async fn the_exit_code_tells_a_script_how_a_question_came_out() {
    let story = Story::begin().await;
    let ends = async |arguments: &[&str], code: i32, words: &str| {
        let finished = Launch::new(&story.home, arguments).run().await;
        let shown = finished.shown();
        assert_eq!(finished.status.code(), Some(code), "{arguments:?}: {shown}");
        assert!(shown.contains(words), "{arguments:?}: {shown}");
    };
    story.script([Reply::answers("Paris.")]);
    ends(&["ask", "Capital of France?"], 0, "Paris.").await;
    story.brain.whenever(TESTER, "broken", Reply::fails(500));
    ends(&["ask", "Is it broken?"], 1, "").await;
    ends(&["ask", "--persona", "Tster", "Hello"], 1, "did you mean Tester?").await;
    ends(&["emergency-stop", "set"], 0, "is set").await;
    ends(&["ask", "Capital of Spain?"], 77, "emergency stop").await;
    let help = Launch::new(&story.home, &["ask", "--help"]).run().await.stdout;
    for code in ["0 ", "1 ", "64 ", "69 ", "75 ", "77 ", "78 "] {
        assert!(help.contains(&format!("\n  {code}")), "{code}: {help}");
    }
}

#[tokio::test]
async fn a_persona_that_is_named_answers_that_question_alone() {
    let scene = Scene::default();
    let captain = Persona::react("Captain", &scene.brain.url("captain"));
    scene.home.persona(&captain);
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.brain.script("captain", [Reply::answers("Aye.")]);
    story.script([Reply::answers("Good day.")]);
    let named = json_of(&story.home, &["--json", "ask", "--persona", "Captain", "Hello"]).await;
    assert_eq!(named["answer"], "Aye.", "{named}");
    let next = json_of(&story.home, &["--json", "ask", "Hello"]).await;
    assert_eq!(next["answer"], "Good day.", "{next}");
}

#[tokio::test]
async fn a_running_daemon_reads_personas_again_for_its_owner_alone() {
    let story = Story::begin().await;
    let mark = story.probe.mark();
    let order = json!({"type": "loquat.reload", "data": {}, "context": {}});
    story.probe.send(&order).await;
    let refused = |frame: &Frame| frame.topic == "loquat.reload.response";
    let refused = story
        .probe
        .wait("the answer to an order", mark, PATIENCE, refused)
        .await;
    assert!(
        refused.data["error"].as_str().unwrap().contains("owner"),
        "{refused:?}"
    );
    let captain = Persona::react("Captain", &story.brain.url("captain"));
    story.home.persona(&captain);
    let read = Launch::new(&story.home, &["reload"]).run().await;
    assert!(
        read.status.success() && read.stdout.contains("Captain"),
        "{}",
        read.shown()
    );
    story.brain.script("captain", [Reply::answers("Aye.")]);
    let asked = json_of(&story.home, &["--json", "ask", "--persona", "captain", "Hello"]).await;
    assert_eq!(asked["answer"], "Aye.", "{asked}");
    story.home.setting("bus.prot", "1");
    let wrong = Launch::new(&story.home, &["reload"]).run().await;
    assert!(
        !wrong.status.success() && wrong.shown().contains("bus.prot"),
        "{}",
        wrong.shown()
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
async fn a_tool_that_is_nearly_one_gets_the_name_that_was_meant() {
    let story = Story::begin().await;
    let typed = ["tools", "call", "set_timerr", "{}"];
    let finished = Launch::new(&story.home, &typed).run().await;
    let shown = finished.shown();
    assert!(
        !finished.status.success() && shown.contains("did you mean set_timer?"),
        "{shown}"
    );
    let wrong = ["tools", "call", "evaluate_expression", r#"{"expression": "1/0"}"#];
    let finished = Launch::new(&story.home, &wrong).run().await;
    let shown = finished.shown();
    assert!(!finished.status.success() && !shown.contains("Error:"), "{shown}");
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
async fn every_service_outside_stands_in_the_chapter_on_privacy() {
    let chapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../daemon/book/src/privacy.md");
    let chapter = fs::read_to_string(chapter).unwrap();
    let home = Home::without_bus();
    home.without_setting("network.allowed");
    let listed = json_of(&home, &["--json", "network"]).await;
    let services = listed["services"].as_array().unwrap();
    assert!(services.len() >= 4, "{listed}");
    for service in services {
        let name = service["service"].as_str().unwrap();
        assert!(
            chapter.contains(&format!("| `{name}` |")),
            "{name} is not told of"
        );
        // The search server is one that the owner has named.
        let is_asked = name == "web_search" || service["standing"] == "asks first";
        assert!(is_asked, "{listed}");
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
