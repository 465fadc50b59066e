//! Keyword intents (INTENT-4 §5, Adapt before it): an utterance matches when the words it needs occur in it.

use std::collections::HashMap;

use super::words::{Word, words};

/// Of an utterance, at least this much has to be keywords: less is a sentence about something else that happens to
/// contain one. Adapt's middle stage draws the line at the same place.
const ENOUGH: f64 = 0.45;

/// A keyword, and how it can be said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keyword {
    /// The slot it fills.
    pub name: String,
    /// Where its samples are.
    pub samples: Samples,
}

/// How a keyword can be said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Samples {
    /// Written in the registration.
    Inline(Vec<String>),
    /// Registered on its own under this type.
    Vocabulary(String),
}

/// What has to be said, may be said and must not be said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeywordIntent {
    /// All of these.
    pub required: Vec<Keyword>,
    /// Of each group at least one.
    pub one_of: Vec<Vec<Keyword>>,
    /// These fill slots if they are there.
    pub optional: Vec<Keyword>,
    /// None of these.
    pub excluded: Vec<Keyword>,
}

/// The samples of keywords that were registered on their own, by type.
pub type Vocabulary = HashMap<String, Vec<String>>;

impl KeywordIntent {
    /// Whether the utterance matches, with the slots and the share of words that are keywords.
    pub fn fit(&self, said: &[Word], vocabulary: &Vocabulary) -> Option<(Vec<(String, String)>, f64)> {
        let find = |keyword: &Keyword| occurrence(keyword, said, vocabulary);
        if self.excluded.iter().any(|keyword| find(keyword).is_some()) {
            return None;
        }
        let mut found = Vec::new();
        for keyword in &self.required {
            found.push((keyword, find(keyword)?));
        }
        for group in &self.one_of {
            found.push(group.iter().find_map(|keyword| Some((keyword, find(keyword)?)))?);
        }
        if found.is_empty() {
            return None;
        }
        let optional = self.optional.iter();
        found.extend(optional.filter_map(|keyword| Some((keyword, find(keyword)?))));
        let covered: usize = found.iter().map(|(_, (_, length))| length).sum();
        let score = (covered as f64 / said.len().max(1) as f64).min(1.0);
        let slots = found
            .into_iter()
            .map(|(keyword, (text, _))| (keyword.name.clone(), text))
            .collect();
        (score >= ENOUGH).then_some((slots, score))
    }
}

/// The longest sample of a keyword that occurs in the utterance, as it was said, and how many words it has.
fn occurrence(keyword: &Keyword, said: &[Word], vocabulary: &Vocabulary) -> Option<(String, usize)> {
    let samples = match &keyword.samples {
        Samples::Inline(samples) => samples,
        Samples::Vocabulary(kind) => vocabulary.get(kind)?,
    };
    samples
        .iter()
        .filter_map(|sample| occurs(&words(sample), said))
        .max_by_key(|(_, length)| *length)
}

fn occurs(sample: &[Word], said: &[Word]) -> Option<(String, usize)> {
    if sample.is_empty() {
        return None;
    }
    let equal = |window: &&[Word]| {
        window
            .iter()
            .zip(sample)
            .all(|(said, word)| said.plain == word.plain)
    };
    let window = said.windows(sample.len()).find(equal)?;
    let text: Vec<&str> = window.iter().map(|word| word.said.as_str()).collect();
    Some((text.join(" "), sample.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyword(name: &str, samples: &[&str]) -> Keyword {
        let samples = samples.iter().map(|sample| (*sample).to_owned()).collect();
        Keyword {
            name: name.to_owned(),
            samples: Samples::Inline(samples),
        }
    }

    fn lights() -> KeywordIntent {
        KeywordIntent {
            required: vec![keyword("light", &["light", "reading lamp"])],
            one_of: vec![vec![keyword("on", &["on"]), keyword("off", &["off"])]],
            optional: vec![keyword("room", &["kitchen"])],
            excluded: vec![keyword("not", &["never"])],
        }
    }

    #[test]
    fn what_is_needed_has_to_occur_and_what_is_excluded_must_not() {
        let fit = |said: &str| lights().fit(&words(said), &Vocabulary::new());
        let (slots, score) = fit("Kitchen reading lamp on").unwrap();
        let slots: Vec<_> = slots
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .collect();
        assert_eq!(
            slots,
            [("light", "reading lamp"), ("on", "on"), ("room", "Kitchen")]
        );
        assert!((score - 1.0).abs() < f64::EPSILON);
        assert!(fit("turn the light off").is_some());
        assert!(fit("the light").is_none());
        assert!(fit("never light on").is_none());
        assert!(fit("what is the speed of light on its way through a piece of glass").is_none());
    }

    #[test]
    fn a_vocabulary_may_come_later() {
        let intent = KeywordIntent {
            required: vec![Keyword {
                name: "Hello".into(),
                samples: Samples::Vocabulary("skillHello".into()),
            }],
            ..KeywordIntent::default()
        };
        let mut vocabulary = Vocabulary::new();
        assert!(intent.fit(&words("hello"), &vocabulary).is_none());
        vocabulary.insert("skillHello".into(), vec!["hello".into()]);
        assert!(intent.fit(&words("hello"), &vocabulary).is_some());
    }
}
