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

/// How much later than in step what is played is handed on from the beginning, so that it can be handed on earlier, too: 8 ms.
/// No loudspeaker is heard sooner.
const SLACK: f64 = SAMPLE_RATE as f64 * 0.008;

/// Samples from one measurement to the next.
const HOP: u64 = SAMPLE_RATE as u64 / 4;

/// Samples of what was played that are kept: the longest delay, and what the sound between samples is reckoned from.
const KEPT: usize = LONGEST + SAMPLE_RATE as usize / 10;

/// Samples on either side of one that the sound between two of them is reckoned from.
const TAPS: usize = 8;

/// A place that is nearer to a sample than this is that of the sample.
const EXACT: f64 = 1e-3;

/// What is played, as late as the room has it now.
pub(super) struct Alignment {
    played: VecDeque<f32>,
    /// What was handed on of it.
    aligned: VecDeque<f32>,
    heard: VecDeque<f32>,
    /// Frames since the beginning, in samples.
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
            windows: (1 - TAPS as i32..=TAPS as i32)
                .map(|tap| (PI * f64::from(tap) / TAPS as f64).sin_cos())
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

    /// So many samples of both were left out. A measurement waits until there is sound again.
    pub(super) fn skip(&mut self, samples: usize) {
        self.now += samples as u64;
        for kept in [&mut self.played, &mut self.aligned, &mut self.heard] {
            kept.iter_mut().for_each(|sample| *sample = 0.0);
        }
    }

    fn measure(&mut self) {
        if let Some(left) = self.correlator.delay(self.aligned.iter(), self.heard.iter()) {
            let at = self.now as f64 - HEARD as f64 / 2.0;
            let handed_on_late = self.line.beyond(at);
            self.line.take(at, left + handed_on_late);
        }
    }

    /// The newest frame of what was played, as late as it has to be.
    fn late(&self) -> [f32; FRAME] {
        let mut frame = [0.0; FRAME];
        let begin = self.now as f64 - FRAME as f64;
        for (number, sample) in frame.iter_mut().enumerate() {
            let late = (SLACK + self.line.beyond(begin + number as f64)).clamp(0.0, LONGEST as f64);
            let place = (KEPT - FRAME + number) as f64 - late;
            *sample = self.between(place);
        }
        frame
    }

    /// The sound at a place between samples.
    fn between(&self, place: f64) -> f32 {
        let whole = place.floor();
        let part = place - whole;
        let before = whole as usize;
        if part < EXACT {
            return self.played.get(before).copied().unwrap_or_default();
        }
        // The sine of a distance is that of the part, with the sign of the whole samples between.
        let sine = (PI * part).sin() / PI;
        let (window_sine, window_cosine) = (PI * part / TAPS as f64).sin_cos();
        let taps = (1 - TAPS as i32..=TAPS as i32).zip(&self.windows);
        let samples = self.played.range((before + 1).saturating_sub(TAPS)..);
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
}
