//! One call that our host serves to a client of the bus: its pieces while it runs, its one answer, and, where it goes on
//! behind that, its outcome.

use std::sync::Arc;

use loquat_agent::pieces::{MOST, Pieces};
use loquat_agent::toolbox::{Category, Circumstances};
use loquat_bus::Bus;
use loquat_wire::{Message, topic, with};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::host::HostedTool;

/// A call and where it came from.
#[derive(Debug)]
pub(super) struct Served {
    pub(super) bus: Bus,
    /// This frame made it.
    pub(super) message: Message,
    /// What its answer repeats of it.
    pub(super) echo: Value,
    pub(super) tool: Arc<HostedTool>,
    /// Of one that goes on: its id, and what ends it.
    pub(super) goes_on: Option<(String, CancellationToken)>,
}

/// What the answer to a call that goes on satisfies.
pub(super) fn started_schema() -> Value {
    json!({"type": "object", "properties": {"started": {"type": "string"}}, "required": ["started"]})
}

impl Served {
    pub(super) async fn run(mut self, kwargs: Map<String, Value>, who: Circumstances) {
        match self.goes_on.take() {
            Some((id, ended)) => self.run_on(kwargs, who, &id, ended).await,
            None if self.tool.tool().streams => self.run_telling(kwargs, who).await,
            None => {
                let outcome = self.tool.call(kwargs, &who).await;
                self.answer(outcome).await;
            }
        }
    }

    /// Tells the pieces while the call runs, and the answer behind all of them.
    async fn run_telling(self, kwargs: Map<String, Value>, who: Circumstances) {
        let (sender, mut told) = mpsc::channel::<String>(MOST);
        let who = Circumstances {
            // There is room for as many pieces as are taken of a call.
            pieces: Pieces::heard_by(move |text| sender.try_send(text.to_owned()).unwrap_or_default()),
            ..who
        };
        let tell = async {
            let mut number = 0_u32;
            while let Some(text) = told.recv().await {
                let data = with(with(self.named(), "number", number), "text", text);
                self.emit(self.message.reply(topic::LOQUAT_TOOL_PIECE, data))
                    .await;
                number += 1;
            }
        };
        let call = async {
            let outcome = self.tool.call(kwargs, &who).await;
            who.pieces.close();
            // No piece comes any more, and what tells them comes to its end.
            drop(who);
            outcome
        };
        let (outcome, ()) = tokio::join!(call, tell);
        self.answer(outcome).await;
    }

    /// Answers that the call has begun, and tells later what came of it, unless its caller does not want to know any more.
    async fn run_on(
        self,
        kwargs: Map<String, Value>,
        who: Circumstances,
        id: &str,
        ended: CancellationToken,
    ) {
        let end = ended.clone().drop_guard();
        let kwargs = match self.tool.checked(kwargs) {
            Ok(kwargs) => kwargs,
            Err(error) => return self.answer(Err(error)).await,
        };
        let started = with(self.echo.clone(), "started", id);
        let started = with(started, "result", json!({"started": id}));
        self.emit(self.message.response(started)).await;
        let who = Circumstances {
            cancel: ended.clone(),
            ..who
        };
        let Some(outcome) = ended.run_until_cancelled(self.tool.call(kwargs, &who)).await else {
            return;
        };
        drop(end);
        let data = with(self.named(), "started", id);
        let data = match outcome {
            Ok(result) => with(data, "result", Value::Object(result)),
            Err(error) => with(data, "error", error),
        };
        self.emit(self.message.reply(topic::LOQUAT_TOOL_OUTCOME, data))
            .await;
    }

    fn named(&self) -> Value {
        let tool = self.tool.tool();
        json!({"toolbox_id": tool.toolbox_id, "name": tool.name})
    }

    async fn answer(&self, outcome: Result<Map<String, Value>, String>) {
        let data = match outcome {
            Ok(result) => with(self.echo.clone(), "result", Value::Object(result)),
            Err(error) => with(self.echo.clone(), "error", error),
        };
        self.emit(self.message.response(data)).await;
    }

    async fn emit(&self, frame: Message) {
        if let Err(error) = self.bus.emit(frame).await {
            tracing::warn!(topic = self.message.topic, %error, "failed to answer");
        }
    }
}

impl HostedTool {
    /// Whether a call of it goes on behind its answer.
    pub(super) fn goes_on(&self) -> bool {
        self.tool().category == Category::Async
    }
}
