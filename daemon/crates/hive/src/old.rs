//! The protocol of HiveMind before version 3, for clients that know no other: a password that both prove by a digest, and
//! messages of AES-GCM. A reader on the way can try passwords on the handshake, and one who learns the password later can read
//! all that was said; so it is only for passwords of many random bits, and only where it is asked for. Nothing is kept here.

use std::fmt;

use aes_gcm::aead::consts::U16;
use aes_gcm::aead::rand_core::RngCore;
use aes_gcm::aead::{Aead, OsRng};
use aes_gcm::aes::Aes256;
use aes_gcm::{AesGcm, KeyInit, Nonce};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::handshake::HandshakeError;
use crate::kind::Kind;
use crate::message::HiveMessage;

/// Each side's part of the salt has this many bytes.
const SALT: usize = 8;

/// An envelope has this many bytes: the salt and the beginning of a digest.
const ENVELOPE: usize = 24;

/// Times that the password is stirred into the key.
const ROUNDS: u32 = 100_000;

/// Each message has this many random bytes in front.
const NONCE: usize = 16;

/// Each message has this many bytes of authentication behind it.
const TAG: usize = 16;

/// The password itself, which this protocol needs at each meeting.
#[derive(Clone, PartialEq, Eq)]
pub struct OldPassword(String);

impl fmt::Debug for OldPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OldPassword(..)")
    }
}

impl OldPassword {
    /// Takes a password.
    pub fn new(password: String) -> Self {
        Self(password)
    }

    /// Makes the envelope that proves the password with this salt.
    fn envelope(&self, salt: [u8; SALT]) -> String {
        let digest = Sha256::new().chain_update(salt).chain_update(&self.0).finalize();
        let whole = [&salt[..], digest.as_slice()].concat();
        hex::encode(whole.get(..ENVELOPE).unwrap_or_default())
    }

    /// Gives the salt of an envelope, if it proves the password.
    fn proved_by(&self, envelope: &str) -> Option<[u8; SALT]> {
        let bytes = hex::decode(envelope).ok()?;
        let salt: [u8; SALT] = bytes.get(..SALT)?.try_into().ok()?;
        // Of digests, so that the time of the comparison tells nothing about the envelope.
        let same = Sha256::digest(self.envelope(salt)) == Sha256::digest(envelope.to_lowercase());
        same.then_some(salt)
    }
}

/// Answers the envelope of a client: what it is told, what seals the session, and whether it reads messages as bits.
/// It is slow, since a key is derived from the password.
pub(crate) async fn answer(
    first: &HiveMessage,
    password: OldPassword,
) -> Result<(HiveMessage, OldCipher, bool), HandshakeError> {
    let said = first.object().ok_or(HandshakeError::Malformed)?;
    let takes = |what: &str, one: &str| {
        let all = said.get(what).and_then(Value::as_array);
        all.is_none_or(|all| all.iter().any(|known| known.as_str() == Some(one)))
    };
    if !takes("encodings", "JSON-HEX") || !takes("ciphers", "AES-GCM") {
        return Err(HandshakeError::NoChoice);
    }
    let envelope = said.get("envelope").and_then(Value::as_str).unwrap_or_default();
    let theirs = password.proved_by(envelope).ok_or(HandshakeError::Unproved)?;
    let mut own = [0; SALT];
    OsRng.fill_bytes(&mut own);
    let answer = json!({"envelope": password.envelope(own), "encoding": "JSON-HEX", "cipher": "AES-GCM"});
    let mut salt = own;
    for (byte, other) in salt.iter_mut().zip(theirs) {
        *byte ^= other;
    }
    let derived = tokio::task::spawn_blocking(move || OldCipher::new(&password, salt)).await;
    let cipher = derived.map_err(|_| HandshakeError::Malformed)?;
    let reads_bits = said.get("binarize").and_then(Value::as_bool).unwrap_or(false);
    let answer = answer.as_object().cloned().unwrap_or_default();
    Ok((HiveMessage::new(Kind::Handshake, answer), cipher, reads_bits))
}

/// Seals and opens the messages of one session.
pub(crate) struct OldCipher(Box<AesGcm<Aes256, U16>>);

impl OldCipher {
    fn new(password: &OldPassword, salt: [u8; SALT]) -> Self {
        let mut key = [0; 32];
        pbkdf2::pbkdf2_hmac::<Sha256>(password.0.as_bytes(), &salt, ROUNDS, &mut key);
        Self(Box::new(AesGcm::new(&key.into())))
    }

