//! `[sentences]`: what is understood of a sentence without a language model.

use loquat_settings::section;

section! {
    /// The sentences that are understood without a language model.
    "sentences" SentenceFiles {
        /// The pack of Home Assistant's community, which has the sentences of a home in 65 languages: "auto" (the newest that
        /// `loquat models` lists), "off", a name that it lists, or the path of a wheel of `home-assistant-intents`.
        /// Without it the device understands its own sentences alone, which are in six languages.
        pack: String = "auto".to_owned();
    }
}
