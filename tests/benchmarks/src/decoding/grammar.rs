//! The grammars in which models write calls.

use serde_json::{Value, json};

use super::Wanted;
use super::damage::{Damage, Fence, Label};
use super::spelling::Spelling;

/// What a model sends.
#[derive(Debug, Clone)]
pub enum Sent {
    /// Text.
    Text(String),
    /// Calls in the server's own form: name and arguments.
    Native(Vec<(String, String)>),
}

/// A grammar.
#[derive(Debug, Clone, Copy)]
pub struct Grammar {
    /// What it is called in the table.
    pub name: &'static str,
    /// Has labels such as `Action:`.
    labelled: bool,
    /// Several calls in one reply; otherwise each call is a reply of its own.
    several: bool,
    /// Writes all arguments as text, whatever their types, and holds no JSON that could be damaged.
    pub untyped: bool,
    write: fn(&[Wanted], &Damage) -> Sent,
}

/// All of them.
pub const ALL: [Grammar; 19] = [
    grammar("native", false, true, native),
    grammar("ReAct", true, false, react),
    grammar("action", true, false, action),
    grammar("Hermes", false, true, hermes),
    grammar("Mistral", false, true, mistral),
    grammar("Mistral11", false, true, mistral_with_arguments),
    grammar("Llama", false, true, llama),
    grammar("Llama 4", false, true, llama_4),
    grammar("pythonic", false, true, pythonic),
    grammar("bare", false, false, bare),
    grammar("bare list", false, true, bare_list),
    grammar("function", false, true, function),
    grammar("DeepSeek", false, true, deepseek),
    grammar("Kimi", false, true, kimi),
    grammar("gpt-oss", false, true, gpt_oss),
    grammar("LFM2", false, true, lfm2),
    grammar("Gemma", false, true, gemma),
    grammar("Gemma 4", false, true, gemma_4),
    Grammar {
        untyped: true,
        ..grammar("GLM", false, true, glm)
    },
];

const fn grammar(
    name: &'static str,
    labelled: bool,
    several: bool,
    write: fn(&[Wanted], &Damage) -> Sent,
) -> Grammar {
    Grammar {
        name,
        labelled,
        several,
        untyped: false,
        write,
    }
}

impl Grammar {
    /// The replies that hold these calls with this damage, each with the calls that are to be recovered from it;
    /// nothing where the damage cannot happen to the grammar.
    pub fn render(&self, calls: &[Wanted], damage: &Damage) -> Option<Vec<(Sent, Vec<Wanted>)>> {
        let native = self.name == "native";
        let text_only = damage.fence == Fence::Around
            || !damage.before.is_empty()
            || !damage.behind.is_empty()
            || !damage.after.is_empty();
        let in_json = damage.spelling != Spelling::default()
            || damage.missing > 0
            || damage.fence == Fence::Inside
            || !damage.behind.is_empty();
        if damage.label != Label::Plain && !self.labelled || native && text_only || self.untyped && in_json {
            return None;
        }
        let groups: Vec<&[Wanted]> = if self.several {
            vec![calls]
        } else {
            calls.chunks(1).collect()
        };
        let render = |group: &[Wanted]| (framed((self.write)(group, damage), damage), group.to_vec());
        Some(groups.into_iter().map(render).collect())
    }
}

/// The text with what stands around it.
fn framed(sent: Sent, damage: &Damage) -> Sent {
    let Sent::Text(text) = sent else {
        return sent;
    };
    let text = match damage.fence {
        Fence::Around => format!("```\n{text}\n```"),
        _ => text,
    };
    Sent::Text(format!("{}{text}{}", damage.before, damage.after))
}

/// JSON in the damaged spelling, cut at its end and fenced.
fn json_of(value: &Value, damage: &Damage) -> String {
    payload(damage.spelling.write(value), damage)
}

fn payload(text: String, damage: &Damage) -> String {
    let mut text = text;
    for _ in 0..damage.missing {
        // Brackets with nothing in them hold nothing that could be recovered without them.
        let empty = ["{}", "[]", "()"].iter().any(|pair| text.ends_with(pair));
        if text.ends_with(['}', ']', ')']) && !empty {
            text.pop();
            let length = text.trim_end().len();
            text.truncate(length);
        }
    }
    match damage.fence {
        Fence::Inside => format!("\n```json\n{text}\n```{}", damage.behind),
        _ => format!("{text}{}", damage.behind),
    }
}

