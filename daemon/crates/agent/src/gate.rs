//! Whether a call may run: does the tool exist, is it allowed here, are its arguments valid?
//!
//! A call that is turned away comes back with words that name what is wrong, so that the brain can mend it. The gate
//! runs nothing. The tool host on the bus checks foreign calls with the same [`Schema`](loquat_conversation::schema::Schema).

mod bind;
mod ground;
mod measures;
mod plain_text;
mod policy;
mod said;
mod unsaid;

use std::sync::Arc;

use serde_json::{Map, Value};

use loquat_conversation::catalogue::{Catalogue, Entry};
use loquat_decoder::{Call, squash};

pub(crate) use ground::Grounds;
pub(crate) use measures::Measures;
pub(crate) use plain_text::{text, texts};
pub(crate) use policy::Policy;
pub use policy::SETTINGS;
pub(crate) use said::{is_said, shares_a_word};
pub(crate) use unsaid::unsaid;

/// A call that may run.
#[derive(Debug, Clone)]
pub(crate) struct Admitted {
    pub(crate) entry: Arc<Entry>,
    /// They are coerced and valid.
    pub(crate) arguments: Arc<Map<String, Value>>,
    /// Says what a person is told of them, where they are no words for a person.
    pub(crate) told: Option<Arc<Map<String, Value>>>,
    /// Says whether the person has to say yes first.
    pub(crate) consent: Need,
}

impl Admitted {
    /// Tells whether several things were found that it is about.
    pub(crate) fn is_about_several(&self) -> bool {
        let mut found = self.arguments.values().filter_map(Value::as_array);
        self.told.is_some() && found.any(|things| things.len() > 1)
    }
}

/// Says whether a call waits for a yes of the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// It may run.
    Nothing,
    /// It may not run yet.
    Consent,
    /// The person has said it.
    Given,
    /// The person was asked and has not said it, in words for the brain. It may not run any more.
    Denied(&'static str),
}

/// A call that may not, and the words for the brain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// Says what is wrong, and how to mend it.
    pub(crate) text: String,
    /// Says whether the brain made a mistake that it can mend, as opposed to asking for what is not allowed.
    pub(crate) mistake: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Conditions {
    /// There is a person who can be asked for a yes.
    pub(crate) asks: bool,
    /// The turn has taken in what strangers wrote.
    pub(crate) tainted: bool,
}

/// What was said, as far as arguments are compared with it.
pub(crate) struct Heard<'t> {
    /// Says of a word for nothing, such as "none", whether it is meant as a text.
    pub(crate) is_meant: &'t dyn Fn(&str) -> bool,
    /// Absent where a brain is trusted with times, lengths and days.
    pub(crate) measures: Option<Measures<'t>>,
}

/// Judges one call.
pub(crate) fn admit(
    call: Call,
    catalogue: &Catalogue,
    policy: Policy,
    heard: &Heard<'_>,
    [grounds, sendable]: [&Grounds<'_>; 2],
    conditions: Conditions,
) -> Result<Admitted, Refusal> {
    let entry = catalogue
        .find(&call.tool)
        .ok_or_else(|| unknown(&call.tool, catalogue))?;
    let arguments = bind::to_object(call.arguments, &entry.tool.argument_schema)
        .and_then(|arguments| {
            if !policy.prune {
                refuse_unknown(&arguments, &entry.tool.argument_schema)?;
            }
            let arguments = match &heard.measures {
                Some(measures) => measures.as_said(&entry.tool, arguments),
                None => arguments,
            };
            entry
                .arguments
                .check_arguments_of_brain(arguments, heard.is_meant)
                .map_err(|violation| violation.to_string())
        })
        .map_err(|what| mistake(format!("{what}. The tool was not run. {}", entry.usage())))?;
    let doubtful = conditions.tainted
        && (is_doubtful_when_tainted(&entry) || tells_too_much(&entry, &arguments, sendable));
    let guarded = entry.tool.is_guarded() || doubtful;
    if guarded && !conditions.asks {
        return Err(Refusal {
            text: unasked(&entry, doubtful),
            mistake: false,
        });
    }
    if policy.ground {
        refuse_guesses(&entry, &arguments, grounds)?;
    }
    Ok(Admitted {
        entry,
        arguments: Arc::new(arguments),
        told: None,
        consent: if guarded { Need::Consent } else { Need::Nothing },
    })
}

/// Names the arguments that the tool does not know, for a persona that wants to hear of them.
fn refuse_unknown(arguments: &Map<String, Value>, schema: &Value) -> Result<(), String> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let known = |name: &str| {
        properties
            .into_iter()
            .flat_map(Map::keys)
            .any(|key| squash(key) == squash(name))
    };
    let unknown: Vec<&str> = arguments
        .keys()
        .map(String::as_str)
        .filter(|name| !known(name))
        .collect();
    if unknown.is_empty() {
        Ok(())
    } else {
        Err(format!("there are no arguments named {}", unknown.join(", ")))
    }
}

/// Turns away identifiers that were never named.
fn refuse_guesses(
    entry: &Entry,
    arguments: &Map<String, Value>,
    grounds: &Grounds<'_>,
) -> Result<(), Refusal> {
    let guessed = ground::guessed(arguments, &entry.tool, grounds);
    let Some(first) = guessed.first() else {
        return Ok(());
    };
    Err(mistake(format!(
        "'{first}' must be one that the person or a tool has named, and this one looks guessed. The tool was not run. \
         Look it up with a tool first, or ask the person."
    )))
}

fn mistake(text: String) -> Refusal {
    Refusal { text, mistake: true }
}

fn unknown(tool: &str, catalogue: &Catalogue) -> Refusal {
    if catalogue.is_empty() {
        return mistake("no tools are available; answer without them".to_owned());
    }
    let known = catalogue
        .entries()
        .iter()
        .map(|entry| entry.tool.name.as_str())
        .collect::<Vec<_>>()
        .join(", ");
    let short: String = tool.chars().take(80).collect();
    mistake(match catalogue.nearest(tool) {
        Some(nearest) => {
            format!("there is no tool '{short}'. Did you mean '{nearest}'? The tools are: {known}.")
        }
        None => format!("there is no tool '{short}'. The tools are: {known}."),
    })
}

/// Tells whether what strangers wrote may have had the brain make a call that changes or sends something.
pub(crate) fn is_doubtful_when_tainted(entry: &Entry) -> bool {
    !entry.tool.read_only && !entry.tool.unasked_when_tainted
}

/// Tells whether a call would tell a server what neither the person has said nor a server has told.
fn tells_too_much(entry: &Entry, arguments: &Map<String, Value>, sendable: &Grounds<'_>) -> bool {
    entry.tool.sends
        && !entry.tool.unasked_when_tainted
        && !ground::hold_all([sendable, &ground::own(&entry.tool)], &texts(arguments))
}

/// Turns away a call that needs a yes where no person can be asked for one.
pub(crate) fn unasked(entry: &Entry, doubtful: bool) -> String {
    let why = if doubtful {
        ", since what was read before comes from strangers"
    } else {
        ""
    };
    format!(
        "'{}' needs the person's permission{why}, which cannot be asked for here. It was not run and must not be tried \
         again. Tell the person so, or go on without it.",
        entry.tool.name
    )
}
