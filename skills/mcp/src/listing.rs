//! The tools that a server lists, read within bounds: each becomes a tool of ours with the owner's risk, or is left out.
//!
//! Trusts nothing of the list. A tool that is not as it was when it was allowed has another name, asks, and is described by
//! us.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use loquat_agent::toolbox::Tool;
use loquat_agent::turn::not_offered;
use rmcp::model;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::excerpt::shortened;
use super::rules::{Hints, Risk, ServerRules};
use super::written::{self, Written};

/// So many tools of a server are taken.
pub(super) const MOST_TOOLS: usize = 64;

/// Bounds of one tool, in bytes.
const LARGEST_TOOL: usize = 64 * 1024;

/// Bounds of all tools of a server, in bytes.
pub(super) const LARGEST_LIST: usize = 256 * 1024;

/// Bounds of a name, in bytes: what model servers take.
const LONGEST_NAME: usize = 64;

/// Bounds of a description, in characters.
const LONGEST_DESCRIPTION: usize = 1024;

/// How much of a fingerprint tells a changed tool from the one that was allowed.
const SUFFIX: usize = 6;

/// A tool of a server, as turns may use it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Listed {
    /// What the server calls it.
    pub(super) name: String,
    pub(super) tool: Tool,
    /// Of all that the server says of it.
    pub(super) fingerprint: String,
    /// Whether it is not as it was when it was allowed.
    pub(super) has_changed: bool,
    /// Whether the server says what its results look like.
    pub(super) has_output_schema: bool,
}

/// What came of a list.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Listing {
    pub(super) tools: Vec<Listed>,
    /// What there is to know of tools that the owner allows, one sentence each: why they are not there, and what is odd about
    /// those that are.
    pub(super) remarks: Vec<String>,
}

/// Reads a list as it was written. `known` has the fingerprints of the tools that were allowed, by their names at the server.
/// Takes as long as the schemas of the tools need: not for a thread that others wait for.
pub(super) fn read(rules: &ServerRules, written: &[Value], known: &BTreeMap<String, String>) -> Listing {
    let mut listing = Listing::default();
    let (mut room, mut names) = (LARGEST_LIST, Vec::new());
    for written in written {
        let written = written::read(written);
        let name = written
            .as_ref()
            .map_or_else(|(name, _)| name.clone(), |read| Some(read.tool.name.to_string()));
        if name.as_ref().is_some_and(|name| !rules.allows(name)) {
            continue;
        }
        names.extend(name);
        match written.map_err(|(_, why)| why) {
            Ok(written) => listing.take(rules, &written, known, &mut room),
            Err(why) => listing.remarks.push(why),
        }
    }
    listing.drop_what_no_brain_can_use();
    let missing = rules.tools.iter().flat_map(BTreeMap::keys);
    let missing = missing.filter(|name| !names.contains(name));
    let missing = missing.map(|name| format!("{name} is allowed, and the server has no such tool"));
    listing.remarks.extend(missing);
    listing.remarks.truncate(MOST_TOOLS);
    listing
}

impl Listing {
    fn take(
        &mut self,
        rules: &ServerRules,
        written: &Written,
        known: &BTreeMap<String, String>,
        room: &mut usize,
    ) {
        let Some(listed) = listed(rules, &written.tool, known, room) else {
            let name = shortened(&written.tool.name, LONGEST_NAME);
            self.remarks
                .push(format!("{name} is left out, since it, or the list, is too large"));
            return;
        };
        let is_taken = |other: &Listed| other.tool.name == listed.tool.name;
        if self.tools.len() >= MOST_TOOLS || self.tools.iter().any(is_taken) {
            let why = "is left out, since its name is taken or there are too many tools";
            self.remarks.push(format!("{} {why}", listed.tool.name));
            return;
        }
        self.tools.push(listed);
        self.remarks.extend(written.remark.clone());
    }

    /// What no turn could offer is not said to be there.
    fn drop_what_no_brain_can_use(&mut self) {
        let tools: Vec<Tool> = self.tools.iter().map(|listed| listed.tool.clone()).collect();
        for (name, why) in not_offered(&tools) {
            let listed = self.tools.iter().position(|listed| listed.tool.name == name);
            if let Some(listed) = listed.map(|index| self.tools.remove(index)) {
                let begins = format!("{} is offered, ", listed.name);
                self.remarks.retain(|remark| !remark.starts_with(&begins));
                self.remarks
                    .push(format!("{} is left out: failed to {why}", listed.name));
            }
        }
    }
}

