//! `loquat memory`: lists, searches and forgets what persons had remembered, whether the daemon runs or not.
//!
//! Reads and changes the state file itself, so that what is remembered goes over no bus.

mod kept_memories;

use anyhow::{Context as _, Result};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use loquat_skills::Memory;
use serde_json::json;

use self::kept_memories::KeptMemories;
use super::{Context, Exit, Memories, Output, Style};
use crate::state::{LockError, StateLock, unix_now};

/// Carries out `loquat memory`.
pub(super) fn run(context: &Context, command: Option<Memories>) -> Result<Exit> {
    let output = context.output;
    let folder = &context.settings.folders.state;
    let kept = KeptMemories::open(folder)
        .map_err(|error| anyhow::anyhow!("failed to {}", loquat_failure::with_causes(&error)))?;
    let Some(kept) = kept else {
        output.remark(format!(
            "loquat: nothing is remembered yet in {}",
            folder.display()
        ));
        output.value(&json!([]));
        return Ok(Exit::Ok);
    };
    match command.unwrap_or(Memories::List) {
        Memories::List => list(output, &kept.all().context("failed to read what is remembered")?),
        Memories::Search { words } => {
            let found = kept
                .search(&words)
                .context("failed to search what is remembered")?;
            list(output, &found);
        }
        Memories::Forget { all: true, .. } => return forget_all(context, &kept),
        Memories::Forget { ids, .. } => return forget(output, &kept, &ids),
    }
    Ok(Exit::Ok)
}

fn list(output: Output, memories: &[(String, Memory)]) {
    if memories.is_empty() {
        output.line("Nothing is remembered.");
    }
    for (id, memory) in memories {
        let about = format!("  {}  {}", moment(memory.since), memory.owner);
        output.pieces(&[
            (Style::Bold, id.as_str()),
            (Style::Dim, about.as_str()),
            (Style::Plain, "  "),
            (Style::Plain, memory.text.as_str()),
        ]);
    }
    let listed = memories.iter().map(|(id, memory)| {
        json!({"id": id, "session_id": memory.owner, "text": memory.text, "since": memory.since,
               "source": memory.source})
    });
    output.value(&listed.collect::<Vec<_>>());
}

fn forget(output: Output, kept: &KeptMemories, ids: &[String]) -> Result<Exit> {
    let all = kept.all().context("failed to read what is remembered")?;
    let unknown = ids.iter().find(|id| !all.iter().any(|(known, _)| known == *id));
    if let Some(unknown) = unknown {
        output.remark(format!(
            "loquat: nothing remembered has the id '{unknown}', so nothing was forgotten; `loquat memory` lists them"
        ));
        return Ok(Exit::Failed);
    }
    kept.forget(ids).context("failed to forget")?;
    output.line(format!("Forgotten: {}.", ids.len()));
    output.value(&json!({"forgotten": ids}));
    Ok(Exit::Ok)
}

/// The daemon holds what was said last, and would write it again.
fn forget_all(context: &Context, kept: &KeptMemories) -> Result<Exit> {
    let output = context.output;
    let lock = StateLock::take(&context.settings.folders.state, unix_now() as i64);
    if let Err(LockError::Held { .. }) = lock {
        output.remark(
            "loquat: the daemon runs, and holds what was said last; say \"forget everything\", or stop it first \
             (systemctl --user stop loquat)",
        );
        return Ok(Exit::Failed);
    }
    let lock = lock.context("failed to see whether the daemon runs")?;
    let ids: Vec<String> = kept
        .all()
        .context("failed to read what is remembered")?
        .into_iter()
        .map(|(id, _)| id)
        .collect();
    kept.forget(&ids).context("failed to forget")?;
    kept.forget_conversations()
        .context("failed to forget what was said")?;
    drop(lock);
    output.line(format!(
        "Forgotten: {}, and what was said last in each session.",
        ids.len()
    ));
    output.value(&json!({"forgotten": ids}));
    Ok(Exit::Ok)
}

/// Writes a moment in the time zone of this machine.
fn moment(seconds: i64) -> String {
    let timestamp = Timestamp::from_second(seconds).unwrap_or_default();
    let here = timestamp.to_zoned(TimeZone::system());
    here.strftime("%Y-%m-%d %H:%M").to_string()
}
