//! JSON as OVOS reads it: lines that begin with `//` or `#` are comments.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde_json::{Map, Value};

use crate::complaint::{Complaint, Origin};
use crate::wording::shown;

/// A settings or persona file is a few kilobytes; whatever is larger than this is something else.
const LARGEST_FILE_BYTES: u64 = 1 << 20;

/// Reads an object from a file; nothing when there is no such file, or an empty one.
pub fn read_object(path: &Path) -> Result<Option<Map<String, Value>>, Complaint> {
    match read_text(path)? {
        None => Ok(None),
        Some(text) => parse_object(&text, &Origin::file(path)),
    }
}

/// Reads a file of moderate size; nothing when there is none.
pub fn read_text(path: &Path) -> Result<Option<String>, Complaint> {
    let complain = |text: String| Complaint::refusal(Origin::file(path), text);
    // A pipe would be waited for without this.
    let no_wait = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let file = match OpenOptions::new().read(true).custom_flags(no_wait).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(complain(format!("cannot be read: {error}"))),
    };
    // Of a folder, what reads it tells that.
    if !file
        .metadata()
        .is_ok_and(|about| about.is_file() || about.is_dir())
    {
        return Err(complain("cannot be read: it is no regular file".to_owned()));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| complain(format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > LARGEST_FILE_BYTES {
        let limit = LARGEST_FILE_BYTES >> 10;
        return Err(complain(format!("larger than {limit} KiB")));
    }
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|_| complain("not UTF-8 text".to_owned()))
}

/// Parses an object; nothing when there are only spaces and comments.
pub fn parse_object(text: &str, origin: &Origin) -> Result<Option<Map<String, Value>>, Complaint> {
    let text = without_comments(text);
    if text.trim().is_empty() {
        return Ok(None);
    }
    match serde_json::from_str(&text) {
        Ok(Value::Object(values)) => Ok(Some(values)),
        Ok(other) => {
            let text = format!("must hold one JSON object, not {}", shown(&other));
            Err(Complaint::refusal(origin.clone(), text))
        }
        Err(error) => {
            let place = origin.at(Some(error.line()), Some(error.column()));
            let message = error.to_string();
            let message = message
                .rsplit_once(" at line ")
                .map_or(message.as_str(), |(message, _)| message);
            Err(Complaint::refusal(place, format!("not valid JSON: {message}")))
        }
    }
}

/// Blanks comment lines, keeping the count of lines for complaints.
fn without_comments(text: &str) -> String {
    let is_comment = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("//") || line.starts_with('#')
    };
    // A byte order mark is what some editors leave behind.
    text.trim_start_matches('\u{feff}')
        .lines()
        .map(|line| if is_comment(&line) { "" } else { line })
        .collect::<Vec<&str>>()
        .join("\n")
}
