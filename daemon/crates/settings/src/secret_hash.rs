//! The slow hash of a secret that a person types or says, for the settings. Keeps, prints and logs no secret.

use std::fmt;

use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use secrecy::{ExposeSecret, SecretString};

/// Memory that one hash takes, in KiB: what the smallest board can spare for a moment.
const MEMORY: u32 = 8 * 1024;

/// Passes over that memory.
const PASSES: u32 = 3;

/// The most memory that a hash in the settings may ask for, in KiB.
const MOST_MEMORY: u32 = 64 * 1024;

/// The slow hash of a secret. `Debug` does not show it, since a short secret can be found by trying.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretHash(String);

impl fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretHash(..)")
    }
}

impl SecretHash {
    /// Hashes a secret with a salt of its own, which takes a good part of a second.
    pub fn of(secret: &SecretString) -> Result<Self, argon2::password_hash::Error> {
        let salt = SaltString::encode_b64(uuid::Uuid::new_v4().as_bytes())?;
        let params = Params::new(MEMORY, PASSES, 1, None)?;
        let hash = Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
            .hash_password(secret.expose_secret().as_bytes(), &salt)?;
        Ok(Self(hash.to_string()))
    }

    /// Reads a hash; `None` where the text is none, or one that would cost more than the device can spare.
    pub fn parse(text: &str) -> Option<Self> {
        let hash = PasswordHash::new(text).ok()?;
        let params = Params::try_from(&hash).ok()?;
        let is_usable = hash.algorithm.as_str().starts_with("argon2")
            && hash.hash.is_some()
            && params.m_cost() <= MOST_MEMORY
            && params.t_cost() <= 16
            && params.p_cost() <= 4;
        is_usable.then(|| Self(text.to_owned()))
    }

    /// Gives the hash as the settings hold it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Tells whether it is the hash of this secret. Compares in constant time. Blocks for a good part of a second, so
    /// it has no place on a thread of the runtime.
    pub fn is_of(&self, secret: &SecretString) -> bool {
        let Ok(hash) = PasswordHash::new(&self.0) else {
            return false;
        };
        Argon2::default()
            .verify_password(secret.expose_secret().as_bytes(), &hash)
            .is_ok()
    }
}
