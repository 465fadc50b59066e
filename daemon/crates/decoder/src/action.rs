//! What stands behind an `Action:` label: a name, a call, a JSON object, or words that mean an answer.

use super::call::{Arguments, Call, Names, is_identifier};
use super::object::{self, Meaning};
use super::pythonic;

/// Says what an `Action:` asks for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Act {
    /// Tool calls; more than one only from a JSON list.
    Calls(Vec<Call>),
    /// It says `Action: Final Answer`.
    Answer(String),
    /// It says `Action: None`.
    NoTool,
    /// An action that cannot be read, and why.
    Broken(String),
}

/// The beginning of an action.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Head {
    /// A tool. Without arguments here they are in the `Action Input:`.
    Tool {
        /// The name as it was written.
        name: String,
        /// They stand on the action's own line.
        arguments: Option<Arguments>,
    },
    /// The action is already complete.
    Act(Act),
}

/// Reads what stands at `position`; nothing when it is prose.
pub(crate) fn head_at(text: &str, position: usize, names: &Names) -> Option<Head> {
    let value = text.get(position..)?.trim_start();
    if let Some(block) = super::fence::block_at(value) {
        return head_of(block.body, names);
    }
    head_of(value, names)
}

fn head_of(value: &str, names: &Names) -> Option<Head> {
    if value.starts_with('{') {
        return Some(Head::Act(act_of_json(value, names)));
    }
    let line = value.lines().next().unwrap_or_default().trim();
    let bare = line.trim_matches(['*', '_', '`', '"', '\'', '<', '>', ' ', '.']);
    if object::is_finish(bare, names) || object::is_no_tool(bare, names) {
        return Some(Head::Tool {
            name: bare.to_owned(),
            arguments: None,
        });
    }
    head_of_line(value, line, names)
}

fn head_of_line(value: &str, line: &str, names: &Names) -> Option<Head> {
    let dressed = line.trim_start_matches(['*', '_', '`', '"', '\'', '<']);
    let length = dressed
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')))
        .unwrap_or(dressed.len());
    let name = dressed.get(..length)?.trim_end_matches('.');
    let after = dressed
        .get(length..)?
        .trim_start_matches(['*', '`', '"', '\'', '>', ' ']);
    let offset = line.len() - after.len();
    let known = names.resolve(name).is_some() || object::is_finish(name, names);
    let arguments = match after.chars().next() {
        None => None,
        Some('(') if is_identifier(name) => Some(pythonic::arguments_at(value.get(offset..)?).0),
        Some('{') if is_identifier(name) => Some(arguments_of_json(value.get(offset..)?)),
        Some('[') if known => Some(bracketed(after)),
        Some(':') if known => {
            let words = after.strip_prefix(':').unwrap_or(after).trim();
            (!words.is_empty()).then(|| arguments_of_json(words))
        }
        Some(_) => return None,
    };
    is_identifier(name).then(|| Head::Tool {
        name: name.to_owned(),
        arguments,
    })
}

fn arguments_of_json(text: &str) -> Arguments {
    Arguments::from_text(text, super::call::Ending::Lax)
}

/// Reads the paper's `lookup[capital of France]`.
fn bracketed(after: &str) -> Arguments {
    let inside = after.strip_prefix('[').unwrap_or(after);
    let inside = inside.rsplit_once(']').map_or(inside, |(inside, _)| inside);
    Arguments::from_text(inside, super::call::Ending::Strict)
}

fn act_of_json(value: &str, names: &Names) -> Act {
    match super::json::parse_prefix(value) {
        Ok(parsed) => match object::meaning(&parsed.value, names) {
            Meaning::Calls(calls) => Act::Calls(calls),
            Meaning::Answer { text, .. } => Act::Answer(text),
            Meaning::NoTool => Act::NoTool,
            Meaning::Unknown => Act::Broken("the action names no tool".to_owned()),
        },
        Err(error) => Act::Broken(format!("the action is no JSON object: {error}")),
    }
}

/// Reads the call of a tool that stands alone in a text, with its own arguments or those given beside it;
/// nothing when the text says that no tool is meant.
pub fn call_of(tool: &str, arguments: Option<Arguments>, names: &Names) -> Option<Call> {
    let tool = tool.lines().next().unwrap_or_default();
    let bare = tool.trim_matches(['*', '_', '`', '"', '\'', '<', '>', ' ', '.', ',']);
    if object::is_no_tool(bare, names) {
        return None;
    }
    let none = || Arguments::Named(serde_json::Map::new());
    let (name, own) = call_text_at(bare, names).unwrap_or_else(|| (bare.to_owned(), None));
    // `add()` has nothing of its own to say.
    let is_empty = |own: &Arguments| matches!(own, Arguments::Named(named) if named.is_empty());
    let own = own.filter(|own| arguments.is_none() || !is_empty(own));
    Some(Call {
        id: None,
        tool: name,
        arguments: own.or(arguments).unwrap_or_else(none),
    })
}

/// Reads a tool and the arguments behind it with which a text begins: `add(a=2)`, `lookup[x]`, `add {"a":
/// 2}`, `add`.
pub fn call_text_at(text: &str, names: &Names) -> Option<(String, Option<Arguments>)> {
    let text = text.trim_start_matches([' ', '`', '*']);
    let length = text
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')))
        .unwrap_or(text.len());
    let name = text.get(..length)?;
    let after = text.get(length..)?.lines().next().unwrap_or_default();
    if is_identifier(name) && after.starts_with('[') {
        return Some((name.to_owned(), Some(bracketed(after))));
    }
    match head_at(text, 0, names)? {
        Head::Tool { name, arguments } => Some((name, arguments)),
        Head::Act(Act::Calls(calls)) => calls
            .into_iter()
            .next()
            .map(|call| (call.tool, Some(call.arguments))),
        Head::Act(_) => None,
    }
}

/// Reads the arguments that stand behind a label of their own: JSON, or words.
pub fn input_arguments(input: &str, cut: bool) -> Arguments {
    if input.starts_with(['{', '[', '`']) {
        let ending = if cut {
            super::call::Ending::Cut
        } else {
            super::call::Ending::Lax
        };
        return Arguments::from_text(input, ending);
    }
    let words = input.split("\n\n").next().unwrap_or_default();
    // The block may stand in a fence.
    let words = words.split("\n```").next().unwrap_or_default().trim();
    let bare = words
        .strip_prefix('"')
        .and_then(|inside| inside.strip_suffix('"'))
        .filter(|inside| !inside.contains('"'));
    Arguments::Single(serde_json::Value::String(bare.unwrap_or(words).to_owned()))
}

/// Turns a name and its arguments into what they mean.
pub(crate) fn settle(name: String, arguments: Arguments, names: &Names) -> Act {
    if object::is_finish(&name, names) {
        return object::finish_text(&arguments).map_or(Act::NoTool, Act::Answer);
    }
    if object::is_no_tool(&name, names) {
        return Act::NoTool;
    }
    Act::Calls(vec![Call {
        id: None,
        tool: name,
        arguments,
    }])
}
