//! Replies as models and servers really send them: pieces of calls, marks of new families, words for nothing, calls that are
//! only shown. Each kind in several spellings, as a stream and at once.

use loquat_tests::brain::{Delivery, Reply};
use loquat_tests::frame::Frame;
use loquat_tests::persona::Persona;
use loquat_tests::story::{Scene, Story};
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use serde_json::{Value, json};

use crate::stage::{PEER, calls, native_with_peer, requests, text, tool, trusting, with_peer};

/// Adds, looks up, and switches a light.
fn tools() -> Vec<ScriptedTool> {
    let add = json!({"a": {"type": "integer"}, "b": {"type": "integer"}});
    let lookup = json!({"query": {"type": "string"}, "place": {"type": "object"}, "days": {"type": "array"},
        "loud": {"type": "boolean"}});
    let light = json!({
        "thing": {"type": "string"}, "area": {"type": "string"}, "on": {"type": "boolean"},
        "level": {"anyOf": [{"type": "integer"}, {"type": "null"}]}, "temperature": {"type": "number"},
        "color": {"type": "string"}, "effect": {"type": "string", "enum": ["none", "rainbow"]},
        "days": {"type": "array", "items": {"type": "string"}, "minItems": 1},
    });
    [("add", add), ("lookup", lookup), ("set_light", light)]
        .map(|(name, properties)| tool(name, &properties, |_, _| Act::Returns(text("done"))))
        .into()
}

/// A stream of these pieces of native calls.
fn streamed(pieces: &[Value]) -> Reply {
    let deltas = pieces.iter().map(|piece| {
        let list = if piece.is_array() {
            piece.clone()
        } else {
            json!([piece])
        };
        json!({"choices": [{"index": 0, "delta": {"tool_calls": list}, "finish_reason": null}]})
    });
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]});
    let events = deltas.chain([end]).map(|event| format!("data: {event}\n\n"));
    Reply::garbage(&format!("{}data: [DONE]\n\n", events.collect::<String>()))
}

