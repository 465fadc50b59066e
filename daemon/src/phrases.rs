//! The few sentences that the daemon itself says, in the person's language.
//!
//! They stand in for an answer when a turn has none. Nothing internal is ever spoken: no error text, no address, no
//! status code. English where a language is not there.

use std::sync::LazyLock;

use loquat_agent::brain::BrainError;
use loquat_agent::record::Reason;
use serde::{Deserialize, Deserializer};

use crate::orchestrator::words::{Word, plain, words};

/// One language's sentences; the file names in `locale/` are the primary language subtags.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phrases {
    unreachable: String,
    not_installed: String,
    overloaded: String,
    faulty: String,
    refused: String,
    too_long: String,
    deadline: String,
    confused: String,
    going_round: String,
    limit: String,
    tool_fault: String,
    done: String,
    cut_short: String,
    latched: String,
    left_alone: String,
    broken: String,
    /// The daemon is going down in the middle of a turn.
    pub shutting_down: String,
    /// Too many utterances of one session wait.
    pub busy: String,
    unknown_persona: String,
    /// No persona could be loaded.
    pub no_persona: String,
    #[serde(deserialize_with = "compared")]
    stop_words: Vec<String>,
    /// What is said around words without changing what they ask for.
    #[serde(deserialize_with = "compared")]
    courtesies: Vec<String>,
    /// Nobody had an answer.
    pub dont_know: String,
    summoned: String,
    released: String,
    /// No persona was summoned.
    pub nobody_active: String,
    active: String,
    listed: String,
    and: String,
    #[serde(deserialize_with = "compared")]
    question_words: Vec<String>,
    consent: String,
    yes_words: Vec<String>,
    no_words: Vec<String>,
    #[serde(deserialize_with = "compared")]
    stop_everything: Vec<String>,
    /// Sentences by which people choose who answers.
    pub commands: Commands,
}

/// One language's sentences for each command, as templates (INTENT-1).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commands {
    /// `{persona}` shall answer from now on.
    pub summon: Vec<String>,
    /// The persona that was summoned shall answer no more.
    pub release: Vec<String>,
    /// `{persona}` shall answer `{query}`, and nothing else.
    pub ask: Vec<String>,
    /// Which personas are there?
    pub list: Vec<String>,
    /// Which persona answers now?
    pub check: Vec<String>,
}

/// The first one is what other languages fall back to.
const LANGUAGE_FILES: [(&str, &str); 6] = [
    ("en", include_str!("../locale/en.toml")),
    ("de", include_str!("../locale/de.toml")),
    ("fr", include_str!("../locale/fr.toml")),
    ("es", include_str!("../locale/es.toml")),
    ("pt", include_str!("../locale/pt.toml")),
    ("it", include_str!("../locale/it.toml")),
];

#[expect(
    clippy::expect_used,
    reason = "the files are embedded, and a test parses every one of them"
)]
static LANGUAGES: LazyLock<Vec<(&'static str, Phrases)>> = LazyLock::new(|| {
    let parse = |source| toml::from_str(source).expect("a language file that a test has parsed");
    LANGUAGE_FILES
        .iter()
        .map(|(tag, source)| (*tag, parse(source)))
        .collect()
});

