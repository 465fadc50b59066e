//! How far a persona trusts tools: those of other programs on the bus, which say nothing about themselves, and single ones.
//! Chooses none.

use std::collections::BTreeMap;
use std::time::Duration;

use loquat_agent::toolbox::Undo;
use loquat_agent::toolbox::{CacheScope, Category, Confirm, Tool};
use loquat_settings::wording::shown;
use serde_json::{Map, Value};

use super::fields::{self, Report, Shape, Spec, Stake};

pub(super) const TRUST_KEYS: &[Spec<'static>] = &[
    ("trust", Shape::Text),
    ("confirm", Shape::OneOf(&["never", "ask", "pin"])),
    ("read_only", Shape::Switch),
    ("timeout_seconds", Shape::Number(0.1, 3600.0)),
    ("retries", Shape::Whole(0, 10)),
    ("cache_seconds", Shape::Number(0.0, 86_400.0)),
    ("cache_scope", Shape::OneOf(&["turn", "session", "device"])),
    ("may_end_turn", Shape::Switch),
    ("progress_phrase", Shape::Text),
    ("unasked_when_tainted", Shape::Texts),
    ("tools", Shape::Object),
];

/// The keys that may be set for a single tool of a trusted toolbox.
pub(super) const TOOL_KEYS: &[Spec<'static>] = &[
    ("confirm", Shape::OneOf(&["never", "ask", "pin"])),
    ("timeout_seconds", Shape::Number(0.1, 86_400.0)),
    ("streams", Shape::Switch),
    ("async", Shape::Switch),
    ("may_end_turn", Shape::Switch),
    ("undo", Shape::Any),
    ("progress_phrase", Shape::Text),
];

/// The keys that may be set for a toolbox of this program, beside its own settings. They only add caution.
pub(super) const CAUTION_KEYS: &[Spec<'static>] = &[
    ("confirm", Shape::OneOf(&["ask", "pin"])),
    ("tools", Shape::Object),
];

/// A call that changes nothing is made again this often when it fails.
const USUAL_RETRIES: u32 = 2;

/// Says how far a persona trusts a single tool. What is absent is as for its toolbox.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolTrust {
    /// Says whether the person is asked first.
    pub confirm: Option<Confirm>,
    /// A call may take this long.
    pub timeout: Option<Duration>,
    /// It tells pieces while it works.
    pub streams: bool,
    /// It goes on after the turn.
    pub goes_on: bool,
    /// An answer that it gives ends the turn.
    pub may_end_turn: bool,
    /// The tool that takes a call back, and its arguments.
    pub undo: Option<Undo>,
    /// The words that a screen shows when a call takes long.
    pub progress_phrase: Option<String>,
}

/// Says how far a persona trusts the tools of another program, which say nothing about themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trust {
    /// The harm its tools may do: unless the file says `"trust": "safe"` or `"terminal"` they are dangerous.
    pub category: Category,
    /// Says whether the person is asked first, where the file says it.
    pub confirm: Option<Confirm>,
    /// The tools change nothing, so that several may run at once, and again.
    pub read_only: bool,
    /// A call may take this long; absent is the device's limit.
    pub timeout: Option<Duration>,
    /// A failed call is made again this often, if the tools change nothing.
    pub retries: u32,
    /// A result may be used again for this long, if the tools change nothing; zero is never.
    pub cache: Duration,
    /// Says whether a result may be used again in other sessions.
    pub cache_scope: CacheScope,
    /// An answer that a tool gives ends the turn.
    pub may_end_turn: bool,
    /// The words that a screen shows when a call takes long.
    pub progress_phrase: Option<String>,
    /// The tools that run unasked even where the turn has read what strangers wrote.
    pub unasked_when_tainted: Vec<String>,
    /// The settings of single tools, by name.
    pub tools: BTreeMap<String, ToolTrust>,
}

impl Default for Trust {
    fn default() -> Self {
        Self {
            category: Category::Dangerous,
            confirm: None,
            read_only: false,
            timeout: None,
            retries: USUAL_RETRIES,
            cache: Duration::ZERO,
            cache_scope: CacheScope::default(),
            may_end_turn: false,
            progress_phrase: None,
            unasked_when_tainted: Vec::new(),
            tools: BTreeMap::new(),
        }
    }
}

impl Trust {
    /// Gives the trust in a single tool: its own settings go before those of the toolbox.
    #[must_use]
    pub fn of_tool(&self, own: &ToolTrust) -> Self {
        Self {
            confirm: own.confirm.or(self.confirm),
            timeout: own.timeout.or(self.timeout),
            progress_phrase: own
                .progress_phrase
                .clone()
                .or_else(|| self.progress_phrase.clone()),
            ..self.clone()
        }
    }

    /// A stranger's tool as it may be used; `timeout` is the device's limit.
    pub fn applied_to(&self, tool: Tool, timeout: Duration) -> Tool {
        let timeout = self.timeout.unwrap_or(timeout);
        let unasked_when_tainted = self.unasked_when_tainted.contains(&tool.name);
        if self.category == Category::Dangerous {
            return Tool {
                timeout,
                confirm: self.confirm.unwrap_or(tool.confirm),
                progress_phrase: self.progress_phrase.clone(),
                ..tool
            };
        }
        let Tool {
            toolbox_id,
            name,
            description,
            argument_schema,
            output_schema,
            is_strangers,
            ..
        } = tool;
        Tool {
            argument_schema,
            output_schema,
            timeout,
            category: self.category,
            confirm: self.confirm.unwrap_or(Confirm::Never),
            read_only: self.read_only,
            idempotent: self.read_only,
            retry: self.retries,
            cacheable: self.cache,
            cache_scope: self.cache_scope,
            may_end_turn: self.may_end_turn,
            progress_phrase: self.progress_phrase.clone(),
            brings_foreign_text: true,
            is_strangers,
            unasked_when_tainted,
            ..Tool::safe(toolbox_id, name, description)
        }
    }
}

