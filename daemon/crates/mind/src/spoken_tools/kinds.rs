//! Orders to cancel both of a kind, or one of each of two kinds, where nothing was spoken of before: "cancel both alarms", "stell
//! den Wecker und den Timer ab". What cancels one, with a pronoun in the place of the kinds, cancels each of them.
//!
//! Nothing here cancels anything, and the tool never cancels one of several that could be meant.

use loquat_agent::turn::IntendedCall;
use loquat_orchestrator::frames::SKILL_ID;
use loquat_orchestrator::manifest::Recognised;
use loquat_phrases::Phrases;
use loquat_phrases::following::{Following, Several};
use loquat_sentences::words::{Word, without_elisions, words_and_figures};
use loquat_skills::alerts;
use serde_json::{Map, Value};

use super::{SpokenTools, Wish};

/// Longer orders say more than that.
const MOST_WORDS: usize = 12;

/// The intent of what cancels several.
const INTENT: &str = "alerts.cancel_all";

/// The intent that has a gap for one kind, by which the words for kinds are known; and that gap.
const OF_A_KIND: &str = "alerts.cancel_next";
const KIND: &str = "kind";

/// The tool, and the name that says that both are meant.
const CANCEL: &str = "cancel_alert";
const BOTH: &str = "both";

/// The kinds of which people set several.
const KINDS: [&str; 3] = ["alarm", "reminder", "timer"];

impl SpokenTools {
    /// What an order asks for that names what it cancels by nothing but kinds.
    pub(super) fn of_kinds(&self, text: &str, lang: &str) -> Option<Wish> {
        let phrases = Phrases::known(lang)?;
        let said = words_and_figures(text);
        if said.len() > MOST_WORDS {
            return None;
        }
        let core = phrases.orders.core_of(&said);
        let ways = std::iter::once(core.to_vec()).chain(without_elisions(core));
        let mut calls = ways.filter_map(|said| {
            let both = self.both_of_a_kind(&said, lang, &phrases.following);
            both.or_else(|| self.one_of_each_kind(&said, lang, phrases))
        });
        let call = calls.next()?;
        Some(Wish {
            found: Recognised {
                skill_id: SKILL_ID.to_owned(),
                intent_name: INTENT.to_owned(),
                slots: Vec::new(),
                score: 1.0,
            },
            call: Some(call),
        })
    }

    /// "Cancel both alarms".
    fn both_of_a_kind(&self, said: &[Word], lang: &str, following: &Following) -> Option<IntendedCall> {
        let (several, unnamed) = following.of_several(said, &[])?;
        if several != Several::Both {
            return None;
        }
        let is_meant = |kind: &&&str| {
            let nouns = alerts::nouns(kind, lang, self.locales());
            let named = following.of_several(said, &nouns);
            named.is_some_and(|(_, texts)| texts != unnamed && self.cancels_it(&texts, lang))
        };
        let kind = KINDS.iter().find(is_meant)?;
        Some(cancelling(kind, Some(BOTH)))
    }

    /// "Cancel the alarm and the timer".
    fn one_of_each_kind(&self, said: &[Word], lang: &str, phrases: &Phrases) -> Option<IntendedCall> {
        let following = &phrases.following;
        let parted = phrases.orders.parted(said).into_iter();
        let mut calls = parted.filter_map(|(head, tail)| {
            let (noun, before) = head.split_last()?;
            let joined = before.iter().rev().take_while(|word| following.joins(word));
            let front = before.get(..before.len().checked_sub(joined.count())?)?;
            let joined = tail.iter().take_while(|word| following.joins(word)).count();
            let (other, behind) = tail.get(joined..)?.split_first()?;
            let kinds = [self.kind_called(noun, lang)?, self.kind_called(other, lang)?];
            let order = [front, behind].concat();
            let texts = following.about_one(&order, front.len()..front.len());
            let is_meant = kinds.first() != kinds.last() && self.cancels_it(&texts, lang);
            is_meant.then(|| IntendedCall::together(kinds.map(|kind| cancelling(kind, None))))
        });
        calls.next().flatten()
    }

    /// The kind of which a word names one. What names several asks for more than one of each.
    fn kind_called(&self, word: &Word, lang: &str) -> Option<&'static str> {
        let said = [(KIND, word.plain.as_str())];
        let call = self.intents.call(OF_A_KIND, lang, said)?;
        let called = call.arguments.get(KIND)?.as_str()?;
        let kind = KINDS.into_iter().find(|kind| *kind == called)?;
        let is_of = |noun: &String| noun.to_lowercase() == word.plain;
        let names_several = alerts::nouns(kind, lang, self.locales()).iter().any(is_of);
        let names_one = alerts::noun(kind, lang, self.locales()).is_some_and(|noun| is_of(&noun));
        (names_one || !names_several).then_some(kind)
    }

    /// Whether one of these texts cancels what a pronoun stands for.
    fn cancels_it(&self, texts: &[String], lang: &str) -> bool {
        let is_meant = |intent: &str| {
            self.pronouns.contains_key(intent) && self.intents.tool(intent) == Some((alerts::ID, CANCEL))
        };
        let mut found = texts.iter().filter_map(|text| self.among(text, lang, &is_meant));
        found.any(|found| found.slots.is_empty())
    }
}

/// Whether a wish is one of these. A moment beside it may be that of what is cancelled, so that it is not put off until then.
pub(super) fn is_of_kinds(wish: &Wish) -> bool {
    wish.found.intent_name == INTENT && wish.call.is_some()
}

/// The call that cancels those of a kind, perhaps of this name.
fn cancelling(kind: &str, name: Option<&str>) -> IntendedCall {
    let arguments = [Some((KIND, kind)), name.map(|name| ("name", name))];
    let arguments = arguments.into_iter().flatten();
    let arguments = arguments.map(|(argument, said)| (argument.to_owned(), Value::from(said)));
    IntendedCall {
        toolbox_id: alerts::ID.to_owned(),
        tool: CANCEL.to_owned(),
        arguments: arguments.collect::<Map<String, Value>>(),
        ..IntendedCall::default()
    }
}
