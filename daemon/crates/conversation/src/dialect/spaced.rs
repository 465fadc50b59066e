//! JSON with a space after each comma and colon, on one line: the way in which most of what models learned from is
//! written. Small models choose right more often when they are shown this than when they are shown dense JSON.

use std::io;

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

/// Writes the value on one line.
pub fn spaced(value: &Value) -> String {
    let mut line = Vec::new();
    let written = value.serialize(&mut Serializer::with_formatter(&mut line, Spaced));
    match (written, String::from_utf8(line)) {
        (Ok(()), Ok(line)) => line,
        _ => value.to_string(),
    }
}

struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        between(writer, first)
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        between(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

fn between<W: ?Sized + io::Write>(writer: &mut W, first: bool) -> io::Result<()> {
    if first { Ok(()) } else { writer.write_all(b", ") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::spaced;

    #[test]
    fn there_is_a_space_after_each_comma_and_colon() {
        let value = json!({"a": [1, "x, y: z", {}], "b": null});
        assert_eq!(spaced(&value), r#"{"a": [1, "x, y: z", {}], "b": null}"#);
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&spaced(&value)).expect("JSON"),
            value
        );
    }
}
