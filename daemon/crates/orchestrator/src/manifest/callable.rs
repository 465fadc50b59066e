//! The intents as a program can call them: with words in their gaps instead of an utterance. What skills wrote is
//! bounded here; nothing is sent.

use loquat_sentences::Utterance;
use loquat_wire::{Session, topic};
use serde_json::{Map, Value};

use super::recognition::Spoken;
use super::{Intent, IntentKey, Manifest, Means, slots, without_brackets};
use crate::effort::Effort;
use crate::keyword::{Keyword, KeywordIntent, Samples};
use crate::skill_id::SKILL_ID;

/// Sentences that are told of an intent.
const EXAMPLES: usize = 3;

/// Characters of a sentence, a keyword or a value that is told.
const LONGEST_TOLD: usize = 80;

/// Ways to say a template that are looked at.
const WAYS: usize = 32;

/// Gaps of an intent that is called; one with more is no sentence that a program could word.
const GAPS: usize = 8;

/// Values that are told of a gap, and ways to say a keyword.
const VALUES: usize = 4;

/// An intent that can be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callable {
    /// The intent is this skill's.
    pub skill_id: String,
    /// The skill calls the intent so.
    pub intent_name: String,
    /// Sentences that it understands, with their gaps as `{name}`.
    pub examples: Vec<String>,
    /// How the caller says what is meant.
    pub wording: Wording,
}

/// How the caller of an intent says what is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wording {
    /// The call brings words for the gaps of its sentences.
    Gaps(Vec<Gap>),
    /// With a sentence that holds its keywords.
    Sentence,
}

/// A gap in the sentences of an intent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// Its name.
    pub name: String,
    /// Whether no sentence can be said without it.
    pub is_required: bool,
    /// Some of the values that are known of it.
    pub values: Vec<String>,
}

/// What is said to a skill for an intent that is called.
#[derive(Debug, Clone, PartialEq)]
pub struct Worded {
    /// The sentence would be said so.
    pub utterance: String,
    /// What fills its gaps.
    pub slots: Map<String, Value>,
    /// Whether the skill reads its slots beside the utterance.
    pub is_older: bool,
    /// Whether the skill may send the end marker itself.
    pub may_end_itself: bool,
}

/// Why an intent is not called.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unworded {
    /// Its skill has gone, or has taken it back.
    #[error("the skill is not there any more, or does not offer this now")]
    Gone,
    /// There is no sentence without the gaps that were left open.
    #[error("the skill needs more to go on: {0}")]
    Open(String),
    /// The intent does not understand the sentence.
    #[error("the skill does not understand this sentence; it understands, for example: {0}")]
    NotUnderstood(String),
}

impl Manifest {
    /// Lists the intents of other skills that can be called in this language and session, in the order of
    /// their ids.
    pub fn callable(&self, lang: &str, session: &Session) -> Vec<Callable> {
        let mut found: Vec<Callable> = Vec::new();
        for (key, intent) in &self.intents {
            let is_known = found.last().is_some_and(|last: &Callable| {
                last.skill_id == key.skill_id && last.intent_name == key.intent_name
            });
            if !is_known && is_offered(key, intent, lang, session) {
                found.extend(self.described(key, intent, lang));
            }
        }
        found
    }

    /// Words what the skill is told for an intent that is called with these arguments.
    pub fn worded(
        &self,
        skill_id: &str,
        intent_name: &str,
        lang: &str,
        session: &Session,
        arguments: &Map<String, Value>,
    ) -> Result<Worded, Unworded> {
        let meant = self.intents.iter().find(|(key, intent)| {
            key.skill_id == skill_id
                && key.intent_name == intent_name
                && is_offered(key, intent, lang, session)
        });
        let (key, intent) = meant.ok_or(Unworded::Gone)?;
        let (utterance, slots) = match &*intent.means {
            Means::Templates { .. } => filled(&intent.means, arguments)?,
            Means::Keywords(keywords) => {
                let said = text(arguments, "utterance").unwrap_or_default();
                let spoken = Spoken {
                    said: &Utterance::of(&said),
                    lang,
                    session,
                };
                let fit = self.fit(key, intent, spoken, &mut Effort::LITTLE.clone());
                let recognised =
                    fit.ok_or_else(|| Unworded::NotUnderstood(self.keyword_example(keywords, lang)))?;
                (said, slots(&recognised.slots))
            }
        };
        Ok(Worded {
            utterance,
            slots,
            is_older: self.is_older(skill_id),
            may_end_itself: !self.is_modern(skill_id),
        })
    }

