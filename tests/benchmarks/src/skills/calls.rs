//! Calls of all tools by a stock Python client over the bus, with good arguments and with bad ones. A good call gives what
//! the published schema promises; a bad one is answered with an error that says what is wrong, and nothing breaks.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jsonschema::Validator;
use loquat_tests::peers::Peers;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::entry::{Entry, GoodCall};
use crate::turn::median;

/// The topic of the specification.
const CALL: &str = "ovos.persona.tools.call";

/// So many letters are in no argument that a person means.
const ABSURD: usize = 100_000;

/// A longer error is none that a model or a person reads.
const LONGEST_ERROR: usize = 2000;

/// Longer than any tool waits for a server that is there.
const SLOWEST: Duration = Duration::from_secs(5);

/// As long as all calls may take on a busy machine.
const ALL_CALLS: Duration = Duration::from_secs(300);

/// What is wrong with the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing.
    Good,
    /// A required one is not there.
    Missing,
    /// One is of another type.
    WrongType,
    /// One is far away from any sense: huge, empty, of control characters.
    Range,
    /// One more than there are.
    Extra,
    /// One of a hundred thousand letters.
    Long,
    /// They are no object.
    NoObject,
    /// Nothing, but programs may not call the tool, or not so.
    Refused,
}

impl Kind {
    const ALL: [Self; 8] = [
        Self::Good,
        Self::Missing,
        Self::WrongType,
        Self::Range,
        Self::Extra,
        Self::Long,
        Self::NoObject,
        Self::Refused,
    ];

    /// What the table calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Missing => "missing",
            Self::WrongType => "wrong type",
            Self::Range => "range",
            Self::Extra => "extra",
            Self::Long => "long",
            Self::NoObject => "no object",
            Self::Refused => "refused",
        }
    }

    /// Whether only an error will do.
    fn must_fail(self) -> bool {
        matches!(
            self,
            Self::Missing | Self::WrongType | Self::NoObject | Self::Refused
        )
    }
}

/// A call, and what has to come of it.
#[derive(Debug, Clone)]
struct Trial {
    kind: Kind,
    toolbox: String,
    tool: String,
    arguments: Value,
    /// What the result, or the error, has to hold.
    holds: String,
}

/// What the client has heard.
#[derive(Debug, Clone, Deserialize)]
struct Heard {
    data: Option<Value>,
    seconds: f64,
}

/// As the client is told.
#[derive(Debug, Serialize)]
struct Told<'a> {
    topic: &'a str,
    data: Value,
}

/// The calls of one toolbox.
#[derive(Debug, Clone, Default)]
pub struct Row {
    ends: Vec<(Kind, bool)>,
    took: Vec<Duration>,
}

/// What came of all calls.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    rows: Vec<(String, Row)>,
    /// What was wrong.
    pub faults: Vec<String>,
}

impl Row {
    /// How many of a kind ended as they have to, and how many there were.
    pub fn count(&self, kind: Kind) -> (usize, usize) {
        let all = self.ends.iter().filter(|(own, _)| *own == kind);
        (all.clone().filter(|(_, right)| *right).count(), all.count())
    }

    /// The median of the times.
    pub fn median(&self) -> Duration {
        median(self.took.clone())
    }
}

impl Tally {
    /// All kinds of calls.
    pub fn kinds(&self) -> [Kind; Kind::ALL.len()] {
        Kind::ALL
    }

    /// By toolbox.
    pub fn rows(&self) -> &[(String, Row)] {
        &self.rows
    }

    /// How many calls there were.
    pub fn count(&self) -> usize {
        self.rows.iter().map(|(_, row)| row.ends.len()).sum()
    }

    fn row(&mut self, toolbox: &str) -> &mut Row {
        let found = self.rows.iter().position(|(own, _)| own == toolbox);
        let place = found.unwrap_or_else(|| {
            self.rows.push((toolbox.to_owned(), Row::default()));
            self.rows.len() - 1
        });
        &mut self.rows[place].1
    }
}

/// Makes all calls: the good ones before and after the bad ones.
///
/// # Errors
/// Where a tool has no good call in its skill's file, or the client fails.
pub async fn call_all(peers: &Peers, entries: &[Entry]) -> Result<Tally> {
    let tools = discovered(peers).await;
    let mut tally = Tally::default();
    let mut trials = Vec::new();
    for entry in entries {
        let own = tools
            .iter()
            .filter(|tool| tool["toolbox_id"] == json!(entry.toolbox));
        let own: Vec<&Value> = own.collect();
        trials.extend(trials_of(entry, &own)?);
    }
    let again: Vec<Trial> = trials
        .iter()
        .filter(|trial| trial.kind == Kind::Good)
        .cloned()
        .collect();
    trials.extend(again);
    let heard = heard(peers, &trials).await?;
    for (trial, heard) in trials.iter().zip(&heard) {
        let took = Duration::from_secs_f64(heard.seconds);
        let schema = tools
            .iter()
            .find(|tool| tool["toolbox_id"] == json!(trial.toolbox) && tool["name"] == json!(trial.tool))
            .map(|tool| &tool["output_schema"]);
        let fault = trial.fault(heard, schema);
        let row = tally.row(&trial.toolbox);
        row.ends.push((trial.kind, fault.is_none()));
        row.took.push(took);
        if let Some(fault) = fault {
            let arguments: String = trial.arguments.to_string().chars().take(120).collect();
            tally.faults.push(format!(
                "{}/{} {} {arguments}: {fault}",
                trial.toolbox,
                trial.tool,
                trial.kind.name()
            ));
        }
    }
    Ok(tally)
}

