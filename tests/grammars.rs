//! Every schema that the engines send holds the real small model: its matcher takes it, and each whole reply obeys it.
//!
//! The engines run in this process over a brain that asks the worker for a few words under each schema it is sent, which
//! takes a small part of the time that whole conversations would.

#![cfg(test)]

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::brain::{
    Asking, Brain, BrainError, Capabilities, ChatMessage, ChatReply, ChatRequest, DeltaSink, Finish, Sampling,
};
use loquat_agent::engine::{ENGINES, Engine};
use loquat_agent::toolbox::{Circumstances, Outcome, Tool, ToolError, Toolbox};
use loquat_agent::turn::{Budget, Means, Question, stop_pair};
use loquat_brain::{LocalBrain, LocalBrainSettings};
use loquat_tests::binaries::local_brain;
use loquat_tests::models;
use serde_json::{Map, Value, json};
use tokio::sync::Mutex;

/// To these the small model replies shortly. The next one is asked where a phase was not come to with those before: what a model
/// writes depends on the processor, too.
const QUESTIONS: [&str; 5] = [
    "Say hello to me.",
    "Is it warm outside?",
    "What is your name?",
    "Count to three.",
    "Which day comes after Sunday?",
];

/// What the phases ask for.
const KEYS: [&str; 9] = [
    "answer",
    "arguments",
    "calls",
    "claims",
    "language",
    "score",
    "step",
    "steps",
    "verdict",
];

/// The most tokens of a reply; what is cut there is not judged.
const ENOUGH: u32 = 150;

/// Asks the worker under each schema once, and replies as under the first of its choices: the others are mostly answers,
/// with which a turn would end before it came to its later phases.
#[derive(Debug)]
struct Held {
    worker: Arc<LocalBrain>,
    question: &'static str,
    replies: Mutex<HashMap<String, ChatReply>>,
}

impl Held {
    async fn reply(&self, schema: &Value) -> ChatReply {
        let whole = self.held_to(schema).await;
        match schema.pointer("/anyOf/0") {
            Some(first) => self.held_to(first).await,
            None => whole,
        }
    }

    async fn held_to(&self, schema: &Value) -> ChatReply {
        let mut replies = self.replies.lock().await;
        if let Some(reply) = replies.get(&schema.to_string()) {
            return reply.clone();
        }
        let request = ChatRequest {
            messages: vec![ChatMessage::user(self.question).into()],
            response_schema: Some(Arc::new(schema.clone())),
            sampling: Sampling {
                max_tokens: Some(ENOUGH),
                ..Sampling::default()
            },
            ..ChatRequest::default()
        };
        let reply = self.worker.chat(&request, &()).await;
        let reply = reply.unwrap_or_else(|error| panic!("{error}: {schema}"));
        replies.insert(schema.to_string(), reply.clone());
        reply
    }
}

impl Brain for Held {
    fn name(&self) -> &'static str {
        "held"
    }

    fn capabilities(&self) -> Capabilities {
        self.worker.capabilities()
    }

    fn ask<'a>(
        &'a self,
        asking: &'a Asking<'_>,
        _: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        async move {
            let request = asking.for_brain(self.capabilities());
            Ok(match &request.response_schema {
                Some(schema) => self.reply(schema).await,
                None => ChatReply::of_words("It is sunny."),
            })
        }
        .boxed()
    }
}

/// A stranger's tools, with all that their schemas may hold.
#[derive(Debug)]
struct Strange(Arc<[Tool]>);

