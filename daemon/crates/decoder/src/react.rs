//! The ReAct text protocol: `Thought:`, `Action:`, `Action Input:`, `FINAL_ANSWER:`, in all the shapes models give it.
//!
//! Labels count at line beginnings only. The first action is the step's action, the last answer is the answer, and
//! everything from an invented `Observation:` on never happened.

use super::action::{Act, Head, head_at};
use super::call::{Arguments, Ending, Names};
use super::embedded::announces;
use super::labels::{Kind, Mark, Table, is_label_at, label_among, label_at};
use super::line::next_line;

/// A reply read as ReAct text.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub thought: String,
    /// The lines behind the first line of the last thought, unless that line announces them.
    pub behind_thought: String,
    pub preface: String,
    /// The lines behind the action and its input, where nothing else follows.
    pub behind_action: String,
    /// The first action, which is the step's.
    pub action: Option<Act>,
    /// Further actions, which are not run.
    pub surplus: Vec<String>,
    /// The answer, from a proper marker.
    pub answer: Option<String>,
    /// Says whether a marker that means nothing else introduced it.
    pub marked_answer: bool,
    /// Says whether there was an answer marker with nothing behind it.
    pub empty_answer: bool,
    /// The place at which an invented observation or an invented person begins.
    pub end: usize,
}

/// Reads a reply, in time that is linear in its length.
pub(crate) fn read(text: &str, names: &Names, ending: Ending) -> Reading {
    let (marks, end) = marks(text, names);
    let text = text.get(..end).unwrap_or(text);
    let mut reading = Reading {
        end,
        ..Reading::default()
    };
    let first = marks.first().map_or(end, |mark| mark.start);
    text.get(..first)
        .unwrap_or_default()
        .trim()
        .clone_into(&mut reading.preface);
    reading.thought = joined(text, &marks, Kind::Thought);
    behind_thought(text, &marks).clone_into(&mut reading.behind_thought);
    behind_action(text, &marks).clone_into(&mut reading.behind_action);
    read_actions(text, &marks, names, ending, &mut reading);
    read_answers(text, &marks, &mut reading);
    reading
}

/// Finds all labels that count, and where the reply's own text ends.
fn marks(text: &str, names: &Names) -> (Vec<Mark>, usize) {
    let mut marks: Vec<Mark> = Vec::new();
    let mut acts = false;
    let mut position = 0;
    while position < text.len() {
        let mut next = next_line(text, position);
        let line = text.get(position..next).unwrap_or_default();
        let mark = label_at(text, position);
        let is_result = || is_bare_observation(line) || label_among(RESULTS, text, position).is_some();
        if acts && mark.is_none() && is_result() {
            break;
        }
        if position > 0 && is_response_tag(line) {
            break;
        }
        if let Some(mark) = mark {
            // Only the first action and the first input are looked into, which keeps this linear.
            let first = marks.iter().all(|earlier| earlier.kind != mark.kind);
            match mark.kind {
                Kind::Observation => break,
                Kind::Outcome if acts => break,
                Kind::Person if ends_at_person(&marks) => break,
                Kind::Action if first && head_at(text, mark.value, names).is_none() => {}
                Kind::Input if first => {
                    next = next.max(json_end(text, mark.value).unwrap_or(0));
                    marks.push(mark);
                }
                kind => {
                    acts |= kind == Kind::Action;
                    marks.push(mark);
                }
            }
        }
        position = next;
    }
    keep_what_belongs(&mut marks);
    (marks, position.min(text.len()))
}

/// Further names of an outcome behind an action, where only an invented one can stand.
pub(super) const RESULTS: Table<()> = &[
    ((), "action output"),
    ((), "action result"),
    ((), "tool output"),
    ((), "tool result"),
    ((), "tool response"),
    ((), "result"),
    ((), "output"),
    ((), "response"),
];

/// Tells whether a line opens what a template would put around the outcome of a call.
fn is_response_tag(line: &str) -> bool {
    const TAGS: &[&str] = &[
        "tool_response",
        "tool_result",
        "tool_output",
        "observation",
        "function_results",
    ];
    let tag = super::tags::next_tag(line.trim_start());
    tag.is_some_and(|tag| !tag.closing && TAGS.iter().any(|known| known.eq_ignore_ascii_case(tag.name)))
}

/// Takes the observation off that a reply repeats before it goes on; all of it is left when it only does
/// that.
pub fn behind_echo(text: &str) -> &str {
    if !is_label_at(text, 0, Kind::Observation) {
        return text;
    }
    let kind = |position: usize| label_at(text, position).map(|mark| mark.kind);
    let mut position = next_line(text, 0);
    while position < text.len() {
        if matches!(kind(position), Some(Kind::Thought | Kind::Action | Kind::Answer)) {
            return text.get(position..).unwrap_or(text);
        }
        position = next_line(text, position);
    }
    text
}

/// Knows a line of nothing but the word, which behind an action introduces an invented observation without any colon.
fn is_bare_observation(line: &str) -> bool {
    line.trim_matches(|c: char| !c.is_alphanumeric())
        .eq_ignore_ascii_case("observation")
}

/// Keeps inputs only beside an action, and weak answers only without an action or a proper answer.
fn keep_what_belongs(marks: &mut Vec<Mark>) {
    let has = |kind: Kind, marks: &[Mark]| marks.iter().any(|mark| mark.kind == kind);
    let action = has(Kind::Action, marks);
    let answer = has(Kind::Answer, marks);
    let weak = |kind: Kind| matches!(kind, Kind::WeakAnswer | Kind::Outcome);
    let protocol = action
        || answer
        || marks
            .iter()
            .any(|mark| mark.kind == Kind::Thought || weak(mark.kind));
    marks.retain(|mark| match mark.kind {
        Kind::Person => protocol,
        Kind::Input => action,
        kind if weak(kind) => !action && !answer,
        _ => true,
    });
}

