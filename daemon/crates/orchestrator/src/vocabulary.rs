//! Keywords that skills register on their own, word by word (Adapt's `register_vocab`), and the patterns among them.
//!
//! Each belongs to the skill that registered it, goes with it, and counts in its language. Bounded like all that
//! strangers register.

use std::sync::Arc;

use loquat_sentences::words::{Word, words};
use loquat_wire::text::primary_subtag;
use regex::{Regex, RegexBuilder};
use rpds::RedBlackTreeMapSync as Map;

use super::effort::spend;
use super::limits;

/// Types of keywords kept.
const KINDS: usize = 2000;

/// Patterns kept.
const PATTERNS: usize = 200;

/// Bytes of a pattern as it is written.
const PATTERN_LENGTH: usize = 1000;

/// Bytes that one pattern may take when it is read, and again while it is compared.
const PATTERN_SIZE: usize = 128 * 1024;

/// What a comparison of a pattern with so many bytes costs; one with a word costs one step.
const PATTERN_STEPS: u32 = 10_000;
const PATTERN_BYTES: usize = 64;

/// A sample of a keyword: its words as they are compared.
pub type Sample = Vec<String>;

/// What was registered, by the type of the keyword.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    kinds: Map<String, Vec<Arc<Group>>>,
}

/// Whose a part of the vocabulary is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The skill; empty where the frame does not say.
    pub skill_id: String,
    /// BCP-47; empty is every language.
    pub lang: String,
}

#[derive(Debug, Clone)]
struct Group {
    owner: Owner,
    samples: Vec<Sample>,
    patterns: Vec<Regex>,
}

/// Why something is not taken.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Refused {
    /// There are too many already.
    #[error("there are too many")]
    Full,
    /// Rust's patterns are not quite Python's.
    #[error("the pattern is too large, broken, or has no named group")]
    Pattern,
}

impl Vocabulary {
    /// A way to say a keyword in this language; none where it is registered as a pattern only.
    pub fn sample(&self, kind: &str, lang: &str) -> Option<String> {
        let groups = self.kinds.get(&of_any_case(kind))?.iter();
        let mut own = groups.filter(|group| same_language(&group.owner.lang, lang));
        own.find_map(|group| Some(group.samples.first()?.join(" ")))
    }

    /// Adds a way to say a keyword, and tells whether it is new.
    pub fn add(&mut self, kind: &str, owner: Owner, sample: &str) -> Result<bool, Refused> {
        let sample = compared(sample);
        let group = self.group(kind, owner)?;
        if group.samples.contains(&sample) {
            return Ok(false);
        }
        if group.samples.len() >= limits::SAMPLES {
            return Err(Refused::Full);
        }
        group.samples.push(sample);
        Ok(true)
    }

    /// Adds a pattern, whose named groups are types of keywords.
    pub fn add_pattern(&mut self, pattern: &str, owner: &Owner) -> Result<(), Refused> {
        let patterns = |skill_id: Option<&str>| -> usize {
            let groups = self.groups();
            let meant = groups.filter(|group| skill_id.is_none_or(|id| id == group.owner.skill_id));
            meant.map(|group| group.patterns.len()).sum()
        };
        if patterns(None) >= PATTERNS || patterns(Some(&owner.skill_id)) >= limits::share(PATTERNS) {
            return Err(Refused::Full);
        }
        if pattern.len() > PATTERN_LENGTH {
            return Err(Refused::Pattern);
        }
        let read = RegexBuilder::new(pattern)
            .case_insensitive(true)
            .size_limit(PATTERN_SIZE)
            .dfa_size_limit(PATTERN_SIZE)
            .build();
        let read = read.map_err(|_| Refused::Pattern)?;
        let kinds: Vec<&str> = read.capture_names().flatten().take(limits::KEYWORDS).collect();
        if kinds.is_empty() {
            return Err(Refused::Pattern);
        }
        for kind in kinds {
            let group = self.group(kind, owner.clone())?;
            let known = group.patterns.iter().any(|known| known.as_str() == pattern);
            if !known {
                group.patterns.push(read.clone());
            }
        }
        Ok(())
    }

