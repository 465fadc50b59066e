//! How much room a JSON value takes, found out without writing it. Never looks further than it is told to.

use std::collections::HashSet;

use serde_json::{Map, Value};

/// Levels of lists and objects in what strangers sent that anybody here reads.
pub const LEVELS: usize = 32;

/// Every value takes this many bytes beside those of its text: a list of small numbers is short as a text and large
/// in memory.
const VALUE: usize = 32;

/// Measures the bytes of a value, roughly as it is kept in memory and never less than as compact JSON; it is
/// `None` where these are more than `most`, or where lists and objects stand in each other more than
/// [`LEVELS`] deep. The work is bounded by `most`.
pub fn extent(value: &Value, most: usize) -> Option<usize> {
    let mut left = most;
    spend(value, &mut left, LEVELS)?;
    Some(most - left)
}

/// Measures the members of an object, and stops at `most`.
pub fn extent_of(members: &Map<String, Value>, most: usize) -> Option<usize> {
    let mut left = most;
    spend_members(members, &mut left, LEVELS)?;
    Some(most - left)
}

/// Takes members out of an object until those that are left need no more than `most` bytes; the smallest stay. Whether any
/// had to go.
pub fn shed(members: &mut Map<String, Value>, most: usize) -> bool {
    if extent_of(members, most).is_some() {
        return false;
    }
    let mut sizes: Vec<(usize, String)> = members
        .iter()
        .filter_map(|(name, value)| Some((extent(value, most)? + name.len(), name.clone())))
        .collect();
    sizes.sort_unstable();
    let mut left = most;
    let fits = sizes.into_iter().map_while(|(size, name)| {
        take(&mut left, size)?;
        Some(name)
    });
    let kept: HashSet<String> = fits.collect();
    members.retain(|name, _| kept.contains(name));
    true
}

fn spend(value: &Value, left: &mut usize, levels: usize) -> Option<()> {
    take(left, VALUE)?;
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => Some(()),
        Value::String(text) => spend_text(text, left),
        Value::Array(entries) => {
            let levels = levels.checked_sub(1)?;
            entries.iter().try_for_each(|entry| spend(entry, left, levels))
        }
        Value::Object(members) => spend_members(members, left, levels),
    }
}

fn spend_members(members: &Map<String, Value>, left: &mut usize, levels: usize) -> Option<()> {
    let levels = levels.checked_sub(1)?;
    members.iter().try_for_each(|(name, value)| {
        spend_text(name, left)?;
        spend(value, left, levels)
    })
}

/// Counts a text with its quotes, in which control characters take more room than they seem to.
fn spend_text(text: &str, left: &mut usize) -> Option<()> {
    take(left, text.len())?;
    let escaped = text.bytes().map(|byte| match byte {
        b'"' | b'\\' => 1,
        0..=0x1f => 5,
        _ => 0,
    });
    take(left, escaped.sum())
}

fn take(left: &mut usize, bytes: usize) -> Option<()> {
    *left = left.checked_sub(bytes)?;
    Some(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn it_is_never_less_than_what_would_be_written() {
        for value in [
            json!(null),
            json!("a\"b\n\u{1}ß"),
            json!([1, -2.5, true, "x"]),
            json!({"a": {"b": [{}, []]}, "c": "d"}),
        ] {
            let written = value.to_string().len();
            let measured = extent(&value, 1_000).unwrap();
            assert!(measured >= written, "{value}: {measured}");
            assert_eq!(extent(&value, measured), Some(measured), "{value}");
            assert_eq!(extent(&value, measured - 1), None, "{value}");
        }
    }

    #[test]
    fn what_is_too_much_goes_and_the_smallest_stay() {
        let mut members =
            crate::object(json!({"a": 1, "b": "x".repeat(200), "c": ["y"], "d": "z".repeat(50)}));
        assert!(!shed(&mut members, 1_000));
        assert!(shed(&mut members, 200));
        assert_eq!(members.keys().collect::<Vec<_>>(), ["a", "c", "d"]);
    }

    #[test]
    fn what_is_too_deep_has_none() {
        let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
        assert!(extent(&nested(LEVELS), 10_000).is_some());
        assert_eq!(extent(&nested(LEVELS + 1), 10_000), None);
    }
}
