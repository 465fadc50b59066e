//! What the tools give, each with the sentence that tells all of it.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use loquat_kit::dialog::{Gap, Tell, Telling};

/// A person who hears more has forgotten the first.
const MOST_SAID: usize = 10;

/// In characters; what is longer is for a brain to sum up.
const LONGEST_SAID: usize = 600;

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Reading {
    pub(super) path: String,
    pub(super) content: String,
    /// What is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Listed {
    pub(super) path: String,
    /// Folders end with a slash.
    pub(super) entries: Vec<String>,
    pub(super) total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Findings {
    pub(super) files: Vec<String>,
    pub(super) total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Hit {
    pub(super) file: String,
    /// As a text, as OVOS has it.
    pub(super) line_number: String,
    pub(super) line: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Hits {
    pub(super) matches: Vec<Hit>,
    pub(super) total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Written {
    pub(super) success: bool,
    pub(super) path: String,
    pub(super) message: String,
    #[serde(skip)]
    pub(super) undo: Map<String, Value>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Unwritten {
    pub(super) path: String,
}

impl Tell for Reading {
    fn tell(&self) -> Option<Telling> {
        let text = self.content.trim();
        if text.is_empty() {
            return Some(Telling::new("no_text"));
        }
        let is_all = self.note.is_none() && text.chars().nth(LONGEST_SAID).is_none();
        is_all.then(|| Telling::new("text").words("text", text))
    }
}

impl Tell for Listed {
    fn tell(&self) -> Option<Telling> {
        Some(found(&self.entries, self.total))
    }
}

impl Tell for Findings {
    fn tell(&self) -> Option<Telling> {
        Some(found(&self.files, self.total))
    }
}

impl Tell for Hits {
    fn tell(&self) -> Option<Telling> {
        // Lines are for a brain to make something of.
        self.matches.is_empty().then(|| Telling::new("nothing"))
    }
}

impl Tell for Written {
    fn tell(&self) -> Option<Telling> {
        Some(Telling::new("written").words("path", &self.path))
    }

    fn undo(&self) -> Map<String, Value> {
        self.undo.clone()
    }
}

impl Tell for Unwritten {
    fn tell(&self) -> Option<Telling> {
        Some(Telling::new("unwritten").words("path", &self.path))
    }
}

fn found(names: &[String], total: usize) -> Telling {
    let first: Vec<String> = names
        .iter()
        .take(MOST_SAID)
        .map(|name| name.trim_end_matches('/').to_owned())
        .collect();
    let more = total.saturating_sub(first.len());
    let dialog = match (first.is_empty(), more) {
        (true, _) => "nothing",
        (false, 0) => "found",
        (false, _) => "found_more",
    };
    Telling::new(dialog)
        .with("names", Gap::Several(first))
        .words("total", total.to_string())
        .words("more", more.to_string())
}
