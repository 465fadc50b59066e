//! A queue with some servers, simulated event by event: who comes first is served first, by the server that is free first.
//!
//! Where patience has an end, one who would have to wait longer than so is not served here.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Microseconds, so that moments can be compared.
type Moment = u64;

const SECOND: f64 = 1e6;

/// The servers, by when each is free.
#[derive(Debug)]
pub struct Queue {
    free: BinaryHeap<Reverse<Moment>>,
    patience: Option<Moment>,
}

impl Queue {
    /// With so many servers. Those who come wait so many seconds at most, or for ever.
    pub fn new(servers: usize, patience: Option<f64>) -> Self {
        Self {
            free: std::iter::repeat_n(Reverse(0), servers).collect(),
            patience: patience.map(|seconds| (seconds * SECOND) as Moment),
        }
    }

    /// One comes at this second, not before the one before, and needs to be served for so many. How many seconds it waits;
    /// nothing where it leaves.
    pub fn come(&mut self, at: f64, service: f64) -> Option<f64> {
        let now = (at * SECOND) as Moment;
        let Reverse(free) = *self.free.peek()?;
        let begin = free.max(now);
        if self.patience.is_some_and(|patience| begin - now > patience) {
            return None;
        }
        self.free.pop();
        self.free.push(Reverse(begin + (service * SECOND) as Moment));
        Some((begin - now) as f64 / SECOND)
    }
}

#[cfg(test)]
mod tests {
    use loquat_tests::dice::Dice;

    use super::super::crowd::exponential;
    use super::*;

    /// Customers of each test.
    const MANY: usize = 1_000_000;

    /// So far from the formula a mean may be.
    const NEAR: f64 = 0.04;

    /// Seconds that each waits; nothing for one that left.
    fn waits(queue: &mut Queue, rate: f64, mut service: impl FnMut(&mut Dice) -> f64) -> Vec<Option<f64>> {
        let (mut dice, mut now) = (Dice::new(7), 0.0);
        let mut waits = Vec::new();
        for _ in 0..MANY {
            now += exponential(&mut dice, 1.0 / rate);
            let service = service(&mut dice);
            waits.push(queue.come(now, service));
        }
        waits
    }

    fn mean(waits: &[Option<f64>]) -> f64 {
        waits.iter().flatten().sum::<f64>() / waits.len() as f64
    }

    fn assert_near(measured: f64, expected: f64) {
        assert!(
            (measured / expected - 1.0).abs() < NEAR,
            "{measured} is not {expected}"
        );
    }

    /// Erlang's B: which part of those who come finds all servers busy, where none waits.
    fn erlang_b(load: f64, servers: usize) -> f64 {
        (1..=servers).fold(1.0, |blocked, server| {
            load * blocked / (server as f64 + load * blocked)
        })
    }

    /// Erlang's C: which part of those who come has to wait, where all wait.
    fn erlang_c(load: f64, servers: usize) -> f64 {
        let (blocked, servers) = (erlang_b(load, servers), servers as f64);
        blocked / (1.0 - load / servers * (1.0 - blocked))
    }

    #[test]
    fn with_several_servers_it_waits_as_erlang_says() {
        let (rate, servers) = (4.0, 6);
        let waits = waits(&mut Queue::new(servers, None), rate, |dice| {
            exponential(dice, 1.0)
        });
        let part = erlang_c(rate, servers);
        let waited = waits.iter().flatten().filter(|wait| **wait > 0.0).count();
        assert_near(waited as f64 / MANY as f64, part);
        assert_near(mean(&waits), part / (servers as f64 - rate));
        let mut sorted: Vec<f64> = waits.into_iter().flatten().collect();
        let p95 = super::super::at(&mut sorted, 0.95);
        assert_near(p95, (part / 0.05).ln() / (servers as f64 - rate));
    }

    #[test]
    fn with_one_server_of_equal_times_it_waits_as_pollaczek_and_khinchine_say() {
        let rate = 0.8;
        let waits = waits(&mut Queue::new(1, None), rate, |_| 1.0);
        assert_near(mean(&waits), rate / (2.0 * (1.0 - rate)));
    }

    #[test]
    fn where_none_waits_so_many_leave_as_erlang_says() {
        let (rate, servers) = (4.0, 6);
        let waits = waits(&mut Queue::new(servers, Some(0.0)), rate, |dice| {
            exponential(dice, 1.0)
        });
        let left = waits.iter().filter(|wait| wait.is_none()).count();
        assert_near(left as f64 / MANY as f64, erlang_b(rate, servers));
    }
}
