//! How near a turn is to its end: why only an answer is wanted any more, and the best words for one so far. Never asks for
//! an answer.

use loquat_conversation::record::Reason;

/// Says what the calls have brought, here or, where a call was made again here, in another turn within the whole one.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Findings {
    #[default]
    None,
    Some,
    /// A result that the brain has just asked for once more.
    AskedAgain,
    /// A result that the brain has just put into the same tool again.
    FedBack,
}

/// Says what the brain was told of calls that left out what the person said.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Omissions {
    /// It was told that numbers were missing.
    pub(super) numbers: bool,
    /// It was told how the call has to be.
    pub(super) shown: bool,
}

/// Says how near a turn is to its end.
#[derive(Debug, Default)]
pub(crate) struct Closing {
    /// Set when only an answer is wanted any more, and why.
    pub(super) reason: Option<Reason>,
    /// Says whether a loop that reaches a limit ends without words instead of asking for a closing answer.
    pub(crate) is_silent: bool,
    /// The best words so far, for an end without an answer.
    pub(super) draft: Option<String>,
    /// The brain's last words beside its calls.
    pub(super) aside: Option<String>,
    /// The last result in words, if it can be put into words.
    pub(super) last_words: Option<String>,
    /// The sentence in which the last result tells itself.
    pub(super) sentence: Option<String>,
    /// The doubt that the brain was told when it was asked once more instead of saying its answer.
    pub(super) doubted: Option<String>,
    /// Says whether the next step has to calculate, since the answer held a number that nothing gave.
    pub(super) has_to_calculate: bool,
    pub(super) omissions: Omissions,
    /// Says whether the brain was told to leave out what the person did not say.
    pub(super) unsaid_told: bool,
    pub(super) fault: Option<String>,
    pub(super) findings: Findings,
    /// Counts the steps in a row whose tools only failed.
    pub(super) failures: u32,
    /// Counts the steps in a row that the brain got wrong.
    pub(super) flaws: u32,
}

impl Closing {
    /// Only an answer is wanted from now on. The first reason stands.
    pub(super) fn begin(&mut self, reason: Reason) {
        self.reason.get_or_insert(reason);
    }

    /// The best words there are when the brain gives none: a draft, the result it asked for last, or what it said beside
    /// its calls, which mostly tells that it is about to call.
    pub(super) fn best(&self) -> String {
        let words = [&self.draft, &self.last_words, &self.aside];
        words.into_iter().flatten().next().cloned().unwrap_or_default()
    }

    /// Takes over the words of another turn where there are no better ones.
    pub(super) fn take_over(&mut self, other: Self) {
        self.draft = self.draft.take().or(other.draft);
        self.last_words = other.last_words.or_else(|| self.last_words.take());
        self.fault = self.fault.take().or(other.fault);
    }
}
