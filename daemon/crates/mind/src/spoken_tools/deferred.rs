//! A sentence with a moment beside it: "turn off the fan in 20 minutes", "every morning at seven tell me the weather". The sentence
//! is one that is understood without the moment, by whatever skill, and is to be done then.
//!
//! A moment that the sentence itself has room for is left to it, and so is one inside of a person's own words. Nothing here does
//! anything, and nothing is deferred twice.

use std::ops::Range;

use loquat_agent::turn::IntendedCall;
use loquat_orchestrator::frames::SKILL_ID;
use loquat_orchestrator::manifest::Recognised;
use loquat_phrases::Phrases;
use loquat_sentences::words::{Word, words_and_figures};
use loquat_skills::alerts::{self, Moments, SaidMoment};
use loquat_skills::{intercom, lists, memory};
use serde_json::Value;

use super::kinds::is_of_kinds;
use super::{MOST_WORDS, NO_WORD, OF_PACK, Own, SpokenTools, Wish, foreseen};

/// The intent of all of them.
pub(super) const INTENT: &str = "alerts.do_later";

/// The gap of a sentence that is done then.
const COMMAND: &str = "command";

/// Toolboxes that keep a person's own words: a time at the end of these is a part of them.
const KEEPING_WORDS: [&str; 4] = [lists::ID, memory::ID, alerts::ID, intercom::ID];

/// A moment of a sentence: its words, and what was said.
struct Taken {
    words: Vec<Range<usize>>,
    moment: SaidMoment,
}

impl SpokenTools {
    /// The sentence as one that is done at another time, and how many of its words are foreseen.
    pub(super) fn deferred(&self, text: &str, lang: &str) -> Option<(Wish, f64)> {
        let said = words_and_figures(text);
        if said.len() > MOST_WORDS {
            return None;
        }
        let moments = Moments::in_words(&said_words(&said), lang, self.locales());
        let taken = choices(&moments);
        taken
            .into_iter()
            .find_map(|taken| self.deferred_to(&said, &taken, lang))
    }

    /// The calls that a sentence makes: nothing where it is not understood, and none where it lacks something.
    pub(super) fn calls_of(&self, text: &str, lang: &str) -> Option<Vec<IntendedCall>> {
        let wishes = self.understood(text, lang);
        if wishes.is_empty() {
            return None;
        }
        let calls = wishes.iter().map(|wish| self.whole_call(wish, lang));
        let calls = calls.collect::<Option<Vec<_>>>().unwrap_or_default();
        Some(calls.into_iter().flat_map(IntendedCall::apart).collect())
    }

    /// The call of a wish that lacks nothing.
    pub(super) fn whole_call(&self, wish: &Wish, lang: &str) -> Option<IntendedCall> {
        let call = self.called(wish, lang)?;
        let is_whole = self.intents.answer_to(&wish.found.intent_name, &call).is_none();
        is_whole.then_some(call)
    }

    fn deferred_to(&self, said: &[Word], taken: &Taken, lang: &str) -> Option<(Wish, f64)> {
        let is_taken = |at: &usize| taken.words.iter().any(|words| words.contains(at));
        let rest: Vec<Word> = (0..said.len())
            .filter(|at| !is_taken(at))
            .filter_map(|at| said.get(at).cloned())
            .collect();
        let command = said_words(&rest).join(" ");
        let command = command.trim_matches([',', ' ']).to_owned();
        let wishes = self.understood_now(&command, lang);
        if wishes.is_empty() || wishes.iter().any(is_of_kinds) {
            return None;
        }
        let calls: Vec<IntendedCall> = wishes
            .iter()
            .map(|wish| self.whole_call(wish, lang))
            .collect::<Option<_>>()?;
        let place = Standing::of(&taken.words, said.len());
        let is_fit = wishes.iter().zip(&calls).all(|(wish, call)| {
            !is_kept_already(call)
                && !has_its_moment(call)
                && self.may_wait(wish, call, (place, &taken.moment), (&command, lang))
        });
        if !is_fit {
            return None;
        }
        let words: f64 = wishes
            .iter()
            .map(|wish| foreseen(&wish.found, &rest))
            .sum::<f64>()
            .min(as_count(rest.len()));
        let words = words + as_count(said.len() - rest.len());
        Some((wish(&command, &taken.moment, words / as_count(said.len())), words))
    }

