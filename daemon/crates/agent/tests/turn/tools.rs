//! A toolbox whose tools do what a test needs: answer, fail, hang, flood, lie, crash.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use loquat_agent::record::Reason;
use loquat_agent::toolbox::{Category, Circumstances, Confirm, Outcome, Tool, ToolError, Toolbox};
use loquat_agent::turn::Stopper;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

/// Says what a tool does when it is called.
#[derive(Debug, Clone)]
pub(crate) enum Deed {
    /// Adds `a` and `b`.
    Add,
    /// Gives this back.
    Give(Value),
    /// Gives this back after a while.
    Slow(Duration, Value),
    /// Gives this back and hands these extras on.
    HandOn(Value, Value),
    /// Tells these pieces, each after a second, and gives them back joined.
    Stream(&'static [&'static str]),
    /// Tells these pieces, then complains.
    StreamThenComplain(&'static [&'static str]),
    /// Complains, and has these words for a person.
    Refuse(&'static str),
    /// Tells pieces without end, each at once.
    Flood,
    /// Gives this back, and what takes the call back is called with.
    Undoable(Value, Value),
    /// Gives the extras back that it was handed.
    TellExtras,
    /// Gives this back, and the sentence that tells it.
    Tell(Value, &'static str),
    /// Its result is the answer.
    Answer(&'static str),
    Complain(&'static str, &'static str),
    /// Complains so often, then gives this back.
    FailFirst(u32, Value),
    /// Ends the turn.
    Fault(&'static str),
    /// Never ends.
    Hang,
    /// Never ends, and meanwhile the person says stop.
    StopMeanwhile(Reason),
    Crash,
}

#[derive(Debug, Default)]
pub(crate) struct Tools {
    /// The name where a test has more than one.
    name: Option<&'static str>,
    held: Vec<(Tool, Deed)>,
    ran: Mutex<Vec<(String, Value)>>,
    counts: Mutex<HashMap<String, u32>>,
    /// The token of the last call, for tests that look at it after the turn.
    pub(crate) last_cancel: Mutex<Option<CancellationToken>>,
    stopper: Option<Stopper>,
}

/// `add(a, b)`, which needs both numbers.
pub(crate) fn add() -> (Tool, Deed) {
    let tool = Tool {
        argument_schema: json!({
            "type": "object",
            "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
            "required": ["a", "b"]
        }),
        output_schema: json!({"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]}),
        ..Tool::safe("test-tools", "add", "Add two numbers.")
    };
    (tool, Deed::Add)
}

pub(crate) fn tool(name: &str, deed: Deed) -> (Tool, Deed) {
    (Tool::safe("test-tools", name, format!("The tool {name}.")), deed)
}

/// A tool that may change something.
pub(crate) fn writing(name: &str, deed: Deed) -> (Tool, Deed) {
    let (tool, deed) = tool(name, deed);
    (
        Tool {
            read_only: false,
            idempotent: false,
            ..tool
        },
        deed,
    )
}

/// A tool that tells pieces while it works.
pub(crate) fn streaming(name: &str, deed: Deed) -> (Tool, Deed) {
    let (tool, deed) = tool(name, deed);
    let streams = true;
    (Tool { streams, ..tool }, deed)
}

pub(crate) fn dangerous(name: &str) -> (Tool, Deed) {
    let (tool, deed) = tool(name, Deed::Give(json!({"done": true})));
    (
        Tool {
            category: Category::Dangerous,
            ..tool
        },
        deed,
    )
}

/// A tool that has to be confirmed.
pub(crate) fn confirmed(name: &str) -> (Tool, Deed) {
    let (tool, deed) = tool(name, Deed::Give(json!({"done": true})));
    (
        Tool {
            confirm: Confirm::Ask,
            ..tool
        },
        deed,
    )
}

impl Tools {
    pub(crate) fn new(tools: impl IntoIterator<Item = (Tool, Deed)>) -> Self {
        Self {
            held: tools.into_iter().collect(),
            ..Self::default()
        }
    }

    pub(crate) fn named(self, name: &'static str) -> Self {
        Self {
            name: Some(name),
            ..self
        }
    }

    pub(crate) fn with_stopper(self, stopper: Stopper) -> Self {
        Self {
            stopper: Some(stopper),
            ..self
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    pub(crate) fn ran(&self) -> Vec<(String, Value)> {
        self.ran.lock().unwrap().clone()
    }

    fn count(&self, name: &str) -> u32 {
        let mut counts = self.counts.lock().unwrap();
        let count = counts.entry(name.to_owned()).or_default();
        *count += 1;
        *count
    }
}

async fn tell(pieces: &[&str], circumstances: &Circumstances) {
    for piece in pieces {
        tokio::time::sleep(Duration::from_secs(1)).await;
        circumstances.pieces.tell(piece);
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        other => Map::from_iter([("value".to_owned(), other)]),
    }
}

impl Toolbox for Tools {
    fn id(&self) -> &'static str {
        self.name.unwrap_or("test-tools")
    }

    fn tools(&self) -> Arc<[Tool]> {
        self.held.iter().map(|(tool, _)| tool.clone()).collect()
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        Box::pin(async move {
            self.ran
                .lock()
                .unwrap()
                .push((name.to_owned(), Value::Object(arguments.clone())));
            *self.last_cancel.lock().unwrap() = Some(circumstances.cancel.clone());
            let deed = self
                .held
                .iter()
                .find(|(tool, _)| tool.name == name)
                .map(|(_, deed)| deed.clone());
            match deed.expect("the tool is in the toolbox") {
                Deed::Add => {
                    let number = |key: &str| arguments[key].as_f64().expect("the gate checked it");
                    Ok(object(json!({"sum": number("a") + number("b")})).into())
                }
                Deed::Give(result) => Ok(object(result).into()),
                Deed::Slow(wait, result) => {
                    tokio::time::sleep(wait).await;
                    Ok(object(result).into())
                }
                Deed::HandOn(result, extras) => Ok(Outcome {
                    result: object(result),
                    extras: object(extras),
                    ..Outcome::default()
                }),
                Deed::Stream(pieces) => {
                    tell(pieces, circumstances).await;
                    Ok(object(json!({"text": pieces.concat()})).into())
                }
                Deed::StreamThenComplain(pieces) => {
                    tell(pieces, circumstances).await;
                    Err(ToolError::reply("OSError", "the line is dead"))
                }
                Deed::Flood => loop {
                    circumstances.pieces.tell("It goes on. ");
                    tokio::task::yield_now().await;
                },
                Deed::Undoable(result, undo) => Ok(Outcome {
                    result: object(result),
                    undo: object(undo),
                    ..Outcome::default()
                }),
                Deed::TellExtras => Ok(object(json!({"extras": circumstances.extras})).into()),
                Deed::Tell(result, sentence) => Ok(Outcome {
                    result: object(result),
                    spoken: Some(sentence.to_owned()),
                    ..Outcome::default()
                }),
                Deed::Answer(answer) => Ok(Outcome {
                    result: object(json!({"ok": true})),
                    answer: Some(answer.to_owned()),
                    ..Outcome::default()
                }),
                Deed::Refuse(words) => {
                    let complaint = ToolError::reply("ConnectionError", "the service cannot be reached");
                    Err(complaint.spoken(Some(words.to_owned())))
                }
                Deed::Complain(class, message) => Err(ToolError::reply(class, message)),
                Deed::FailFirst(times, result) => {
                    if self.count(name) <= times {
                        Err(ToolError::reply("ConnectionError", "nobody there"))
                    } else {
                        Ok(object(result).into())
                    }
                }
                Deed::Fault(text) => Err(ToolError::Fault(text.to_owned())),
                Deed::Hang => std::future::pending().await,
                Deed::StopMeanwhile(reason) => {
                    if let Some(stopper) = &self.stopper {
                        stopper.stop(reason);
                    }
                    std::future::pending().await
                }
                Deed::Crash => panic!("the tool is broken"),
            }
        })
    }
}
