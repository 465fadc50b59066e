//! One skill of the device: what its front matter says, and its folder, in which everything else is read when it is needed.

use std::path::PathBuf;

use loquat_agent::toolbox::ToolError;
use serde_json::{Map, Value};

use super::document::{Document, Flaw};
use crate::files::fault::Fault;
use crate::files::root::Root;
use crate::files::text;

pub(super) const FILE_NAME: &str = "SKILL.md";

/// In bytes; a small model follows no longer instructions.
pub(super) const LONGEST: usize = 32 << 10;

/// A skill that can be used.
#[derive(Debug)]
pub(super) struct FoundSkill {
    pub(super) name: String,
    pub(super) tool_name: String,
    pub(super) description: String,
    pub(super) allowed_tools: Option<Vec<String>>,
    /// The folder that was looked through, and the skill's own beneath it.
    pub(super) shelf: PathBuf,
    pub(super) folder: String,
    /// Says whether the owner wrote it.
    pub(super) is_trusted: bool,
    /// What lies beside the instructions.
    pub(super) files: Vec<String>,
}

impl FoundSkill {
    /// Where its instructions are.
    pub(super) fn path(&self) -> PathBuf {
        self.shelf.join(&self.folder).join(FILE_NAME)
    }

    /// What the tool is called that reads the files beside the instructions.
    pub(super) fn reader_name(&self) -> String {
        format!("{}_file", self.tool_name)
    }

    fn root(&self) -> Result<Root, Fault> {
        let shelf = Root::open(&self.shelf)?;
        shelf.beneath(&shelf.within(&self.folder)?)
    }

    /// The instructions as they are now.
    pub(super) fn body(&self) -> Result<String, ToolError> {
        let gone = |why: &str| {
            let message = format!(
                "the skill {} cannot be read any more: {why}; go on without it",
                self.name
            );
            ToolError::reply("OSError", message)
        };
        let root = self.root().map_err(|fault| gone(&fault.to_string()))?;
        let document = document(&root).map_err(|flaw| gone(&flaw.why))?;
        Ok(document.body)
    }

    /// A file beside the instructions, or beneath them.
    pub(super) fn file(&self, path: &str) -> Result<Map<String, Value>, ToolError> {
        let root = self.root()?;
        let path = root.within(path)?;
        let (file, about) = match root.file(&path) {
            Err(Fault::Missing(path)) => {
                let message = format!("path: there is no '{path}'; there are {}", self.files.join(", "));
                return Err(ToolError::reply("FileNotFoundError", message));
            }
            opened => opened?,
        };
        let written = path.to_string();
        let system =
            |error: std::io::Error| ToolError::reply("OSError", format!("path: '{written}': {error}"));
        let content = text::beginning(file, text::MOST_SHOWN).map_err(system)?;
        let content = content.ok_or_else(|| Fault::NoText(written.clone()))?;
        let size = usize::try_from(about.st_size).unwrap_or(usize::MAX);
        let note = (size > text::MOST_SHOWN).then(|| format!("the first {} of {size} bytes", content.len()));
        let members = [
            ("path", Some(written.clone())),
            ("content", Some(content)),
            ("note", note),
        ];
        let members = members.into_iter();
        let members = members.filter_map(|(key, text)| Some((key.to_owned(), Value::from(text?))));
        Ok(members.collect())
    }
}

/// The `SKILL.md` of an open folder.
pub(super) fn document(root: &Root) -> Result<Document, Flaw> {
    let whole = |why: String| Flaw { line: None, why };
    let path = root.within(FILE_NAME).map_err(|fault| whole(fault.to_string()))?;
    let (file, about) = root.file(&path).map_err(|fault| whole(fault.to_string()))?;
    if usize::try_from(about.st_size).is_ok_and(|size| size > LONGEST) {
        return Err(whole(format!("it is longer than {} KiB", LONGEST >> 10)));
    }
    let text = text::beginning(file, LONGEST).map_err(|error| whole(error.to_string()))?;
    let text = text.ok_or_else(|| whole("it holds no text in UTF-8".to_owned()))?;
    Document::parse(&text)
}