/// The last of several gets the damage at its end, the others only the spelling.
fn each(calls: &[Wanted], damage: &Damage, write: impl Fn(&Wanted, &Damage) -> String) -> Vec<String> {
    let whole = Damage {
        missing: 0,
        behind: "",
        ..*damage
    };
    let last = calls.len().saturating_sub(1);
    calls
        .iter()
        .enumerate()
        .map(|(index, call)| write(call, if index == last { damage } else { &whole }))
        .collect()
}

fn native(calls: &[Wanted], damage: &Damage) -> Sent {
    let one = |call: &Wanted| {
        let arguments = json_of(&Value::Object(call.arguments.clone()), damage);
        (call.tool.clone(), arguments)
    };
    Sent::Native(calls.iter().map(one).collect())
}

fn react(calls: &[Wanted], damage: &Damage) -> Sent {
    let one = |call: &Wanted, damage: &Damage| {
        let label = |name| damage.label.write(name);
        let arguments = json_of(&Value::Object(call.arguments.clone()), damage);
        format!(
            "{}I need a tool.\n{}{}\n{}{arguments}",
            label("Thought"),
            label("Action"),
            call.tool,
            label("Action Input")
        )
    };
    Sent::Text(each(calls, damage, one).join("\n"))
}

fn action(calls: &[Wanted], damage: &Damage) -> Sent {
    let one = |call: &Wanted, damage: &Damage| {
        let value = json!({"tool": call.tool, "inputs": call.arguments, "final_answer": false});
        // The inputs come last, so that what is cut off at the end is theirs.
        let value = if damage.missing > 0 {
            json!({"tool": call.tool, "inputs": call.arguments})
        } else {
            value
        };
        format!("{}{}", damage.label.write("Action"), json_of(&value, damage))
    };
    Sent::Text(each(calls, damage, one).join("\n"))
}

fn named(call: &Wanted, key: &str) -> Value {
    json!({"name": call.tool, key: call.arguments})
}

fn list(calls: &[Wanted]) -> Value {
    Value::Array(calls.iter().map(|call| named(call, "arguments")).collect())
}

fn hermes(calls: &[Wanted], damage: &Damage) -> Sent {
    let one = |call: &Wanted| {
        format!(
            "<tool_call>\n{}\n</tool_call>",
            json_of(&named(call, "arguments"), damage)
        )
    };
    Sent::Text(calls.iter().map(one).collect::<Vec<_>>().join("\n"))
}

fn mistral(calls: &[Wanted], damage: &Damage) -> Sent {
    Sent::Text(format!("[TOOL_CALLS] {}", json_of(&list(calls), damage)))
}

fn mistral_with_arguments(calls: &[Wanted], damage: &Damage) -> Sent {
    let one = |call: &Wanted| {
        let arguments = json_of(&Value::Object(call.arguments.clone()), damage);
        format!("[TOOL_CALLS]{}[ARGS]{arguments}", call.tool)
    };
    Sent::Text(calls.iter().map(one).collect())
}

fn llama(calls: &[Wanted], damage: &Damage) -> Sent {
    let one = |call: &Wanted, damage: &Damage| json_of(&named(call, "parameters"), damage);
    Sent::Text(format!("<|python_tag|>{}", each(calls, damage, one).join("; ")))
}

fn bare(calls: &[Wanted], damage: &Damage) -> Sent {
    let one = |call: &Wanted, damage: &Damage| json_of(&named(call, "arguments"), damage);
    Sent::Text(each(calls, damage, one).join("\n"))
}

fn bare_list(calls: &[Wanted], damage: &Damage) -> Sent {
    Sent::Text(json_of(&list(calls), damage))
}

fn function(calls: &[Wanted], damage: &Damage) -> Sent {
    let one = |call: &Wanted| {
        let arguments = json_of(&Value::Object(call.arguments.clone()), damage);
        format!("<function={}>{arguments}</function>", call.tool)
    };
    Sent::Text(calls.iter().map(one).collect::<Vec<_>>().join("\n"))
}

/// The arguments of each call between two marks, behind its name.
fn marked(calls: &[Wanted], damage: &Damage, opener: impl Fn(usize, &str) -> String, closer: &str) -> String {
    let one = |(index, call): (usize, &Wanted)| {
        let arguments = json_of(&Value::Object(call.arguments.clone()), damage);
        format!("{}{arguments}{closer}", opener(index, &call.tool))
    };
    calls.iter().enumerate().map(one).collect()
}

