//! The text of a `SKILL.md`: front matter in YAML between two lines of `---`, and the instructions behind it.
//!
//! Opens nothing.

use super::front_matter::{self, Entries, Entry};

/// As the Agent Skills format bounds them, in characters.
const LONGEST_NAME: usize = 64;
const LONGEST_DESCRIPTION: usize = 1024;

const FENCE: &str = "---";

/// A `SKILL.md` that can be used.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Document {
    pub(super) name: String,
    pub(super) description: String,
    /// The only tools that its instructions may use; all that a persona has where it names none.
    pub(super) allowed_tools: Option<Vec<String>>,
    pub(super) body: String,
}

/// What is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Flaw {
    pub(super) line: Option<usize>,
    pub(super) why: String,
}

impl Flaw {
    pub(super) fn at(line: usize, why: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            why: why.into(),
        }
    }
}

impl Document {
    pub(super) fn parse(text: &str) -> Result<Self, Flaw> {
        let text = text.trim_start_matches('\u{feff}');
        let (front, body) = parts(text)?;
        let entries = front_matter::read(front)?;
        let name = required(&entries, "name", LONGEST_NAME)?;
        let description = required(&entries, "description", LONGEST_DESCRIPTION)?;
        let allowed_tools = allowed_tools(&entries)?;
        let body = body.trim();
        if body.is_empty() {
            let last = text.lines().count();
            return Err(Flaw::at(
                last,
                "there are no instructions behind the front matter",
            ));
        }
        Ok(Self {
            name,
            description,
            allowed_tools,
            body: body.to_owned(),
        })
    }

    /// What the tool is called.
    pub(super) fn tool_name(&self) -> String {
        let lower = self.name.to_lowercase();
        let words = lower.split(|letter: char| !letter.is_ascii_lowercase() && !letter.is_ascii_digit());
        words
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join("_")
    }
}

/// The text of the front matter, and what stands behind it.
fn parts(text: &str) -> Result<(&str, &str), Flaw> {
    let is_fence = |line: &str| line.trim_end() == FENCE;
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    if !is_fence(first) {
        return Err(Flaw::at(
            1,
            "there is no front matter; begin the file with a line of --- and name and description below it",
        ));
    }
    let start = first.len();
    let mut end = start;
    for line in lines {
        if is_fence(line) {
            let front = text.get(start..end).unwrap_or_default();
            return Ok((front, text.get(end + line.len()..).unwrap_or_default()));
        }
        end += line.len();
    }
    Err(Flaw::at(
        1,
        "the front matter has no end; write a line of --- below it",
    ))
}

/// A text that must be there, on one line.
fn required(entries: &Entries, key: &str, most: usize) -> Result<String, Flaw> {
    let Some((entry, place)) = entries.get(key) else {
        return Err(Flaw::at(
            1,
            format!("{key} is missing in the front matter; write {key}: and a text"),
        ));
    };
    let Entry::Text(text) = entry else {
        return Err(Flaw::at(*place, format!("{key} must be a text")));
    };
    let text = line(text);
    if (1..=most).contains(&text.chars().count()) {
        Ok(text)
    } else {
        Err(Flaw::at(*place, format!("{key} must have 1 to {most} letters")))
    }
}

/// The tools that are named, in one text or in a list. One with a pattern in brackets behind it is a tool of another
/// program, and allows nothing here.
fn allowed_tools(entries: &Entries) -> Result<Option<Vec<String>>, Flaw> {
    let texts = match entries.get("allowed-tools") {
        None => return Ok(None),
        Some((Entry::Text(text), _)) => std::slice::from_ref(text),
        Some((Entry::Texts(texts), _)) => texts.as_slice(),
        Some((Entry::Other, place)) => {
            return Err(Flaw::at(
                *place,
                "allowed-tools must be a text of tool names, or a list of them",
            ));
        }
    };
    let names = texts
        .iter()
        .flat_map(|text| text.split(|letter: char| letter == ',' || letter.is_whitespace()));
    let names = names.filter(|name| !name.is_empty());
    Ok(Some(names.map(str::to_owned).collect()))
}

/// Words on one line, without signs that only a terminal understands.
fn line(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
