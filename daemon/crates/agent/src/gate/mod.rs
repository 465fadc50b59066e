//! Whether a call may run: does the tool exist, is it allowed here, are its arguments valid?
//!
//! A call that is turned away comes back with words that name what is wrong, so that the brain can mend it. The gate
//! runs nothing. The tool host on the bus checks foreign calls with the same [`Schema`].

mod bind;
mod coerce;
mod schema;
#[cfg(test)]
mod tests;
mod violation;

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::catalogue::{Catalogue, Entry};
use crate::decoder::Call;
use crate::toolbox::{Category, Confirm};

pub use schema::{InvalidSchema, Schema};
pub use violation::Violation;

/// A call that may run.
#[derive(Debug, Clone)]
pub(crate) struct Admitted {
    /// The tool.
    pub(crate) entry: Arc<Entry>,
    /// Its arguments, coerced and valid.
    pub(crate) arguments: Map<String, Value>,
}

/// A call that may not, and the words for the brain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// What is wrong, and how to mend it.
    pub(crate) text: String,
    /// Whether the brain made a mistake that it can mend, as opposed to asking for what is not allowed.
    pub(crate) mistake: bool,
}

/// Judges one call.
pub(crate) fn admit(call: &Call, catalogue: &Catalogue) -> Result<Admitted, Refusal> {
    let entry = catalogue
        .find(&call.tool)
        .ok_or_else(|| unknown(&call.tool, catalogue))?;
    let arguments = bind::to_object(&call.arguments, &entry.tool.argument_schema)
        .and_then(|arguments| {
            entry
                .arguments
                .check_arguments(arguments)
                .map_err(|violation| violation.to_string())
        })
        .map_err(|what| mistake(format!("{what}. The tool was not run. {}", entry.usage())))?;
    if is_guarded(&entry) {
        return Err(Refusal {
            text: guarded(&entry),
            mistake: false,
        });
    }
    Ok(Admitted { entry, arguments })
}

fn mistake(text: String) -> Refusal {
    Refusal { text, mistake: true }
}

fn unknown(tool: &str, catalogue: &Catalogue) -> Refusal {
    if catalogue.is_empty() {
        return mistake("no tools are available; answer without them".to_owned());
    }
    let known = catalogue.names().collect::<Vec<_>>().join(", ");
    let short: String = tool.chars().take(80).collect();
    mistake(match catalogue.nearest(tool) {
        Some(nearest) => {
            format!("there is no tool '{short}'. Did you mean '{nearest}'? The tools are: {known}.")
        }
        None => format!("there is no tool '{short}'. The tools are: {known}."),
    })
}

/// Nobody can be asked for a yes yet, so what needs one is turned away.
fn is_guarded(entry: &Entry) -> bool {
    entry.tool.category == Category::Dangerous || entry.tool.confirm != Confirm::Never
}

fn guarded(entry: &Entry) -> String {
    format!(
        "'{}' needs the person's permission, which cannot be asked for here. It was not run and must not be tried again. \
         Tell the person so, or go on without it.",
        entry.tool.name
    )
}
