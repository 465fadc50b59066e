//! What people say for the tools of a toolbox: each intent is a file of sentences, the tool that they ask for, and how
//! what fills their gaps becomes the tool's arguments.
//!
//! A gap is filled by what it can be read as and by nothing else: what is no number, no place and no date matches no
//! sentence. Nothing here compares sentences or calls a tool.

use std::fmt;
use std::sync::Arc;

use loquat_agent::turn::IntendedCall;
use serde_json::{Map, Value};

use crate::locale::{Line, LocaleError, Locales};
use crate::{clock, math, numbers};

/// Reads what fills a gap; `None` for what it cannot be.
pub(crate) type Reader = fn(&str, &InLanguage<'_>) -> Option<Value>;

/// The language in which something was said, and its files.
#[derive(Debug)]
pub(crate) struct InLanguage<'a> {
    /// BCP-47.
    pub(crate) lang: &'a str,
    pub(crate) locales: &'a Locales,
}

/// A gap of a sentence.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    /// Its name in the sentences.
    pub(crate) name: &'static str,
    /// The argument of the tool that it becomes.
    pub(crate) argument: &'static str,
    /// How it is read.
    pub(crate) read: Reader,
}

/// An intent of a toolbox.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Intent {
    /// The name of its file, without `.intent`.
    pub(crate) name: &'static str,
    /// The tool that is called.
    pub(crate) tool: &'static str,
    /// The gaps that its sentences may have.
    pub(crate) slots: &'static [Slot],
    /// Arguments that are not said.
    pub(crate) unsaid: &'static [(&'static str, f64)],
    /// The dialog that answers it, where that is not the tool's own.
    pub(crate) dialog: Option<&'static str>,
    /// The one argument that all gaps make together, and how: `{unit} until {moment}`.
    pub(crate) composed: Option<(&'static str, &'static str)>,
}

/// A toolbox, as far as sentences go.
struct Spoken {
    /// What its folder of files is called.
    folder: &'static str,
    toolbox_id: &'static str,
    intents: &'static [Intent],
    /// The dialogs of its tools.
    dialogs: &'static [&'static str],
    /// Its files of names.
    values: &'static [&'static str],
}

static SPOKEN: &[Spoken] = &[
    Spoken {
        folder: clock::FOLDER,
        toolbox_id: clock::ID,
        intents: clock::INTENTS,
        dialogs: clock::DIALOGS,
        values: &[],
    },
    Spoken {
        folder: math::FOLDER,
        toolbox_id: math::ID,
        intents: math::INTENTS,
        dialogs: math::DIALOGS,
        values: math::VALUES,
    },
];

/// The sentences of all intents.
#[derive(Debug, Clone)]
pub struct Intents {
    locales: Arc<Locales>,
}

/// The sentences of an intent in a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentences<'a> {
    /// The intent, as the bus knows it: toolbox and name.
    pub name: String,
    /// Lower-case BCP-47.
    pub lang: &'a str,
    /// In the order of the file.
    pub lines: &'a [Line],
}

impl Intents {
    /// Those of all toolboxes.
    pub fn new(locales: Arc<Locales>) -> Self {
        Self { locales }
    }

