//! How the delay of a room goes on, from measurements of it: a straight line, since two clocks differ by a constant factor, with
//! a jump where sound was left out. Measures nothing.

use std::collections::VecDeque;

/// Measurements that the line is laid through.
const MOST: usize = 32;

/// A measurement that is this many samples off the line is one of something else.
const OFF: f64 = 3.0;

/// Two clocks may differ by this much; more is a mistake.
const STEEPEST: f64 = 0.002;

/// Measurements before a slope is believed.
const ENOUGH: usize = 6;

/// The delay over time, in samples of the microphone.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// Measurements that agree: when, and how late.
    points: VecDeque<(f64, f64)>,
    /// A measurement off the line, which may be the first after a jump.
    odd: Option<(f64, f64)>,
    /// The delay that the canceller has learnt.
    reference: Option<f64>,
    /// The delay at a time, and how it grows.
    now: (f64, f64),
    slope: f64,
}

impl Line {
    /// Takes a measurement. One that is off the line is forgotten, unless the next agrees with it: then a new line begins.
    pub(super) fn take(&mut self, at: f64, delay: f64) {
        let odd = self.odd.take();
        let is_on = self.is_on(at, delay);
        let agrees = |(before, odd): (f64, f64)| (delay - odd - self.slope * (at - before)).abs() <= OFF;
        if !is_on && !odd.is_some_and(agrees) {
            self.odd = Some((at, delay));
            return;
        }
        if !is_on {
            self.points.clear();
        }
        self.keep(at, delay);
    }

    fn keep(&mut self, at: f64, delay: f64) {
        self.points.push_back((at, delay));
        if self.points.len() > MOST {
            self.points.pop_front();
        }
        self.fit();
    }

    /// From now on the delay at this time is the one that the canceller learns.
    pub(super) fn learn_anew(&mut self, at: f64) {
        self.reference = Some(self.delay(at));
    }

    /// Tells how much later than the canceller has learnt the sound is heard at a time.
    pub(super) fn beyond(&self, at: f64) -> f64 {
        self.reference.map_or(0.0, |reference| self.delay(at) - reference)
    }

    fn delay(&self, at: f64) -> f64 {
        self.now.1 + self.slope * (at - self.now.0)
    }

    /// Tells whether a measurement may be one of this line, of which the slope is known only after some.
    fn is_on(&self, at: f64, delay: f64) -> bool {
        let Some((last, _)) = self.points.back() else {
            return true;
        };
        let unknown = if self.points.len() < ENOUGH {
            STEEPEST * (at - last)
        } else {
            0.0
        };
        (self.delay(at) - delay).abs() <= OFF + unknown
    }

    fn fit(&mut self) {
        let count = self.points.len() as f64;
        let mean_at = self.points.iter().map(|(at, _)| at).sum::<f64>() / count;
        let mean_delay = self.points.iter().map(|(_, delay)| delay).sum::<f64>() / count;
        if self.points.len() >= ENOUGH {
            let spread: f64 = self.points.iter().map(|(at, _)| (at - mean_at).powi(2)).sum();
            let along: f64 = self
                .points
                .iter()
                .map(|(at, delay)| (at - mean_at) * (delay - mean_delay))
                .sum();
            self.slope = (along / spread.max(1.0)).clamp(-STEEPEST, STEEPEST);
        }
        self.now = (mean_at, mean_delay);
        self.reference.get_or_insert(mean_delay);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_goes_on_between_and_behind_measurements() {
        let mut line = Line::default();
        assert!(line.beyond(0.0).abs() < 1e-9);
        for second in 0..6 {
            let at = f64::from(second) * 16_000.0;
            line.take(at, 960.0 + at * 0.0005);
        }
        assert!(
            (line.beyond(160_000.0) - 80.0).abs() < 0.01,
            "{}",
            line.beyond(160_000.0)
        );
    }

    #[test]
    fn one_measurement_off_it_is_a_mistake_and_two_are_a_jump() {
        let mut line = Line::default();
        for (at, delay) in [
            (0.0, 960.0),
            (8_000.0, 960.0),
            (16_000.0, 3_000.0),
            (24_000.0, 960.2),
        ] {
            line.take(at, delay);
        }
        assert!(line.beyond(24_000.0).abs() < 1.0);
        for at in [32_000.0, 40_000.0] {
            line.take(at, 1_280.0);
        }
        assert!((line.beyond(40_000.0) - 320.0).abs() < 1.0);
    }
}