    /// Forgets what a skill has registered, and tells whether that was anything. Some frames do not say whose they are; their
    /// types begin with the skill.
    pub fn forget(&mut self, skill_id: &str) -> bool {
        let plain = |letter: char| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '_'
            }
        };
        let prefix: String = skill_id.chars().map(plain).collect();
        let prefix = of_any_case(&prefix);
        let is_its = |kind: &str, owner: &Owner| {
            owner.skill_id == skill_id || (owner.skill_id.is_empty() && kind.starts_with(&prefix))
        };
        let touched = self
            .kinds
            .iter()
            .filter(|(kind, groups)| groups.iter().any(|group| is_its(kind, &group.owner)));
        let touched: Vec<(String, Vec<Arc<Group>>)> = touched
            .map(|(kind, groups)| (kind.clone(), groups.clone()))
            .collect();
        let any = !touched.is_empty();
        for (kind, mut groups) in touched {
            groups.retain(|group| !is_its(&kind, &group.owner));
            if groups.is_empty() {
                self.kinds.remove_mut(&kind);
            } else {
                self.kinds.insert_mut(kind, groups);
            }
        }
        any
    }

    /// Roughly the memory that each skill's part needs; a skill may have several.
    pub fn weights(&self) -> impl Iterator<Item = (&String, usize)> {
        self.groups().map(|Group { owner, samples, .. }| {
            let samples = samples.iter().map(|sample| limits::weight_of_words(sample));
            (&owner.skill_id, samples.sum())
        })
    }

    /// The longest way to say a keyword that occurs in the utterance, as it was said, and how many words it has.
    pub fn occurrence(
        &self,
        kind: &str,
        said: &[Word],
        lang: &str,
        steps_left: &mut u32,
    ) -> Option<(String, usize)> {
        let groups = self.kinds.get(&of_any_case(kind))?.iter();
        let spoken = groups.filter(|group| same_language(&group.owner.lang, lang));
        let mut longest = None;
        for group in spoken {
            let sample = among(&group.samples, said, steps_left);
            let patterns = group.patterns.iter();
            let captured = patterns.filter_map(|pattern| captured(pattern, kind, said, steps_left));
            let found = sample.into_iter().chain(captured).chain(longest.take());
            longest = found.max_by_key(|(_, length)| *length);
        }
        longest
    }

    fn groups(&self) -> impl Iterator<Item = &Group> {
        self.kinds.values().flatten().map(AsRef::as_ref)
    }

    fn group(&mut self, kind: &str, owner: Owner) -> Result<&mut Group, Refused> {
        let kind = &of_any_case(kind);
        let known = self.kinds.get(kind);
        let at = known.and_then(|groups| groups.iter().position(|group| group.owner == owner));
        if at.is_none() && !self.has_room(kind, &owner.skill_id) {
            return Err(Refused::Full);
        }
        if known.is_none() {
            self.kinds.insert_mut(kind.clone(), Vec::new());
        }
        let groups = self.kinds.get_mut(kind).ok_or(Refused::Full)?;
        let at = at.unwrap_or_else(|| {
            groups.push(Arc::new(Group {
                owner,
                samples: Vec::new(),
                patterns: Vec::new(),
            }));
            groups.len() - 1
        });
        groups.get_mut(at).map(Arc::make_mut).ok_or(Refused::Full)
    }

    /// Tells whether a skill may have one more group of this kind. Its languages count together: anybody can
    /// name any.
    fn has_room(&self, kind: &str, skill_id: &str) -> bool {
        let own = |groups: &Vec<Arc<Group>>| {
            let own = groups.iter().filter(|group| group.owner.skill_id == skill_id);
            own.count()
        };
        let there = self.kinds.get(kind);
        let here = there.map_or(0, own);
        let known = there.map_or(0, Vec::len);
        let kinds = || self.kinds.values().filter(|groups| own(groups) > 0).count();
        known < limits::KEYWORDS
            && here < limits::share(limits::KEYWORDS)
            && (there.is_some() || self.kinds.size() < KINDS)
            && (here > 0 || kinds() < limits::share(KINDS))
    }
}

