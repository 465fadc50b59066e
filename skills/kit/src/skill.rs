//! What a skill is made of: an id, a folder of sentences, the intents they belong to, and how it tells its things apart.
//!
//! Each skill declares one of these; the table of them is in `loquat-skills`, which also makes the toolboxes. Nothing here
//! knows what a skill does.

use std::fmt;

use include_dir::Dir;
use loquat_agent::turn::IntendedCall;
use serde_json::{Map, Value};

use crate::answers;
use crate::intent::{InLanguage, Intent};
use crate::locale::Locales;

/// A skill.
#[derive(Clone, Copy)]
pub struct Skill {
    /// Its toolbox has this id.
    pub id: &'static str,
    /// What its section is called in a person's file of sentences.
    pub folder: &'static str,
    /// Its sentences are here, one file for each language.
    pub sentences: &'static Dir<'static>,
    /// What people say for its tools.
    pub intents: &'static [Intent],
    /// The settings that a persona may give it.
    pub settings: &'static [&'static str],
    /// Whether it has something to do only where there is a home.
    pub needs_home: bool,
    /// Its intents that are said only where there is no home, to tell the way to one.
    pub without_home: &'static [&'static str],
    /// Whether a persona has it only where the persona names it or sets it up: what it can do is for the owner to measure.
    pub is_set_up: bool,
    /// The tools that know in which room something was set.
    pub tools_of_rooms: &'static [&'static str],
    /// Whether words, which are those of the language, choose one of what a call was told to be about.
    pub chooses: fn(&IntendedCall, &[String], &InLanguage<'_>) -> bool,
    /// The thing of a known name that a call changes, with the word for what it is.
    pub about: fn(&IntendedCall, &InLanguage<'_>) -> Option<String>,
    /// The arguments by which a further call is about the same as this one: what a pronoun means behind it.
    pub object: fn(&IntendedCall) -> Option<Map<String, Value>>,
}

impl Skill {
    /// One without sentences and settings, whose things no sentence names.
    pub const PLAIN: Self = Self {
        id: "",
        folder: "",
        sentences: &Dir::new("", &[]),
        intents: &[],
        settings: &[],
        needs_home: false,
        without_home: &[],
        is_set_up: false,
        tools_of_rooms: &[],
        chooses: |_, _, _| false,
        about: |_, _| None,
        object: |_| None,
    };

    /// The sentences of these skills, and the words of answers.
    pub fn locales(skills: impl IntoIterator<Item = &'static Self>) -> Locales {
        let folders = skills.into_iter().map(|skill| (skill.folder, skill.sentences));
        Locales::of(folders.chain([(answers::FOLDER, &answers::SENTENCES)]))
    }

    /// Whether a list of sentences or of fillings belongs to something: to an intent, or to a gap of one.
    pub(crate) fn has_use_for(&self, list: &str) -> bool {
        match list.rsplit_once('.') {
            Some((name, "intent")) => self.intents.iter().any(|intent| intent.name == name),
            Some((name, "entity")) => self.intents.iter().any(|intent| intent.slot(name).is_some()),
            _ => false,
        }
    }
}

impl fmt::Debug for Skill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Skill").field(&self.id).finish()
    }
}