impl Phrases {
    /// The sentences for a BCP-47 tag; English if the language is not there.
    pub fn of(lang: &str) -> &'static Self {
        let primary = lang
            .split(['-', '_'])
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        let index = LANGUAGES
            .iter()
            .position(|(tag, _)| *tag == primary)
            .unwrap_or_default();
        #[expect(
            clippy::indexing_slicing,
            reason = "the index is a position in the list, or its never missing first"
        )]
        &LANGUAGES[index].1
    }

    /// What is said when a turn ended without an answer; empty where silence is meant.
    pub fn for_failure(&self, reason: Reason, error: Option<&BrainError>) -> &str {
        match (reason, error) {
            (Reason::Stopped | Reason::BargeIn | Reason::Noop, _) => "",
            (Reason::EmergencyStop, _) => &self.latched,
            (Reason::LlmError, Some(error)) => self.for_brain(error),
            (Reason::LlmError, None) => &self.unreachable,
            (Reason::Deadline, _) => &self.deadline,
            (Reason::LoopDetected, _) => &self.going_round,
            (Reason::MaxIterations | Reason::MaxToolCalls | Reason::CriticalTokens, _) => &self.limit,
            (Reason::ParseError, _) => &self.confused,
            (Reason::ConfirmationDenied, _) => &self.left_alone,
            (Reason::DangerousTool | Reason::TerminalTool, _) => &self.tool_fault,
            (Reason::Answered | Reason::FinalTool, _) => &self.broken,
        }
    }

    /// What is said when a turn ended without an answer after these deeds were done. Nobody is asked to ask again, for
    /// that would do them twice; how to lift an emergency stop is told all the same.
    pub fn for_failure_after(&self, deeds: &str, reason: Reason, error: Option<&BrainError>) -> String {
        let rest = match reason {
            Reason::Stopped | Reason::BargeIn | Reason::Noop => return String::new(),
            Reason::DangerousTool | Reason::TerminalTool => "",
            Reason::LlmError | Reason::ParseError | Reason::Answered | Reason::FinalTool => &self.cut_short,
            _ => self.for_failure(reason, error),
        };
        let done = self.done.replace("{deeds}", deeds);
        format!("{done} {rest}").trim_end().to_owned()
    }

    fn for_brain(&self, error: &BrainError) -> &str {
        match error {
            BrainError::NotStarted { .. } => &self.not_installed,
            BrainError::Overloaded { .. } => &self.overloaded,
            BrainError::Faulty { .. } | BrainError::CutOff { .. } => &self.faulty,
            BrainError::Refused { .. } => &self.refused,
            BrainError::ContextTooLong { .. } => &self.too_long,
            BrainError::TimedOut { .. } => &self.deadline,
            BrainError::Garbled { .. } | BrainError::TooLarge { .. } => &self.confused,
            _ => &self.unreachable,
        }
    }

    /// What is said when something broke that should not have.
    pub fn broken(&self) -> &str {
        &self.broken
    }

    /// What is said when a session names a persona that is not there.
    pub fn unknown_persona(&self, name: &str) -> String {
        self.unknown_persona.replace("{name}", name)
    }

    /// Whether the person wants silence and nothing else.
    pub fn is_stop(&self, utterance: &str) -> bool {
        self.is_asked(&self.stop_words, utterance)
    }

    /// Whether the person wants everything to stop, not only what runs.
    pub fn is_stop_everything(&self, utterance: &str) -> bool {
        self.is_asked(&self.stop_everything, utterance)
    }

    fn is_asked(&self, sentences: &[String], utterance: &str) -> bool {
        is_one_of(sentences, utterance) || {
            let said = words(utterance);
            let core: Vec<&str> = self
                .core_of(&said)
                .iter()
                .map(|word| word.plain.as_str())
                .collect();
            sentences.contains(&core.join(" "))
        }
    }

    /// The words without the courtesies around them; as they are where nothing else was said.
    pub fn core_of<'a>(&self, said: &'a [Word]) -> &'a [Word] {
        let mut core = said;
        loop {
            let shorter = self.courtesies.iter().find_map(|courtesy| peeled(core, courtesy));
            match shorter {
                Some([]) => return said,
                Some(shorter) => core = shorter,
                None => return core,
            }
        }
    }

    /// Whether a word begins a question, so that it belongs to what is asked.
    pub fn is_question_word(&self, word: &str) -> bool {
        is_one_of(&self.question_words, word)
    }

    /// Asks for a yes to what a tool would do.
    pub fn consent(&self, deed: &str) -> String {
        self.consent.replace("{deed}", deed)
    }

    /// Whether an utterance is a yes or a no; nothing when it is neither. Whoever says both has said no.
    pub fn is_yes(&self, utterance: &str) -> Option<bool> {
        /// Nobody gives a plain yes in more words.
        const LONGEST_YES: usize = 5;
        let said = plain(utterance);
        let has = |word: &String| format!(" {said} ").contains(&format!(" {} ", plain(word)));
        if self.no_words.iter().any(has) {
            return Some(false);
        }
        let begins = |word: &String| format!("{said} ").starts_with(&format!("{} ", plain(word)));
        let short = said.split(' ').count() <= LONGEST_YES;
        (short && self.yes_words.iter().any(begins)).then_some(true)
    }

    /// A persona was summoned.
    pub fn summoned(&self, name: &str) -> String {
        self.summoned.replace("{name}", name)
    }

    /// A persona was dismissed.
    pub fn released(&self, name: &str) -> String {
        self.released.replace("{name}", name)
    }

    /// Which persona answers now.
    pub fn active(&self, name: &str) -> String {
        self.active.replace("{name}", name)
    }

    /// All personas in one sentence.
    pub fn listed(&self, names: &[String]) -> String {
        let names = match names {
            [] => return self.no_persona.clone(),
            [only] => only.clone(),
            [rest @ .., last] => format!("{} {} {last}", rest.join(", "), self.and),
        };
        self.listed.replace("{names}", &names)
    }

    /// Every language that is there, with its sentences; the tags are primary subtags.
    pub fn all() -> impl Iterator<Item = (&'static str, &'static Self)> {
        LANGUAGES.iter().map(|(tag, phrases)| (*tag, phrases))
    }
}

