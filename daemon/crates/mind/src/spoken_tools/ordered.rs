//! Words that are a question of the pack and an order of ours: which of them is meant. Does nothing.

use loquat_phrases::Phrases;
use loquat_skills::home;

use super::{SpokenTools, Wish};

impl SpokenTools {
    /// A question of the pack that was put as none, or else the order that the words are as well: "all lights off".
    pub(super) fn rather_an_order(&self, wish: Wish, text: &str, lang: &str) -> Wish {
        let is_asked = || {
            text.trim_end().ends_with('?')
                || Phrases::known(lang).is_none_or(|phrases| phrases.asking.is_question(text))
        };
        let only_looks = wish.call.as_ref().is_some_and(|call| call.tool == home::READ);
        if !only_looks || is_asked() {
            return wish;
        }
        let ordered = self.of_ours(text, lang);
        let ordered =
            ordered.filter(|ordered| self.called(ordered, lang).is_some_and(|call| self.acts(call)));
        ordered.unwrap_or(wish)
    }
}
