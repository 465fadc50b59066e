//! Sentences with gaps: `(talk|speak) to {persona} [please]` (INTENT-1), compared with what was said.
//!
//! Templates come from strangers, so a comparison has a limit of steps and a template one of length; a skill that exceeds
//! them does not match. Nothing here knows skills.

use std::ops::Range;

use super::words::{Word, is_elided, words};

/// A longer template is no sentence that a person says.
const LONGEST: usize = 500;

/// Deeper brackets than these are no sentence either, and would only cost stack.
const DEEPEST: usize = 8;

/// Steps that one comparison may take; a sentence that a person says takes a few hundred.
const FUEL: u32 = 5_000;

/// Steps that all comparisons of one short text may take together.
pub const ALL_FUEL: u32 = 100_000;

/// A template, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// A word as it is compared.
    Word(String),
    /// A gap of one or more words.
    Slot(String),
    /// One of these; an empty one makes it optional.
    OneOf(Vec<Vec<Self>>),
}

/// What filled the gaps, and how much of the utterance was foreseen.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// Slot and text, in the order of the template.
    pub slots: Vec<(String, String)>,
    /// Words that the template names itself, of all words: 1.0 is the sentence itself.
    pub score: f64,
}

impl Template {
    /// Reads a template; `None` for one that is empty, too long, too deep or has brackets that do not match.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let mut reader = Reader {
            rest: text.trim(),
            depth: 0,
        };
        let mut branches = reader.branches(None)?;
        let parts = if branches.len() == 1 {
            branches.pop()?
        } else {
            vec![Part::OneOf(branches)]
        };
        let template = Self(parts);
        (!template.0.is_empty()).then_some(template)
    }

    /// The sentences it stands for, without brackets, for peers that do not read them well; at most so many.
    pub fn sentences(&self, limit: usize) -> Vec<String> {
        let mut sentences = expanded(&self.0, limit);
        sentences.retain(|sentence| !sentence.is_empty());
        sentences.iter().map(|words| words.join(" ")).collect()
    }

    /// The names of its gaps.
    pub fn slots(&self) -> Vec<&str> {
        fn collect<'a>(parts: &'a [Part], names: &mut Vec<&'a str>) {
            for part in parts {
                match part {
                    Part::Word(_) => {}
                    Part::Slot(name) => names.push(name),
                    Part::OneOf(branches) => branches.iter().for_each(|branch| collect(branch, names)),
                }
            }
        }
        let mut names = Vec::new();
        collect(&self.0, &mut names);
        names
    }

    /// Compares; every word of the utterance has to be accounted for. Slots take as few words as they can.
    ///
    /// Takes what it needs from the steps that are left; without any, nothing matches.
    pub fn fit(&self, said: &[Word], steps_left: &mut u32) -> Option<Fit> {
        self.fit_where(said, steps_left, &|_, _| true, &|_| false)
    }

    /// Compares as [`fit`](Self::fit) does, and a slot holds only words that it accepts: its name and the words are asked.
    /// A slot of a kind that `takes_most` takes as many of them as it can.
    pub fn fit_where(
        &self,
        said: &[Word],
        steps_left: &mut u32,
        accepts: &dyn Fn(&str, &str) -> bool,
        takes_most: &dyn Fn(&str) -> bool,
    ) -> Option<Fit> {
        let allowed = FUEL.min(*steps_left);
        let mut search = Search {
            said,
            accepts,
            takes_most,
            fuel: allowed,
            slots: Vec::new(),
            literal: 0,
        };
        let whole: Vec<&Part> = self.0.iter().collect();
        let matches = search.matches(&whole, 0);
        *steps_left -= allowed - search.fuel;
        matches.then(|| Fit {
            score: search.literal as f64 / said.len().max(1) as f64,
            slots: search.filled(),
        })
    }
}

