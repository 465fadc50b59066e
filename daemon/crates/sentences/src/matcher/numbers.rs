//! Numbers in digits or in words: they stand here, or further on behind open text.

use super::{Found, Matcher, Way, What};
use crate::letter::{is_space, lower};
use crate::phrase::Letters;
use crate::source::{Fractions, Numbers};

/// Digits in a text: where they begin, with the space before them, where they end, and what they say.
#[derive(Debug, Clone, Copy)]
struct Digits {
    from: u32,
    to: u32,
    number: f64,
}

impl<'a> Matcher<'a> {
    /// Adds the ways on which a number of this range comes next.
    pub(super) fn numbers(
        &mut self,
        numbers: &'a Numbers,
        words: Option<u32>,
        slot: u32,
        way: Way,
        ways: &mut Vec<Way>,
    ) {
        let digits = self.digits(numbers, way);
        if numbers.digits {
            for digits in digits.iter().filter(|digits| numbers.holds(digits.number)) {
                ways.extend(self.digits_said(*digits, numbers, slot, way));
            }
        }
        // Where digits stand, words are not looked for, even if the digits are out of range.
        if digits.is_empty() && words.is_some() {
            self.number_words(numbers, words, slot, way, ways);
        }
    }

    /// The digits that come next; behind open text, all that follow.
    fn digits(&self, numbers: &Numbers, way: Way) -> Vec<Digits> {
        let rest = self.buffers.rest(way.buffer, way.at);
        let has_fractions = numbers.fractions != Fractions::None;
        let mut found = Vec::new();
        let mut at = 0;
        while at < rest.len() {
            match digits_at(rest, at, has_fractions) {
                Some((to, number)) => {
                    found.push(Digits {
                        from: way.at + at as u32,
                        to: way.at + to as u32,
                        number,
                    });
                    at = to;
                }
                None => at += 1,
            }
            if !way.is_open {
                break;
            }
        }
        found
    }

    fn digits_said(&mut self, digits: Digits, numbers: &Numbers, slot: u32, way: Way) -> Option<Way> {
        let before = if way.is_open {
            self.closed(way, way.at, digits.from)?
        } else {
            way
        };
        let what = What::Number {
            number: digits.number,
            is_whole: false,
            multiplier: numbers.multiplier,
        };
        let found = Found {
            slot,
            what,
            buffer: way.buffer,
            from: digits.from,
            to: digits.to,
        };
        let slots = self.findings.add(before.slots, found);
        Some(Way {
            at: digits.to,
            slots,
            ..before
        })
    }

    /// Every spelling that comes next; behind open text, each that follows, where it stands first.
    fn number_words(
        &mut self,
        numbers: &'a Numbers,
        words: Option<u32>,
        slot: u32,
        way: Way,
        ways: &mut Vec<Way>,
    ) {
        let language = self.language;
        let Some(words) = words.and_then(|words| language.number_words.get(words as usize)) else {
            return;
        };
        let end = if way.is_open {
            self.buffers.len(way.buffer)
        } else {
            way.at + 1
        };
        let mut seen: Vec<Vec<char>> = Vec::new();
        for at in way.at..end {
            let rest = self.buffers.rest(way.buffer, at).to_vec();
            let mut here: Vec<&[char]> = Vec::new();
            for (_, folded, spelled) in words.beginning(&rest) {
                let is_said = self.is_spelled(way.buffer, at, &spelled.letters);
                if !is_said || !numbers.holds(spelled.number) || seen.iter().any(|seen| seen == folded) {
                    continue;
                }
                here.push(folded);
                let what = What::Number {
                    number: spelled.number,
                    is_whole: spelled.is_whole,
                    multiplier: numbers.multiplier,
                };
                let found = Found {
                    slot,
                    what,
                    buffer: way.buffer,
                    from: at,
                    to: at + folded.len() as u32,
                };
                self.number_said(found, folded, way, ways);
            }
            if way.is_open {
                seen.extend(here.into_iter().map(<[char]>::to_vec));
            }
        }
    }

    fn number_said(&mut self, found: Found<'a>, letters: &[char], way: Way, ways: &mut Vec<Way>) {
        self.count(1);
        let before = if way.is_open {
            self.closed(way, way.at, found.from)
        } else {
            Some(way)
        };
        let Some(before) = before else { return };
        let slots = self.findings.add(before.slots, found);
        let ends_word = letters.last().is_some_and(|last| matches!(last, ' ' | '\''));
        self.say(
            Letters {
                folded: letters,
                ends_word,
            },
            Way {
                at: found.from,
                slots,
                ..before
            },
            ways,
        );
    }

    /// Whether the text has these letters or their capitals.
    fn is_spelled(&self, buffer: u32, at: u32, letters: &[char]) -> bool {
        let said = self.buffers.said(buffer, at, at + letters.len() as u32);
        said.len() == letters.len()
            && said
                .iter()
                .zip(letters)
                .all(|(one, other)| lower(*one) == lower(*other))
    }
}

/// The digits that begin there, after white space and a minus: where they end, and their number.
fn digits_at(text: &[char], at: usize, has_fractions: bool) -> Option<(usize, f64)> {
    let count = |from: usize, is_one: fn(&char) -> bool| {
        text.get(from..)
            .unwrap_or_default()
            .iter()
            .take_while(|letter| is_one(letter))
            .count()
    };
    let start = at + count(at, |letter| is_space(*letter));
    let signless = start + usize::from(text.get(start) == Some(&'-'));
    let mut end = signless + count(signless, char::is_ascii_digit);
    if end == signless {
        return None;
    }
    if has_fractions && matches!(text.get(end), Some('.' | ',')) {
        let digits = count(end + 1, char::is_ascii_digit);
        end += if digits > 0 { digits + 1 } else { 0 };
    }
    let letters = text
        .get(start..end)?
        .iter()
        .map(|letter| if *letter == ',' { '.' } else { *letter });
    Some((end, letters.collect::<String>().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_may_have_a_sign_and_a_fraction() {
        let read = |text: &str, has_fractions| digits_at(&text.chars().collect::<Vec<_>>(), 0, has_fractions);
        assert_eq!(read(" 20.5 x", true), Some((5, 20.5)));
        assert_eq!(read("20,5", true), Some((4, 20.5)));
        assert_eq!(read("20.5", false), Some((2, 20.0)));
        assert_eq!(read("-050.", true), Some((4, -50.0)));
        assert_eq!(read("- 5", true), None);
    }
}
