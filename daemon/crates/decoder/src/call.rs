//! A call as a brain wrote it, before the gate has looked at it, and the names it may have meant.

use serde_json::{Map, Value};

use super::json::{JsonError, Parsed};

/// A tool call out of a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The server's id of a native call.
    pub id: Option<String>,
    /// The brain named the tool so.
    pub tool: String,
    /// The arguments of the call.
    pub arguments: Arguments,
}

/// Arguments in the forms that models give them.
#[derive(Debug, Clone, PartialEq)]
pub enum Arguments {
    /// The arguments have names.
    Named(Map<String, Value>),
    /// The arguments are in the order of a function call. Those that had a name come apart.
    Listed {
        /// The arguments without a name.
        positional: Vec<Value>,
        /// The arguments with a name.
        named: Map<String, Value>,
    },
    /// There is one value where an object was asked for.
    Single(Value),
    /// The arguments are beyond repair, for this reason.
    Broken(String),
}

impl Call {
    /// Makes a call without an id of the server's, as models write it in text.
    pub fn named(tool: impl Into<String>, arguments: Map<String, Value>) -> Self {
        Self {
            id: None,
            tool: tool.into(),
            arguments: Arguments::Named(arguments),
        }
    }
}

impl Arguments {
    /// Gives the arguments by their names; empty where none could be read.
    pub fn named(&self) -> Map<String, Value> {
        match self {
            Self::Named(named) | Self::Listed { named, .. } => named.clone(),
            Self::Single(_) | Self::Broken(_) => Map::new(),
        }
    }

    /// Reads arguments out of a value: an object, or a text that holds one.
    pub fn from_value(value: Value) -> Self {
        match value {
            Value::Object(members) => Self::Named(members),
            Value::Null => Self::Named(Map::new()),
            Value::String(text) => Self::from_text(&text, Ending::Strict),
            other => Self::Single(other),
        }
    }

    /// Reads arguments as a model wrote them; what says that there are none is an empty object.
    pub fn from_text(text: &str, ending: Ending) -> Self {
        let text = super::fence::unwrap(text);
        if text.is_empty() || matches!(text, "none" | "None" | "null" | "N/A" | "n/a" | "-") {
            return Self::Named(Map::new());
        }
        let json = text.starts_with(['{', '[']);
        match parse(text, ending) {
            Ok(parsed) if ending == Ending::Cut && parsed.unclosed => {
                Self::Broken("the arguments were cut off by the length limit of the reply".to_owned())
            }
            Ok(Parsed {
                value: Value::String(words),
                ..
            }) => Self::Single(Value::String(if text.starts_with(super::json::is_quote) {
                words
            } else {
                bare(text, ending).to_owned()
            })),
            Ok(parsed) if json || parsed.end >= text.len() => Self::from_value(parsed.value),
            Err(error) if json => Self::Broken(format!("the arguments are no JSON object: {error}")),
            Ok(_) | Err(_) => Self::Single(Value::String(bare(text, ending).to_owned())),
        }
    }
}

fn parse(text: &str, ending: Ending) -> Result<Parsed, JsonError> {
    match ending {
        Ending::Lax => super::json::parse_prefix(text),
        Ending::Strict | Ending::Cut => super::json::parse_whole(text),
    }
}

/// Reads words without quotes. Where prose may follow, they end at the first empty line.
fn bare(text: &str, ending: Ending) -> &str {
    match ending {
        Ending::Lax => text.split("\n\n").next().unwrap_or(text).trim_end(),
        Ending::Strict | Ending::Cut => text,
    }
}

/// Says what may follow the arguments in the text that holds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Nothing may follow.
    Strict,
    /// Nothing may follow, and the reply ran into its length limit: missing closers may stand for missing arguments.
    Cut,
    /// Prose, which is not used.
    Lax,
}

/// The names of the tools on offer.
#[derive(Debug, Clone, Default)]
pub struct Names(Vec<String>);

impl Names {
    /// Takes the names as the tools themselves have them.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        Self(names.into_iter().collect())
    }

    /// Lists all names, in the order in which the tools are offered.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Finds the tool that `written` names: exactly, or but for case, separators, decoration and a prefix.
    pub fn resolve(&self, written: &str) -> Option<&str> {
        if let Some(exact) = self.iter().find(|name| *name == written) {
            return Some(exact);
        }
        let whole = squash(written);
        let last = squash(written.rsplit(['.', ':', '/']).next().unwrap_or(written));
        let unique = |wanted: &str| {
            let mut alike = self
                .iter()
                .filter(|name| !wanted.is_empty() && squash(name) == wanted);
            alike.next().filter(|_| alike.next().is_none())
        };
        unique(&whole).or_else(|| unique(&last))
    }
}

/// Keeps letters and digits, in lower case.
pub fn squash(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Tells whether `text` could be the name of a tool at all.
pub(crate) fn is_identifier(text: &str) -> bool {
    let begins = text.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    begins
        && text.len() <= 128
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_without_quotes_are_taken_whole() {
        for (text, expected) in [
            ("Paris, France", "Paris, France"),
            ("a=2, b=3", "a=2, b=3"),
            ("\"Paris, France\" please", "Paris, France"),
            ("Paris (France)\n\nI hope this helps.", "Paris (France)"),
            ("'tis the season, they say", "'tis the season, they say"),
        ] {
            let read = Arguments::from_text(text, Ending::Lax);
            assert_eq!(read, Arguments::Single(json!(expected)), "for {text:?}");
        }
    }
}
