//! What people say is in no line of the log, whatever is wrong with it: neither their words nor those of a model, a tool,
//! a skill or a server that repeats them (invariant 8).

use loquat_tests::brain::Reply;
use loquat_tests::skill::{Manners, ScriptedSkill};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER};

/// Something that only a person says, or a program that repeats one.
const SAID: &str = "Xyzzy";

async fn at_debug() -> Story {
    let scene = Scene::default();
    scene.home.setting("log.filter", "\"debug\"");
    let tester = scene.tester();
    scene.play(&tester).await
}

fn assert_discreet(story: &Story) {
    let log = story.daemon.output();
    let told: Vec<&str> = log
        .lines()
        .filter(|line| line.to_lowercase().contains("xyzzy"))
        .collect();
    assert!(log.contains("DEBUG"), "at debug something is logged");
    assert!(told.is_empty(), "{told:#?}");
}

#[tokio::test]
async fn a_model_that_goes_wrong_is_not_quoted() {
    let story = at_debug().await;
    let wrong = [
        Reply::acts("Xyzzy tool", &json!({"Xyzzy": "Xyzzy"})),
        Reply::acts(
            "evaluate_expression",
            &json!({"expression": "Xyzzy + 1", "xyzzy": "Xyzzy"}),
        ),
        Reply::acts("evaluate_expression", &json!({"expression": ["Xyzzy"]})),
        Reply::says("Thought: Xyzzy\nAction: evaluate_expression\nAction Input: {\"expression\": Xyzzy"),
        Reply::says("<think>Xyzzy"),
        Reply::says("Action: Xyzzy"),
        Reply::garbage("{\"choices\": \"Xyzzy\"}"),
        Reply::garbage("Xyzzy"),
        Reply::calls("xyzzy", &json!({"Xyzzy": 1})),
    ];
    for reply in wrong {
        story.script([
            reply,
            Reply::answers("Xyzzy is done."),
            Reply::answers("Xyzzy is done."),
        ]);
        story.ask("What is Xyzzy?").await;
    }
    assert_discreet(&story);
}

#[tokio::test]
async fn what_is_said_to_skills_and_about_personas_is_not_quoted() {
    let story = at_debug().await;
    story.brain.whenever(TESTER, "", Reply::answers("Xyzzy."));
    let skill = ScriptedSkill::join(story.home.port(), "test-skill", Manners::older()).await;
    skill.teach("greet", &["hello {name}"]).await;
    for said in [
        "Hello Xyzzy",
        "Talk to Xyzzy",
        "Ask Xyzzy about Xyzzy",
        "Talk to Tester",
        "Ask Tester about Xyzzy",
        "Goodbye Xyzzy",
        "Stop Xyzzy",
    ] {
        story.ask(said).await;
    }
    let failing = Manners {
        fails: true,
        ..Manners::modern()
    };
    let failing = ScriptedSkill::join(story.home.port(), "failing", failing).await;
    failing.teach("fail", &["fail {name}"]).await;
    story.ask("Fail Xyzzy").await;
    story.ask("").await;
    assert_discreet(&story);
}

#[tokio::test]
async fn frames_that_are_no_good_are_not_quoted() {
    let story = at_debug().await;
    story.brain.whenever(TESTER, "", Reply::answers("Xyzzy."));
    let ours = |topic: &str, data: Value| json!({"type": topic, "data": data, "context": {}});
    for frame in [
        ours("recognizer_loop:utterance", json!({"utterances": "Xyzzy"})),
        ours(
            "recognizer_loop:utterance",
            json!({"utterances": [{"Xyzzy": "Xyzzy"}], "lang": "Xyzzy"}),
        ),
        ours(
            "ovos.persona.query",
            json!({"persona_id": SAID, "utterance": SAID}),
        ),
        ours(
            "ovos.persona.query",
            json!({"persona_id": TESTER, "utterance": {"Xyzzy": SAID}}),
        ),
        ours(
            "ovos.persona.tools.call",
            json!({"toolbox_id": "ovos-math-tools", "name": SAID, "kwargs": {"x": SAID}}),
        ),
        ours(
            "ovos.tools.invoke",
            json!({"name": "evaluate_expression", "args": {"expression": SAID}}),
        ),
        ours(
            "ovos.tools.invoke",
            json!({"name": "evaluate_expression", "args": SAID}),
        ),
        ours("speak", json!({"utterance": SAID})),
        ours("speak:b64_audio", json!({"utterance": SAID})),
        ours("ovos.mic.listen", json!({"xyzzy": SAID})),
        json!({"type": "speak", "data": SAID}),
        json!({"type": "speak", "data": {"utterance": SAID}, "context": {"session": SAID}}),
        json!({"type": "speak", "data": [SAID]}),
        json!([SAID]),
    ] {
        story.probe.send(&frame).await;
    }
    for text in [
        "Xyzzy",
        "{\"type\": \"speak\", \"data\": {\"utterance\": \"Xyzzy\"",
        "{\"type\": \"Xyzzy",
    ] {
        story.probe.send_raw(text).await;
    }
    let mark = story.probe.mark();
    let last = Utterance::new("Xyzzy")
        .session("output_lang", json!("Xyzzy"))
        .session("persona_id", json!(7));
    last.enter(&story.probe).await;
    last.end(&story.probe, mark).await;
    story
        .probe
        .wait("an answer", 0, PATIENCE, |frame| {
            frame.topic == "ovos.persona.answer"
        })
        .await;
    assert_discreet(&story);
}
