//! What the sentences of the community's pack ask for: each of its intents, as a call of one of our tools.
//!
//! The pack says what was understood, and the folders beside know nothing of it. Nothing here compares sentences, and an intent
//! that no tool of this device can do is none.

mod account;
mod answer;
mod device;
mod home;
mod timers;

use loquat_agent::turn::{IntendedCall, Phrasing};
use serde_json::{Map, Value};

use loquat_home::HomeAssistant;

pub use answer::Answers;
pub(crate) use answer::Telling;

/// What fills a slot.
#[derive(Debug, Clone, PartialEq)]
pub struct Filled {
    /// The list stands for this number, or for the words themselves.
    pub value: Value,
    /// The words that were said for it; the room of the device is known without any.
    pub said: Option<String>,
}

/// What a sentence of the pack was understood as.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Understanding {
    /// The community calls the intent so, as in `HassTurnOn`.
    pub intent: String,
    /// The key of the sentence that answers it, which tells how a question was put.
    pub response: String,
    /// By the names of the slots.
    pub slots: Vec<(String, Filled)>,
}

/// What there is on this device.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "it holds a function")]
pub struct Means<'a> {
    /// The home, where there is one.
    pub home: Option<&'a HomeAssistant>,
    /// Whether a sentence is understood, to be said later.
    pub understands: &'a dyn Fn(&str) -> bool,
}

/// A tool and what it is called with.
struct Asked {
    toolbox_id: &'static str,
    tool: &'static str,
    dialog: Option<&'static str>,
    arguments: Map<String, Value>,
}

impl Asked {
    fn new(toolbox_id: &'static str, tool: &'static str) -> Self {
        Self {
            toolbox_id,
            tool,
            dialog: None,
            arguments: Map::new(),
        }
    }

    fn with(mut self, argument: &str, value: impl Into<Value>) -> Self {
        self.arguments.insert(argument.to_owned(), value.into());
        self
    }

    /// With an argument, if there is a value for it.
    fn with_some(self, argument: &str, value: Option<Value>) -> Self {
        match value {
            Some(value) => self.with(argument, value),
            None => self,
        }
    }

    fn answered(self, dialog: &'static str) -> Self {
        let dialog = Some(dialog);
        Self { dialog, ..self }
    }
}

impl Understanding {
    fn value(&self, slot: &str) -> Option<Value> {
        let filled = self.slots.iter().find(|(name, _)| name == slot);
        filled.map(|(_, filled)| filled.value.clone())
    }

    fn text(&self, slot: &str) -> Option<String> {
        match self.value(slot)? {
            Value::String(text) => Some(text),
            other => Some(other.to_string()),
        }
    }

    fn has(&self, slot: &str) -> bool {
        self.slots.iter().any(|(name, _)| name == slot)
    }

    /// How the pack answers it.
    fn phrasing(&self) -> Phrasing {
        let slots = self.slots.iter().map(|(name, filled)| {
            let said = filled.said.clone().map(Value::from);
            (name.clone(), said.unwrap_or_else(|| filled.value.clone()))
        });
        Phrasing {
            intent: self.intent.clone(),
            response: self.response.clone(),
            slots: slots.collect(),
        }
    }

    fn says(&self, slot: &str) -> bool {
        let mut filled = self.slots.iter().filter(|(name, _)| name == slot);
        filled.any(|(_, filled)| filled.said.is_some())
    }
}

/// The intents of the pack that are done by the device itself; all others are about a home.
const OF_DEVICE: [&str; 22] = [
    "HassCancelAllTimers",
    "HassCancelTimer",
    "HassDecreaseTimer",
    "HassGetCurrentDate",
    "HassGetCurrentTime",
    "HassGetWeather",
    "HassIncreaseTimer",
    "HassMediaNext",
    "HassMediaPause",
    "HassMediaPlayerMute",
    "HassMediaPlayerUnmute",
    "HassMediaPrevious",
    "HassMediaUnpause",
    "HassNevermind",
    "HassPauseTimer",
    "HassSetVolume",
    "HassSetVolumeRelative",
    "HassShoppingListAddItem",
    "HassShoppingListCompleteItem",
    "HassStartTimer",
    "HassTimerStatus",
    "HassUnpauseTimer",
];

/// The intent of the pack that nothing does: small talk about Home Assistant.
const SMALL_TALK: &str = "HassRespond";

/// Whether sentences of an intent of the pack call a tool, with a home or without one.
pub fn is_answered(intent: &str, has_home: bool) -> bool {
    intent != SMALL_TALK && (has_home || OF_DEVICE.contains(&intent))
}

/// The call that a sentence of the pack asks for; `None` where this device has no tool for it.
pub fn call(understood: &Understanding, means: Means<'_>) -> Option<IntendedCall> {
    let asked = timers::asked(understood, means)
        .or_else(|| device::asked(understood))
        .or_else(|| home::asked(understood, means.home?))?;
    Some(IntendedCall {
        toolbox_id: asked.toolbox_id.to_owned(),
        tool: asked.tool.to_owned(),
        arguments: asked.arguments,
        dialog: asked.dialog.map(str::to_owned),
        phrasing: Some(understood.phrasing()),
        ..IntendedCall::default()
    })
}

/// Whether a sentence ends what was begun, and asks for nothing.
pub fn is_never_mind(understood: &Understanding) -> bool {
    understood.intent == "HassNevermind"
}
