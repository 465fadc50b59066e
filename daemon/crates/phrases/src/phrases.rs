//! The few sentences that the daemon itself says, in the person's language.
//!
//! They stand in for an answer when a turn has none. Nothing internal is ever spoken: no error text, no address, no
//! status code. English where a language is not there.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use loquat_agent::brain::BrainError;
use loquat_agent::language::FILES;
use loquat_agent::record::Reason;
use loquat_orchestrator::commands;
use loquat_orchestrator::manifest::Manifest;
use loquat_orchestrator::orders::Orders;
use secrecy::SecretString;
use serde::Deserialize;

use crate::asides::Asides;
use crate::asking::Asking;
use crate::assent::{Assent, Reply};
use crate::following::Following;
use crate::pin::Digits;
use crate::politeness::{Around, Politeness};
use crate::topics::Topics;

/// One language's sentences, and what people say to the daemon in it: a section of its file in `locale/`.
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
    emergency_stop_set: String,
    emergency_stop_cleared: String,
    left_alone: String,
    broken: String,
    /// The daemon is going down in the middle of a turn.
    pub shutting_down: String,
    /// Too many utterances of one session wait.
    pub busy: String,
    /// Said while a person waits for an answer, in turn.
    pub patience: Vec<String>,
    /// Said when what a person has heard of an answer was not the answer, which follows.
    pub anew: String,
    /// What was said, or what came with it, is larger than what is taken.
    too_much: String,
    /// There is no room left to write down what is done.
    pub disk_full: String,
    /// What is done cannot be written down.
    pub disk_unwritable: String,
    /// What was written down was damaged, and is begun anew.
    pub notes_damaged: String,
    unknown_persona: String,
    /// No persona could be loaded.
    pub no_persona: String,
    /// No skill and no persona had an answer.
    pub dont_know: String,
    summoned: String,
    released: String,
    /// No persona was summoned.
    pub nobody_active: String,
    active: String,
    listed: String,
    and: String,
    /// Words that carry next to nothing in what people say: a sentence with one of them more or less is nearly understood.
    pub slight: Vec<String>,
    /// Words that turn an order into its opposite, where they stand before what it is about.
    pub negations: Vec<String>,
    /// What makes a negated order of an order, and what the order has in its place.
    pub denials: BTreeMap<String, String>,
    /// Said when a person asks what they have said; it has a gap `{text}`.
    pub recited: String,
    /// Something was not to be done.
    pub refrained: String,
    consent: String,
    consent_guess: String,
    consent_again: String,
    which: String,
    consent_all: String,
    consent_number: String,
    consent_next: String,
    consent_next_again: String,
    consent_pin: String,
    /// A PIN is asked for once more, after other words.
    pub pin_again: String,
    /// A PIN is asked for once more, after a wrong one.
    pub pin_wrong: String,
    /// A PIN is wanted, and none is set.
    pub pin_missing: String,
    /// No PIN is taken for a while, after too many wrong ones.
    pub pin_locked: String,
    /// A yes is wanted where none can be given.
    pub elsewhere: String,
    switched_on: String,
    switched_off: String,
    /// What is said of an argument that is empty.
    pub nothing: String,
    /// An undo has had no effect.
    pub not_undone: String,
    /// Nothing was done that could be undone.
    pub nothing_to_undo: String,
    /// What was done last is too long ago to be undone.
    pub too_late_to_undo: String,
    /// What was asked for goes on in the background.
    pub background_started: String,
    /// What was asked for goes on, and the one who asked cannot be called.
    pub background_started_there: String,
    /// Nothing goes on in the background.
    pub background_idle: String,
    undone: String,
    background_done: String,
    background_failed: String,
    background_interrupted: String,
    background_cancelled: String,
    background_running: String,
    /// What people say to the orchestrator itself.
    pub orders: Orders,
    /// How people go on with what they said before.
    pub following: Following,
    /// How people begin what they want to know.
    pub asking: Asking,
    /// What people say beside an order and that asks for nothing.
    pub asides: Asides,
    /// How people name what a sentence is about in front of it.
    topics: Topics,
    /// How people ask for a deed in a question.
    politeness: Politeness,
    /// How people answer a question for their consent.
    assent: Assent,
    digits: Digits,
}

/// How something that went on in the background ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackgroundEnd {
    /// As it should.
    Done,
    /// It ended without a result.
    Failed,
    /// The daemon ended before it.
    Interrupted,
}

