//! The PIN that a person says before the most dangerous tools run: its hash, and how it is read from what was said.
//!
//! Nothing here keeps, prints or logs a PIN.

use loquat_sentences::words::Word;
use loquat_sentences::{Complaint, Home, Language, Place, Source, Utterance};
use loquat_settings::form::Form;
use loquat_settings::secret_hash::SecretHash;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

use crate::assent::{Assent, answer_words, compared};

/// Digits of a PIN; fewer are guessed, more are not remembered.
const LENGTH: std::ops::RangeInclusive<usize> = 4..=12;

/// What is wrong with a PIN or its hash.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PinError {
    /// The PIN has other signs, or too few or too many digits.
    #[error("a PIN has 4 to 12 digits and nothing else")]
    NotDigits,
    /// The setting holds something else.
    #[error("failed to read desk.pin: it must be a line that `loquat pin` has printed")]
    NotAHash,
    /// The hash could not be made.
    #[error("failed to hash the PIN: {0}")]
    Hashing(argon2::password_hash::Error),
}

/// The hash of a PIN.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PinHash(SecretHash);

impl PinHash {
    /// Hashes a PIN of 4 to 12 digits with a salt of its own, which takes a good part of a second.
    pub fn of(pin: &SecretString) -> Result<Self, PinError> {
        let digits = pin.expose_secret();
        if !LENGTH.contains(&digits.len()) || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(PinError::NotDigits);
        }
        SecretHash::of(pin).map(Self).map_err(PinError::Hashing)
    }

    /// Reads what `loquat pin` has printed.
    pub fn parse(text: &str) -> Result<Self, PinError> {
        SecretHash::parse(text).map(Self).ok_or(PinError::NotAHash)
    }

    /// Gives the line that stands in the settings.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Tells whether it is the hash of this PIN. Blocks for a good part of a second, so it has no place on a
    /// thread of the runtime.
    pub fn is_of(&self, pin: &SecretString) -> bool {
        self.0.is_of(pin)
    }
}

impl TryFrom<String> for PinHash {
    type Error = PinError;

    fn try_from(text: String) -> Result<Self, PinError> {
        Self::parse(&text)
    }
}

impl From<PinHash> for String {
    fn from(hash: PinHash) -> Self {
        hash.0.as_str().to_owned()
    }
}

impl Form for PinHash {
    fn expected() -> String {
        "a hash that `loquat pin` has printed".to_owned()
    }

    fn is_text() -> bool {
        true
    }

    fn is_secret() -> bool {
        true
    }
}

/// What may stand around digits, and before the number of something, by the place of the list behind the ten digits.
const AROUND: usize = 10;
const NUMBERING: usize = 11;

/// How people of one language say digits.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Written")]
pub struct Digits(Language);

/// The lists of a file of phrases.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// They go from zero to nine.
    words: [String; 10],
    /// What may stand around them, besides assent and courtesy.
    around: Vec<String>,
    /// What stands before the number of something.
    numbering: Vec<String>,
}

impl TryFrom<Written> for Digits {
    type Error = Box<Complaint>;

    fn try_from(written: Written) -> Result<Self, Box<Complaint>> {
        let digits = written.words.map(|digit| vec![digit]);
        let lists = digits.into_iter().chain([written.around, written.numbering]);
        let source = Source::of_words(lists.map(|list| ("", compared(&list))));
        Language::whole(&source).map(Self)
    }
}

impl Digits {
    /// Reads the PIN in an answer that holds nothing else. `assent` knows the courtesies around it.
    pub(crate) fn read(&self, utterance: &str, assent: &Assent) -> Option<SecretString> {
        let digits = self.alone(utterance, AROUND, assent)?;
        LENGTH.contains(&digits.len()).then(|| SecretString::from(digits))
    }

    /// Reads the number of one digit in an answer that holds nothing else.
    pub(crate) fn number(&self, utterance: &str, assent: &Assent) -> Option<u32> {
        let digits = self.alone(utterance, NUMBERING, assent)?;
        digits.parse().ok().filter(|_| digits.len() == 1)
    }

    /// Reads the digits in an answer that holds nothing besides them but this and courtesies.
    fn alone(&self, utterance: &str, around: usize, assent: &Assent) -> Option<String> {
        let said = Utterance::new(&answer_words(utterance));
        let places = self.0.places(&said, &Home::new());
        let courtesies = assent.courtesies(&said);
        let mut digits = String::new();
        let mut at = 0;
        while let Some(word) = said.words().get(at) {
            if let Some(more) = digits_of(word, at, &places) {
                digits.push_str(&more);
                at += 1;
                continue;
            }
            let beside = places.iter().filter(|place| place.intent == around);
            let known = beside.map(|place| &place.words).chain(&courtesies);
            at = known
                .filter(|words| words.start == at)
                .map(|words| words.end)
                .max()?;
        }
        Some(digits)
    }
}

/// Gives the digits that a word stands for.
fn digits_of(word: &Word, at: usize, places: &[Place]) -> Option<String> {
    if word.plain.bytes().all(|digit| digit.is_ascii_digit()) {
        return Some(word.plain.clone());
    }
    let mut digits = places.iter().filter(|place| place.intent < AROUND);
    let digit = digits.find(|place| place.words == (at..at + 1))?;
    Some(digit.intent.to_string())
}
