//! What a sentence is about, named in front of it or behind it, with a pronoun in its place: "the doors, are they locked?", "are
//! they locked, the doors?".
//!
//! Gives the sentences that may be meant, with the name where it belongs. Whether one of them means anything is decided elsewhere.

use loquat_sentences::words::{Word, words_and_figures};
use serde::Deserialize;

use crate::following::{leading, plain};

/// More words name no thing.
const MOST_NAMED: usize = 5;

/// Longer sentences are stories.
const MOST_WORDS: usize = 16;

/// The words of one language.
#[derive(Debug, Deserialize)]
#[serde(from = "Written")]
pub(crate) struct Topics {
    articles: Vec<Vec<String>>,
    elided: Vec<String>,
    pronouns: Vec<Vec<String>>,
    endings: Vec<String>,
    is_dropped: bool,
}

/// As they are written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// What is named begins with one of these; one that ends in an apostrophe is one word with the name.
    articles: Vec<String>,
    /// What stands for it in the sentence.
    pronouns: Vec<String>,
    /// Pronouns that are one word with the verb in front of them.
    endings: Vec<String>,
    /// Whether a verb needs no pronoun.
    dropped: bool,
}

impl From<Written> for Topics {
    fn from(written: Written) -> Self {
        let (elided, articles): (Vec<String>, Vec<String>) = written
            .articles
            .into_iter()
            .partition(|article| article.ends_with('\''));
        Self {
            articles: articles.iter().map(|article| plain(article)).collect(),
            elided,
            pronouns: written.pronouns.iter().map(|pronoun| plain(pronoun)).collect(),
            endings: written.endings,
            is_dropped: written.dropped,
        }
    }
}

impl Topics {
    /// The sentences that a text may mean: with what it names at its beginning or its end in the place of the pronoun. Where no
    /// comma tells where the name ends, the rest of the text has to be a question. What `tells` how something is names nothing.
    pub(crate) fn sentences(
        &self,
        text: &str,
        is_question: impl Fn(&str) -> bool,
        tells: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        let said = words_and_figures(text);
        if said.len() > MOST_WORDS {
            return Vec::new();
        }
        let inner = said.len().saturating_sub(1);
        let commas = said.iter().take(inner).enumerate();
        let commas = commas.filter(|(_, word)| word.said.ends_with(','));
        let commas: Vec<usize> = commas.map(|(at, _)| at + 1).collect();
        match commas.as_slice() {
            [] => self.unparted(&said, is_question, tells),
            [at] => {
                let asks = |sentence: &str| text.trim_end().ends_with('?') || is_question(sentence);
                self.parted(&said, *at, asks, tells)
            }
            _ => Vec::new(),
        }
    }

    fn parted(
        &self,
        said: &[Word],
        at: usize,
        is_question: impl Fn(&str) -> bool,
        tells: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        let Some((front, behind)) = said.split_at_checked(at) else {
            return Vec::new();
        };
        let ways = [(front, behind), (behind, front)].into_iter();
        ways.filter(|(named, _)| self.names(named) && !tells(&text(named)))
            .flat_map(|(named, sentence)| self.put_in(sentence, named, &is_question))
            .collect()
    }

    fn unparted(
        &self,
        said: &[Word],
        is_question: impl Fn(&str) -> bool,
        tells: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        let places = (2..=MOST_NAMED.min(said.len().saturating_sub(2))).rev();
        let ways = places.filter_map(|at| said.split_at_checked(at));
        ways.filter(|(named, sentence)| self.names(named) && is_question(&text(sentence)))
            .filter(|(named, _)| !tells(&text(named)))
            .flat_map(|(named, sentence)| self.in_place_of_pronoun(sentence, named))
            .collect()
    }

    /// Whether this is a pronoun that may be one word with the verb in front of it.
    pub(crate) fn ends_order(&self, word: &str) -> bool {
        self.endings
            .iter()
            .any(|ending| ending.trim_start_matches('-') == word)
    }

    /// Whether words begin as the name of a thing does.
    fn names(&self, said: &[Word]) -> bool {
        let begins = self
            .articles
            .iter()
            .any(|article| leading(said, article).is_some());
        let is_elided = |word: &Word| self.elided.iter().any(|article| word.plain.starts_with(article));
        let is_named = begins && said.len() > 1 || said.first().is_some_and(is_elided);
        is_named && said.len() <= MOST_NAMED
    }

