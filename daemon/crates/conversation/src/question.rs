//! What is to be answered. By what means is said elsewhere.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::brain::{ChatMessage, Sampling};
use crate::intended::IntendedCall;
use crate::speaker::Speaker;
use crate::toolbox::Tool;

/// The words that tell a brain where its answer was interrupted; its history has all that was heard.
const LAST_WORDS: usize = 8;

/// So many of the tools that fit best say whether anything fits.
const BEST: usize = 3;

/// Which of very many tools a brain is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    /// Those that fit the words best, the best first. A brain may call these.
    pub likely: Vec<Likely>,
    /// The toolboxes whose tools are always the same. Instructions list them, and do not change with what was said.
    pub listed: Vec<String>,
    /// Says whether the words ask for something to be told, and for nothing to be done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks: bool,
}

impl Selection {
    /// Tells whether what was said is like a sentence of the tools that fit best, and no mere talk.
    pub(crate) fn is_near(&self) -> bool {
        let mut best = self.likely.iter().take(BEST);
        best.any(|likely| likely.is_near)
    }
}

/// A tool that may be meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Likely {
    /// Its toolbox.
    pub toolbox_id: String,
    /// Its name there.
    pub tool: String,
    /// Says whether enough of what was said is like one of its sentences.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_near: bool,
    /// Says whether hardly another is meant.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_sure: bool,
    /// The sentence for it that is most like the words, with dots where others can stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said_as: Option<String>,
    /// What the words say for each of its arguments that is a time, a length, a day or the like, as a person says it: nothing where
    /// no part of them can be read so.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub measures: BTreeMap<String, Vec<String>>,
}

/// What a small brain is told beside what was said, when it says that again in a sentence of the device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restating {
    /// The language in which it was said, BCP-47.
    pub lang: String,
    /// The sentence of the device as which the one before was understood.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
}

/// The question of a turn: what was said, by whom, and how it is to be answered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The id of the turn, which is unique.
    pub turn_id: String,
    /// It belongs to this session.
    pub session_id: String,
    /// The words are this speaker's.
    #[serde(default, skip_serializing_if = "Speaker::is_program")]
    pub speaker: Speaker,
    /// The words that were said or typed.
    pub utterance: String,
    /// The session's earlier utterances and answers, oldest first.
    pub history: Vec<ChatMessage>,
    /// The channel by which it was asked, for example `voice` or `text`. Engines may do less on one channel than on
    /// another.
    pub channel: Option<String>,
    /// The persona's own instructions; empty when it has none.
    pub persona_prompt: String,
    /// Language of the answer, BCP-47.
    pub lang: Option<String>,
    /// The name of the persona; absent where it is not to be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona_name: Option<String>,
    /// The place of the person; absent where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Weekday, date and time where the person is, as it was asked. A brain is told of it with what stands around it, behind
    /// everything that stays as it is from turn to turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<String>,
    /// Words that the person said long before and that may help here, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<String>,
    /// The end of the last answer was not heard, since the person interrupted it: as much of it as was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<String>,
    /// The call as which the sentence just before was understood without a brain, and its arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub understood_before: Option<String>,
    /// Says how a small brain is asked for what was said in a sentence of the device; absent where it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restating: Option<Restating>,
    /// The units, `metric` or `imperial`; absent where they are not known.
    pub units: Option<String>,
    /// IANA name of the person's time zone.
    pub time_zone: Option<String>,
    /// The clock, `half` (12 hours) or `full` (24 hours); absent where it is not known.
    pub time_format: Option<String>,
    /// The order of a date, `MDY`, `DMY` or `YMD`; absent where it is not known.
    pub date_format: Option<String>,
    /// Says how the asking program wants this one answer to be drawn, where the engine has no reason of its own to
    /// draw otherwise.
    #[serde(default, skip_serializing_if = "Sampling::is_usual")]
    pub sampling: Sampling,
    /// The words with which the persona has its brain instructed in the place of ours, by the names of
    /// [`PROMPTS`](crate::PROMPTS).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prompts: BTreeMap<String, String>,
    /// The keys of a frame that bring what is told to the person, for tools that tell something later.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub route: Map<String, Value>,
    /// Says whether the words may be those of strangers, as where a persona asks that has read them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_foreign: bool,
    /// The call that a skill understood; only the engine for such calls looks at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intended: Option<IntendedCall>,
    /// The tools that a brain is shown, where they are chosen for the words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<Selection>,
}

