//! What a host on the bus announces: a toolbox and its tools, read within bounds. Trusts nothing of it.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use loquat_agent::toolbox::Tool;
use loquat_wire::Message;
use serde_json::{Value, json};

use super::claims::Claims;

/// Of so many tools of a box it is remembered what they said first.
const MOST_SCHEMAS: usize = 4 * MOST_TOOLS;

/// So many tools of a box are taken.
const MOST_TOOLS: usize = 64;

/// Bounds of a tool's description and schemas together, in bytes.
const LARGEST_TOOL: usize = 64 * 1024;

/// Bounds of all of a box's tools, in bytes.
const LARGEST_BOX: usize = 256 * 1024;

/// Bounds of a name, in bytes. A server that takes shorter ones only is told another.
const LONGEST_NAME: usize = 128;

/// Bounds of a description, in bytes.
const LONGEST_DESCRIPTION: usize = 2 * 1024;

/// A tool as its host announced it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Announced {
    name: String,
    description: String,
    argument_schema: Value,
    output_schema: Value,
    /// What else its host says of it.
    pub(super) claims: Claims,
    /// Its host names the box in every tool, as the specification asks; older hosts do not, and hear only the topic
    /// of the box itself.
    pub(super) names_its_box: bool,
}

/// What the tools of a box said of their results when each was announced first.
#[derive(Debug, Default)]
pub(super) struct FirstSchemas {
    /// With keys of this process, so that no peer can make two schemas alike.
    keys: RandomState,
    seen: HashMap<String, u64>,
}

impl FirstSchemas {
    /// The tools, of which none says anything of its results that it has not always said: names and options that came later
    /// may have come with words of strangers.
    pub(super) fn hold(&mut self, tools: Vec<Announced>) -> Vec<Announced> {
        let tools = tools.into_iter();
        tools.map(|tool| self.hold_one(tool)).collect()
    }

    fn hold_one(&mut self, tool: Announced) -> Announced {
        let now = self.keys.hash_one(tool.output_schema.to_string());
        let has_room = self.seen.len() < MOST_SCHEMAS;
        let first = match self.seen.get(&tool.name) {
            Some(first) => Some(*first),
            None if has_room => self.seen.insert(tool.name.clone(), now).or(Some(now)),
            None => None,
        };
        if first == Some(now) {
            return tool;
        }
        Announced {
            output_schema: json!({"type": "object"}),
            ..tool
        }
    }
}

/// The box that a discovery answer announces, if it is one.
pub(super) fn announced_box(answer: &Message) -> Option<&str> {
    answer.data.get("tools")?.as_array()?;
    answer.data.get("toolbox_id")?.as_str()
}

/// What a discovery answer announces.
#[derive(Debug, Default)]
pub(super) struct Announcement {
    /// The tools that are taken.
    pub(super) tools: Vec<Announced>,
    /// The beginnings of the names of others, and why they are left out.
    left_out: Vec<(String, String)>,
}

impl Announcement {
    /// Writes into the log what is left out of a box. Once for each list of tools: a box is announced again and again.
    pub(super) fn tell(&self, toolbox_id: &str) {
        for (tool, why) in &self.left_out {
            tracing::warn!(toolbox = toolbox_id, tool, "tool left out: {why}");
        }
    }
}

/// The tools of a discovery answer. Those without a name are left out, and so is what is too large.
pub(super) fn announced_tools(answer: &Message) -> Announcement {
    let tools = answer.data.get("tools").and_then(Value::as_array);
    let mut room = LARGEST_BOX;
    let mut announced = Announcement::default();
    for tool in tools.into_iter().flatten() {
        let Some(name) = tool.get("name").and_then(Value::as_str) else {
            continue;
        };
        let bytes = size(tool);
        let why = if name.len() > LONGEST_NAME {
            format!("its name has more than {LONGEST_NAME} bytes")
        } else if announced.tools.len() >= MOST_TOOLS {
            format!("its box has more than {MOST_TOOLS} tools")
        } else if bytes > LARGEST_TOOL {
            format!("its description and schemas have {bytes} bytes, more than {LARGEST_TOOL}")
        } else if bytes > room {
            format!("its box has descriptions and schemas of more than {LARGEST_BOX} bytes")
        } else {
            room -= bytes;
            announced.tools.push(read(name, tool));
            continue;
        };
        announced
            .left_out
            .push((name.chars().take(LONGEST_NAME).collect(), why));
    }
    announced.left_out.truncate(MOST_TOOLS);
    announced
}

