//! What is made of a tool once, for all turns that offer it: schemas compiled, descriptions fit for a prompt.

pub mod relevance;
mod usage;
mod wording;

use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use self::relevance::Told;
use crate::brain::ToolOffer;
use crate::schema::{InvalidSchema, Schema};
use crate::toolbox::Tool;

/// Bounds of the name of an argument, in bytes.
const LONGEST_ARGUMENT: usize = 128;

/// A tool that can be offered to a brain.
#[derive(Debug)]
pub struct Prepared {
    /// The tool, with descriptions that may stand in a prompt.
    pub tool: Tool,
    /// Its arguments keep to this schema.
    pub arguments: Schema,
    /// The schema of its output; absent when it cannot be compiled, for then nothing can be checked.
    pub output: Option<Schema>,
    /// The line with which a prompt lists it.
    pub line: String,
    /// A shorter one, for a list of very many.
    pub short: String,
    /// The offer to a brain with native calls.
    pub offer: Arc<ToolOffer>,
    told: OnceLock<Told>,
}

/// Says why a tool cannot be offered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unusable {
    /// No brain could call it by its name.
    #[error("use a tool whose name is no single word")]
    Name,
    /// A prompt could not list its arguments.
    #[error(
        "use a tool with an argument whose name has control characters or more than {LONGEST_ARGUMENT} bytes"
    )]
    Argument,
    /// No call of it could ever be checked.
    #[error(transparent)]
    Schema(#[from] InvalidSchema),
}

fn has_plain_arguments(tool: &Tool) -> bool {
    let properties = tool.argument_schema.get("properties").and_then(Value::as_object);
    let mut names = properties.into_iter().flat_map(Map::keys);
    names.all(|name| name.len() <= LONGEST_ARGUMENT && !name.contains(char::is_control))
}

impl Prepared {
    /// Prepares a tool of a toolbox that holds all of these.
    pub(crate) fn new(tool: &Tool, beside: &[Tool]) -> Result<Self, Unusable> {
        if !wording::is_callable(&tool.name) {
            return Err(Unusable::Name);
        }
        if !has_plain_arguments(tool) {
            return Err(Unusable::Argument);
        }
        let tool = wording::presentable(tool.clone());
        let behind = wording::behind(&tool, beside);
        let offer = ToolOffer {
            name: tool.name.clone(),
            description: format!("{}{behind}", tool.description),
            parameters: tool.argument_schema.clone(),
        };
        Ok(Self {
            arguments: Schema::compile(&tool.argument_schema)?,
            output: Schema::compile(&tool.output_schema).ok(),
            line: format!("{}{behind}", usage::line(&tool)),
            short: usage::short(&tool),
            offer: Arc::new(offer),
            told: OnceLock::new(),
            tool,
        })
    }

    /// About how many bytes its schemas take at most.
    pub fn weight(&self) -> usize {
        let output = self.output.as_ref().map_or(0, Schema::weight);
        self.arguments.weight() + output
    }

    /// The words with which an utterance is compared. Most personas have so few tools that they are not asked for.
    pub(super) fn told(&self) -> &Told {
        self.told.get_or_init(|| Told::of(&self.tool))
    }
}