    /// Whether a wish with a moment beside it is one that waits until then.
    fn may_wait(
        &self,
        wish: &Wish,
        call: &IntendedCall,
        (place, moment): (Standing, &SaidMoment),
        (command, lang): (&str, &str),
    ) -> bool {
        let open = self.open_words(wish, lang);
        // What is remembered may be any words, also such as no other gap takes.
        let own = if call.toolbox_id == memory::ID {
            wish.found.slots.iter().map(|(_, said)| said.clone()).collect()
        } else {
            open
        };
        if !own.is_empty() && place == Standing::Inside {
            return false;
        }
        let ends_open = own.iter().any(|own| command.ends_with(own.as_str()));
        if ends_open && place == Standing::Behind && KEEPING_WORDS.contains(&call.toolbox_id.as_str()) {
            return false;
        }
        if self.acts(call.clone()) || moment.is_repeated() {
            return true;
        }
        // What only looks is asked about that moment, unless the person wants to be told then, or it is an order to something
        // that knows no other moment than now: a coin is flipped then.
        let tells = Moments::begins_with_telling(command, lang, self.locales());
        let asks = || Phrases::known(lang).is_none_or(|phrases| phrases.asking.is_question(command));
        tells && place == Standing::Before || (tells || !asks()) && !self.intents.looks_at_times(call)
    }

    /// What of a sentence are words of the person's own.
    fn open_words(&self, wish: &Wish, lang: &str) -> Vec<String> {
        let name = &wish.found.intent_name;
        let is_of_pack = name.starts_with(OF_PACK);
        let takes_anything = |slot: &str| self.intents.takes(name, lang, slot, NO_WORD);
        let slots = wish.found.slots.iter();
        let open = slots.filter(|(slot, _)| {
            if is_of_pack {
                wish.found.score < 1.0
            } else {
                takes_anything(slot)
            }
        });
        open.map(|(_, said)| said.clone()).collect()
    }
}

/// Where a moment stands in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Before,
    Behind,
    Inside,
}

impl Standing {
    /// Of moments in several places the last one counts: what stands before the order is never a part of it.
    fn of(words: &[Range<usize>], count: usize) -> Self {
        let is_before = words.iter().all(|words| words.start == 0);
        let is_around = words.iter().all(|words| words.start == 0 || words.end == count);
        match (is_before, is_around) {
            (true, _) => Self::Before,
            (false, true) => Self::Behind,
            (false, false) => Self::Inside,
        }
    }
}

/// All moments of the sentence together, or else one of them.
fn choices(moments: &Moments) -> Vec<Taken> {
    let all = moments.together();
    let all = all.map(|(words, moment)| Taken { words, moment });
    let single = moments.each().map(|(words, moment)| Taken {
        words: vec![words],
        moment,
    });
    all.into_iter().chain(single).collect()
}

/// Whether a call keeps something for another time already.
pub(super) fn is_kept_already(call: &IntendedCall) -> bool {
    call.toolbox_id == alerts::ID && alerts::KEEPING.contains(&call.tool.as_str())
}

/// Whether a call has a moment of its own, so that another one beside it is a part of the same wish.
fn has_its_moment(call: &IntendedCall) -> bool {
    call.toolbox_id == alerts::ID && alerts::WITH_MOMENT.contains(&call.tool.as_str())
}

fn wish(command: &str, moment: &SaidMoment, score: f64) -> Wish {
    let mut slots = vec![(COMMAND.to_owned(), command.to_owned())];
    slots.extend(moment.arguments().map(|(name, said)| (name.to_owned(), said)));
    let arguments = slots
        .iter()
        .map(|(name, said)| (name.clone(), Value::from(said.as_str())));
    Wish {
        call: Some(IntendedCall {
            toolbox_id: alerts::ID.to_owned(),
            tool: alerts::DO_LATER.to_owned(),
            arguments: arguments.collect(),
            ..IntendedCall::default()
        }),
        found: Recognised {
            skill_id: SKILL_ID.to_owned(),
            intent_name: INTENT.to_owned(),
            slots,
            score,
        },
    }
}

/// As a sentence whose gaps may be filled anew.
pub(super) fn own(found: Recognised) -> Own {
    Own::of(Recognised {
        intent_name: alerts::AS_DEFERRED.to_owned(),
        ..found
    })
}

pub(super) fn said_words(words: &[Word]) -> Vec<&str> {
    words.iter().map(|word| word.said.as_str()).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a person says few words")]
pub(super) fn as_count(words: usize) -> f64 {
    words as f64
}
