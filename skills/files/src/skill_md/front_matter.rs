//! Front matter in YAML: the texts and lists of its top level, each with its line.
//!
//! Nothing is built of what lies deeper. Anchors and aliases are refused, and events are counted, so that no front matter
//! takes more work than its length.

use std::collections::BTreeMap;

use granit_parser::{Event, Parser, ScanError, Span, StrInput};

use super::document::Flaw;

/// Keys, values and ends of lists; no front matter needs as many.
const MOST_EVENTS: usize = 2_000;

/// A value of the top level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    Text(String),
    Texts(Vec<String>),
    /// Something that holds more than texts.
    Other,
}

/// The values by their keys, with the lines of the keys in the whole file.
pub(super) type Entries = BTreeMap<String, (Entry, usize)>;

struct Events<'t> {
    parser: Parser<'t, StrInput<'t>>,
    left: usize,
    /// Of the last event, in the whole file: the front matter begins in its second line.
    line: usize,
}

/// Reads the text between the lines of `---`.
pub(super) fn read(text: &str) -> Result<Entries, Flaw> {
    let mut events = Events {
        parser: Parser::new_from_str(text),
        left: MOST_EVENTS,
        line: 2,
    };
    let mut entries = Entries::new();
    loop {
        match events.next()? {
            Event::StreamStart | Event::DocumentStart(..) => {}
            Event::MappingStart(..) => break,
            _ => return Err(events.flaw("the front matter holds no keys; write name: and description:")),
        }
    }
    loop {
        let key = match events.next()? {
            Event::Scalar(key, ..) => key.into_owned(),
            Event::MappingEnd => break,
            _ => return Err(events.flaw("a key of the front matter must be a word")),
        };
        let line = events.line;
        let entry = events.entry()?;
        if entries.insert(key.clone(), (entry, line)).is_some() {
            return Err(Flaw::at(
                line,
                format!("{key} is written twice; remove one of them"),
            ));
        }
    }
    loop {
        match events.next()? {
            Event::DocumentEnd => {}
            Event::StreamEnd => return Ok(entries),
            _ => return Err(events.flaw("something stands behind the keys of the front matter")),
        }
    }
}

impl<'t> Events<'t> {
    fn next(&mut self) -> Result<Event<'t>, Flaw> {
        if self.left == 0 {
            return Err(self.flaw("the front matter is too long; keep what is not name or description short"));
        }
        self.left -= 1;
        let (event, span): (Event<'t>, Span) = match self.parser.next() {
            Some(Ok(next)) => next,
            Some(Err(error)) => return Err(unreadable(&error)),
            None => return Ok(Event::StreamEnd),
        };
        self.line = span.start.line() + 1;
        let is_anchored = match &event {
            Event::Scalar(_, _, anchor, _)
            | Event::SequenceStart(_, anchor, _)
            | Event::MappingStart(_, anchor, _) => *anchor != 0,
            Event::Alias(_) => true,
            _ => false,
        };
        if is_anchored {
            return Err(self.flaw("anchors and aliases are not read here; write the value out"));
        }
        Ok(event)
    }

    fn flaw(&self, why: &str) -> Flaw {
        Flaw::at(self.line, why)
    }

    /// The value of a key.
    fn entry(&mut self) -> Result<Entry, Flaw> {
        match self.next()? {
            Event::Scalar(text, ..) => Ok(Entry::Text(text.into_owned())),
            Event::SequenceStart(..) => self.list(),
            Event::MappingStart(..) => {
                self.pass_over()?;
                Ok(Entry::Other)
            }
            _ => Err(self.flaw("a value of the front matter cannot be read")),
        }
    }

    fn list(&mut self) -> Result<Entry, Flaw> {
        let mut texts = Some(Vec::new());
        loop {
            match self.next()? {
                Event::SequenceEnd => return Ok(texts.map_or(Entry::Other, Entry::Texts)),
                Event::Scalar(text, ..) => {
                    if let Some(texts) = &mut texts {
                        texts.push(text.into_owned());
                    }
                }
                Event::SequenceStart(..) | Event::MappingStart(..) => {
                    self.pass_over()?;
                    texts = None;
                }
                _ => return Err(self.flaw("a list of the front matter cannot be read")),
            }
        }
    }

    /// Goes to the end of a list or an object that has begun.
    fn pass_over(&mut self) -> Result<(), Flaw> {
        let mut depth = 1_usize;
        while depth > 0 {
            match self.next()? {
                Event::SequenceStart(..) | Event::MappingStart(..) => depth += 1,
                Event::SequenceEnd | Event::MappingEnd => depth -= 1,
                Event::StreamEnd => return Err(self.flaw("the front matter ends in the middle of a value")),
                _ => {}
            }
        }
        Ok(())
    }
}

fn unreadable(error: &ScanError) -> Flaw {
    let line = error.marker().line() + 1;
    Flaw::at(line, format!("the front matter is no YAML: {}", error.info()))
}
