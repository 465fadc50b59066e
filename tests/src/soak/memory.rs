//! The memory of a daemon over many turns: a line through what was seen of it.

use std::fmt;

/// What it may grow by.
const BOUND: f64 = MEBIBYTE;
const MEBIBYTE: f64 = 1_048_576.0;

/// The turns that the bound is for.
const PER_TURNS: f64 = 10_000.0;

/// With fewer turns the line says nothing.
const ENOUGH_TURNS: usize = 5_000;

/// Looks at it, and the part of all turns that fill what is kept in any case: histories, caches, the journal.
const LOOKS: usize = 100;
const WARM_UP_PERCENT: usize = 30;

/// Turns and resident bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct Samples(Vec<(usize, u64)>);

impl Samples {
    /// After how many turns it is looked at.
    pub(super) fn marks(turns: usize) -> impl Iterator<Item = usize> {
        let looks = LOOKS.min(turns);
        (1..=looks).map(move |look| turns * look / looks)
    }

    /// It was so much after so many turns.
    pub(super) fn add(&mut self, turns: usize, bytes: u64) {
        self.0.push((turns, bytes));
    }

    /// Gives those behind the warm-up.
    fn warm(&self) -> &[(usize, u64)] {
        &self.0[self.0.len() * WARM_UP_PERCENT / 100..]
    }

    /// Bytes per ten thousand turns, by least squares.
    fn slope(&self) -> f64 {
        let warm = self.warm();
        let count = warm.len().max(1) as f64;
        let (mut turns, mut bytes) = (0.0, 0.0);
        for (at, resident) in warm {
            turns += *at as f64 / count;
            bytes += *resident as f64 / count;
        }
        let (mut both, mut square) = (0.0, 0.0);
        for (at, resident) in warm {
            let distance = *at as f64 - turns;
            both += distance * (*resident as f64 - bytes);
            square += distance * distance;
        }
        if square > 0.0 {
            both / square * PER_TURNS
        } else {
            0.0
        }
    }

    fn is_enough(&self) -> bool {
        self.0.last().is_some_and(|(turns, _)| *turns >= ENOUGH_TURNS)
    }

    /// Tells whether it grows, where so many turns were seen that this can be told.
    pub(super) fn grows(&self) -> bool {
        self.is_enough() && self.slope() >= BOUND
    }
}

impl fmt::Display for Samples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mebibytes =
            |sample: Option<&(usize, u64)>| sample.map_or(0.0, |(_, bytes)| *bytes as f64 / MEBIBYTE);
        let (first, warm, last) = (self.0.first(), self.warm().first(), self.0.last());
        write!(
            f,
            "{:.1} MiB at first, {:.1} warm, {:.1} at the end; {:+.2} MiB per 10,000 turns",
            mebibytes(first),
            mebibytes(warm),
            mebibytes(last),
            self.slope() / MEBIBYTE
        )?;
        if !self.is_enough() {
            write!(f, " (too few turns to judge)")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growing(bytes_per_turn: u64) -> Samples {
        let turns = Samples::marks(10_000);
        Samples(
            turns
                .map(|turn| (turn, 20_000_000 + turn as u64 * bytes_per_turn))
                .collect(),
        )
    }

    #[test]
    fn a_hundred_bytes_a_turn_are_too_many_to_keep_and_warming_up_is_not_growing() {
        assert!((growing(100).slope() - 1_000_000.0).abs() < 1.0);
        assert!(!growing(100).grows() && growing(110).grows());
        let mut warming = growing(0);
        for (turns, bytes) in &mut warming.0[..30] {
            *bytes -= 10_000_000 - *turns as u64;
        }
        assert!(!warming.grows(), "{warming}");
    }
}