fn deepseek(calls: &[Wanted], damage: &Damage) -> Sent {
    let opener = |_, tool: &str| format!("<｜tool▁call▁begin｜>{tool}<｜tool▁sep｜>");
    let calls = marked(calls, damage, opener, "<｜tool▁call▁end｜>");
    Sent::Text(format!("<｜tool▁calls▁begin｜>{calls}<｜tool▁calls▁end｜>"))
}

fn kimi(calls: &[Wanted], damage: &Damage) -> Sent {
    let opener = |index: usize, tool: &str| {
        format!("<|tool_call_begin|>functions.{tool}:{index}<|tool_call_argument_begin|>")
    };
    let calls = marked(calls, damage, opener, "<|tool_call_end|>");
    Sent::Text(format!(
        "<|tool_calls_section_begin|>{calls}<|tool_calls_section_end|>"
    ))
}

fn gpt_oss(calls: &[Wanted], damage: &Damage) -> Sent {
    let opener = |_, tool: &str| {
        format!("<|start|>assistant<|channel|>commentary to=functions.{tool} <|constrain|>json<|message|>")
    };
    let calls = marked(calls, damage, opener, "<|call|>");
    Sent::Text(format!("<|channel|>analysis<|message|>Let me see.<|end|>{calls}"))
}

fn glm(calls: &[Wanted], _: &Damage) -> Sent {
    let written = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let argument = |(key, value): (&String, &Value)| {
        format!(
            "<arg_key>{key}</arg_key>\n<arg_value>{}</arg_value>\n",
            written(value)
        )
    };
    let one = |call: &Wanted| {
        let arguments: String = call.arguments.iter().map(argument).collect();
        format!("<tool_call>{}\n{arguments}</tool_call>", call.tool)
    };
    Sent::Text(calls.iter().map(one).collect::<Vec<_>>().join("\n"))
}

fn lfm2(calls: &[Wanted], damage: &Damage) -> Sent {
    let list = python_list(calls, damage);
    Sent::Text(format!("<|tool_call_start|>{list}<|tool_call_end|>"))
}

fn gemma(calls: &[Wanted], damage: &Damage) -> Sent {
    // Its own fence is there already.
    let damage = Damage {
        fence: match damage.fence {
            Fence::Inside => Fence::None,
            other => other,
        },
        ..*damage
    };
    let list = python_list(calls, &damage);
    Sent::Text(format!("```tool_code\n{list}\n```"))
}

/// Its own spelling of values, in which nothing is escaped.
fn gemma_4(calls: &[Wanted], damage: &Damage) -> Sent {
    let one = |call: &Wanted, damage: &Damage| {
        let arguments = gemma_value(&Value::Object(call.arguments.clone()));
        let arguments = payload(arguments, damage);
        format!("<|tool_call>call:{}{arguments}<tool_call|>", call.tool)
    };
    Sent::Text(each(calls, damage, one).concat())
}

fn gemma_value(value: &Value) -> String {
    match value {
        Value::String(text) => format!("<|\"|>{text}<|\"|>"),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(gemma_value).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| format!("{key}:{}", gemma_value(value));
            let members: Vec<String> = members.iter().map(member).collect();
            format!("{{{}}}", members.join(","))
        }
        other => other.to_string(),
    }
}

fn llama_4(calls: &[Wanted], damage: &Damage) -> Sent {
    let list = python_list(calls, damage);
    Sent::Text(format!("<|python_start|>{list}<|python_end|>"))
}

fn pythonic(calls: &[Wanted], damage: &Damage) -> Sent {
    Sent::Text(python_list(calls, damage))
}

/// `[tool(key=value), …]` in the spelling, always with Python's literals.
fn python_list(calls: &[Wanted], damage: &Damage) -> String {
    let mut spelling = damage.spelling;
    spelling.python = true;
    let one = |call: &Wanted| {
        let arguments = call
            .arguments
            .iter()
            .map(|(key, value)| format!("{key}={}", spelling.write(value)));
        let comma = if spelling.trailing_commas && !call.arguments.is_empty() {
            ","
        } else {
            ""
        };
        format!(
            "{}({}{comma})",
            call.tool,
            arguments.collect::<Vec<_>>().join(", ")
        )
    };
    let calls = calls.iter().map(one).collect::<Vec<_>>().join(", ");
    payload(format!("[{calls}]"), damage)
}