    fn described(&self, key: &IntentKey, intent: &Intent, lang: &str) -> Option<Callable> {
        let (examples, wording) = match &*intent.means {
            Means::Templates { .. } => {
                let ways = ways(&intent.means);
                let gaps = self.gaps(key, &ways)?;
                let examples = ways.iter().take(EXAMPLES).map(|way| told(way));
                (examples.collect(), Wording::Gaps(gaps))
            }
            Means::Keywords(keywords) => (vec![self.keyword_example(keywords, lang)], Wording::Sentence),
        };
        Some(Callable {
            skill_id: key.skill_id.clone(),
            intent_name: key.intent_name.clone(),
            examples,
            wording,
        })
    }

    /// Lists the gaps of an intent; nothing where there are too many, or no sentence at all.
    fn gaps(&self, key: &IntentKey, ways: &[String]) -> Option<Vec<Gap>> {
        let each: Vec<Vec<&str>> = ways.iter().map(|way| gaps_of(way)).collect();
        let mut names: Vec<&str> = each.iter().flatten().copied().collect();
        names.sort_unstable();
        names.dedup();
        let is_name = |name: &&str| {
            let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            name.len() <= LONGEST_TOLD && name.chars().all(plain)
        };
        if ways.is_empty() || names.len() > GAPS || !names.iter().all(is_name) {
            return None;
        }
        let gap = |name: &str| Gap {
            name: name.to_owned(),
            is_required: each.iter().all(|gaps| gaps.contains(&name)),
            values: self.values_of(key, name),
        };
        Some(names.into_iter().map(gap).collect())
    }

    fn values_of(&self, intent: &IntentKey, gap: &str) -> Vec<String> {
        let mut values: Vec<&String> = self.known_values(intent, gap).into_iter().flatten().collect();
        values.sort_unstable();
        values.into_iter().take(VALUES).map(|value| told(value)).collect()
    }

    /// Names the keywords that have to be said, in the order in which they were registered.
    fn keyword_example(&self, intent: &KeywordIntent, lang: &str) -> String {
        let first = |keyword: &Keyword| match &keyword.samples {
            Samples::Inline(samples) => samples.first().map(|sample| sample.join(" ")),
            Samples::Vocabulary(kind) => self.vocabulary.sample(kind, lang),
        };
        let required = intent.required.iter();
        let groups = intent.one_of.iter().filter_map(|group| group.first());
        let said: Vec<String> = required
            .chain(groups)
            .map(|keyword| first(keyword).unwrap_or_else(|| keyword.name.clone()))
            .collect();
        told(&said.join(" "))
    }
}

fn is_offered(key: &IntentKey, intent: &Intent, lang: &str, session: &Session) -> bool {
    let denied = |field: &str, value: &str| session.texts(field).contains(&value);
    key.skill_id != SKILL_ID
        && intent.enabled
        && key.is_for(lang, session.id())
        && intent.gate.is_open(session)
        && !denied("blacklisted_skills", &key.skill_id)
        && !denied(
            "blacklisted_intents",
            &topic::dispatch(&key.skill_id, &key.intent_name),
        )
}

/// Lists the sentences of an intent without brackets.
fn ways(means: &Means) -> Vec<String> {
    let Means::Templates { samples, .. } = means else {
        return Vec::new();
    };
    let first = samples.get(..WAYS).unwrap_or(samples);
    without_brackets(first, WAYS).take(WAYS * 4).collect()
}

/// Chooses the sentence that uses most of what was given, and gives what fills its gaps.
fn filled(means: &Means, arguments: &Map<String, Value>) -> Result<(String, Map<String, Value>), Unworded> {
    let ways = ways(means);
    let given = |gap: &&str| text(arguments, gap).is_some();
    let sayable = ways.iter().filter(|way| gaps_of(way).iter().all(&given));
    // Of equally good ones the first, as the skill has them.
    let best = sayable.rev().max_by_key(|way| gaps_of(way).len());
    let way = best.ok_or_else(|| Unworded::Open(ways.first().map(|way| told(way)).unwrap_or_default()))?;
    let mut sentence = way.clone();
    let mut slots = Map::new();
    for gap in gaps_of(way) {
        let words = text(arguments, gap).unwrap_or_default();
        sentence = sentence.replace(&format!("{{{gap}}}"), &words);
        slots.insert(gap.to_owned(), Value::from(words));
    }
    Ok((sentence, slots))
}

/// Lists the names of the gaps in a sentence.
fn gaps_of(way: &str) -> Vec<&str> {
    let opened = way.split('{').skip(1);
    opened.filter_map(|rest| Some(rest.split_once('}')?.0)).collect()
}

