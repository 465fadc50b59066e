//! All calls that a question needs, planned in one go: later ones name the results of earlier ones as `#E1`.

use serde_json::{Value, json};

use super::{Heard, Otherwise, Phase, object, text};
use crate::call_graph::{Node, numbered};
use crate::catalogue::Catalogue;
use crate::dialect::examples::{asked_for, behind_tools, brought};
use crate::dialect::planned_call_schema;
use crate::dialect::{Dialect, Speech, prompts};
use loquat_decoder::{Call, Flaw, call_of, call_text_at, calls_in};

/// Asks for calls.
#[derive(Debug, Clone, Copy)]
pub struct Calls<'c> {
    /// The tools that may be called.
    pub catalogue: &'c Catalogue,
}

/// The instructions for all calls at once.
pub fn calling(speech: &Speech<'_>) -> String {
    match speech.dialect {
        Dialect::Schema => one_object(speech),
        _ => speech.with_tools(&prompts::CALLS_TEXT),
    }
}

/// The instructions for all calls as one JSON object.
fn one_object(speech: &Speech<'_>) -> String {
    let catalogue = speech.catalogue;
    let own = brought(catalogue).map(|(name, example)| {
        asked_for(
            &example,
            &json!({"calls": [{"name": name, "arguments": example.arguments}]}),
        )
    });
    let examples = own.unwrap_or_default() + speech.text(&prompts::CALLS_SCHEMA_EXAMPLES);
    behind_tools(speech, &prompts::CALLS_SCHEMA, &examples)
}

/// Asks for the answer from what the calls brought.
pub fn solve(speech: &Speech<'_>) -> String {
    speech.reminding(&prompts::CALLS_ANSWER)
}

/// The word of a planner of calls.
#[derive(Debug, Clone, PartialEq)]
pub enum Blueprint {
    /// These calls; never empty.
    Calls(Vec<Node>),
    /// None are needed: this is the answer.
    Answer(String),
}

/// More calls than this are not planned at once.
const MOST_CALLS: usize = 12;

/// The thought before them has at most this many characters.
const LONGEST_THOUGHT: u32 = 160;

/// Calls are looked for in so many lines that could hold one, so that time stays linear.
const MOST_LINES: usize = 60;

impl Phase for Calls<'_> {
    type Meaning = Blueprint;

    fn schema(&self) -> Option<Value> {
        let calls = json!({"type": "array", "items": planned_call_schema(self.catalogue), "minItems": 1, "maxItems": 6});
        let answer = json!({"type": "string", "minLength": 1});
        // With a thought first a small model calls a tool where it would guess otherwise.
        let thought = || ("thought", text(LONGEST_THOUGHT));
        let calls = object(&[thought(), ("calls", calls)]);
        Some(json!({"anyOf": [calls, object(&[thought(), ("answer", answer)])]}))
    }

    fn read(&self, heard: &Heard<'_>) -> Result<Blueprint, Flaw> {
        let spoken = heard.spoken()?;
        let mut planned = match heard.json() {
            Some(value) => of_json(&value, heard),
            None => of_text(spoken, heard)?,
        };
        if planned.is_empty() {
            planned = match heard.otherwise()? {
                Otherwise::Answer(text) => return Ok(Blueprint::Answer(text)),
                Otherwise::Calls(calls) => numbered(calls),
            };
        }
        planned.truncate(MOST_CALLS);
        Ok(Blueprint::Calls(Node::linked(planned)))
    }

    fn shape(&self) -> &'static str {
        "Reply with lines such as #E1 = tool({\"argument\": \"value\"}), or with FINAL_ANSWER: and the answer."
    }
}

fn of_json(value: &Value, heard: &Heard<'_>) -> Vec<(usize, Call)> {
    let list = match value {
        Value::Array(list) => Some(list),
        Value::Object(members) => ["calls", "plan", "tasks", "steps"]
            .iter()
            .find_map(|key| members.get(*key).and_then(Value::as_array)),
        _ => None,
    };
    let entries = list.into_iter().flatten().enumerate();
    entries
        .filter_map(|(index, entry)| {
            let id = entry.get("id").and_then(id_of).unwrap_or(index + 1);
            Some((id, calls_in(entry, heard.names).into_iter().next()?))
        })
        .collect()
}

/// Reads `1`, `"1"`, `"E1"` or `"#E1"`.
fn id_of(value: &Value) -> Option<usize> {
    match value {
        Value::String(text) => text.trim_start_matches(['#', '$', 'E', 'e']).parse().ok(),
        other => other.as_u64().and_then(|id| usize::try_from(id).ok()),
    }
}

