//! The password of the page: its hash, as the settings hold it, and how often it was wrong. Keeps, prints and logs no password.

use std::time::Duration;

use loquat_part::lockout::{Guesser, Lockout};
use loquat_settings::form::Form;
use loquat_settings::secret_hash::SecretHash;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

/// Letters of a password; fewer are guessed.
const SHORTEST: usize = 10;

/// Bytes that are hashed at most.
const LONGEST: usize = 1024;

/// Wrong passwords in a row after which none is taken for a while.
const MOST_WRONG: u32 = 5;

/// For how long.
const LOCKED: Duration = Duration::from_secs(300);

/// What is wrong with a password or its hash.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// It is too short or too long.
    #[error("a password has 10 letters at least and 1024 bytes at most; take a sentence")]
    Length,
    /// The setting holds something else.
    #[error("failed to read page.password: it must be a line that `loquat page password` has printed")]
    NotAHash,
    /// The hash could not be made.
    #[error("failed to hash the password: {0}")]
    Hashing(argon2::password_hash::Error),
}

/// The hash of a password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PasswordHash(SecretHash);

impl PasswordHash {
    /// Hashes a password, which takes a good part of a second.
    pub fn of(password: &SecretString) -> Result<Self, PasswordError> {
        let text = password.expose_secret();
        if text.chars().count() < SHORTEST || text.len() > LONGEST {
            return Err(PasswordError::Length);
        }
        SecretHash::of(password).map(Self).map_err(PasswordError::Hashing)
    }

    /// Gives the line that stands in the settings.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Tells whether it is the hash of this password. Blocks for a good part of a second.
    pub fn is_of(&self, password: &SecretString) -> bool {
        password.expose_secret().len() <= LONGEST && self.0.is_of(password)
    }
}

impl TryFrom<String> for PasswordHash {
    type Error = PasswordError;

    fn try_from(text: String) -> Result<Self, PasswordError> {
        SecretHash::parse(&text).map(Self).ok_or(PasswordError::NotAHash)
    }
}

impl From<PasswordHash> for String {
    fn from(hash: PasswordHash) -> Self {
        hash.0.as_str().to_owned()
    }
}

impl Form for PasswordHash {
    fn expected() -> String {
        "a hash that `loquat page password` has printed".to_owned()
    }

    fn is_text() -> bool {
        true
    }

    fn is_secret() -> bool {
        true
    }
}

/// The password, and how often it was wrong.
#[derive(Debug)]
pub(super) struct Password {
    hash: Option<PasswordHash>,
    lockout: Lockout,
    /// Held while one is compared, so that several at once are not more tries than one after the other.
    tries: Mutex<()>,
}

impl Password {
    pub(super) fn new(hash: Option<PasswordHash>) -> Self {
        Self {
            hash,
            lockout: Lockout::new(MOST_WRONG, LOCKED),
            tries: Mutex::default(),
        }
    }

    pub(super) fn is_set(&self) -> bool {
        self.hash.is_some()
    }

    /// Tells whether too many wrong ones came from there.
    pub(super) fn is_locked(&self, by: &Guesser) -> bool {
        self.lockout.is_locked(by)
    }

    /// Tells whether this is the password. Compares on a thread for what blocks.
    pub(super) async fn opens(&self, password: SecretString, by: &Guesser) -> bool {
        let _one_at_a_time = self.tries.lock().await;
        let Some(hash) = self.hash.clone().filter(|_| !self.is_locked(by)) else {
            return false;
        };
        self.lockout.note_wrong(by);
        let compared = tokio::task::spawn_blocking(move || hash.is_of(&password)).await;
        let is_right = compared.unwrap_or_default();
        if is_right {
            self.lockout.forgive(by);
        }
        is_right
    }
}
