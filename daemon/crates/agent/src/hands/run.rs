//! Runs one call: its deadline, its retries, and a fence around a tool that panics.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::observation;
use loquat_conversation::catalogue::Entry;
use loquat_conversation::pieces::Pieces;
use loquat_conversation::toolbox::{Category, Circumstances, Outcome, ToolError};

/// Waits of 0.8 s, 1.6 s, … between the tries of a failing tool.
const BACK_OFF: Duration = Duration::from_millis(800);

/// Failures that the same arguments will bring again.
const PERMANENT: &[&str] = &[
    "ValueError",
    "TypeError",
    "KeyError",
    "LookupError",
    "IndexError",
    "ValidationError",
    "PermissionError",
    "NotImplementedError",
    "FileNotFoundError",
    "ZeroDivisionError",
    "AttributeError",
    "OutputError",
];

/// Runs a call to its end and tells how long that took.
///
/// Cancel safe in the sense of the toolbox port: dropping this drops the call, and its token is cancelled by the turn.
pub(crate) async fn run(
    entry: Arc<Entry>,
    arguments: &Map<String, Value>,
    mut circumstances: Circumstances,
) -> (Result<Outcome, ToolError>, Duration) {
    let started = Instant::now();
    let _end = End(circumstances.pieces.clone());
    let stop = circumstances.cancel.clone();
    // What goes on after the turn must not end with it.
    let goes_on = entry.tool.category == Category::Async;
    // What was told of the first try cannot be told again.
    let tries = if entry.tool.idempotent && !entry.tool.streams {
        entry.tool.retry.saturating_add(1)
    } else {
        1
    };
    let mut tried = 0;
    loop {
        let began = Instant::now();
        circumstances.cancel = if goes_on {
            CancellationToken::new()
        } else {
            stop.child_token()
        };
        let outcome = once(&entry, arguments.clone(), &circumstances).await;
        if !goes_on || outcome.is_err() {
            circumstances.cancel.cancel();
        }
        let outcome = outcome.and_then(|outcome| checked(&entry, outcome));
        tried += 1;
        // A person who waited for a call's whole time does not want to wait as long again.
        let hung = began.elapsed() >= entry.tool.timeout;
        match &outcome {
            Err(ToolError::Reply { class, .. })
                if tried < tries && !hung && !PERMANENT.contains(&class.as_str()) =>
            {
                tokio::time::sleep(BACK_OFF * tried).await;
            }
            _ => return (outcome, started.elapsed()),
        }
    }
}

async fn once(
    entry: &Entry,
    arguments: Map<String, Value>,
    circumstances: &Circumstances,
) -> Result<Outcome, ToolError> {
    let call = async {
        entry
            .toolbox
            .call(&entry.tool.name, arguments, circumstances)
            .await
    };
    let overhead = entry.toolbox.overhead();
    let patience = entry.tool.timeout + overhead;
    let flooded = async {
        circumstances.pieces.flooded().await;
        tokio::time::sleep(overhead).await;
    };
    let call = timeout(patience, AssertUnwindSafe(call).catch_unwind());
    let ended = tokio::select! {
        biased;
        ended = call => ended,
        () = flooded => return Err(ToolError::flooded()),
    };
    match ended {
        Ok(Ok(outcome)) => observation::bounded_outcome(outcome),
        Ok(Err(_)) => Err(ToolError::reply("InternalError", "the tool crashed")),
        Err(_) => Err(ToolError::timed_out(entry.tool.timeout)),
    }
}

/// The end of a call, in whichever way: what is told after it is not heard.
struct End(Pieces);

impl Drop for End {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// A tool that does not keep to its own schema is not believed.
fn checked(entry: &Entry, outcome: Outcome) -> Result<Outcome, ToolError> {
    // What goes on has only begun: its schema is that of what comes later.
    let Some(schema) = entry
        .output
        .as_ref()
        .filter(|_| entry.tool.category != Category::Async)
    else {
        return Ok(outcome);
    };
    let result = schema.check_output(outcome.result).map_err(|violation| {
        ToolError::reply(
            "OutputError",
            format!("the tool's result does not keep to its own schema: {violation}"),
        )
    })?;
    Ok(Outcome { result, ..outcome })
}
