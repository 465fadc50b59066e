//! Typed functions as tools: the types of arguments and result give the schemas.
//!
//! Knows nothing of any single tool, and validates no more than the types do; the gate has done the rest.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::capitalised;
use loquat_agent::pieces::Pieces;
use loquat_agent::toolbox::Undo;
use loquat_agent::toolbox::{Category, Circumstances, Confirm, Hint, Outcome, Tool, ToolError, Toolbox};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::dialog::{Tell, Telling};
use crate::wording::Wording;

mod schema;

type Handler = Box<
    dyn for<'a> Fn(Map<String, Value>, &'a Circumstances) -> BoxFuture<'a, Result<Told, ToolError>>
        + Send
        + Sync,
>;

/// What a call gives back, and what can be said of it.
struct Told {
    outcome: Outcome,
    telling: Option<Telling>,
    /// What only a sentence of others tells.
    facts: Map<String, Value>,
}

/// What does the work of a tool with what its toolbox shares.
type Run<S, A, R> = for<'a> fn(S, A, &'a Circumstances) -> BoxFuture<'a, Result<R, ToolError>>;

/// The result of a tool that tells pieces.
#[derive(Debug, Serialize, JsonSchema)]
struct Streamed {
    text: String,
}

impl Tell for Streamed {}

/// What is asked before a call, in the words of a dialog that says all that it would do.
pub type Question = fn(&Map<String, Value>) -> Option<Telling>;

/// One tool: what is said about it, and the function that does it.
pub struct Function {
    tool: Tool,
    handler: Handler,
    question: Option<Question>,
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Function").field(&self.tool.name).finish()
    }
}

impl Function {
    /// A harmless tool from a function that answers at once: it waits for nothing, and what it computes has a bound.
    pub fn new<A, R, F>(name: &str, description: &str, function: F) -> Self
    where
        A: DeserializeOwned + JsonSchema,
        R: Serialize + JsonSchema + Tell,
        F: Fn(A, &Circumstances) -> Result<R, ToolError> + Send + Sync + 'static,
    {
        let handler: Handler = Box::new(move |arguments, circumstances| {
            let outcome = read::<A>(arguments)
                .and_then(|arguments| function(arguments, circumstances))
                .and_then(|result| write(&result));
            Box::pin(std::future::ready(outcome))
        });
        Self::describe::<A, R>(name, description, handler)
    }

