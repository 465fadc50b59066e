//! The words around what is waited for: "when" and "whenever", "tell me", and the verb of a statement, which a question has
//! elsewhere.
//!
//! Understands nothing else of a sentence.

use std::ops::Range;

use loquat_kit::folded;
use loquat_kit::locale::Locales;

use super::FOLDER;

/// The lists of these words.
const WHEN: &str = "when.value";
const WHEN_I_SAY: &str = "when_i_say.value";
const SAY_SO: &str = "say_so.value";
const COPULA: &str = "copula.value";
const TURNS: &str = "turns.value";

/// Those of all languages.
#[derive(Debug)]
pub struct WhenWords;

impl WhenWords {
    /// Where words say that something is waited for, and whether every time.
    pub fn in_words(words: &[&str], lang: &str, locales: &Locales) -> Vec<(Range<usize>, bool)> {
        let mut found: Vec<(Range<usize>, bool)> = Vec::new();
        for (name, form) in forms(WHEN, lang, locales) {
            let places = places_of(words, &form);
            found.extend(places.into_iter().map(|place| (place, name == "always")));
        }
        // "Every time when" is one of them, and says more than "when".
        found.sort_by_key(|(place, _)| (place.start, std::cmp::Reverse(place.end)));
        let mut end = 0;
        found.retain(|(place, _)| {
            let is_new = place.start >= end;
            end = end.max(place.end);
            is_new
        });
        found
    }

    /// Where words say that a word is for what follows.
    pub fn when_i_say(words: &[&str], lang: &str, locales: &Locales) -> Option<Range<usize>> {
        let mut forms = forms(WHEN_I_SAY, lang, locales);
        forms.find_map(|(_, form)| places_of(words, &form).into_iter().next())
    }

    /// Whether an order only asks to be told.
    pub fn says_so(order: &str, lang: &str, locales: &Locales) -> bool {
        let order = folded(order);
        forms(SAY_SO, lang, locales).any(|(_, form)| form == order)
    }

    /// A statement as the questions whether it is so: its verb comes first, and what becomes open is asked about as open.
    pub fn as_questions(words: &[&str], lang: &str, locales: &Locales) -> Vec<String> {
        let mut questions = Vec::new();
        for (verb, form) in forms(COPULA, lang, locales) {
            for place in places_of(words, &form) {
                let before = words.get(..place.start).unwrap_or_default();
                let behind = words.get(place.end..).unwrap_or_default();
                let rest: Vec<&str> = before.iter().chain(behind).copied().collect();
                questions.push(format!("{verb} {}", rest.join(" ")));
            }
        }
        for (state, form) in forms(TURNS, lang, locales) {
            let Some((verb, state)) = state.split_once(' ') else {
                continue;
            };
            for place in places_of(words, &form) {
                let before = words.get(..place.start).unwrap_or_default().join(" ");
                let behind = words.get(place.end..).unwrap_or_default().join(" ");
                questions.push(format!("{verb} {before} {state} {behind}").trim().to_owned());
            }
        }
        questions
    }
}

fn forms<'a>(list: &str, lang: &str, locales: &'a Locales) -> impl Iterator<Item = (&'a str, String)> {
    let lines = locales.values(FOLDER, lang, list);
    lines.flat_map(|(name, forms)| {
        forms
            .split('|')
            .map(move |form| (name.trim(), folded(form.trim())))
    })
}

fn places_of(words: &[&str], form: &str) -> Vec<Range<usize>> {
    let form: Vec<&str> = form.split(' ').collect();
    let plain: Vec<String> = words
        .iter()
        .map(|word| folded(word.trim_end_matches(',')))
        .collect();
    let starts = plain.windows(form.len()).enumerate();
    let starts = starts.filter(|(_, words)| words.iter().zip(&form).all(|(word, form)| word == form));
    starts.map(|(start, _)| start..start + form.len()).collect()
}
