//! Native calls put together from the pieces of a stream.
//!
//! Servers differ in what they send with a piece: an id of its own for every piece, a name with each of them or with a
//! later one, one index for all calls. So the name and the arguments so far tell where a call begins, and ids only where
//! these leave it open.

use loquat_conversation::brain::NativeCall;
use serde_json::value::RawValue;

use super::shape::{self, CallPiece, MAX_CALLS};

#[derive(Debug, Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    extent: Extent,
}

struct Brought {
    id: String,
    name: String,
    arguments: String,
}

#[derive(Debug, Default)]
pub(crate) struct Calls(Vec<Call>);

impl Calls {
    pub(crate) fn add(&mut self, piece: &CallPiece<'_>) {
        let index = shape::number(piece.index);
        let function = piece.function.as_ref();
        let name = function.and_then(|function| shape::string(function.name));
        let brought = Brought {
            id: shape::string(piece.id).unwrap_or_default(),
            name: name.unwrap_or_default(),
            arguments: function.map_or_else(String::new, |function| shape::arguments(function.arguments)),
        };
        let place = match index {
            Some(_) => self.0.iter().rposition(|call| call.index == index),
            None => self.0.len().checked_sub(1),
        };
        match place.and_then(|place| self.0.get_mut(place)) {
            Some(call) if call.is_repeated_by(&brought) => {}
            Some(call) if !call.is_followed_by(&brought) => call.take(brought),
            _ => {
                let mut call = Call {
                    index,
                    ..Call::default()
                };
                call.take(brought);
                self.0.push(call);
            }
        }
    }

    /// The whole calls, each with an id of its own. What has neither a name nor arguments is none.
    pub(crate) fn into_native(self) -> Vec<NativeCall> {
        let mut calls: Vec<NativeCall> = Vec::with_capacity(self.0.len());
        let begun = self.0.into_iter();
        for call in begun.filter(|call| !(call.name.is_empty() && call.arguments.is_empty())) {
            for arguments in several(&call.arguments).unwrap_or_else(|| vec![call.arguments.clone()]) {
                let usable = !call.id.is_empty() && calls.iter().all(|earlier| earlier.id != call.id);
                let id = if usable { call.id.clone() } else { made_up_id() };
                calls.push(NativeCall {
                    id,
                    name: call.name.clone(),
                    arguments,
                });
            }
        }
        calls.truncate(MAX_CALLS);
        calls
    }
}

impl Call {
    /// Tells whether a piece is all of this call once more, as some servers send it at the end.
    fn is_repeated_by(&self, piece: &Brought) -> bool {
        let same_id = piece.id.is_empty() || piece.id == self.id;
        self.extent.is_whole() && same_id && piece.name == self.name && piece.arguments == self.arguments
    }

    /// Tells whether a piece begins another call instead of going on with this one.
    fn is_followed_by(&self, piece: &Brought) -> bool {
        if piece.name.is_empty() || self.name.is_empty() {
            return false;
        }
        if piece.name == self.name {
            return self.extent.is_whole() && !piece.arguments.trim().is_empty();
        }
        // Before the arguments, the name itself may come in pieces: on one index, and under one id.
        let one_id = piece.id.is_empty() || self.id.is_empty() || piece.id == self.id;
        !(self.arguments.is_empty() && self.index.is_some() && one_id)
    }

    fn take(&mut self, piece: Brought) {
        if self.name != piece.name {
            self.name += &piece.name;
        }
        if self.id.is_empty() {
            self.id = piece.id;
        }
        self.extent.read(&piece.arguments);
        self.arguments += &piece.arguments;
    }
}

/// Follows how far the JSON of arguments has come. Each byte is looked at once, however many pieces there are.
#[derive(Debug, Default)]
struct Extent {
    depth: usize,
    begun: bool,
    in_text: bool,
    escaped: bool,
}

impl Extent {
    fn read(&mut self, piece: &str) {
        for byte in piece.bytes() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = self.in_text,
                b'"' => self.in_text = !self.in_text,
                b'{' | b'[' if !self.in_text => {
                    self.begun = true;
                    self.depth += 1;
                }
                b'}' | b']' if !self.in_text => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// Tells whether all that was opened is closed again.
    fn is_whole(&self) -> bool {
        self.begun && self.depth == 0 && !self.in_text
    }
}

/// The arguments of several calls that came as one text, `{"a": 1}{"a": 2}`; nothing when they are those of one call. The
/// same ones again are none of their own: servers send them once more at the end.
fn several(arguments: &str) -> Option<Vec<String>> {
    let mut values = serde_json::Deserializer::from_str(arguments).into_iter::<&RawValue>();
    let mut found: Vec<String> = Vec::new();
    let mut count = 0;
    for value in values.by_ref().take(MAX_CALLS) {
        let value = value
            .ok()
            .map(RawValue::get)
            .filter(|value| value.starts_with('{'))?;
        count += 1;
        if found.last().is_none_or(|last| last != value) {
            found.push(value.to_owned());
        }
    }
    (count > 1).then_some(found)
}

/// Unique in any conversation, in the form that OpenAI's own ids have.
fn made_up_id() -> String {
    format!("call_{:016x}", rand::random::<u64>())
}
