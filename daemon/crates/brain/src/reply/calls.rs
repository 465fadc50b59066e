//! Native calls put together from the pieces of a stream.

use loquat_agent::brain::NativeCall;

use super::shape::{self, CallPiece};

#[derive(Debug, Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

/// The calls of one reply.
#[derive(Debug, Default)]
pub(crate) struct Calls(Vec<Call>);

impl Calls {
    /// Whether no call was begun.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes the next piece.
    pub(crate) fn add(&mut self, piece: &CallPiece<'_>) {
        let index = shape::number(piece.index);
        let id = shape::string(piece.id).unwrap_or_default();
        let function = piece.function.as_ref();
        let name = function
            .and_then(|function| shape::string(function.name))
            .unwrap_or_default();
        let arguments = function.map_or_else(String::new, |function| shape::arguments(function.arguments));
        let call = self.call_of(index, &id, &name);
        if call.name != name {
            call.name += &name;
        }
        if call.id.is_empty() {
            call.id = id;
        }
        call.arguments += &arguments;
    }

    /// The call that a piece belongs to. Some servers give no index, so a name begins a call; others give each call
    /// the index 0, so another id begins one.
    fn call_of(&mut self, index: Option<u64>, id: &str, name: &str) -> &mut Call {
        let place = match index {
            Some(_) => self.0.iter().rposition(|call| call.index == index),
            None if name.is_empty() => self.0.len().checked_sub(1),
            None => None,
        };
        let same = place.filter(|place| {
            let known = self.0.get(*place).map_or("", |call| call.id.as_str());
            id.is_empty() || known.is_empty() || id == known
        });
        let place = same.unwrap_or(self.0.len());
        if place == self.0.len() {
            self.0.push(Call {
                index,
                ..Call::default()
            });
        }
        let last = self.0.len() - 1;
        #[expect(clippy::indexing_slicing, reason = "the place was found or pushed above")]
        &mut self.0[place.min(last)]
    }

    /// The whole calls, each with an id of its own.
    pub(crate) fn into_native(self) -> Vec<NativeCall> {
        let mut calls: Vec<NativeCall> = Vec::with_capacity(self.0.len());
        for call in self.0 {
            let usable = !call.id.is_empty() && calls.iter().all(|earlier| earlier.id != call.id);
            let id = if usable { call.id } else { made_up_id() };
            calls.push(NativeCall {
                id,
                name: call.name,
                arguments: call.arguments,
            });
        }
        calls
    }
}

/// Unique in any conversation, in the form that OpenAI's own ids have.
fn made_up_id() -> String {
    format!("call_{:016x}", rand::random::<u64>())
}
