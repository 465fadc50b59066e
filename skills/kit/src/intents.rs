//! The intents of all skills: their sentences, and the calls that these ask for.
//!
//! Nothing here compares sentences or calls a tool, and no skill is known: a table of them is given.

mod filled;
mod measures;

use std::ops::Range;
use std::sync::Arc;

use loquat_agent::turn::IntendedCall;
use serde_json::{Map, Value};

use crate::answers::{self, Chosen};
use crate::intent::{InLanguage, Intent, Pronoun, Slot, Standing};
use crate::locale::{Line, LocaleError, Locales};
use crate::reading::folded;
use crate::rooms::Rooms;
use crate::skill::Skill;
use crate::slots;
use crate::things::Things;

/// Gaps that hold times in every toolbox that has them.
const TIMES: [&str; 8] = [
    "date", "day", "duration", "length", "repeat", "time", "when", "within",
];

/// The list of words that consist of others, and of what they consist.
const COMPOUNDS: &str = "compounds.value";

/// The sentences of all intents.
#[derive(Debug, Clone)]
pub struct Intents {
    skills: Vec<&'static Skill>,
    locales: Arc<Locales>,
    rooms: Option<Arc<dyn Rooms>>,
    things: Things,
    /// Toolboxes that have nothing to do here.
    idle: Vec<&'static str>,
}

/// The sentences of an intent in a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentences<'a> {
    /// The intent, as the bus knows it: toolbox and name.
    pub name: String,
    /// It is a BCP-47 tag in lower case.
    pub lang: &'a str,
    /// They are in the order of the file.
    pub lines: &'a [Line],
    /// Where they mean something.
    pub standing: Standing,
    /// What they mean by a pronoun.
    pub pronoun: Option<Pronoun>,
}

impl Intents {
    /// Those of these skills.
    pub fn new(skills: impl IntoIterator<Item = &'static Skill>, locales: Arc<Locales>) -> Self {
        Self {
            skills: skills.into_iter().collect(),
            locales,
            rooms: None,
            things: Things::default(),
            idle: Vec::new(),
        }
    }

    /// The files that they are read from.
    pub fn locales(&self) -> &Arc<Locales> {
        &self.locales
    }

