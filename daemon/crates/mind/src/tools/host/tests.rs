//! The host on a bus of its own, and a client that asks. Never looks inside.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::Outcome;
use loquat_bus::{BusServerOptions, ClientOptions, EmbeddedBus};

use super::*;

/// No answer takes this long unless it never comes.
const PATIENCE: Duration = Duration::from_secs(10);

/// Long enough for an answer that should not come.
const SILENCE: Duration = Duration::from_millis(300);

const BOX: &str = "mixed-tools";

/// A box with a harmless tool, one that panics, a dangerous one, and one that wants a yes.
#[derive(Debug)]
struct Mixed;

impl Toolbox for Mixed {
    fn id(&self) -> &str {
        BOX
    }

    fn tools(&self) -> Arc<[Tool]> {
        let dangerous = Tool {
            category: Category::Dangerous,
            ..Tool::safe(BOX, "burn", "Burns.")
        };
        let asking = Tool {
            confirm: Confirm::Ask,
            ..Tool::safe(BOX, "open", "Opens.")
        };
        let crashing = Tool::safe(BOX, "crash", "Panics.");
        let telling = Tool {
            streams: true,
            may_end_turn: true,
            ..Tool::safe(BOX, "tell", "Tells.")
        };
        let lasting = Tool {
            category: Category::Async,
            read_only: false,
            undo: Some(loquat_agent::toolbox::Undo::by("restore")),
            ..Tool::safe(BOX, "work", "Works.")
        };
        let restore = Tool {
            only_undoes: true,
            ..Tool::safe(BOX, "restore", "Restores.")
        };
        let look = Tool::safe(BOX, "look", "Looks.");
        [look, crashing, dangerous, asking, telling, lasting, restore].into()
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        _arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        assert!(name != "crash", "this tool panics");
        if name == "tell" {
            for text in ["One. ", "Two."] {
                circumstances.pieces.tell(text);
            }
        }
        let result = Map::from_iter([("ran".to_owned(), json!(name))]);
        let outcome = Outcome::from(result);
        std::future::ready(Ok(outcome)).boxed()
    }
}

/// A bus, the host on it, and a client that asks.
fn hosted() -> (Bus, JoinSet<()>) {
    let token = CancellationToken::new();
    let bus = EmbeddedBus::bind(BusServerOptions::on_port(0)).unwrap();
    let address = bus.address();
    let mut tasks = JoinSet::new();
    tasks.spawn(bus.run(token.clone()));
    let [host, asker] = [(), ()].map(|()| {
        let (bus, actor) = loquat_bus::client(address.clone(), ClientOptions::default());
        tasks.spawn(actor.run(token.clone()));
        bus
    });
    let device = Device {
        lang: "en-US".to_owned(),
        units: None,
        time_zone: None,
        place: None,
        time_format: None,
        date_format: None,
    };
    let host = Host::new(host, device, vec![Arc::new(Mixed)]);
    let frames = host.subscribe();
    tasks.spawn(host.run(frames, token));
    (asker, tasks)
}

async fn asked(bus: &Bus, topic: &str, data: Value) -> Map<String, Value> {
    let answer = bus.request(Message::new(topic, data), None, PATIENCE).await;
    answer.unwrap().data
}

fn names(tools: &Value) -> Vec<&str> {
    let tools = tools.as_array().into_iter().flatten();
    tools.filter_map(|tool| tool["name"].as_str()).collect()
}

#[tokio::test]
async fn tools_that_may_do_harm_are_on_neither_surface() {
    let (bus, _tasks) = hosted();
    let shown = asked(&bus, topic::TOOLS_DISCOVER, json!({})).await;
    assert_eq!(names(&shown["tools"]), ["look", "crash", "tell", "work"]);
    let shown = asked(&bus, topic::TOOL_SERVICE_LIST, json!({})).await;
    assert_eq!(names(&shown["tools"]), ["look", "crash", "tell", "work"]);
    for name in ["burn", "open"] {
        let called = asked(&bus, topic::TOOLS_CALL, json!({"toolbox_id": BOX, "name": name})).await;
        assert_eq!(called["error"], format!("ValueError: unknown tool '{name}'"));
        let called = asked(&bus, &own_topic(BOX), json!({"name": name})).await;
        assert_eq!(called["error"], format!("ValueError: unknown tool '{name}'"));
        for topic in [topic::TOOL_SERVICE_GET, topic::TOOL_SERVICE_INVOKE] {
            let called = asked(&bus, topic, json!({"name": name})).await;
            assert_eq!(called["error"], format!("Unknown tool: '{name}'"));
        }
    }
    let called = asked(
        &bus,
        topic::TOOLS_CALL,
        json!({"toolbox_id": BOX, "name": "look"}),
    )
    .await;
    assert_eq!(called["result"], json!({"ran": "look"}));
}

