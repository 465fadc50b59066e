//! Words of a person's own in the place of others: which of them name something, and where they may stand.

use loquat_phrases::Phrases;
use loquat_phrases::following::Move;
use loquat_sentences::words::{Word, words_and_figures};
use loquat_skills::lists;
use loquat_speech::is_number;

use super::super::works::is_work;
use super::{Core, Filling, Made, NAME, NEGATABLE, Own, WORD, joined, replaced};

/// Gaps for things that stand on a list.
const THINGS: [&str; 2] = ["item", "items"];

/// An intent that takes what every household buys, and its gap.
const BUYING: &str = "lists.add_goods";
const GOODS: &str = "goods";

/// Words that say which thing is meant, in front of its name.
const MOST_RENAMING: usize = 2;

/// Words of a thing of which it is told how much, beside articles and numbers.
const MOST_MEASURED: usize = 3;

impl Filling<'_> {
    /// Words of a person's own in the one gap that holds such words already, with what joins them where the old words have it.
    pub(super) fn free(&self, own: &Own, shortest: Core<'_>, longest: Core<'_>) -> Option<Own> {
        let mut made = Made::default();
        for (slot, said) in &own.slots {
            let (intent, lang) = (own.intent.as_str(), self.lang);
            // What holds a whole sentence is not about one thing.
            let is_about = if self.acts {
                NEGATABLE.contains(&slot.as_str())
            } else {
                slot == WORD && longest.words.len() == 1 || self.is_name(shortest.words)
            };
            let is_free = is_about && self.spoken.takes_any_word(intent, lang, slot, said);
            let is_joined = self.begins_joined(&words_and_figures(said));
            let words = if is_joined { longest.words } else { shortest.words };
            let are_things = THINGS.contains(&slot.as_str());
            let text = if are_things {
                self.with_commas(words)
            } else {
                joined(words)
            };
            let is_whole = slot != NAME || !self.is_parted(shortest.words);
            let is_list = || self.is_measured(shortest) || self.names_things(&text);
            let is_named = self.names_each(shortest) || are_things && is_list();
            if is_free && is_whole && is_named && self.spoken.intents.takes(intent, lang, slot, &text) {
                made.add(replaced(own, slot, &text));
            }
        }
        made.only().ok()?
    }

    /// What stands on a list in other words that end as it does: "no, the brown sugar" behind "a bag of white sugar".
    pub(super) fn renamed(&self, own: &Own, core: Core<'_>) -> Option<Own> {
        let is_correction = self.acts && self.way.how.takes_back() && self.way.how != Move::Bare;
        let (last, others) = core.words.split_last().filter(|_| is_correction)?;
        if others.len() > MOST_RENAMING || core.words.iter().any(|word| self.is_idle(word)) {
            return None;
        }
        let mut made = Made::default();
        let things = own
            .slots
            .iter()
            .filter(|(slot, _)| THINGS.contains(&slot.as_str()));
        for (slot, said) in things {
            let mut words = words_and_figures(said);
            if words.last().is_some_and(|word| word.plain == last.plain) && self.names_one(said) {
                // How much of it is wanted was not corrected: "a bag of".
                let measured = words.iter().rposition(|word| self.following.joins(word));
                words.truncate(measured.map_or(0, |at| at + 1));
                words.extend(core.words.iter().cloned());
                made.add(replaced(own, slot, &joined(&words)));
            }
        }
        made.only().ok()?
    }

    /// A name beside words that are known.
    pub(super) fn named(&self, own: &Own, core: Core<'_>) -> Option<Own> {
        let text = joined(core.words);
        let has_it = self.spoken.intents.has_slot(&own.intent, NAME);
        let is_name =
            has_it && core.joiner.is_some() && self.names_something(core) && !self.is_parted(core.words);
        let takes = || self.spoken.intents.takes(&own.intent, self.lang, NAME, &text);
        (is_name && takes()).then(|| self.with(own, NAME, &text))
    }

    /// Whether the words name something, or several things with a conjunction between each two.
    pub(super) fn names_each(&self, core: Core<'_>) -> bool {
        let apart = || {
            let orders = &Phrases::known(self.lang)?.orders;
            let (first, rest) = orders.parted(core.words).into_iter().next()?;
            let (first, rest) = (
                Core { words: first, ..core },
                Core {
                    words: rest,
                    joiner: None,
                },
            );
            Some(self.acts && self.names_something(first) && self.names_each(rest))
        };
        self.names_something(core) || apart().unwrap_or_default()
    }

    /// Whether the words name something, as no word does of which every sentence is full. Several words are one thing only where they
    /// begin as a thing does: with a number or an article.
    pub(super) fn names_something(&self, Core { words, joiner }: Core<'_>) -> bool {
        let is_said_of_itself = |word: &&Word| !self.is_figure_or_joins(word);
        let content: Vec<&Word> = words.iter().filter(is_said_of_itself).collect();
        let names_one = match content.as_slice() {
            [_] => true,
            [_, _] => joiner
                .or(words.first())
                .is_some_and(|first| !is_said_of_itself(&first)),
            _ => false,
        };
        names_one && !content.into_iter().any(|word| self.is_idle(word))
    }

    /// Whether words name one thing.
    fn names_one(&self, text: &str) -> bool {
        let things = lists::items_of(text, self.spoken.locales(), self.lang);
        things.is_some_and(|things| things.len() == 1)
    }

    /// Whether words name several things of a list, or one that every household buys.
    fn names_things(&self, text: &str) -> bool {
        let things = lists::items_of(text, self.spoken.locales(), self.lang).unwrap_or_default();
        let is_thing = |thing: &String| {
            let words = words_and_figures(thing);
            let core = Core {
                words: &words,
                joiner: None,
            };
            let begins = words.first().is_some_and(|first| self.is_figure_or_joins(first));
            let is_good = || self.spoken.intents.takes(BUYING, self.lang, GOODS, thing);
            self.names_something(core) || begins && is_good()
        };
        !things.is_empty() && things.iter().all(is_thing)
    }

    /// Whether words name one thing by how much of it there is: "a tin of white paint".
    fn is_measured(&self, Core { words, joiner }: Core<'_>) -> bool {
        let begun: Vec<&Word> = joiner.into_iter().chain(words).collect();
        let joins = |at: usize| begun.get(at).is_some_and(|word| self.is_figure_or_joins(word));
        let content = words.iter().filter(|word| !self.is_figure_or_joins(word));
        let is_idle = content.clone().any(|word| self.is_idle(word));
        let is_short = content.count() <= MOST_MEASURED;
        joins(0) && !joins(1) && joins(2) && !joins(3) && is_short && !is_idle
    }

    fn is_figure_or_joins(&self, word: &Word) -> bool {
        self.following.joins(word) || is_number(&word.plain, self.lang)
    }

    /// Whether every sentence is full of a word, so that it names nothing.
    fn is_idle(&self, word: &Word) -> bool {
        let phrases = Phrases::known(self.lang);
        let is_no = phrases.is_some_and(|phrases| phrases.negations.contains(&word.plain));
        is_no || self.following.is_idle(word)
    }

    /// Whether the words are written as a name is, in a language in which that tells names from other words.
    pub(super) fn is_name(&self, words: &[Word]) -> bool {
        let is_capital = |word: &Word| word.said.starts_with(char::is_uppercase);
        let mut content = words.iter().filter(|word| !self.following.joins(word));
        // What a work is asked about is a noun in any case.
        let tells_names = self.following.has_capital_names() || is_work(&self.last.call.toolbox_id);
        tells_names && content.all(is_capital)
    }
}
