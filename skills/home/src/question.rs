//! Questions about several things, or whether one is so: which of them match, and the sentence that answers. Reads only.

use loquat_agent::toolbox::Circumstances;
use schemars::JsonSchema;
use serde::Deserialize;

use super::house::{Entity, House};
use super::names::FOLDER;
use super::report::Reading;
use super::seen::{Seen, is_free, state_word};
use super::states::is_in;
use super::telling::MOST_NAMED;
use super::telling::{lang, named};
use super::tools::Tools;
use super::words::Words;
use loquat_kit::dialog::{Gap, Telling};

/// Shown of what matches, and of what does not.
const MOST_SHOWN: usize = 24;

/// How a state is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Question {
    Is,
    Any,
    All,
    Which,
    HowMany,
}

/// What matches, and what does not.
struct Sorted<'a> {
    matched: Vec<&'a Entity>,
    unmatched: Vec<&'a Entity>,
}

impl Tools {
    /// The answer to a question about these things.
    pub(super) fn answer(
        &self,
        question: Question,
        state: &str,
        entities: Vec<&Entity>,
        house: &House,
        person: &Circumstances,
    ) -> Reading {
        let words = self.words(person);
        let is_so = |entity: &&Entity| state.trim().is_empty() || self.is_so(entity, state, &words, person);
        let (matched, unmatched) = entities.into_iter().partition(is_so);
        let mut sorted = Sorted { matched, unmatched };
        sorted.matched.sort_by_key(|entity| entity.name());
        sorted.unmatched.sort_by_key(|entity| entity.name());
        let seen = |entities: &[&Entity]| -> Vec<Seen> {
            let seen = entities.iter().map(|entity| Seen::of(entity, "", house));
            seen.take(MOST_SHOWN).collect()
        };
        let mut all = sorted.matched.iter().chain(&sorted.unmatched);
        let is_of_strangers = all.any(|entity| is_free(entity, ""));
        Reading {
            answer: sorted.answer(question),
            count: Some(sorted.matched.len()),
            matched: seen(&sorted.matched),
            unmatched: seen(&sorted.unmatched),
            is_of_strangers,
            told: self.told_answer(question, &sorted, person),
            ..Reading::default()
        }
    }

    /// Whether a thing is in a state, by Home Assistant's word for it or by the language's own.
    fn is_so(&self, entity: &Entity, said: &str, words: &Words, person: &Circumstances) -> bool {
        let plain = words.plain(said);
        if entity.domain() == "person" {
            return match entity.state.as_str() {
                "home" => words.is_home(&plain),
                "not_home" => matches!(plain.as_str(), "not home" | "not_home" | "away"),
                zone => words.plain(zone) == plain,
            };
        }
        if is_in(entity, said, &self.locales, lang(person)) == Some(true) {
            return true;
        }
        let shown = state_word(entity, &entity.state);
        let is_same = |state: &str| plain == state || plain == loquat_kit::folded(state);
        let mut values = self.locales.values(FOLDER, lang(person), "states.value");
        let mut is_word = || {
            let form = values.find(|(known, _)| known.trim() == shown);
            form.is_some_and(|(_, form)| loquat_kit::folded(form) == plain)
        };
        is_same(&entity.state) || is_same(shown) || (plain == "on" && is_running(entity)) || is_word()
    }

    fn told_answer(
        &self,
        question: Question,
        sorted: &Sorted<'_>,
        person: &Circumstances,
    ) -> Option<Telling> {
        let Sorted { matched, unmatched } = sorted;
        Some(match (question, matched.as_slice(), unmatched.as_slice()) {
            (Question::Is | Question::All, _, []) => Telling::new("yes"),
            (Question::Is, _, [one]) => {
                let told = Telling::new("no_is").words("thing", loquat_agent::speakable(one.name()));
                let told = told.naming([one.name()]);
                told.with("state", self.state_gap(one, person)?)
            }
            (Question::Is | Question::All, _, others) => {
                listed(["no_things", "no_things", "no_many"], others)
            }
            (Question::Any, [], _) => Telling::new("no"),
            (Question::Any, found, _) => listed(["yes_one", "yes_things", "yes_many"], found),
            (Question::Which | Question::HowMany, [], _) => Telling::new("none"),
            (Question::Which, found, _) => listed(["things", "things", "things_many"], found),
            (Question::HowMany, found, _) => listed(["count_things", "count_things", "things_many"], found),
        })
    }
}

impl Sorted<'_> {
    /// Yes or no, where the question wants it.
    fn answer(&self, question: Question) -> Option<&'static str> {
        let is_yes = match question {
            Question::Is | Question::All => self.unmatched.is_empty(),
            Question::Any => !self.matched.is_empty(),
            Question::Which | Question::HowMany => return None,
        };
        Some(if is_yes { "yes" } else { "no" })
    }
}

/// Names and how many there are, by the dialogs for one, for a few and for many.
fn listed([one, few, many]: [&'static str; 3], things: &[&Entity]) -> Telling {
    let names: Vec<String> = things.iter().map(|entity| entity.name().to_owned()).collect();
    let dialog = match names.len() {
        1 => one,
        few_of_them if few_of_them <= MOST_NAMED => few,
        _ => many,
    };
    let told = Telling::new(dialog).with("count", Gap::Number(names.len() as f64));
    told.with("things", named(&names)).naming(names)
}

/// Whether something is on that tells more than that.
fn is_running(entity: &Entity) -> bool {
    let is_on = !matches!(
        entity.state.as_str(),
        "off" | "standby" | "unavailable" | "unknown"
    );
    matches!(
        entity.domain(),
        "climate" | "media_player" | "humidifier" | "water_heater"
    ) && is_on
}
