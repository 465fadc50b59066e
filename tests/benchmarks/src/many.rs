//! Turns that workers think: what they cost, how many there are in a second, what comes of them when workers, the server and
//! devices die, and how many devices a worker is enough for.

pub mod counted;
pub mod crowd;
pub mod journals;
pub mod kills;
pub mod overhead;
pub mod plot;
pub mod queue;
pub mod rate;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use loquat_tests::brain::{Reply, Request, ScriptedBrain};
use loquat_tests::place::{CELLAR, KITCHEN};
use serde_json::json;

/// Has both brains switch the lamp whose number is asked for, and say so. Each reply takes as long as this. Counts what the
/// devices' own brain is asked.
fn improvise(brain: &ScriptedBrain, thinking: Duration) -> Arc<AtomicUsize> {
    let own = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&own);
    brain.improvise(CELLAR, move |request| reply(request).after(thinking));
    brain.improvise(KITCHEN, move |request| {
        counted.fetch_add(1, Ordering::Relaxed);
        reply(request).after(thinking)
    });
    own
}

fn reply(request: &Request) -> Reply {
    let number = number(request);
    let spoke = request
        .messages()
        .iter()
        .filter(|message| message["role"] == "assistant");
    // The instructions may show a worked example.
    let asked = request.messages().iter().rposition(is_question);
    let behind = asked.map_or(0, |asked| request.messages().len() - asked - 1);
    if spoke.count() == 0 || behind == 0 {
        Reply::acts("switch_lamp", &json!({"text": number}))
    } else {
        Reply::answers(&answer(&number))
    }
}

/// What is asked of a lamp.
fn question(number: usize) -> String {
    format!("Switch lamp {number} on")
}

/// What is answered.
fn answer(number: &str) -> String {
    format!("Lamp {number} is on.")
}

fn is_question(message: &serde_json::Value) -> bool {
    message["role"] == "user"
        && message["content"]
            .as_str()
            .is_some_and(|text| text.contains("Switch lamp "))
}

/// The number of the lamp that was asked for last.
fn number(request: &Request) -> String {
    let text = request.text();
    let behind = text.rsplit("Switch lamp ").next().unwrap_or_default();
    behind.chars().take_while(char::is_ascii_digit).collect()
}

/// The value in the middle.
fn median(values: &mut [f64]) -> f64 {
    at(values, 0.5)
}

/// The value below which this part of them is.
fn at(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = ((values.len() as f64) * part) as usize;
    values
        .get(place.min(values.len().saturating_sub(1)))
        .copied()
        .unwrap_or_default()
}
