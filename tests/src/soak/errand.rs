//! What is asked in a soak, what the brain makes of it, and the tool that counts what it did.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use crate::brain::{Reply, Request};
use crate::dice::Dice;
use crate::toolbox::{Act, ScriptedTool};

/// A box of another process, and the tool in it that does something in the world.
pub(super) const TOOLBOX: &str = "booking-tools";
pub(super) const BOOK: &str = "book";

/// How long the brain thinks and the tool works, at most.
const THOUGHT_MILLISECONDS: u64 = 120;
const WORK_MILLISECONDS: u64 = 40;

/// An errand of a key.
type Form = fn(u64) -> Errand;

/// One thing to be asked; the key tells it from all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Errand {
    /// A tool elsewhere does something, once.
    Book(u64),
    /// A tool of ours calculates.
    Add(u64),
    /// The brain knows it.
    Tell(u64),
    /// A timer is set and cancelled.
    Time(u64),
    /// A fact is remembered and forgotten.
    Note(u64),
}

impl Errand {
    /// Draws an errand; more than half of all have an effect.
    pub(super) fn drawn(key: u64, seed: u64) -> Self {
        match Dice::new(seed ^ key).below(20) {
            0..11 => Self::Book(key),
            11..14 => Self::Add(key),
            14 => Self::Time(key),
            15 => Self::Note(key),
            _ => Self::Tell(key),
        }
    }

    /// Words it as a question.
    pub(super) fn question(self) -> String {
        match self {
            Self::Book(key) => format!("Book number {key}."),
            Self::Add(key) => format!("Add one to number {key}."),
            Self::Tell(key) => format!("Tell me about number {key}."),
            Self::Time(key) => format!("Try the clock with number {key}."),
            Self::Note(key) => format!("Try the notebook with number {key}."),
        }
    }

    /// Names the session in which one of the crowd asks for it. What the tool elsewhere says marks its
    /// conversation, and in a marked one nothing is set or remembered unasked.
    pub(super) fn session(self, number: usize) -> String {
        match self {
            Self::Time(_) | Self::Note(_) => format!("soak-own-{number}"),
            _ => format!("soak-{number}"),
        }
    }

    /// Gives the answer when nothing goes wrong. That of [`Self::Book`] claims that it was done.
    pub(super) fn answer(self) -> String {
        match self {
            Self::Book(key) => format!("Booked number {key}."),
            Self::Add(key) => format!("That makes {}.", key + 1),
            Self::Tell(key) => format!("Number {key} is fine."),
            Self::Time(_) => "The clock is fine.".to_owned(),
            Self::Note(_) => "The notebook is fine.".to_owned(),
        }
    }

    /// Names the effect that is to happen once.
    pub(super) fn effect(self) -> Option<u64> {
        match self {
            Self::Book(key) => Some(key),
            _ => None,
        }
    }

    /// Reads the question that a message of a conversation is.
    fn of(text: &str) -> Option<Self> {
        let forms: [(&str, Form); 5] = [
            ("Book number ", Self::Book),
            ("Add one to number ", Self::Add),
            ("Tell me about number ", Self::Tell),
            ("Try the clock with number ", Self::Time),
            ("Try the notebook with number ", Self::Note),
        ];
        forms.iter().find_map(|(words, errand)| {
            let (_, behind) = text.rsplit_once(words)?;
            let end = behind.find(|letter: char| !letter.is_ascii_digit());
            behind[..end.unwrap_or(behind.len())].parse().ok().map(errand)
        })
    }

    /// Gives what the brain does first.
    fn first_step(self) -> Reply {
        match self {
            Self::Book(key) => Reply::acts(BOOK, &json!({"text": key.to_string()})),
            Self::Add(key) => Reply::acts("evaluate_expression", &json!({"expression": format!("{key}+1")})),
            Self::Tell(_) => Reply::answers(&self.answer()),
            Self::Time(key) => Reply::acts("set_timer", &json!({"duration": "3 hours", "name": name(key)})),
            Self::Note(key) => {
                Reply::acts("remember", &json!({"fact": format!("the {} is blue", name(key))}))
            }
        }
    }

    /// Gives what the brain does when a tool has shown this, if it takes two.
    fn second_step(self, shown: &str) -> Option<Reply> {
        match self {
            Self::Time(key) if shown.contains("\"spoken\"") => Some(Reply::acts(
                "cancel_alert",
                &json!({"kind": "timer", "name": name(key)}),
            )),
            Self::Note(key) if shown.contains("\"remembered\"") => {
                Some(Reply::acts("forget", &json!({"about": name(key)})))
            }
            _ => None,
        }
    }

    /// Gives what a tool has to show for the answer to be true.
    fn proof(self) -> String {
        match self {
            Self::Book(key) => format!("booked number {key}"),
            Self::Add(key) => (key + 1).to_string(),
            Self::Tell(_) => String::new(),
            Self::Time(_) => "\"count\"".to_owned(),
            Self::Note(_) => "\"forgotten\"".to_owned(),
        }
    }
}

/// A word for a number, which no other has and no language knows.
fn name(key: u64) -> String {
    let syllables = ["bo", "du", "fi", "ga", "ke", "lo", "mu", "ne", "pi", "sa"];
    let digits = key.to_string();
    let spoken: String = digits
        .bytes()
        .map(|digit| syllables[usize::from(digit - b'0')])
        .collect();
    format!("za{spoken}x")
}

/// Gives what the brain replies to a request. It believes what the tool shows, and says so when it shows
/// nothing.
pub(super) fn reply(request: &Request, seed: u64) -> Reply {
    let text = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
    let mut said = request.messages().iter().rev().map(text);
    let Some(newest) = said.next() else {
        return Reply::answers("Fine.");
    };
    let (errand, is_first) = match Errand::of(&newest) {
        Some(errand) => (Some(errand), true),
        None => (said.find_map(|text| Errand::of(&text)), false),
    };
    let Some(errand) = errand else {
        return Reply::answers("Fine.");
    };
    let reply = if is_first {
        errand.first_step()
    } else if let Some(reply) = errand.second_step(&newest) {
        reply
    } else if newest.contains(&errand.proof()) {
        Reply::answers(&errand.answer())
    } else {
        Reply::answers("I am not sure whether that was done.")
    };
    let thought =
        Dice::new(seed ^ newest.len() as u64 ^ errand.proof().len() as u64).below(THOUGHT_MILLISECONDS);
    reply.after(Duration::from_millis(thought))
}

/// What the tool did, by key.
#[derive(Debug, Clone, Default)]
pub(super) struct Effects(Arc<Mutex<HashMap<u64, usize>>>);

impl Effects {
    /// Counts how often this was done.
    pub(super) fn of(&self, key: u64) -> usize {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.get(&key).copied().unwrap_or_default()
    }

    /// Makes the tool that does it, as often as it is called.
    pub(super) fn tool(&self) -> ScriptedTool {
        let text =
            json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
        let definition = json!({
            "name": BOOK,
            "description": "Books the room of this number.",
            "argument_schema": text,
            "output_schema": text,
        });
        let effects = self.clone();
        ScriptedTool::new(definition, move |arguments, _| {
            let key = arguments["text"].as_str().and_then(|text| text.parse().ok());
            let key: u64 = key.expect("the scripted brain names a number");
            effects.note(key);
            let work = Duration::from_millis(Dice::new(key).below(WORK_MILLISECONDS));
            Act::Later(work, json!({"text": format!("booked number {key}")}))
        })
    }

    pub(super) fn note(&self, key: u64) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry(key).or_default() += 1;
    }
}