fn expanded(parts: &[Part], limit: usize) -> Vec<Vec<String>> {
    let mut sentences = vec![Vec::new()];
    for part in parts {
        let ways = match part {
            Part::Word(word) => vec![vec![word.clone()]],
            Part::Slot(name) => vec![vec![format!("{{{name}}}")]],
            Part::OneOf(branches) => branches
                .iter()
                .flat_map(|branch| expanded(branch, limit))
                .collect(),
        };
        let longer = sentences
            .iter()
            .flat_map(|sentence: &Vec<String>| ways.iter().map(|way| [sentence.as_slice(), way].concat()));
        sentences = longer.take(limit).collect();
    }
    sentences
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    /// Reads alternatives up to the closing bracket, or to the end where none is expected.
    fn branches(&mut self, until: Option<char>) -> Option<Vec<Vec<Part>>> {
        let mut branches = vec![Vec::new()];
        loop {
            self.rest = self.rest.trim_start();
            let Some(letter) = self.rest.chars().next() else {
                return until.is_none().then_some(branches);
            };
            match letter {
                _ if Some(letter) == until => {
                    self.skip(letter);
                    return Some(branches);
                }
                '|' => {
                    self.skip(letter);
                    branches.push(Vec::new());
                }
                '(' | '[' | '{' => {
                    let part = self.bracket(letter)?;
                    branches.last_mut()?.push(part);
                }
                ')' | ']' | '}' => return None,
                _ => {
                    let parts = self.literal();
                    branches.last_mut()?.extend(parts);
                }
            }
        }
    }

    fn bracket(&mut self, opening: char) -> Option<Part> {
        self.skip(opening);
        if opening == '{' {
            let (name, rest) = self.rest.split_once('}')?;
            let name = name.trim().trim_matches('{').trim();
            self.rest = rest.strip_prefix('}').unwrap_or(rest);
            return (!name.is_empty()).then(|| Part::Slot(name.to_owned()));
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let closing = if opening == '(' { ')' } else { ']' };
        let mut branches = self.branches(Some(closing))?;
        self.depth -= 1;
        if opening == '[' {
            branches.push(Vec::new());
        }
        Some(Part::OneOf(branches))
    }

    fn literal(&mut self) -> Vec<Part> {
        let end = self.rest.find(['(', ')', '[', ']', '{', '}', '|']);
        let (text, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        words(text)
            .into_iter()
            .map(|word| Part::Word(word.plain))
            .collect()
    }

    fn skip(&mut self, letter: char) {
        self.rest = self.rest.strip_prefix(letter).unwrap_or(self.rest);
    }
}

struct Search<'a> {
    said: &'a [Word],
    accepts: &'a dyn Fn(&str, &str) -> bool,
    takes_most: &'a dyn Fn(&str) -> bool,
    fuel: u32,
    /// Name and words, from the first until before the last.
    slots: Vec<(&'a str, Range<usize>)>,
    literal: usize,
}

impl<'a> Search<'a> {
    fn filled(&self) -> Vec<(String, String)> {
        let slots = self.slots.iter();
        slots
            .map(|(name, range)| ((*name).to_owned(), self.text(range.clone())))
            .collect()
    }

    /// Commas stand between the words of a slot, never at its end; a word that was taken apart is whole again.
    fn text(&self, range: Range<usize>) -> String {
        let words = self.said.get(range).unwrap_or_default();
        let mut text = String::new();
        for Word { said, .. } in words {
            text.push_str(said);
            text.push_str(if is_elided(said) { "" } else { " " });
        }
        text.trim_end_matches([',', ' ']).to_owned()
    }

    /// Whether the parts account for all words from `at` on; the slots are left filled if so.
    fn matches(&mut self, parts: &[&'a Part], at: usize) -> bool {
        let Some(fuel) = self.fuel.checked_sub(1) else {
            return false;
        };
        self.fuel = fuel;
        let Some((first, rest)) = parts.split_first() else {
            return at == self.said.len();
        };
        match first {
            Part::Word(word) => self.word(word, rest, at),
            Part::Slot(name) => self.slot(name, rest, at),
            Part::OneOf(branches) => branches.iter().any(|branch| {
                let joined: Vec<&'a Part> = branch.iter().chain(rest.iter().copied()).collect();
                self.matches(&joined, at)
            }),
        }
    }

    fn word(&mut self, word: &str, rest: &[&'a Part], at: usize) -> bool {
        if self.said.get(at).is_none_or(|said| said.plain != word) {
            return false;
        }
        self.literal += 1;
        let matches = self.matches(rest, at + 1);
        if !matches {
            self.literal -= 1;
        }
        matches
    }

    fn slot(&mut self, name: &'a str, rest: &[&'a Part], at: usize) -> bool {
        let mut ends: Vec<usize> = (at + 1..=self.said.len()).collect();
        if (self.takes_most)(name) {
            ends.reverse();
        }
        for end in ends {
            if !(self.accepts)(name, &self.text(at..end)) {
                continue;
            }
            self.slots.push((name, at..end));
            if self.matches(rest, end) {
                return true;
            }
            self.slots.pop();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::words_and_figures;
    use super::*;

    fn fit(template: &str, said: &str) -> Option<Fit> {
        Template::parse(template)
            .unwrap()
            .fit(&words(said), &mut ALL_FUEL.clone())
    }

    fn slots(template: &str, said: &str) -> Option<Vec<(String, String)>> {
        fit(template, said).map(|fit| fit.slots)
    }

    fn slot(name: &str, text: &str) -> (String, String) {
        (name.to_owned(), text.to_owned())
    }

    #[test]
    fn alternatives_options_and_slots_are_filled() {
        let template = "(talk|speak) [please] to {persona} [now]";
        assert_eq!(
            slots(template, "Talk to Alice."),
            Some(vec![slot("persona", "Alice")])
        );
        assert_eq!(
            slots(template, "speak please to Old Bob now"),
            Some(vec![slot("persona", "Old Bob")])
        );
        assert_eq!(slots(template, "talk to"), None);
        assert_eq!(slots(template, "let us talk to Alice"), None);
        assert_eq!(
            slots("ask {who} about {what}", "ask the cook about about soup"),
            Some(vec![slot("who", "the cook"), slot("what", "about soup")])
        );
        assert_eq!(
            slots("set {{x}} | drop {x}", "drop it"),
            Some(vec![slot("x", "it")])
        );
    }

    #[test]
    fn a_slot_keeps_the_commas_between_its_words() {
        let said = words_and_figures("add milk, eggs and bread, to the list");
        let template = Template::parse("add {items} to the list").unwrap();
        let fit = template.fit(&said, &mut ALL_FUEL.clone()).unwrap();
        assert_eq!(fit.slots, [slot("items", "milk, eggs and bread")]);
    }

    #[test]
    fn a_sentence_that_names_more_words_scores_more() {
        let loose = fit("{all}", "what time is it").unwrap().score;
        let close = fit("what time {rest}", "what time is it").unwrap().score;
        let exact = fit("what time is it", "What time is it?").unwrap().score;
        assert!(loose < close && close < exact && (exact - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn a_template_stands_for_plain_sentences() {
        let template = Template::parse("(show|list) [(my|the)] {what} [now]").unwrap();
        let sentences = template.sentences(100);
        assert_eq!(sentences.len(), 12);
        for wanted in ["show my {what} now", "list {what}"] {
            assert!(
                sentences.iter().any(|sentence| sentence == wanted),
                "{sentences:?}"
            );
        }
        assert_eq!(template.sentences(5).len(), 5);
    }

    #[test]
    fn broken_templates_are_none() {
        for text in [
            "",
            "   ",
            "(a|b",
            "a)",
            "{",
            "{}",
            "[",
            &"(".repeat(50),
            &"a ".repeat(400),
        ] {
            assert_eq!(Template::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_template_made_to_take_for_ever_gives_up() {
        let template = Template::parse(&format!("{}never", "[a] {x} ".repeat(40))).unwrap();
        let said = words(&"a ".repeat(150));
        let mut steps_left = ALL_FUEL;
        assert_eq!(template.fit(&said, &mut steps_left), None);
        assert_eq!(steps_left, ALL_FUEL - FUEL);
        assert_eq!(Template::parse("a").unwrap().fit(&words("a"), &mut 0), None);
    }
}
