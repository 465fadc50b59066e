//! Follows a template through a text, all ways at once. Counts its steps, and gives up after too many.

mod buffers;
mod findings;
mod judge;
mod numbers;
mod values;
mod words;

use crate::choices::{Choices, NodeId};
use crate::context::{Context, Requirement};
use crate::home::Home;
use crate::language::{Block, Choice, Language, Node, Parts};
use crate::letter::{is_punctuation, is_space};

pub(crate) use buffers::{BufferId, Buffers};
pub(crate) use findings::{Findings, Found, What};
pub(crate) use judge::{Judge, Takes};

/// A sentence that needs more steps is given up. The longest of the community's need a tenth.
const MOST_STEPS: u32 = 2_000_000;

/// A template with more ways than these through a text is given up.
const MOST_WAYS: usize = 2_000;

/// A way through a template, up to here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) buffer: BufferId,
    /// The letter that comes next.
    pub(crate) at: u32,
    /// How many literal letters were said.
    pub(crate) literal: u32,
    /// The slots that were filled.
    pub(crate) slots: u32,
    /// Values have made this known.
    pub(crate) context: u32,
    /// A word begins here, so that white space counts for nothing.
    pub(crate) is_word_start: bool,
    /// The last slot takes all text up to whatever fits next.
    pub(crate) is_open: bool,
    /// A slight word of the template was not said.
    pub(crate) lacks: bool,
}

impl Way {
    /// A way that begins at this letter of a text.
    pub(crate) fn starting(buffer: BufferId, at: u32) -> Self {
        Self {
            buffer,
            at,
            literal: 0,
            slots: 0,
            context: 0,
            is_word_start: true,
            is_open: false,
            lacks: false,
        }
    }
}

/// The values of a list that fit at a place, whatever template asks for them.
#[derive(Debug)]
struct Fits {
    list: u32,
    buffer: BufferId,
    at: u32,
    is_word_start: bool,
    found: std::rc::Rc<[Fit]>,
}

/// A value that fits, and where it ends.
#[derive(Debug, Clone, Copy)]
struct Fit {
    choice: u32,
    buffer: BufferId,
    at: u32,
}

/// What is being read.
#[derive(Debug)]
pub(crate) struct Matcher<'a> {
    pub(crate) language: &'a Language,
    home: Vec<Option<&'a Choices>>,
    /// What is known before any word.
    pub(crate) known: &'a Context,
    requires: &'a [Requirement],
    /// No slot takes any text.
    pub(crate) is_closed: bool,
    /// One slight word of a template need not be said.
    pub(crate) lacks: bool,
    pub(crate) buffers: Buffers,
    pub(crate) findings: Findings<'a>,
    /// The intent whose sentences are followed.
    intent: &'a str,
    /// The caller's say in what fills a slot of any words.
    pub(crate) judge: Option<Judge<'a>>,
    fits: Vec<Fits>,
    pub(crate) steps: u32,
    /// With more steps it is given up.
    pub(crate) most_steps: u32,
    /// Lists of ways that are used again.
    spare: Vec<Vec<Way>>,
}

