//! How quick each installed language model is on this machine: how many tokens it reads and writes in a second, measured once
//! and kept in the state folder. Chooses no model.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use loquat_agent::brain::{Brain, BrainError, ChatMessage, ChatReply, ChatRequest, Sampling};
use loquat_brain::{Ahead, LocalBrain, LocalBrainSettings};
use loquat_kernels::Kernel;
use loquat_part::model_speed::{Conditions, Kept, Measurements};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::Instant;

const KEPT: Kept = Kept {
    file: "model-speed.toml",
    head: "# How many tokens each language model reads and writes in a second on this machine.\n\
           # Written by the daemon, which measures anew when this file is gone.\n",
};

/// The tokens that a model reads for a request that one tool answers, beside the instructions, which it has read before.
/// With those that it writes it comes to the 1.8 s that the model of 1.5 billion weights takes where it reads 58 and writes
/// 12 tokens a second.
const USUALLY_READ: f64 = 40.0;

/// The tokens that it draws then. Those that the form of the reply leaves no choice of are read with others.
const USUALLY_WRITTEN: f64 = 14.0;

/// The window of a measurement, which has a few hundred tokens.
const WINDOW: u32 = 1024;

/// Tokens that are written for a measurement.
const WRITTEN: u32 = 32;

/// Numbers are read in all languages alike.
const NUMBERS: u32 = 100;

/// What a model does in a second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// The tokens that it reads.
    pub read: f64,
    /// The tokens that it writes.
    pub written: f64,
}

impl Rates {
    /// The time that it takes for a usual request that one tool answers.
    pub fn one_tool_request(self) -> Duration {
        let seconds = USUALLY_READ / self.read + USUALLY_WRITTEN / self.written;
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }
}

impl fmt::Display for Rates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "reads {:.0} and writes {:.0} tokens a second, about {:.1} s for a request that one tool answers",
            self.read,
            self.written,
            self.one_tool_request().as_secs_f64()
        )
    }
}

/// What is known of models.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelSpeeds(Measurements<Rates>);

/// A model that was not measured.
#[derive(Debug, thiserror::Error)]
pub enum NotMeasured {
    /// It does not answer.
    #[error(transparent)]
    Brain(#[from] BrainError),
    /// Its worker does not count, or it took no time.
    #[error("count the tokens that it read and wrote: it does not tell")]
    Uncounted,
}

/// The worker chooses the kernel, and where no number is set the number of threads, by the machine.
fn conditions(threads: Option<u32>) -> Conditions {
    Conditions {
        kernel: Kernel::best().to_string(),
        threads: threads.map_or(0, |threads| threads as usize),
    }
}

impl ModelSpeeds {
    /// What the state folder holds; nothing where it cannot be read.
    pub fn recall(state: &Path) -> Self {
        Self(Measurements::recall(state, KEPT))
    }

    /// What a model does with so many threads, if it was measured as it is now.
    pub fn of(&self, model: &Path, threads: Option<u32>) -> Option<Rates> {
        let rates = self.0.of(model, &conditions(threads))?;
        (rates.read > 0.0 && rates.written > 0.0).then_some(rates)
    }

    /// Takes note of a measurement.
    pub fn put(&mut self, model: &Path, threads: Option<u32>, rates: Rates) {
        let tenths = |rate: f64| (rate * 10.0).round() / 10.0;
        let rates = Rates {
            read: tenths(rates.read),
            written: tenths(rates.written),
        };
        self.0.put(model, &conditions(threads), rates);
    }

    /// Writes it all into the state folder.
    pub fn keep(&self, state: &Path) -> io::Result<()> {
        self.0.keep(state, KEPT)
    }
}

/// Measures a model in a worker of its own, which takes some seconds. Dropping the future ends that.
///
/// # Errors
/// When it cannot be loaded or does not answer.
pub async fn measure(mut settings: LocalBrainSettings) -> Result<Rates, NotMeasured> {
    // A worker may remove what is in the folder of its socket.
    settings.socket_folder.set_extension("timing");
    settings.context_tokens = Some(WINDOW);
    settings.earlier_conversations = Some(0);
    settings.instructions = None;
    // What is written is to be counted token by token.
    settings.ahead = Ahead {
        guessed: false,
        forced: false,
    };
    let brain = LocalBrain::new(settings);
    let rates = rates(&brain).await;
    brain.shutdown().await;
    rates
}

async fn rates(brain: &LocalBrain) -> Result<Rates, NotMeasured> {
    // It is loaded, and has answered once.
    timed(brain, "Hello", 1).await?;
    let numbers: Vec<String> = (1..=NUMBERS).map(|number| number.to_string()).collect();
    let numbers = numbers.join(", ");
    let (reading, reply) = timed(brain, &numbers, 1).await?;
    let read = reply.usage.prompt_tokens;
    let (writing, reply) = timed(brain, &numbers, WRITTEN).await?;
    let written = reply.usage.completion_tokens;
    let rate = |tokens: u64, took: Duration| tokens as f64 / took.as_secs_f64();
    let rates = Rates {
        read: rate(read, reading),
        written: rate(written, writing),
    };
    let is_counted = read > 0 && written > 0 && rates.read.is_finite() && rates.written.is_finite();
    is_counted.then_some(rates).ok_or(NotMeasured::Uncounted)
}

/// Has a list of numbers written, as long as it may be.
async fn timed(brain: &LocalBrain, said: &str, tokens: u32) -> Result<(Duration, ChatReply), BrainError> {
    let request = ChatRequest {
        messages: vec![ChatMessage::user(said).into()],
        response_schema: Some(Arc::new(list())),
        sampling: Sampling {
            max_tokens: Some(tokens),
            ..Sampling::default()
        },
        ..ChatRequest::default()
    };
    let began = Instant::now();
    let reply = brain.chat(&request, &()).await?;
    Ok((began.elapsed(), reply))
}

fn list() -> Value {
    json!({"type": "array", "items": {"type": "integer"}, "minItems": WRITTEN})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quicker_model_answers_a_request_sooner() {
        let slow = Rates {
            read: 20.0,
            written: 4.0,
        };
        let quick = Rates {
            read: 130.0,
            written: 25.0,
        };
        assert!(quick.one_tool_request() < Duration::from_secs(1));
        assert!(slow.one_tool_request() > Duration::from_secs(3));
        let stuck = Rates {
            read: 0.0,
            written: 0.0,
        };
        assert_eq!(stuck.one_tool_request(), Duration::MAX);
    }

    #[test]
    fn what_was_measured_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("model.gguf");
        std::fs::write(&model, "weights").unwrap();
        let mut speeds = ModelSpeeds::recall(folder.path());
        let rates = Rates {
            read: 129.04,
            written: 25.5,
        };
        speeds.put(&model, None, rates);
        speeds.keep(folder.path()).unwrap();
        let speeds = ModelSpeeds::recall(folder.path());
        assert_eq!(speeds.of(&model, None), Some(Rates { read: 129.0, ..rates }));
        assert_eq!(speeds.of(&model, Some(2)), None);
    }
}