/// Reads an argument as words on one line.
fn text(arguments: &Map<String, Value>, name: &str) -> Option<String> {
    let text = match arguments.get(name)? {
        Value::String(text) => text.split(['{', '}', '\n', '\r']).collect::<Vec<_>>().join(" "),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Shortens what a skill wrote to its beginning, on one line.
fn told(text: &str) -> String {
    let plain = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter });
    plain.take(LONGEST_TOLD).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::notes::Gate;
    use crate::vocabulary::Owner;

    fn key(skill_id: &str, intent_name: &str) -> IntentKey {
        IntentKey {
            skill_id: skill_id.into(),
            intent_name: intent_name.into(),
            lang: "en-US".into(),
            session_id: "default".into(),
        }
    }

    fn manifest() -> Manifest {
        let mut manifest = Manifest::default();
        let samples = [
            "put the (kettle|pot) on",
            "put the kettle on in {minutes} minutes",
        ];
        let samples = samples.map(str::to_owned).to_vec();
        manifest.register(
            key("kettle", "on"),
            Means::templates(samples, Vec::new()),
            Gate::default(),
        );
        let owner = Owner {
            skill_id: "lamp".into(),
            lang: "en-US".into(),
        };
        manifest
            .add_vocabulary("lampLamp", owner, "reading lamp")
            .unwrap();
        let lamp = Keyword {
            name: "Lamp".into(),
            samples: Samples::Vocabulary("lampLamp".into()),
        };
        let keywords = KeywordIntent {
            required: vec![lamp],
            ..KeywordIntent::default()
        };
        manifest.register(key("lamp", "switch"), Means::Keywords(keywords), Gate::default());
        manifest.register(
            key("loquat", "chat"),
            Means::templates(vec!["hello".into()], Vec::new()),
            Gate::default(),
        );
        manifest
    }

    fn said((skill_id, intent_name): (&str, &str), arguments: &Value) -> Result<(String, Value), Unworded> {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        let session = Session::named("kitchen");
        let worded = manifest().worded(skill_id, intent_name, "en-US", &session, &arguments)?;
        Ok((worded.utterance, Value::Object(worded.slots)))
    }

    #[test]
    fn the_intents_of_other_skills_can_be_called() {
        let callable = manifest().callable("en-GB", &Session::default());
        let [kettle, lamp] = &callable[..] else {
            panic!("two, and none of ours: {callable:?}");
        };
        assert_eq!(kettle.examples[0], "put the kettle on");
        let Wording::Gaps(gaps) = &kettle.wording else {
            panic!("gaps");
        };
        assert_eq!((gaps[0].name.as_str(), gaps[0].is_required), ("minutes", false));
        assert_eq!(
            (lamp.examples[0].as_str(), &lamp.wording),
            ("reading lamp", &Wording::Sentence)
        );
        assert!(manifest().callable("de-DE", &Session::default()).is_empty());
        let mut denies = Session::default();
        denies.insert("blacklisted_intents", json!(["kettle:on"]));
        denies.insert("blacklisted_skills", json!(["lamp"]));
        assert!(manifest().callable("en-US", &denies).is_empty());
    }

    #[test]
    fn gaps_make_a_sentence() {
        let plain = said(("kettle", "on"), &json!({})).unwrap();
        assert_eq!(plain, ("put the kettle on".into(), json!({})));
        let (sentence, slots) = said(("kettle", "on"), &json!({"minutes": 5, "other": "x"})).unwrap();
        assert_eq!(sentence, "put the kettle on in 5 minutes");
        assert_eq!(slots, json!({"minutes": "5"}));
        let (sentence, _) = said(("kettle", "on"), &json!({"minutes": "{minutes}\nx"})).unwrap();
        assert_eq!(sentence, "put the kettle on in minutes  x minutes");
    }

    #[test]
    fn a_sentence_has_to_hold_the_keywords() {
        let (sentence, slots) = said(("lamp", "switch"), &json!({"utterance": "reading lamp on"})).unwrap();
        assert_eq!(
            (sentence.as_str(), slots),
            ("reading lamp on", json!({"Lamp": "reading lamp"}))
        );
        let error = said(("lamp", "switch"), &json!({"utterance": "make some tea"})).unwrap_err();
        assert!(error.to_string().contains("reading lamp"), "{error}");
        assert_eq!(said(("gone", "x"), &json!({})), Err(Unworded::Gone));
    }

    #[test]
    fn what_skills_wrote_is_bounded() {
        let mut manifest = Manifest::default();
        let long = format!("do\u{7} this {}", "now ".repeat(100));
        manifest.register(
            key("a", "b"),
            Means::templates(vec![long], Vec::new()),
            Gate::default(),
        );
        let many: Vec<String> = (0..20).map(|n| format!("say {{gap{n}}}")).collect();
        manifest.register(
            key("a", "many"),
            Means::templates(many, Vec::new()),
            Gate::default(),
        );
        let callable = manifest.callable("en-US", &Session::default());
        assert_eq!(callable.len(), 1);
        assert!(callable[0].examples[0].chars().count() <= LONGEST_TOLD);
    }
}
