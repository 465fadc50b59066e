//! Writes a JSON value in the spellings that models give it.

use serde_json::Value;

/// The quotes around texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Quotes {
    /// As JSON has them.
    #[default]
    Double,
    /// As Python prints them: single, unless the text holds one and no double quote.
    Single,
    /// As a word processor makes them.
    Curly,
}

/// How a value is spelled; the default is JSON on one line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a habit of its own that goes with any other"
)]
pub struct Spelling {
    /// The quotes.
    pub quotes: Quotes,
    /// Over several lines.
    pub indented: bool,
    /// A comma behind the last member and the last item.
    pub trailing_commas: bool,
    /// No quotes around keys that can do without.
    pub bare_keys: bool,
    /// `True`, `False` and `None`.
    pub python: bool,
    /// A `//` comment behind every opening brace.
    pub comments: bool,
}

impl Spelling {
    /// Writes the value.
    pub fn write(self, value: &Value) -> String {
        let mut text = String::new();
        self.put(&mut text, value, 0);
        text
    }

    /// Writes a text with its quotes.
    pub fn quoted(self, text: &str) -> String {
        let json = Value::String(text.to_owned()).to_string();
        let inside = &json[1..json.len() - 1];
        match self.quotes {
            Quotes::Double => json,
            Quotes::Single if text.contains('\'') && !text.contains('"') => json,
            Quotes::Single => format!("'{}'", inside.replace("\\\"", "\"").replace('\'', "\\'")),
            Quotes::Curly => format!("“{inside}”"),
        }
    }

    fn put(self, text: &mut String, value: &Value, depth: usize) {
        match value {
            Value::Object(members) if !members.is_empty() => {
                let items = members.iter().map(|(key, value)| (Some(key.as_str()), value));
                self.put_all(text, ['{', '}'], items, depth);
            }
            Value::Array(items) if !items.is_empty() => {
                self.put_all(text, ['[', ']'], items.iter().map(|item| (None, item)), depth);
            }
            Value::String(inside) => text.push_str(&self.quoted(inside)),
            Value::Bool(true) if self.python => text.push_str("True"),
            Value::Bool(false) if self.python => text.push_str("False"),
            Value::Null if self.python => text.push_str("None"),
            other => text.push_str(&other.to_string()),
        }
    }

    fn put_all<'v>(
        self,
        text: &mut String,
        [opener, closer]: [char; 2],
        items: impl Iterator<Item = (Option<&'v str>, &'v Value)>,
        depth: usize,
    ) {
        text.push(opener);
        if self.comments && opener == '{' {
            text.push_str(" // as asked\n");
        }
        for (index, (key, value)) in items.enumerate() {
            if index > 0 {
                text.push_str(if self.indented { "," } else { ", " });
            }
            self.put_break(text, depth + 1);
            if let Some(key) = key {
                text.push_str(&self.key(key));
                text.push_str(": ");
            }
            self.put(text, value, depth + 1);
        }
        if self.trailing_commas {
            text.push(',');
        }
        self.put_break(text, depth);
        text.push(closer);
    }

    fn put_break(self, text: &mut String, depth: usize) {
        if self.indented {
            text.push('\n');
            text.push_str(&"  ".repeat(depth));
        }
    }

    fn key(self, key: &str) -> String {
        let plain = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if self.bare_keys && plain {
            key.to_owned()
        } else {
            self.quoted(key)
        }
    }
}
