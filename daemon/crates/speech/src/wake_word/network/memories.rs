//! What a network remembers from one run to the next, and what it begins with.
//!
//! A file has a graph of its own for the beginning, in which every memory has a name and its first bytes.

use std::collections::HashMap;

use super::file::{Graph, MOST_BYTES, Read};
use super::operators::{ASSIGN_VARIABLE, VAR_HANDLE, unknown};

/// The memories of a network, by number and by name.
#[derive(Debug, Default)]
pub(super) struct Memories {
    /// The content of each memory before the first run.
    pub(super) first: Vec<Vec<i8>>,
    pub(super) by_name: HashMap<Vec<u8>, usize>,
}

impl Memories {
    /// Reads the memories from the graph that is run once, before everything else.
    pub(super) fn read(graph: &Graph<'_>) -> Read<Self> {
        let mut memories = Self::default();
        let mut names = HashMap::new();
        for operator in &graph.operators {
            match (
                operator.code,
                operator.inputs.as_slice(),
                operator.outputs.as_slice(),
            ) {
                (VAR_HANDLE, _, [handle]) => {
                    names.insert(*handle, operator.text(1).unwrap_or_default().to_vec());
                }
                (ASSIGN_VARIABLE, [handle, from], _) => {
                    let name = names.get(handle).ok_or("a memory has no name")?;
                    let from = graph.tensors.get(*from).ok_or("a memory has no beginning")?;
                    memories.by_name.insert(name.clone(), memories.first.len());
                    memories.first.push(from.bytes()?);
                    if memories.first.iter().map(Vec::len).sum::<usize>() > MOST_BYTES {
                        return Err("it remembers more than a wake word may".into());
                    }
                }
                (code, ..) => return Err(unknown(code)),
            }
        }
        Ok(memories)
    }
}