/// What a language file has for the daemon; the other sections are the agent's and the clock's.
#[derive(Deserialize)]
struct File {
    phrases: Option<Phrases>,
}

/// The first one is what other languages fall back to.
#[expect(
    clippy::expect_used,
    reason = "the files are embedded, and a test parses every one of them"
)]
static LANGUAGES: LazyLock<Vec<(&'static str, Phrases)>> = LazyLock::new(|| {
    let read = |source: &str| toml::from_str::<File>(source).expect("a language file that a test has parsed");
    let spoken = |(tag, source): &(&'static str, &str)| {
        let mut phrases = read(source).phrases?;
        phrases.asides.know_orders(phrases.politeness.ordering());
        Some((*tag, phrases))
    };
    FILES.iter().filter_map(spoken).collect()
});

impl Phrases {
    /// Gives the sentences for a BCP-47 tag; English if the language is not there.
    pub fn of(lang: &str) -> &'static Self {
        #[expect(clippy::indexing_slicing, reason = "the first language is never missing")]
        Self::known(lang).unwrap_or_else(|| &LANGUAGES[0].1)
    }

    /// Gives the sentences for a BCP-47 tag, if the language is there.
    pub fn known(lang: &str) -> Option<&'static Self> {
        let primary = lang.split(['-', '_']).next()?.to_ascii_lowercase();
        let found = LANGUAGES.iter().find(|(tag, _)| *tag == primary);
        found.map(|(_, phrases)| phrases)
    }

    /// Gives the sentence for a turn that ended without an answer; it is empty where silence is meant.
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

    /// Gives the sentence for a turn that ended without an answer after these deeds were done. The person is
    /// not asked to ask again, for that would do them twice; how to lift an emergency stop is told still.
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

    /// Gives the sentence for a fault of our own.
    pub fn broken(&self) -> &str {
        &self.broken
    }

    /// Gives the sentence for an emergency stop that was set and holds still, or for one that was cleared.
    pub fn emergency_stop(&self, is_set: bool) -> &str {
        if is_set {
            &self.emergency_stop_set
        } else {
            &self.emergency_stop_cleared
        }
    }

    /// Gives the sentence for an utterance of more than these kilobytes, which is not taken.
    pub fn too_much(&self, kilobytes: usize) -> String {
        self.too_much.replace("{limit}", &kilobytes.to_string())
    }

    /// Gives the sentence for a session that names a persona that is not there.
    pub fn unknown_persona(&self, name: &str) -> String {
        self.unknown_persona.replace("{name}", name)
    }

    /// Asks for a yes to what a tool would do.
    pub fn consent(&self, deed: &str) -> String {
        self.consent.replace("{deed}", deed)
    }

    /// Asks whether this was meant, where a sentence was only nearly understood.
    pub fn consent_guess(&self, deed: &str) -> String {
        self.consent_guess.replace("{deed}", deed)
    }

    /// Asks which of several things a sentence means.
    pub fn which(&self, things: &[String]) -> String {
        self.which.replace("{things}", &self.joined(things))
    }

    /// Asks once more, after words that were neither yes nor no.
    pub fn consent_again(&self, deed: &str) -> String {
        self.consent_again.replace("{deed}", deed)
    }

    /// Asks for one yes to several things.
    pub fn consent_all(&self, count: usize, deeds: &str) -> String {
        self.consent_all
            .replace("{count}", &count.to_string())
            .replace("{deed}", deeds)
    }

    /// Asks for a yes to what comes behind something that got one: this number is said for it.
    pub fn consent_next(&self, number: u32, deed: &str) -> String {
        self.consent_next
            .replace("{number}", &number.to_string())
            .replace("{deed}", deed)
    }

    /// Says which number has to be said for a yes, behind a question that a tool asks in words of its own.
    pub fn consent_number(&self, number: u32) -> String {
        self.consent_number.replace("{number}", &number.to_string())
    }

    /// Asks so once more, after words that were neither that number nor a no.
    pub fn consent_next_again(&self, number: u32, deed: &str) -> String {
        self.consent_next_again
            .replace("{number}", &number.to_string())
            .replace("{deed}", deed)
    }

    /// Joins several things in one sentence, with a pause between them.
    pub fn strung(&self, deeds: &[String]) -> String {
        deeds.join(&format!(", {} ", self.and))
    }

    /// Asks for the PIN that a tool wants.
    pub fn consent_pin(&self, deed: &str) -> String {
        self.consent_pin.replace("{deed}", deed)
    }

    /// Reads the PIN that a person says, if that is all they say.
    pub fn pin(&self, utterance: &str) -> Option<SecretString> {
        self.digits.read(utterance, &self.assent)
    }

    /// Reads the number of a question that a person says, if that is all they say.
    pub fn number(&self, utterance: &str) -> Option<u32> {
        self.digits.number(utterance, &self.assent)
    }

    /// Names an argument that is true or false as people would.
    pub fn switch(&self, on: bool) -> &str {
        if on { &self.switched_on } else { &self.switched_off }
    }

    /// Reads an utterance as an answer to a question for consent. `names` are those by which the device may
    /// be addressed. Words that stop come before everything else in it.
    pub fn reply(&self, utterance: &str, names: &[String]) -> Reply {
        if self.orders.stops(utterance) {
            return Reply::Stop;
        }
        self.assent
            .read(utterance, names, |word| self.orders.is_question_word(word))
    }

    /// The order that a text is, where it asks for a deed in a question with another form of the verb: "would you mind closing
    /// the door". What may as well ask about something else than before does not count where something was said before.
    pub fn plain_order(&self, text: &str, is_first: bool) -> Option<String> {
        let around = Around {
            orders: &self.orders,
            asides: &self.asides,
            slight: &self.slight,
        };
        self.politeness.order(text, is_first, around)
    }

    /// The sentences that a text may mean which names in front of its sentence, or behind it, what that is about: "the doors, are
    /// they locked?".
    pub fn about_topic(&self, text: &str) -> Vec<String> {
        let is_question = |rest: &str| self.asking.is_question(rest);
        self.topics
            .sentences(text, is_question, |named| self.asides.tells(named))
    }

    /// Whether this is a pronoun that orders end with: "ajoute-le".
    pub fn ends_order(&self, word: &str) -> bool {
        self.topics.ends_order(word)
    }

    /// A persona was summoned.
    pub fn summoned(&self, name: &str) -> String {
        self.summoned.replace("{name}", name)
    }

    /// A persona was dismissed.
    pub fn released(&self, name: &str) -> String {
        self.released.replace("{name}", name)
    }

    /// Says which persona answers now.
    pub fn active(&self, name: &str) -> String {
        self.active.replace("{name}", name)
    }

    /// Says the names of all personas in one sentence.
    pub fn listed(&self, names: &[String]) -> String {
        if names.is_empty() {
            return self.no_persona.clone();
        }
        self.listed.replace("{names}", &self.joined(names))
    }

    /// This was undone.
    pub fn undone(&self, deed: &str) -> String {
        self.undone.replace("{deed}", deed)
    }

    /// Says that a deed in the background has come to this end.
    pub fn background(&self, end: BackgroundEnd, deed: &str) -> String {
        let sentence = match end {
            BackgroundEnd::Done => &self.background_done,
            BackgroundEnd::Failed => &self.background_failed,
            BackgroundEnd::Interrupted => &self.background_interrupted,
        };
        sentence.replace("{deed}", deed)
    }

    /// Says which deeds go on in the background.
    pub fn background_running(&self, deeds: &[String]) -> String {
        self.background_running.replace("{deeds}", &deeds.join("; "))
    }

    /// These went on in the background and were ended.
    pub fn background_cancelled(&self, deeds: &[String]) -> String {
        self.background_cancelled.replace("{deeds}", &deeds.join("; "))
    }

    /// Joins names as a person lists them: with commas, and with the word for "and" before the last.
    pub fn joined(&self, all: &[String]) -> String {
        match all {
            [] => String::new(),
            [only] => only.clone(),
            [rest @ .., last] => format!("{} {} {last}", rest.join(", "), self.and),
        }
    }

    /// Makes a manifest of the commands of all languages, as intents of ours.
    pub fn commands() -> Manifest {
        commands::manifest(Self::all().map(|(tag, phrases)| (tag, &phrases.orders)))
    }

    /// Every language that is there, with its sentences; the tags are primary subtags.
    pub fn all() -> impl Iterator<Item = (&'static str, &'static Self)> {
        LANGUAGES.iter().map(|(tag, phrases)| (*tag, phrases))
    }
}

#[cfg(test)]
mod tests;
