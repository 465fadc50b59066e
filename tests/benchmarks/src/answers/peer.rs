//! The peer: the ReAct loop of `ovos-agentic-loop` with its own clock and calculator, asked in text.

use std::path::Path;
use std::time::SystemTime;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::Instant;

use super::device::{instructions, judged};
use super::model_server::ModelServer;
use super::row::Answer;
use crate::exam::Task;
use crate::loops::worker::{Cores, Worker};

/// The running loop and its model server.
#[derive(Debug)]
pub struct Peer {
    worker: Worker,
    _server: ModelServer,
}

/// What `ask_loop.py` is asked.
#[derive(Debug, Serialize)]
struct Asked<'a> {
    question: &'a str,
    lang: &'a str,
    /// Whether it may take longer than the loop waits.
    patient: bool,
}

/// What it answers.
#[derive(Debug, Deserialize)]
struct Answered {
    answer: String,
    brain_calls: usize,
    observations: Vec<String>,
}

impl Peer {
    /// Starts both, with the persona's instructions.
    ///
    /// # Errors
    /// When the model server is not installed or does not start.
    pub async fn start(model: &Path) -> Result<Self> {
        let server = ModelServer::start(model).await?;
        let settings = json!({"api_url": server.url(), "instructions": instructions()?}).to_string();
        let worker = Worker::script("ask_loop.py", &[&settings], Cores::All)?;
        Ok(Self {
            worker,
            _server: server,
        })
    }

    /// Asks something in a language, so that its instructions have been read, however long that takes.
    ///
    /// # Errors
    /// When the loop ends instead of answering.
    pub async fn warm_up(&mut self, lang: &str, question: &str) -> Result<()> {
        self.answer(lang, question, true).await?;
        Ok(())
    }

    /// Asks; gives the answer and after how many seconds it came.
    ///
    /// # Errors
    /// When the loop ends instead of answering.
    pub async fn ask(&mut self, task: &Task) -> Result<(Answer, f64)> {
        let (asked, began) = (SystemTime::now(), Instant::now());
        let answered = self.answer(task.lang, task.question, false).await?;
        let seconds = began.elapsed().as_secs_f64();
        if answered.answer.is_empty() {
            // The server goes on with what the loop has given up, and would slow down what is asked next on either side.
            self.answer(task.lang, task.question, true).await?;
        }
        let Answered {
            answer,
            brain_calls,
            observations,
        } = answered;
        let answer = judged(task, &answer, asked, brain_calls, observations, Vec::new());
        Ok((answer, seconds))
    }

    async fn answer(&mut self, lang: &str, question: &str, patient: bool) -> Result<Answered> {
        let asked = Asked {
            question,
            lang,
            patient,
        };
        self.worker.ask(&asked).await
    }
}
