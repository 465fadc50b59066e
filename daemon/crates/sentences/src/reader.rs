//! Reads a text in a language: every sentence that can fit is tried, with and without skip words.

mod forms;

use crate::context::Context;
use crate::home::Home;
use crate::language::{Block, Language, Sentence, Shape};
use crate::matcher::{BufferId, Found, Matcher, Way, What};
use crate::reading::{End, Origin, Reading, Slot, Understood};
use crate::sketch::{Sketch, may_have};
use crate::skip::Where;
use crate::source::Numbers;
use crate::spoken::normalised;

use crate::value::Value;
use forms::{Forms, sketch};

/// A longer text is no sentence.
const LONGEST: usize = 2_000;

/// How a text is to be read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Asked {
    /// Whether slots may take any text.
    pub open_text: OpenText,
    /// What is known beside the home's context; it counts more.
    pub expected: Context,
    /// Whether only readings are wanted that lack one slight word of their sentence.
    pub lacks: bool,
}

/// Whether slots may take any text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OpenText {
    /// They may.
    #[default]
    With,
    /// Readings with open text are none.
    Without,
}

impl Language {
    /// Every reading of a text.
    pub fn read(&self, text: &str, home: &Home) -> Understood {
        self.read_as(text, home, &Asked::default())
    }

    /// Every reading of a text without open text.
    pub fn read_closed(&self, text: &str, home: &Home) -> Understood {
        let asked = Asked {
            open_text: OpenText::Without,
            ..Asked::default()
        };
        self.read_as(text, home, &asked)
    }

    /// Every reading of a text that was asked for.
    pub fn read_as(&self, text: &str, home: &Home, asked: &Asked) -> Understood {
        if text.chars().nth(LONGEST).is_some() {
            return Understood {
                end: End::TooLong,
                ..Understood::default()
            };
        }
        let mut known = home.context().clone();
        for (key, value) in asked.expected.iter() {
            known.set(key, value.clone());
        }
        let text = normalised(text);
        let mut pass = Pass::new(self, home, &known, &text, asked);
        let readings = pass.readings();
        let end = if pass.matcher.has_given_up() {
            End::GaveUp
        } else {
            End::Complete
        };
        Understood {
            readings,
            end,
            text: text.into_iter().collect(),
        }
    }
}

/// A text on its way through all sentences.
struct Pass<'a> {
    matcher: Matcher<'a>,
    forms: Forms,
    /// It is that of the text in all its forms.
    sketch: Sketch,
    /// Where each letter of the text begins, in bytes, and where the last ends.
    bytes: Vec<usize>,
}

impl<'a> Pass<'a> {
    fn new(language: &'a Language, home: &'a Home, known: &'a Context, text: &[char], asked: &Asked) -> Self {
        let mut matcher = Matcher::new(language, home, known);
        matcher.is_closed = asked.open_text == OpenText::Without;
        matcher.lacks = asked.lacks;
        let forms = Forms::new(&mut matcher, text);
        let sketch = if asked.lacks {
            sketch(&forms, &matcher) | language.slight.sketch()
        } else {
            sketch(&forms, &matcher)
        };
        let lengths = text.iter().map(|letter| letter.len_utf8());
        let ends = lengths.scan(0, |end, length| {
            *end += length;
            Some(*end)
        });
        Self {
            bytes: std::iter::once(0).chain(ends).collect(),
            matcher,
            forms,
            sketch,
        }
    }

    fn readings(&mut self) -> Vec<Reading> {
        let language = self.matcher.language;
        let mut readings = Vec::new();
        for block in &language.blocks {
            let may_be_met = block
                .requires
                .iter()
                .all(|required| required.is_open_to(self.matcher.known));
            if may_be_met && !self.matcher.has_given_up() {
                self.read_block(block, &mut readings);
            }
        }
        readings
    }

    fn read_block(&mut self, block: &'a Block, readings: &mut Vec<Reading>) {
        let first = readings.len();
        let mut ways = Vec::new();
        for sentence in &block.sentences {
            if !may_have(self.sketch, &sentence.needs) {
                continue;
            }
            for form in self.forms_for(sentence.shape).into_iter().flatten() {
                self.matcher
                    .ways(block, sentence.root, Way::starting(form, 0), &mut ways);
                for way in ways.drain(..) {
                    let reading = self.reading(block, sentence, way);
                    let is_new =
                        |reading: &Reading| !readings.iter().skip(first).any(|known| is_same(known, reading));
                    readings.extend(reading.filter(is_new));
                }
            }
        }
    }

    /// The forms of the text that a sentence is compared with, in their order.
    fn forms_for(&mut self, shape: Shape) -> [Option<BufferId>; 2] {
        let form = match shape {
            Shape::Closed => self.forms.without,
            Shape::AllOpen => self.forms.verbatim,
            Shape::OpenStart => self.forms.trimmed(&mut self.matcher, Where::End),
            Shape::OpenEnd => self.forms.trimmed(&mut self.matcher, Where::Start),
        };
        let letters = |form| self.matcher.buffers.whole(form).map(|spoken| &spoken.letters);
        let is_like_without = form == self.forms.without || letters(form) == letters(self.forms.without);
        let first = (self.forms.has_skip_words && is_like_without).then_some(self.forms.with_skip_words);
        [first, Some(form)]
    }

