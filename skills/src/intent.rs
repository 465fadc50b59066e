//! What people say for the tools of a toolbox: each intent is a file of sentences, the tool that they ask for, and how
//! what fills their gaps becomes the tool's arguments.
//!
//! A gap is filled by what it can be read as and by nothing else: what is no number, no place and no date matches no
//! sentence. Nothing here compares sentences or calls a tool.

use std::ops::Range;
use std::sync::Arc;

use loquat_agent::turn::IntendedCall;
use serde_json::{Map, Value};

use crate::choosing::{self, Chosen};
use crate::home::{self, HomeAssistant};
use crate::kept_names::KeptNames;
use crate::locale::{Line, LocaleError, Locales};
use crate::skill::Skill;
use crate::{SKILLS, alerts, lists, media, numbers};

/// Gaps that hold times in every toolbox that has them.
const TIMES: [&str; 7] = ["date", "day", "duration", "length", "repeat", "time", "when"];

/// Reads what fills a gap; `None` for what it cannot be.
pub(crate) type Reader = fn(&str, &InLanguage<'_>) -> Option<Value>;

/// The language in which something was said, and its files.
#[derive(Debug)]
pub(crate) struct InLanguage<'a> {
    /// BCP-47.
    pub(crate) lang: &'a str,
    pub(crate) locales: &'a Locales,
    /// The home whose things can be named, where there is one.
    pub(crate) home: Option<&'a HomeAssistant>,
    /// What the device keeps, by its names.
    pub(crate) kept: Option<&'a KeptNames>,
    /// What fills the gap with its commas; a reader is given the words alone.
    pub(crate) said: &'a str,
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

impl Slot {
    /// For another argument than the one of its name.
    pub(crate) const fn becoming(self, argument: &'static str) -> Self {
        Self { argument, ..self }
    }
}

/// The value of an argument that no gap holds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unsaid {
    Number(f64),
    Truth(bool),
    Words(&'static str),
}

/// What an intent asks for where it was not said.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ask {
    /// Arguments of which one is enough.
    pub(crate) unless: &'static [&'static str],
    /// The intent whose sentences answer it.
    pub(crate) answer: &'static str,
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
    pub(crate) unsaid: &'static [(&'static str, Unsaid)],
    /// The dialog that answers it, where that is not the tool's own.
    pub(crate) dialog: Option<&'static str>,
    /// The one argument that all gaps make together, and how: `{unit} until {moment}`.
    pub(crate) composed: Option<(&'static str, &'static str)>,
    /// What it asks for, the first thing first. The tool's own words are the question.
    pub(crate) asks: &'static [Ask],
    /// Whether its sentences are said only to answer what another intent asks for.
    pub(crate) is_answer: bool,
}

/// The sentences of all intents.
#[derive(Debug, Clone)]
pub struct Intents {
    locales: Arc<Locales>,
    home: Option<Arc<HomeAssistant>>,
    kept: KeptNames,
    /// Toolboxes that have nothing to do here.
    idle: Vec<&'static str>,
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
    /// Whether they are said only to answer a question.
    pub is_answer: bool,
}

impl Intents {
    /// Those of all toolboxes.
    pub fn new(locales: Arc<Locales>) -> Self {
        Self {
            locales,
            home: None,
            kept: KeptNames::default(),
            idle: Vec::new(),
        }
    }

    /// The files that they are read from.
    pub fn locales(&self) -> &Arc<Locales> {
        &self.locales
    }

    /// With those about a home; without one they are left out.
    #[must_use]
    pub fn with_home(self, home: Option<Arc<HomeAssistant>>) -> Self {
        Self { home, ..self }
    }

    /// With those that name what the device keeps.
    #[must_use]
    pub fn with_kept(self, kept: KeptNames) -> Self {
        Self { kept, ..self }
    }

    /// Without those of a toolbox that has nothing to do here: what nothing can come of is for the persona to answer.
    #[must_use]
    pub fn without(mut self, toolbox_id: &'static str) -> Self {
        self.idle.push(toolbox_id);
        self
    }

