//! The seal on what device and worker send each other about a turn: without the turn's key, which stands in the order alone,
//! none can be made, nor moved to another subject. It hides nothing; TLS does.

use std::fmt::Write;

use hmac::{Hmac, Mac};
use sha2::Sha256;
use uuid::Uuid;

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        // A text takes whatever is written into it.
        write!(digits, "{byte:02x}").unwrap_or_default();
        digits
    })
}

/// The key of one turn.
#[derive(Clone)]
pub(crate) struct SealKey(String);

impl std::fmt::Debug for SealKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SealKey")
    }
}

impl SealKey {
    /// Draws a new key of 244 random bits.
    pub(crate) fn draw() -> Self {
        Self(format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple()))
    }

    pub(crate) fn of_order(key: &str) -> Self {
        Self(key.to_owned())
    }

    /// Gives the key as an order carries it.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Computes the seal of a message on a subject.
    pub(crate) fn seal(&self, subject: &str, run: &str, payload: &[u8]) -> String {
        let code = self.code(subject, run, payload);
        let bytes = code.map(|code| code.finalize().into_bytes());
        hex(&bytes.unwrap_or_default())
    }

    /// Tells whether it is the seal of this message.
    pub(crate) fn is_seal(&self, seal: &str, subject: &str, run: &str, payload: &[u8]) -> bool {
        let bytes = (0..seal.len() / 2).map(|at| {
            let digits = seal.get(2 * at..2 * at + 2)?;
            u8::from_str_radix(digits, 16).ok()
        });
        let bytes: Option<Vec<u8>> = bytes.collect();
        let code = self.code(subject, run, payload);
        // In constant time, so that a seal cannot be guessed byte by byte.
        bytes
            .zip(code)
            .is_some_and(|(bytes, code)| code.verify_slice(&bytes).is_ok())
    }

    fn code(&self, subject: &str, run: &str, payload: &[u8]) -> Option<Hmac<Sha256>> {
        // A key may be of any length.
        let mut code = Hmac::<Sha256>::new_from_slice(self.0.as_bytes()).ok()?;
        for part in [subject.as_bytes(), run.as_bytes(), payload] {
            code.update(&(part.len() as u64).to_be_bytes());
            code.update(part);
        }
        Some(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_is_good_for_one_message_on_one_subject_of_one_run() {
        let key = SealKey::draw();
        let seal = key.seal("a.b", "run", b"words");
        assert!(key.is_seal(&seal, "a.b", "run", b"words"));
        for (subject, run, payload) in [
            ("a.c", "run", &b"words"[..]),
            ("a.b", "other", b"words"),
            ("a.b", "run", b"other"),
            ("a.br", "un", b"words"),
        ] {
            assert!(!key.is_seal(&seal, subject, run, payload));
        }
        assert!(!SealKey::draw().is_seal(&seal, "a.b", "run", b"words"));
        for seal in ["", "zz", "ä", &seal[2..]] {
            assert!(!key.is_seal(seal, "a.b", "run", b"words"));
        }
    }
}