/// A document of these native calls, all at once.
fn at_once(calls: &[Value]) -> Reply {
    let message = json!({"role": "assistant", "content": null, "tool_calls": calls});
    let body = json!({"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]});
    Reply::garbage(&body.to_string())
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "pieces read as the JSON that they are"
)]
fn piece(index: Value, id: Value, name: Value, arguments: Value) -> Value {
    json!({"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
}

/// The calls that stood on the bus since there were so many: names and arguments.
fn made(story: &Story, before: usize) -> Vec<(Value, Value)> {
    let call = |frame: &Frame| (frame.data["name"].clone(), frame.data["kwargs"].clone());
    calls(story).iter().skip(before).map(call).collect()
}

/// Has each of these replies make these calls, and the answer behind them be spoken.
async fn assert_calls(
    (story, _peer): &(Story, ScriptedToolbox),
    replies: impl IntoIterator<Item = Reply>,
    expected: &[(&str, Value)],
) {
    let expected: Vec<_> = expected
        .iter()
        .map(|(name, arguments)| (json!(name), arguments.clone()))
        .collect();
    for (number, reply) in replies.into_iter().enumerate() {
        let before = calls(story).len();
        story.script([reply.clone(), Reply::answers("That is all.")]);
        let turn = story.ask(&format!("Do number {number}, please")).await;
        assert_eq!(made(story, before), expected, "{reply:?}");
        assert_eq!(turn.answer(), "That is all.", "{reply:?}");
    }
}

#[tokio::test]
async fn pieces_of_one_call_are_one_call_whatever_their_ids_and_names_are() {
    let stage = native_with_peer(trusting, tools()).await;
    let null = Value::Null;
    let sum = json!({"a": 2, "b": 3});
    let (head, tail) = (json!("{\"a\": 2,"), json!(" \"b\": 3}"));
    let replies = [
        // Another id with each piece.
        streamed(&[
            piece(json!(0), json!("x1"), json!("add"), json!("")),
            piece(json!(0), json!("x2"), null.clone(), head.clone()),
            piece(json!(0), json!("x3"), json!(""), tail.clone()),
        ]),
        // The id comes late, or never.
        streamed(&[
            piece(json!(0), json!(""), json!("add"), head.clone()),
            piece(json!(0), null.clone(), null.clone(), json!("")),
            piece(json!(0), json!("late"), null.clone(), tail.clone()),
        ]),
        // The name comes late, and then with each piece.
        streamed(&[
            piece(json!(0), json!("x"), json!(""), json!("")),
            piece(json!(0), json!("x"), json!("add"), head),
            piece(json!(0), json!("y"), json!("add"), tail),
        ]),
        // All of it comes again at the end.
        streamed(&[
            piece(json!(0), json!("x"), json!("add"), json!(sum.to_string())),
            piece(json!(0), json!("x"), json!("add"), json!(sum.to_string())),
        ]),
        // An object in the place of the text, and no id.
        at_once(&[piece(null.clone(), null.clone(), json!("add"), sum.clone())]),
    ];
    assert_calls(&stage, replies, &[("add", sum)]).await;
}

#[tokio::test]
async fn parallel_calls_on_one_index_are_kept_apart() {
    let stage = native_with_peer(trusting, tools()).await;
    let (one, other) = (json!({"a": 1, "b": 2}), json!({"query": "}"}));
    let call = |index: Value, id: Value, name: &str, arguments: &Value| {
        piece(index, id, json!(name), json!(arguments.to_string()))
    };
    let zero = || json!(0);
    let added = |id: Value| call(zero(), id, "add", &one);
    let looked_up = |id: Value| call(zero(), id, "lookup", &other);
    let replies = [
        streamed(&[added(json!("a")), looked_up(json!("b"))]),
        streamed(&[added(json!("same")), looked_up(json!("same"))]),
        streamed(&[added(json!("")), looked_up(Value::Null)]),
        streamed(&[json!([added(Value::Null), looked_up(Value::Null)])]),
        at_once(&[added(json!("same")), looked_up(json!("same"))]),
        at_once(&[
            piece(zero(), Value::Null, json!("add"), one.clone()),
            piece(zero(), Value::Null, json!("lookup"), other.clone()),
        ]),
    ];
    assert_calls(&stage, replies, &[("add", one.clone()), ("lookup", other)]).await;
    let third = json!({"a": 3, "b": 4});
    let twice = [
        streamed(&[added(json!("a")), call(zero(), json!("b"), "add", &third)]),
        streamed(&[added(json!("a")), call(zero(), json!("a"), "add", &third)]),
        streamed(&[
            added(json!("a")),
            piece(zero(), json!("b"), Value::Null, json!(third.to_string())),
        ]),
    ];
    assert_calls(&stage, twice, &[("add", one.clone()), ("add", third)]).await;
}

#[tokio::test]
async fn calls_between_the_marks_of_gemma_4_and_llama_4_are_understood() {
    let stage = with_peer(trusting, tools()).await;
    let written = json!({
        "query": "the \"Seine\", {Paris}: it's [wet]", "place": {"city": "Lyon", "tags": ["a, b", "}"]},
        "days": [1, 2.5], "loud": true,
    });
    let gemma = "<|tool_call>call:lookup{query:<|\"|>the \"Seine\", {Paris}: it's [wet]<|\"|>,place:{city:<|\"|>Lyon<|\"|>,tags:[<|\"|>a, b<|\"|>,<|\"|>}<|\"|>]},days:[1,2.5],loud:true}<tool_call|>";
    let replies = [
        Reply::says(gemma),
        Reply::says(gemma).delivered(Delivery::Pieces),
        Reply::says(format!(
            "<|channel>thought\nI look it up.\n<channel|>{gemma}<|tool_response>"
        )),
        Reply::says(
            gemma
                .replace(",place:", ",\n  place: ")
                .replace("<tool_call|>", ""),
        ),
    ];
    assert_calls(&stage, replies, &[("lookup", written)]).await;
    let sum = [("add", json!({"a": 2, "b": 3}))];
    let llama = [
        Reply::says("<|python_start|>[add(a=2, b=3)]<|python_end|><|eot|>"),
        Reply::says("<|python_start|>add(a=2, b=3)<|python_end|>").delivered(Delivery::Pieces),
        Reply::says(
            "I will add.\n<|python_start|>{\"name\": \"add\", \"parameters\": {\"a\": 2, \"b\": 3}}<|python_end|>",
        ),
    ];
    assert_calls(&stage, llama, &sum).await;
    assert_eq!(requests(&stage.0).len(), 14, "nothing was asked again");
}

#[tokio::test]
async fn a_name_with_pieces_of_a_header_is_the_tool_s_or_none() {
    let (story, peer) = native_with_peer(trusting, tools()).await;
    for name in [
        "add<|channel|>commentary",
        "functions.add <|constrain|>json",
        "add<|channel|>analysis",
    ] {
        let before = peer.calls().len();
        let sum = json!({"a": 1, "b": 2});
        story.script([Reply::calls(name, &sum), Reply::says("Three.")]);
        assert_eq!(story.ask(&format!("Add by {name}")).await.answer(), "Three.");
        assert_eq!(peer.calls().len(), before + 1, "{name}");
    }
    let before = peer.calls().len();
    for name in ["assistant <|recipient|> all", "assistant<|channel|>final", "all"] {
        let said = Reply {
            content: Some("It is three.".into()),
            ..Reply::calls(name, &json!({}))
        };
        story.script([said]);
        assert_eq!(
            story.ask("What is one and two?").await.answer(),
            "It is three.",
            "{name}"
        );
    }
    assert_eq!(peer.calls().len(), before);
}

#[tokio::test]
async fn words_for_nothing_are_left_out_of_optional_arguments_in_every_dialect() {
    let nothing = json!({"thing": "null", "area": "bedroom", "on": true, "color": "none", "temperature": "", "days": []});
    let kept = [("set_light", json!({"area": "bedroom", "on": true}))];
    let stage = native_with_peer(trusting, tools()).await;
    let natively = [
        nothing.clone(),
        json!({"thing": null, "area": "bedroom", "on": true, "color": "N/A", "temperature": "nil", "days": ""}),
        json!({"thing": "undefined", "area": "bedroom", "on": "true", "color": "None", "temperature": {}, "days": "null"}),
    ];
    let replies = natively
        .iter()
        .map(|arguments| Reply::calls("set_light", arguments));
    assert_calls(&stage, replies, &kept).await;
    let stage = with_peer(trusting, tools()).await;
    let tags = "<tool_call>\n<function=set_light>\n<parameter=thing>null</parameter>\n<parameter=area>bedroom</parameter>\n<parameter=on>true</parameter>\n<parameter=color>none</parameter>\n<parameter=temperature></parameter>\n</function>\n</tool_call>";
    let replies = [
        Reply::says(tags),
        Reply::acts("set_light", &nothing),
        Reply::says(json!({"name": "set_light", "arguments": nothing}).to_string()),
        Reply::says(
            "[set_light(thing=None, area=\"bedroom\", on=True, color='none', temperature=null, days=[])]",
        ),
    ];
    assert_calls(&stage, replies, &kept).await;
    // What takes null is given it, a value that is one of the options stays, and so does what the person said.
    let level = "<tool_call>set_light<arg_key>area</arg_key><arg_value>bedroom</arg_value><arg_key>level</arg_key><arg_value>null</arg_value><arg_key>effect</arg_key><arg_value>None</arg_value></tool_call>";
    let given = [(
        "set_light",
        json!({"area": "bedroom", "level": null, "effect": "none"}),
    )];
    assert_calls(&stage, [Reply::says(level)], &given).await;
    let (story, _peer) = &stage;
    let before = calls(story).len();
    story.script([
        Reply::acts("set_light", &json!({"thing": "None"})),
        Reply::answers("Done."),
    ]);
    story.ask("Switch on the lamp that is called None").await;
    assert_eq!(
        made(story, before),
        [(json!("set_light"), json!({"thing": "None"}))]
    );
}

/// Words that announce a call, and go on behind it.
const SHOWN: [[&str; 2]; 6] = [
    ["Here is an example:", "That is how it looks."],
    ["So sieht ein Aufruf aus:", "Mehr ist es nicht."],
    ["Voici un exemple :", "C'est tout."],
    ["Así se escribe:", "Eso es todo."],
    ["Ecco un esempio:", "Tutto qui."],
    ["Veja um exemplo:", "É só isso."],
];

#[tokio::test]
async fn a_call_that_is_only_shown_is_not_made_and_the_words_around_it_are_said() {
    let native = native_with_peer(trusting, tools()).await;
    let textual = with_peer(trusting, tools()).await;
    let call = json!({"name": "set_light", "arguments": {"area": "bedroom", "on": true}});
    let forms = [
        format!("```json\n{call}\n```"),
        format!("```\n{call}\n```"),
        format!("{call}"),
        format!("<tool_call>\n{call}\n</tool_call>"),
        format!("```tool_call\n{call}\n```"),
        "```python\nset_light(area=\"bedroom\", on=True)\n```".to_owned(),
        "[set_light(area=\"bedroom\", on=True)]".to_owned(),
        "Action: set_light\nAction Input: {\"area\": \"bedroom\", \"on\": true}".to_owned(),
        "```\nAction: set_light\nAction Input: {\"area\": \"bedroom\", \"on\": true}\n```".to_owned(),
    ];
    for (story, peer) in [&native, &textual] {
        for (number, form) in forms.iter().enumerate() {
            let [before, behind] = SHOWN[number % SHOWN.len()];
            for marked in ["", "FINAL_ANSWER: "] {
                let reply = format!("{marked}{before}\n{form}\n{behind}");
                story.script([Reply::says(&reply).delivered(Delivery::Pieces)]);
                let turn = story.ask("Show me how such a call looks").await;
                assert!(
                    turn.answer().starts_with(before) && turn.answer().ends_with(behind),
                    "{reply}: {}",
                    turn.answer()
                );
                assert!(!turn.answer().contains(['{', '[', '<']), "{}", turn.answer());
            }
        }
        assert_eq!(peer.calls().len(), 0);
    }
}

#[tokio::test]
async fn a_call_amid_words_that_do_not_announce_it_changes_nothing_before_it_is_made_again() {
    let call = json!({"name": "set_light", "arguments": {"area": "bedroom", "on": true}});
    for form in [
        format!("```json\n{call}\n```"),
        format!("<tool_call>{call}</tool_call>"),
        call.to_string(),
    ] {
        let (story, peer) = with_peer(trusting, tools()).await;
        let amid = format!("I am on it.\n{form}\nPlease wait.");
        story.script([Reply::says(amid), Reply::says(&form), Reply::answers("It is on.")]);
        assert_eq!(
            story.ask("Switch on the light").await.answer(),
            "It is on.",
            "{form}"
        );
        assert_eq!(peer.calls().len(), 1, "{form}");
    }
}

#[tokio::test]
async fn real_calls_in_fences_are_made() {
    let stage = with_peer(trusting, tools()).await;
    let call = json!({"name": "add", "arguments": {"a": 2, "b": 3}});
    let replies = [
        format!("```json\n{call}\n```"),
        format!("I will add them:\n```json\n{call}\n```"),
        format!("```json\n{call}\n```\nThis gives the sum."),
        format!("Thought: I add.\n```json\n{call}\n```\nThen I tell it."),
        format!("Let me see.\n<tool_call>{call}</tool_call>"),
        "I add.\nAction: add\nAction Input: {\"a\": 2, \"b\": 3}\nThen I tell it.".to_owned(),
        "```tool_code\nadd(a=2, b=3)\n```".to_owned(),
    ];
    assert_calls(
        &stage,
        replies.map(Reply::says),
        &[("add", json!({"a": 2, "b": 3}))],
    )
    .await;
}

#[tokio::test]
async fn plain_lines_behind_a_thought_are_the_answer() {
    let at_once = |tester: Persona| trusting(tester).brain("stream", json!(false));
    for change in [trusting as fn(Persona) -> Persona, at_once] {
        let (story, _peer) = with_peer(change, tools()).await;
        for (reply, answer) in [
            (
                "Thought: The person greets me.\nHello! How are you?",
                "Hello! How are you?",
            ),
            (
                "**Thought:** I know this.\n\nParis is the capital.",
                "Paris is the capital.",
            ),
            ("Gedanke: Das weiß ich.\nEs ist Paris.", "Es ist Paris."),
        ] {
            story.script([Reply::says(reply).delivered(Delivery::Pieces)]);
            assert_eq!(story.ask("Hello").await.answer(), answer, "{reply}");
        }
        // A thought alone is none, and what a thought announces belongs to it.
        for reply in [
            "Thought: I should add them.",
            "Thought: I have to do this:\n1. add\n2. tell it",
        ] {
            story.script([Reply::says(reply), Reply::answers("Five.")]);
            assert_eq!(story.ask("Two and three?").await.answer(), "Five.", "{reply}");
        }
    }
}

#[tokio::test]
async fn an_answer_beats_an_action_and_the_call_that_it_beat_is_told() {
    let scene = Scene::default();
    scene.home.setting("bus.reports", "\"events\"");
    let tester = trusting(scene.tester());
    let story = scene.play(&tester).await;
    let peer = ScriptedToolbox::join(story.home.port(), PEER, tools()).await;
    let call = "Action: add\nAction Input: {\"a\": 2, \"b\": 2}";
    for reply in [
        format!("Thought: I need a tool.\n{call}\nFINAL_ANSWER: Four."),
        format!("FINAL_ANSWER: Four.\n{call}"),
        "FINAL_ANSWER: Four.\n<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 2}}</tool_call>".to_owned(),
    ] {
        let mark = story.probe.mark();
        story.script([Reply::says(&reply)]);
        assert_eq!(story.ask("What is two and two?").await.answer(), "Four.", "{reply}");
        let is_drop = |frame: &Frame| frame.data["event"] == "call_dropped" && frame.data["tool"] == "add";
        assert!(story.events(mark).await.iter().any(is_drop), "{reply}");
    }
    assert_eq!((peer.calls().len(), requests(&story).len()), (0, 3));
}
