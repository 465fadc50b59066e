//! What a fact checker found in a draft: claims with the calls that check them, or nothing.

use serde_json::{Value, json};

use super::{Heard, Otherwise, Phase, object, text};
use crate::catalogue::Catalogue;
use crate::dialect::call_schema;
use crate::dialect::examples::{behind_tools, brought, first_of_several, imagined};
use crate::dialect::{Dialect, Speech, prompts, spaced};
use crate::toolbox::Example;
use loquat_decoder::{Call, Flaw, Section, Table, call_of, calls_in, input_arguments, sections};

/// Asks for claims and calls.
#[derive(Debug, Clone, Copy)]
pub struct Claims<'c> {
    /// The tools that can check them.
    pub catalogue: &'c Catalogue,
}

/// Asks for the claims of what the brain has just said.
pub fn critique(speech: &Speech<'_>) -> String {
    let words = match speech.dialect {
        Dialect::Schema => &prompts::CLAIMS_SCHEMA,
        _ => &prompts::CLAIMS_TEXT,
    };
    speech.with_tools(words)
}

/// Writes the instructions for checking a draft in a conversation of its own, as one JSON object, with worked
/// examples.
pub fn checking(speech: &Speech<'_>) -> String {
    let catalogue = speech.catalogue;
    let checked = |(name, example): (String, Example)| {
        let call = json!({"name": name, "arguments": example.arguments});
        let claims = spaced(&json!({"claims": [{"claim": example.answer, "call": call}]}));
        format!("{}\n{claims}\n", drafted(&example.question, &example.answer))
    };
    let first = first_of_several(catalogue).map(checked).unwrap_or_default();
    let last = checked(brought(catalogue).unwrap_or_else(imagined));
    let examples = format!("{first}{}\n{last}", speech.text(&prompts::CLAIMS_SCHEMA_EXAMPLE));
    behind_tools(speech, &prompts::CLAIMS_SCHEMA, examples.trim_end())
}

/// A question with the draft of its answer, as these instructions show them.
pub fn drafted(question: &str, draft: &str) -> String {
    format!("Person: {question}\nYou said: {draft}")
}

/// More claims than this are not checked in one round.
const MOST_CLAIMS: usize = 10;

/// Says what a label introduces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Claim,
    Tool,
    Input,
    Verified,
    Aside,
}

pub(super) const LABELS: Table<Kind> = &[
    (Kind::Claim, "claim"),
    (Kind::Input, "tool input"),
    (Kind::Input, "action input"),
    (Kind::Input, "input"),
    (Kind::Input, "arguments"),
    (Kind::Tool, "tool"),
    (Kind::Tool, "action"),
    (Kind::Verified, "verified"),
    (Kind::Aside, "unverified"),
    (Kind::Aside, "observation"),
    (Kind::Aside, "result"),
    (Kind::Aside, "evidence"),
    (Kind::Aside, "thought"),
];

impl Phase for Claims<'_> {
    /// The calls that check the claims; none when there is nothing to check.
    type Meaning = Vec<Call>;

    fn schema(&self) -> Option<Value> {
        let claim = object(&[("claim", text(160)), ("call", call_schema(self.catalogue))]);
        let claims = json!({"type": "array", "items": claim, "maxItems": 3});
        Some(object(&[("claims", claims)]))
    }

    fn stops(&self) -> &'static [&'static str] {
        &["\nObservation:", "\nRESULT:"]
    }

    fn read(&self, heard: &Heard<'_>) -> Result<Vec<Call>, Flaw> {
        let mut calls = match heard.json() {
            Some(value) => of_json(&value, heard),
            None => of_text(&heard.text, heard),
        };
        if calls.is_empty() {
            // Whatever other grammar a brain writes its calls in, it means to check something.
            if let Ok(Otherwise::Calls(found)) = heard.otherwise() {
                calls = found;
            }
        }
        calls.truncate(MOST_CLAIMS);
        Ok(calls)
    }

    fn shape(&self) -> &'static str {
        "Reply with blocks of CLAIM:, TOOL: and TOOL INPUT:, or with one line VERIFIED:"
    }
}

fn of_json(value: &Value, heard: &Heard<'_>) -> Vec<Call> {
    let claims = value.get("claims").and_then(Value::as_array);
    let each = claims
        .into_iter()
        .flatten()
        .flat_map(|claim| calls_in(claim, heard.names));
    each.collect()
}

fn of_text(text: &str, heard: &Heard<'_>) -> Vec<Call> {
    let (_, found) = sections(text, LABELS);
    let mut calls = Vec::new();
    let mut named: Option<&str> = None;
    let mut take = |named: &mut Option<&str>, input: Option<&str>| {
        let arguments = input.map(|input| input_arguments(input, heard.is_cut()));
        let call = named
            .take()
            .and_then(|tool| call_of(tool, arguments, heard.names));
        calls.extend(call);
    };
    for Section { kind, text } in found {
        match kind {
            Kind::Tool => {
                take(&mut named, None);
                named = Some(text);
            }
            Kind::Input => take(&mut named, Some(text)),
            Kind::Claim | Kind::Verified | Kind::Aside => take(&mut named, None),
        }
    }
    take(&mut named, None);
    calls
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brain::ChatReply;
    use loquat_decoder::{Arguments, Names};

    fn read(text: &str) -> Vec<(String, Arguments)> {
        let reply = ChatReply::of_words(text);
        let names = Names::new(["lookup".to_owned(), "add".to_owned()]);
        let catalogue = Catalogue::default();
        let form = Claims {
            catalogue: &catalogue,
        };
        let calls = form.read(&Heard::new(&reply, &names)).unwrap();
        calls
            .into_iter()
            .map(|call| (call.tool, call.arguments))
            .collect()
    }

    #[test]
    fn claims_are_calls_however_they_are_dressed() {
        let query = Arguments::Single(Value::from("height"));
        let sum = Arguments::Named(json!({"a": 1, "b": 2}).as_object().cloned().unwrap());
        let lookup = || vec![("lookup".to_owned(), query.clone())];
        assert_eq!(read("CLAIM: h\nTOOL: lookup\nTOOL INPUT: height"), lookup());
        assert_eq!(
            read("**CLAIM:** h\n**TOOL:** `lookup`\n**TOOL INPUT:** height"),
            lookup()
        );
        assert_eq!(
            read("UNVERIFIED: h\nClaim 1: h\nTool: lookup\nTool Input: height\nRESULT: 5"),
            lookup()
        );
        assert_eq!(
            read(
                "CLAIM: h\nTOOL: lookup\nTOOL INPUT: height\n\nCLAIM: s\nTOOL: add\nTOOL INPUT: {\"a\": 1,\n 'b': 2}"
            ),
            [
                ("lookup".to_owned(), query.clone()),
                ("add".to_owned(), sum.clone())
            ]
        );
        assert_eq!(
            read(
                "{\"claims\": [{\"claim\": \"s\", \"call\": {\"name\": \"add\", \"arguments\": {\"a\": 1, \"b\": 2}}}]}"
            ),
            [("add".to_owned(), sum)]
        );
    }

    #[test]
    fn what_names_no_tool_is_nothing_to_check() {
        assert!(read("VERIFIED: all claims are correct").is_empty());
        assert!(read("CLAIM: h\nTOOL: none\nTOOL INPUT: x").is_empty());
        assert!(read("All is well.").is_empty());
        assert!(read("{\"claims\": []}").is_empty());
    }
}
