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

/// So often the first question is asked at most.
const WARMING: usize = 3;

/// The running loop and its model server.
#[derive(Debug)]
pub struct Peer {
    worker: Worker,
    _server: ModelServer,
}

/// What `ask_loop.py` is asked.
#[derive(Debug, Serialize)]
struct Question<'a> {
    question: &'a str,
    lang: &'a str,
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

    /// Asks something in a language, so that its instructions have been read. Reading them may take longer than the loop
    /// waits, but not twice.
    ///
    /// # Errors
    /// When the loop ends instead of answering.
    pub async fn warm_up(&mut self, lang: &str, question: &str) -> Result<()> {
        for _ in 0..WARMING {
            if !self.answer(lang, question).await?.answer.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// Asks; gives the answer and after how many seconds it came.
    ///
    /// # Errors
    /// When the loop ends instead of answering.
    pub async fn ask(&mut self, task: &Task) -> Result<(Answer, f64)> {
        let (asked, began) = (SystemTime::now(), Instant::now());
        let answered = self.answer(task.lang, task.question).await?;
        let seconds = began.elapsed().as_secs_f64();
        let Answered {
            answer,
            brain_calls,
            observations,
        } = answered;
        let answer = judged(task, &answer, asked, brain_calls, observations, Vec::new());
        Ok((answer, seconds))
    }

    async fn answer(&mut self, lang: &str, question: &str) -> Result<Answered> {
        self.worker.ask(&Question { question, lang }).await
    }
}