/// The tools that are offered, as the specification describes them.
async fn discovered(peers: &Peers) -> Vec<Value> {
    let answers = peers
        .stock_client(&["collect", "ovos.persona.tools.discover"])
        .await;
    let boxes = answers.as_array().into_iter().flatten();
    boxes
        .flat_map(|toolbox| toolbox["tools"].as_array().cloned().unwrap_or_default())
        .collect()
}

async fn heard(peers: &Peers, trials: &[Trial]) -> Result<Vec<Heard>> {
    let told = trials.iter().map(|trial| Told {
        topic: CALL,
        data: json!({"toolbox_id": trial.toolbox, "name": trial.tool, "kwargs": trial.arguments}),
    });
    let told = serde_json::to_string(&told.collect::<Vec<_>>())?;
    let file = peers.home().write("calls.json", &told);
    let heard = peers
        .stock_client_within(ALL_CALLS, &["batch", &file.display().to_string()])
        .await;
    let heard: Vec<Heard> = serde_json::from_value(heard).context("the stock client prints a list")?;
    ensure!(heard.len() == trials.len(), "the stock client made not all calls");
    Ok(heard)
}

fn trials_of(entry: &Entry, tools: &[&Value]) -> Result<Vec<Trial>> {
    let toolbox = &entry.toolbox;
    let mut trials = Vec::new();
    for tool in tools {
        let name = tool["name"].as_str().unwrap_or_default();
        ensure!(
            entry
                .calls
                .iter()
                .chain(&entry.refused)
                .any(|call| call.0 == name),
            "skills/{}.toml has no good call of {name}",
            entry.name
        );
    }
    let of_kind = |kind| move |call| (kind, call);
    let good = entry.calls.iter().map(of_kind(Kind::Good));
    let mut spoilt = Vec::new();
    for (kind, GoodCall(name, arguments, holds)) in
        good.chain(entry.refused.iter().map(of_kind(Kind::Refused)))
    {
        trials.push(Trial {
            kind,
            toolbox: toolbox.clone(),
            tool: name.clone(),
            arguments: Value::Object(arguments.clone()),
            holds: holds.clone(),
        });
        let tool = tools.iter().find(|tool| tool["name"] == json!(name));
        if let Some(tool) = tool.filter(|_| !spoilt.contains(&name)) {
            spoilt.push(name);
            trials.extend(bad(toolbox, name, arguments, &tool["argument_schema"]));
        }
    }
    Ok(trials)
}

/// Good arguments, spoilt in every way that the schema has.
fn bad(toolbox: &str, tool: &str, good: &Map<String, Value>, schema: &Value) -> Vec<Trial> {
    let trial = |kind: Kind, arguments: Value, holds: &str| Trial {
        kind,
        toolbox: toolbox.to_owned(),
        tool: tool.to_owned(),
        arguments,
        holds: holds.to_owned(),
    };
    let with = |name: &str, value: Value| {
        let mut arguments = good.clone();
        arguments.insert(name.to_owned(), value);
        Value::Object(arguments)
    };
    let mut trials = vec![
        trial(Kind::Extra, with("frobnicate", json!({"deep": [7]})), ""),
        trial(Kind::NoObject, json!("all of them"), "object"),
        trial(Kind::NoObject, json!([1, 2]), "object"),
    ];
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str().unwrap_or_default();
        let mut arguments = good.clone();
        arguments.remove(name);
        trials.push(trial(Kind::Missing, Value::Object(arguments), name));
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        for value in of_another_type(property) {
            trials.push(trial(Kind::WrongType, with(name, value), name));
        }
        for value in out_of_range(property) {
            trials.push(trial(Kind::Range, with(name, value), ""));
        }
        if property["type"] == "string" {
            for letters in ["x", "1", " ../"] {
                let long = letters.repeat(ABSURD / letters.len());
                trials.push(trial(Kind::Long, with(name, json!(long)), ""));
            }
        }
    }
    trials
}

fn of_another_type(property: &Value) -> Vec<Value> {
    match property["type"].as_str() {
        Some("string") => vec![json!({"no": {"text": true}}), json!([[], {}])],
        Some("number" | "integer" | "boolean") => vec![json!("a great many"), json!({"no": "number"})],
        // One text is taken for a list of one.
        Some("array") if property["items"]["type"] == "string" => vec![json!({"no": "list"})],
        Some("array") => vec![json!({"no": "list"}), json!("a great many")],
        _ => Vec::new(),
    }
}

