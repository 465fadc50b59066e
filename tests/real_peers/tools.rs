//! Our tools through the stock client: what comes back is what the schemas promise.

use std::collections::BTreeSet;
use std::time::Duration;

use loquat_tests::brain::{Reply, ScriptedBrain};
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::peers::Peers;
use loquat_tests::persona::Persona;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::{Value, json};

use crate::{GENERATIONS, TESTER, daemon};

/// The definition of a tool among the answers to discovery.
fn definition(answers: &Value, toolbox_id: &str, name: &str) -> Value {
    let boxes = answers.as_array().cloned().unwrap_or_default();
    let found = boxes.iter().find(|answer| answer["toolbox_id"] == toolbox_id);
    let tools = found.unwrap_or_else(|| panic!("no {toolbox_id} in {answers}"))["tools"].clone();
    let tools = tools.as_array().cloned().unwrap_or_default();
    tools
        .into_iter()
        .find(|tool| tool["name"] == name)
        .unwrap_or_else(|| panic!("no {name} in {answers}"))
}

fn assert_promised(schema: &Value, value: &Value) {
    let validator = jsonschema::validator_for(schema).expect("a tool's schema is a JSON Schema");
    let faults: Vec<_> = validator
        .iter_errors(value)
        .map(|fault| fault.to_string())
        .collect();
    assert!(faults.is_empty(), "{value} breaks {schema}: {faults:?}");
}

#[tokio::test]
async fn discover_and_call_return_what_the_schemas_promise() {
    let calls = [
        (
            "ovos-math-tools",
            "evaluate_expression",
            json!({"expression": "17/100*2450"}),
        ),
        (
            "ovos-clock-tools",
            "get_current_datetime",
            json!({"timezone": "Asia/Tokyo"}),
        ),
    ];
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, _watch) = peers.bus().await;
        let brain = ScriptedBrain::start();
        let (_daemon, _probe) = daemon(&peers, &brain).await;
        let answers = peers
            .stock_client(&["collect", "ovos.persona.tools.discover"])
            .await;
        let boxes: Vec<&str> = answers
            .as_array()
            .expect("answers are a list")
            .iter()
            .filter_map(|answer| answer["data"]["toolbox_id"].as_str())
            .collect();
        let distinct: BTreeSet<&str> = boxes.iter().copied().collect();
        assert_eq!(boxes.len(), distinct.len(), "one answer a toolbox: {boxes:?}");
        for (toolbox_id, name, arguments) in &calls {
            let tool = definition(&answers, toolbox_id, name);
            assert_promised(&tool["argument_schema"], arguments);
            let own_topic = format!("ovos.persona.tools.{toolbox_id}.call");
            for topic in ["ovos.persona.tools.call", &own_topic] {
                let call = json!({"toolbox_id": toolbox_id, "name": name, "kwargs": arguments}).to_string();
                let answer = peers.stock_client(&["request", topic, &call]).await;
                assert_eq!(answer["data"]["toolbox_id"], *toolbox_id, "{answer}");
                assert_promised(&tool["output_schema"], &answer["data"]["result"]);
            }
            let invoke = json!({"name": name, "args": arguments}).to_string();
            let answer = peers
                .stock_client(&["request", "ovos.tools.invoke", &invoke])
                .await;
            assert_promised(&tool["output_schema"], &answer["data"]["result"]);
        }
    }
}

#[tokio::test]
async fn a_persona_calls_the_tools_of_a_stock_toolbox() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, _watch) = peers.bus().await;
        let _toolbox = peers.stock_toolbox().await;
        let brain = ScriptedBrain::start();
        let home = peers.home();
        home.setting("desk.persona", &format!("\"{TESTER}\""));
        home.setting("bus.embed", "\"never\"");
        home.persona(
            &Persona::react(TESTER, &brain.url(TESTER))
                .trusting("stock-tools")
                .unasked_when_tainted("stock-tools", &["stock_add", "stock_burn"]),
        );
        let (_daemon, probe) = Launch::new(home, &["run"]).ready().await;
        let numbers = json!({"left": 3, "right": 4});
        brain.script(
            TESTER,
            [
                Reply::acts("stock_add", &numbers),
                Reply::acts("stock_burn", &numbers),
                Reply::answers("Seven, and smoke."),
            ],
        );
        let turn = Utterance::new("Add and burn").ask(&probe).await;
        assert_eq!(turn.answer(), "Seven, and smoke.", "{generation:?}");
        let requests = brain.requests(TESTER);
        assert!(
            requests[1].newest().contains('7'),
            "{generation:?}: {}",
            requests[1].newest()
        );
        assert!(
            requests[2].newest().contains("stock_burn"),
            "{generation:?}: {}",
            requests[2].newest()
        );
    }
}