/// Reads the settings of single tools. `category` is that of the toolbox, where it is one of another program.
pub(super) fn tools(
    said: Option<&Value>,
    path: &str,
    keys: &[Spec<'static>],
    category: Option<Category>,
    report: &mut Report,
) -> BTreeMap<String, ToolTrust> {
    let mut tools = BTreeMap::new();
    for (name, said) in said.and_then(Value::as_object).into_iter().flatten() {
        let path = format!("{path}.tools.{name}");
        let Some(said) = said.as_object() else {
            report.refuse(format!("{path} must be an object, not {}", shown(said)));
            continue;
        };
        let said = fields::block(said, &path, keys, Stake::Rights, report);
        let is_trusted = category != Some(Category::Dangerous);
        let switch = |key: &str| said.get(key) == Some(&Value::Bool(true));
        for key in ["streams", "async", "may_end_turn", "undo"] {
            if said.contains_key(key) && !is_trusted {
                report.refuse(format!(
                    "{path}.{key} needs a toolbox that is trusted; if it can do no harm, add \"trust\": \"safe\" to it"
                ));
            }
        }
        if switch("async") && category == Some(Category::Terminal) {
            report.refuse(format!(
                "{path}.async cannot be, since the tools of this toolbox end the turn; write \"trust\": \"safe\""
            ));
        }
        let trust = ToolTrust {
            confirm: match category {
                Some(category) => confirm(said.get("confirm"), category, &path, report),
                None => confirmation(said.get("confirm")),
            },
            timeout: seconds(&said, "timeout_seconds"),
            streams: switch("streams"),
            goes_on: switch("async"),
            may_end_turn: switch("may_end_turn"),
            undo: undo(said.get("undo"), &path, report),
            progress_phrase: text(&said, "progress_phrase"),
        };
        tools.insert(name.clone(), trust);
    }
    tools
}

fn undo(said: Option<&Value>, path: &str, report: &mut Report) -> Option<Undo> {
    let said = said?;
    let undo: Option<Undo> = serde_json::from_value(said.clone()).ok();
    if undo.is_none() {
        report.refuse(format!(
            "{path}.undo must be the name of a tool, or {{\"tool\": \"name\", \"arguments\": {{\"argument\": \"result.member\"}}}}, \
             not {}",
            shown(said)
        ));
    }
    undo
}

pub(super) fn confirmation(said: Option<&Value>) -> Option<Confirm> {
    match said?.as_str()? {
        "pin" => Some(Confirm::Pin),
        "ask" => Some(Confirm::Ask),
        _ => Some(Confirm::Never),
    }
}

fn seconds(settings: &Map<String, Value>, key: &str) -> Option<Duration> {
    let seconds = settings.get(key).and_then(Value::as_f64);
    seconds.map(Duration::from_secs_f64)
}

fn text(settings: &Map<String, Value>, key: &str) -> Option<String> {
    settings.get(key).and_then(Value::as_str).map(str::to_owned)
}

pub(super) fn trust(settings: &Map<String, Value>, path: &str, report: &mut Report) -> Trust {
    let settings = fields::restricting(settings, path, CAUTION_KEYS, report);
    let settings = fields::block(&settings, path, TRUST_KEYS, Stake::Settings, report);
    let switch = |key: &str| settings.get(key) == Some(&Value::Bool(true));
    let seconds = |key: &str| seconds(&settings, key);
    let retries = settings.get("retries").and_then(Value::as_u64);
    let usual = Trust::default();
    let category = category(settings.get("trust"), path, report);
    Trust {
        confirm: confirm(settings.get("confirm"), category, path, report),
        category,
        read_only: switch("read_only"),
        timeout: seconds("timeout_seconds"),
        retries: retries
            .and_then(|retries| retries.try_into().ok())
            .unwrap_or(usual.retries),
        cache: seconds("cache_seconds").unwrap_or(usual.cache),
        cache_scope: match settings.get("cache_scope").and_then(Value::as_str) {
            Some("turn") => CacheScope::Turn,
            Some("device") => CacheScope::Device,
            _ => usual.cache_scope,
        },
        may_end_turn: switch("may_end_turn"),
        progress_phrase: text(&settings, "progress_phrase"),
        unasked_when_tainted: texts(settings.get("unasked_when_tainted")),
        tools: tools(settings.get("tools"), path, TOOL_KEYS, Some(category), report),
    }
}

fn texts(list: Option<&Value>) -> Vec<String> {
    let texts = list.and_then(Value::as_array).into_iter().flatten();
    texts.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn confirm(confirm: Option<&Value>, category: Category, path: &str, report: &mut Report) -> Option<Confirm> {
    match confirm?.as_str()? {
        "never" if category == Category::Dangerous => {
            report.refuse(format!(
                "{path}.confirm must not be \"never\" for dangerous tools; if they can do no harm, add \"trust\": \"safe\""
            ));
            None
        }
        _ => confirmation(confirm),
    }
}

fn category(trust: Option<&Value>, path: &str, report: &mut Report) -> Category {
    match trust.and_then(Value::as_str) {
        Some("safe") => Category::Safe,
        Some("terminal") => Category::Terminal,
        None | Some("dangerous") => Category::Dangerous,
        Some(other) => {
            report.warn(format!(
                "{path}.trust must be \"safe\", \"terminal\" or \"dangerous\", not \"{}\"; it counts as dangerous",
                shown(&other)
            ));
            Category::Dangerous
        }
    }
}
