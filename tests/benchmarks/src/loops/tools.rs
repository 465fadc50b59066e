//! The tools of both subjects: three that are instant and one that is slow.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, Outcome, Tool, ToolError, Toolbox};
use serde_json::{Map, Value, json};

/// How long the slow tool takes.
const SLOW: Duration = Duration::from_millis(200);

/// The toolbox.
#[derive(Debug)]
pub(super) struct Tools(Arc<[Tool]>);

impl Default for Tools {
    fn default() -> Self {
        Self(all().into())
    }
}

impl Toolbox for Tools {
    fn id(&self) -> &'static str {
        "bench-tools"
    }

    fn tools(&self) -> Arc<[Tool]> {
        Arc::clone(&self.0)
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        _: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        async move {
            let number = |key: &str| arguments.get(key).and_then(Value::as_f64).unwrap_or_default();
            let mut result = Map::new();
            match name {
                "add" => drop(result.insert("sum".to_owned(), json!(number("a") + number("b")))),
                "lookup" => drop(result.insert("result".to_owned(), json!("nothing"))),
                "wait" => {
                    tokio::time::sleep(SLOW).await;
                    result = arguments;
                }
                _ => result = arguments,
            }
            Ok(Outcome::from(result))
        }
        .boxed()
    }
}

fn all() -> Vec<Tool> {
    let number = |what: &str| json!({"type": "number", "description": what});
    let text = |what: &str| json!({"type": "string", "description": what});
    let sum = json!({"a": number("First number."), "b": number("Second number.")});
    let wait = json!({"number": {"type": "integer", "description": "Which of several."}});
    vec![
        tool(
            "add",
            "Add two numbers.",
            &sum,
            &json!({"sum": number("a plus b.")}),
        ),
        tool(
            "echo",
            "Repeat a text.",
            &json!({"text": text("Text to repeat.")}),
            &json!({"text": text("The same text.")}),
        ),
        tool(
            "lookup",
            "Look up a fact.",
            &json!({"query": text("What to look up.")}),
            &json!({"result": text("What was found.")}),
        ),
        tool("wait", "Wait a little.", &wait, &wait),
    ]
}

fn tool(name: &str, description: &str, arguments: &Value, output: &Value) -> Tool {
    let object = |properties: &Value| {
        let names: Vec<&String> = properties.as_object().into_iter().flat_map(Map::keys).collect();
        json!({"type": "object", "properties": properties, "required": names})
    };
    Tool {
        argument_schema: object(arguments),
        output_schema: object(output),
        ..Tool::safe("bench-tools", name, description)
    }
}
