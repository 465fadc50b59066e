//! What people say to the orchestrator itself, in one language: the words that stop, and the sentences by which they
//! choose who answers. It recognises words and never acts on them.

use serde::{Deserialize, Deserializer};

use super::words::{Word, plain, words};

/// The orders of one language. Sentences are compared without case and punctuation.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Orders {
    /// Sentences that stop what runs.
    #[serde(deserialize_with = "compared")]
    stop_words: Vec<String>,
    /// Sentences that stop everything in a session, and dismiss its persona.
    #[serde(deserialize_with = "compared")]
    stop_everything: Vec<String>,
    /// Sentences that end a conversation or leave a question unanswered.
    #[serde(deserialize_with = "compared")]
    dismissals: Vec<String>,
    /// What is said around words without changing what they ask for.
    #[serde(deserialize_with = "compared")]
    courtesies: Vec<String>,
    /// What is said between two wishes.
    #[serde(deserialize_with = "compared")]
    conjunctions: Vec<String>,
    /// Words that begin a question.
    #[serde(deserialize_with = "compared")]
    question_words: Vec<String>,
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

impl Orders {
    /// Whether the person wants silence and nothing else.
    pub fn is_stop(&self, utterance: &str) -> bool {
        self.is_one_of(&self.stop_words, utterance)
    }

    /// Whether the person wants everything to stop, not only what runs.
    pub fn is_stop_everything(&self, utterance: &str) -> bool {
        self.is_one_of(&self.stop_everything, utterance)
    }

    /// Whether the utterance is either of these two.
    pub fn stops(&self, utterance: &str) -> bool {
        self.is_stop(utterance) || self.is_stop_everything(utterance)
    }

    /// Whether the person does not want to speak on.
    pub fn is_dismissal(&self, utterance: &str) -> bool {
        self.is_one_of(&self.dismissals, utterance)
    }

    /// Whether a word begins a question, so that it belongs to what is asked.
    pub fn is_question_word(&self, word: &str) -> bool {
        self.question_words.contains(&plain(word))
    }

    /// The words without the courtesies around them; all of them where nothing else was said.
    pub fn core_of<'a>(&self, said: &'a [Word]) -> &'a [Word] {
        let mut core = said;
        loop {
            let shorter = self.courtesies.iter().find_map(|courtesy| peeled(core, courtesy));
            match shorter {
                Some([]) => return said,
                Some(shorter) => core = shorter,
                None => return core,
            }
        }
    }

    /// The words in front of each conjunction and those behind it, the longest conjunction at each place, none of them
    /// empty.
    pub fn parted<'a>(&self, said: &'a [Word]) -> Vec<(&'a [Word], &'a [Word])> {
        let places = (1..said.len()).filter_map(|place| {
            let (head, tail) = said.split_at_checked(place)?;
            let lengths = self
                .conjunctions
                .iter()
                .filter_map(|one| Some(tail.len() - begun_with(tail, one)?.len()));
            let rest = tail.get(lengths.max()?..)?;
            (!rest.is_empty()).then_some((head, rest))
        });
        places.collect()
    }

    fn is_one_of(&self, sentences: &[String], utterance: &str) -> bool {
        let said = words(utterance);
        let among = |said: &[Word]| {
            let plain: Vec<&str> = said.iter().map(|word| word.plain.as_str()).collect();
            sentences.contains(&plain.join(" "))
        };
        among(&said) || among(self.core_of(&said))
    }
}

/// The words without this courtesy at their beginning or end, if it is there.
fn peeled<'a>(said: &'a [Word], courtesy: &str) -> Option<&'a [Word]> {
    begun_with(said, courtesy).or_else(|| {
        let length = courtesy.split(' ').count();
        let (rest, tail) = said.split_at_checked(said.len().checked_sub(length)?)?;
        begun_with(tail, courtesy).map(|_| rest)
    })
}

/// What follows these words where they are the first ones.
fn begun_with<'a>(said: &'a [Word], words: &str) -> Option<&'a [Word]> {
    let (head, rest) = said.split_at_checked(words.split(' ').count())?;
    let plain = head.iter().map(|word| word.plain.as_str());
    plain.eq(words.split(' ')).then_some(rest)
}

/// Reads sentences into the form in which they are compared, since each utterance is compared with all of them.
fn compared<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let sentences = Vec::<String>::deserialize(deserializer)?;
    Ok(sentences.iter().map(|sentence| plain(sentence)).collect())
}