    /// A harmless tool from a function that waits for something. Dropping its future gives the call up.
    pub fn waiting<A, R, F>(name: &str, description: &str, function: F) -> Self
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        R: Serialize + JsonSchema + Tell + Send + 'static,
        F: for<'a> Fn(A, &'a Circumstances) -> BoxFuture<'a, Result<R, ToolError>> + Send + Sync + 'static,
    {
        let handler: Handler = Box::new(move |arguments, circumstances| {
            let started = read::<A>(arguments).map(|arguments| function(arguments, circumstances));
            Box::pin(async move { write(&started?.await?) })
        });
        Self::describe::<A, R>(name, description, handler)
    }

    /// One that works on what all tools of its toolbox share.
    pub fn sharing<S, A, R>(shared: &S, name: &str, description: &str, run: Run<S, A, R>) -> Self
    where
        S: Clone + Send + Sync + 'static,
        A: DeserializeOwned + JsonSchema + Send + 'static,
        R: Serialize + JsonSchema + Tell + Send + 'static,
    {
        let shared = shared.clone();
        Self::waiting(name, description, move |arguments, person| {
            run(shared.clone(), arguments, person)
        })
    }

    /// A harmless tool that tells its result piece by piece while it works, each as soon as it has it. All of them, joined,
    /// are the result. Dropping its future gives the call up.
    pub fn streaming<A, F>(name: &str, description: &str, function: F) -> Self
    where
        A: DeserializeOwned + JsonSchema + Send + 'static,
        F: for<'a> Fn(A, &'a Circumstances, Pieces) -> BoxFuture<'a, Result<(), ToolError>>
            + Send
            + Sync
            + 'static,
    {
        let handler: Handler = Box::new(move |arguments, circumstances| {
            let outer = circumstances.pieces.clone();
            let pieces = Pieces::heard_by(move |text| outer.tell(text));
            let started =
                read::<A>(arguments).map(|arguments| function(arguments, circumstances, pieces.clone()));
            Box::pin(async move {
                let call = started?;
                tokio::select! {
                    biased;
                    ended = call => ended?,
                    () = pieces.flooded() => return Err(ToolError::flooded()),
                }
                write(&Streamed {
                    text: pieces.joined(),
                })
            })
        });
        Self::describe::<A, Streamed>(name, description, handler).with(|tool| tool.streams = true)
    }

    /// Changes what is said about the tool, for example its category or its time limit.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Tool)) -> Self {
        change(&mut self.tool);
        self
    }

    /// Adds what people say for it without naming what it does, for brains that are shown very many tools: the words, why they
    /// mean this tool, and the arguments of the call.
    #[must_use]
    pub fn hinted(self, said: &str, thought: &str, arguments: Value) -> Self {
        self.with(|tool| tool.hint = Some(Hint::new(said, thought, arguments)))
    }

    /// The tool changes something: it runs alone, and its call is not made again.
    #[must_use]
    pub fn changing(self) -> Self {
        self.with(|tool| (tool.read_only, tool.idempotent) = (false, false))
    }

    /// The tool changes something that a person may regret: it asks first.
    #[must_use]
    pub fn asking(self) -> Self {
        self.changing()
            .with(|tool| (tool.category, tool.confirm) = (Category::Dangerous, Confirm::Ask))
    }

    /// The question whether to make a call is asked in these words.
    #[must_use]
    pub fn asked_in(self, question: Question) -> Self {
        let question = Some(question);
        Self { question, ..self }
    }

    /// The tool goes on after the turn, and the person is told later what came of it: within this time, or that it failed.
    #[must_use]
    pub fn going_on_for(self, time: Duration) -> Self {
        self.with(|tool| (tool.category, tool.timeout) = (Category::Async, time))
    }

    /// A call is taken back by another tool of the toolbox, with what its result gives for it ([`Tell::undo`]).
    #[must_use]
    pub fn undone_by(self, name: &str) -> Self {
        self.with(|tool| tool.undo = Some(Undo::by(name)))
    }

    /// The tool only takes other calls back: no brain is shown it, and no program can call it.
    #[must_use]
    pub fn only_undoing(self) -> Self {
        self.changing().with(|tool| tool.only_undoes = true)
    }

    fn describe<A: JsonSchema, R: JsonSchema>(name: &str, description: &str, handler: Handler) -> Self {
        let mut tool = Tool::safe("", name, description);
        tool.argument_schema = schema::of_arguments::<A>();
        tool.output_schema = schema::of_result::<R>();
        let question = None;
        Self {
            tool,
            handler,
            question,
        }
    }
}

/// The dialogs in which a person is told of complaints of a class, where a toolbox has them: what no model could do better.
const REFUSALS: [(&str, &str); 3] = [
    ("ConnectionError", "no_connection"),
    ("PlaceError", "no_place"),
    ("PastError", "past"),
];

/// A toolbox that is nothing but a list of functions.
pub struct FunctionToolbox {
    id: &'static str,
    tools: Arc<[Tool]>,
    /// In the order of the tools.
    handlers: Vec<Handler>,
    /// In the order of the tools.
    questions: Vec<Option<Question>>,
    sentences: Option<Sentences>,
}

/// What its tools tell their results with.
struct Sentences {
    /// The name of its folder.
    folder: &'static str,
    /// Those of all folders.
    wording: Wording,
}

impl fmt::Debug for FunctionToolbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FunctionToolbox").field(&self.id).finish()
    }
}

impl FunctionToolbox {
    /// A toolbox under a stable id.
    pub fn new(id: &'static str, functions: Vec<Function>) -> Self {
        let questions = functions.iter().map(|function| function.question).collect();
        let of_this_box = |Function {
                               mut tool, handler, ..
                           }| {
            id.clone_into(&mut tool.toolbox_id);
            (tool, handler)
        };
        let (tools, handlers): (Vec<_>, Vec<_>) = functions.into_iter().map(of_this_box).unzip();
        Self {
            id,
            tools: tools.into(),
            handlers,
            questions,
            sentences: None,
        }
    }

    /// Adds the folder of its sentences, so that its tools tell what came of a call.
    #[must_use]
    pub fn telling(mut self, folder: &'static str, wording: &Wording) -> Self {
        self.sentences = Some(Sentences {
            folder,
            wording: wording.clone(),
        });
        self
    }

    fn spoken(&self, told: Told, person: &Circumstances) -> Outcome {
        let sentences = self.sentences.as_ref();
        Outcome {
            spoken: sentences
                .and_then(|sentences| sentences.spoken(self.id, &told, person))
                .map(|sentence| capitalised(&sentence)),
            ..told.outcome
        }
    }

