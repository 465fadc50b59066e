//! Our engines as a subject: runs the jobs that come in and says what came of them.

use std::io::{BufRead, Write};
use std::sync::Arc;

use anyhow::{Context, Result};
use loquat_agent::brain::Brain;
use loquat_agent::engine::{Engine, find};
use loquat_agent::toolbox::Toolbox;
use loquat_agent::turn::{Budget, Means, Question, TurnCache, stop_pair};
use loquat_brain::{OpenAiBrain, OpenAiSettings};
use serde_json::Map;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::brain::Script;
use super::tools::Tools;
use super::{ANSWER, Job, Kind, QUESTION, Report, answer_lines};

/// What the turns of a job share.
struct Scene {
    engine: &'static Engine,
    kind: Kind,
    brain: Arc<dyn Brain>,
    toolboxes: Vec<Arc<dyn Toolbox>>,
    turn_cache: Arc<TurnCache>,
}

/// Answers each line of `input` with one line of `output`, until there is no more.
pub async fn serve(input: impl BufRead, output: impl Write) -> Result<()> {
    answer_lines(input, output, run).await
}

async fn run(job: &Job) -> Result<Report> {
    let script = Arc::new(Script::new(job));
    let scene = Arc::new(Scene::new(job, Arc::clone(&script))?);
    let began = Instant::now();
    let mut laps = Vec::with_capacity(job.turns);
    let mut right = 0;
    let mut keep = |(lap, is_right)| {
        laps.push(lap);
        right += usize::from(is_right);
    };
    if job.at_once == 1 {
        for number in 0..job.turns {
            keep(scene.turn(number).await);
        }
    } else {
        let mut turns = JoinSet::new();
        for number in 0..job.turns {
            let scene = Arc::clone(&scene);
            turns.spawn(async move { scene.turn(number).await });
        }
        while let Some(ended) = turns.join_next().await {
            keep(ended?);
        }
    }
    Ok(Report {
        wall: began.elapsed().as_secs_f64(),
        laps,
        brain_calls: script.asked(),
        wrong: job.turns - right,
    })
}

impl Scene {
    fn new(job: &Job, script: Arc<Script>) -> Result<Self> {
        let id = match job.kind {
            Kind::React => "ovos-react-loop",
            Kind::Native | Kind::Tools => "ovos-native-toolcall-loop",
            Kind::Tree => "ovos-tree-of-thoughts-loop",
        };
        let brain: Arc<dyn Brain> = match &job.brain {
            None => script,
            Some(url) => {
                let mut settings = OpenAiSettings::new(url.as_str(), "scripted");
                settings.supports_tools = job.kind == Kind::Native;
                Arc::new(OpenAiBrain::new(settings)?)
            }
        };
        Ok(Self {
            engine: find(id).context("an engine is missing")?,
            kind: job.kind,
            brain,
            toolboxes: match job.kind {
                Kind::Tree => Vec::new(),
                Kind::React | Kind::Native | Kind::Tools => vec![Arc::new(Tools::default())],
            },
            turn_cache: Arc::default(),
        })
    }

    /// One turn: how long it took, in seconds, and whether its answer is right.
    async fn turn(&self, number: usize) -> (f64, bool) {
        let began = Instant::now();
        let question = Question {
            turn_id: format!("turn-{number}"),
            session_id: format!("session-{number}"),
            utterance: QUESTION.to_owned(),
            ..Question::default()
        };
        let means = Means {
            brain: Arc::clone(&self.brain),
            toolboxes: self.toolboxes.clone(),
            arrivals: None,
            grammar: None,
            budget: Budget::default(),
            settings: Map::new(),
            observer: Arc::new(()),
            stop: stop_pair().1,
            turn_cache: Arc::clone(&self.turn_cache),
            person: None,
        };
        let record = loquat_agent::answer(self.engine, question, means).await;
        let lap = began.elapsed().as_secs_f64();
        (lap, self.kind == Kind::Tree || record.answer == ANSWER)
    }
}