    /// The reading of a way, if nothing is left over and all is known that is required.
    fn reading(&mut self, block: &Block, sentence: &Sentence, way: Way) -> Option<Reading> {
        if way.lacks != self.matcher.lacks {
            return None;
        }
        let found = self.matcher.found(way)?;
        let is_open = |found: &&Found<'_>| found.what.is_open();
        let open = found.iter().filter(is_open).count();
        let open_letters = found
            .iter()
            .filter(is_open)
            .map(|found| self.trimmed(found).len())
            .sum();
        let mut slots = Vec::with_capacity(found.len() + block.slots.len());
        for found in &found {
            put(&mut slots, self.slot(found));
        }
        self.add_silent(block, way, &mut slots)?;
        Some(Reading {
            intent: self.matcher.language.intents.get(block.intent as usize)?.clone(),
            block: block.number as usize,
            sentence: sentence.text.clone(),
            response: block.response.clone(),
            slots,
            context: self.context(way),
            literal: way.literal as usize,
            open,
            open_letters,
        })
    }

    /// Where that is which was said for a slot, without white space around it.
    fn trimmed(&self, found: &Found<'_>) -> std::ops::Range<u32> {
        self.matcher.buffers.trimmed(found.buffer, found.from, found.to)
    }

    fn slot(&self, found: &Found<'_>) -> Slot {
        let range = self.trimmed(found);
        let said: String = self
            .matcher
            .buffers
            .said(found.buffer, range.start, range.end)
            .iter()
            .collect();
        let (value, origin) = match found.what {
            What::Open { .. } | What::Closed => (Value::from(said.as_str()), Origin::Open),
            What::Said => (Value::from(self.raw(found)), Origin::Value),
            What::Value(value) => (value.clone(), Origin::Value),
            What::Number {
                number,
                is_whole,
                multiplier,
            } => {
                let range = Numbers {
                    multiplier,
                    ..Numbers::between(0, 0)
                };
                (range.value(number, is_whole), Origin::Number)
            }
        };
        Slot {
            name: self
                .matcher
                .language
                .slots
                .get(found.slot as usize)
                .cloned()
                .unwrap_or_default(),
            span: self.span(found.buffer, &range),
            weight: (found.to - found.from) as usize,
            value,
            said,
            origin,
        }
    }

    fn raw(&self, found: &Found<'_>) -> String {
        self.matcher
            .buffers
            .said(found.buffer, found.from, found.to)
            .iter()
            .collect()
    }

    /// The bytes of the text that these letters of a form came from.
    fn span(&self, buffer: BufferId, range: &std::ops::Range<u32>) -> Option<std::ops::Range<usize>> {
        let places = &self.matcher.buffers.whole(buffer)?.places;
        let first = *places.get(range.start as usize)? as usize;
        let last = *places.get((range.end as usize).checked_sub(1)?)? as usize;
        (!range.is_empty()).then_some(*self.bytes.get(first)?..*self.bytes.get(last + 1)?)
    }

    /// Adds the slots that no word fills: those of the block, and those of the context. Nothing if a requirement is not met.
    fn add_silent(&self, block: &Block, way: Way, slots: &mut Vec<Slot>) -> Option<()> {
        let said: Vec<String> = slots.iter().map(|slot| slot.name.clone()).collect();
        for (name, value) in block.slots.iter().filter(|(name, _)| !said.contains(name)) {
            put(slots, silent(name, value, Origin::Fixed));
        }
        for required in &block.requires {
            let known = self.matcher.findings.known(way.context, &required.key);
            let known = known.or_else(|| self.matcher.known.get(&required.key));
            if !required.is_met_by(known) {
                return None;
            }
            if let (Some(name), Some(value)) =
                (required.slot.as_ref().filter(|name| !said.contains(name)), known)
            {
                put(slots, silent(name, value, Origin::Context));
            }
        }
        Some(())
    }

    fn context(&self, way: Way) -> Context {
        let mut context = self.matcher.known.clone();
        for known in self.matcher.findings.contexts(way.context) {
            for (key, value) in known.iter() {
                context.set(key, value.clone());
            }
        }
        context
    }
}

/// Puts a slot in the place of one with that name.
fn put(slots: &mut Vec<Slot>, slot: Slot) {
    match slots.iter_mut().find(|known| known.name == slot.name) {
        Some(known) => *known = slot,
        None => slots.push(slot),
    }
}

fn silent(name: &str, value: &Value, origin: Origin) -> Slot {
    Slot {
        name: name.to_owned(),
        value: value.clone(),
        said: String::new(),
        span: None,
        origin,
        weight: 0,
    }
}

/// Whether two readings of one block differ in nothing but their template.
fn is_same(one: &Reading, other: &Reading) -> bool {
    (one.literal, one.open, one.open_letters) == (other.literal, other.open, other.open_letters)
        && one.slots == other.slots
        && one.context == other.context
}

#[cfg(test)]
mod tests;
