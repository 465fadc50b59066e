//! What a person has to hear of a call before they can consent to it: every argument, with its name.
//!
//! What cannot be said in full is refused here, so that no person consents to half of a call: signs without a sound, letters
//! that look like others, and markup by which a voice could be told to leave something out. Marks that would end the question,
//! or begin another one within it, become commas. Words of a language are put to it elsewhere.

mod marks;

use serde_json::{Map, Value};

use loquat_decoder::speakable;

/// Values that a person can keep in mind while they decide.
const MOST_VALUES: usize = 12;

/// Characters of all names and values, about half a minute of speech.
const LONGEST: usize = 400;

/// Lists and objects within each other; deeper ones cannot be followed by ear.
const DEEPEST: usize = 3;

/// An argument of a call as it is said: its whole name, and its value or the values of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Particular {
    /// The names that lead to it, outermost first, separated by spaces.
    pub name: String,
    /// Its values. An empty list or object has none.
    pub values: Vec<Spoken>,
}

/// A value as it is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spoken {
    /// They are words or a number, without control characters and Markdown.
    Text(String),
    /// Yes or no, in whatever words a language has for a switch.
    Switch(bool),
    /// It is an empty text, or null.
    Nothing,
}

/// Says why a call cannot be said in full. Completes the sentence "it cannot be said because …".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsayable {
    /// It has too many arguments.
    #[error("its arguments hold more than {MOST_VALUES} values")]
    TooMany,
    /// It takes too long to say.
    #[error("its arguments are longer than {LONGEST} characters")]
    TooLong,
    /// Lists or objects are nested too deeply.
    #[error("its arguments are nested more than {DEEPEST} levels deep")]
    TooDeep,
    /// A part of it has no sound, or another one than it looks like.
    #[error("its {place} holds signs that cannot be said")]
    Silent {
        /// Names the argument, or the tool itself.
        place: String,
    },
}

/// A call as a person hears of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Particulars {
    /// The name of the tool.
    pub tool: String,
    /// They are in their order.
    pub arguments: Vec<Particular>,
}

/// Everything that a person has to hear of a call.
pub fn particulars(tool: &str, arguments: &Map<String, Value>) -> Result<Particulars, Unsayable> {
    let mut found = Found::default();
    let tool = sayable(&spaced(tool), "name")?;
    for (name, value) in arguments {
        found.take(&spaced(name), value, 1)?;
    }
    // The name is said twice: before and behind the arguments.
    if found.length + 2 * tool.chars().count() > LONGEST {
        return Err(Unsayable::TooLong);
    }
    let arguments = found.particulars;
    Ok(Particulars { tool, arguments })
}

/// A name as it is said.
fn spaced(name: &str) -> String {
    name.replace(['_', '-'], " ")
}

#[derive(Debug, Default)]
struct Found {
    particulars: Vec<Particular>,
    values: usize,
    /// So many characters are used.
    length: usize,
}

impl Found {
    fn take(&mut self, name: &str, value: &Value, depth: usize) -> Result<(), Unsayable> {
        if depth > DEEPEST + 1 {
            return Err(Unsayable::TooDeep);
        }
        match value {
            Value::Object(fields) if !fields.is_empty() => {
                let mut fields = fields.iter();
                fields.try_for_each(|(field, value)| {
                    self.take(&format!("{name} {}", spaced(field)), value, depth + 1)
                })
            }
            Value::Array(items) if items.iter().any(is_nested) => {
                let mut items = (1..).zip(items);
                items.try_for_each(|(number, item)| self.take(&format!("{name} {number}"), item, depth + 1))
            }
            Value::Array(items) => self.put(name, items),
            plain => self.put(name, std::slice::from_ref(plain)),
        }
    }

    fn put(&mut self, name: &str, values: &[Value]) -> Result<(), Unsayable> {
        self.values += values.len().max(1);
        if self.values > MOST_VALUES {
            return Err(Unsayable::TooMany);
        }
        let name = sayable(name, "list of arguments")?;
        self.length += name.chars().count();
        let spoken: Result<Vec<Spoken>, Unsayable> =
            values.iter().map(|value| spoken(value, &name)).collect();
        let values = spoken?;
        self.length += values.iter().map(length).sum::<usize>();
        if self.length > LONGEST {
            return Err(Unsayable::TooLong);
        }
        self.particulars.push(Particular { name, values });
        Ok(())
    }
}