/// An invented person ends the reply; at its beginning the brain merely repeats the question.
fn ends_at_person(marks: &[Mark]) -> bool {
    marks.iter().any(|mark| {
        matches!(
            mark.kind,
            Kind::Action | Kind::Answer | Kind::WeakAnswer | Kind::Outcome
        )
    })
}

/// Finds the line behind a complete JSON value at `position`, so that labels inside it do not count.
fn json_end(text: &str, position: usize) -> Option<usize> {
    let value = text.get(position..)?.trim_start();
    let value = match value.strip_prefix("```") {
        Some(fenced) => fenced.trim_start_matches(char::is_alphanumeric).trim_start(),
        None => value,
    };
    if !value.starts_with(['{', '[']) {
        return None;
    }
    let end = super::json::end_of_value(value)?;
    Some(next_line(text, text.len() - value.len() + end))
}

/// Gives what a label introduces, up to the next label.
pub(super) fn section<'t, K>(text: &'t str, marks: &[Mark<K>], index: usize) -> &'t str {
    let Some(mark) = marks.get(index) else {
        return "";
    };
    let end = marks.get(index + 1).map_or(text.len(), |next| next.start);
    let value = text.get(mark.value..end).unwrap_or_default().trim();
    let open: String = value
        .chars()
        .rev()
        .take_while(|c| matches!(c, '*' | '_'))
        .take(mark.emphasis)
        .collect();
    value.get(..value.len() - open.len()).unwrap_or(value).trim()
}

fn joined(text: &str, marks: &[Mark], kind: Kind) -> String {
    let sections = (0..marks.len()).filter(|index| marks.get(*index).is_some_and(|mark| mark.kind == kind));
    sections
        .map(|index| section(text, marks, index))
        .collect::<Vec<_>>()
        .join("\n")
}

/// A thought is a line. What follows it without a label is said, unless the line ends in a colon.
fn behind_thought<'t>(text: &'t str, marks: &[Mark]) -> &'t str {
    let last = marks.iter().rposition(|mark| mark.kind == Kind::Thought);
    let section = last.map_or("", |index| section(text, marks, index));
    match section.split_once('\n') {
        Some((thought, lines)) if !announces(thought) => lines.trim(),
        _ => "",
    }
}

/// Gives the lines behind the last label, if it introduces an action or its input: behind the object there,
/// else behind its line.
fn behind_action<'t>(text: &'t str, marks: &[Mark]) -> &'t str {
    let Some(mark) = marks
        .last()
        .filter(|mark| matches!(mark.kind, Kind::Action | Kind::Input))
    else {
        return "";
    };
    let end = json_end(text, mark.value).unwrap_or_else(|| next_line(text, mark.value));
    text.get(end..).unwrap_or_default().trim()
}

fn read_actions(text: &str, marks: &[Mark], names: &Names, ending: Ending, reading: &mut Reading) {
    let input_after = |index: usize| {
        let next = marks.iter().enumerate().skip(index + 1);
        let mut own = next.take_while(|(_, mark)| mark.kind != Kind::Action);
        own.find(|(_, mark)| mark.kind == Kind::Input).map(|(at, _)| at)
    };
    for (index, mark) in marks
        .iter()
        .enumerate()
        .filter(|(_, mark)| mark.kind == Kind::Action)
    {
        if reading.action.is_some() {
            let named = section(text, marks, index)
                .split_whitespace()
                .next()
                .unwrap_or_default();
            reading.surplus.push(named.to_owned());
            continue;
        }
        let Some(head) = head_at(text, mark.value, names) else {
            continue;
        };
        let first_input = || marks.iter().position(|mark| mark.kind == Kind::Input);
        let input = input_after(index)
            .or_else(first_input)
            .map(|at| section(text, marks, at));
        reading.action = Some(act(head, input, ending, names));
    }
}

fn act(head: Head, input: Option<&str>, ending: Ending, names: &Names) -> Act {
    match head {
        Head::Act(act) => act,
        Head::Tool { name, arguments } => {
            let lax = if ending == Ending::Cut {
                ending
            } else {
                Ending::Lax
            };
            let complete =
                |arguments: &Arguments| matches!(arguments, Arguments::Named(named) if !named.is_empty());
            // What would have followed the name is not known.
            if ending == Ending::Cut
                && input.is_none_or(str::is_empty)
                && !arguments.as_ref().is_some_and(complete)
            {
                return Act::Broken("the reply was cut off before the arguments".to_owned());
            }
            let given = input.map(|text| Arguments::from_text(text, lax));
            let arguments = match (arguments, given) {
                (Some(inline), _) if complete(&inline) => inline,
                (_, Some(given)) => given,
                (Some(inline), None) => inline,
                (None, None) => Arguments::Named(serde_json::Map::new()),
            };
            super::action::settle(name, arguments, names)
        }
    }
}

fn read_answers(text: &str, marks: &[Mark], reading: &mut Reading) {
    let answers = |index: &usize| {
        marks
            .get(*index)
            .is_some_and(|mark| matches!(mark.kind, Kind::Answer | Kind::WeakAnswer | Kind::Outcome))
    };
    let found: Vec<&str> = (0..marks.len())
        .filter(answers)
        .map(|index| section(text, marks, index))
        .collect();
    reading.answer = found
        .iter()
        .rev()
        .find(|answer| !answer.is_empty())
        .map(|answer| (*answer).to_owned());
    reading.marked_answer = marks.iter().any(|mark| mark.kind == Kind::Answer);
    reading.empty_answer = !found.is_empty() && reading.answer.is_none();
}
