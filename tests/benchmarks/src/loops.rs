//! What `make bench-loops` measures: our engines and those of the Python package `ovos-agentic-loop`, driven alike.
//!
//! Both subjects are processes of their own that read one [`Job`] a line and answer each with one [`Report`], so that
//! start, memory and time are measured in one way. `loops.py` of this package is the other one.

pub mod both;
mod brain;
pub mod crowd;
pub mod floor;
pub mod subject;
pub mod table;
mod tools;
pub mod worker;

use std::io::{BufRead, Write};
use std::time::Duration;

use anyhow::{Context, Result};
use loquat_tests::brain::{Reply, ScriptedBrain};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::turn::middle;

/// The answer of every scripted brain. It holds no number, which would have to come from a tool.
const ANSWER: &str = "That is all.";

/// What every turn is asked.
const QUESTION: &str = "What comes next?";

/// What the turns of a job do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// `ovos-react-loop`: each brain call but the last one asks for a sum.
    React,
    /// `ovos-native-toolcall-loop`: each brain call but the last one asks for a sum by a native call.
    Native,
    /// `ovos-native-toolcall-loop`: four calls of a slow tool in one reply, then the answer.
    Tools,
    /// `ovos-tree-of-thoughts-loop` with its defaults; no thought answers.
    Tree,
}

/// One measurement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// What the turns do.
    pub kind: Kind,
    /// The address of a model server; absent for a scripted brain in the subject's own process.
    pub brain: Option<String>,
    /// Brain calls of a turn, where the brain has a say in that.
    pub brain_calls: usize,
    /// How long a scripted brain in the subject's process thinks, in milliseconds.
    pub delay_ms: u64,
    /// How many turns.
    pub turns: usize,
    /// All at once, or, if this is 1, one after the other.
    pub at_once: usize,
}

/// What came of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// From the beginning of the first turn to the end of the last one, in seconds.
    pub wall: f64,
    /// Each turn, in seconds.
    pub laps: Vec<f64>,
    /// How often a scripted brain in the subject's process was asked.
    pub brain_calls: usize,
    /// Turns that ended without the right answer.
    pub wrong: usize,
}

impl Job {
    /// Turns one after the other with a brain that answers at once.
    pub fn serial(kind: Kind, brain_calls: usize, turns: usize) -> Self {
        Self {
            kind,
            brain: None,
            brain_calls,
            delay_ms: 0,
            turns,
            at_once: 1,
        }
    }

    /// So many turns at the same time, each of four calls of a brain that thinks for a while.
    pub fn crowd(turns: usize, thinking: Duration) -> Self {
        Self {
            delay_ms: thinking.as_millis() as u64,
            at_once: turns,
            ..Self::serial(Kind::React, CROWD_CALLS, turns)
        }
    }

    /// Puts its brain behind HTTP.
    #[must_use]
    pub fn at(self, url: &str) -> Self {
        Self {
            brain: Some(url.to_owned()),
            delay_ms: 0,
            ..self
        }
    }
}

/// Brain calls of a turn in a crowd: three for tools, one for the answer.
pub const CROWD_CALLS: usize = 4;

impl Report {
    /// The turn in the middle, in seconds.
    pub fn median(&self) -> f64 {
        middle(self.laps.clone())
    }
}

/// Answers each line of `input`, a job of some kind, with one line of `output`, until there is no more.
async fn answer_lines<J: DeserializeOwned, A: Serialize>(
    input: impl BufRead,
    mut output: impl Write,
    answer: impl AsyncFn(&J) -> Result<A>,
) -> Result<()> {
    for line in input.lines() {
        let job = serde_json::from_str(&line?).context("a line that is no job")?;
        writeln!(output, "{}", serde_json::to_string(&answer(&job).await?)?)?;
        output.flush()?;
    }
    Ok(())
}

/// Scripts a lane of a model server as the brain in the subject's own process is scripted.
pub fn script(brain: &ScriptedBrain, lane: &str, kind: Kind, brain_calls: usize, thinking: Duration) {
    for spoken in 0..brain_calls {
        let reply = brain::reply(kind, spoken, spoken + 1 >= brain_calls);
        brain.after(lane, spoken, Reply::from(reply).after(thinking));
    }
}