fn listed(
    rules: &ServerRules,
    tool: &model::Tool,
    known: &BTreeMap<String, String>,
    room: &mut usize,
) -> Option<Listed> {
    let whole = said(tool).to_string();
    let kept = whole.len();
    if kept > LARGEST_TOOL.min(*room) || tool.name.is_empty() || tool.name.len() > LONGEST_NAME {
        return None;
    }
    *room -= kept;
    let fingerprint = fingerprint(&whole);
    let has_changed = known.get(&*tool.name).is_some_and(|known| *known != fingerprint);
    let risk = match rules.risk(&tool.name, hints(tool)) {
        Risk::Read | Risk::Change if has_changed => Risk::Ask,
        risk => risk,
    };
    let output = tool.output_schema.as_ref().map(|schema| json!(schema));
    // Names and options that came after it was allowed may have come with words of strangers.
    let output = output.map(|schema| {
        if has_changed {
            json!({"type": "object"})
        } else {
            schema
        }
    });
    let described = Tool {
        argument_schema: json!(tool.input_schema),
        output_schema: output.clone().unwrap_or_else(|| json!({"type": "object"})),
        ..Tool::safe(
            rules.toolbox_id(),
            own_name(&tool.name, &fingerprint, has_changed),
            description(rules, tool, has_changed),
        )
    };
    Some(Listed {
        name: tool.name.clone().into_owned(),
        tool: rules.applied_to(described, risk),
        fingerprint,
        has_changed,
        has_output_schema: output.is_some(),
    })
}

/// All that a server says of a tool and that a brain, a person or our gate goes by.
fn said(tool: &model::Tool) -> Value {
    json!({"name": tool.name, "title": tool.title, "description": tool.description, "arguments": tool.input_schema,
           "result": tool.output_schema, "annotations": tool.annotations})
}

fn fingerprint(said: &str) -> String {
    let digest = Sha256::digest(said.as_bytes());
    digest.iter().take(16).fold(String::new(), |mut written, byte| {
        // Writing to a text cannot fail.
        write!(written, "{byte:02x}").unwrap_or_default();
        written
    })
}

fn hints(tool: &model::Tool) -> Hints {
    let annotations = tool.annotations.as_ref();
    Hints {
        reads: annotations.and_then(|annotations| annotations.read_only_hint),
        destroys: annotations.and_then(|annotations| annotations.destructive_hint),
    }
}

/// The name under which brains know it: letters that every model server takes. One that has changed is another tool, so
/// that no turn which was offered the old one calls it.
fn own_name(name: &str, fingerprint: &str, has_changed: bool) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let plain: String = name
        .chars()
        .map(|letter| if is_plain(letter) { letter } else { '_' })
        .collect();
    if !has_changed {
        return plain;
    }
    let beginning: String = plain.chars().take(LONGEST_NAME - SUFFIX - 1).collect();
    let suffix: String = fingerprint.chars().take(SUFFIX).collect();
    format!("{beginning}_{suffix}")
}

