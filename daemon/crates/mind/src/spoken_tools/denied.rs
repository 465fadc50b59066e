//! Orders with a negation in them: "don't set a timer", "stell keinen Wecker". What is left where it is taken away tells what is
//! not to be done. Nothing here does anything.

use std::collections::BTreeMap;
use std::sync::Arc;

use loquat_agent::turn::IntendedCall;
use loquat_phrases::Phrases;
use loquat_sentences::words::{Word, words_and_figures};
use loquat_skills::{Resources, home};

use super::SpokenTools;
use crate::tools::own_toolboxes;

/// So many negations of one sentence are taken away: "ne … pas" are two, and one in front of the thing is a third.
const MOST_NEGATIONS: usize = 3;

/// So many sentences are made of one.
const MOST_ORDERS: usize = 24;

/// Gaps for what is put on a list.
const ITEMS: [&str; 2] = ["item", "items"];

/// The gap for a thing of the home.
const THING: &str = "thing";

/// A person says no longer order.
const MOST_WORDS: usize = 40;

/// Gaps for what an order is about. Others may hold a whole sentence, in which a no is a part of it.
pub(super) const NEGATABLE: [&str; 3] = ["item", "items", "name"];

impl SpokenTools {
    /// Whether a text is the negation of an order that would have changed something. Nothing in it is to be done.
    pub(super) fn is_denied(&self, text: &str, lang: &str) -> bool {
        let denials = Phrases::known(lang).map(|phrases| &phrases.denials);
        let orders = denials.map(|denials| orders_in(text, denials));
        let mut calls = orders.unwrap_or_default().into_iter().filter_map(|order| {
            let wish = self.whole(&order, lang)?;
            self.called(&wish, lang)
        });
        calls.any(|call| self.acts(call))
    }

    /// Whether a call would change something. The tools of a home are there only where a home is.
    pub(super) fn acts(&self, call: IntendedCall) -> bool {
        let acting = self.acting.get_or_init(|| {
            let toolboxes = own_toolboxes(&Resources::volatile(Arc::clone(self.locales())));
            let tools = toolboxes.iter().flat_map(|toolbox| toolbox.tools().to_vec());
            let acting = tools.filter(|tool| !tool.read_only);
            acting.map(|tool| (tool.toolbox_id, tool.name)).collect()
        });
        let is_of_home = call.toolbox_id == home::ID && call.tool != home::READ;
        is_of_home || acting.contains(&(call.toolbox_id, call.tool))
    }
}

/// Whether what an order is about holds a word that turns it into its opposite: "no timer" is none. What is put on a list may
/// hold one, but does not begin with it. Nor is it a word that only stands for a thing: "add one to my list".
pub(super) fn is_negated(slot: &str, said: &str, lang: &str) -> bool {
    let phrases = Phrases::known(lang);
    if phrases.is_some_and(|phrases| stands_for_others(slot, said, phrases)) {
        return true;
    }
    let negations = phrases.map(|phrases| phrases.negations.as_slice());
    let is_negation = |word: &str| negations.unwrap_or_default().contains(&word.to_lowercase());
    let most = if slot == "name" { usize::MAX } else { 1 };
    NEGATABLE.contains(&slot) && said.split_whitespace().take(most).any(is_negation)
}

/// Whether a gap holds words that only stand for things that were spoken of.
pub(super) fn stand_for_others(slots: &[(String, String)], lang: &str) -> bool {
    let phrases = Phrases::known(lang);
    let mut slots = slots.iter();
    phrases.is_some_and(|phrases| slots.any(|(slot, said)| stands_for_others(slot, said, phrases)))
}

/// Whether words only stand for one or several things that were spoken of: "put both on the list", "lock them both".
fn stands_for_others(slot: &str, said: &str, phrases: &Phrases) -> bool {
    let said = phrases.following.without_fillers(&words_and_figures(said));
    let is_item = ITEMS.contains(&slot);
    let is_one = is_item && phrases.following.stands_in(&said);
    is_one || (is_item || slot == THING) && phrases.following.means_several(&said)
}

/// The sentences that are left where negations of a text are taken away. `denials` are words of a language and what an order has
/// in their place; an elided word ends in its apostrophe.
fn orders_in(text: &str, denials: &BTreeMap<String, String>) -> Vec<String> {
    let said = words_and_figures(text);
    let mut orders: Vec<Vec<Word>> = Vec::new();
    let mut open = vec![said];
    for _ in 0..MOST_NEGATIONS {
        let longer = open.iter().flat_map(|words| without_one(words, denials));
        let longer: Vec<Vec<Word>> = longer.filter(|words| !words.is_empty()).collect();
        let is_new = |words: &Vec<Word>| !orders.contains(words);
        open = longer.into_iter().filter(is_new).take(MOST_ORDERS).collect();
        orders.extend(open.iter().cloned());
    }
    orders.truncate(MOST_ORDERS);
    orders.iter().map(|words| joined(words)).collect()
}

/// The words without one of the negations, wherever it stands.
fn without_one<'a>(
    words: &'a [Word],
    denials: &'a BTreeMap<String, String>,
) -> impl Iterator<Item = Vec<Word>> + 'a {
    let is_short = words.len() <= MOST_WORDS;
    let places = 0..words.len();
    let all = places.flat_map(move |at| denials.iter().map(move |denial| (at, denial)));
    all.filter(move |_| is_short)
        .filter_map(move |(at, (denial, order))| replaced(words, at, denial, order))
}

/// The words with what an order has in the place of a negation that stands here.
fn replaced(words: &[Word], at: usize, denial: &str, order: &str) -> Option<Vec<Word>> {
    let (before, rest) = words.split_at_checked(at)?;
    let wanted: Vec<&str> = denial.split(' ').collect();
    let (here, behind) = rest.split_at_checked(wanted.len())?;
    let mut kept = None;
    for (word, wanted) in here.iter().zip(wanted) {
        if wanted.ends_with('\'') {
            kept = Some(behind_elision(word, wanted)?);
        } else if word.plain != wanted {
            return None;
        }
    }
    let order = words_and_figures(order);
    Some([before, &order, kept.as_slice(), behind].concat())
}

/// What follows an elided word in the same word: `n'ajoute`.
fn behind_elision(word: &Word, elided: &str) -> Option<Word> {
    let plain = word.plain.strip_prefix(elided)?.to_owned();
    let said = word.said.chars().skip(elided.chars().count()).collect();
    Some(Word { plain, said })
}

fn joined(words: &[Word]) -> String {
    let said: Vec<&str> = words.iter().map(|word| word.said.as_str()).collect();
    said.join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::orders_in;

    #[test]
    fn what_is_left_of_a_negated_order_is_told() {
        let denials = [
            ("do not", ""),
            ("no", "a"),
            ("ne", ""),
            ("n'", ""),
            ("pas de", "un"),
        ];
        let denials: BTreeMap<String, String> = denials
            .iter()
            .map(|(denial, order)| ((*denial).to_owned(), (*order).to_owned()))
            .collect();
        let left = |text: &str| orders_in(text, &denials);
        assert_eq!(left("do not set a timer"), ["set a timer"]);
        assert_eq!(left("set no Timer, please"), ["set a Timer, please"]);
        assert!(left("ne mets pas de minuteur").contains(&"mets un minuteur".to_owned()));
        assert!(left("n'ajoute pas de lait").contains(&"ajoute un lait".to_owned()));
        assert!(left("set a timer").is_empty());
        assert!(left(&"no ".repeat(60)).is_empty());
        assert!(left(&"no ".repeat(30)).len() <= 24);
    }
}
