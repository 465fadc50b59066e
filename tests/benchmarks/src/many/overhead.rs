//! What it costs that a worker thinks: the same turn of two brain calls and a tool, at the device and at a worker, in turn.

use std::fmt;
use std::time::Duration;

use loquat_tests::brain::ScriptedBrain;
use loquat_tests::frame::Frame;
use loquat_tests::nats::NatsServer;
use loquat_tests::place::{Cellar, Room, quoted};
use loquat_tests::toolbox::Act;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::json;
use tokio::time::Instant;

use super::{at, improvise, median, question};

/// Turns before any is timed.
const WARM: usize = 20;

/// Times in milliseconds, from the question to the answer on the bus.
#[derive(Debug)]
pub struct Overhead {
    here: Vec<f64>,
    there: Vec<f64>,
    /// Turns that a worker was to think and the device thought.
    strayed: usize,
}

impl Overhead {
    /// How long turns took at a worker whose brain takes no time, in seconds.
    pub fn service(&self) -> Vec<f64> {
        self.there
            .iter()
            .map(|milliseconds| milliseconds / 1_000.0)
            .collect()
    }
}

impl fmt::Display for Overhead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut here, mut there) = (self.here.clone(), self.there.clone());
        let (own, theirs) = (median(&mut here), median(&mut there));
        writeln!(
            f,
            "a turn of two brain calls and a tool, {} each, in ms (target: +5 at the median)",
            here.len()
        )?;
        writeln!(
            f,
            "  at the device   p50 {own:7.2}   p95 {:7.2}",
            at(&mut here, 0.95)
        )?;
        writeln!(
            f,
            "  at a worker     p50 {theirs:7.2}   p95 {:7.2}",
            at(&mut there, 0.95)
        )?;
        write!(
            f,
            "  overhead        p50 {:+7.2}   turns that stayed at the device: {}",
            theirs - own,
            self.strayed
        )
    }
}

/// Measures so many turns of each.
pub async fn measure(rounds: usize) -> Overhead {
    let (nats, brain) = (NatsServer::open().await, ScriptedBrain::start());
    improvise(&brain, Duration::ZERO);
    let lamp = || Act::Returns(json!({"text": "on"}));
    let alone = Room::start(&brain, lamp(), |_| {}, true).await;
    let address = quoted(&nats.url());
    let helped = Room::start(
        &brain,
        lamp(),
        |home| home.setting("workers.address", &address),
        true,
    )
    .await;
    let _worker = Cellar::start(&nats, &brain, |_| {}).await;
    helped.has_workers().await;
    let (mut here, mut there) = (Vec::new(), Vec::new());
    for round in 0..WARM + rounds {
        let times = [time(&alone, round).await, time(&helped, round).await];
        if round >= WARM {
            here.push(times[0]);
            there.push(times[1]);
        }
    }
    // A turn that ended at the device says so in its log.
    let strayed = helped.daemon.output().matches("goes on here").count();
    Overhead { here, there, strayed }
}

async fn time(room: &Room, number: usize) -> f64 {
    let utterance = Utterance::new(&question(number)).in_session(&format!("bench-{number}"));
    let began = Instant::now();
    let mark = utterance.enter(&room.probe).await;
    let is_answer = |frame: &Frame| frame.is_speak() && frame.utterance().contains("is on");
    room.probe.wait("the answer", mark, PATIENCE, is_answer).await;
    let took = began.elapsed();
    utterance.end(&room.probe, mark).await;
    took.as_secs_f64() * 1_000.0
}