fn is_nested(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

fn length(spoken: &Spoken) -> usize {
    match spoken {
        Spoken::Text(text) => text.chars().count(),
        Spoken::Switch(_) | Spoken::Nothing => 5,
    }
}

fn spoken(value: &Value, place: &str) -> Result<Spoken, Unsayable> {
    Ok(match value {
        Value::Bool(on) => Spoken::Switch(*on),
        Value::Number(number) => Spoken::Text(number.to_string()),
        Value::String(text) if !text.trim().is_empty() => Spoken::Text(sayable(text, place)?),
        _ => Spoken::Nothing,
    })
}

/// The text on one line and in one sentence, if all of it can be heard.
fn sayable(text: &str, place: &str) -> Result<String, Unsayable> {
    if text.chars().count() > LONGEST {
        return Err(Unsayable::TooLong);
    }
    // White space is a pause, whatever its kind; all else that steers a terminal is not for ears.
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_heard = line.chars().any(char::is_alphanumeric)
        && !marks::is_silent(&line)
        && !marks::has_markup(&line)
        && speakable(&line) == line;
    is_heard
        .then(|| marks::in_one_sentence(&line))
        .ok_or_else(|| Unsayable::Silent {
            place: place.to_owned(),
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(arguments: Value) -> Result<Vec<Particular>, Unsayable> {
        match arguments {
            Value::Object(arguments) => particulars("unlock_door", &arguments).map(|told| told.arguments),
            other => panic!("{other} is no object"),
        }
    }

    fn text(text: &str) -> Spoken {
        Spoken::Text(text.to_owned())
    }

    #[test]
    fn every_leaf_is_told_with_its_name() {
        let found = of(json!({
            "to": "Mum", "amount": 1, "urgent": true, "note": "", "more": null, "paths": ["/home/ada", "b.txt"],
            "options": {"mode": "fast", "dry_run": false}, "steps": [{"at": 1.5}, {"at": 2}], "empty": {},
        }));
        let found: Vec<(String, Vec<Spoken>)> = found
            .unwrap()
            .into_iter()
            .map(|one| (one.name, one.values))
            .collect();
        let expected = [
            ("to", vec![text("Mum")]),
            ("amount", vec![text("1")]),
            ("urgent", vec![Spoken::Switch(true)]),
            ("note", vec![Spoken::Nothing]),
            ("more", vec![Spoken::Nothing]),
            ("paths", vec![text("/home/ada"), text("b.txt")]),
            ("options mode", vec![text("fast")]),
            ("options dry run", vec![Spoken::Switch(false)]),
            ("steps 1 at", vec![text("1.5")]),
            ("steps 2 at", vec![text("2")]),
            ("empty", vec![Spoken::Nothing]),
        ];
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(name, values)| (name.to_owned(), values))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn ordinary_values_can_be_said() {
        for value in [
            "the kitchen: at 5 o'clock",
            "https://example.org/a_b_c?x=1&y=2",
            "notes_of_2024_old.txt",
            "Ünïcödé, «quoted»",
            "two\nlines",
            "50% off",
            "C++ & Rust",
        ] {
            assert!(
                of(json!({"text": value})).is_ok(),
                "{value}: {:?}",
                of(json!({"text": value}))
            );
        }
    }

    #[test]
    fn what_cannot_be_said_in_full_is_refused() {
        let thirteen: Vec<u32> = (0..13).collect();
        let silent = |place: &str| Unsayable::Silent {
            place: place.to_owned(),
        };
        for (arguments, why) in [
            (json!({"list": thirteen}), Unsayable::TooMany),
            (json!({"text": "x".repeat(401)}), Unsayable::TooLong),
            (
                json!({"a": "x".repeat(300), "b": "y".repeat(120)}),
                Unsayable::TooLong,
            ),
            (json!({"a": {"b": {"c": {"d": {"e": 1}}}}}), Unsayable::TooDeep),
            (json!({"text": "\u{1b}[2J gone"}), silent("text")),
            (json!({"text": "a\u{202e}b"}), silent("text")),
            (json!({"path": "*"}), silent("path")),
            (json!({"path": "/"}), silent("path")),
            (json!({"text": "**all** of it"}), silent("text")),
            (json!({"a\u{7}b": 1}), silent("list of arguments")),
        ] {
            assert_eq!(of(arguments.clone()), Err(why), "{arguments}");
        }
        let arguments = Map::new();
        assert_eq!(particulars("un\u{200b}lock", &arguments), Err(silent("name")));
        assert_eq!(
            particulars("look? or_unlock", &arguments).unwrap().tool,
            "look, or unlock"
        );
    }
}