/// What brains are told. It is a stranger's, so it is one line, bounded, and said to be the server's words.
fn description(rules: &ServerRules, tool: &model::Tool, has_changed: bool) -> String {
    if has_changed {
        return format!(
            "{} of the server {}; it has changed since it was allowed, and its description is not shown.",
            shortened(&tool.name, LONGEST_NAME),
            rules.name
        );
    }
    let told = tool.description.as_deref().or(tool.title.as_deref());
    let told = shortened(told.unwrap_or_default(), LONGEST_DESCRIPTION);
    if rules.is_trusted {
        return told;
    }
    format!("The server {} says of it: {}", rules.name, Value::String(told))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use loquat_agent::toolbox::{Category, Confirm};

    use super::*;
    use crate::rules::Way;

    fn rules(tools: &[(&str, Risk)]) -> ServerRules {
        let tools: BTreeMap<String, Risk> = tools
            .iter()
            .map(|(name, risk)| ((*name).to_owned(), *risk))
            .collect();
        ServerRules {
            name: "home".to_owned(),
            way: Way::None(String::new()),
            tools: (!tools.is_empty()).then_some(tools),
            awaited: Vec::new(),
            is_trusted: false,
            believes_read_only: false,
            start: Duration::from_secs(1),
            call: Duration::from_secs(1),
        }
    }

    fn tools(told: &Value) -> Vec<Value> {
        told.as_array().unwrap().clone()
    }

    fn one(name: &str, description: &str) -> Value {
        json!({"name": name, "description": description, "inputSchema": {"type": "object"}})
    }

    #[test]
    fn a_tool_that_is_not_as_it_was_asks_under_another_name_without_its_words() {
        let rules = rules(&[("look", Risk::Read)]);
        let before = read(&rules, &tools(&json!([one("look", "Looks.")])), &BTreeMap::new());
        let tool = &before.tools[0];
        assert_eq!(
            (tool.tool.name.as_str(), tool.tool.confirm),
            ("look", Confirm::Never)
        );
        assert!(tool.tool.brings_foreign_text && tool.tool.sends && tool.tool.read_only);
        let known = BTreeMap::from_iter([("look".to_owned(), tool.fingerprint.clone())]);
        let same = read(&rules, &tools(&json!([one("look", "Looks.")])), &known);
        assert_eq!(same.tools, before.tools);
        for changed in [
            one("look", "Deletes."),
            json!({"name": "look", "description": "Looks.", "inputSchema": {"type": "object", "required": ["all"]}}),
            json!({"name": "look", "description": "Looks.", "inputSchema": {"type": "object"},
                   "annotations": {"destructiveHint": false}}),
        ] {
            let now = read(&rules, &tools(&json!([changed])), &known);
            let tool = &now.tools[0].tool;
            assert!(
                now.tools[0].has_changed && tool.name.starts_with("look_"),
                "{changed}"
            );
            assert_eq!((tool.category, tool.confirm), (Category::Dangerous, Confirm::Ask));
            assert!(!tool.description.contains("Deletes"), "{}", tool.description);
        }
    }

    #[test]
    fn a_list_is_taken_up_to_its_bounds_and_what_is_missing_is_told() {
        let many: Vec<Value> = (0..100)
            .map(|number| one(&format!("t{number}"), "One."))
            .collect();
        let all = read(&rules(&[]), &tools(&json!(many)), &BTreeMap::new());
        assert_eq!(
            (all.tools.len(), all.remarks.len()),
            (MOST_TOOLS, 100 - MOST_TOOLS)
        );
        let huge =
            json!({"name": "huge", "inputSchema": {"type": "object", "title": "x".repeat(LARGEST_TOOL)}});
        let long = one(&"n".repeat(LONGEST_NAME + 1), "Long.");
        let twins = [one("a.b", "First."), one("a/b", "Second.")];
        let told = json!([huge, long, twins[0], twins[1], one("wordy", &"ß".repeat(9_000))]);
        let few = read(&rules(&[]), &tools(&told), &BTreeMap::new());
        let names: Vec<&str> = few.tools.iter().map(|listed| listed.tool.name.as_str()).collect();
        assert_eq!(names, ["a_b", "wordy"]);
        assert_eq!(few.remarks.len(), 3, "{:?}", few.remarks);
        assert!(few.tools[1].tool.description.chars().count() < LONGEST_DESCRIPTION + 64);
        let absent = read(&rules(&[("gone", Risk::Ask)]), &[], &BTreeMap::new());
        assert_eq!(
            absent.remarks,
            ["gone is allowed, and the server has no such tool"]
        );
    }

    #[test]
    fn one_odd_tool_costs_no_other() {
        let all = rules(&[]);
        for (odd, told) in [
            (
                json!({"name": "odd", "inputSchema": "text"}),
                "odd is left out, since its inputSchema is no schema",
            ),
            (
                json!({"name": 5, "inputSchema": {}}),
                "a tool is left out, since its name is 5",
            ),
            (
                json!({"name": "odd", "inputSchema": {"type": "banana"}}),
                "odd is left out: failed to compile the JSON Schema",
            ),
            (
                json!({"name": "odd", "inputSchema": {"type": "object", "required": "what"}, "title": 7}),
                "odd is left out: failed to compile the JSON Schema",
            ),
            (
                json!({"name": "odd", "inputSchema": {"type": "object", "properties": {"a": {"pattern": "("}}}}),
                "odd is left out: failed to compile the JSON Schema",
            ),
        ] {
            let list = json!([one("first", "First."), odd, one("last", "Last.")]);
            let listing = read(&all, &tools(&list), &BTreeMap::new());
            let names: Vec<&str> = listing.tools.iter().map(|listed| listed.name.as_str()).collect();
            assert_eq!(names, ["first", "last"], "{odd}");
            assert_eq!(listing.remarks.len(), 1, "{:?}", listing.remarks);
            assert!(listing.remarks[0].starts_with(told), "{:?}", listing.remarks);
        }
        let some = rules(&[("last", Risk::Read), ("odd", Risk::Read)]);
        let list = json!([{"name": "other", "inputSchema": 7}, {"name": "odd", "inputSchema": 7}, one("last", "Last.")]);
        let listing = read(&some, &tools(&list), &BTreeMap::new());
        assert_eq!(listing.tools.len(), 1);
        assert_eq!(
            listing.remarks,
            ["odd is left out, since its inputSchema is no schema but 7"]
        );
    }
}