    /// The sentences of every intent in every language that has some.
    pub fn sentences(&self) -> impl Iterator<Item = Sentences<'_>> {
        SPOKEN.iter().flat_map(move |spoken| {
            self.locales.languages(spoken.folder).flat_map(move |lang| {
                spoken.intents.iter().filter_map(move |intent| {
                    let file = format!("{}.intent", intent.name);
                    Some(Sentences {
                        name: named(spoken, intent),
                        lang,
                        lines: self.locales.file(spoken.folder, lang, &file)?,
                    })
                })
            })
        })
    }

    /// The files that no intent, gap or tool has the name of, and the lines that cannot be read: a person's file with a
    /// mistake would stay without effect and without a word. Sentences of intents are judged by what compares them.
    pub fn mistakes(&self) -> Vec<LocaleError> {
        let stray = |line: &Line| LocaleError::Line {
            place: line.place.clone(),
            fault: "no intent, gap, dialog or list has the name of this file".to_owned(),
            mend: "see the folders beside the code of the toolbox for the names that there are".to_owned(),
        };
        let mistakes = SPOKEN.iter().flat_map(|spoken| {
            let known = |name: &str| spoken.knows_file(name);
            let strays = self.locales.unknown(spoken.folder, known).map(stray);
            strays
                .chain(self.locales.broken(spoken.folder))
                .collect::<Vec<_>>()
        });
        mistakes.collect()
    }

    /// Whether an intent has a gap of this name.
    pub fn has_slot(&self, intent: &str, slot: &str) -> bool {
        find(intent).is_some_and(|(_, intent)| intent.slot(slot).is_some())
    }

    /// Whether what was said can fill a gap of an intent.
    pub fn takes(&self, intent: &str, lang: &str, (slot, said): (&str, &str)) -> bool {
        self.read(intent, lang, (slot, said)).is_some()
    }

    /// The call that an intent asks for; `None` where there is no such intent, or a gap is filled with what it cannot be.
    pub fn call<'a>(
        &self,
        intent: &str,
        lang: &str,
        slots: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Option<IntendedCall> {
        let (spoken, found) = find(intent)?;
        let mut arguments = Map::new();
        for (argument, value) in found.unsaid {
            arguments.insert((*argument).to_owned(), Value::from(*value));
        }
        for (slot, said) in slots {
            let value = self.read(intent, lang, (slot, said))?;
            arguments.insert(found.slot(slot)?.argument.to_owned(), value);
        }
        if let Some((argument, pattern)) = found.composed {
            let text = composed(pattern, &arguments)?;
            arguments = Map::from_iter([(argument.to_owned(), Value::from(text))]);
        }
        Some(IntendedCall {
            toolbox_id: spoken.toolbox_id.to_owned(),
            tool: found.tool.to_owned(),
            arguments,
            dialog: found.dialog.map(str::to_owned),
        })
    }

    fn read(&self, intent: &str, lang: &str, (slot, said): (&str, &str)) -> Option<Value> {
        let (spoken, intent) = find(intent)?;
        let locales = &*self.locales;
        let entity = locales.file(spoken.folder, lang, &format!("{slot}.entity"));
        let is_listed = |values: &[Line]| {
            let said = crate::folded(said);
            values.iter().any(|value| crate::folded(&value.text) == said)
        };
        let reader = intent.slot(slot)?.read;
        reader(said, &InLanguage { lang, locales }).filter(|_| entity.is_none_or(is_listed))
    }
}

impl Intent {
    fn slot(&self, name: &str) -> Option<&'static Slot> {
        self.slots.iter().find(|slot| slot.name == name)
    }
}

impl Spoken {
    fn knows_file(&self, file: &str) -> bool {
        let Some((name, kind)) = file.rsplit_once('.') else {
            return false;
        };
        match kind {
            "intent" => self.intents.iter().any(|intent| intent.name == name),
            "entity" => self.intents.iter().any(|intent| intent.slot(name).is_some()),
            "dialog" => self.dialogs.contains(&name),
            "value" => self.values.contains(&name),
            _ => false,
        }
    }
}

/// The pattern with what was said in its gaps; `None` where one is left.
fn composed(pattern: &str, said: &Map<String, Value>) -> Option<String> {
    let mut text = pattern.to_owned();
    for (gap, value) in said {
        text = text.replace(&format!("{{{gap}}}"), value.as_str()?);
    }
    (!text.contains('{')).then_some(text)
}

impl fmt::Debug for Spoken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Spoken").field(&self.toolbox_id).finish()
    }
}

fn named(spoken: &Spoken, intent: &Intent) -> String {
    format!("{}.{}", spoken.folder, intent.name)
}

fn find(name: &str) -> Option<(&'static Spoken, &'static Intent)> {
    let (folder, name) = name.split_once('.')?;
    let spoken = SPOKEN.iter().find(|spoken| spoken.folder == folder)?;
    let intent = spoken.intents.iter().find(|intent| intent.name == name)?;
    Some((spoken, intent))
}

/// A number.
pub(crate) fn number(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    numbers::number(said, spoken.lang).map(Value::from)
}

/// A number below zero, whose sign is a word of the sentence.
pub(crate) fn negative(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    numbers::number(said, spoken.lang).map(|amount| Value::from(-amount))
}
