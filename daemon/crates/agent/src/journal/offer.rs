//! The tools that a turn was offered. Turns share them, so that a writer of thousands of turns can tell cheaply that
//! two were offered the same.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use loquat_conversation::toolbox::{Tool, Toolbox};

/// The tools on offer, by toolbox, in the persona's order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Offer(pub(super) Vec<(String, Arc<[Tool]>)>);

impl Offer {
    /// Collects what these toolboxes offer now.
    pub fn of(toolboxes: &[Arc<dyn Toolbox>]) -> Self {
        let held = |toolbox: &Arc<dyn Toolbox>| (toolbox.id().to_owned(), toolbox.tools());
        Self(toolboxes.iter().map(held).collect())
    }

    /// Iterates over the toolboxes, each with its tools.
    pub fn toolboxes(&self) -> impl Iterator<Item = (&str, &Arc<[Tool]>)> {
        self.0.iter().map(|(id, tools)| (id.as_str(), tools))
    }

    /// Tells whether the two are one and the same, without looking at the tools. Equal ones may not be.
    pub fn is_same(&self, other: &Self) -> bool {
        let mut pairs = self.0.iter().zip(&other.0);
        self.0.len() == other.0.len()
            && pairs.all(|((id, tools), (other_id, others))| id == other_id && Arc::ptr_eq(tools, others))
    }
}

impl Serialize for Offer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|(id, tools)| (id, &**tools)))
    }
}

impl<'de> Deserialize<'de> for Offer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let toolboxes = Vec::<(String, Vec<Tool>)>::deserialize(deserializer)?;
        Ok(Self(
            toolboxes
                .into_iter()
                .map(|(id, tools)| (id, tools.into()))
                .collect(),
        ))
    }
}
