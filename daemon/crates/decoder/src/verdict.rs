//! What a reply means, and whether that can be said.

use super::call::{Call, Ending, Names};
use super::speakable::speakable;
use super::tagged;

/// A reply understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded {
    /// It is reasoning of the server, `<think>` blocks and `Thought:` sections.
    pub thought: String,
    /// Text beside calls, which is never spoken but may turn out the best answer there is.
    pub aside: String,
    /// Says whether it is read as a call for its shape alone: its labels are none that we know, or it stands amid
    /// words, so that it may be words about a call after all. It must not have an effect.
    pub guessed: bool,
    /// Says whether an answer stands behind a mark that says so; otherwise it is whatever the reply holds beside
    /// calls.
    pub marked: bool,
    /// Says whether the brain takes the result of its call for the whole answer.
    pub is_last: bool,
    /// Says what the reply means.
    pub verdict: Verdict,
}

/// Says what a reply means.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// This is to be said. The calls beside it were beaten by it.
    Answer {
        /// The words of the answer.
        text: String,
        /// The tools that were named beside it.
        dropped: Vec<String>,
    },
    /// These are to be run. Surplus ones are not.
    Calls {
        /// The calls in order; never empty.
        calls: Vec<Call>,
        /// The tools of the surplus calls.
        dropped: Vec<String>,
    },
    /// A question that the brain asks itself, and that no tool can answer for it.
    OwnQuestion(String),
    /// The brain answers a question of its own, on the way to the answer.
    Intermediate(String),
    /// It cannot be used.
    Flawed(Flaw),
}

/// Says what is wrong with a reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// There is nothing in it.
    #[error("the reply was empty")]
    Empty,
    /// It holds reasoning only.
    #[error("the reply held only reasoning, neither a call nor an answer")]
    ThoughtOnly,
    /// The length limit cut it off before it meant anything.
    #[error("the reply was cut off by its length limit")]
    CutOff,
    /// It says that no tool is needed and gives no answer.
    #[error("the reply named no tool and gave no answer")]
    NoTool,
    /// A call that cannot be read.
    #[error("{0}")]
    Broken(String),
    /// It has the shape of a call under labels of no table, or amid words, and would have an effect.
    #[error("what looks like a call stands amid words or under other labels than those of a call")]
    Unlabelled,
    /// JSON, but neither a call nor an answer.
    #[error("the reply was JSON, but neither a call nor an answer")]
    Json,
    /// A call where only an answer would do.
    #[error("the reply called a tool, but no more tools may be called")]
    CallInsteadOfAnswer,
    /// A question where only an answer would do.
    #[error("the reply asked another question")]
    QuestionInsteadOfAnswer,
    /// It is not what an engine asked for. The engine says what is missing.
    #[error("{0}")]
    Shapeless(&'static str),
}

impl Verdict {
    pub(super) fn answer(text: impl Into<String>) -> Self {
        Self::Answer {
            text: text.into(),
            dropped: Vec::new(),
        }
    }

    pub(super) fn calls(calls: Vec<Call>) -> Self {
        Self::Calls {
            calls,
            dropped: Vec::new(),
        }
    }
}

/// Tells whether there is anything in a text but dots, dashes and the like.
fn has_words(text: &str) -> bool {
    const MUTE: &[char] = &[
        '.', '…', ',', ';', ':', '!', '?', '-', '–', '—', '_', '*', '~', '#', '"', '\'', '`',
    ];
    text.chars().any(|c| !c.is_whitespace() && !MUTE.contains(&c))
}

/// Makes sure that an answer can be said, and tells an empty reply from one that only reasoned.
pub(super) fn settle(verdict: Verdict, names: &Names, thought: &str, ending: Ending) -> Verdict {
    match verdict {
        // A call ends what can be said.
        Verdict::Answer { text, dropped } if let Some(before) = before_call(&text, names) => {
            let verdict = match before {
                Ok(text) => Verdict::Answer { text, dropped },
                Err(why) => Verdict::Flawed(Flaw::Broken(why)),
            };
            settle(verdict, names, thought, ending)
        }
        Verdict::Answer { text, .. } if !has_words(&speakable(&text)) => {
            let json = text.trim_start().starts_with(['{', '[']);
            settle(
                Verdict::Flawed(if json { Flaw::Json } else { Flaw::Empty }),
                names,
                thought,
                ending,
            )
        }
        Verdict::Answer { text, dropped } if ending == Ending::Cut => match whole_sentences(&text) {
            Some(sentences) => Verdict::Answer {
                text: sentences.to_owned(),
                dropped,
            },
            None => Verdict::Flawed(Flaw::CutOff),
        },
        Verdict::Flawed(Flaw::Empty) if ending == Ending::Cut => Verdict::Flawed(Flaw::CutOff),
        Verdict::Flawed(Flaw::Empty) if !thought.is_empty() => Verdict::Flawed(Flaw::ThoughtOnly),
        Verdict::Calls { calls, .. } if calls.is_empty() => Verdict::Flawed(Flaw::Empty),
        other => other,
    }
}

/// Gives what stands before a marked call, or why nothing can be said of a text that begins with one. Nothing where
/// there is none.
fn before_call(text: &str, names: &Names) -> Option<Result<String, String>> {
    let tagged = tagged::read(text, names)?;
    let call = || "a call stands in the place of the answer".to_owned();
    Some(if tagged.before.is_empty() {
        Err(tagged.broken.unwrap_or_else(call))
    } else {
        Ok(tagged.before.to_owned())
    })
}

/// Shortens a cut answer to its last whole sentence.
fn whole_sentences(text: &str) -> Option<&str> {
    let stops = text
        .char_indices()
        .filter(|(_, c)| matches!(c, '.' | '!' | '?' | '。' | '…' | '\n'));
    let mut ends = stops.filter(|(at, c)| {
        let after = text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next());
        after.is_none_or(char::is_whitespace) || *c == '。'
    });
    let (at, c) = ends.next_back()?;
    text.get(..at + c.len_utf8())
        .map(str::trim)
        .filter(|sentences| !speakable(sentences).is_empty())
}