    /// The sentences of every intent in every language that has some.
    pub fn sentences(&self) -> impl Iterator<Item = Sentences<'_>> {
        let skills = SKILLS
            .iter()
            .filter(|skill| self.home.is_some() || skill.folder != home::FOLDER)
            .filter(|skill| !self.idle.contains(&skill.id));
        skills.flat_map(move |skill| {
            self.locales.languages(skill.folder).flat_map(move |lang| {
                skill.intents.iter().filter_map(move |intent| {
                    let file = format!("{}.intent", intent.name);
                    Some(Sentences {
                        name: named(skill, intent),
                        lang,
                        lines: self.locales.file(skill.folder, lang, &file)?,
                        is_answer: intent.is_answer,
                    })
                })
            })
        })
    }

    /// The lists that no intent, gap or tool has the name of, and the lines that cannot be read: a person's list with a
    /// mistake would stay without effect and without a word. Sentences of intents are judged by what compares them.
    pub fn mistakes(&self) -> Vec<LocaleError> {
        let stray = |(name, line): (&str, &Line)| LocaleError::Line {
            place: line.place.clone(),
            fault: format!("nothing of this skill is called {name}"),
            mend: "see the files beside the code of the skill for the names that there are".to_owned(),
        };
        let mistakes = SKILLS.iter().flat_map(|skill| {
            let known = |name: &str| skill.has_use_for(name);
            let strays = self.locales.unknown(skill.folder, known).map(stray);
            strays
                .chain(self.locales.broken(skill.folder))
                .collect::<Vec<_>>()
        });
        mistakes.collect()
    }

    /// Whether an intent has a gap of this name.
    pub fn has_slot(&self, intent: &str, slot: &str) -> bool {
        find(intent).is_some_and(|(_, intent)| intent.slot(slot).is_some())
    }

    /// Whether a gap of this name holds a time, of which it takes as many words as belong to it.
    pub fn holds_time(slot: &str) -> bool {
        TIMES.contains(&slot)
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
        let (skill, found) = find(intent)?;
        let mut arguments = Map::new();
        for (argument, value) in found.unsaid {
            arguments.insert((*argument).to_owned(), value.json());
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
            toolbox_id: skill.id.to_owned(),
            tool: found.tool.to_owned(),
            arguments,
            dialog: found.dialog.map(str::to_owned),
            ..IntendedCall::default()
        })
    }

    /// The intent whose sentences answer what a call still lacks; nothing where it is whole.
    pub fn answer_to(&self, intent: &str, call: &IntendedCall) -> Option<String> {
        let (skill, intent) = find(intent)?;
        let is_said = |argument: &&str| {
            let value = call.arguments.get(*argument);
            value.is_some_and(|value| value.as_str() != Some(""))
        };
        let ask = intent.asks.iter().find(|ask| !ask.unless.iter().any(is_said))?;
        Some(format!("{}.{}", skill.folder, ask.answer))
    }

    /// Whether words answer the question which of these is meant by a call.
    pub fn chooses(&self, call: &IntendedCall, choices: &[String], (said, lang): (&str, &str)) -> bool {
        match call.toolbox_id.as_str() {
            home::ID => {
                let home = self.home.as_ref();
                home.is_some_and(|home| home::chooses((home, &self.locales), (call, choices), (said, lang)))
            }
            alerts::ID => {
                let spoken = InLanguage {
                    lang,
                    locales: &self.locales,
                    home: None,
                    kept: None,
                    said,
                };
                alerts::chooses(choices, said, &spoken)
            }
            media::ID => self.chosen(choices, (said, lang)).is_some(),
            _ => false,
        }
    }

    /// Where in these words a room or a floor of the home is named, each with the word that joins it, and what it is called.
    /// What "here" is called is not always known.
    pub fn places_in(&self, said: &[&str], lang: &str) -> Vec<(Range<usize>, Option<String>)> {
        let home = self.home.as_ref();
        let places = home.map(|home| home.places_in(said, (&self.locales, lang)));
        places.unwrap_or_default()
    }

    /// A call that is about timers, alarms or reminders with the room in which they were set; nothing for any other call, and
    /// for one that says already which are meant.
    pub fn of_room(&self, call: &IntendedCall, room: &str) -> Option<IntendedCall> {
        let says_which = ["area", "length", "name"];
        let is_said = |argument: &&str| {
            let said = call.arguments.get(*argument).and_then(Value::as_str);
            said.is_some_and(|said| said != "all")
        };
        let takes_rooms = call.toolbox_id == alerts::ID && alerts::OF_ROOMS.contains(&call.tool.as_str());
        if !takes_rooms || says_which.iter().any(is_said) {
            return None;
        }
        let mut of_room = call.clone();
        of_room.arguments.insert("area".to_owned(), Value::from(room));
        Some(of_room)
    }

    /// What words choose of what was told; nothing where they are no answer.
    pub fn chosen(&self, told: &[String], (said, lang): (&str, &str)) -> Option<Chosen> {
        choosing::chosen(told, said, (&self.locales, lang))
    }

    /// The thing of a known name that a call changes, with the word for what it is, by which it is told from others of its name.
    /// Nothing for a call that makes something new, only looks, or is about several.
    pub fn about(&self, call: &IntendedCall, lang: &str) -> Option<String> {
        match call.toolbox_id.as_str() {
            home::ID => home::about((self.home.as_ref()?, &self.locales), call, lang),
            alerts::ID => alerts::about(call, &self.spoken("", lang)),
            lists::ID => lists::about(call, &self.spoken("", lang)),
            _ => None,
        }
    }

    fn spoken<'a>(&'a self, said: &'a str, lang: &'a str) -> InLanguage<'a> {
        InLanguage {
            lang,
            locales: &self.locales,
            home: self.home.as_deref(),
            kept: Some(&self.kept),
            said,
        }
    }

    fn read(&self, intent: &str, lang: &str, (slot, said): (&str, &str)) -> Option<Value> {
        let (skill, intent) = find(intent)?;
        let locales = &*self.locales;
        let entity = locales.file(skill.folder, lang, &format!("{slot}.entity"));
        let is_listed = |values: &[Line]| {
            let said = crate::folded(said);
            values.iter().any(|value| crate::folded(&value.text) == said)
        };
        let reader = intent.slot(slot)?.read;
        let spoken = self.spoken(said, lang);
        reader(&said.replace(", ", " "), &spoken).filter(|_| entity.is_none_or(is_listed))
    }
}

