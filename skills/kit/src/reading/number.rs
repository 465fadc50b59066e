//! Numbers in words and figures: `2,450`, `three point five`, `fünfundzwanzig`, `1 1/2`, `two thirds`, `1.2 million`.
//!
//! Finds every number that begins at a token; which one is meant shows in what follows.

mod figures;
mod sum;

use sum::Sum;

use crate::reading::text::{Found, LONGEST, Text};
use crate::reading::token::Kind;

/// Fractions that are one sign.
const SIGNS: [(&str, f64); 8] = [
    ("½", 0.5),
    ("¼", 0.25),
    ("¾", 0.75),
    ("⅓", 1.0 / 3.0),
    ("⅔", 2.0 / 3.0),
    ("⅛", 0.125),
    ("⅜", 0.375),
    ("⅝", 0.625),
];

/// No one says more digits behind the point.
const MOST_DECIMALS: usize = 12;

/// In letters; a longer word is no number.
const LONGEST_WORD: usize = 60;

/// A part of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Atom {
    Number(f64),
    Figures(f64),
    And,
}

impl Text<'_> {
    pub(crate) fn find_numbers(&self, at: usize) -> Found<f64> {
        let mut found = self.fraction(at);
        for (whole, end) in self.wholes(at) {
            found.push((whole, end));
            let decimals = self.decimals(whole, end);
            found.extend(
                decimals
                    .iter()
                    .filter_map(|(number, end)| self.scaled(*number, *end)),
            );
            found.extend(decimals);
            // The article in front of a fraction is no one: `eine 3/4 Stunde`.
            let is_article = end == at + 1 && self.language.ones.iter().any(|one| one == self.word(at));
            match self.fraction_in_figures(end).filter(|_| is_article) {
                Some(part) => found.push(part),
                None => found.extend(self.with_fraction(whole, end)),
            }
        }
        found.sort_by_key(|(_, end)| std::cmp::Reverse(*end));
        found.dedup_by_key(|(_, end)| *end);
        found
    }

    /// The number that begins here as a program writes it, the longest one. What stands in figures stays exact, and a
    /// fraction of something is multiplied with it.
    pub(crate) fn written_number(&self, at: usize) -> Option<(String, usize)> {
        if let Some(share) = self.share(at) {
            return Some(share);
        }
        let wholes = self.wholes(at);
        let decimals: Found<f64> = wholes
            .iter()
            .flat_map(|(whole, end)| self.decimals(*whole, *end))
            .collect();
        let scaled = decimals
            .iter()
            .filter_map(|(number, end)| self.scaled(*number, *end));
        let all = scaled.chain(decimals.iter().copied()).chain(wholes);
        let (number, end) = all.max_by_key(|(_, end)| *end)?;
        let exact = self.exact_figures(at).filter(|(_, exact)| *exact == end);
        Some(exact.unwrap_or_else(|| (number.to_string(), end)))
    }

    /// `two thirds of`, in front of a number.
    fn share(&self, at: usize) -> Option<(String, usize)> {
        let (part, end) = self.fraction(at).into_iter().max_by_key(|(_, end)| *end)?;
        let end = self.behind_one_of(&self.language.of, end)?;
        let below = (2..=20)
            .map(f64::from)
            .find(|below| (part * below).fract() < 1e-9)?;
        let is_of_number = self.wholes(end).first().is_some_and(|(number, _)| *number > 1.0);
        is_of_number.then(|| (format!("{} / {below} *", (part * below).round()), end))
    }

    /// Behind a fraction that stands here and the article of its unit: `half a cup`.
    pub(crate) fn fractions_of_one(&self, at: usize) -> Found<f64> {
        let parts = self.fraction(at).into_iter();
        let of_one = parts.filter_map(|(part, end)| {
            let of = self.behind_one_of(&self.language.of, end).unwrap_or(end);
            Some((part, self.behind_article(of)?))
        });
        of_one.collect()
    }

    /// The number with its sign that begins here, the longest one.
    pub(crate) fn signed(&self, at: usize) -> Option<(f64, usize)> {
        let sign = self
            .token(at)
            .is_some_and(|token| token.is("-"))
            .then_some(at + 1);
        let minus = sign.or_else(|| self.behind_one_of(&self.language.minus, at));
        match minus {
            Some(behind) => self.numbers(behind).first().map(|(number, end)| (-number, *end)),
            None => self.numbers(at).first().copied(),
        }
    }

    /// Numbers without anything behind a point.
    fn wholes(&self, at: usize) -> Found<f64> {
        let mut sum = Sum::new(self.language.order);
        let mut found = Vec::new();
        let mut here = at;
        while here < at + LONGEST {
            let Some((atoms, end)) = self.atoms(here, here == at) else {
                break;
            };
            if !atoms.iter().all(|atom| sum.add(*atom)) {
                break;
            }
            here = end;
            found.extend(sum.value().map(|value| (value, end)));
        }
        found.reverse();
        found
    }

    /// The parts of a number that stand here.
    fn atoms(&self, at: usize, is_first: bool) -> Option<(Vec<Atom>, usize)> {
        if let Some((figures, end)) = self.figure(at) {
            return Some((vec![Atom::Figures(figures)], end));
        }
        let word = self.word(at);
        let language = self.language;
        if language.and.iter().any(|and| and == word) {
            return (!is_first).then(|| (vec![Atom::And], at + 1));
        }
        if let Some(number) = self.simple(word) {
            return Some((vec![Atom::Number(number)], at + 1));
        }
        let is_article = is_first && language.articles.iter().any(|article| article == word);
        let counts = |next: &str| language.numbers.get(next).is_some_and(|number| *number >= 100.0);
        if is_article && counts(self.word(at + 1)) {
            return Some((vec![Atom::Number(1.0)], at + 1));
        }
        Some((self.parts_of(word)?, at + 1))
    }

    fn simple(&self, word: &str) -> Option<f64> {
        let is_one = self.language.ones.iter().any(|one| one == word);
        is_one
            .then_some(1.0)
            .or_else(|| self.language.numbers.get(word).copied())
    }

    /// The numbers that one word is made of.
    fn parts_of(&self, word: &str) -> Option<Vec<Atom>> {
        let may_be = self.language.order.in_one_word && !word.is_empty() && word.len() <= LONGEST_WORD;
        may_be.then(|| self.taken_apart(word)).flatten()
    }

    /// The longest first.
    fn taken_apart(&self, word: &str) -> Option<Vec<Atom>> {
        if word.is_empty() {
            return Some(Vec::new());
        }
        let ends = word.char_indices().skip(1).map(|(place, _)| place);
        let mut ends: Vec<usize> = ends.chain([word.len()]).collect();
        ends.reverse();
        ends.into_iter().find_map(|end| {
            let (first, rest) = word.split_at_checked(end)?;
            let is_and = self.language.and.iter().any(|and| and == first) && end < word.len();
            let number = self.simple(first);
            let number = number.or_else(|| self.language.stems.get(first).copied());
            let atom = number.map(Atom::Number).or(is_and.then_some(Atom::And))?;
            let mut atoms = vec![atom];
            atoms.extend(self.taken_apart(rest)?);
            Some(atoms)
        })
    }

    /// The number that one word of several is.
    pub(crate) fn of_one_word(&self, word: &str) -> Option<f64> {
        let atoms = self.parts_of(word)?;
        let mut sum = Sum::new(self.language.order);
        atoms.iter().all(|atom| sum.add(*atom)).then(|| sum.value())?
    }

    /// `point one four`, behind a whole number.
    fn decimals(&self, whole: f64, at: usize) -> Found<f64> {
        let Some(start) = self
            .behind_one_of(&self.language.point, at)
            .filter(|_| whole.fract() == 0.0)
        else {
            return Vec::new();
        };
        let mut digits = String::new();
        let mut end = start;
        while digits.len() < MOST_DECIMALS {
            let said = self.figures(end).filter(|figures| figures.len() <= MOST_DECIMALS);
            let digit = said.map(str::to_owned).or_else(|| {
                let digit = self
                    .simple(self.word(end))
                    .filter(|digit| *digit < 10.0 && digit.fract() == 0.0);
                digit.map(|digit| digit.to_string())
            });
            let Some(digit) = digit else { break };
            digits.push_str(&digit);
            end += 1;
        }
        let together = self
            .wholes(start)
            .into_iter()
            .filter(|(number, _)| (10.0..100.0).contains(number));
        let mut read: Found<String> = together.map(|(number, end)| (number.to_string(), end)).collect();
        if !digits.is_empty() {
            read.push((digits, end));
        }
        let number = |digits: &str| format!("{whole}.{digits}").parse().ok();
        read.iter()
            .filter_map(|(digits, end)| Some((number(digits)?, *end)))
            .collect()
    }

    /// `million`, behind a number with decimals.
    fn scaled(&self, number: f64, at: usize) -> Option<(f64, usize)> {
        let scale = self
            .language
            .numbers
            .get(self.word(at))
            .filter(|scale| **scale >= 1000.0)?;
        Some((number * scale, at + 1))
    }

    /// `½`, `1/2` or `and a half`, behind a number.
    fn with_fraction(&self, whole: f64, at: usize) -> Found<f64> {
        if whole.fract() != 0.0 {
            return Vec::new();
        }
        let Some(behind) = self.behind_one_of(&self.language.and, at) else {
            let part = self.fraction_in_figures(at).into_iter();
            return part.map(|(part, end)| (whole + part, end)).collect();
        };
        let parts = self.fraction(behind).into_iter().filter(|(part, _)| *part < 1.0);
        parts.map(|(part, end)| (whole + part, end)).collect()
    }

    /// `½`, `3/4`, `half`, `a third`, `two thirds`.
    pub(crate) fn fraction(&self, at: usize) -> Found<f64> {
        let mut found: Found<f64> = self.sign_fraction(at).into_iter().collect();
        found.extend(self.written_fraction(at));
        let named = |at: usize| self.language.fractions.get(self.word(at)).copied();
        if let Some(part) = named(at).filter(|below| *below < 3.0) {
            found.push((1.0 / part, at + 1));
        }
        let article = self
            .language
            .articles
            .iter()
            .any(|article| article == self.word(at));
        let mut counts: Found<f64> = article.then_some((1.0, at + 1)).into_iter().collect();
        counts.extend(self.wholes(at));
        let parts = counts
            .into_iter()
            .filter(|(count, _)| (1.0..=20.0).contains(count));
        let proper = parts.filter_map(|(count, end)| Some((count / named(end)?, end + 1)));
        found.extend(proper.filter(|(part, _)| *part < 1.0));
        found
    }

    /// `½`, `3/4`.
    fn fraction_in_figures(&self, at: usize) -> Option<(f64, usize)> {
        let written = || self.written_fraction(at).filter(|(part, _)| *part < 1.0);
        self.sign_fraction(at).or_else(written)
    }

    fn sign_fraction(&self, at: usize) -> Option<(f64, usize)> {
        let token = self.token(at).filter(|token| token.kind == Kind::Sign)?;
        let (_, part) = SIGNS.iter().find(|(sign, _)| *sign == token.text)?;
        Some((*part, at + 1))
    }

    /// `3/4`.
    fn written_fraction(&self, at: usize) -> Option<(f64, usize)> {
        let above: f64 = self.figures(at)?.parse().ok()?;
        let below: f64 = self
            .is_glued_sign(at + 1, "/")
            .then(|| self.glued_figures(at + 2))??
            .parse()
            .ok()?;
        let is_more = self
            .token(at + 3)
            .is_some_and(|token| token.is("/") && token.is_glued);
        (below > 1.0 && !is_more).then_some((above / below, at + 3))
    }
}
