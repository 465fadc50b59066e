//! A sentence with what it waits for: "when the front door is open, turn on the hall light", "tell me when the window is closed".
//! What is waited for is a statement of a skill that can tell whether it is so; a question about the home that is understood
//! without a brain and answered with yes or no, said as a statement; or a message that the owner's settings name. Nothing here waits.

use loquat_agent::turn::IntendedCall;
use loquat_orchestrator::frames::SKILL_ID;
use loquat_orchestrator::manifest::Recognised;
use loquat_sentences::words::{Word, words_and_figures};
use loquat_skills::alerts::{self, Condition, Messages, WhenWords};
use loquat_skills::{help, home};
use serde_json::{Map, Value};

use super::deferred::{as_count, is_kept_already, said_words};
use super::{MOST_WORDS, SpokenTools, Wish, foreseen};

/// The intent of all of them.
pub(super) const INTENT: &str = "alerts.do_when";

/// Words such as "when" of one sentence that are tried.
const MOST_WHENS: usize = 2;

/// Places in a sentence at which what is waited for may end.
const MOST_SPLITS: usize = 12;

impl SpokenTools {
    /// The sentence as one that waits for something, and how many of its words are foreseen.
    pub(super) fn triggered(&self, text: &str, lang: &str) -> Option<(Wish, f64)> {
        let said = words_and_figures(text);
        if said.len() > MOST_WORDS {
            return None;
        }
        let found = WhenWords::in_words(&said_words(&said), lang, self.locales());
        found.into_iter().take(MOST_WHENS).find_map(|(place, always)| {
            let (before, behind) = (said.get(..place.start)?, said.get(place.end..)?);
            self.waiting((before, behind), always, lang)
        })
    }

    fn waiting(&self, (before, behind): (&[Word], &[Word]), always: bool, lang: &str) -> Option<(Wish, f64)> {
        if !before.is_empty() {
            return self.waits_for(behind, before, always, lang);
        }
        splits(behind).into_iter().find_map(|at| {
            let (event, order) = behind.split_at_checked(at)?;
            self.waits_for(event, order, always, lang)
        })
    }

    fn waits_for(&self, event: &[Word], order: &[Word], always: bool, lang: &str) -> Option<(Wish, f64)> {
        let joined = |words: &[Word]| said_words(words).join(" ").trim_matches([',', ' ']).to_owned();
        let (event_words, command) = (joined(event), joined(order));
        if event_words.is_empty() || command.is_empty() {
            return None;
        }
        if self.event(&event_words, lang).is_none() {
            let found = self.of_no_home(&event_words, lang)?;
            let words = as_count(event.len() + order.len() + 1);
            return Some((Wish { found, call: None }, words));
        }
        let (command, known) = if WhenWords::says_so(&command, lang, self.locales()) {
            (String::new(), as_count(order.len()))
        } else {
            let wishes = self.understood_now(&command, lang);
            let calls: Option<Vec<IntendedCall>> =
                wishes.iter().map(|wish| self.whole_call(wish, lang)).collect();
            if wishes.is_empty() || calls?.iter().any(is_kept_already) {
                return None;
            }
            let known = wishes
                .iter()
                .map(|wish| foreseen(&wish.found, order))
                .sum::<f64>();
            (command, known.min(as_count(order.len())))
        };
        let words = known + as_count(event.len() + 1);
        Some((wish(&event_words, &command, always), words))
    }

    /// Whether words say something that can be waited for.
    fn event(&self, words: &str, lang: &str) -> Option<()> {
        let is_message = self.message(words).is_some();
        (is_message || self.question_whether(words, lang).is_some()).then_some(())
    }

    /// The message that is called so.
    pub(super) fn message(&self, words: &str) -> Option<Condition> {
        self.things().get::<Messages>()?.called(words)
    }

    /// The call that tells whether something is so, of a statement that it is.
    pub(super) fn question_whether(&self, statement: &str, lang: &str) -> Option<IntendedCall> {
        let is_awaited = |intent: &str| intent != help::NO_HOME && self.awaited.contains(intent);
        let awaited = self.among(statement, lang, &is_awaited);
        let looks = |found: &Recognised| {
            let call = self.called_by_ours(found, lang)?;
            (!self.acts(call.clone())).then_some(call)
        };
        awaited.as_ref().and_then(looks).or_else(|| {
            let said = words_and_figures(statement);
            let turned = WhenWords::as_questions(&said_words(&said), lang, self.locales());
            let asked = std::iter::once(statement.to_owned()).chain(turned);
            asked.into_iter().find_map(|text| {
                let found = self.among(&text, lang, &|intent| home::YES_OR_NO.contains(&intent))?;
                looks(&found)
            })
        })
    }

    /// What tells the way to a home, of a statement about one where there is none.
    fn of_no_home(&self, statement: &str, lang: &str) -> Option<Recognised> {
        self.among(statement, lang, &|intent| intent == help::NO_HOME)
    }
}

/// Where what is waited for may end: behind a comma, or else anywhere.
pub(super) fn splits(words: &[Word]) -> Vec<usize> {
    let commas = words
        .iter()
        .enumerate()
        .filter(|(_, word)| word.said.ends_with(','));
    let commas: Vec<usize> = commas.map(|(at, _)| at + 1).collect();
    if commas.is_empty() {
        (1..words.len()).take(MOST_SPLITS).collect()
    } else {
        commas.into_iter().take(MOST_SPLITS).collect()
    }
}

fn wish(event: &str, command: &str, always: bool) -> Wish {
    let slots = vec![
        ("event".to_owned(), event.to_owned()),
        ("command".to_owned(), command.to_owned()),
    ];
    let said = slots.iter().filter(|(_, said)| !said.is_empty());
    let mut arguments: Map<String, Value> = said
        .map(|(name, said)| (name.clone(), Value::from(said.as_str())))
        .collect();
    if always {
        arguments.insert("always".to_owned(), Value::from(true));
    }
    Wish {
        call: Some(IntendedCall {
            toolbox_id: alerts::ID.to_owned(),
            tool: alerts::DO_WHEN.to_owned(),
            arguments,
            ..IntendedCall::default()
        }),
        found: Recognised {
            skill_id: SKILL_ID.to_owned(),
            intent_name: INTENT.to_owned(),
            slots,
            score: 1.0,
        },
    }
}
