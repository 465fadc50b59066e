//! A sentence in front of which, or behind which, stands what it is about: "the doors, are they locked?", "the potatoes, give them
//! five more minutes". The sentence with the name in the place of its pronoun has to be understood.
//!
//! Nothing here runs a tool.

use loquat_phrases::Phrases;

use super::SpokenTools;

impl SpokenTools {
    /// The sentence with what it is about where it belongs, where that is understood and asks for one thing.
    pub(super) fn about_its_topic(&self, text: &str, lang: &str) -> Option<String> {
        let mut sentences = Phrases::known(lang)?.about_topic(text).into_iter();
        sentences.find(|sentence| {
            let wishes = self.understood_together(sentence, lang);
            let [wish] = wishes.as_slice() else {
                return false;
            };
            self.whole_call(wish, lang).is_some() && !self.is_loose(&wishes, sentence, lang)
        })
    }
}
