//! A skill as the benchmark knows it: one file in the folder `skills` of this package.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use loquat_skills::TOOLBOXES;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The languages in which sentences are asked for, as the files and as sessions name them.
pub const LANGUAGES: [(&str, &str); 6] = [
    ("en", "en-US"),
    ("de", "de-DE"),
    ("fr", "fr-FR"),
    ("es", "es-ES"),
    ("pt", "pt-PT"),
    ("it", "it-IT"),
];

/// A call of a tool with good arguments, and a text that its result holds.
#[derive(Debug, Clone, Deserialize)]
pub struct GoodCall(pub String, pub Map<String, Value>, pub String);

/// A sentence, the tool that it asks for, and the arguments of the call.
#[derive(Debug, Clone, Deserialize)]
pub struct Sentence(pub String, pub String, pub Map<String, Value>);

/// A request to a small model, the tool that answers it, and a text that a right answer holds.
#[derive(Debug, Clone, Deserialize)]
pub struct Request(pub String, pub String, pub String);

/// A skill.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name of the file.
    #[serde(skip)]
    pub name: String,
    /// The id of its toolbox.
    pub toolbox: String,
    /// What a persona says of the toolbox.
    #[serde(default)]
    pub settings: Map<String, Value>,
    /// At least one for each tool that programs may call.
    #[serde(default)]
    pub calls: Vec<GoodCall>,
    /// Calls that are refused although nothing is wrong with their arguments, and a text of the complaint.
    #[serde(default)]
    pub refused: Vec<GoodCall>,
    /// Those that people say most, by language.
    #[serde(default)]
    pub sentences: BTreeMap<String, Vec<Sentence>>,
    /// In English.
    #[serde(default)]
    pub requests: Vec<Request>,
}

/// All skills, in the order of the program.
///
/// # Errors
/// Where a file cannot be read, or a toolbox of the program has none.
pub fn entries() -> Result<Vec<Entry>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("skills");
    let files = fs::read_dir(&folder).with_context(|| format!("failed to list {}", folder.display()))?;
    let mut entries = Vec::new();
    for file in files {
        entries.push(read(&file?.path())?);
    }
    for id in TOOLBOXES {
        ensure!(
            entries.iter().any(|entry| entry.toolbox == id),
            "no file in {} is about {id}; add one, as clock.toml is for ovos-clock-tools",
            folder.display()
        );
    }
    entries.sort_by_key(|entry| TOOLBOXES.iter().position(|id| *id == entry.toolbox));
    Ok(entries)
}

fn read(path: &Path) -> Result<Entry> {
    let shown = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("failed to read {shown}"))?;
    let mut entry: Entry = toml::from_str(&text).with_context(|| format!("failed to read {shown}"))?;
    entry.name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let known = |lang: &String| LANGUAGES.iter().any(|(known, _)| known == lang);
    ensure!(
        entry.sentences.keys().all(known),
        "{shown}: sentences are wanted in {:?}",
        LANGUAGES.map(|(lang, _)| lang)
    );
    Ok(entry)
}
