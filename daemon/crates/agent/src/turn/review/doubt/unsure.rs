//! How a small model tells what it has out of its head: behind words that say so. The first sentence of an answer that tells a number
//! or a name which nothing gave is said behind "I think:", where the person asks for something and no tool has brought anything. What
//! comes before that sentence stays as it is, so that the beginning of an answer is told in the same words as the whole.

use std::collections::BTreeSet;

use super::{Evidence, is_negation, words};
use crate::figure::figures;

impl Evidence {
    /// An answer, or the beginning of one, with the words that tell what is not known for sure.
    pub(in crate::turn) fn unsurely(&self, answer: &str) -> String {
        let opening = self.language.unsure.opening.as_str();
        if opening.is_empty() || !self.tells_out_of_its_head() || answer.contains(opening) {
            return answer.to_owned();
        }
        let mut before = String::new();
        let mut sentences = sentences(answer).into_iter();
        for sentence in sentences.by_ref() {
            if !self.is_no_claim(sentence) && self.tells_what_nothing_gave(sentence) {
                let rest: String = sentences.collect();
                return format!("{before}{opening} {sentence}{rest}");
            }
            before.push_str(sentence);
        }
        before
    }

    /// Tells whether a sentence asks or denies.
    fn is_no_claim(&self, sentence: &str) -> bool {
        let sentence = sentence.trim_end().to_lowercase();
        sentence.ends_with('?') || words(&sentence).any(|word| is_negation(word, self.language))
    }

    fn tells_out_of_its_head(&self) -> bool {
        self.stands && self.is_small && self.asks && !self.has_found
    }

    fn tells_what_nothing_gave(&self, sentence: &str) -> bool {
        let given = self.given.get_or_init(|| self.given_figures());
        let told = figures(sentence, self.language);
        told.iter()
            .any(|figure| !figure.is_trivial() && !given.hold(figure))
            || self.tells_a_new_name(sentence)
    }

    fn tells_a_new_name(&self, sentence: &str) -> bool {
        if !self.language.unsure.names_are_capital {
            return false;
        }
        let given = self.given_words();
        let mut names = words(sentence).skip(1).filter(|word| is_name(word));
        names.any(|name| !given.contains(&name.to_lowercase()))
    }

    fn given_words(&self) -> BTreeSet<String> {
        let heard = &self.shared.heard;
        let told = [&heard.said, &heard.persona, &heard.surroundings];
        let earlier = self.history.iter().map(|message| message.content.as_str());
        let texts = told.into_iter().map(|text| &**text).chain(earlier);
        texts.flat_map(words).map(str::to_lowercase).collect()
    }
}

/// A name has a capital letter and a small one: "I" and abbreviations are none.
fn is_name(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
}

/// Cuts a text into its sentences, each with the blanks behind it.
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((sentence, behind)) = end(rest).and_then(|end| rest.split_at_checked(end)) {
        found.push(sentence);
        rest = behind;
    }
    found.push(rest);
    found
}

/// Where the second sentence of a text begins.
fn end(text: &str) -> Option<usize> {
    let mut stops = text
        .char_indices()
        .filter(|(_, c)| matches!(c, '.' | '!' | '?' | '…' | '\n'));
    stops.find_map(|(at, stop)| {
        let behind = text.get(at + stop.len_utf8()..)?;
        let next = behind.trim_start();
        let parts = stop == '\n' || next.len() < behind.len() && !next.starts_with(char::is_lowercase);
        (parts && !next.is_empty()).then_some(text.len() - next.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_before_what_begins_anew() {
        let cut = sentences("A tower of 1.5 km.  It stands. Where? approx. here");
        assert_eq!(
            cut,
            ["A tower of 1.5 km.  ", "It stands. ", "Where? approx. here"]
        );
    }

    #[test]
    fn a_name_is_no_abbreviation_and_no_small_word() {
        assert!(is_name("Vienna") && is_name("Émile"));
        assert!(!is_name("I") && !is_name("TV") && !is_name("tower"));
    }
}
