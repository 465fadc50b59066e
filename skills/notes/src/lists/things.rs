//! What the words of a sentence between its order and its list are: things, or what can be none, such as a place on the list,
//! all but a few, or the end of one order and the beginning of another.
//!
//! Knows no list that there is.

use loquat_kit::{folded, numbers};

use super::items;
use super::words::{Words, apart};

/// Whether these words may be things on a list.
pub(super) fn may_be(said: &str, words: &Words<'_>) -> bool {
    !is_position(said, words) && !is_all_but(said, words) && !begins_another(said, words)
}

/// Whether one of these things begins as another order does, of which the words of a thing to be done may be as well.
pub(super) fn begins_another_or_deed(said: &str, words: &Words<'_>) -> bool {
    further(said, words).any(|first| words.is("order_or_deed", &first))
}

/// The things without what says of each that it has to be done: "that I have to ring the bank" is "ring the bank".
pub(super) fn as_deeds(said: &str, words: &Words<'_>) -> String {
    let pieces = items::split(said, words);
    let deeds: Vec<Option<String>> = pieces.iter().map(|piece| deed(piece, words)).collect();
    if deeds.iter().all(Option::is_none) {
        return said.to_owned();
    }
    let bare = deeds.into_iter().zip(pieces);
    let bare: Vec<String> = bare.map(|(deed, piece)| deed.unwrap_or(piece)).collect();
    bare.join(", ")
}

/// "The first one", "the last two".
fn is_position(said: &str, words: &Words<'_>) -> bool {
    let is_place = |word: &str| words.is("position", word);
    let is_aside = |word: &str| {
        words.is("article", word) || words.is("one", word) || numbers::number(word, words.lang).is_some()
    };
    apart(said).any(is_place) && apart(said).all(|word| is_place(word) || is_aside(word))
}

/// "Everything but the tea".
fn is_all_but(said: &str, words: &Words<'_>) -> bool {
    words
        .forms("words.value", "all_but")
        .any(|form| behind(said, form).is_some())
}

/// Whether a thing behind the first begins as an order does.
fn begins_another(said: &str, words: &Words<'_>) -> bool {
    let ends_order = || {
        let pieces = items::split(said, words);
        let last = pieces.first().and_then(|first| first.split_whitespace().last());
        last.is_some_and(|last| words.is("order_end", last))
    };
    further(said, words).any(|first| words.is("order", &first))
        || (ends_order() && begins_another_or_deed(said, words))
}

/// The first word of each thing behind the first.
fn further(said: &str, words: &Words<'_>) -> impl Iterator<Item = String> + use<> {
    let pieces = items::split(said, words).into_iter().skip(1);
    pieces.filter_map(|piece| piece.split_whitespace().next().map(str::to_owned))
}

fn deed(piece: &str, words: &Words<'_>) -> Option<String> {
    let mut forms = words.forms("words.value", "to_do");
    forms
        .find_map(|form| behind(piece, form))
        .or_else(|| enclosed(piece, words))
}

/// What stands between words that open it and a verb that closes it, where it ends in another verb.
fn enclosed(piece: &str, words: &Words<'_>) -> Option<String> {
    let mut forms = words.forms("words.value", "to_do_behind");
    let rest = forms.find_map(|form| behind(piece, form))?;
    let (deed, closing) = rest.rsplit_once(' ')?;
    let last = deed.split_whitespace().last()?;
    let is_verb = last.ends_with('n') && last.chars().all(char::is_lowercase);
    (is_verb && words.is("to_do_before", closing)).then(|| deed.to_owned())
}

/// What stands behind these words, where a text begins with them.
fn behind(said: &str, form: &str) -> Option<String> {
    let said: Vec<&str> = said.split_whitespace().collect();
    let (head, rest) = said.split_at_checked(form.split_whitespace().count())?;
    let head = head.join(" ").replace('\u{2019}', "'");
    (!rest.is_empty() && folded(&head) == folded(form)).then(|| rest.join(" "))
}

#[cfg(test)]
mod tests;
