//! What Loquat does not let out of its hands: a terminal, its keys, its rights over the machine.

use std::fs;
use std::path::Path;

use loquat_tests::brain::Reply;
use loquat_tests::daemon::{Finished, Launch};
use loquat_tests::speaker;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER};

/// Writes to the clipboard, clears the screen, in two dialects of control characters, and turns what follows around.
const HOSTILE: &str = "\u{1b}]52;c;aGVsbG8=\u{7}\u{1b}[2J\u{9b}2J\u{9d}0;owned\u{9c}\u{202e}";

fn assert_harmless(finished: &Finished) {
    for text in [&finished.stdout, &finished.stderr] {
        let control = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
        assert!(
            !text.contains(control) && !text.contains('\u{202e}'),
            "{}",
            text.escape_debug()
        );
    }
}

#[tokio::test]
async fn no_answer_orders_a_terminal_about_nor_reaches_the_voice_with_its_orders() {
    let story = Story::begin().await;
    let said = format!("{HOSTILE}Paris{HOSTILE}.");
    story.script([
        Reply::answers(&said),
        Reply::answers(&said),
        Reply::answers(&said),
    ]);
    let turn = story.ask("Capital of France?").await;
    assert!(turn.answer().contains("Paris"), "{}", turn.answer());
    assert!(!turn.answer().contains(|letter: char| letter.is_control()));
    assert!(!turn.answer().contains('\u{202e}'));
    let question = format!("{HOSTILE}Capital of France?");
    let ask = Launch::new(&story.home, &["ask", &question]).run().await;
    assert!(ask.stdout.contains("Paris"), "{}", ask.shown());
    assert_harmless(&ask);
    let ask = Launch::new(&story.home, &["--json", "ask", &question])
        .run()
        .await;
    assert_harmless(&ask);
    let answer: Value = serde_json::from_str(&ask.stdout).unwrap();
    assert_eq!(answer["question"], question);
}

#[tokio::test]
async fn no_stranger_orders_a_terminal_about() {
    let story = Story::begin().await;
    let anything = json!({"type": "object"});
    let peek = json!({"name": "peek", "description": format!("{HOSTILE}Looks around."),
                      "argument_schema": anything, "output_schema": anything});
    let tool = ScriptedTool::new(peek, |_, _| Act::Returns(json!({"seen": HOSTILE})));
    let _box = ScriptedToolbox::join(story.home.port(), "strange-tools", vec![tool]).await;
    let list = Launch::new(&story.home, &["tools", "list"]).run().await;
    assert!(list.stdout.contains("Looks around."), "{}", list.shown());
    assert_harmless(&list);
    let call = Launch::new(&story.home, &["tools", "call", "peek"]).run().await;
    assert!(call.stdout.contains("seen"), "{}", call.shown());
    assert_harmless(&call);

    story.script([Reply::answers("Hello.")]);
    Utterance::new(&format!("{HOSTILE}Hi."))
        .ask(&story.probe)
        .await
        .answer();
    for arguments in [vec!["replay"], vec!["replay", "last"], vec!["personas"]] {
        let finished = Launch::new(&story.home, &arguments).run().await;
        assert!(finished.status.success(), "{}", finished.shown());
        assert_harmless(&finished);
    }
    assert!(!story.daemon.output().contains('\u{1b}'), "nor in the log");
}