    /// A complaint with what a person is told of it.
    fn refused(&self, error: ToolError, person: &Circumstances) -> ToolError {
        let words = self
            .sentences
            .as_ref()
            .and_then(|sentences| sentences.refusal(&error, person));
        error.spoken(words.map(|sentence| capitalised(&sentence)))
    }

    fn unknown(&self, name: &str) -> ToolError {
        let known: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
        let message = format!(
            "no tool '{name}' in toolbox '{}'; it has {}",
            self.id,
            known.join(", ")
        );
        ToolError::reply("LookupError", message)
    }
}

impl Sentences {
    /// The toolbox's own words for a complaint.
    fn refusal(&self, error: &ToolError, person: &Circumstances) -> Option<String> {
        let ToolError::Reply { class, .. } = error else {
            return None;
        };
        let (_, dialog) = REFUSALS.iter().find(|(known, _)| known == class)?;
        let person = Circumstances {
            dialog: None,
            ..person.clone()
        };
        Telling::new(dialog).sentence(&self.wording.locales, self.folder, &person)
    }

    /// The toolbox's own words for a result, or else those of others for the sentence that was said.
    fn spoken(&self, toolbox_id: &str, told: &Told, person: &Circumstances) -> Option<String> {
        let own = |telling: &Telling| telling.sentence(&self.wording.locales, self.folder, person);
        told.telling.as_ref().and_then(own).or_else(|| {
            let phrasing = person.phrasing.as_ref()?;
            let answers = self.wording.answers.as_ref()?;
            let mut result = told.outcome.result.clone();
            result.extend(told.facts.clone());
            answers.tell(person.lang.as_deref()?, phrasing, toolbox_id, &result)
        })
    }
}

impl Toolbox for FunctionToolbox {
    fn id(&self) -> &str {
        self.id
    }

    fn tools(&self) -> Arc<[Tool]> {
        Arc::clone(&self.tools)
    }

    fn question(&self, name: &str, arguments: &Map<String, Value>, lang: &str) -> Option<String> {
        let mut tools = self.tools.iter().zip(&self.questions);
        let (_, question) = tools.find(|(tool, _)| tool.name == name)?;
        let telling = (*question)?(arguments)?;
        let person = Circumstances {
            lang: Some(lang.to_owned()),
            ..Circumstances::default()
        };
        let sentences = self.sentences.as_ref()?;
        telling.sentence(&sentences.wording.locales, sentences.folder, &person)
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        let mut functions = self.tools.iter().zip(&self.handlers);
        match functions.find(|(tool, _)| tool.name == name) {
            Some((_, handler)) => handler(arguments, circumstances)
                .map(|told| match told {
                    Ok(told) => Ok(self.spoken(told, circumstances)),
                    Err(error) => Err(self.refused(error, circumstances)),
                })
                .boxed(),
            None => Box::pin(std::future::ready(Err(self.unknown(name)))),
        }
    }
}

fn read<A: DeserializeOwned>(arguments: Map<String, Value>) -> Result<A, ToolError> {
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let field = error.path().to_string();
        let message = match field.as_str() {
            "." => error.inner().to_string(),
            field => format!("{field}: {}", error.inner()),
        };
        ToolError::reply("ValueError", message)
    })
}