#[tokio::test]
async fn the_example_in_python_tells_goes_on_and_takes_back() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, _watch) = peers.bus().await;
        let _toolbox = peers.telling_toolbox().await;
        let brain = ScriptedBrain::start();
        let home = peers.home();
        home.setting("desk.persona", &format!("\"{TESTER}\""));
        home.setting("bus.embed", "\"never\"");
        let tools = ["tell_story", "back_up", "write_entry", "remove_entry"];
        let persona = Persona::react(TESTER, &brain.url(TESTER)).trusting("telling-tools");
        home.persona(&persona.unasked_when_tainted("telling-tools", &tools));
        let (_daemon, probe) = Launch::new(home, &["run"]).ready().await;
        let asked = async |words: &str, replies: Vec<Reply>| {
            brain.script(TESTER, replies);
            Utterance::new(words).ask(&probe).await.answer().to_owned()
        };
        let act = |tool: &str, arguments| Reply::acts(tool, &arguments);
        let told = asked("Tell me a story", vec![act("tell_story", json!({}))]).await;
        assert_eq!(told, "Once there was a fox. It slept. The end.", "{generation:?}");
        let write = vec![
            act("write_entry", json!({"text": "x"})),
            Reply::answers("Written."),
        ];
        assert_eq!(asked("Write x", write).await, "Written.");
        let undone = asked("Undo that", Vec::new()).await;
        assert_eq!(undone, "I have undone this: write entry, x.", "{generation:?}");
        let mark = probe.mark();
        let back_up = vec![act("back_up", json!({})), Reply::answers("I have begun.")];
        assert_eq!(asked("Back up my files", back_up).await, "I have begun.");
        let is_told =
            |frame: &Frame| frame.is_speak() && frame.utterance().ends_with("Twelve files are safe.");
        probe.wait("the outcome", mark, PATIENCE, is_told).await;
    }
}

#[tokio::test]
async fn the_skill_of_the_book_is_found_and_called() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, watch) = peers.bus().await;
        let _skill = peers.example_skill();
        let discover = json!({"type": "ovos.persona.tools.discover", "data": {}, "context": {}});
        let mark = watch.mark();
        let offers =
            |frame: &Frame| frame.data["toolbox_id"] == "disk-tools" && frame.data.get("tools").is_some();
        wait_for("the skill", PATIENCE, async || {
            watch.send(&discover).await;
            watch.try_wait(mark, Duration::from_millis(300), offers).await
        })
        .await;
        let brain = ScriptedBrain::start();
        let home = peers.home();
        home.setting("desk.persona", &format!("\"{TESTER}\""));
        home.setting("bus.embed", "\"never\"");
        // As the book has it.
        let trust = json!({"trust": "safe", "read_only": true});
        let persona = Persona::react(TESTER, &brain.url(TESTER)).toolboxes(&["disk-tools"]);
        home.persona(&persona.setting("disk-tools", trust));
        let (_daemon, probe) = Launch::new(home, &["run"]).ready().await;
        for (folder, told) in [("/", "gigabytes"), ("/no/such/folder", "No such file")] {
            let call = Reply::acts("free_space", &json!({"folder": folder}));
            brain.script(TESTER, [call, Reply::answers("There is room.")]);
            let turn = Utterance::new(&format!("Is there room in {folder}?"))
                .ask(&probe)
                .await;
            assert_eq!(turn.answer(), "There is room.", "{generation:?}");
            let seen = brain.requests(TESTER).pop().unwrap().newest();
            assert!(seen.contains(told), "{generation:?}: {seen}");
        }
    }
}