    /// With those about a home; without one they are left out.
    #[must_use]
    pub fn with_home<H: Rooms + 'static>(self, home: Option<Arc<H>>) -> Self {
        let Some(home) = home else { return self };
        Self {
            things: self.things.with(Arc::clone(&home)),
            rooms: Some(home),
            ..self
        }
    }

    /// What skills keep or reach, whose names sentences may hold. What comes later counts then.
    pub fn things(&self) -> &Things {
        &self.things
    }

    /// Without those of a toolbox that has nothing to do here: what nothing can come of is for the persona to answer.
    #[must_use]
    pub fn without(mut self, toolbox_id: &'static str) -> Self {
        self.idle.push(toolbox_id);
        self
    }

    /// The sentences of every intent in every language that has some.
    pub fn sentences(&self) -> impl Iterator<Item = Sentences<'_>> {
        let skills = self.skills.iter();
        let skills = skills
            .filter(|skill| self.rooms.is_some() || !skill.needs_home)
            .filter(|skill| !self.idle.contains(&skill.id));
        skills.flat_map(move |skill| {
            self.locales.languages(skill.folder).flat_map(move |lang| {
                let is_here =
                    |intent: &&Intent| self.rooms.is_none() || !skill.without_home.contains(&intent.name);
                skill.intents.iter().filter(is_here).filter_map(move |intent| {
                    let file = format!("{}.intent", intent.name);
                    Some(Sentences {
                        name: named(skill, intent),
                        lang,
                        lines: self.locales.file(skill.folder, lang, &file)?,
                        standing: intent.standing,
                        pronoun: intent.pronoun,
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
        let mistakes = self.skills.iter().flat_map(|skill| {
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
        self.find(intent)
            .is_some_and(|(_, intent)| intent.slot(slot).is_some())
    }

    /// A list of words that skills have for all sentences of a language, by its name in `compounds`.
    pub fn compounds(&self, lang: &str, name: &str) -> Vec<String> {
        let lists = self.skills.iter();
        let lists = lists.flat_map(|skill| self.locales.values(skill.folder, lang, COMPOUNDS));
        let lists = lists.filter(|(known, _)| known.trim() == name);
        lists
            .flat_map(|(_, words)| words.split('|').map(|word| word.trim().to_lowercase()))
            .collect()
    }

    /// Whether a gap of this name holds a time, of which it takes as many words as belong to it.
    pub fn holds_time(slot: &str) -> bool {
        TIMES.contains(&slot)
    }

    /// Whether a sentence for the tool of a call has a gap for a time, so that it can look at another one than now.
    pub fn looks_at_times(&self, call: &IntendedCall) -> bool {
        let intents = self.skill_of(call).into_iter().flat_map(|skill| skill.intents);
        let mut own = intents.filter(|intent| intent.tool == call.tool);
        own.any(|intent| intent.slots.iter().any(|slot| Self::holds_time(slot.name)))
    }

    /// Whether what was said can fill a gap of an intent.
    pub fn takes(&self, intent: &str, lang: &str, slot: &str, said: &str) -> bool {
        self.read(intent, lang, slot, said).is_some()
    }

    /// The toolbox and the tool that an intent calls.
    pub fn tool(&self, intent: &str) -> Option<(&'static str, &'static str)> {
        let (skill, intent) = self.find(intent)?;
        Some((skill.id, intent.tool))
    }

    /// The call that an intent asks for; `None` where there is no such intent, or a gap is filled with what it cannot be.
    pub fn call<'a>(
        &self,
        intent: &str,
        lang: &str,
        slots: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Option<IntendedCall> {
        let (skill, found) = self.find(intent)?;
        let mut arguments = Map::new();
        for (argument, value) in found.unsaid {
            arguments.insert((*argument).to_owned(), value.json());
        }
        for (slot, said) in slots {
            let value = self.read(intent, lang, slot, said)?;
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
        let (skill, intent) = self.find(intent)?;
        let is_said = |argument: &&str| {
            let value = call.arguments.get(*argument);
            value.is_some_and(|value| value.as_str() != Some(""))
        };
        let ask = intent.asks.iter().find(|ask| !ask.unless.iter().any(is_said))?;
        Some(format!("{}.{}", skill.folder, ask.answer))
    }

    /// Whether words answer the question which of these is meant by a call.
    pub fn chooses(&self, call: &IntendedCall, choices: &[String], said: &str, lang: &str) -> bool {
        let skill = self.skill_of(call);
        skill.is_some_and(|skill| (skill.chooses)(call, choices, &self.spoken(said, lang)))
    }

    /// Where in these words a room or a floor of the home is named, each with the word that joins it, and what it is called.
    /// What "here" is called is not always known.
    pub fn places_in(&self, said: &[&str], lang: &str) -> Vec<(Range<usize>, Option<String>)> {
        let rooms = self.rooms.as_ref();
        let places = rooms.map(|rooms| rooms.places_in(said, &self.locales, lang));
        places.unwrap_or_default()
    }

    /// The list that the home keeps under one of these names.
    pub fn list_of_home(&self, names: &[String]) -> Option<String> {
        self.rooms.as_ref()?.list_called(names)
    }

    /// A call that is about things that were set in a room with this room; nothing for any other call, and for one that says
    /// already which are meant.
    pub fn of_room(&self, call: &IntendedCall, room: &str) -> Option<IntendedCall> {
        let says_which = ["area", "length", "name"];
        let is_said = |argument: &&str| {
            let said = call.arguments.get(*argument).and_then(Value::as_str);
            said.is_some_and(|said| said != "all")
        };
        let takes_rooms = self.skill_of(call)?.tools_of_rooms.contains(&call.tool.as_str());
        if !takes_rooms || says_which.iter().any(is_said) {
            return None;
        }
        let mut of_room = call.clone();
        of_room.arguments.insert("area".to_owned(), Value::from(room));
        Some(of_room)
    }

    /// What words choose of what was told; nothing where they are no answer.
    pub fn chosen(&self, told: &[String], said: &str, lang: &str) -> Option<Chosen> {
        answers::chosen(told, said, &self.locales, lang)
    }

    /// The thing of a known name that a call changes, with the word for what it is, by which it is told from others of its name.
    /// Nothing for a call that makes something new, only looks, or is about several.
    pub fn about(&self, call: &IntendedCall, lang: &str) -> Option<String> {
        (self.skill_of(call)?.about)(call, &self.spoken("", lang))
    }

    /// The arguments by which a further call of the toolbox is about the same thing as this one.
    pub fn object(&self, call: &IntendedCall) -> Option<Map<String, Value>> {
        (self.skill_of(call)?.object)(call)
    }

    /// The gaps of an intent, each with the argument that it becomes.
    pub fn gaps(&self, intent: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
        let found = self.find(intent).into_iter();
        found.flat_map(|(_, intent)| intent.slots.iter().map(|slot| (slot.name, slot.argument)))
    }

    /// Whether an intent whose sentences go on with an earlier call does so with one of this tool.
    pub fn goes_on_with(&self, intent: &str, tool: &str) -> bool {
        let behind = self.find(intent).and_then(|(_, intent)| intent.behind);
        behind.is_none_or(|behind| behind == tool)
    }

    /// The intent that asks the same as this one and has more gaps.
    pub fn wider(&self, intent: &str) -> Option<String> {
        let (skill, intent) = self.find(intent)?;
        Some(format!("{}.{}", skill.folder, intent.wider?))
    }

    /// The intent that asks the same as this one and has fewer gaps.
    pub fn narrower(&self, intent: &str) -> Option<String> {
        let (skill, wider) = self.find(intent)?;
        let mut intents = skill.intents.iter();
        let narrower = intents.find(|known| known.wider == Some(wider.name))?;
        Some(named(skill, narrower))
    }

    /// Whether a place of this name is known to be one.
    pub fn is_known_place(&self, said: &str) -> bool {
        slots::place(said, &self.spoken("", "en")).is_some()
    }

    /// The toolbox of an intent.
    pub fn toolbox_of(&self, intent: &str) -> Option<&'static str> {
        self.find(intent).map(|(skill, _)| skill.id)
    }

    fn skill_of(&self, call: &IntendedCall) -> Option<&'static Skill> {
        let skill = self.skills.iter().find(|skill| skill.id == call.toolbox_id)?;
        Some(skill)
    }

    fn find(&self, name: &str) -> Option<(&'static Skill, &'static Intent)> {
        let (folder, name) = name.split_once('.')?;
        let skill = self.skills.iter().find(|skill| skill.folder == folder)?;
        let intent = skill.intents.iter().find(|intent| intent.name == name)?;
        Some((skill, intent))
    }

    fn spoken<'a>(&'a self, said: &'a str, lang: &'a str) -> InLanguage<'a> {
        InLanguage {
            lang,
            locales: &self.locales,
            rooms: self.rooms.as_deref(),
            things: &self.things,
            said,
        }
    }

    fn read(&self, intent: &str, lang: &str, slot: &str, said: &str) -> Option<Value> {
        let (skill, intent) = self.find(intent)?;
        self.fill(skill, intent.slot(slot)?, lang, said)
    }

    fn fill(&self, skill: &Skill, slot: &Slot, lang: &str, said: &str) -> Option<Value> {
        let entity = self
            .locales
            .file(skill.folder, lang, &format!("{}.entity", slot.name));
        let is_listed = |values: &[Line]| {
            let said = folded(said);
            values.iter().any(|value| folded(&value.text) == said)
        };
        let spoken = self.spoken(said, lang);
        (slot.read)(&said.replace(", ", " "), &spoken).filter(|_| entity.is_none_or(is_listed))
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