/// The words without this courtesy at their beginning or end, if it is there.
fn peeled<'a>(said: &'a [Word], courtesy: &str) -> Option<&'a [Word]> {
    let length = courtesy.split(' ').count();
    let is_it = |words: &[Word]| {
        words
            .iter()
            .map(|word| word.plain.as_str())
            .eq(courtesy.split(' '))
    };
    let (head, rest) = said.split_at_checked(length)?;
    if is_it(head) {
        return Some(rest);
    }
    let (rest, tail) = said.split_at_checked(said.len() - length)?;
    is_it(tail).then_some(rest)
}

/// Sentences in the form in which they are compared, since each utterance is compared with all of them.
fn compared<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let sentences = Vec::<String>::deserialize(deserializer)?;
    Ok(sentences.iter().map(|sentence| plain(sentence)).collect())
}

fn is_one_of(sentences: &[String], utterance: &str) -> bool {
    sentences.contains(&plain(utterance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_file_is_whole() {
        for (tag, source) in LANGUAGE_FILES {
            let phrases: Phrases = toml::from_str(source).unwrap_or_else(|error| panic!("{tag}: {error}"));
            assert!(!phrases.stop_words.is_empty(), "{tag}");
            assert!(phrases.unknown_persona("Ziggy").contains("Ziggy"), "{tag}");
            for sentence in [
                phrases.summoned("Ziggy"),
                phrases.released("Ziggy"),
                phrases.active("Ziggy"),
            ] {
                assert!(sentence.contains("Ziggy"), "{tag}");
            }
            for reason in [Reason::LlmError, Reason::Deadline] {
                let told = phrases.for_failure_after("unlock door", reason, None);
                let rest = told
                    .split_once("unlock door")
                    .map(|(_, rest)| rest)
                    .unwrap_or_default();
                assert!(rest.len() > 20 && rest.ends_with('.'), "{tag}: {told}");
            }
            let silence = phrases.for_failure_after("unlock door", Reason::Stopped, None);
            assert_eq!(silence, "", "{tag}");
            let several = ["Ada".to_owned(), "Bo".to_owned(), "Cy".to_owned()];
            assert!(phrases.listed(&several).contains("Ada, Bo"), "{tag}");
        }
    }

    #[test]
    fn regions_and_unknown_languages_find_a_language() {
        assert_eq!(Phrases::of("pt-BR").busy, Phrases::of("pt_PT").busy);
        assert_eq!(Phrases::of("tlh").busy, Phrases::of("en-US").busy);
    }

    #[test]
    fn a_yes_is_plain_and_a_no_is_anywhere() {
        let english = Phrases::of("en");
        for yes in ["Yes.", "yes please", "Go ahead!", "OK, do it"] {
            assert_eq!(english.is_yes(yes), Some(true), "{yes}");
        }
        for no in ["No!", "yes but not now", "I don't think so, no", "Better not."] {
            assert_eq!(english.is_yes(no), Some(false), "{no}");
        }
        for neither in [
            "What time is it?",
            "yesterday",
            "yes and by the way what is the weather like today",
            "",
        ] {
            assert_eq!(english.is_yes(neither), None, "{neither}");
        }
        for (tag, phrases) in Phrases::all() {
            assert!(phrases.consent("unlock door").contains("unlock door"), "{tag}");
            for (words, meant) in [(&phrases.yes_words, true), (&phrases.no_words, false)] {
                for word in words {
                    assert_eq!(phrases.is_yes(word), Some(meant), "{tag}: {word}");
                }
            }
        }
    }

    #[test]
    fn stop_is_a_whole_utterance() {
        assert!(Phrases::of("en").is_stop(" Stop! "));
        assert!(!Phrases::of("en").is_stop("where does the bus stop"));
        assert!(!Phrases::of("en").is_stop("please") && !Phrases::of("en").is_stop("okay thanks"));
    }

    #[test]
    fn courtesy_does_not_keep_a_stop_from_being_one() {
        for (lang, words) in [
            (
                "en",
                ["Please stop.", "OK, stop it now, thank you", "Could you stop?"],
            ),
            ("de", ["Stopp bitte!", "Hör jetzt bitte auf", "Okay, sei still"]),
            (
                "fr",
                ["Arrête, s’il te plaît", "Stop maintenant", "Ça suffit, merci"],
            ),
            ("es", ["Para, por favor", "¡Basta ya!", "Oye, cállate"]),
            ("pt", ["Para, por favor", "Chega, obrigado", "Já chega"]),
            ("it", ["Basta, grazie", "Fermati per favore", "Ciao, basta"]),
        ] {
            for word in words {
                assert!(Phrases::of(lang).is_stop(word), "{lang}: {word}");
            }
        }
    }
}
