//! All skills of the device: folders that are looked through at the start, with what is left out and why.
//!
//! Reads front matter alone. Each folder is opened by the kernel beneath the one that was named, so that no link leads out.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rustix::fs::FileType;
use rustix::io::Errno;

use super::document::Flaw;
use super::found::{FILE_NAME, FoundSkill, document};
use crate::files::fault::Fault;
use crate::files::root::Root;
use crate::files::walk::{self, Patience};

/// With a tool for the files of each, a toolbox has no more places.
const MOST_SKILLS: usize = 32;

/// Files beside the instructions that the brain is told of.
const MOST_FILES: usize = 20;

/// In bytes, of the path of such a file.
const LONGEST_PATH: usize = 100;

/// A folder of skills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillFolder {
    /// Where it is.
    pub path: PathBuf,
    /// Whether what stands in it was written by the owner of the device.
    pub is_trusted: bool,
}

/// A skill that is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillMistake {
    /// Where it is written.
    pub file: PathBuf,
    /// Counts from 1.
    pub line: Option<usize>,
    /// What is wrong, and what to do.
    pub why: String,
}

/// The skills that can be used, and the others.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    pub(super) skills: Vec<FoundSkill>,
    pub(super) mistakes: Vec<SkillMistake>,
}

impl Shelf {
    /// Looks through these folders, the strongest first, and then through what a persona names: folders, or single files.
    pub(super) fn read(folders: &[SkillFolder], further: &[PathBuf]) -> Self {
        let mut shelf = Self::default();
        for folder in folders {
            shelf.folder(&folder.path, folder.is_trusted, false);
        }
        for path in further {
            // What lies in the owner's folders is the owner's, however it is named.
            let trusted = folders.iter().filter(|folder| folder.is_trusted);
            let is_plain = !path
                .components()
                .any(|part| part == std::path::Component::ParentDir);
            let is_trusted = is_plain && trusted.into_iter().any(|folder| path.starts_with(&folder.path));
            shelf.named(path, is_trusted);
        }
        shelf
    }

    /// What a persona names: a `SKILL.md`, its folder, or a folder of such folders.
    fn named(&mut self, path: &Path, is_trusted: bool) {
        let own = match path.file_name() {
            Some(name) if name == FILE_NAME => path.parent(),
            _ => path.join(FILE_NAME).exists().then_some(path),
        };
        match own {
            Some(folder) => match Root::open(folder) {
                Ok(root) => self.skill(folder, ".", &root, is_trusted),
                Err(fault) => self.miss(path, None, fault.to_string()),
            },
            None => self.folder(path, is_trusted, true),
        }
    }

    fn folder(&mut self, path: &Path, is_trusted: bool, must_exist: bool) {
        let root = match Root::open(path) {
            Err(Fault::NoRoot {
                error: Errno::NOENT, ..
            }) if !must_exist => return,
            Err(Fault::NoRoot { error, .. }) => {
                return self.miss(path, None, format!("no skill can be read here: {error}"));
            }
            Err(fault) => return self.miss(path, None, fault.to_string()),
            Ok(root) => root,
        };
        let opened = root.within("").and_then(|within| root.folder(&within));
        let Ok(opened) = opened else { return };
        for entry in walk::entries(&opened, &mut Patience::new()) {
            let name = entry.name();
            match root.within(&name).and_then(|within| root.beneath(&within)) {
                Ok(own) => self.skill(path, &name, &own, is_trusted),
                Err(Fault::Outside(_)) => {
                    let why = "it is a link that leads out of the folder; copy the skill into it".to_owned();
                    self.miss(&path.join(name), None, why);
                }
                // A file that lies here, or something that went away.
                Err(_) => {}
            }
        }
    }

    /// The skill of a folder, if it holds one.
    fn skill(&mut self, shelf: &Path, folder: &str, root: &Root, is_trusted: bool) {
        let file = shelf.join(folder).join(FILE_NAME);
        let is_there = root.within(FILE_NAME).and_then(|within| root.file(&within));
        if matches!(is_there, Err(Fault::Missing(_))) {
            return;
        }
        let document = match document(root) {
            Ok(document) => document,
            Err(Flaw { line, why }) => return self.miss(&file, line, why),
        };
        let skill = FoundSkill {
            tool_name: document.tool_name(),
            name: document.name,
            description: document.description,
            allowed_tools: document.allowed_tools,
            shelf: shelf.to_owned(),
            folder: folder.to_owned(),
            is_trusted,
            files: files(root),
        };
        match self.obstacle(&skill) {
            // The file of the first folder is named once more by a persona that lists it.
            Some(_) if self.skills.iter().any(|known| known.path() == skill.path()) => {}
            Some(why) => self.miss(&file, Some(2), why),
            None => self.skills.push(skill),
        }
    }

    /// Why a skill cannot be offered beside the others.
    fn obstacle(&self, skill: &FoundSkill) -> Option<String> {
        let name = &skill.name;
        if skill.tool_name.is_empty() {
            return Some(format!(
                "the name {name:?} has no letter from a to z and no digit; write one such as pasta-recipe"
            ));
        }
        let names = [skill.tool_name.clone(), skill.reader_name()];
        let clashes =
            |known: &&FoundSkill| names.contains(&known.tool_name) || names.contains(&known.reader_name());
        if let Some(known) = self.skills.iter().find(clashes) {
            let path = known.path();
            return Some(format!(
                "the name {name:?} is taken by {}; write another name",
                path.display()
            ));
        }
        (self.skills.len() >= MOST_SKILLS)
            .then(|| format!("there are {MOST_SKILLS} skills already; remove some that are not needed"))
    }

    fn miss(&mut self, file: &Path, line: Option<usize>, why: String) {
        let file = file.to_owned();
        self.mistakes.push(SkillMistake { file, line, why });
    }
}

/// The files beside the instructions whose names can be told.
fn files(root: &Root) -> Vec<String> {
    let mut files = Vec::new();
    let Ok(opened) = root.within("").and_then(|within| root.folder(&within)) else {
        return files;
    };
    walk::through(opened, &mut Patience::new(), |found, _| {
        let is_plain = found.path.len() <= LONGEST_PATH && !found.path.contains(char::is_control);
        if found.kind() == FileType::RegularFile && is_plain && found.path != FILE_NAME {
            files.push(found.path.clone());
        }
        if files.len() < MOST_FILES {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    files
}
