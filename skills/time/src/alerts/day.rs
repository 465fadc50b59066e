//! A day of tests: the tools at a moment that a test sets, on records that outlive the process that has them in hand.

use loquat_kit::{Locales, Rooms, Skill};
use std::ops::Range;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use jiff::Timestamp;
use loquat_agent::Speaker;
use loquat_agent::consent::AgreedCall;
use loquat_agent::toolbox::{Circumstances, Outcome, ToolError, Toolbox};
use parking_lot::Mutex;
use serde_json::{Value, json};

use super::Neighbours;
use super::book::Alerts;
use super::event::{Condition, Glance, Look};
use super::foreseen::{Asked, Foreseen, ForeseenCall, Understands};
use super::now::Now;
use super::turn::Turn;
use loquat_kit::records::{Records, Volatile};
use loquat_kit::wording::Wording;

/// Tuesday, 24 November 2026, 10:00 in Berlin, until time passes.
pub(super) struct Day {
    pub(super) now: Arc<Mutex<Now>>,
    records: Arc<dyn Records>,
    pub(super) alerts: Arc<Alerts>,
    pub(super) neighbours: Neighbours,
    pub(super) wording: Wording,
    /// What takes the last call back.
    pub(super) undo: Mutex<Value>,
}

/// Understands what is about a fan, and about a door, which asks; a lamp lacks something.
#[derive(Debug)]
struct AboutFans;

impl Understands for AboutFans {
    fn foresee<'a>(
        &'a self,
        text: &'a str,
        _: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Foreseen, ToolError>> {
        let call = |word: &str| ForeseenCall {
            call: AgreedCall {
                toolbox_id: "home".to_owned(),
                tool: word.to_owned(),
                ..AgreedCall::default()
            },
            told: format!("{word}, {word}"),
            asks: word == "door",
            harms: word != "news",
            ..ForeseenCall::default()
        };
        let known = ["fan", "door", "news"]
            .into_iter()
            .find(|word| text.contains(word));
        let foreseen = match known {
            Some(word) => Foreseen::Calls(vec![call(word)]),
            None if text.contains("lamp") => Foreseen::Unkept,
            None => Foreseen::Words,
        };
        Box::pin(std::future::ready(Ok(foreseen)))
    }

    fn question<'a>(
        &'a self,
        event: &'a str,
        _: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Option<Asked>, ToolError>> {
        let asked = event.contains("window").then(|| Asked {
            condition: Condition::So(AgreedCall::default()),
            now: Some(Look::So(false)),
        });
        Box::pin(std::future::ready(Ok(asked)))
    }

    fn look<'a>(&'a self, _: &'a AgreedCall, _: &'a Circumstances) -> BoxFuture<'a, Option<Glance>> {
        Box::pin(std::future::ready(None))
    }
}

/// A home of which only the room of the device is known.
#[derive(Debug)]
struct Room(String);

impl Rooms for Room {
    fn own_room(&self) -> Option<&str> {
        Some(&self.0)
    }

    fn places_in(&self, _: &[&str], _: &Locales, _: &str) -> Vec<(Range<usize>, Option<String>)> {
        Vec::new()
    }
}

impl Day {
    pub(super) fn new() -> Self {
        Self::with(Arc::new(Volatile::default()))
    }

    /// With records of the test.
    pub(super) fn with(records: Arc<dyn Records>) -> Self {
        let wall: Timestamp = "2026-11-24T09:00:00Z".parse().expect("a moment");
        let now = Arc::new(Mutex::new(Now {
            wall,
            uptime: 100.0,
            boot: "one".to_owned(),
        }));
        Self {
            alerts: book(&records, &now),
            now,
            records,
            neighbours: Neighbours {
                rooms: None,
                understands: Some(Arc::new(AboutFans)),
                place: Some((52.52, 13.405)),
                ..Neighbours::default()
            },
            wording: Wording::new(Skill::locales([&crate::alerts::SKILL]).into()),
            undo: Mutex::default(),
        }
    }

    /// The device stands in this room from now on.
    pub(super) fn stands_in(&mut self, room: &str) {
        self.neighbours.rooms = Some(Arc::new(Room(room.to_owned())));
    }

    pub(super) fn pass(&self, seconds: f64) {
        let mut now = self.now.lock();
        *now = now.after(seconds);
    }

    /// The daemon dies and another one reads the same records.
    pub(super) fn restart(&mut self) {
        self.alerts = book(&self.records, &self.now);
    }

    /// What a call gives in this language for who speaks.
    pub(super) async fn outcome(
        &self,
        lang: &str,
        speaker: Speaker,
        tool: &str,
        arguments: Value,
    ) -> Result<Outcome, ToolError> {
        let toolbox = super::toolbox(&self.alerts, self.neighbours.clone(), &self.wording);
        let person = Circumstances {
            lang: Some(lang.to_owned()),
            time_zone: Some("Europe/Berlin".to_owned()),
            speaker,
            ..Circumstances::default()
        };
        let arguments = serde_json::from_value(arguments).expect("an object");
        toolbox.call(tool, arguments, &person).await
    }

    pub(super) async fn call(&self, tool: &str, arguments: Value) -> String {
        self.call_in("en-US", tool, arguments).await
    }

    pub(super) async fn call_in(&self, lang: &str, tool: &str, arguments: Value) -> String {
        match self.outcome(lang, Speaker::Program, tool, arguments).await {
            Ok(outcome) => {
                if tool != "list_alerts" {
                    *self.undo.lock() = Value::Object(outcome.undo);
                }
                outcome.spoken.expect("a sentence")
            }
            Err(error) => format!("{error:?}"),
        }
    }

    /// What the owner, or a program, is told of a call.
    pub(super) async fn told(&self, is_owner: bool, tool: &str, arguments: Value) -> Outcome {
        let toolbox = super::toolbox(&self.alerts, self.neighbours.clone(), &self.wording);
        let person = Circumstances {
            speaker: if is_owner {
                Speaker::Owner
            } else {
                Speaker::Program
            },
            ..Circumstances::default()
        };
        let arguments = serde_json::from_value(arguments).expect("an object");
        let told = toolbox.call(tool, arguments, &person).await;
        told.expect("an outcome")
    }

    pub(super) async fn change(&self, arguments: Value) -> String {
        self.call("change_alert", arguments).await
    }

    pub(super) async fn undo(&self) -> String {
        let undo = self.undo.lock().clone();
        self.call("restore_alerts", undo).await
    }

    pub(super) async fn left(&self) -> String {
        self.call("list_alerts", json!({})).await
    }

    /// What has become due.
    pub(super) async fn turns(&self) -> Vec<Turn> {
        self.alerts.turn().await
    }
}

fn book(records: &Arc<dyn Records>, now: &Arc<Mutex<Now>>) -> Arc<Alerts> {
    let clock = Arc::clone(now);
    let clock = Arc::new(move || clock.lock().clone());
    Arc::new(Alerts::by(Arc::clone(records), clock))
}
