//! The PIN that a person says before the most dangerous tools run: its hash, and how it is read from what was said.
//!
//! Nothing here keeps, prints or logs a PIN.

use loquat_orchestrator::template::{ALL_FUEL, Template};
use loquat_orchestrator::words::Word;
use loquat_settings::form::Form;
use loquat_settings::secret_hash::SecretHash;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

use crate::assent::{self, Assent, answer_words};

/// Digits of a PIN; fewer are guessed, more are not remembered.
const LENGTH: std::ops::RangeInclusive<usize> = 4..=12;

/// What is wrong with a PIN or its hash.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PinError {
    /// A PIN of other signs, or of too few or too many digits.
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
    /// Hashes a PIN of 4 to 12 digits with a salt of its own. Blocks for a good part of a second.
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

    /// The line for the settings.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether it is the hash of this PIN. Blocks for a good part of a second, so it has no place on a thread of the runtime.
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

/// How people of one language say digits.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Digits {
    /// From zero to nine.
    #[serde(deserialize_with = "assent::templates")]
    words: Vec<Template>,
    /// What may stand around them, besides assent and courtesy.
    #[serde(deserialize_with = "assent::templates")]
    around: Vec<Template>,
    /// What stands before the number of something.
    #[serde(deserialize_with = "assent::templates")]
    numbering: Vec<Template>,
}

impl Digits {
    /// The PIN in an answer that holds nothing else. `assent` knows the courtesies around it.
    pub(crate) fn read(&self, utterance: &str, assent: &Assent) -> Option<SecretString> {
        let digits = self.alone(utterance, &self.around, assent)?;
        LENGTH.contains(&digits.len()).then(|| SecretString::from(digits))
    }

    /// The number of one digit in an answer that holds nothing else.
    pub(crate) fn number(&self, utterance: &str, assent: &Assent) -> Option<u32> {
        let digits = self.alone(utterance, &self.numbering, assent)?;
        digits.parse().ok().filter(|_| digits.len() == 1)
    }

    /// The digits in an answer that holds nothing besides them but this and courtesies.
    fn alone(&self, utterance: &str, around: &[Template], assent: &Assent) -> Option<String> {
        let said = answer_words(utterance);
        let mut rest = said.as_slice();
        let mut digits = String::new();
        while let Some((word, after)) = rest.split_first() {
            if let Some(more) = self.digits(word) {
                digits.push_str(&more);
                rest = after;
                continue;
            }
            let known = leading(around, rest).max(assent.leading(rest));
            rest = rest.get(known..).filter(|_| known > 0)?;
        }
        Some(digits)
    }

    /// The digits that a word stands for.
    fn digits(&self, word: &Word) -> Option<String> {
        if word.plain.bytes().all(|digit| digit.is_ascii_digit()) {
            return Some(word.plain.clone());
        }
        let mut steps = ALL_FUEL;
        let one = std::slice::from_ref(word);
        let place = self
            .words
            .iter()
            .position(|digit| digit.fit(one, &mut steps).is_some())?;
        Some(place.to_string())
    }
}

/// The number of words at the beginning that fit the longest of these phrases.
fn leading(list: &[Template], said: &[Word]) -> usize {
    let mut steps = ALL_FUEL;
    let mut fits = |length: &usize| {
        let phrase = said.get(..*length).unwrap_or_default();
        list.iter()
            .any(|template| template.fit(phrase, &mut steps).is_some())
    };
    (1..=said.len().min(8))
        .rev()
        .find(|length| fits(length))
        .unwrap_or_default()
}