    pub(crate) fn seal(&self, plain: &[u8]) -> Option<Vec<u8>> {
        let mut nonce = [0; NONCE];
        OsRng.fill_bytes(&mut nonce);
        let sealed = self.0.encrypt(Nonce::from_slice(&nonce), plain).ok()?;
        Some([&nonce[..], &sealed].concat())
    }

    /// Decrypts the bytes of a message. There are none where they were changed.
    pub(crate) fn open(&self, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, sealed) = sealed.split_at_checked(NONCE)?;
        self.0.decrypt(Nonce::from_slice(nonce), sealed).ok()
    }

    pub(crate) fn seal_text(&self, plain: &str) -> Option<String> {
        let sealed = self.seal(plain.as_bytes())?;
        let (nonce, rest) = sealed.split_at_checked(NONCE)?;
        let (text, tag) = rest.split_at_checked(rest.len().checked_sub(TAG)?)?;
        let digits =
            json!({"ciphertext": hex::encode(text), "tag": hex::encode(tag), "nonce": hex::encode(nonce)});
        Some(digits.to_string())
    }

    /// Decrypts the text of a message. There is none where it was changed. The tag may stand behind the ciphertext,
    /// as browsers have it.
    pub(crate) fn open_text(&self, text: &str) -> Option<String> {
        let fields: Value = serde_json::from_str(text).ok()?;
        let bytes = |key: &str| hex::decode(fields.get(key)?.as_str()?).ok();
        let tag = bytes("tag").unwrap_or_default();
        let sealed = [bytes("nonce")?, bytes("ciphertext")?, tag].concat();
        String::from_utf8(self.open(&sealed)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected values are those of `PasswordHandShake("a long password")` of poorman-handshake 1.0.1 with these
    /// salts of both sides.
    #[test]
    fn envelope_and_key_are_those_of_stock_peers() {
        let password = OldPassword::new("a long password".to_owned());
        let salt = [1, 2, 3, 4, 5, 6, 7, 8];
        assert_eq!(password.envelope(salt), ENVELOPE_OF_STOCK_PEERS);
        assert_eq!(password.proved_by(ENVELOPE_OF_STOCK_PEERS), Some(salt));
        let other = OldPassword::new("another password".to_owned());
        assert_eq!(other.proved_by(ENVELOPE_OF_STOCK_PEERS), None);
        for wrong in ["", "00", "zz", &"0".repeat(48), &ENVELOPE_OF_STOCK_PEERS[..40]] {
            assert_eq!(password.proved_by(wrong), None, "{wrong}");
        }
        // `encrypt_as_json` of hivemind-bus-client 0.4.4 with the key of this salt.
        let salt = [9, 5, 5, 1, 1, 5, 5, 9];
        let cipher = OldCipher::new(&password, salt);
        assert_eq!(cipher.open_text(SEALED_BY_STOCK_PEERS).unwrap(), "{\"a\": 1}");
    }

    const ENVELOPE_OF_STOCK_PEERS: &str = "010203040506070884e5b805aa974b21aad4c95681df9f67";

    const SEALED_BY_STOCK_PEERS: &str = r#"{"ciphertext": "3f812a077dc6579c", "tag": "7244315e6dd14200f52a4cb787040855", "nonce": "000102030405060708090a0b0c0d0e0f"}"#;

    #[test]
    fn what_is_sealed_is_opened_unless_it_was_changed() {
        let cipher = OldCipher::new(&OldPassword::new("x".to_owned()), [0; SALT]);
        let sealed = cipher.seal(b"words").unwrap();
        assert_eq!(cipher.open(&sealed).unwrap(), b"words");
        for place in [0, NONCE, sealed.len() - 1] {
            let mut changed = sealed.clone();
            changed[place] ^= 1;
            assert_eq!(cipher.open(&changed), None);
        }
        let text = cipher.seal_text("Wörter").unwrap();
        assert_eq!(cipher.open_text(&text).unwrap(), "Wörter");
        for wrong in ["", "{}", "7", r#"{"nonce": "", "ciphertext": ""}"#] {
            assert_eq!(cipher.open_text(wrong), None, "{wrong}");
        }
        assert_eq!(cipher.open(&[]), None);
    }
}
