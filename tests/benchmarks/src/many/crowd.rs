//! Ten thousand devices and their workers over a day, simulated with the times that were measured: how many devices a worker is
//! enough for.
//!
//! People ask by the profile of a day; a turn takes a measured time beside that of its brain. Two rules are played. Where all
//! wait, the wait tells when the places run out: the knee is the most devices for each worker at which 95 of 100 turns of the
//! busiest hour wait no longer than a device does. As it is built a device does not wait longer, and thinks itself; so the
//! knee costs no person time, but some turns the better brain.

use std::fmt;

use loquat_tests::dice::Dice;

use super::at;
use super::queue::Queue;

/// Devices.
const DEVICES: f64 = 10_000.0;

/// Utterances of a device in a day that ask its brain. An assumption: the intents of skills need none.
const A_DAY: f64 = 30.0;

/// Which part of a day's utterances come in each hour. An assumption: a household in the morning and in the evening.
const PROFILE: [f64; 24] = [
    0.5, 0.2, 0.1, 0.1, 0.2, 0.8, 3.5, 7.5, 7.0, 4.5, 3.5, 3.5, 4.5, 4.0, 3.5, 3.5, 4.5, 6.5, 9.0, 9.5, 9.0,
    7.5, 4.5, 2.6,
];

/// How long a device waits until a worker has its turn, in seconds: `workers.taken_seconds`.
const BOUND: f64 = 0.5;

/// Turns that a worker runs at once: `workers.places`.
const PLACES: usize = 4;

/// Days that are played for a report, so that the busiest hour has enough turns.
const DAYS: usize = 3;

/// What a brain needs for a turn, in seconds.
#[derive(Debug, Clone, Copy)]
pub enum Thinking {
    /// Always so long.
    Even(f64),
    /// So long in the middle, and much longer at times: exponentially distributed.
    Varied(f64),
}

impl Thinking {
    fn draw(self, dice: &mut Dice) -> f64 {
        match self {
            Self::Even(seconds) => seconds,
            Self::Varied(seconds) => exponential(dice, seconds),
        }
    }
}

impl fmt::Display for Thinking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Even(seconds) => write!(f, "{seconds} s for each turn"),
            Self::Varied(seconds) => write!(f, "{seconds} s on average"),
        }
    }
}

/// A day of all devices with so many workers.
#[derive(Debug, Clone, Copy)]
pub struct Day {
    workers: usize,
    /// The wait of the busiest hour, where all wait.
    median: f64,
    p95: f64,
    /// Which part of its turns the devices think themselves, as it is built.
    own: f64,
    /// Which part of the busiest hour a place is taken.
    load: f64,
}

/// What is known of the times of turns.
#[derive(Debug, Clone, Copy)]
pub struct Crowd<'a> {
    /// What turns took beside their brain's time, in seconds.
    pub service: &'a [f64],
    /// What the brain takes.
    pub thinking: Thinking,
    /// How many days are played.
    pub days: usize,
}

impl Crowd<'_> {
    /// The fewest workers that are enough.
    pub fn knee(self) -> Day {
        let (mut few, mut enough) = (0, 1);
        while self.day(enough).p95 > BOUND {
            few = enough;
            enough *= 2;
        }
        while enough - few > 1 {
            let middle = usize::midpoint(few, enough);
            if self.day(middle).p95 > BOUND {
                few = middle;
            } else {
                enough = middle;
            }
        }
        self.day(enough)
    }

    /// A day with so many workers.
    pub fn day(self, workers: usize) -> Day {
        let servers = workers * PLACES;
        let (mut all, mut built) = (Queue::new(servers, None), Queue::new(servers, Some(BOUND)));
        let (mut dice, mut now) = (Dice::new(22), 0.0);
        let (mut waits, mut left, mut busy) = (Vec::new(), 0, 0.0);
        while now < self.days as f64 * 86_400.0 {
            now += exponential(&mut dice, 1.0 / MOST_A_SECOND);
            let hour = (now / 3_600.0) as usize % 24;
            // Of those who come at the rate of the busiest hour, as many as come in this one.
            if chance(&mut dice) * busiest() > PROFILE[hour] {
                continue;
            }
            let own = self.service[dice.index(self.service.len())];
            let service = own + self.thinking.draw(&mut dice);
            let waited = all.come(now, service);
            let is_left = built.come(now, service).is_none();
            if PROFILE[hour] >= busiest() {
                waits.extend(waited);
                left += usize::from(is_left);
                busy += service;
            }
        }
        Day {
            workers,
            own: left as f64 / waits.len() as f64,
            load: busy / (self.days as f64 * 3_600.0 * servers as f64),
            median: at(&mut waits, 0.5),
            p95: at(&mut waits, 0.95),
        }
    }
}

