//! An order for many things with what is spared of them behind it or inside: "all lights off except the hall".
//!
//! The order is one that is understood without the exception, of things of the home, and what is spared is known there. Else
//! nothing is understood, since the order alone would do what was excepted. Nothing here does anything.

use loquat_sentences::words::{Word, words_and_figures};
use loquat_skills::{folded, home};
use serde_json::Value;

use super::deferred::said_words;
use super::{MOST_WORDS, SpokenTools, Wish};

/// The argument that says what is spared.
const SPARED: &str = "except";

impl SpokenTools {
    /// The wish of an order with an exception.
    pub(super) fn sparing(&self, text: &str, lang: &str) -> Option<Wish> {
        let said = words_and_figures(text);
        if said.len() > MOST_WORDS {
            return None;
        }
        let plain: Vec<String> = said.iter().map(|word| folded(&word.said)).collect();
        let forms = home::sparing(self.locales(), lang);
        forms.iter().find_map(|form| {
            let places = (1..plain.len()).rev();
            let mut begun = places.filter_map(|at| Some((at, end_of(&plain, at, &form.front)?)));
            begun.find_map(|place| self.spared_from(&said, &plain, place, &form.back, lang))
        })
    }

    /// The wish of the words around an exception that begins here, and whose last words stand behind it.
    fn spared_from(
        &self,
        said: &[Word],
        plain: &[String],
        (at, from): (usize, usize),
        back: &str,
        lang: &str,
    ) -> Option<Wish> {
        let mut ends = (from + 1..=plain.len()).rev();
        ends.find_map(|end| {
            let rest = end_of(plain, end, back)?;
            let spared = said_words(said.get(from..end)?).join(" ");
            let order = [said.get(..at)?, said.get(rest..)?].concat();
            self.ordered_but(&said_words(&order).join(" "), &spared, lang)
        })
    }

    fn ordered_but(&self, order: &str, spared: &str, lang: &str) -> Option<Wish> {
        let (order, spared) = (order.trim_end_matches(','), spared.trim_end_matches(','));
        let is_known = home::is_spared(self.intents.things(), spared, self.locales(), lang);
        let wish = is_known.then(|| self.plainly(order, lang)).flatten()?;
        let mut call = self.called(&wish, lang)?;
        if !home::takes_exceptions(&call) {
            return None;
        }
        call.arguments.insert(SPARED.to_owned(), Value::from(spared));
        Some(Wish {
            call: Some(call),
            ..wish
        })
    }
}

/// The place behind these words, where they stand here. A word that was said may be two of them.
fn end_of(plain: &[String], at: usize, form: &str) -> Option<usize> {
    let mut rest = form;
    let mut end = at;
    while !rest.is_empty() {
        rest = rest.strip_prefix(plain.get(end)?.as_str())?;
        let is_whole = rest.is_empty() || rest.starts_with(' ');
        rest = is_whole.then(|| rest.trim_start())?;
        end += 1;
    }
    Some(end)
}
