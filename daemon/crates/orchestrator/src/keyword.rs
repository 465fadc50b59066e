//! Keyword intents (INTENT-4 §5, Adapt before it): an utterance matches when the words it needs occur in it.

use loquat_sentences::words::Word;

use super::limits;
use super::vocabulary::{Sample, Vocabulary, among};

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
    /// It is written in the registration.
    Inline(Vec<Sample>),
    /// It is registered on its own under this type.
    Vocabulary(String),
}

/// What has to be said, may be said and must not be said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeywordIntent {
    /// All of these are needed.
    pub required: Vec<Keyword>,
    /// Of each group at least one is needed.
    pub one_of: Vec<Vec<Keyword>>,
    /// These fill slots if they are there.
    pub optional: Vec<Keyword>,
    /// None of these may be there.
    pub excluded: Vec<Keyword>,
}

impl KeywordIntent {
    /// Tells whether the utterance matches, with the slots and the share of words that are keywords.
    ///
    /// `noted` gives what was noted for a slot. Takes what it needs from the steps that are left; without any, nothing matches.
    pub fn fit(
        &self,
        said: &[Word],
        lang: &str,
        vocabulary: &Vocabulary,
        noted: impl Fn(&str) -> Option<String>,
        steps_left: &mut u32,
    ) -> Option<(Vec<(String, String)>, f64)> {
        let mut occurs = |keyword: &Keyword| match &keyword.samples {
            Samples::Inline(samples) => among(samples, said, steps_left),
            Samples::Vocabulary(kind) => vocabulary.occurrence(kind, said, lang, steps_left),
        };
        if self.excluded.iter().any(|keyword| occurs(keyword).is_some()) {
            return None;
        }
        // What was noted stands in for a keyword that was not said (CONTEXT-1 §7).
        let mut find = |keyword: &Keyword| occurs(keyword).or_else(|| Some((noted(&keyword.name)?, 0)));
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

    /// Roughly the memory it needs.
    pub fn weight(&self) -> usize {
        let groups = self
            .one_of
            .iter()
            .chain([&self.required, &self.optional, &self.excluded]);
        let weigh = |keyword: &Keyword| match &keyword.samples {
            Samples::Inline(samples) => samples.iter().map(limits::weight).sum(),
            Samples::Vocabulary(kind) => kind.len(),
        };
        groups
            .flatten()
            .map(|keyword| limits::weight([&keyword.name]) + weigh(keyword))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::effort::Effort;
    use super::super::vocabulary::{Owner, compared};
    use super::*;
    use loquat_sentences::words::words;

    fn keyword(name: &str, samples: &[&str]) -> Keyword {
        let samples = samples.iter().map(|sample| compared(sample)).collect();
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
        let nothing = Vocabulary::default();
        let fit = |said: &str| {
            lights().fit(
                &words(said),
                "en-US",
                &nothing,
                |_| None,
                &mut Effort::WHOLE.words.clone(),
            )
        };
        assert!(
            lights()
                .fit(&words("turn the light off"), "en-US", &nothing, |_| None, &mut 5)
                .is_none(),
            "strangers cannot make it take for ever"
        );
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
        let noted = |slot: &str| (slot == "light").then(|| "lamp".to_owned());
        let (slots, _) = lights()
            .fit(
                &words("turn off"),
                "en-US",
                &nothing,
                noted,
                &mut Effort::WHOLE.words.clone(),
            )
            .unwrap();
        assert!(
            slots.contains(&("light".into(), "lamp".into())),
            "what was noted stands in: {slots:?}"
        );
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
        let mut vocabulary = Vocabulary::default();
        let fits = |vocabulary: &Vocabulary| {
            let fit = intent.fit(
                &words("hello"),
                "en-US",
                vocabulary,
                |_| None,
                &mut Effort::WHOLE.words.clone(),
            );
            fit.is_some()
        };
        assert!(!fits(&vocabulary));
        let owner = Owner {
            skill_id: "skill".into(),
            lang: "en-us".into(),
        };
        vocabulary.add("skillHello", owner, "hello").unwrap();
        assert!(fits(&vocabulary));
    }
}