/// The text of what is kept of a tool.
fn size(tool: &Value) -> usize {
    let parts = ["description", "argument_schema", "output_schema", "undo"];
    let bytes = |key: &&str| tool.get(*key).map_or(0, |part| part.to_string().len());
    parts.iter().map(bytes).sum()
}

fn read(name: &str, tool: &Value) -> Announced {
    let schema = |key: &str| match tool.get(key) {
        Some(schema @ Value::Object(_)) => schema.clone(),
        _ => json!({"type": "object"}),
    };
    let description = tool.get("description").and_then(Value::as_str);
    Announced {
        name: name.to_owned(),
        description: beginning(description.unwrap_or_default()).to_owned(),
        argument_schema: schema("argument_schema"),
        output_schema: schema("output_schema"),
        claims: Claims::of(tool),
        names_its_box: tool.get("toolbox_id").is_some(),
    }
}

fn beginning(description: &str) -> &str {
    let end = (0..=LONGEST_DESCRIPTION)
        .rev()
        .find(|end| description.is_char_boundary(*end));
    let end = end.filter(|_| description.len() > LONGEST_DESCRIPTION);
    end.and_then(|end| description.get(..end)).unwrap_or(description)
}

impl Announced {
    /// The tool of a box that nothing is known of.
    pub(super) fn descriptor(&self, toolbox_id: &str) -> Tool {
        self.claims.cautious(Tool {
            argument_schema: self.argument_schema.clone(),
            output_schema: self.output_schema.clone(),
            ..Tool::foreign(toolbox_id, &self.name, &self.description)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(tools: &Value) -> Vec<Announced> {
        let answer = Message::new("x", json!({"toolbox_id": "box", "tools": tools}));
        assert_eq!(announced_box(&answer), Some("box"));
        announced_tools(&answer).tools
    }

    #[test]
    fn what_is_left_out_is_told_with_its_own_reason() {
        let huge = json!({"name": "huge", "output_schema": {"title": "x".repeat(70_000)}});
        let tools = json!([{"name": "x".repeat(200)}, huge]);
        let answer = Message::new("x", json!({"toolbox_id": "box", "tools": tools}));
        let left_out = announced_tools(&answer).left_out;
        assert_eq!(left_out[0].1, "its name has more than 128 bytes");
        assert!(
            left_out[1].1.starts_with("its description and schemas have 70"),
            "{left_out:?}"
        );
    }

    #[test]
    fn what_a_tool_says_of_its_results_counts_as_it_said_it_first() {
        let saying = |name: &str, key: &str| {
            taken(&json!([{"name": name, "output_schema": {"properties": {key: {}}}}])).remove(0)
        };
        let mut first = FirstSchemas::default();
        let schema = |tools: Vec<Announced>| tools.first().map(|tool| tool.output_schema.clone());
        let before = saying("look", "wind").output_schema;
        for tool in [saying("look", "wind"), saying("look", "wind")] {
            assert_eq!(schema(first.hold(vec![tool])), Some(before.clone()));
        }
        let changed = first.hold(vec![saying("look", "send_mail_now")]);
        assert_eq!(schema(changed), Some(json!({"type": "object"})));
        assert_eq!(schema(first.hold(vec![saying("look", "wind")])), Some(before));
        for n in 0..=MOST_SCHEMAS {
            first.hold(vec![saying(&format!("t{n}"), "wind")]);
        }
        let late = first.hold(vec![saying("one more", "wind")]);
        assert_eq!(schema(late), Some(json!({"type": "object"})));
    }

    #[test]
    fn a_box_is_taken_up_to_its_bounds() {
        let many: Vec<Value> = (0..100).map(|n| json!({"name": format!("t{n}")})).collect();
        assert_eq!(taken(&json!(many)).len(), MOST_TOOLS);
        let large =
            |n: usize| json!({"name": format!("t{n}"), "argument_schema": {"title": "x".repeat(60_000)}});
        let large: Vec<Value> = (0..10).map(large).collect();
        assert_eq!(taken(&json!(large)).len(), LARGEST_BOX / 60_000);
        let huge = json!({"name": "huge", "output_schema": {"title": "x".repeat(70_000)}});
        let long = json!({"name": "x".repeat(129)});
        let longer_than_servers_take = json!({"name": "x".repeat(65)});
        let told = json!({"name": "told", "description": "ß".repeat(5_000)});
        let kept = taken(&json!([huge, long, {"description": "nameless"}, 7, told]));
        assert_eq!(kept.len(), 1);
        assert_eq!(taken(&json!([longer_than_servers_take])).len(), 1);
        assert_eq!(kept[0].description.len(), LONGEST_DESCRIPTION);
    }
}