#[tokio::test]
async fn a_persona_takes_no_file_of_the_machine_for_its_key() {
    let scene = Scene::default();
    let secret = scene.home.write("data/diary", "not yours");
    fs::set_permissions(&secret, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    scene
        .home
        .persona(&scene.tester().brain("key", json!({"file": secret})));
    let check = Launch::new(&scene.home, &["check"]).run().await;
    assert!(check.stdout.contains("keys.folders"), "{}", check.shown());

    let folder = format!("[{:?}]", scene.home.path().join("data"));
    scene.home.setting("keys.folders", &folder);
    let story = scene.start().await;
    story.script([Reply::answers("Paris.")]);
    assert_eq!(story.ask("Capital of France?").await.answer(), "Paris.");
    let authorization = &story.brain.requests(TESTER)[0].authorization;
    assert_eq!(authorization.as_deref(), Some("Bearer not yours"));
}

#[tokio::test]
async fn a_key_that_would_go_over_the_net_in_the_clear_is_told() {
    let scene = Scene::default();
    let far = json!("http://192.0.2.1:1/v1");
    scene.home.persona(&scene.tester().brain("api_url", far));
    let check = Launch::new(&scene.home, &["check"]).run().await;
    assert!(check.stdout.contains("is not sent"), "{}", check.shown());
    assert!(
        check.stdout.contains("keys.clear_text_hosts"),
        "{}",
        check.shown()
    );
    scene.home.setting("keys.clear_text_hosts", "[\"192.0.2.1\"]");
    let check = Launch::new(&scene.home, &["check"]).run().await;
    assert!(!check.stdout.contains("is not sent"), "{}", check.shown());
}

#[tokio::test]
async fn a_bus_with_tls_is_said_to_be_none_of_ours() {
    let scene = Scene::default();
    let bus = json!({"host": "127.0.0.1", "port": scene.home.port(), "route": "/core", "ssl": true});
    scene.home.mycroft_conf(&json!({"websocket": bus}));
    let check = Launch::new(&scene.home, &["check"]).run().await;
    assert!(!check.status.success());
    assert!(check.stdout.contains("wants TLS"), "{}", check.shown());
}

#[tokio::test]
async fn the_voice_is_given_a_language_or_the_devices_own() {
    let scene = Scene::default();
    let called = speaker::espeak(&scene.home);
    scene.home.persona(&scene.tester());
    let launch = Launch::new(&scene.home, &["run"]).finding("bin");
    let (_daemon, probe) = launch.ready().await;
    for (lang, voice) in [("--path=/tmp", "en-us"), ("fr-FR", "fr-fr")] {
        let speak = json!({"type": "speak", "data": {"utterance": "-w /tmp/x", "lang": lang}, "context": {}});
        let wanted = format!("-v {voice} -s 175 --stdin --stdout -w /tmp/x");
        // In its first second the daemon looks whether an audio service is there that does this.
        wait_for(&wanted, PATIENCE, async || {
            probe.send(&speak).await;
            let calls = fs::read_to_string(&called).unwrap_or_default();
            (calls.lines().last() == Some(&*wanted)).then_some(())
        })
        .await;
    }
}

/// The line of `/proc/PID/status` that begins so.
fn status(pid: u32, name: &str) -> String {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_default().trim().to_owned()
}

#[tokio::test]
async fn the_models_process_holds_no_right_that_it_does_not_need() {
    let models = loquat_tests::models::folder().expect("LOQUAT_TEST_MODELS, which `make test` sets");
    let scene = Scene::default();
    let model = models.join("smollm2-135m-instruct-q4_1.gguf");
    scene.home.setting("local_brain.model", &format!("{model:?}"));
    scene.home.setting("local_brain.sandbox", "\"required\"");
    let file = json!({
        "name": "Local",
        "handlers": ["ovos-react-loop"],
        "ovos-react-loop": {"brain": "loquat-local-brain", "toolboxes": []},
    });
    scene
        .home
        .write("config/ovos_persona/Local.json", &file.to_string());
    let run = Launch::new(&scene.home, &["run"]).env("SOME_API_KEY", "sk-in-the-environment");
    let (daemon, probe) = run.ready().await;
    Utterance::new("Hello").to("Local").enter(&probe).await;
    daemon.wrote("the local brain is held to", PATIENCE).await;
    let worker = daemon.descendants();
    let [worker] = worker[..] else {
        panic!("one process of the model, not {worker:?}");
    };
    assert_eq!(status(worker, "Seccomp:"), "2");
    assert_eq!(status(worker, "NoNewPrivs:"), "1");
    let environment = fs::read(format!("/proc/{worker}/environ")).unwrap();
    assert!(!String::from_utf8_lossy(&environment).contains("sk-in-the-environment"));
    let names: Vec<String> = fs::read_dir(format!("/proc/{worker}/fd"))
        .unwrap()
        .filter_map(|entry| Some(fs::read_link(entry.ok()?.path()).ok()?.display().to_string()))
        .filter(|name| {
            name.starts_with('/') && !name.starts_with("/dev/null") && !name.starts_with("/memfd:")
        })
        .collect();
    let of_the_model = |name: &String| Path::new(name) == model;
    assert!(names.iter().all(of_the_model), "{names:?}");
    let check = Launch::new(&scene.home, &["check"]).run().await;
    assert!(
        check.stdout.contains("its process is held to"),
        "{}",
        check.shown()
    );
}
