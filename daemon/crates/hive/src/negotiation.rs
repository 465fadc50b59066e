//! What is said in the clear before there are keys: who listens, and which handshakes it offers. Both sides bind it into the
//! handshake, so that a change on the way ends it.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

/// The version of the protocol that begins with Noise.
pub(crate) const VERSION: u64 = 3;

/// Static keys are exchanged; for a first meeting.
pub(crate) const XX: &str = "XXpsk2";

/// Each side knows the other's static key.
pub(crate) const KK: &str = "KKpsk0";

/// The suites that are known, the preferred one first.
const SUITES: [&str; 2] = ["25519_ChaChaPoly_SHA256", "25519_AESGCM_SHA256"];

/// What a listener says first, in the clear.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Terms {
    pub(crate) hello: Map<String, Value>,
    pub(crate) offer: Map<String, Value>,
}

/// A pattern and a suite of an offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) pattern: &'static str,
    pub(crate) suite: &'static str,
}

impl Terms {
    /// Makes the terms of the listener of this id, for a client of this name whose key it may know.
    pub(crate) fn of_listener(node_id: &str, peer: &str, knows_key: bool, takes_old: bool) -> Self {
        let patterns: &[&str] = if knows_key { &[KK, XX] } else { &[XX] };
        // What clients of the older protocols look for.
        let old = json!({
            "handshake": true, "min_protocol_version": 1, "password": true, "preshared_key": false, "crypto_required": true,
        });
        let mut offer = map(if takes_old { old } else { json!({}) });
        offer.extend(map(json!({
                "max_protocol_version": VERSION,
                "binarize": true,
                "encodings": ["JSON-HEX"],
                "ciphers": ["AES-GCM"],
                "noise": {"patterns": patterns, "suites": SUITES},
        })));
        Self {
            hello: map(json!({"peer": peer, "node_id": node_id})),
            offer,
        }
    }

    /// Gives the id of the listener, which salts the password.
    pub(crate) fn node_id(&self) -> Option<&str> {
        self.hello.get("node_id").and_then(Value::as_str)
    }

    /// Tells whether its owner speaks the version that begins with Noise.
    pub(crate) fn is_of_this_version(&self) -> bool {
        let newest = self.offer.get("max_protocol_version").and_then(Value::as_u64);
        newest.is_some_and(|newest| newest >= VERSION)
    }

    /// Chooses the best that is offered and known here.
    pub(crate) fn choice(&self, knows_key: bool) -> Option<Choice> {
        let suite = SUITES.into_iter().find(|suite| self.offers("suites", suite))?;
        let patterns: &[&'static str] = if knows_key { &[KK, XX] } else { &[XX] };
        let pattern = patterns.iter().find(|pattern| self.offers("patterns", pattern))?;
        Some(Choice { pattern, suite })
    }

    /// Finds what the other side has chosen of the offer.
    pub(crate) fn chosen(&self, pattern: &str, suite: &str) -> Option<Choice> {
        let pattern = [KK, XX].into_iter().find(|known| *known == pattern)?;
        let suite = SUITES.into_iter().find(|known| *known == suite)?;
        let is_offered = self.offers("patterns", pattern) && self.offers("suites", suite);
        is_offered.then_some(Choice { pattern, suite })
    }

    /// Joins the bytes that both sides bind into the handshake.
    pub(crate) fn prologue(&self, choice: &Choice) -> Vec<u8> {
        let mut bytes = canonical(&Value::Object(self.hello.clone()));
        bytes.push_str(&canonical(&Value::Object(self.offer.clone())));
        bytes.push_str(&choice.name());
        bytes.into_bytes()
    }

    fn offers(&self, what: &str, one: &str) -> bool {
        let offered = self.offer.get("noise").and_then(|noise| noise.get(what));
        let offered = offered.and_then(Value::as_array);
        offered.is_some_and(|offered| offered.iter().any(|known| known.as_str() == Some(one)))
    }
}

impl Choice {
    /// Gives the name that Noise has for it.
    pub(crate) fn name(&self) -> String {
        format!("Noise_{}_{}", self.pattern, self.suite)
    }
}

fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// Writes JSON with sorted keys and without spaces.
fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write_canonical(value, &mut out);
    out
}

fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut fields: Vec<_> = map.iter().collect();
            fields.sort_by_key(|(key, _)| key.as_str());
            out.push('{');
            for (place, (key, value)) in fields.into_iter().enumerate() {
                separate(place, out);
                push(&Value::from(key.as_str()), out);
                out.push(':');
                write_canonical(value, out);
            }
            out.push('}');
        }
        Value::Array(values) => {
            out.push('[');
            for (place, value) in values.iter().enumerate() {
                separate(place, out);
                write_canonical(value, out);
            }
            out.push(']');
        }
        other => push(other, out),
    }
}

fn separate(place: usize, out: &mut String) {
    if place > 0 {
        out.push(',');
    }
}

fn push(value: &Value, out: &mut String) {
    // Writing into a string never fails.
    write!(out, "{value}").ok();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_bytes_are_those_of_stock_peers() {
        let value = json!({"b": [1, {"z": "ß\n\u{1}", "a": null}], "a": true, "é": 1, "aa": "\""});
        // json.dumps(…, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        let stock = "{\"a\":true,\"aa\":\"\\\"\",\"b\":[1,{\"a\":null,\"z\":\"ß\\n\\u0001\"}],\"é\":1}";
        assert_eq!(canonical(&value), stock);
    }

    #[test]
    fn only_what_is_offered_is_chosen() {
        let first = Terms::of_listener("n", "p", false, true);
        assert_eq!(first.chosen(KK, SUITES[0]), None);
        assert_eq!(first.chosen(XX, "25519_ChaChaPoly_BLAKE2s"), None);
        assert_eq!(first.choice(true).unwrap().pattern, XX);
        let known = Terms::of_listener("n", "p", true, false);
        assert_eq!(
            known.choice(true).unwrap().name(),
            "Noise_KKpsk0_25519_ChaChaPoly_SHA256"
        );
        assert_eq!(known.choice(false).unwrap().pattern, XX);
        assert!(known.is_of_this_version());
    }
}
