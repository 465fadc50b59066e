//! Keeps what is played in step with what is heard of it.
//!
//! Loudspeaker and microphone may have clocks of their own, and a busy machine leaves gaps in what it plays. The echo then comes
//! later and later, or jumps, and a canceller, which learns one room with one delay, takes the person's voice out with the
//! echo. Here the delay is measured four times a second, and what is played is handed on with as much more of it. It knows no
//! levels, and never decides what is echo.

mod delay;
mod line;

use std::collections::VecDeque;
use std::f64::consts::PI;

use super::FRAME;
use crate::SAMPLE_RATE;
use delay::{Correlator, HEARD, LONGEST, PLAYED};
use line::Line;

/// From the beginning, what is played is handed on this much later than in step, so that it can be handed on earlier,
/// too: 8 ms. No loudspeaker is heard sooner.
const SLACK: f64 = SAMPLE_RATE as f64 * 0.008;

/// This many samples lie between two measurements.
const HOP: u64 = SAMPLE_RATE as u64 / 4;

/// This many samples of what was played are kept: the longest delay, and those from which the sound between samples
/// is reckoned.
const KEPT: usize = LONGEST + SAMPLE_RATE as usize / 10;

/// The sound between two samples is reckoned from this many samples on either side.
const TAPS: u8 = 8;

/// A place that is nearer to a sample than this is that of the sample.
const EXACT: f64 = 1e-3;

/// Hands on what is played, as late as the room has it now.
pub(super) struct Alignment {
    played: VecDeque<f32>,
    /// The samples that were handed on.
    aligned: VecDeque<f32>,
    heard: VecDeque<f32>,
    /// The time since the beginning, in samples.
    now: u64,
    next_measured: u64,
    correlator: Correlator,
    line: Line,
    /// Sine and cosine of the window at each sample around a place.
    windows: Vec<(f64, f64)>,
}

impl Default for Alignment {
    fn default() -> Self {
        Self {
            played: VecDeque::from(vec![0.0; KEPT]),
            aligned: VecDeque::from(vec![0.0; PLAYED]),
            heard: VecDeque::from(vec![0.0; HEARD]),
            now: 0,
            next_measured: HOP,
            correlator: Correlator::default(),
            line: Line::default(),
            windows: (1 - i32::from(TAPS)..=i32::from(TAPS))
                .map(|tap| (PI * f64::from(tap) / f64::from(TAPS)).sin_cos())
                .collect(),
        }
    }
}

impl Alignment {
    /// Takes a frame in which nothing is audible of what is played.
    pub(super) fn pass_by(&mut self, played: &[f32; FRAME], heard: &[f32; FRAME]) {
        renew(&mut self.played, played);
        renew(&mut self.heard, heard);
        self.now += FRAME as u64;
    }

    /// Takes what is played and heard in one frame, and gives what the canceller is to take as played.
    pub(super) fn align(&mut self, played: &[f32; FRAME], heard: &[f32; FRAME]) -> [f32; FRAME] {
        self.pass_by(played, heard);
        let frame = self.late();
        renew(&mut self.aligned, &frame);
        if self.now >= self.next_measured {
            self.measure();
            self.next_measured = self.now + HOP;
        }
        frame
    }

    /// This many samples of both were left out. A measurement waits until there is sound again.
    pub(super) fn skip(&mut self, samples: usize) {
        self.now += samples as u64;
        for kept in [&mut self.played, &mut self.aligned, &mut self.heard] {
            kept.make_contiguous().fill(0.0);
        }
    }

    fn measure(&mut self) {
        if let Some(left) = self.correlator.delay(self.aligned.iter(), self.heard.iter()) {
            let at = self.now as f64 - HEARD as f64 / 2.0;
            let handed_on_late = self.later(at);
            self.line.take(at, left + handed_on_late);
        }
        let now = self.now as f64;
        if (self.later(now) - self.line.beyond(now)).abs() > f64::EPSILON {
            self.line.learn_anew(now);
        }
    }

