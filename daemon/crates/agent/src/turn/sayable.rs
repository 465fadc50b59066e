//! What could be said at the end of a turn, for want of an answer: drafts, results in words, words beside calls. Decides
//! nothing about the end.

/// The words that there are.
#[derive(Debug, Default)]
pub(super) struct Sayable {
    /// What an engine kept as its best so far.
    draft: Option<String>,
    /// The brain's last words beside its calls.
    aside: Option<String>,
    /// The last result in words, if it can be put into words.
    result: Option<String>,
    /// The sentence in which the last result tells itself.
    sentence: Option<String>,
    /// The last such sentence of any result.
    told_before: Option<String>,
    /// What a person is told of the last call that was refused.
    refusal: Option<String>,
}

impl Sayable {
    /// Gives the best words there are when the brain gives none: a draft, the result it asked for last, or what it said
    /// beside its calls, which mostly tells that it is about to call.
    pub(super) fn best(&self) -> String {
        let words = [&self.draft, &self.result, &self.aside];
        words.into_iter().flatten().next().cloned().unwrap_or_default()
    }

    /// Gives the words of a turn that its deadline ended.
    pub(super) fn at_deadline(&self) -> Option<String> {
        self.draft.clone().or_else(|| self.aside.clone())
    }

    /// Gives the words of a turn that a call ended which has none of its own.
    pub(super) fn beside_a_call(&self) -> Option<String> {
        self.aside.clone().or_else(|| self.draft.clone())
    }

    pub(super) fn keep_draft(&mut self, words: &str) {
        self.draft = Some(words.to_owned());
    }

    pub(super) fn draft(&self) -> Option<String> {
        self.draft.clone()
    }

    pub(super) fn keep_aside(&mut self, words: String) {
        self.aside = Some(words);
    }

    /// Keeps the words that a result makes up. One without words leaves those of an earlier one.
    pub(super) fn keep_result(&mut self, words: Option<String>) {
        self.result = words.or_else(|| self.result.take());
    }

    /// Keeps the sentence in which a result tells itself, or that it has none.
    pub(super) fn keep_sentence(&mut self, sentence: Option<String>) {
        self.told_before = sentence.clone().or_else(|| self.told_before.take());
        self.sentence = sentence;
    }

    /// The sentence in which the last result told itself that had one.
    pub(super) fn told_before(&self) -> Option<&str> {
        self.told_before.as_deref()
    }

    pub(super) fn sentence(&self) -> Option<&str> {
        self.sentence.as_deref()
    }

    pub(super) fn take_sentence(&mut self) -> Option<String> {
        self.sentence.take()
    }

    /// Keeps what a person is told of a call that was refused, or that there are no words for it.
    pub(super) fn keep_refusal(&mut self, words: Option<String>) {
        self.refusal = words;
    }

    pub(super) fn take_refusal(&mut self) -> Option<String> {
        self.refusal.take()
    }

    /// Takes over the words of another turn where there are no better ones.
    pub(super) fn take_over(&mut self, other: Self) {
        self.draft = self.draft.take().or(other.draft);
        self.result = other.result.or_else(|| self.result.take());
    }
}