#[tokio::test]
async fn a_tool_that_panics_answers_its_caller_and_the_host_goes_on() {
    let (bus, _tasks) = hosted();
    for round in 0..2 {
        let crash = json!({"toolbox_id": BOX, "name": "crash"});
        let called = asked(&bus, topic::TOOLS_CALL, crash).await;
        assert_eq!(called["error"], "InternalError: 'crash' crashed", "round {round}");
        let called = asked(&bus, topic::TOOL_SERVICE_INVOKE, json!({"name": "crash"})).await;
        assert_eq!(called["error"], "InternalError: 'crash' crashed", "round {round}");
    }
    let called = asked(&bus, topic::TOOL_SERVICE_INVOKE, json!({"name": "look"})).await;
    assert_eq!(called["result"], json!({"ran": "look"}));
}

#[tokio::test]
async fn a_call_of_which_only_the_outline_is_read_is_refused_by_the_one_that_it_is_for() {
    let (bus, _tasks) = hosted();
    let kwargs = json!({"text": "x".repeat(MAX_READ_BYTES)});
    let call = json!({"toolbox_id": BOX, "name": "look", "kwargs": kwargs});
    for (topic, data) in [
        (topic::TOOLS_CALL, call.clone()),
        (topic::TOOL_SERVICE_INVOKE, call),
    ] {
        let error = asked(&bus, topic, data).await["error"].clone();
        assert!(
            error.as_str().is_some_and(|error| error.contains("too large")),
            "{error}"
        );
    }
    let other = json!({"toolbox_id": "other-tools", "name": "look", "kwargs": kwargs});
    let other = Message::new(topic::TOOLS_CALL, other);
    assert!(bus.request(other, None, SILENCE).await.is_err());
}

#[tokio::test]
async fn a_call_for_a_box_that_is_not_hosted_is_met_with_silence() {
    let (bus, _tasks) = hosted();
    // The host is there.
    asked(&bus, topic::TOOL_SERVICE_LIST, json!({})).await;
    let call = Message::new(
        topic::TOOLS_CALL,
        json!({"toolbox_id": "other-tools", "name": "look"}),
    );
    assert!(bus.request(call, None, SILENCE).await.is_err());
}

#[tokio::test]
async fn pieces_come_before_the_answer_and_an_outcome_behind_it() {
    let (bus, _tasks) = hosted();
    let mut told = bus.subscribe(Topics::of([topic::LOQUAT_TOOL_PIECE, topic::LOQUAT_TOOL_OUTCOME]));
    let shown = asked(&bus, topic::TOOLS_DISCOVER, json!({})).await;
    assert_eq!(
        (&shown["tools"][2]["streams"], &shown["tools"][2]["may_end_turn"]),
        (&json!(true), &json!(true))
    );
    let work = &shown["tools"][3];
    assert_eq!(
        (&work["async"], &work["read_only"]),
        (&json!(true), &json!(false))
    );
    assert!(work.get("undo").is_none(), "what takes it back is not offered");
    assert!(shown["tools"][0].get("streams").is_none() && work["outcome_schema"].is_object());
    let call = |name: &str| json!({"toolbox_id": BOX, "name": name});
    asked(&bus, topic::TOOLS_CALL, call("tell")).await;
    for (number, text) in ["One. ", "Two."].iter().enumerate() {
        let piece = told.recv().await.unwrap().message;
        assert_eq!(
            (&piece.data["number"], &piece.data["text"]),
            (&json!(number), &json!(text))
        );
    }
    let started = asked(&bus, topic::TOOLS_CALL, call("work")).await;
    assert_eq!(started["result"]["started"], started["started"]);
    let outcome = told.recv().await.unwrap();
    assert_eq!(outcome.canonical, topic::LOQUAT_TOOL_OUTCOME);
    assert_eq!(outcome.message.data["started"], started["started"]);
    assert_eq!(outcome.message.data["result"], json!({"ran": "work"}));
    let hidden = asked(&bus, topic::TOOLS_CALL, call("restore")).await;
    assert_eq!(hidden["error"], "ValueError: unknown tool 'restore'");
}
