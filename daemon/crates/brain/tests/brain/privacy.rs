//! What is said and what is secret stays out of errors and logs.

use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex};

use loquat_brain::{OpenAiBrain, OpenAiSettings};
use loquat_conversation::brain::{Brain, ChatMessage, ChatRequest};
use secrecy::SecretString;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::server::Server;
use crate::support::*;

/// Writes down everything above trace level.
#[derive(Debug, Clone, Default)]
struct Log(Arc<Mutex<String>>);

struct Line<'a>(&'a mut String);

impl Visit for Line<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        writeln!(self.0, "{field}={value:?}").unwrap();
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::DEBUG
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut Line(&mut self.0.lock().unwrap()));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut Line(&mut self.0.lock().unwrap()));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Line(&mut self.0.lock().unwrap()));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

const CANARIES: [&str; 5] = [
    "sk-canary-0123456789",
    "canary in the question",
    "canary in the reply",
    "canary of the persona",
    "canary-password",
];

#[tokio::test(flavor = "current_thread")]
async fn nothing_said_or_secret_is_told() {
    let reply = "canary in the reply";
    let echo = format!("bad key {} or bad text: {}", CANARIES[0], CANARIES[1]);
    let server = Server::start(vec![
        vec![stream_head(), text(reply), crate::server::Act::Close],
        answer("200 OK", "", &format!("{{\"choices\": [\"{reply}\"]}}")),
        failure("500 No"),
        answer("401 Unauthorized", "", &echo),
        answer("500 No", "", &echo),
        streamed(&[reply]),
    ])
    .await;
    let log = Log::default();
    let _guard = tracing::subscriber::set_default(log.clone());
    let url = server.url().replace("http://", "http://me:canary-password@") + "?key=canary-password";
    let settings = OpenAiSettings {
        key: Some(SecretString::from(CANARIES[0])),
        ..settings(url)
    };
    let mut told = format!("{settings:?}");
    let brain = OpenAiBrain::new(settings).unwrap();
    let request = ChatRequest {
        messages: vec![
            ChatMessage::system(CANARIES[3]).into(),
            ChatMessage::user(CANARIES[1]).into(),
        ],
        ..ChatRequest::default()
    };
    for _ in 0..3 {
        if let Err(error) = brain.chat(&request, &()).await {
            write!(told, "{error} {error:?}").unwrap();
        }
    }
    write!(told, "{brain:?} {}", brain.name()).unwrap();
    assert_eq!(server.seen().asked.len(), 6);
    assert!(
        log.0.lock().unwrap().contains("asked again"),
        "the log was not heard"
    );
    told += &log.0.lock().unwrap();
    for canary in CANARIES {
        assert!(!told.contains(canary), "{canary} is in {told}");
    }
}
