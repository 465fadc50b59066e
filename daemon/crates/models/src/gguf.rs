//! What a GGUF file says of its model: kind, size, window, precision, chat template. Reads the head of the file alone, and
//! never loads the model; whether llama.cpp can load it shows when it does.

mod reader;
#[cfg(test)]
pub(crate) mod tests;

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use self::reader::{Reader, Value};

/// No name or licence is shown with more letters.
const LONGEST_NAME: usize = 80;

/// Says why a file is no language model that can be used here.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GgufError {
    /// The operating system refuses.
    #[error("read {path}: {source}", path = .path.display())]
    Read {
        /// The file is here.
        path: PathBuf,
        /// The operating system says this.
        #[source]
        source: io::Error,
    },
    /// It begins as no GGUF file does.
    #[error("use {}: it is no GGUF file; take one whose name ends in .gguf", .0.display())]
    NoGguf(PathBuf),
    /// Its head ends early or makes no sense.
    #[error("use {}: it is cut short or damaged; copy or fetch it again", .0.display())]
    Damaged(PathBuf),
    /// It is one of several files of a model.
    #[error("use {path}: it is one of {count} parts of a model; take a model that is one file", path = .path.display())]
    Split {
        /// The file is here.
        path: PathBuf,
        /// The model has so many parts.
        count: u64,
    },
    /// It was taught no conversation.
    #[error(
        "use {}: it has no chat template, as models have that were not taught to converse; take one whose name has \
         Instruct, Chat or it",
        .0.display()
    )]
    NoTemplate(PathBuf),
}

/// Says whether a model thinks before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Thinking {
    /// Its template knows no thoughts.
    Never,
    /// Its template can be told that no thought is wanted, and is.
    CanBeSwitchedOff,
    /// Its template has marks for thoughts and no switch.
    ByItself,
}

/// The facts that a file tells.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct GgufFacts {
    /// The model is of this kind, such as `qwen3`.
    pub architecture: String,
    /// The name that its authors gave it.
    pub name: Option<String>,
    /// It has so many weights.
    pub parameters: u64,
    /// The window that it was taught, in tokens.
    pub context_length: Option<u64>,
    /// Its weights are kept in this precision, such as `Q4_K_M`.
    pub quantisation: Option<&'static str>,
    /// Its licence has this SPDX identifier.
    pub licence: Option<String>,
    /// Its chats are written by this template.
    #[serde(skip)]
    pub template: Option<String>,
    /// The number of files that it was cut into.
    #[serde(skip)]
    parts: u64,
}

impl GgufFacts {
    /// Reads them from a file. Blocks for some hundredths of a second.
    pub fn read(path: &Path) -> Result<Self, GgufError> {
        Self::read_for(path, path)
    }

