//! The secrets that stand in a persona's file itself: covered before the file is shown, and put back where the cover still stands.
//! A secret that is named by a file or a credential is none of these. Reads and writes no file.

use serde_json::{Map, Value};

/// Keys of which a text is a secret.
const SECRET: [&str; 5] = ["key", "api_key", "token", "access_token", "password"];

/// What is shown in the place of a secret.
pub const COVER: &str = "(kept)";

/// Tells whether a text under this key is a secret.
fn is_secret(key: &str, value: &Value) -> bool {
    SECRET.contains(&key) && value.as_str().is_some_and(|text| !text.is_empty())
}

/// Covers every secret.
pub fn cover(object: &mut Map<String, Value>) {
    for (key, value) in object {
        if is_secret(key, value) {
            *value = COVER.into();
        } else {
            cover_below(value);
        }
    }
}

fn cover_below(value: &mut Value) {
    match value {
        Value::Object(object) => cover(object),
        Value::Array(all) => all.iter_mut().for_each(cover_below),
        _ => {}
    }
}

/// Tells whether any secret is there.
pub fn holds_any(object: &Map<String, Value>) -> bool {
    let mut all = object.iter();
    all.any(|(key, value)| is_secret(key, value) || holds_any_below(value))
}

fn holds_any_below(value: &Value) -> bool {
    match value {
        Value::Object(object) => holds_any(object),
        Value::Array(all) => all.iter().any(holds_any_below),
        _ => false,
    }
}

/// Puts back what is covered, from the same place of what was there before.
///
/// # Errors
/// The key of which nothing was there before.
pub fn uncover(object: &mut Map<String, Value>, before: &Map<String, Value>) -> Result<(), String> {
    for (key, value) in object {
        let old = before.get(key);
        if is_secret(key, value) && *value == COVER {
            let old = old.filter(|old| is_secret(key, old));
            old.ok_or_else(|| key.clone())?.clone_into(value);
        } else {
            uncover_below(value, old)?;
        }
    }
    Ok(())
}

fn uncover_below(value: &mut Value, before: Option<&Value>) -> Result<(), String> {
    match value {
        Value::Object(object) => {
            let nothing = Map::new();
            uncover(object, before.and_then(Value::as_object).unwrap_or(&nothing))
        }
        Value::Array(all) => {
            let mut all = all.iter_mut().enumerate();
            all.try_for_each(|(place, value)| {
                uncover_below(value, before.and_then(|before| before.get(place)))
            })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: &Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn what_is_covered_comes_back_where_it_stood_and_what_was_written_anew_stays() {
        let before = object(
            &json!({"name": "A", "loop": {"brain": {"key": "sk-one", "model": "m"},
            "ladder": [{"api_key": "sk-two"}, {"key": {"file": "/k"}}, {"key": ""}]}}),
        );
        assert!(holds_any(&before));
        let mut shown = before.clone();
        cover(&mut shown);
        let text = Value::from(shown.clone()).to_string();
        assert!(!text.contains("sk-") && text.contains("/k"), "{text}");
        let mut saved = shown.clone();
        uncover(&mut saved, &before).unwrap();
        assert_eq!(saved, before);
        let mut anew = shown;
        anew["loop"]["brain"]["key"] = "sk-new".into();
        uncover(&mut anew, &before).unwrap();
        assert_eq!(anew["loop"]["brain"]["key"], "sk-new");
        assert_eq!(anew["loop"]["ladder"][0]["api_key"], "sk-two");
    }

    #[test]
    fn a_cover_over_nothing_is_refused() {
        let mut moved = object(&json!({"other": {"key": COVER}}));
        let before = object(&json!({"loop": {"key": "sk-one"}}));
        assert_eq!(uncover(&mut moved, &before), Err("key".to_owned()));
        assert!(!holds_any(&object(
            &json!({"loop": {"key": {"file": "/k"}, "model": "key"}})
        )));
    }
}