/// Makes a sample as it is compared.
pub fn compared(sample: &str) -> Sample {
    words(sample).into_iter().map(|word| word.plain).collect()
}

/// Tells whether something registered in one language is for an utterance in another; none is for all.
pub fn same_language(registered: &str, lang: &str) -> bool {
    registered.is_empty() || primary_subtag(registered) == primary_subtag(lang)
}

/// Finds the longest of the samples that occurs in the utterance, as it was said, and counts its words.
pub fn among(samples: &[Sample], said: &[Word], steps_left: &mut u32) -> Option<(String, usize)> {
    let cost = u32::try_from(said.len()).unwrap_or(u32::MAX).max(1);
    let found = samples.iter().filter_map(|sample| {
        spend(steps_left, cost)?;
        occurs(sample, said)
    });
    found.max_by_key(|(_, length)| *length)
}

fn occurs(sample: &[String], said: &[Word]) -> Option<(String, usize)> {
    if sample.is_empty() {
        return None;
    }
    let equal = |window: &&[Word]| window.iter().zip(sample).all(|(said, word)| said.plain == *word);
    let window = said.windows(sample.len()).find(equal)?;
    Some((joined(window), sample.len()))
}

/// Lowers a kind, since stock skills spell it in one way where they tell its words and in another where they
/// ask for it.
fn of_any_case(kind: &str) -> String {
    kind.to_ascii_lowercase()
}

fn captured(pattern: &Regex, kind: &str, said: &[Word], steps_left: &mut u32) -> Option<(String, usize)> {
    let text = joined(said);
    let pieces = u32::try_from(text.len() / PATTERN_BYTES).unwrap_or(u32::MAX);
    spend(steps_left, PATTERN_STEPS.saturating_mul(pieces.saturating_add(1)))?;
    let mut names = pattern.capture_names().flatten();
    let name = names.find(|name| name.eq_ignore_ascii_case(kind))?;
    let found = pattern.captures(&text)?.name(name)?.as_str().trim().to_owned();
    let length = words(&found).len();
    (length > 0).then_some((found, length))
}

