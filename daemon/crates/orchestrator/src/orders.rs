//! What people say to the orchestrator itself, in one language: the words that stop, and the sentences by which they
//! choose who answers. It recognises words and never acts on them.

use std::ops::Range;

use loquat_sentences::words::{Word, words};
use loquat_sentences::{Complaint, Home, Language, Place, Source, Utterance};
use serde::Deserialize;

/// What the sentences of a list are, by the place of the list among them.
const STOP: usize = 0;
const STOP_EVERYTHING: usize = 1;
const DISMISSAL: usize = 2;
const COURTESY: usize = 3;
const CONJUNCTION: usize = 4;
const QUESTION_WORD: usize = 5;

/// The orders of one language. Sentences are compared without case and punctuation.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Written")]
pub struct Orders {
    /// The lists that nothing but the words themselves counts of.
    sentences: Language,
    /// Templates (INTENT-1): `{persona}` shall answer from now on.
    pub summon: Vec<String>,
    /// The persona that was summoned shall answer no more.
    pub release: Vec<String>,
    /// `{persona}` shall answer `{query}`, and nothing else.
    pub ask: Vec<String>,
    /// Which personas are there?
    pub list: Vec<String>,
    /// Which persona answers now?
    pub check: Vec<String>,
    /// Nothing more shall be done.
    pub emergency_stop: Vec<String>,
    /// Things may be done again.
    pub end_emergency_stop: Vec<String>,
    /// What was done last shall be undone.
    pub undo: Vec<String>,
    /// What goes on in the background?
    pub background: Vec<String>,
    /// What goes on in the background shall end.
    pub cancel_background: Vec<String>,
}

/// The orders as they are written. Every sentence may be a template.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// Sentences that stop what runs.
    stop_words: Vec<String>,
    /// Sentences that stop everything in a session, and dismiss its persona.
    stop_everything: Vec<String>,
    /// Sentences that end a conversation or leave a question unanswered.
    dismissals: Vec<String>,
    /// What is said around words without changing what they ask for.
    courtesies: Vec<String>,
    /// What is said between two wishes.
    conjunctions: Vec<String>,
    /// Words that begin a question.
    question_words: Vec<String>,
    summon: Vec<String>,
    release: Vec<String>,
    ask: Vec<String>,
    list: Vec<String>,
    check: Vec<String>,
    emergency_stop: Vec<String>,
    end_emergency_stop: Vec<String>,
    undo: Vec<String>,
    background: Vec<String>,
    cancel_background: Vec<String>,
}

impl TryFrom<Written> for Orders {
    type Error = Box<Complaint>;

    fn try_from(written: Written) -> Result<Self, Box<Complaint>> {
        let source = Source::of_words([
            ("stop_words", written.stop_words),
            ("stop_everything", written.stop_everything),
            ("dismissals", written.dismissals),
            ("courtesies", written.courtesies),
            ("conjunctions", written.conjunctions),
            ("question_words", written.question_words),
        ]);
        Ok(Self {
            sentences: Language::whole(&source)?,
            summon: written.summon,
            release: written.release,
            ask: written.ask,
            list: written.list,
            check: written.check,
            emergency_stop: written.emergency_stop,
            end_emergency_stop: written.end_emergency_stop,
            undo: written.undo,
            background: written.background,
            cancel_background: written.cancel_background,
        })
    }
}

impl Orders {
    /// Tells whether the person wants silence and nothing else.
    pub fn is_stop(&self, utterance: &str) -> bool {
        self.is_one_of(STOP, utterance)
    }

    /// Tells whether the person wants everything to stop, not only what runs.
    pub fn is_stop_everything(&self, utterance: &str) -> bool {
        self.is_one_of(STOP_EVERYTHING, utterance)
    }

    /// Tells whether the utterance is either of these two.
    pub fn stops(&self, utterance: &str) -> bool {
        self.is_stop(utterance) || self.is_stop_everything(utterance)
    }

    /// Tells whether the person does not want to speak on.
    pub fn is_dismissal(&self, utterance: &str) -> bool {
        self.is_one_of(DISMISSAL, utterance)
    }

    /// Tells whether a word begins a question, so that it belongs to what is asked.
    pub fn is_question_word(&self, word: &str) -> bool {
        let said = words(word);
        self.places(&said).contains(&Place {
            intent: QUESTION_WORD,
            words: 0..said.len(),
        })
    }

    /// Takes the courtesies off that stand around words; all words are left where nothing else was said.
    pub fn core_of<'a>(&self, said: &'a [Word]) -> &'a [Word] {
        let core = core(&self.places(said), said.len());
        said.get(core).unwrap_or(said)
    }

    /// Parts words at each conjunction, the longest at each place, into those in front and those behind; none
    /// is empty.
    pub fn parted<'a>(&self, said: &'a [Word]) -> Vec<(&'a [Word], &'a [Word])> {
        let mut parted: Vec<(usize, usize)> = Vec::new();
        // Of those that begin at one place the longest comes last.
        for Place { words, .. } in self
            .places(said)
            .iter()
            .filter(|place| place.intent == CONJUNCTION)
        {
            parted.retain(|(start, _)| *start != words.start);
            parted.push((words.start, words.end));
        }
        let parted = parted
            .into_iter()
            .filter(|(start, end)| *start > 0 && *end < said.len());
        parted
            .filter_map(|(start, end)| Some((said.get(..start)?, said.get(end..)?)))
            .collect()
    }

    fn is_one_of(&self, intent: usize, utterance: &str) -> bool {
        let said = words(utterance);
        let places = self.places(&said);
        let among = |words: Range<usize>| places.contains(&Place { intent, words });
        among(0..said.len()) || among(core(&places, said.len()))
    }

    fn places(&self, said: &[Word]) -> Vec<Place> {
        self.sentences.places(&Utterance::new(said), &Home::new())
    }
}

/// The words without the courtesies at both ends, the longest first; all of them where there is nothing else.
fn core(places: &[Place], count: usize) -> Range<usize> {
    let mut core = 0..count;
    loop {
        let is_at_an_end = |words: &&Range<usize>| {
            let is_within = core.start <= words.start && words.end <= core.end;
            is_within && (words.start == core.start || words.end == core.end)
        };
        let courtesies = places.iter().filter(|place| place.intent == COURTESY);
        let longest = courtesies
            .map(|place| &place.words)
            .filter(is_at_an_end)
            .max_by_key(|words| words.len());
        match longest {
            Some(words) if *words == core => return 0..count,
            Some(words) if words.start == core.start => core.start = words.end,
            Some(words) => core.end = words.start,
            None => return core,
        }
    }
}
