//! Numbers that look like chance and are the same for the same seed, so that a failure can be had again. No secret is made
//! of them.

/// A generator (`SplitMix64`).
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// Begins with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Gives the next number of all.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Gives a number below `sides`, as what indexes a list.
    pub fn index(&mut self, sides: usize) -> usize {
        self.below(sides as u64) as usize
    }

    /// Is true once in so many times.
    pub fn one_in(&mut self, sides: usize) -> bool {
        self.index(sides) == 0
    }

    /// Picks one of these.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.index(from.len())]
    }

    /// Gives the next number below `sides`.
    pub fn below(&mut self, sides: u64) -> u64 {
        self.roll() % sides.max(1)
    }

    /// Puts a list into another order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.index(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_row_and_another_another() {
        let row = |seed| {
            let mut dice = Dice::new(seed);
            (0..50).map(|_| dice.index(1000)).collect::<Vec<_>>()
        };
        assert_eq!(row(7), row(7));
        assert_ne!(row(7), row(9));
    }
}