fn write<R: Serialize + Tell>(result: &R) -> Result<Told, ToolError> {
    match serde_json::to_value(result) {
        Ok(Value::Object(written)) => {
            let outcome = Outcome {
                undo: result.undo(),
                is_foreign: result.is_of_strangers(),
                names: result.names(),
                choices: result.choices(),
                ..Outcome::from(written)
            };
            Ok(Told {
                outcome,
                telling: result.tell(),
                facts: result.facts(),
            })
        }
        Ok(_) => Err(ToolError::Fault(
            "the result of a tool is no JSON object".to_owned(),
        )),
        Err(error) => Err(ToolError::Fault(format!(
            "the result of a tool is no JSON: {error}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::BoxFuture;
    use std::sync::Arc;

    use loquat_agent::pieces::{LONGEST, Pieces};
    use loquat_agent::toolbox::{Category, Circumstances, ToolError, Toolbox};
    use parking_lot::Mutex;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use serde_json::{Map, json};

    use super::{Function, FunctionToolbox};
    use crate::dialog::Tell;

    #[derive(Debug, Deserialize, JsonSchema)]
    struct Greeting {
        /// Who is greeted.
        name: String,
        #[serde(default)]
        times: Option<u32>,
    }

    #[derive(Debug, Serialize, JsonSchema)]
    struct Greeted {
        text: String,
    }

    impl Tell for Greeted {}

    fn greeted(greeting: Greeting, person: &Circumstances) -> Result<Greeted, ToolError> {
        let Greeting { name, times } = greeting;
        if name.is_empty() {
            return Err(ToolError::reply("ValueError", "name: is empty"));
        }
        let hello = if person.lang.as_deref() == Some("de") {
            "Hallo"
        } else {
            "Hello"
        };
        Ok(Greeted {
            text: [hello, " ", &name].concat().repeat(times.unwrap_or(1) as usize),
        })
    }

    fn greeted_later(
        greeting: Greeting,
        person: &Circumstances,
    ) -> BoxFuture<'_, Result<Greeted, ToolError>> {
        let result = greeted(greeting, person);
        Box::pin(async move {
            tokio::task::yield_now().await;
            result
        })
    }

    fn toolbox() -> FunctionToolbox {
        let functions = vec![
            Function::new("greet", "Say hello.", greeted),
            Function::waiting("greet_later", "Say hello later.", greeted_later)
                .with(|tool| tool.category = Category::Terminal),
        ];
        FunctionToolbox::new("greeting-tools", functions)
    }

    #[test]
    fn types_give_the_schemas() {
        let tools = toolbox().tools();
        let expected = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "Who is greeted."},
                "times": {"type": "integer", "minimum": 0},
            },
            "required": ["name"],
        });
        assert_eq!(tools[0].argument_schema, expected);
        assert_eq!(
            tools[0].output_schema["properties"],
            json!({"text": {"type": "string"}})
        );
        assert_eq!(tools[0].toolbox_id, "greeting-tools");
        assert_eq!(tools[1].category, Category::Terminal);
    }

    #[tokio::test]
    async fn functions_run_at_once_or_later_for_the_person() {
        let person = Circumstances {
            lang: Some("de".to_owned()),
            ..Circumstances::default()
        };
        for tool in ["greet", "greet_later"] {
            let arguments = serde_json::from_value(json!({"name": "Ada", "extra": 1})).expect("an object");
            let outcome = toolbox()
                .call(tool, arguments, &person)
                .await
                .expect("a greeting");
            assert_eq!(outcome.result["text"], "Hallo Ada");
        }
    }

    fn counted(
        greeting: Greeting,
        _: &Circumstances,
        pieces: Pieces,
    ) -> BoxFuture<'_, Result<(), ToolError>> {
        Box::pin(async move {
            for number in 0..greeting.times.unwrap_or_default() {
                tokio::task::yield_now().await;
                pieces.tell(&greeting.name);
                pieces.tell(&format!(" {number}. "));
            }
            Ok(())
        })
    }

    #[tokio::test]
    async fn what_is_told_piece_by_piece_is_the_result() {
        let toolbox = FunctionToolbox::new(
            "counting-tools",
            vec![Function::streaming("count", "Count.", counted)],
        );
        assert!(toolbox.tools()[0].streams);
        assert_eq!(toolbox.tools()[0].output_schema["required"], json!(["text"]));
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let taken = Arc::clone(&heard);
        let person = Circumstances {
            pieces: Pieces::heard_by(move |text| taken.lock().push(text.to_owned())),
            ..Circumstances::default()
        };
        let call = async |name: &str, times: usize| {
            let arguments = serde_json::from_value(json!({"name": name, "times": times})).expect("an object");
            toolbox.call("count", arguments, &person).await
        };
        let outcome = call("Ada", 2).await.expect("a result");
        assert_eq!(outcome.result["text"], "Ada 0. Ada 1. ");
        assert_eq!(*heard.lock(), ["Ada", " 0. ", "Ada", " 1. "]);
        let flood = call(&"x".repeat(LONGEST / 2), 3).await.expect_err("too much");
        assert_eq!(flood, ToolError::flooded());
    }

    #[tokio::test]
    async fn complaints_reach_the_brain() {
        let person = Circumstances::default();
        for tool in ["greet", "greet_later"] {
            let missing = toolbox()
                .call(tool, Map::new(), &person)
                .await
                .expect_err("no name");
            assert_eq!(missing.to_string(), "ValueError: missing field `name`");
            let empty = serde_json::from_value(json!({"name": ""})).expect("an object");
            let refused = toolbox()
                .call(tool, empty, &person)
                .await
                .expect_err("an empty name");
            assert_eq!(refused.to_string(), "ValueError: name: is empty");
        }
    }
}
