//! A model that goes round in circles. Small ones fall into it when nothing is left to chance, and would write the same
//! words until their window is full.

use std::collections::VecDeque;

/// The longest circle that is noticed, in tokens: a long sentence.
const LONGEST_CIRCLE: usize = 64;

/// So often in a row nobody says the same on purpose.
const ROUNDS: usize = 4;

/// Rows of one sign, as below a heading of a table, are shorter than this many tokens.
const FEWEST_TOKENS: usize = 48;

/// The end of a reply, as far as a circle can show in it.
#[derive(Debug)]
pub(crate) struct Repetition {
    /// The latest token first.
    latest: VecDeque<i32>,
    /// For each length of a circle, how many tokens in a row are those of one circle ago.
    runs: [usize; LONGEST_CIRCLE],
}

impl Default for Repetition {
    fn default() -> Self {
        Self {
            latest: VecDeque::with_capacity(LONGEST_CIRCLE + 1),
            runs: [0; LONGEST_CIRCLE],
        }
    }
}

impl Repetition {
    /// Takes the next token; whether the reply goes round in a circle now.
    pub(crate) fn closes(&mut self, token: i32) -> bool {
        let mut is_circle = false;
        for (place, run) in self.runs.iter_mut().enumerate() {
            *run = if self.latest.get(place) == Some(&token) {
                *run + 1
            } else {
                0
            };
            is_circle |= *run >= FEWEST_TOKENS.max((ROUNDS - 1) * (place + 1));
        }
        self.latest.push_front(token);
        self.latest.truncate(LONGEST_CIRCLE);
        is_circle
    }
}

#[cfg(test)]
mod tests {
    use super::{FEWEST_TOKENS, LONGEST_CIRCLE, Repetition};

    /// After how many tokens a circle is noticed.
    fn noticed(tokens: impl Iterator<Item = i32>) -> Option<usize> {
        let mut repetition = Repetition::default();
        tokens
            .map(|token| repetition.closes(token))
            .position(|closes| closes)
    }

    #[test]
    fn one_word_again_and_again_is_noticed_at_once() {
        let told = noticed([7, 8, 9].into_iter().chain(std::iter::repeat_n(5, 1000)));
        assert_eq!(told, Some(3 + FEWEST_TOKENS));
    }

    #[test]
    fn a_sentence_is_noticed_when_it_comes_for_the_fourth_time() {
        for length in [2, 17, 30, LONGEST_CIRCLE] {
            let circle: Vec<i32> = (0..).take(length).collect();
            let told = noticed(circle.into_iter().cycle().take(2000)).expect("it goes round");
            assert!(
                told < (4 * length).max(FEWEST_TOKENS + length),
                "{length}: {told}"
            );
            assert!(told + 1 >= 4 * length, "{length}: {told}");
        }
    }

    #[test]
    fn text_that_moves_on_is_left_alone() {
        assert_eq!(noticed(0..5000), None);
        // A list: the same words between numbers that differ.
        let list = (0..200).flat_map(|number| [900, 901, 902, number, 903]);
        assert_eq!(noticed(list), None);
        // Three times is emphasis.
        let thrice = (0..30).cycle().take(90).chain(100..400);
        assert_eq!(noticed(thrice), None);
        assert_eq!(noticed(std::iter::repeat_n(1, 40).chain(2..50)), None);
    }
}