impl Day {
    /// How many workers there are.
    pub fn workers(&self) -> usize {
        self.workers
    }

    fn devices_each(&self) -> f64 {
        DEVICES / self.workers as f64
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:3} workers, {:5.0} devices each: places taken {:3.0} %, wait p50 {:6.2} s, p95 {:6.2} s; as built {:4.1} % of \
             turns at the device",
            self.workers,
            self.devices_each(),
            100.0 * self.load,
            self.median,
            self.p95,
            100.0 * self.own
        )
    }
}

/// What is assumed and what is found, for people.
pub fn told(service: &[f64]) -> String {
    let mut sorted = service.to_vec();
    let mut text = format!(
        "{DEVICES} devices, {A_DAY} turns a day each, {:.1} a second in the busiest hour; {PLACES} places a worker; a turn takes \
         {:.1} ms (p95 {:.1} ms) beside its brain's time, as measured; the bound is a wait of {BOUND} s\n",
        MOST_A_SECOND,
        1_000.0 * at(&mut sorted, 0.5),
        1_000.0 * at(&mut sorted, 0.95)
    );
    for thinking in [
        Thinking::Even(1.0),
        Thinking::Varied(1.0),
        Thinking::Varied(3.0),
        Thinking::Varied(8.0),
    ] {
        let crowd = Crowd {
            service,
            thinking,
            days: DAYS,
        };
        let knee = crowd.knee();
        let each = knee.devices_each();
        let told = format!("a brain that takes {thinking}: the knee is {each:.0} devices a worker\n");
        text.push_str(&told);
        let around = [
            knee.workers.saturating_sub(1).max(1),
            knee.workers,
            knee.workers + 1,
        ];
        for workers in around {
            let day = crowd.day(workers).to_string();
            text.extend(["  ", &day, "\n"]);
        }
    }
    text
}

/// Turns a second in the busiest hour.
const MOST_A_SECOND: f64 = DEVICES * A_DAY * busiest() / (total() * 3_600.0);

const fn busiest() -> f64 {
    let (mut most, mut hour) = (0.0, 0);
    while hour < PROFILE.len() {
        if PROFILE[hour] > most {
            most = PROFILE[hour];
        }
        hour += 1;
    }
    most
}

const fn total() -> f64 {
    let (mut sum, mut hour) = (0.0, 0);
    while hour < PROFILE.len() {
        sum += PROFILE[hour];
        hour += 1;
    }
    sum
}

/// A number from nought to one.
fn chance(dice: &mut Dice) -> f64 {
    (dice.roll() >> 11) as f64 / (1_u64 << 53) as f64
}

/// An exponentially distributed number with this mean.
pub(super) fn exponential(dice: &mut Dice, mean: f64) -> f64 {
    -mean * (1.0 - chance(dice)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVICE: [f64; 3] = [0.005, 0.006, 0.02];

    #[test]
    fn the_knee_is_enough_and_one_worker_fewer_is_not() {
        let crowd = Crowd {
            service: &SERVICE,
            thinking: Thinking::Varied(3.0),
            days: 1,
        };
        let knee = crowd.knee();
        assert!(knee.p95 <= BOUND && knee.load < 1.0, "{knee}");
        let fewer = crowd.day(knee.workers() - 1);
        assert!(fewer.p95 > BOUND && fewer.own > knee.own, "{fewer}");
    }

    #[test]
    fn a_slower_brain_needs_more_workers() {
        let workers = |seconds| {
            let thinking = Thinking::Varied(seconds);
            Crowd {
                service: &SERVICE,
                thinking,
                days: 1,
            }
            .knee()
            .workers()
        };
        assert!(workers(1.0) < workers(8.0));
    }

    #[test]
    fn the_load_is_what_comes_by_what_there_is() {
        let thinking = Thinking::Even(1.0);
        let day = Crowd {
            service: &[0.0],
            thinking,
            days: 1,
        }
        .day(4);
        let expected = MOST_A_SECOND / (4 * PLACES) as f64;
        assert!(
            (day.load / expected - 1.0).abs() < 0.02,
            "{} is not {expected}",
            day.load
        );
    }
}
