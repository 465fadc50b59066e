//! `ovos-filesystem-tools`: the files of one folder, to be listed, found, searched, read and, where a persona allows it,
//! written.
//!
//! Nothing outside of that folder is ever opened: each path is resolved by the kernel, beneath an open folder.

use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::FutureExt;
use include_dir::include_dir;
use loquat_agent::toolbox::{Category, Confirm, Tool, ToolError};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use loquat_kit::Skill;
use loquat_kit::asked;
use loquat_kit::dialog::{Tell, Telling};
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot};
use loquat_kit::settings::{ToolboxSettingsError, read};
use loquat_kit::wording::Wording;
use serde_json::{Map, Value};

pub(crate) mod fault;
mod gaps;
pub(crate) mod path;
mod pattern;
mod results;
pub(crate) mod root;
mod search;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod tools;
mod undo;
pub(crate) mod walk;
mod write;

/// The toolbox's id.
const ID: &str = "ovos-filesystem-tools";

/// The folder of its sentences.
const FOLDER: &str = "files";

/// Of the person's folder, where no other is set.
const DOCUMENTS: &str = "Documents";

/// A walk ends before; the rest is for a slow disk.
const PATIENCE: Duration = Duration::from_secs(10);

const READ: &str = "read_file";
const LIST: &str = "list_directory";
const FIND: &str = "find_files";
const RESTORE: &str = "restore_file";

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("list", LIST).slots(&[Slot {
        name: "folder",
        argument: "path",
        read: gaps::name,
    }]),
    Intent::new("read", READ).slots(&[Slot {
        name: "file",
        argument: "path",
        read: gaps::name,
    }]),
    Intent::new("find", FIND).slots(&[Slot {
        name: "name",
        argument: "glob",
        read: gaps::part_of_name,
    }]),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/files/sentences"),
    intents: INTENTS,
    settings: &["root_path", "allow_write"],
    ..Skill::PLAIN
};

/// The toolbox, with its part of a persona's settings.
pub fn toolbox(
    settings: &Map<String, Value>,
    wording: &Wording,
) -> Result<FunctionToolbox, ToolboxSettingsError> {
    let FilesSettings {
        root_path,
        allow_write,
    } = read(ID, settings)?;
    let folder = folder(ID, root_path.as_deref())?;
    Ok(of_folder(&folder, allow_write).telling(FOLDER, wording))
}

/// A persona's settings.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FilesSettings {
    root_path: Option<String>,
    allow_write: bool,
}

/// The folder that a persona's `root_path` names, or the person's documents. It is looked for when a tool is called.
pub(crate) fn folder(id: &str, root_path: Option<&str>) -> Result<PathBuf, ToolboxSettingsError> {
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    let folder = match root_path.map(|path| (path, path.strip_prefix("~/"))) {
        None => home.map(|home| home.join(DOCUMENTS)),
        Some((_, Some(beneath_home))) => home.map(|home| home.join(beneath_home)),
        Some((path, None)) => Some(PathBuf::from(path)),
    };
    folder.filter(|folder| folder.is_absolute()).ok_or_else(|| {
        let complaint = "root_path: this is no whole path; write one such as /home/me/notes or ~/notes";
        ToolboxSettingsError::value(id, complaint)
    })
}

fn of_folder(folder: &Path, allow_write: bool) -> FunctionToolbox {
    let mut functions = vec![
        on(folder, READ, "Read a text file.", tools::read_file).with(|tool| {
            tool.value = Some("content".to_owned());
            tool.retold = vec!["content".to_owned()];
        }),
        on(folder, LIST, "Tell what is in a folder.", tools::list_directory),
        on(
            folder,
            "search_in_files",
            "Find the lines of text files that match a regular expression.",
            search::search_in_files,
        ),
        on(folder, FIND, "Find files by their names.", tools::find_files),
    ];
    if allow_write {
        functions.push(
            on(
                folder,
                "write_file",
                "Write text into a file; what it held is replaced.",
                write::write_file,
            )
            .changing()
            .undone_by(RESTORE)
            .asked_in(asked_to_write)
            .with(|tool| (tool.category, tool.confirm) = (Category::Dangerous, Confirm::Ask)),
        );
        functions.push(on(folder, RESTORE, "Make a file what it was.", undo::restore_file).only_undoing());
    }
    FunctionToolbox::new(ID, functions)
}

/// The question whether to write a file: its path, and all that it is to hold.
fn asked_to_write(arguments: &Map<String, Value>) -> Option<Telling> {
    let path = asked::named(arguments, "path", &["content"])?;
    let content = asked::named(arguments, "content", &["path"])?;
    Some(
        Telling::new("ask_write")
            .words("path", path)
            .words("content", content),
    )
}

/// A tool that works in the folder, in a thread where it may wait for the disk.
fn on<A, R>(
    folder: &Path,
    name: &str,
    description: &str,
    run: fn(&root::Root, &A) -> Result<R, fault::Fault>,
) -> Function
where
    A: DeserializeOwned + JsonSchema + Send + 'static,
    R: Serialize + JsonSchema + Tell + Send + 'static,
{
    let folder = folder.to_owned();
    Function::waiting(name, description, move |arguments, _| {
        let folder = folder.clone();
        let work = move || Ok(run(&root::Root::open(&folder)?, &arguments)?);
        async move {
            let done = tokio::task::spawn_blocking(work).await;
            done.unwrap_or_else(|error| Err(ToolError::Fault(format!("failed to work on files: {error}"))))
        }
        .boxed()
    })
    .with(described)
}

/// Whatever a file holds and is called may be of a stranger.
fn described(tool: &mut Tool) {
    tool.brings_foreign_text = true;
    tool.timeout = PATIENCE;
}
