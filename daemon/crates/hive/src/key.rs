//! The keys of a session: the one that a node has for life, and the one that two nodes share since both know a password.
//! Nothing here is kept or shown; `Debug` tells public keys alone.

use std::fmt;

use argon2::{Algorithm, Argon2, Params, Version};
use sha2::{Digest, Sha256};

/// The memory in KiB that the protocol asks for: 64 MiB, so that trying passwords is dear.
const MEMORY: u32 = 64 * 1024;

/// Passes over that memory.
const PASSES: u32 = 3;

/// Says why a text is no key.
#[derive(Debug, thiserror::Error)]
#[error("failed to read a key: it must be 64 hexadecimal digits")]
pub struct KeyError;

/// Says why a password gives no key.
#[derive(Debug, thiserror::Error)]
#[error("failed to derive the key from the password: {0}")]
pub struct DeriveError(String);

impl DeriveError {
    /// Whatever derived it has ended before.
    pub fn interrupted() -> Self {
        Self("the thread that did has ended".to_owned())
    }
}

impl From<argon2::Error> for DeriveError {
    fn from(error: argon2::Error) -> Self {
        Self(error.to_string())
    }
}

fn bytes(text: &str) -> Result<[u8; 32], KeyError> {
    let mut out = [0; 32];
    hex::decode_to_slice(text.trim(), &mut out).map_err(|_| KeyError)?;
    Ok(out)
}

/// The key that a password becomes for one listener. It is worth as much as the password there, and nothing
/// elsewhere.
#[derive(Clone, PartialEq, Eq)]
pub struct Psk([u8; 32]);

impl fmt::Debug for Psk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Psk(..)")
    }
}

impl Psk {
    /// Derives the key of a password, for the listener of this id. Blocks for a moment and takes 64 MiB.
    pub fn derive(password: &str, node_id: &str) -> Result<Self, DeriveError> {
        let salt = Sha256::digest(node_id.as_bytes());
        let mut out = [0; 32];
        let params = Params::new(MEMORY, PASSES, 1, Some(32))?;
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params).hash_password_into(
            password.as_bytes(),
            &salt,
            &mut out,
        )?;
        Ok(Self(out))
    }

    /// Reads the key as it was kept.
    pub fn from_hex(text: &str) -> Result<Self, KeyError> {
        bytes(text).map(Self)
    }

    /// Writes the key to be kept, where only the owner reads.
    pub fn to_hex(&self) -> String {
        hex::encode(self.0)
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// The public key by which a node is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicKey([u8; 32]);

impl PublicKey {
    /// Reads the key as it was kept.
    pub fn from_hex(text: &str) -> Result<Self, KeyError> {
        bytes(text).map(Self)
    }

    /// Writes the key to be kept or shown.
    pub fn to_hex(self) -> String {
        hex::encode(self.0)
    }

    pub(crate) fn from_slice(key: &[u8]) -> Option<Self> {
        key.try_into().ok().map(Self)
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// The key that a node has for life. A program that has it is that node.
#[derive(Clone)]
pub struct StaticKey([u8; 32]);

impl fmt::Debug for StaticKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StaticKey(..)")
    }
}

impl StaticKey {
    /// Draws a new key. There is none where the system has no random numbers.
    pub fn generate() -> Option<Self> {
        let params = "Noise_XX_25519_ChaChaPoly_SHA256".parse().ok()?;
        let pair = snow::Builder::new(params).generate_keypair().ok()?;
        pair.private.as_slice().try_into().ok().map(Self)
    }

    /// Reads the key as it was kept.
    pub fn from_hex(text: &str) -> Result<Self, KeyError> {
        bytes(text).map(Self)
    }

    /// Writes the key to be kept, where only the owner reads.
    pub fn to_hex(&self) -> String {
        hex::encode(self.0)
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected key is `derive_psk("a long password", node_id="node")` of poorman-handshake 2.0.3a1.
    #[test]
    fn a_password_gives_the_key_that_stock_peers_have() {
        let psk = Psk::derive("a long password", "node").unwrap();
        assert_eq!(psk.to_hex(), PSK_OF_STOCK_PEERS);
        assert_eq!(Psk::from_hex(&psk.to_hex()).unwrap(), psk);
    }

    const PSK_OF_STOCK_PEERS: &str = "d9a061a37291fc2372946b20ec0b00a2b4b9d3971659f24ef917629248e3d7ff";

    #[test]
    fn what_is_no_key_is_refused() {
        for text in ["", "00", &"z".repeat(64), &"0".repeat(66)] {
            assert!(Psk::from_hex(text).is_err(), "{text}");
        }
        let key = StaticKey::generate().unwrap();
        assert_eq!(format!("{key:?}"), "StaticKey(..)");
        assert_ne!(key.to_hex(), StaticKey::generate().unwrap().to_hex());
    }
}
