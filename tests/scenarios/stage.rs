//! A daemon, one persona and the toolboxes of other programs, as the scenarios need them; and what passed between them.

use std::sync::atomic::{AtomicUsize, Ordering};

use loquat_tests::brain::Request;
use loquat_tests::frame::Frame;
use loquat_tests::persona::Persona;
use loquat_tests::story::{Scene, Story, TESTER};
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use serde_json::{Value, json};

/// The usual toolbox of another program.
pub(crate) const PEER: &str = "peer-tools";

/// The topic on which tools are called.
const CALL: &str = "ovos.persona.tools.call";

/// The persona trusts [`PEER`], whose tools may change something.
pub(crate) fn trusting(tester: Persona) -> Persona {
    tester.trusting(PEER)
}

/// The persona trusts [`PEER`], whose tools change nothing; `more` is said about it, too.
pub(crate) fn reading(tester: Persona, more: &Value) -> Persona {
    let mut trust = json!({"trust": "safe", "read_only": true});
    for (key, value) in more.as_object().into_iter().flatten() {
        trust[key] = value.clone();
    }
    tester.trusting(PEER).setting(PEER, trust)
}

/// The persona vouches for these tools where it trusts [`PEER`] at all, so that what one of them says stops no other.
fn vouching(persona: Persona, tools: &[ScriptedTool]) -> Persona {
    if persona.knows(PEER) {
        let names: Vec<&str> = tools.iter().map(ScriptedTool::name).collect();
        persona.unasked_when_tainted(PEER, &names)
    } else {
        persona
    }
}

/// A daemon with the usual persona, changed, and [`PEER`] with these tools.
pub(crate) async fn with_peer(
    change: impl FnOnce(Persona) -> Persona,
    tools: Vec<ScriptedTool>,
) -> (Story, ScriptedToolbox) {
    let scene = Scene::default();
    let tester = vouching(change(scene.tester()), &tools);
    let story = scene.play(&tester).await;
    let peer = ScriptedToolbox::join(story.home.port(), PEER, tools).await;
    (story, peer)
}

/// A daemon with that toolbox, with native tool calls and no other tools.
pub(crate) async fn native_with_peer(
    change: impl FnOnce(Persona) -> Persona,
    tools: Vec<ScriptedTool>,
) -> (Story, ScriptedToolbox) {
    let scene = Scene::default();
    let native = vouching(change(Persona::native(TESTER, &scene.brain.url(TESTER))), &tools);
    let story = scene.play(&native).await;
    let peer = ScriptedToolbox::join(story.home.port(), PEER, tools).await;
    (story, peer)
}

/// A tool with these properties, all of them optional.
pub(crate) fn tool(
    name: &str,
    properties: &Value,
    work: impl Fn(&serde_json::Map<String, Value>, &Frame) -> Act + Send + Sync + 'static,
) -> ScriptedTool {
    let definition = json!({
        "name": name,
        "description": format!("Does what the test wants of {name}."),
        "argument_schema": {"type": "object", "properties": properties},
        "output_schema": {"type": "object"},
    });
    ScriptedTool::new(definition, work)
}

/// A tool with one number, which tells equal calls apart, and this end.
pub(crate) fn numbered(name: &str, act: Act) -> ScriptedTool {
    tool(name, &json!({"n": {"type": "integer"}}), move |_, _| act.clone())
}

/// A tool that goes through these ends, one a call, and stays with the last.
pub(crate) fn in_turn(name: &str, acts: Vec<Act>) -> ScriptedTool {
    let calls = AtomicUsize::new(0);
    tool(name, &json!({"n": {"type": "integer"}}), move |_, _| {
        let call = calls.fetch_add(1, Ordering::Relaxed).min(acts.len() - 1);
        acts[call].clone()
    })
}

/// A result with one text.
pub(crate) fn text(text: &str) -> Value {
    json!({"text": text})
}

/// A result, and what a tool hands on beside it.
pub(crate) fn result_and(result: &Value, more: &Value) -> Act {
    let mut data = json!({"toolbox_id": PEER, "result": result});
    for (key, value) in more.as_object().into_iter().flatten() {
        data[key] = value.clone();
    }
    Act::Garbage(data)
}

/// An error in the tool's own words.
pub(crate) fn error(words: &str) -> Act {
    Act::Garbage(json!({"toolbox_id": PEER, "error": words}))
}

/// All calls of tools as they stood on the bus.
pub(crate) fn calls(story: &Story) -> Vec<Frame> {
    frames(story, |frame| frame.topic == CALL)
}

/// All answers to them.
pub(crate) fn answers(story: &Story) -> Vec<Frame> {
    frames(story, |frame| frame.topic == format!("{CALL}.response"))
}

fn frames(story: &Story, wanted: impl Fn(&Frame) -> bool) -> Vec<Frame> {
    let mut frames = story.probe.since(0);
    frames.retain(|frame| wanted(frame) && !frame.is_twin());
    frames
}

/// What the brain has been asked so far.
pub(crate) fn requests(story: &Story) -> Vec<Request> {
    story.brain.requests(TESTER)
}

/// What the brain was shown last.
pub(crate) fn shown_last(story: &Story) -> String {
    requests(story).last().map(Request::newest).unwrap_or_default()
}