    /// Reads them from a file that will have another name, by which complaints call it.
    pub(super) fn read_for(path: &Path, named: &Path) -> Result<Self, GgufError> {
        let failed = |source| GgufError::Read {
            path: named.to_owned(),
            source,
        };
        // A pipe or a device could keep the reader waiting for ever.
        if !path.metadata().map_err(failed)?.is_file() {
            return Err(GgufError::NoGguf(named.to_owned()));
        }
        let file = File::open(path).map_err(failed)?;
        match Self::of(BufReader::new(file)) {
            Ok(Some(facts)) => Ok(facts),
            Ok(None) => Err(GgufError::NoGguf(named.to_owned())),
            Err(error)
                if [io::ErrorKind::UnexpectedEof, io::ErrorKind::InvalidData].contains(&error.kind()) =>
            {
                Err(GgufError::Damaged(named.to_owned()))
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Reads them from the beginning of a file; nothing where that is no GGUF file. What is damaged is an error of kind
    /// [`io::ErrorKind::UnexpectedEof`] or [`io::ErrorKind::InvalidData`].
    pub fn of(from: impl Read) -> io::Result<Option<Self>> {
        let mut reader = Reader::new(from);
        let Some(counts) = reader.counts()? else {
            return Ok(None);
        };
        let mut facts = Self::unknown();
        for _ in 0..counts.entries {
            let (key, value) = reader.entry()?;
            facts.take(&key, value);
        }
        for _ in 0..counts.tensors {
            facts.parameters = facts.parameters.saturating_add(reader.tensor()?);
        }
        Ok(Some(facts))
    }

    /// Refuses what can be no model of a conversation here.
    pub fn check(&self, path: &Path) -> Result<(), GgufError> {
        if self.parts > 1 {
            return Err(GgufError::Split {
                path: path.to_owned(),
                count: self.parts,
            });
        }
        match &self.template {
            Some(_) => Ok(()),
            None => Err(GgufError::NoTemplate(path.to_owned())),
        }
    }

    /// Tells whether its template knows tools.
    pub fn takes_tools(&self) -> bool {
        self.mentions("tools")
    }

    /// Tells whether it thinks before it answers.
    pub fn thinking(&self) -> Thinking {
        if self.mentions("enable_thinking") {
            Thinking::CanBeSwitchedOff
        } else if self.mentions("<think>") {
            Thinking::ByItself
        } else {
            Thinking::Never
        }
    }

    fn mentions(&self, word: &str) -> bool {
        self.template.as_ref().is_some_and(|text| text.contains(word))
    }

    fn unknown() -> Self {
        Self {
            architecture: String::new(),
            name: None,
            parameters: 0,
            context_length: None,
            quantisation: None,
            licence: None,
            template: None,
            parts: 1,
        }
    }

    fn take(&mut self, key: &str, value: Value) {
        match (key, value) {
            ("general.architecture", Value::Text(text)) => self.architecture = shown(&text),
            ("general.name", Value::Text(text)) => self.name = Some(shown(&text)),
            ("general.license", Value::Text(text)) => self.licence = Some(shown(&text)),
            ("tokenizer.chat_template", Value::Text(text)) => self.template = Some(text),
            ("general.file_type", Value::Number(number)) => self.quantisation = precision(number),
            ("split.count", Value::Number(count)) => self.parts = count,
            (key, Value::Number(length)) if key.ends_with(".context_length") => {
                self.context_length = Some(length);
            }
            _ => {}
        }
    }
}

/// A text of a stranger as it may be shown: short, and without letters that steer a terminal.
fn shown(text: &str) -> String {
    let plain = text.chars().filter(|letter| !letter.is_control());
    plain.take(LONGEST_NAME).collect()
}

/// The name of llama.cpp's file types, from `llama_ftype` of its header.
fn precision(number: u64) -> Option<&'static str> {
    const NAMES: [(u64, &str); 34] = [
        (0, "F32"),
        (1, "F16"),
        (2, "Q4_0"),
        (3, "Q4_1"),
        (7, "Q8_0"),
        (8, "Q5_0"),
        (9, "Q5_1"),
        (10, "Q2_K"),
        (11, "Q3_K_S"),
        (12, "Q3_K_M"),
        (13, "Q3_K_L"),
        (14, "Q4_K_S"),
        (15, "Q4_K_M"),
        (16, "Q5_K_S"),
        (17, "Q5_K_M"),
        (18, "Q6_K"),
        (19, "IQ2_XXS"),
        (20, "IQ2_XS"),
        (21, "Q2_K_S"),
        (22, "IQ3_XS"),
        (23, "IQ3_XXS"),
        (24, "IQ1_S"),
        (25, "IQ4_NL"),
        (26, "IQ3_S"),
        (27, "IQ3_M"),
        (28, "IQ2_S"),
        (29, "IQ2_M"),
        (30, "IQ4_XS"),
        (31, "IQ1_M"),
        (32, "BF16"),
        (36, "TQ1_0"),
        (37, "TQ2_0"),
        (38, "MXFP4"),
        (39, "NVFP4"),
    ];
    let found = NAMES.iter().find(|(known, _)| *known == number);
    found.map(|(_, name)| *name)
}