    /// Tells how much later than at the beginning the played sound is handed on at a time, as far as it can be.
    fn later(&self, at: f64) -> f64 {
        self.line.beyond(at).clamp(-SLACK, LONGEST as f64 - SLACK)
    }

    /// Gives the newest frame of what was played, as late as it has to be.
    fn late(&self) -> [f32; FRAME] {
        let mut frame = [0.0; FRAME];
        let begin = self.now as f64 - FRAME as f64;
        for (number, sample) in frame.iter_mut().enumerate() {
            let late = SLACK + self.later(begin + number as f64);
            let place = (KEPT - FRAME + number) as f64 - late;
            *sample = self.between(place);
        }
        frame
    }

    /// Gives the sound at a place between samples.
    fn between(&self, place: f64) -> f32 {
        let whole = place.floor();
        let part = place - whole;
        let before = whole as usize;
        if part < EXACT {
            return self.played.get(before).copied().unwrap_or_default();
        }
        // The sine of a distance is that of the part, with the sign of the whole samples between.
        let sine = (PI * part).sin() / PI;
        let (window_sine, window_cosine) = (PI * part / f64::from(TAPS)).sin_cos();
        let taps = (1 - i32::from(TAPS)..=i32::from(TAPS)).zip(&self.windows);
        let samples = self
            .played
            .range((before + 1).saturating_sub(usize::from(TAPS))..);
        let sum: f64 = taps
            .zip(samples)
            .map(|((tap, (sine_there, cosine_there)), sample)| {
                let signed = if tap % 2 == 0 { sine } else { -sine };
                let window = 0.5 + 0.5 * (window_cosine * cosine_there + window_sine * sine_there);
                f64::from(*sample) * signed / (part - f64::from(tap)) * window
            })
            .sum();
        sum as f32
    }
}

/// Takes the newest frame for the oldest.
fn renew(kept: &mut VecDeque<f32>, frame: &[f32; FRAME]) {
    kept.drain(..FRAME);
    kept.extend(frame);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sound_between_samples_is_that_of_the_wave() {
        let mut alignment = Alignment::default();
        let wave = |place: f64| (place * 0.7).sin() as f32;
        for (index, sample) in alignment.played.iter_mut().enumerate() {
            *sample = wave(index as f64);
        }
        for part in [0.0, 0.25, 0.5, 0.9] {
            let place = 1_000.0 + part;
            let between = alignment.between(place);
            assert!(
                (between - wave(place)).abs() < 0.01,
                "{part}: {between} {}",
                wave(place)
            );
        }
    }

    /// A clock that is faster for long comes to where nothing can be handed on sooner: the canceller learns anew then, and what
    /// is handed on stays in step.
    #[test]
    fn a_clock_may_be_faster_for_as_long_as_it_likes() {
        let mut state = 1_u32;
        let mut noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (f64::from(state >> 8) / f64::from(1 << 23) - 1.0) as f32 * 0.3
        };
        let played: Vec<f32> = (0..40 * SAMPLE_RATE).map(|_| noise()).collect();
        let heard = |index: usize| {
            let place = index as f64 * 1.000_5 - 1_600.0;
            played.get(place.max(0.0) as usize).copied().unwrap_or_default()
        };
        let mut alignment = Alignment::default();
        let mut left = Vec::new();
        for (number, frame) in played.chunks_exact(FRAME).enumerate() {
            let frame: &[f32; FRAME] = frame.try_into().expect("a whole frame");
            alignment.align(frame, &std::array::from_fn(|index| heard(number * FRAME + index)));
            if number % 250 == 249 {
                let delay = alignment
                    .correlator
                    .delay(alignment.aligned.iter(), alignment.heard.iter());
                left.push(delay.expect("noise is heard"));
            }
        }
        let late = &left[10..];
        let steps = late.windows(2).filter(|pair| (pair[0] - pair[1]).abs() > 2.0);
        assert!(steps.count() <= 4, "{left:?}");
        assert!(late.iter().all(|delay| *delay > 500.0), "{left:?}");
    }
}