impl Default for Strange {
    fn default() -> Self {
        let place = json!({"type": "object", "properties": {"x": {"type": "number", "multipleOf": 0.5}}, "required": ["x"]});
        let bounded = json!({
            "type": "object",
            "properties": {
                "city": {"type": "string", "pattern": "^[A-Z]", "minLength": 1, "maxLength": 40, "format": "city"},
                "days": {"type": ["integer", "null"], "minimum": 1, "maximum": 14, "default": 3},
                "units": {"enum": ["metric", "imperial"]},
                "at": {"$ref": "#/$defs/place"},
                "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true, "maxItems": 3},
            },
            "required": ["city"],
            "minProperties": 1,
            "$defs": {"place": place},
        });
        let open = json!({"type": "object", "not": {"required": ["a"]}, "patternProperties": {"^x": {}}});
        let either = json!({"oneOf": [{"type": "object", "properties": {"q": {"const": "é \"x\""}}}, {"type": "object"}]});
        let short = json!({"type": "object", "properties": {"units": {"enum": ["metric", "imperial"]}}, "required": ["units"]});
        let tools = [
            ("climate", short),
            ("weather", bounded),
            ("anything", open),
            ("either", either),
        ];
        let tools = tools.map(|(name, argument_schema)| Tool {
            argument_schema,
            ..Tool::safe("strange-tools", name, "Tell something.")
        });
        Self(tools.into())
    }
}

impl Toolbox for Strange {
    fn id(&self) -> &'static str {
        "strange-tools"
    }

    fn tools(&self) -> Arc<[Tool]> {
        Arc::clone(&self.0)
    }

    fn call<'a>(
        &'a self,
        _: &'a str,
        arguments: Map<String, Value>,
        _: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        async move { Ok(Outcome::from(arguments)) }.boxed()
    }
}

fn worker(folder: &std::path::Path) -> LocalBrain {
    let models =
        models::folder().expect("LOQUAT_TEST_MODELS names the folder of models; `make test` sets it");
    let model = models.join("smollm2-135m-instruct-q4_1.gguf");
    let mut settings = LocalBrainSettings::new(local_brain(), model, folder);
    // Two threads of two busy cores wait for each other.
    settings.threads = Some(1);
    LocalBrain::new(settings)
}

async fn play(engine: &'static Engine, lang: &str, held: &Arc<Held>) {
    let question = Question {
        turn_id: engine.id.to_owned(),
        session_id: engine.id.to_owned(),
        utterance: held.question.to_owned(),
        lang: Some(lang.to_owned()),
        ..Question::default()
    };
    let means = Means {
        brain: Arc::clone(held) as Arc<dyn Brain>,
        toolboxes: vec![Arc::new(Strange::default())],
        arrivals: None,
        grammar: None,
        // What is held to its schemas is the model, however slowly a busy machine lets it write.
        budget: Budget {
            deadline_seconds: 3600,
            ..Budget::default()
        },
        settings: Map::new(),
        observer: Arc::new(()),
        stop: stop_pair().1,
        turn_cache: Arc::default(),
        person: None,
    };
    loquat_agent::answer(engine, question, means).await;
}

/// A key that no phase has asked for.
fn missing(replies: &HashMap<String, ChatReply>) -> Option<&'static str> {
    let is_asked_for = |key: &str| {
        let named = format!("\"{key}\":");
        replies.keys().any(|schema| schema.contains(&named))
    };
    KEYS.into_iter().find(|key| !is_asked_for(key))
}

#[tokio::test]
async fn every_schema_of_every_engine_is_held_and_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let worker = Arc::new(worker(folder.path()));
    let mut replies = HashMap::new();
    for question in QUESTIONS {
        let held = Arc::new(Held {
            worker: Arc::clone(&worker),
            question,
            replies: Mutex::default(),
        });
        // In another language than English the schema has the language named.
        for lang in ["en-US", "fr-FR"] {
            for engine in ENGINES {
                play(engine, lang, &held).await;
            }
        }
        replies.extend(held.replies.lock().await.drain());
        if missing(&replies).is_none() {
            break;
        }
    }
    worker.shutdown().await;
    assert_eq!(missing(&replies), None, "no phase asked for it");
    let whole = replies.iter().filter(|(_, reply)| reply.finish == Finish::Stop);
    assert!(whole.clone().count() > replies.len() / 2, "most replies were cut");
    for (schema, reply) in whole {
        let content = reply.content.parse().unwrap();
        let validator = jsonschema::validator_for(&schema.parse().unwrap()).unwrap();
        assert!(validator.is_valid(&content), "{content} against {schema}");
    }
}
