//! What a server was given and gives back in its words: many do. It is taken out of all that a person is told, also where it
//! comes in several pieces or lies across the place where words are cut.

use std::fmt;
use std::sync::Arc;

use loquat_agent::pieces::Pieces;
use parking_lot::Mutex;
use secrecy::{ExposeSecret, SecretString};

use super::rules::Way;

/// Shorter ones are words of many sentences.
const SHORTEST: usize = 4;

/// What stands in the place of one.
const MASK: &str = "[secret]";

/// The token and the variables of one server, the longest first, since one may be the beginning of another.
#[derive(Clone, Default)]
pub(super) struct Secrets(Arc<[SecretString]>);

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Secrets").field(&self.0.len()).finish()
    }
}

impl Secrets {
    /// Those that a server is given on its way.
    pub(super) fn of(way: &Way) -> Self {
        let mut all: Vec<SecretString> = match way {
            Way::Program { environment, .. } => environment.iter().map(|(_, value)| value.clone()).collect(),
            Way::Address { token, .. } => token.iter().cloned().collect(),
            Way::None(_) => Vec::new(),
        };
        all.retain(|secret| secret.expose_secret().len() >= SHORTEST);
        all.sort_by_key(|secret| std::cmp::Reverse(secret.expose_secret().len()));
        Self(all.into())
    }

    /// Words without them.
    pub(super) fn masked(&self, words: &str) -> String {
        self.scanned(words, 0, true).0
    }

    /// Words whose beginning was cut off somewhere, without the [`margin`](Self::margin) in which the cut may have left a part of
    /// a secret.
    pub(super) fn masked_behind_a_cut(&self, words: &str) -> String {
        self.scanned(words, self.margin(), true).0
    }

    /// Bytes of the longest one, and of a letter that a cut has spoiled.
    pub(super) fn margin(&self) -> usize {
        let longest = self.0.first();
        longest.map_or(0, |secret| secret.expose_secret().len() + 8)
    }

    /// Words that come in pieces, each told without them.
    pub(super) fn kept_from(&self, pieces: Pieces) -> MaskedPieces {
        MaskedPieces {
            secrets: self.clone(),
            pieces,
            held: Mutex::default(),
        }
    }

    /// Words without secrets, but for those in so many bytes at their beginning; and how many bytes at their end may be the
    /// beginning of a secret. At the end of all words none are.
    fn scanned(&self, words: &str, from: usize, is_end: bool) -> (String, usize) {
        let (mut masked, mut rest) = (String::with_capacity(words.len()), words);
        let all = || self.0.iter().map(ExposeSecret::expose_secret);
        while let Some(letter) = rest.chars().next() {
            let is_wanted = words.len() - rest.len() >= from;
            let may_begin = |secret: &str| secret.len() > rest.len() && secret.starts_with(rest);
            if !is_end && all().any(may_begin) {
                break;
            }
            if let Some(behind) = all().find_map(|secret| rest.strip_prefix(secret)) {
                masked.push_str(if is_wanted { MASK } else { "" });
                rest = behind;
            } else {
                masked.extend(Some(letter).filter(|_| is_wanted));
                rest = rest.get(letter.len_utf8()..).unwrap_or_default();
            }
        }
        (masked, rest.len())
    }
}

/// The pieces of one call. What may be the beginning of a secret is held back until more has come, or nothing does.
#[derive(Debug)]
pub(super) struct MaskedPieces {
    secrets: Secrets,
    pieces: Pieces,
    held: Mutex<String>,
}

impl MaskedPieces {
    /// Tells the next piece, in the form that `shown` gives it.
    pub(super) fn tell(&self, piece: &str, shown: impl Fn(&str) -> String) {
        let mut held = self.held.lock();
        held.push_str(piece);
        let (masked, left) = self.secrets.scanned(&held, 0, false);
        let told = held.len() - left;
        *held = held.split_off(told);
        self.pieces.tell(&shown(&masked));
    }

    /// Nothing more comes.
    pub(super) fn end(&self, shown: impl Fn(&str) -> String) {
        let held = std::mem::take(&mut *self.held.lock());
        self.pieces.tell(&shown(&self.secrets.masked(&held)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(values: &[&str]) -> Secrets {
        let variable = |value: &&str| ("KEY".to_owned(), SecretString::from(*value));
        Secrets::of(&Way::Program {
            command: String::new(),
            arguments: Vec::new(),
            environment: values.iter().map(variable).collect(),
        })
    }

    fn told(secrets: &Secrets, words: &[&str]) -> Vec<String> {
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let taken = Arc::clone(&heard);
        let pieces = Pieces::heard_by(move |text| taken.lock().push(text.to_owned()));
        let masked = secrets.kept_from(pieces);
        for piece in words {
            masked.tell(piece, str::to_owned);
        }
        masked.end(str::to_owned);
        let heard = heard.lock();
        heard.clone()
    }

    #[test]
    fn what_a_server_was_given_is_not_in_its_words() {
        let secrets = given(&["sesame", "sesame street", "a"]);
        let words = "401: you sent Bearer sesame, or sesame street, a plain refusal";
        let masked = "401: you sent Bearer [secret], or [secret], a plain refusal";
        assert_eq!(secrets.masked(words), masked);
    }

    #[test]
    fn a_secret_across_pieces_is_told_in_none_of_them() {
        let secrets = given(&["sesame", "sesame street", "émile"]);
        for (words, heard) in [
            (&["open ses", "ame now"][..], &["open ", "[secret] now"][..]),
            (&["s", "e", "s", "a", "m", "e"], &["[secret]"]),
            (&["sesame", " tree"], &["[secret] tree"]),
            (&["sesame str", "eet!"], &["[secret]!"]),
            (&["sesa", "w"], &["sesaw"]),
            (&["half a ses"], &["half a ", "ses"]),
            (&["é", "mile"], &["[secret]"]),
            (&["sesesame"], &["se[secret]"]),
        ] {
            let told = told(&secrets, words).concat();
            assert_eq!(told, heard.concat(), "{words:?}");
        }
        assert_eq!(told(&given(&[]), &["a", "b"]), ["a", "b"], "nothing is held back");
    }

    #[test]
    fn what_a_cut_leaves_of_a_secret_is_not_told() {
        let secrets = given(&["sesame street", "ésamé"]);
        for secret in ["sesame street", "ésamé"] {
            let words = format!("{secret}, {}", "x".repeat(50));
            for cut in 0..words.len() - 50 {
                let rest = String::from_utf8_lossy(words.as_bytes().get(cut..).unwrap());
                let told = secrets.masked_behind_a_cut(&rest);
                assert!(
                    told.len() > 20 && told.chars().all(|letter| letter == 'x'),
                    "{told}"
                );
            }
        }
        let across = format!("{}sesame street three", "x".repeat(secrets.margin() - 4));
        assert_eq!(secrets.masked_behind_a_cut(&across), " three");
    }
}
