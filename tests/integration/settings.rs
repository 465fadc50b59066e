//! Settings and persona files that are wrong: all complaints at once, each with its place and the mend.

use loquat_tests::brain::Reply;
use loquat_tests::daemon::Launch;
use loquat_tests::home::Home;
use loquat_tests::turn::Utterance;
use serde_json::json;

use crate::story::{Scene, TESTER, assert_sentence};

/// What sysexits calls a configuration error.
const EX_CONFIG: i32 = 78;

#[tokio::test]
async fn unknown_settings_are_all_named_at_once_and_refused() {
    let home = Home::without_bus();
    home.setting("bus.prot", "8181");
    home.setting("budget.max_iterations", "\"many\"");
    home.setting("kitchen.sink", "1");
    let launch = Launch::new(&home, &["run"]).env("LOQUAT_BUS__HOTS", "x");
    let finished = launch.run().await;
    let (status, output) = (finished.status, finished.shown());
    assert_eq!(status.code(), Some(EX_CONFIG), "{output}");
    for part in [
        "bus.prot",
        "bus.port",
        "max_iterations",
        "kitchen",
        "LOQUAT_BUS__HOTS",
        "loquat.toml",
    ] {
        assert!(output.contains(part), "{part} is not named: {output}");
    }
    assert!(!output.contains("panicked"), "{output}");
}

#[tokio::test]
async fn a_flag_is_checked_like_a_file() {
    let home = Home::without_bus();
    let finished = Launch::new(&home, &["run", "--set", "bus.port=ninety"])
        .run()
        .await;
    let (status, output) = (finished.status, finished.shown());
    assert_eq!(status.code(), Some(EX_CONFIG), "{output}");
    assert!(output.contains("bus.port"), "{output}");
}

#[tokio::test]
async fn a_settings_file_that_is_no_toml_is_named_with_the_line() {
    let home = Home::without_bus();
    home.write("config/loquat/loquat.toml", "[bus]\nport = = 1\n");
    let finished = Launch::new(&home, &["run"]).run().await;
    let (status, output) = (finished.status, finished.shown());
    assert_eq!(status.code(), Some(EX_CONFIG), "{output}");
    assert!(output.contains("loquat.toml:2"), "{output}");
}

#[tokio::test]
async fn a_persona_with_a_typo_is_left_out_with_a_sentence_and_the_others_answer() {
    let scene = Scene::default();
    scene.home.persona(&scene.tester());
    scene.home.write(
        "config/ovos_persona/Broken.json",
        r#"{"name": "Broken", "handlers": ["ovos-react-lop"]}"#,
    );
    scene
        .home
        .write("config/ovos_persona/NoJson.json", r#"{"name": "NoJson", "#);
    let story = scene.start().await;
    story
        .daemon
        .wrote("NoJson.json", loquat_tests::wait::PATIENCE)
        .await;
    let output = story.daemon.output();
    for part in [
        "Broken.json",
        "ovos-react-lop",
        "did you mean ovos-react-loop",
        "NoJson.json",
    ] {
        assert!(output.contains(part), "{part} is not named: {output}");
    }
    let turn = Utterance::new("Hello").to("Broken").ask(&story.probe).await;
    assert_sentence(turn.answer());
    story.assert_goes_on().await;
}

#[tokio::test]
async fn a_default_persona_that_is_broken_is_said_and_not_guessed() {
    let scene = Scene::default();
    scene.home.write(
        "config/ovos_persona/Tester.json",
        r#"{"name": "Tester", "handlers": 7}"#,
    );
    let story = scene.start().await;
    let turn = story.ask("Hello").await;
    assert_sentence(turn.answer());
    assert!(story.brain.requests(TESTER).is_empty());
}

#[tokio::test]
async fn a_mycroft_conf_with_comments_is_read_and_a_broken_one_is_named() {
    let scene = Scene::default();
    let port = scene.home.port();
    let conf =
        format!("// OVOS allows comments\n{{\"lang\": \"de-DE\", \"websocket\": {{\"port\": {port}}}}}\n");
    scene.home.write("config/mycroft/mycroft.conf", &conf);
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.script([Reply::answers("Guten Tag.")]);
    let utterance = Utterance::new("Hallo");
    let mut frame = utterance.frame();
    frame["data"]["lang"] = json!(null);
    frame["context"]["session"] = json!({"session_id": "probe"});
    let mark = story.probe.mark();
    story.probe.send(&frame).await;
    assert_eq!(
        utterance.end(&story.probe, mark).await.spoken()[0].data["lang"],
        "de-DE"
    );

    let home = Home::without_bus();
    home.write("config/mycroft/mycroft.conf", "{ not json");
    let finished = Launch::new(&home, &["check"]).run().await;
    let output = finished.shown();
    assert!(output.contains("mycroft.conf"), "{output}");
}
