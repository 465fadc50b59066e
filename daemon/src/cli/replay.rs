//! `loquat replay`: runs a turn again from its journal, with no model and no tool, and tells whether it comes out the
//! same.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use loquat_agent::event::{Event, Observer};
use loquat_agent::journal::{Entry, Replayed, replay};
use loquat_agent::result::TurnResult;
use serde_json::{Value, json};

use super::{Context, Exit, Output, Replay, Style};
use crate::state::{Archive, Kept, Turn};
use crate::terminal;

/// Shows the events of a turn as they happen again.
struct Show(Output);

impl Observer for Show {
    fn event(&self, event: &Event) {
        if let Some(line) = terminal::shown(event) {
            self.0.styled(Style::Dim, line);
        }
    }
}

/// Carries out `loquat replay`.
pub(super) async fn run(context: &Context, replay: Replay) -> Result<Exit> {
    let output = context.output;
    let folder = &context.settings.folders.state;
    let archive =
        Archive::open(folder).map_err(|error| anyhow::anyhow!(loquat_failure::with_causes(&error)))?;
    let first = archive.as_ref().map(|archive| archive.newest(1)).transpose();
    let has_turns = !first
        .context("failed to read the journal")?
        .unwrap_or_default()
        .is_empty();
    let Some(archive) = archive.filter(|_| has_turns) else {
        output.remark(format!(
            "loquat: no turn was written down in {} yet; `loquat run` does, unless journal.enabled is false",
            folder.display()
        ));
        output.value(&json!([]));
        // A list may be empty; a turn that is named has to be there.
        return Ok(replay.turn.map_or(Exit::Ok, |_| Exit::Failed));
    };
    let newest = || archive.newest(replay.most).context("failed to read the journal");
    let id = match replay.turn.as_deref() {
        None => {
            list(output, &newest()?);
            return Ok(Exit::Ok);
        }
        Some("last") => newest()?.first().map(|turn| turn.id.clone()).unwrap_or_default(),
        Some(id) => id.to_owned(),
    };
    let found = archive.find(&id).context("failed to read the journal")?;
    match <[Kept; 1]>::try_from(found) {
        Ok([kept]) => run_again(output, kept).await,
        Err(found) => {
            output.remark(match found.len() {
                0 => format!("loquat: no turn's id begins with '{id}'; `loquat replay` lists them"),
                several => format!("loquat: the ids of {several} turns begin with '{id}'; type more of it"),
            });
            Ok(Exit::Failed)
        }
    }
}

fn list(output: Output, turns: &[Turn]) {
    for turn in turns {
        let cut_off = if turn.is_settled { "" } else { "  (not answered)" };
        let id = turn.id.get(..8).unwrap_or(&turn.id);
        let turn = format!(
            "  {}  {}  {}",
            moment(turn.since),
            turn.session_id,
            turn.utterance
        );
        output.pieces(&[(Style::Bold, id), (Style::Plain, &turn), (Style::Dim, cut_off)]);
    }
    let listed: Vec<Value> = turns
        .iter()
        .map(|turn| {
            json!({"turn_id": turn.id, "session_id": turn.session_id, "utterance": turn.utterance,
                   "since": turn.since, "settled": turn.is_settled})
        })
        .collect();
    output.value(&listed);
}

/// Writes a moment in the time zone of this machine.
fn moment(seconds: f64) -> String {
    let timestamp = Timestamp::from_millisecond((seconds * 1000.0) as i64).unwrap_or_default();
    timestamp
        .to_zoned(TimeZone::system())
        .strftime("%Y-%m-%d %H:%M:%S")
        .to_string()
}

async fn run_again(output: Output, Kept { turn, attempts }: Kept) -> Result<Exit> {
    output.line(format!("› {}", turn.utterance));
    let mut told = Vec::new();
    let mut same = true;
    for entries in attempts {
        let replayed = on_a_clock_of_its_own(entries, output).await?;
        same &= replayed.differences.is_empty();
        tell(output, &replayed);
        told.push(json!({
            "result": TurnResult::from(&replayed.record),
            "ended": replayed.first.is_some(),
            "same": replayed.differences.is_empty(),
            "differences": replayed.differences,
        }));
    }
    if told.is_empty() {
        output.line("It had not begun.");
    }
    output.value(&json!({"turn_id": turn.id, "utterance": turn.utterance, "attempts": told}));
    Ok(if same { Exit::Ok } else { Exit::Failed })
}

fn tell(output: Output, replayed: &Replayed) {
    let record = &replayed.record;
    if !record.answer.is_empty() {
        output.styled(Style::Bold, &record.answer);
    }
    if replayed.first.is_none() {
        output.line("It was cut off; this is as far as it came.");
        return;
    }
    let calls: usize = record.steps.iter().map(|step| step.calls.len()).sum();
    let verdict = if replayed.differences.is_empty() {
        "The same as then"
    } else {
        "Not the same as then"
    };
    let summary = format!(
        "{verdict}: {}, {}, {}, {:.1} s.",
        reason(replayed),
        counted(record.brain_calls as usize, "brain call"),
        counted(calls, "tool call"),
        record.elapsed.as_secs_f64()
    );
    output.styled(Style::Dim, summary);
    for difference in &replayed.differences {
        output.line(format!("  {difference}"));
    }
}

fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

fn reason(replayed: &Replayed) -> String {
    match serde_json::to_value(replayed.record.reason) {
        Ok(Value::String(reason)) => reason,
        _ => String::new(),
    }
}

/// Plays entries where minutes of waiting for brains and tools pass in no time.
async fn on_a_clock_of_its_own(entries: Vec<Entry>, output: Output) -> Result<Replayed> {
    let play = move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .context("failed to start a clock for the replay")?;
        runtime
            .block_on(replay(entries, Arc::new(Show(output))))
            .map_err(|error| anyhow::anyhow!("failed to {error}"))
    };
    tokio::task::spawn_blocking(play).await?
}
