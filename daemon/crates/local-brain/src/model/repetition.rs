//! A model that goes round in circles. Small ones fall into it when nothing is left to chance, and would write the same
//! words, or count on, until their window is full.

use std::collections::VecDeque;

/// The longest circle that is noticed, in tokens: a long sentence.
const LONGEST_CIRCLE: usize = 64;

/// Nothing is said so often in a row on purpose.
const ROUNDS: usize = 4;

/// Rows of one sign, as below a heading of a table, are shorter than this many tokens.
const FEWEST_TOKENS: usize = 48;

/// Lists of numbers that a tool is to work on are shorter than this, with a sign between any two.
const FEWEST_COUNTED: usize = 128;

/// Stands for a number, however many tokens it has. No token has a number below zero.
const NUMBER: i32 = -1;

/// The end of a reply, as far as a circle can show in it.
#[derive(Debug)]
pub(crate) struct Repetition {
    same: Circle,
    counting: Circle,
    in_number: bool,
}

impl Default for Repetition {
    fn default() -> Self {
        Self {
            same: Circle::of_at_least(FEWEST_TOKENS),
            counting: Circle::of_at_least(FEWEST_COUNTED),
            in_number: false,
        }
    }
}

impl Repetition {
    /// Takes the next token and its text; whether the reply goes round in a circle now.
    pub(crate) fn closes(&mut self, token: i32, text: &[u8]) -> bool {
        let is_number = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
        let goes_on = is_number && self.in_number;
        self.in_number = is_number;
        let is_same = self.same.closes(token);
        let counts = !goes_on && self.counting.closes(if is_number { NUMBER } else { token });
        is_same || counts
    }
}

/// Notices when a row of values repeats itself.
#[derive(Debug)]
struct Circle {
    /// A row has to repeat so many values.
    fewest: usize,
    /// The latest value comes first.
    latest: VecDeque<i32>,
    /// For each length of a circle, counts how many values in a row are those of one circle ago.
    runs: [usize; LONGEST_CIRCLE],
}

impl Circle {
    fn of_at_least(fewest: usize) -> Self {
        Self {
            fewest,
            latest: VecDeque::with_capacity(LONGEST_CIRCLE + 1),
            runs: [0; LONGEST_CIRCLE],
        }
    }

    fn closes(&mut self, value: i32) -> bool {
        let mut is_circle = false;
        for (place, run) in self.runs.iter_mut().enumerate() {
            *run = if self.latest.get(place) == Some(&value) {
                *run + 1
            } else {
                0
            };
            is_circle |= *run >= self.fewest.max((ROUNDS - 1) * (place + 1));
        }
        self.latest.push_front(value);
        self.latest.truncate(LONGEST_CIRCLE);
        is_circle
    }
}

#[cfg(test)]
mod tests {
    use super::{FEWEST_COUNTED, FEWEST_TOKENS, LONGEST_CIRCLE, Repetition};

    /// Counts the tokens after which a circle is noticed.
    fn noticed(tokens: impl Iterator<Item = i32>) -> Option<usize> {
        let mut repetition = Repetition::default();
        tokens
            .map(|token| repetition.closes(token, b"word"))
            .position(|closes| closes)
    }

    /// Passes a text, each letter of which is a token.
    fn noticed_in(text: &str) -> Option<usize> {
        let mut repetition = Repetition::default();
        text.bytes()
            .map(|byte| repetition.closes(i32::from(byte), &[byte]))
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
    fn counting_on_is_noticed() {
        let fractions: Vec<String> = (1..200)
            .map(|number| format!("{number}/{} * ", number + 1))
            .collect();
        let text = fractions.concat();
        let told = noticed_in(&text).expect("it counts on");
        assert!(told < 3 * FEWEST_COUNTED, "{told}");
    }

    #[test]
    fn text_that_moves_on_is_left_alone() {
        assert_eq!(noticed(0..5000), None);
        // A list: the same words between others.
        let list = (0..200).flat_map(|number| [900, 901, 902, number, 903]);
        assert_eq!(noticed(list), None);
        // Three times is emphasis.
        let thrice = (0..30).cycle().take(90).chain(100..400);
        assert_eq!(noticed(thrice), None);
        assert_eq!(noticed(std::iter::repeat_n(1, 40).chain(2..50)), None);
        // What a tool gave, on its way to the next.
        let numbers: Vec<String> = (1..40).map(|number| format!("{}, ", number * 37)).collect();
        assert_eq!(noticed_in(&numbers.concat()), None);
        assert_eq!(
            noticed_in("3.14159265358979323846264338327950288419716939937510"),
            None
        );
    }
}