/// `#E1 = tool[…]` anywhere in a line, or a line that begins with `1. tool(…)`.
fn of_text(text: &str, heard: &Heard<'_>) -> Result<Vec<(usize, Call)>, Flaw> {
    let mut planned = Vec::new();
    let (mut position, mut tried) = (0, 0);
    for line in text.split_inclusive('\n') {
        let begin = position;
        position += line.len();
        let Some((id, offset, marked)) = assignment(line) else {
            continue;
        };
        tried += 1;
        if tried > MOST_LINES || planned.len() == MOST_CALLS {
            break;
        }
        let body = text.get(begin + offset..).unwrap_or_default();
        match call_text_at(body, heard.names)
            .and_then(|(tool, arguments)| call_of(&tool, arguments, heard.names))
        {
            Some(call) if marked || heard.names.resolve(&call.tool).is_some() => planned.push((id, call)),
            None if marked => return Err(Flaw::Shapeless("a planned call could not be read")),
            _ => {}
        }
    }
    Ok(planned)
}

/// The number, where the call begins, and whether the number stands in a mark that nothing else has.
fn assignment(line: &str) -> Option<(usize, usize, bool)> {
    let marked = line.match_indices("#E").find_map(|(at, mark)| {
        let (id, rest) = leading_number(line.get(at + mark.len()..)?)?;
        let call = rest
            .trim_start_matches(['*', '`', ' '])
            .strip_prefix(['=', ':'])?;
        Some((id, line.len() - call.len(), true))
    });
    marked.or_else(|| {
        let plain = line.trim_start_matches([' ', '\t', '*', '`', '-', '$', 'E']);
        let (id, rest) = leading_number(plain)?;
        let call = rest.trim_start().strip_prefix(['.', ')', ':', '='])?;
        Some((id, line.len() - call.len(), false))
    })
}

fn leading_number(text: &str) -> Option<(usize, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let id = text.get(..digits)?.parse().ok()?;
    Some((id, text.get(digits..)?))
}

/// The word of a joiner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Joined {
    /// The answer.
    Answer(String),
    /// The calls did not do; why.
    Replan(String),
}

/// Asks for the answer from what the calls brought, or for why others are needed.
pub fn joining(speech: &Speech<'_>) -> String {
    speech.reminding(match speech.dialect {
        Dialect::Schema => &prompts::CALLS_JOIN_SCHEMA,
        _ => &prompts::CALLS_JOIN_TEXT,
    })
}

/// Asks for the answer, or for why other calls are needed.
#[derive(Debug, Clone, Copy)]
pub struct Join;

impl Phase for Join {
    type Meaning = Joined;

    fn schema(&self) -> Option<Value> {
        let words = json!({"type": "string", "minLength": 1});
        let answer = object(&[("answer", words)]);
        Some(json!({"anyOf": [answer, object(&[("replan", text(200))])]}))
    }

    fn read(&self, heard: &Heard<'_>) -> Result<Joined, Flaw> {
        let json = heard.json();
        let replan = json
            .as_ref()
            .and_then(|value| value.get("replan"))
            .and_then(Value::as_str);
        if let Some(why) = replan.or_else(|| super::replan(&heard.text)) {
            return Ok(Joined::Replan(why.to_owned()));
        }
        super::Answer.read(heard).map(Joined::Answer)
    }

    fn shape(&self) -> &'static str {
        "Reply with the answer in plain words, or with REPLAN: and what is missing."
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brain::ChatReply;
    use loquat_decoder::Names;

    fn read(text: &str) -> Result<Blueprint, Flaw> {
        let reply = ChatReply::of_words(text);
        let names = Names::new(["lookup".to_owned(), "add".to_owned()]);
        let catalogue = Catalogue::default();
        Calls {
            catalogue: &catalogue,
        }
        .read(&Heard::new(&reply, &names))
    }

    #[test]
    fn plans_of_calls_are_read_in_every_spelling() {
        for text in [
            "Plan: Find it. #E1 = lookup[capital of France]\nPlan: And then. #E2 = lookup[population of #E1]",
            "#E1 = lookup(query=\"capital of France\")\n#E2 = lookup(query=\"population of #E1\")",
            "#E1 = lookup({\"query\": \"capital of France\"})\n**#E2** = lookup({\"query\": \"population of #E1\"})",
            "1. lookup(\"capital of France\")\n2. lookup(\"population of $1\")\n3. join()",
            "{\"calls\": [{\"name\": \"lookup\", \"arguments\": {\"query\": \"x\"}}, \
             {\"name\": \"lookup\", \"arguments\": {\"query\": \"of ${1}\"}}]}",
        ] {
            match read(text) {
                Ok(Blueprint::Calls(nodes)) => {
                    let needs: Vec<_> = nodes
                        .iter()
                        .map(|node| (node.call.tool.as_str(), node.needs()))
                        .collect();
                    assert_eq!(needs, [("lookup", vec![]), ("lookup", vec![0])], "for {text:?}");
                }
                other => panic!("{text:?}: {other:?}"),
            }
        }
    }

    #[test]
    fn words_are_the_answer_and_damage_is_told() {
        assert_eq!(read("It is 5."), Ok(Blueprint::Answer("It is 5.".into())));
        assert_eq!(
            read("FINAL_ANSWER: 1. Paris, 2. Rome"),
            Ok(Blueprint::Answer("1. Paris, 2. Rome".into()))
        );
        assert!(matches!(read("#E1 = the capital"), Err(Flaw::Shapeless(_))));
    }
}