impl Question {
    /// Writes what a brain has to know of the person's surroundings, on one line; nothing where nothing is known.
    /// What changes most comes last, so that a prompt cache keeps what stands before it.
    pub fn surroundings(&self) -> Option<String> {
        let told = |words: &Option<String>, before: &str, behind: &str| {
            let words = words
                .as_deref()
                .map(str::trim)
                .filter(|words| !words.is_empty())?;
            Some(format!("{before}{words}{behind}"))
        };
        let units = self.units.clone();
        let units = units.filter(|units| ["metric", "imperial"].contains(&units.as_str()));
        let sentences = [
            told(&self.persona_name, "Your name is ", "."),
            told(&self.place, "You are in ", "."),
            told(&units, "Give measures in ", " units."),
            told(&self.moment, "It is ", "."),
        ];
        let sentences: Vec<String> = sentences.into_iter().flatten().collect();
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }

    /// Writes on one line what the person said long before; nothing where there is nothing. It is JSON, so that no
    /// word of it reads as an instruction.
    pub(crate) fn told_before(&self) -> Option<String> {
        let said = self
            .memories
            .iter()
            .map(|memory| Value::from(memory.as_str()).to_string());
        let said: Vec<String> = said.collect();
        (!said.is_empty()).then(|| format!("Before, the person told you: {}.", said.join(", ")))
    }

    /// Tells that the last answer was interrupted, and where. It is JSON, since the answer may hold words of
    /// strangers.
    pub(crate) fn interruption(&self) -> Option<String> {
        let heard = self.interrupted.as_deref()?;
        let last_words: Vec<&str> = heard.split_whitespace().rev().take(LAST_WORDS).collect();
        let last_words: Vec<&str> = last_words.into_iter().rev().collect();
        Some(if last_words.is_empty() {
            "The person interrupted your last answer before a word of it was heard.".to_owned()
        } else {
            let last_words = Value::from(last_words.join(" "));
            format!("The person interrupted your last answer; the last words heard of it were {last_words}.")
        })
    }

    /// Tells as what the sentence before was understood. It is JSON, since it holds words that were said.
    fn reading_before(&self) -> Option<String> {
        let call = Value::from(self.understood_before.as_deref()?);
        Some(format!(
            "The person's sentence before this one was carried out as the call {call}."
        ))
    }

    /// All that a brain is told beside the question: what lasts longer comes first.
    pub(crate) fn background(&self) -> Option<String> {
        let parts: Vec<String> = self
            .told_before()
            .into_iter()
            .chain(self.reading_before())
            .chain(self.interruption())
            .chain(self.surroundings())
            .collect();
        (!parts.is_empty()).then(|| parts.join("\n"))
    }

    /// Tells whether a call takes an earlier one back.
    pub fn undoes(&self) -> bool {
        self.intended.as_ref().is_some_and(|call| call.undoes)
    }

    /// Tells whether a tool is one of this turn: one that no brain is shown is there for the call that was meant
    /// alone.
    pub fn may_call(&self, tool: &Tool) -> bool {
        let mut intended = self.intended.iter().flat_map(IntendedCall::all);
        !(tool.only_undoes || tool.unseen) || intended.any(|call| call.tool == tool.name)
    }

    /// The language, units and formats in which tools tell their results.
    pub fn manner(&self) -> String {
        let known = [
            &self.lang,
            &self.units,
            &self.time_zone,
            &self.time_format,
            &self.date_format,
        ];
        let known = known.map(|one| one.as_deref().unwrap_or_default());
        known.join(" ")
    }
}