impl Unsaid {
    fn json(self) -> Value {
        match self {
            Self::Number(number) => Value::from(number),
            Self::Truth(truth) => Value::from(truth),
            Self::Words(words) => Value::from(words),
        }
    }
}

impl Intent {
    /// An intent without gaps, answered in the tool's own dialog.
    pub(crate) const fn new(name: &'static str, tool: &'static str) -> Self {
        Self {
            name,
            tool,
            slots: &[],
            unsaid: &[],
            dialog: None,
            composed: None,
            asks: &[],
            is_answer: false,
        }
    }

    /// Whose sentences answer what another intent asks for, and mean nothing else.
    pub(crate) const fn answering(self) -> Self {
        Self {
            is_answer: true,
            ..self
        }
    }

    /// Which asks for these where they were not said.
    pub(crate) const fn asking(self, asks: &'static [Ask]) -> Self {
        Self { asks, ..self }
    }

    /// With these gaps.
    pub(crate) const fn slots(self, slots: &'static [Slot]) -> Self {
        Self { slots, ..self }
    }

    /// With these arguments, which are not said.
    pub(crate) const fn unsaid(self, unsaid: &'static [(&'static str, Unsaid)]) -> Self {
        Self { unsaid, ..self }
    }

    /// Answered in this dialog.
    pub(crate) const fn answered(self, dialog: &'static str) -> Self {
        Self {
            dialog: Some(dialog),
            ..self
        }
    }

    /// With one argument that all gaps make together, by a pattern.
    pub(crate) const fn composed(self, argument: &'static str, pattern: &'static str) -> Self {
        Self {
            composed: Some((argument, pattern)),
            ..self
        }
    }

    /// A gap of it.
    pub(crate) fn slot(&self, name: &str) -> Option<&'static Slot> {
        self.slots.iter().find(|slot| slot.name == name)
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

fn named(skill: &Skill, intent: &Intent) -> String {
    format!("{}.{}", skill.folder, intent.name)
}

fn find(name: &str) -> Option<(&'static Skill, &'static Intent)> {
    let (folder, name) = name.split_once('.')?;
    let skill = SKILLS.iter().find(|skill| skill.folder == folder)?;
    let intent = skill.intents.iter().find(|intent| intent.name == name)?;
    Some((skill, intent))
}

/// A number.
pub(crate) fn number(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    numbers::number(said, spoken.lang).map(Value::from)
}

/// A number below zero, whose sign is a word of the sentence.
pub(crate) fn negative(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let amount = numbers::number(said, spoken.lang).filter(|amount| *amount >= 0.0);
    amount.map(|amount| Value::from(-amount))
}

/// So many hundredths, from nothing to all; "half" is no half of one.
pub(crate) fn percent(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    hundredths(said, spoken).map(Value::from)
}

fn hundredths(said: &str, spoken: &InLanguage<'_>) -> Option<f64> {
    let percent = numbers::number(said, spoken.lang)?;
    let is_fraction = percent > 0.0 && percent < 1.0;
    ((0.0..=100.0).contains(&percent) && !is_fraction).then_some(percent)
}
