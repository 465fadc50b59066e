//! Many people at once at the running daemon: each enters an utterance of a session of its own over the bus.

use std::collections::HashSet;
use std::time::Duration;

use anyhow::{Result, ensure};
use loquat_tests::brain::{Reply, ScriptedBrain};
use loquat_tests::daemon::Daemon;
use loquat_tests::home::Home;
use loquat_tests::persona::Persona;
use loquat_tests::probe::BusProbe;
use loquat_tests::process::processor_seconds;
use loquat_tests::turn::{HANDLED, Utterance};
use serde_json::json;
use tokio::time::{Instant, timeout};

use super::{ANSWER, CROWD_CALLS, QUESTION};

/// How long the brain of a persona takes; the name is also that of the persona and of the lane of its brain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// No time.
    Quick,
    /// As long as the crowd was started with.
    Thinking,
}

impl Pace {
    fn name(self) -> &'static str {
        match self {
            Self::Quick => "Quick",
            Self::Thinking => "Thinking",
        }
    }
}

/// Long enough for a thousand turns on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The daemon with the bus that it brings and a persona whose brain thinks for a while.
#[derive(Debug)]
pub struct Crowd {
    daemon: Daemon,
    probe: BusProbe,
    /// From starting it until it says that it is ready, in seconds.
    pub start: f64,
    _home: Home,
}

impl Crowd {
    /// Starts it with a persona for each pace; each turn is of [`CROWD_CALLS`] calls.
    pub async fn start(brain: &ScriptedBrain, thinking: Duration) -> Self {
        let home = Home::without_bus();
        for (pace, delay) in [(Pace::Quick, Duration::ZERO), (Pace::Thinking, thinking)] {
            let name = pace.name();
            home.persona(&Persona::react(name, &brain.url(name)).toolboxes(&["ovos-math-tools"]));
            for spoken in 0..CROWD_CALLS {
                brain.after(name, spoken, reply(spoken).after(delay));
            }
        }
        let began = Instant::now();
        let (daemon, probe) = Daemon::start(&home).await;
        Self {
            start: began.elapsed().as_secs_f64(),
            daemon,
            probe,
            _home: home,
        }
    }

    /// Has `count` people ask at once; gives the seconds from the first question to the last end.
    pub async fn ask(&self, pace: Pace, count: usize) -> Result<f64> {
        let began = Instant::now();
        let mark = self.probe.mark();
        let sessions = (0..count).map(|number| format!("crowd-{mark}-{number}"));
        let mut waiting: HashSet<String> = sessions.collect();
        for session in &waiting {
            let utterance = Utterance::new(QUESTION).to(pace.name()).in_session(session);
            utterance.enter(&self.probe).await;
        }
        let recording = self.probe.recording();
        let mut right = 0;
        let all = recording.watch(mark, |frame| {
            right += usize::from(frame.is_speak() && !frame.is_twin() && frame.utterance() == ANSWER);
            if frame.topic == HANDLED {
                waiting.remove(frame.session_id());
            }
            waiting.is_empty()
        });
        let in_time = timeout(PATIENCE, all).await.is_ok();
        let wall = began.elapsed().as_secs_f64();
        ensure!(in_time, "{} of {count} turns did not end", waiting.len());
        ensure!(right == count, "{right} of {count} turns had the right answer");
        Ok(wall)
    }

    /// What the daemon holds in memory now, in bytes.
    pub fn resident_bytes(&self) -> u64 {
        self.daemon.resident_bytes()
    }

    /// How long processors have worked for the daemon, in seconds.
    pub fn processor_seconds(&self) -> f64 {
        processor_seconds(self.daemon.pid())
    }
}

fn reply(spoken: usize) -> Reply {
    if spoken + 1 == CROWD_CALLS {
        return Reply::answers(ANSWER);
    }
    Reply::acts(
        "evaluate_expression",
        &json!({"expression": format!("{spoken}+1")}),
    )
}