    /// The sentence with the name in it: in the place of the pronoun, of the end of the verb, or beside a verb of a question that
    /// needs none. Who is called by a pet name in front of an order is not what that is about.
    fn put_in(&self, sentence: &[Word], named: &[Word], is_question: impl Fn(&str) -> bool) -> Vec<String> {
        let replaced = self.in_place_of_pronoun(sentence, named);
        if !replaced.is_empty() {
            return replaced;
        }
        let (sentence, named) = (text(sentence), text(named));
        let (verb, rest) = sentence.split_once(' ').unwrap_or((&sentence, ""));
        let ended = self
            .endings
            .iter()
            .filter_map(|ending| verb.strip_suffix(ending.as_str()));
        let ended = ended.filter(|verb| !verb.is_empty());
        let ended = ended.map(|verb| format!("{verb} {named} {rest}").trim().to_owned());
        let is_dropped = self.is_dropped && is_question(&sentence);
        let beside = [format!("{sentence} {named}"), format!("{named} {sentence}")];
        ended.chain(beside.into_iter().filter(|_| is_dropped)).collect()
    }

    /// The sentence with the name in the place of its only pronoun, with its article and without.
    fn in_place_of_pronoun(&self, sentence: &[Word], named: &[Word]) -> Vec<String> {
        let of_one = |at: usize| {
            let rest = sentence.get(at..).unwrap_or_default();
            let lengths = self.pronouns.iter().filter_map(|pronoun| leading(rest, pronoun));
            lengths.max().map(|length| (at, length))
        };
        let mut places = (0..sentence.len()).filter_map(of_one);
        let (Some((at, length)), None) = (places.next(), places.next()) else {
            return Vec::new();
        };
        let (front, behind) = (sentence.get(..at), sentence.get(at + length..));
        let (front, behind) = (text(front.unwrap_or_default()), text(behind.unwrap_or_default()));
        let bare = self
            .articles
            .iter()
            .filter_map(|article| leading(named, article))
            .max();
        let names = [Some(named), bare.and_then(|length| named.get(length..))];
        let texts = names.into_iter().flatten();
        texts
            .map(|named| format!("{front} {} {behind}", text(named)).trim().to_owned())
            .collect()
    }
}

/// The words as a text, without a comma at its end.
fn text(said: &[Word]) -> String {
    let words: Vec<&str> = said.iter().map(|word| word.said.as_str()).collect();
    words.join(" ").trim_end_matches(',').to_owned()
}

#[cfg(test)]
mod tests {
    use crate::Phrases;

    #[test]
    fn what_is_named_apart_takes_the_place_of_its_pronoun() {
        for (lang, text, meant) in [
            (
                "en-US",
                "my bike, where did I leave it?",
                "where did I leave my bike",
            ),
            ("en-US", "is it charged, the tablet?", "is the tablet charged"),
            ("en-US", "the gate is it shut", "is the gate shut"),
            ("de-DE", "die Garage, ist die zu?", "ist die Garage zu"),
            ("de-DE", "ist er noch an, der Ofen?", "ist der Ofen noch an"),
            ("fr-FR", "la cave, elle est fermée ?", "la cave est fermée"),
            ("es-ES", "la radio, apágala", "apága la radio"),
            ("it-IT", "il cancello, è chiuso?", "è chiuso il cancello"),
            ("pt-PT", "a garagem, está fechada?", "está fechada a garagem"),
        ] {
            let sentences = Phrases::of(lang).about_topic(text);
            assert!(
                sentences.iter().any(|said| said == meant),
                "{text}: {sentences:?}"
            );
        }
    }

    #[test]
    fn what_names_nothing_apart_stays_as_it_was_said() {
        for text in [
            "well, turn it off",
            "Robin, put it on the list",
            "the gate is shut",
            "the gate, if it rains, is it shut",
            "the gate, is it where it was",
        ] {
            assert!(Phrases::of("en-US").about_topic(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn what_tells_how_something_is_names_nothing() {
        for (lang, text) in [
            ("en-US", "the soap is gone, put it on the list"),
            ("en-US", "my tablet is flat, remind me to charge it at six"),
            ("en-US", "my timer is over, stop it"),
            ("de-DE", "das Mehl ist alle, setz es auf die Liste"),
            ("fr-FR", "le savon est fini, ajoute-le à la liste"),
            ("es-ES", "el jabón está vacío, ponlo en la lista"),
            ("it-IT", "il sapone è finito, mettilo sulla lista"),
            ("pt-PT", "o sabão está vazio, põe-no na lista"),
        ] {
            let sentences = Phrases::of(lang).about_topic(text);
            assert!(sentences.is_empty(), "{text}: {sentences:?}");
        }
    }

    #[test]
    fn a_pet_name_in_front_of_an_order_is_no_part_of_it() {
        for (lang, text) in [
            ("es-ES", "mi cielo, recuérdame a las nueve regar las plantas"),
            (
                "it-IT",
                "la mia stella, ricordami alle nove di annaffiare i fiori",
            ),
            ("pt-PT", "meu querido, lembra-me às nove de regar as plantas"),
        ] {
            let sentences = Phrases::of(lang).about_topic(text);
            assert!(sentences.is_empty(), "{text}: {sentences:?}");
        }
    }
}
