//! The peer: Assist of a real Home Assistant, with wyoming-faster-whisper, its own sentences, a model behind them, and
//! wyoming-piper. Speaks to it through its websocket, as a microphone would; plays nothing.

use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::Instant;

use super::Outcome;
use super::parts::{Moments, Parts};
use crate::answers::heard;
use crate::calling::stock_server::StockServer;
use crate::ears::workbench::Workbench;
use crate::exam::Task;
use crate::loops::worker::Worker;

/// The running pipeline; it ends with this value.
#[derive(Debug)]
pub struct Assist {
    worker: Worker,
    /// Which Home Assistant it is.
    pub version: String,
    /// Why there is no model behind its own sentences.
    pub without_model: Option<String>,
    server: Option<StockServer>,
}

/// What `assist.py` says when it is ready.
#[derive(Debug, Deserialize)]
struct Ready {
    version: String,
}

/// What `assist.py` is asked.
#[derive(Debug, Serialize)]
struct Asked<'a> {
    recording: &'a Path,
}

/// What it answers.
#[derive(Debug, Deserialize)]
struct Answered {
    heard: Option<String>,
    answer: String,
    /// Seconds from the last sound until it was decided that the person has ended, until the words were there, until the
    /// answer was, and until its first sound came.
    moments: [Option<f64>; 4],
    /// Whether its own sentences took it.
    is_local: bool,
    work: f64,
}

impl Assist {
    /// Starts it with these weights of the ear, and with this model where its server is installed.
    ///
    /// # Errors
    /// When it is not installed, or does not start.
    pub async fn start(workbench: &Workbench, weights: &str, model: &Path) -> Result<Self> {
        let server = StockServer::start(model).await;
        let without_model = server.as_ref().err().map(|error| format!("{error:#}"));
        let server = server.ok();
        let url = server.as_ref().map(StockServer::url);
        let mut worker = Worker::of(workbench.assist(weights, url.as_deref())?)?;
        let Ready { version } = worker.report().await?;
        Ok(Self {
            worker,
            version,
            without_model,
            server,
        })
    }

    /// Says what is in a recording, so that its models have been read.
    ///
    /// # Errors
    /// When it ends instead of answering.
    pub async fn warm_up(&mut self, recording: &Path) -> Result<()> {
        self.hear(recording).await.map(drop)
    }

    /// Says what is in this recording, and waits for the first bytes of the answer's sound.
    ///
    /// # Errors
    /// When it ends instead of answering.
    pub async fn ask(&mut self, task: &Task, recording: &Path) -> Result<Outcome> {
        let (asked, worked) = (SystemTime::now(), self.worked());
        let answered = self.hear(recording).await?;
        let work = answered.work + self.worked() - worked;
        let text = answered.heard.as_deref().map(str::trim).map(str::to_owned);
        Ok(Outcome {
            heard_rightly: text
                .as_ref()
                .is_some_and(|text| heard::is_right(task.question, text, task.lang)),
            heard: text,
            right: task.is_right(&answered.answer, asked, SystemTime::now()),
            parts: parts(answered.moments, answered.is_local),
            answer: answered.answer,
            work,
            tokens: [0, 0],
        })
    }

    /// How long processors have worked for the model.
    fn worked(&self) -> f64 {
        self.server.as_ref().map_or(0.0, StockServer::worked)
    }

    async fn hear(&mut self, recording: &Path) -> Result<Answered> {
        self.worker.ask(&Asked { recording }).await
    }
}

/// The parts of an answer that was heard. Between the words and the answer is its own understanding or the model, of which it
/// tells no more.
fn parts(moments: [Option<f64>; 4], is_local: bool) -> Option<Parts> {
    let said = Instant::now();
    let at = |seconds: f64| said + Duration::from_secs_f64(seconds.max(0.0));
    let [ended, heard, answered, sounded] = moments;
    let (heard, answered) = (heard?, answered?);
    Some(Parts::of(&Moments {
        said,
        ended: at(ended.unwrap_or(heard)),
        heard: at(heard),
        asked: (!is_local).then(|| at(heard)),
        worded: at(answered),
        sounded: at(sounded?),
    }))
}

/// The settings of `assist.py`.
pub(crate) fn settings(weights: &Path, voice: &Path, model_server: Option<&str>) -> String {
    let [voices, voice] = [voice.parent(), voice.file_stem().map(Path::new)];
    json!({"weights": weights, "voices": voices, "voice": voice, "model_server": model_server}).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_between_words_and_answer_is_its_understanding_or_the_model() {
        let moments = [Some(0.5), Some(1.0), Some(2.0), Some(2.5)];
        let local = parts(moments, true).unwrap();
        assert!((local.understanding - 1.0).abs() < 1e-6 && local.model == 0.0);
        let model = parts(moments, false).unwrap();
        assert!((model.model - 1.0).abs() < 1e-6 && model.understanding == 0.0);
        assert!((model.whole() - 2.5).abs() < 1e-6);
        let silent = [Some(0.5), Some(1.0), Some(2.0), None];
        assert_eq!(parts(silent, true), None);
    }
}
