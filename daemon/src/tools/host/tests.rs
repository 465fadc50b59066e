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
        [Tool::safe(BOX, "look", "Looks."), crashing, dangerous, asking].into()
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        _arguments: Map<String, Value>,
        _circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        assert!(name != "crash", "this tool panics");
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
    assert_eq!(names(&shown["tools"]), ["look", "crash"]);
    let shown = asked(&bus, topic::TOOL_SERVICE_LIST, json!({})).await;
    assert_eq!(names(&shown["tools"]), ["look", "crash"]);
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
