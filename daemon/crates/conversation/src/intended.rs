//! The call that a sentence asks for, as a skill understood it. Understands no sentence itself.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The call that a sentence asks for which a skill understood without a brain.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct IntendedCall {
    /// The toolbox has this id.
    pub toolbox_id: String,
    /// The name of the tool.
    pub tool: String,
    /// The arguments of the call.
    pub arguments: Map<String, Value>,
    /// The dialog in which the result is told, where that is not the tool's own.
    pub dialog: Option<String>,
    /// Says how others answer the sentence, where the tool has no words in the language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrasing: Option<Phrasing>,
    /// The sentence was only nearly understood. The person is asked before the call changes what is not easily taken back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_guess: bool,
    /// The sentence of the device in which a brain has said again what was wanted, where the call comes of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restated: Option<String>,
    /// That sentence has no word of what was said. The person is asked before the call changes anything.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_indirect: bool,
    /// It takes an earlier call back, and its arguments come of that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undoes: bool,
    /// Further calls that the sentence asks for, in its order: "turn the radio on and set a timer for ten minutes".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<Self>,
}

/// Says which sentence of others answers a call, and what was said for its gaps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Phrasing {
    /// The intent, by the name that its maker gave it.
    pub intent: String,
    /// The key of the answer among those to the intent.
    pub response: String,
    /// They are the words for each slot, or else its value.
    pub slots: Map<String, Value>,
}

impl IntendedCall {
    /// This call and what is asked for besides, in their order.
    pub fn all(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.further)
    }

    /// This call and what is asked for besides, in their order, each by itself.
    pub fn apart(mut self) -> Vec<Self> {
        let further = std::mem::take(&mut self.further);
        let further = further.into_iter().flat_map(Self::apart);
        std::iter::once(self).chain(further).collect()
    }

    /// The first of these calls with all others behind it; nothing where there is none. Each of them may ask for further ones,
    /// and since only one level of these is carried out, they are put behind it in their order.
    pub fn together(calls: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut calls = calls.into_iter().flat_map(Self::apart);
        let first = calls.next()?;
        Some(Self {
            further: calls.collect(),
            ..first
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(tool: &str, further: Vec<IntendedCall>) -> IntendedCall {
        IntendedCall {
            tool: tool.to_owned(),
            further,
            ..IntendedCall::default()
        }
    }

    #[test]
    fn calls_that_ask_for_further_ones_are_put_together_in_their_order() {
        let chairs = call("chairs", vec![call("lamps", vec![call("bulbs", Vec::new())])]);
        let doors = call("doors", vec![call("locks", Vec::new())]);
        let together = IntendedCall::together([chairs, doors]).expect("a call");
        let tools: Vec<&str> = together.all().map(|call| call.tool.as_str()).collect();
        assert_eq!(tools, ["chairs", "lamps", "bulbs", "doors", "locks"]);
        assert!(together.further.iter().all(|call| call.further.is_empty()));
        assert_eq!(IntendedCall::together([]), None);
    }
}