impl<'a> Matcher<'a> {
    pub(crate) fn new(language: &'a Language, home: &'a Home, known: &'a Context) -> Self {
        let named = |choice: &'a Choice| match choice {
            Choice::Home(name) => home.list(name),
            _ => None,
        };
        Self {
            home: language.lists.iter().map(named).collect(),
            language,
            known,
            requires: &[],
            is_closed: false,
            lacks: false,
            buffers: Buffers::default(),
            findings: Findings::default(),
            intent: "",
            judge: None,
            fits: Vec::new(),
            steps: 0,
            most_steps: MOST_STEPS,
            spare: Vec::new(),
        }
    }

    /// All ways through a template of a block from this start.
    pub(crate) fn ways(&mut self, block: &'a Block, root: NodeId, start: Way, ways: &mut Vec<Way>) {
        self.requires = &block.requires;
        self.intent = self.language.intent_of(block);
        self.follow(root, start, ways);
    }

    /// Whether there were too many steps.
    pub(crate) fn has_given_up(&self) -> bool {
        self.steps > self.most_steps
    }

    pub(crate) fn count(&mut self, steps: u32) {
        self.steps = self.steps.saturating_add(steps);
    }

    /// Adds the ways through a node to others.
    fn follow(&mut self, node: NodeId, way: Way, ways: &mut Vec<Way>) {
        self.count(1);
        if self.has_given_up() {
            return;
        }
        let language = self.language;
        match language.nodes.get(node as usize) {
            Some(Node::Nothing) => ways.push(way),
            Some(Node::Words(phrase)) => {
                if let Some(words) = language.phrases.get(*phrase as usize) {
                    let words = words.letters(language.ignores_whitespace);
                    self.say(words, way, ways);
                    if self.lacks && !way.lacks && !way.is_open && language.slight.has(*phrase) {
                        ways.push(Way {
                            is_word_start: way.is_word_start || words.ends_word,
                            lacks: true,
                            ..way
                        });
                    }
                }
            }
            Some(Node::Sequence(parts)) => self.sequence(*parts, way, ways),
            Some(Node::Either(parts)) => {
                for part in self.parts(*parts) {
                    self.follow(*part, way, ways);
                }
            }
            Some(Node::AnyOrder(parts)) => self.any_order(self.parts(*parts), 0, way, ways),
            Some(Node::Slot {
                list,
                slot,
                ends_word,
            }) => self.slot(*list, *slot, *ends_word, way, ways),
            None => {}
        }
    }

    fn parts(&self, parts: Parts) -> &'a [NodeId] {
        let first = parts.first as usize;
        self.language
            .parts
            .get(first..first + parts.count as usize)
            .unwrap_or_default()
    }

    /// One part after the other. Ways that have become the same go on as one.
    fn sequence(&mut self, parts: Parts, way: Way, ways: &mut Vec<Way>) {
        let Some((last, parts)) = self.parts(parts).split_last() else {
            return;
        };
        let mut here = self.spare.pop().unwrap_or_default();
        let mut next = self.spare.pop().unwrap_or_default();
        here.push(way);
        for part in parts {
            for way in here.drain(..) {
                self.follow(*part, way, &mut next);
            }
            self.unite(&mut next, 0);
            std::mem::swap(&mut here, &mut next);
            if here.is_empty() {
                break;
            }
        }
        let before = ways.len();
        for way in here.drain(..) {
            self.follow(*last, way, ways);
        }
        self.unite(ways, before);
        self.spare.extend([here, next]);
    }

    /// Keeps of ways that are the same the first.
    fn unite(&mut self, ways: &mut Vec<Way>, from: usize) {
        if ways.len() > from + MOST_WAYS {
            self.steps = self.most_steps.saturating_add(1);
            ways.truncate(from + MOST_WAYS);
        }
        let mut kept = from;
        for at in from..ways.len() {
            let Some(way) = ways.get(at).copied() else { break };
            self.count((kept - from) as u32 / 8);
            if self.has_given_up() {
                break;
            }
            if !ways.get(from..kept).unwrap_or_default().contains(&way) {
                ways.swap(kept, at);
                kept += 1;
            }
        }
        ways.truncate(kept);
    }

    /// All parts in any order; those that have the bit of their number were said already.
    fn any_order(&mut self, parts: &'a [NodeId], said: u32, way: Way, ways: &mut Vec<Way>) {
        let left: Vec<usize> = (0..parts.len()).filter(|at| said & (1 << at) == 0).collect();
        for at in &left {
            let Some(part) = parts.get(*at) else { continue };
            if left.len() == 1 {
                return self.follow(*part, way, ways);
            }
            let mut here = self.spare.pop().unwrap_or_default();
            self.follow(*part, way, &mut here);
            self.unite(&mut here, 0);
            for way in here.drain(..) {
                self.any_order(parts, said | 1 << at, way, ways);
            }
            self.spare.push(here);
        }
    }

    fn slot(&mut self, list: u32, slot: u32, ends_word: bool, way: Way, ways: &mut Vec<Way>) {
        if self.buffers.is_end(way.buffer, way.at) {
            return;
        }
        match self.language.lists.get(list as usize) {
            Some(Choice::Values(choices)) => self.values(list, choices, slot, way, ways),
            Some(Choice::Home(_)) => {
                if let Some(choices) = self.home.get(list as usize).copied().flatten() {
                    self.values(list, choices, slot, way, ways);
                }
            }
            Some(Choice::Numbers { numbers, words }) => self.numbers(numbers, *words, slot, way, ways),
            // Of two open slots without anything between them the first would be empty.
            Some(Choice::Open) if !way.is_open && !self.is_closed => {
                let of_words = false;
                ways.push(self.begun(slot, What::Open { ends_word, of_words }, way));
            }
            Some(Choice::Words) if !self.is_closed => self.words_begin(slot, ends_word, way, ways),
            Some(Choice::Open | Choice::Words) | None => {}
        }
    }

    /// What was found on a way; open text takes what is left. Nothing if something else is left over.
    pub(crate) fn found(&mut self, way: Way) -> Option<Vec<Found<'a>>> {
        let rest = self.buffers.rest(way.buffer, way.at);
        if !way.is_open {
            let is_nothing = |letter: &char| is_space(*letter) || is_punctuation(*letter);
            return rest.iter().all(is_nothing).then(|| self.findings.all(way.slots));
        }
        if rest.iter().all(|letter| is_space(*letter)) {
            return None;
        }
        let end = self.buffers.len(way.buffer);
        let mut found = self.findings.all(way.slots);
        let last = found.last_mut()?;
        (last.buffer, last.from, last.to) = (way.buffer, way.at, end);
        let (what, slot) = (last.what, last.slot);
        (!what.is_of_words() || self.may_hold(slot, way, way.at, end)).then_some(found)
    }
}
