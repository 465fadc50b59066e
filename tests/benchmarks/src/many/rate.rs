//! How many turns a second so many workers think, each one turn at a time, with a brain that takes a second for a turn.

use std::fmt;
use std::sync::atomic::Ordering;
use std::time::Duration;

use loquat_tests::brain::ScriptedBrain;
use loquat_tests::nats::NatsServer;
use loquat_tests::place::{Cellar, Room, quoted};
use loquat_tests::toolbox::Act;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::json;
use tokio::time::Instant;

use super::{improvise, plot, question};

/// A turn asks twice.
const THINKING: Duration = Duration::from_millis(500);

/// Turns of each worker.
const EACH: usize = 10;

/// So far from so many times the rate of one worker it may be.
const TOLERANCE: f64 = 0.1;

/// Turns a second.
#[derive(Debug)]
pub struct Rate {
    workers: usize,
    turns: usize,
    seconds: f64,
    /// What the device's own brain was asked.
    own: usize,
}

impl Rate {
    fn a_second(&self) -> f64 {
        self.turns as f64 / self.seconds
    }
}

/// Whether so many workers think so many times what one thinks, and the device nothing.
pub fn is_linear(rates: &[Rate]) -> bool {
    let Some(one) = rates.first().map(|rate| rate.a_second() / rate.workers as f64) else {
        return false;
    };
    rates.iter().all(|rate| {
        let expected = one * rate.workers as f64;
        rate.own == 0 && (rate.a_second() / expected - 1.0).abs() <= TOLERANCE
    })
}

/// The picture of all rates.
pub fn svg(rates: &[Rate], remark: &str) -> String {
    let points = rates.iter().map(|rate| (rate.workers as f64, rate.a_second()));
    plot::svg(
        "Turns a second by number of workers, a brain of one second a turn",
        remark,
        &points.collect::<Vec<_>>(),
    )
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = self.a_second();
        write!(
            f,
            "{} workers: {:.2} turns/s, {:.2} for each worker (1.00 without any cost); {} turns, the device's own brain was asked {} times",
            self.workers,
            rate,
            rate / self.workers as f64,
            self.turns,
            self.own
        )
    }
}

/// Measures with so many workers, and as many conversations at once.
pub async fn measure(workers: usize) -> Rate {
    let (nats, brain) = (NatsServer::open().await, ScriptedBrain::start());
    let own = improvise(&brain, THINKING);
    let address = quoted(&nats.url());
    let lamp = Act::Returns(json!({"text": "on"}));
    let room = Room::start(
        &brain,
        lamp,
        |home| home.setting("workers.address", &address),
        true,
    )
    .await;
    let mut running = Vec::new();
    for _ in 0..workers {
        running.push(Cellar::start(&nats, &brain, |home| home.setting("workers.places", "1")).await);
    }
    let all = if workers == 1 {
        "turns run on a worker".to_owned()
    } else {
        format!("turns run on {workers} workers")
    };
    room.daemon.wrote(&all, PATIENCE).await;
    let began = Instant::now();
    let conversations = (0..workers).map(|conversation| converse(&room, conversation));
    futures_util::future::join_all(conversations).await;
    let seconds = began.elapsed().as_secs_f64();
    Rate {
        workers,
        turns: workers * EACH,
        seconds,
        own: own.load(Ordering::Relaxed),
    }
}

async fn converse(room: &Room, conversation: usize) {
    for turn in 0..EACH {
        let number = conversation * EACH + turn;
        let utterance = Utterance::new(&question(number)).in_session(&format!("rate-{number}"));
        utterance.ask(&room.probe).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(workers: usize, turns: usize) -> Rate {
        Rate {
            workers,
            turns,
            seconds: 10.0,
            own: 0,
        }
    }

    #[test]
    fn what_grows_as_the_workers_do_is_linear_and_no_more() {
        assert!(is_linear(&[rate(1, 10), rate(2, 19), rate(4, 41)]));
        assert!(!is_linear(&[rate(1, 10), rate(2, 17)]));
        assert!(!is_linear(&[]));
        let strayed = Rate {
            own: 1,
            ..rate(2, 20)
        };
        assert!(!is_linear(&[rate(1, 10), strayed]));
    }
}