fn out_of_range(property: &Value) -> Vec<Value> {
    match property["type"].as_str() {
        Some("string") => vec![json!(""), json!(" \u{0}\u{7}\u{202e}\n"), json!("😀😀😀")],
        Some("number") => vec![json!(1e300), json!(-1e300), json!(0)],
        Some("integer") => vec![json!(-1), json!(1_000_000_000_000_i64), json!(0)],
        Some("array") => vec![json!([]), json!(vec![7; 20_000])],
        _ => Vec::new(),
    }
}

impl Trial {
    /// What is wrong with its end, if anything is.
    fn fault(&self, heard: &Heard, schema: Option<&Value>) -> Option<String> {
        let Some(data) = &heard.data else {
            return Some("no answer".to_owned());
        };
        if heard.seconds > SLOWEST.as_secs_f64() {
            return Some(format!("it took {:.1} s", heard.seconds));
        }
        match (data.get("result"), data.get("error").and_then(Value::as_str)) {
            (Some(_), Some(_)) | (None, None) => Some(format!("neither a result nor an error: {data}")),
            (Some(result), None) => self.fault_of_result(result, schema),
            (None, Some(error)) => self.fault_of_error(error),
        }
    }

    fn fault_of_result(&self, result: &Value, schema: Option<&Value>) -> Option<String> {
        let shown: String = result.to_string().chars().take(200).collect();
        if self.kind.must_fail() {
            return Some(format!("it came to {shown}"));
        }
        let validator = schema.and_then(|schema| Validator::new(schema).ok());
        if !validator.is_some_and(|validator| validator.is_valid(result)) {
            return Some(format!("not what its schema promises: {shown}"));
        }
        (!shown.contains(&self.holds)).then(|| format!("{:?} is not in {shown}", self.holds))
    }

    fn fault_of_error(&self, error: &str) -> Option<String> {
        let shown: String = error.chars().take(300).collect();
        let is_broken = ["InternalError", "broke its own", "TimeoutError", "RuntimeError"]
            .iter()
            .any(|class| error.contains(class));
        let is_right = !is_broken
            && self.kind != Kind::Good
            && error.len() <= LONGEST_ERROR
            && error.contains(&self.holds);
        (!is_right).then_some(shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(kind: Kind, holds: &str) -> Trial {
        Trial {
            kind,
            toolbox: "box".to_owned(),
            tool: "tool".to_owned(),
            arguments: json!({}),
            holds: holds.to_owned(),
        }
    }

    #[test]
    fn each_kind_has_ends_that_are_wrong() {
        let schema = json!({"type": "object", "required": ["text"]});
        let end = |data: Value, seconds: f64| Heard {
            data: Some(data),
            seconds,
        };
        let result = || end(json!({"result": {"text": "forty-two"}}), 0.1);
        let error = |text: &str| end(json!({"error": text}), 0.1);
        let is_right =
            |kind, holds: &str, heard: &Heard| trial(kind, holds).fault(heard, Some(&schema)).is_none();
        assert!(is_right(Kind::Good, "forty", &result()));
        assert!(!is_right(Kind::Good, "fifty", &result()));
        assert!(!is_right(Kind::Good, "", &end(json!({"result": {}}), 0.1)));
        assert!(!is_right(Kind::Good, "", &error("ValueError: no")));
        assert!(is_right(
            Kind::Missing,
            "name",
            &error("ValueError: name: is missing")
        ));
        assert!(!is_right(Kind::Missing, "name", &error("ValueError: something")));
        assert!(!is_right(Kind::Missing, "name", &result()));
        assert!(
            is_right(Kind::Long, "", &error("ValueError: too long")) && is_right(Kind::Long, "", &result())
        );
        assert!(!is_right(Kind::Long, "", &error("InternalError: 'tool' crashed")));
        assert!(!is_right(Kind::Long, "", &error(&"x".repeat(5000))));
        assert!(!is_right(
            Kind::Extra,
            "",
            &end(json!({"result": {"text": ""}}), 9.0)
        ));
        let silence = Heard {
            data: None,
            seconds: 20.0,
        };
        assert!(!is_right(Kind::Refused, "", &silence));
    }

    #[test]
    fn good_arguments_are_spoilt_in_every_way() {
        let schema = json!({"properties": {"text": {"type": "string"}, "count": {"type": "integer"}},
                            "required": ["text"]});
        let good = json!({"text": "x"});
        let trials = bad("box", "tool", good.as_object().expect("an object"), &schema);
        for kind in Kind::ALL {
            let made = trials.iter().any(|trial| trial.kind == kind);
            assert_eq!(made, !matches!(kind, Kind::Good | Kind::Refused), "{kind:?}");
        }
    }
}