fn joined(said: &[Word]) -> String {
    let words: Vec<&str> = said.iter().map(|word| word.said.as_str()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::effort::Effort;
    use super::*;

    fn owner(skill_id: &str, lang: &str) -> Owner {
        Owner {
            skill_id: skill_id.into(),
            lang: lang.into(),
        }
    }

    fn found(vocabulary: &Vocabulary, kind: &str, said: &str, lang: &str) -> Option<String> {
        let found = vocabulary.occurrence(kind, &words(said), lang, &mut Effort::WHOLE.words.clone());
        found.map(|(text, _)| text)
    }

    #[test]
    fn words_count_in_their_language_and_go_with_their_skill() {
        let mut vocabulary = Vocabulary::default();
        for (skill, lang, sample) in [
            ("lamp.skill", "en-US", "reading lamp"),
            ("lamp.skill", "de-DE", "Leselampe"),
            ("", "", "light"),
            ("other", "en-US", "torch"),
        ] {
            vocabulary
                .add("lamp_skillLamp", owner(skill, lang), sample)
                .unwrap();
        }
        assert_eq!(
            found(&vocabulary, "lamp_skillLamp", "The Reading Lamp!", "en-GB").unwrap(),
            "Reading Lamp"
        );
        assert_eq!(found(&vocabulary, "lamp_skillLamp", "Leselampe", "en-GB"), None);
        assert_eq!(
            found(&vocabulary, "lamp_skillLamp", "light", "de-DE").unwrap(),
            "light"
        );
        vocabulary.forget("lamp.skill");
        assert_eq!(
            found(&vocabulary, "lamp_skillLamp", "reading lamp light", "en-US"),
            None
        );
        assert_eq!(
            found(&vocabulary, "lamp_skillLamp", "torch", "en-US").unwrap(),
            "torch"
        );
        vocabulary.forget("other");
        assert_eq!(vocabulary.weights().count(), 0);
    }

    #[test]
    fn a_pattern_captures_what_stands_in_its_group() {
        let mut vocabulary = Vocabulary::default();
        let pattern = r"(weather|forecast) (in|at) (?P<skillPlace>.*)";
        vocabulary.add_pattern(pattern, &owner("skill", "en-US")).unwrap();
        assert_eq!(
            found(&vocabulary, "skillPlace", "The weather in Old Town?", "en-US").unwrap(),
            "Old Town"
        );
        assert_eq!(found(&vocabulary, "skillPlace", "The weather", "en-US"), None);
        vocabulary.forget("skill");
        assert_eq!(found(&vocabulary, "skillPlace", "weather in Rome", "en-US"), None);
    }

    #[test]
    fn what_is_too_much_is_refused() {
        let mut vocabulary = Vocabulary::default();
        for broken in ["(?P<x>", "plain", r"(?P<x>\w{5000})", "(?P<x>a)(?!b)"] {
            assert_eq!(
                vocabulary.add_pattern(broken, &owner("s", "")),
                Err(Refused::Pattern),
                "{broken}"
            );
        }
        let full = Err(Refused::Full);
        for number in 0..PATTERNS {
            let skill = owner(&format!("s{}", number / limits::share(PATTERNS)), "");
            let pattern = format!("(?P<k>a{number})");
            assert_eq!(vocabulary.add_pattern(&pattern, &skill), Ok(()));
        }
        assert_eq!(vocabulary.add_pattern("(?P<k>b)", &owner("late", "")), full);
        vocabulary.forget("s0");
        assert_eq!(
            vocabulary.add_pattern("(?P<k>b)", &owner("s1", "")),
            full,
            "its share"
        );
        assert_eq!(vocabulary.add_pattern("(?P<k>b)", &owner("late", "")), Ok(()));
        let mut steps = Effort::WHOLE.words;
        assert_eq!(vocabulary.occurrence("k", &words("b"), "en", &mut steps), None);
        assert!(
            steps < PATTERN_STEPS,
            "an utterance is not compared with all of them"
        );

        for number in 0..limits::SAMPLES {
            vocabulary
                .add("kind", owner("s", ""), &number.to_string())
                .unwrap();
        }
        assert_eq!(vocabulary.add("kind", owner("s", ""), "more"), Err(Refused::Full));
        for number in 0..KINDS - 2 {
            let skill = owner(&format!("k{}", number / limits::share(KINDS)), "");
            vocabulary.add(&format!("kind{number}"), skill, "x").unwrap();
        }
        assert_eq!(vocabulary.add("another", owner("s", ""), "x"), Err(Refused::Full));
        vocabulary.forget("k1");
        assert_eq!(
            vocabulary.add("another", owner("k0", ""), "x"),
            Err(Refused::Full),
            "its share"
        );
        assert_eq!(vocabulary.add("another", owner("s", ""), "x"), Ok(true));
        assert_eq!(vocabulary.add("kind", owner("other", ""), "x"), Ok(true));
    }

    #[test]
    fn one_skill_does_not_fill_a_kind_of_many() {
        let mut vocabulary = Vocabulary::default();
        let langs = (0..limits::KEYWORDS).map(|number| format!("x{number}"));
        let taken = langs.filter(|lang| vocabulary.add("kind", owner("greedy", lang), "x").is_ok());
        assert_eq!(taken.count(), limits::share(limits::KEYWORDS));
        assert_eq!(vocabulary.add("kind", owner("modest", "en"), "x"), Ok(true));

        // Nor has it a part in more kinds than its share because others had them first.
        for number in 0..limits::share(KINDS) {
            let kind = format!("kind{number}");
            vocabulary.add(&kind, owner("modest", ""), "x").ok();
            vocabulary.add(&kind, owner("greedy", ""), "x").ok();
        }
        let full = Err(Refused::Full);
        assert_eq!(vocabulary.add("late", owner("other", ""), "x"), Ok(true));
        assert_eq!(vocabulary.add("late", owner("greedy", ""), "x"), full);
    }
}
