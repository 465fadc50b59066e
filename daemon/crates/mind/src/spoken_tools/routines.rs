//! Routines: what is done for a word of the owner's own, and the sentence that sets one: "when I say good night, turn everything off
//! and wake me at seven". Nothing here does a step.

use loquat_agent::turn::IntendedCall;
use loquat_orchestrator::frames::SKILL_ID;
use loquat_orchestrator::manifest::Recognised;
use loquat_phrases::Phrases;
use loquat_sentences::words::{Word, words_and_figures};
use loquat_skills::alerts::{self, Alerts, WhenWords};
use serde_json::{Map, json};

use super::deferred::{as_count, is_kept_already, said_words};
use super::triggered::splits;
use super::{MOST_WORDS, SpokenTools, Wish};

/// The intent of sentences that set one, and of steps.
pub(super) const INTENT: &str = "alerts.set_routine";

impl SpokenTools {
    /// What is done for these words, in order; a step that is understood no more is told of, and ends it.
    pub(super) fn routine(&self, text: &str, lang: &str) -> Option<Vec<Wish>> {
        let said = words_and_figures(text);
        let core = Phrases::of(lang).orders.core_of(&said);
        let known = self.things().get::<Alerts>();
        let steps = |said: &[Word]| {
            let said = said_words(said).join(" ");
            alerts::steps_for(&said, lang, self.locales(), known.as_deref())
        };
        let (steps, spoken) = steps(&said).or_else(|| steps(core))?;
        let mut wishes = Vec::new();
        for step in steps {
            let Some(calls) = self.calls_now(&step, &spoken) else {
                wishes.push(of_call(text, missed(&step)));
                break;
            };
            wishes.extend(calls.into_iter().map(|call| of_call(text, call)));
        }
        Some(wishes)
    }

    /// The calls of a sentence that is understood and lacks nothing.
    fn calls_now(&self, step: &str, lang: &str) -> Option<Vec<IntendedCall>> {
        let wishes = self.understood_now(step, lang);
        let calls = wishes.iter().map(|wish| self.whole_call(wish, lang));
        let calls: Vec<IntendedCall> = calls.collect::<Option<_>>()?;
        (!calls.is_empty()).then_some(calls)
    }

    /// A sentence that sets a routine.
    pub(super) fn sets_routine(&self, text: &str, lang: &str) -> Option<Wish> {
        let said = words_and_figures(text);
        if said.len() > MOST_WORDS {
            return None;
        }
        let place = WhenWords::when_i_say(&said_words(&said), lang, self.locales())?;
        let behind = said.get(place.end..).filter(|_| place.start == 0)?;
        splits(behind).into_iter().find_map(|at| {
            let (phrase, order) = behind.split_at_checked(at)?;
            // A comma ends the words that will be said.
            let (_, before) = phrase.split_last()?;
            if before.iter().any(|word| word.said.ends_with(',')) {
                return None;
            }
            let joined = |words: &[Word]| said_words(words).join(" ").trim_matches([',', ' ']).to_owned();
            let (phrase, order) = (joined(phrase), joined(order));
            // What stops is no word for anything else.
            let is_free = !phrase.is_empty() && !Phrases::of(lang).orders.stops(&phrase);
            let calls = self.calls_now(&order, lang).filter(|_| is_free)?;
            (!calls.iter().any(is_kept_already)).then(|| wish(&phrase, &order, &said))
        })
    }
}

fn wish(phrase: &str, order: &str, said: &[Word]) -> Wish {
    let arguments = [
        ("phrase".to_owned(), json!(phrase)),
        ("steps".to_owned(), json!([order])),
    ];
    let call = IntendedCall {
        toolbox_id: alerts::ID.to_owned(),
        tool: alerts::SET_ROUTINE.to_owned(),
        arguments: Map::from_iter(arguments),
        ..IntendedCall::default()
    };
    Wish {
        found: Recognised {
            slots: vec![("phrase".to_owned(), phrase.to_owned())],
            score: (1.0 / as_count(said.len().max(1))).max(0.9),
            ..of_call(phrase, call.clone()).found
        },
        call: Some(call),
    }
}

/// A call of a routine as what its word asks for.
fn of_call(text: &str, call: IntendedCall) -> Wish {
    Wish {
        call: Some(call),
        found: Recognised {
            skill_id: SKILL_ID.to_owned(),
            intent_name: INTENT.to_owned(),
            slots: vec![("phrase".to_owned(), text.to_owned())],
            score: 1.0,
        },
    }
}

fn missed(step: &str) -> IntendedCall {
    IntendedCall {
        toolbox_id: alerts::ID.to_owned(),
        tool: alerts::MISS_STEP.to_owned(),
        arguments: Map::from_iter([("text".to_owned(), json!(step))]),
        ..IntendedCall::default()
    }
}
