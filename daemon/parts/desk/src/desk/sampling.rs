//! How the asker wants one answer to be drawn: `loquat_sampling` in the context of an utterance or a query.
//!
//! The context is what reaches us whichever way the message takes. What makes no sense there is refused as a whole, with
//! the key that is wrong, since a program sent it and only that program can mend it.

use loquat_agent::brain::Sampling;
use loquat_settings::wording::{did_you_mean, shown};
use loquat_wire::Message;
use serde_json::{Map, Value};

/// The key in the context.
const KEY: &str = "loquat_sampling";

/// What may stand below it.
const KEYS: [&str; 3] = ["temperature", "top_p", "max_tokens"];

/// The longest reply that may be asked for, in tokens; as much as a persona file may say.
const MOST_TOKENS: u64 = 1_000_000;

/// Why a wish is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    #[error("malformed request: {KEY} must be an object")]
    NoObject,
    /// No client may wish anything.
    #[error("unsupported request: {KEY} is not taken, because desk.sampling_by_asker is false")]
    NotAllowed,
    /// A key that is not known.
    #[error("malformed request: there is no {KEY}.{key}; {hint}")]
    Unknown {
        /// The key is shortened.
        key: String,
        /// What may have been meant.
        hint: String,
    },
    /// A value that is none.
    #[error("malformed request: {KEY}.{key} must be {expected}")]
    Value {
        key: &'static str,
        /// What it may be.
        expected: String,
    },
}

/// What the message wants, which is usually nothing.
pub(super) fn wanted(message: &Message, allowed: bool) -> Result<Sampling, Refused> {
    match message.context.get(KEY) {
        None | Some(Value::Null) => Ok(Sampling::default()),
        Some(_) if !allowed => Err(Refused::NotAllowed),
        Some(Value::Object(wish)) => read(wish),
        Some(_) => Err(Refused::NoObject),
    }
}

fn read(wish: &Map<String, Value>) -> Result<Sampling, Refused> {
    if let Some(unknown) = wish.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(Refused::Unknown {
            key: shown(unknown),
            hint: did_you_mean(unknown, &KEYS),
        });
    }
    Ok(Sampling {
        temperature: number(wish, "temperature", 2.0)?,
        top_p: number(wish, "top_p", 1.0)?,
        max_tokens: max_tokens(wish)?,
    })
}

fn number(wish: &Map<String, Value>, key: &'static str, most: f64) -> Result<Option<f32>, Refused> {
    let Some(value) = wish.get(key).filter(|value| !value.is_null()) else {
        return Ok(None);
    };
    match value.as_f64() {
        Some(number) if (0.0..=most).contains(&number) => Ok(Some(number as f32)),
        _ => Err(Refused::Value {
            key,
            expected: format!("a number from 0 to {most}"),
        }),
    }
}

fn max_tokens(wish: &Map<String, Value>) -> Result<Option<u32>, Refused> {
    let Some(value) = wish.get("max_tokens").filter(|value| !value.is_null()) else {
        return Ok(None);
    };
    let bound = value.as_u64().filter(|bound| (1..=MOST_TOKENS).contains(bound));
    match bound.and_then(|bound| u32::try_from(bound).ok()) {
        Some(bound) => Ok(Some(bound)),
        None => Err(Refused::Value {
            key: "max_tokens",
            expected: format!("a whole number from 1 to {MOST_TOKENS}"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(wish: &Value, allowed: bool) -> Result<Sampling, String> {
        let mut message = Message::new("ovos.utterance.handle", json!({}));
        message.context.insert(KEY, wish.clone());
        wanted(&message, allowed).map_err(|error| error.to_string())
    }

    #[test]
    fn a_wish_is_read_as_it_is_meant() {
        let wish = json!({"temperature": 0, "top_p": 0.5, "max_tokens": 40});
        let read_wish = Sampling {
            temperature: Some(0.0),
            top_p: Some(0.5),
            max_tokens: Some(40),
        };
        assert_eq!(read(&wish, true), Ok(read_wish));
        for nothing in [json!({}), json!(null), json!({"temperature": null})] {
            assert_eq!(read(&nothing, true), Ok(Sampling::default()), "{nothing}");
        }
        assert_eq!(read(&json!(null), false), Ok(Sampling::default()));
    }

    #[test]
    fn what_makes_no_sense_is_named_with_its_key() {
        for (wish, allowed, named) in [
            (
                json!({"temperature": 2.5}),
                true,
                "loquat_sampling.temperature must be a number from 0 to 2",
            ),
            (json!({"temperature": "0.5"}), true, "loquat_sampling.temperature"),
            (
                json!({"top_p": -0.1}),
                true,
                "loquat_sampling.top_p must be a number from 0 to 1",
            ),
            (json!({"top_p": true}), true, "loquat_sampling.top_p"),
            (
                json!({"max_tokens": 0}),
                true,
                "loquat_sampling.max_tokens must be a whole number from 1 to 1000000",
            ),
            (json!({"max_tokens": 2.5}), true, "loquat_sampling.max_tokens"),
            (json!({"max_tokens": [5]}), true, "loquat_sampling.max_tokens"),
            (json!({"temprature": 0.5}), true, "did you mean temperature?"),
            (json!([0.5]), true, "loquat_sampling must be an object"),
            (json!({"top_p": 0.5}), false, "desk.sampling_by_asker"),
        ] {
            let error = read(&wish, allowed).expect_err("it makes no sense");
            assert!(error.contains(named), "{wish}: {error}");
        }
    }
}
