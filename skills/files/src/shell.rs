//! `ovos-shell-tools`: one program at a time, where a persona allows it and the person says yes to each call.
//!
//! There is no shell: a command is a list of words. It runs confined, without a network and within one folder, or not at
//! all.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use include_dir::include_dir;
use loquat_agent::toolbox::{Category, Confirm, ToolError};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::files;
use loquat_kit::Skill;
use loquat_kit::asked;
use loquat_kit::dialog::Telling;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::settings::{ToolboxSettingsError, read};
use loquat_kit::wording::Wording;

mod allowed;
mod command;
mod process;
mod result;
#[cfg(test)]
mod tests;
mod tools;

/// The toolbox's id.
const ID: &str = "ovos-shell-tools";

/// The folder of its sentences.
const FOLDER: &str = "shell";

/// What ending a command takes beside its own time, at most.
const OVERHEAD: Duration = Duration::from_secs(5);

/// In seconds; a person waits no longer for anything.
const LONGEST_TIMEOUT: u64 = 3600;

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/shell/sentences"),
    settings: &[
        "allow_shell",
        "allowed_commands",
        "max_timeout",
        "root_path",
        "allow_write",
    ],
    is_set_up: true,
    ..Skill::PLAIN
};

/// The toolbox, with its part of a persona's settings and the program that confines commands.
pub fn toolbox(
    settings: &Map<String, Value>,
    confine: &Path,
    wording: &Wording,
) -> Result<FunctionToolbox, ToolboxSettingsError> {
    let rules = Rules::new(&read(ID, settings)?, confine.to_owned())?;
    Ok(by_rules(Arc::new(rules)).telling(FOLDER, wording))
}

/// A persona's settings.
#[derive(Debug, Deserialize)]
#[serde(default)]
struct ShellSettings {
    allow_shell: bool,
    allowed_commands: Vec<String>,
    max_timeout: u64,
    root_path: Option<String>,
    allow_write: bool,
}

impl Default for ShellSettings {
    fn default() -> Self {
        Self {
            allow_shell: false,
            allowed_commands: Vec::new(),
            max_timeout: 120,
            root_path: None,
            allow_write: false,
        }
    }
}

/// What may be run, and how.
#[derive(Debug)]
struct Rules {
    allow_shell: bool,
    allowed: allowed::Allowed,
    /// It is in seconds.
    most_time: u64,
    root: PathBuf,
    allow_write: bool,
    confine: PathBuf,
}

impl Rules {
    fn new(settings: &ShellSettings, confine: PathBuf) -> Result<Self, ToolboxSettingsError> {
        if !(1..=LONGEST_TIMEOUT).contains(&settings.max_timeout) {
            let complaint = format!("max_timeout: write seconds from 1 to {LONGEST_TIMEOUT}");
            return Err(ToolboxSettingsError::value(ID, complaint));
        }
        Ok(Self {
            allow_shell: settings.allow_shell,
            allowed: allowed::Allowed::new(&settings.allowed_commands)?,
            most_time: settings.max_timeout,
            root: files::folder(ID, settings.root_path.as_deref())?,
            allow_write: settings.allow_write,
            confine,
        })
    }
}

fn by_rules(rules: Arc<Rules>) -> FunctionToolbox {
    let timeout = Duration::from_secs(rules.most_time) + OVERHEAD;
    let run = Function::waiting(
        "run_command",
        "Run one program with its arguments, such as ls -l; there is no shell.",
        move |asked, _| {
            let rules = Arc::clone(&rules);
            async move { tools::run_command(asked, &rules).await.map_err(ToolError::from) }.boxed()
        },
    )
    .changing()
    .asked_in(|arguments| {
        let command = asked::named(arguments, "command", &["timeout"])?;
        Some(Telling::new("ask_run").words("command", command))
    })
    .with(|tool| {
        (tool.category, tool.confirm) = (Category::Dangerous, Confirm::Ask);
        tool.brings_foreign_text = true;
        tool.timeout = timeout;
        tool.value = Some("stdout".to_owned());
    });
    FunctionToolbox::new(ID, vec![run])
}
