//! The stage that asks skills which know answers (COMMON-QUERY-1, and `question:query` before it).
//!
//! Only skills that have said that they take part are waited for, so that a device without any loses no time.

use std::time::Duration;

use loquat_bus::Topics;
use loquat_wire::extent::extent_of;
use loquat_wire::{Message, topic};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::super::dispatch::Done;
use super::super::pipeline::Stage;
use super::super::poll::{Poll, same_round};
use super::{Match, Search, Task};

/// Whether a question is plausible is decided without looking anything up.
const PING_WINDOW: Duration = Duration::from_millis(300);

/// Answers have to be there after this; a person waits.
const CEILING: Duration = Duration::from_secs(3);

/// Bytes of an answer and of what comes with it.
const LARGEST: usize = 16 * 1024;

/// An answer that its own skill doubts more than this is not given.
const CONFIDENT: f64 = 0.5;

struct Answer {
    skill_id: String,
    confidence: f64,
    data: serde_json::Map<String, Value>,
    /// The skill speaks it itself when it wins.
    speaks_itself: bool,
}

impl Search {
    pub(super) async fn common_query(&self) -> Option<Match> {
        let session = self.session();
        let denied = session.blacklisted_skills();
        let known = self.manifest.knowing().filter(|id| !denied.contains(id));
        let asked: Vec<String> = known.map(str::to_owned).collect();
        if asked.is_empty() {
            return None;
        }
        let poll = Poll {
            pings: vec![
                self.entry
                    .reply(topic::COMMON_QUERY_PING, json!({"utterance": self.text()})),
            ],
            pongs: &[topic::COMMON_QUERY_PONG],
            asked: &asked,
            window: PING_WINDOW,
        };
        let pongs = self.ask(poll).await;
        // A skill of the shipped kind answers every ping and decides later.
        let may = |id: &String| {
            pongs
                .get(id)
                .is_some_and(|pong| pong.claims || pong.data.contains_key("is_classic_cq"))
        };
        let able: Vec<String> = asked.into_iter().filter(may).collect();
        if able.is_empty() {
            return None;
        }
        let best = self.best_answer(&able).await?;
        Some(self.answered(best))
    }

    async fn best_answer(&self, able: &[String]) -> Option<Answer> {
        let topics = [topic::QUESTION_QUERY_RESPONSE, topic::COMMON_QUERY_RESPONSE];
        let mut frames = self.bus.subscribe(Topics::of(topics));
        let text = self.text();
        let classic = self
            .entry
            .reply(topic::QUESTION_QUERY, json!({"phrase": text, "lang": self.lang}));
        let direct = able.iter().map(|id| {
            self.entry.reply(
                topic::COMMON_QUERY_REQUEST,
                json!({"skill_id": id, "utterance": text}),
            )
        });
        for question in std::iter::once(classic).chain(direct) {
            self.bus.emit(question).await.ok()?;
        }
        let deadline = Instant::now() + CEILING;
        let mut open = able.to_vec();
        let mut best: Option<Answer> = None;
        while !open.is_empty() {
            let Some(frame) = frames.recv_by(deadline).await else {
                break;
            };
            if !same_round(&frame.message, &self.entry) {
                continue;
            }
            let Some(id) = settled(&frame.message) else {
                continue;
            };
            open.retain(|other| *other != id);
            let answer = read(
                &frame.message,
                id,
                frame.canonical == topic::QUESTION_QUERY_RESPONSE,
            );
            let better = |answer: &Answer| {
                best.as_ref()
                    .is_none_or(|best| answer.confidence > best.confidence)
            };
            if let Some(answer) = answer.filter(better) {
                best = Some(answer);
            }
        }
        best
    }

    fn answered(&self, best: Answer) -> Match {
        if !best.speaks_itself {
            let text = best
                .data
                .get("answer")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let task = Task::Say(text.to_owned());
            return self.found(Stage::CommonQuery, Stage::CommonQuery.id(), "common_query", task);
        }
        let id = best.skill_id;
        let task = Task::Bring {
            older: Some((format!("question:action.{id}"), Value::Object(best.data))),
            done: Some(Done {
                topic: format!("question:action.{id}.response"),
            }),
            brief: false,
            flat: false,
            may_end_itself: !self.manifest.is_modern(&id),
        };
        self.found(Stage::CommonQuery, &id, "common_query", task)
    }
}

/// Names the skill that has said its last word; one that still searches has not.
fn settled(message: &Message) -> Option<String> {
    let data = &message.data;
    let searching = data.get("searching").and_then(Value::as_bool) == Some(true);
    if searching && !data.contains_key("answer") {
        return None;
    }
    data.get("skill_id")?.as_str().map(str::to_owned)
}

fn read(message: &Message, skill_id: String, speaks_itself: bool) -> Option<Answer> {
    let text = message.data.get("answer")?.as_str()?;
    let confidence = message
        .data
        .get("conf")
        .and_then(Value::as_f64)
        .unwrap_or(CONFIDENT);
    let fits = extent_of(&message.data, LARGEST).is_some();
    (fits && !text.trim().is_empty() && confidence >= CONFIDENT).then(|| Answer {
        skill_id,
        confidence,
        data: message.data.clone(),
        speaks_itself,
    })
}
