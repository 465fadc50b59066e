//! `ovos-skill-md-toolbox`: each `SKILL.md` of the device as a tool, whose instructions the brain follows when it is called.
//!
//! Front matter is read at the start, instructions and the files beside them when they are needed, and only beneath the
//! skill's folder. What stands in the owner's folders is trusted; all other skills count as words of strangers.

use std::path::PathBuf;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, Instructions, Outcome, Tool, ToolError, Toolbox};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use loquat_kit::Skill;
use loquat_kit::settings::{ToolboxSettingsError, read};

mod document;
mod found;
mod front_matter;
mod shelf;
#[cfg(test)]
mod tests;

use found::FoundSkill;
use shelf::Shelf;
pub use shelf::{SkillFolder, SkillMistake};

/// The toolbox's id.
pub const ID: &str = "ovos-skill-md-toolbox";

/// The member of a result that holds the answer.
const RESULT: &str = "result";

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: "skill_md",
    // People ask for a skill in their own words, which the brain understands; none of ours could foresee them.
    settings: &["extra_skill_md_paths"],
    ..Skill::PLAIN
};

/// The toolbox, with its part of a persona's settings and the folders of the device's skills.
pub fn toolbox(
    settings: &Map<String, Value>,
    folders: &[SkillFolder],
) -> Result<SkillToolbox, ToolboxSettingsError> {
    Ok(SkillToolbox::new(shelf(settings, folders)?.skills))
}

/// A persona's settings.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SkillSettings {
    extra_skill_md_paths: Vec<String>,
}

/// The skills that are left out, with the reasons.
pub fn mistakes(settings: &Map<String, Value>, folders: &[SkillFolder]) -> Vec<SkillMistake> {
    shelf(settings, folders).map_or_else(|_| Vec::new(), |shelf| shelf.mistakes)
}

fn shelf(settings: &Map<String, Value>, folders: &[SkillFolder]) -> Result<Shelf, ToolboxSettingsError> {
    let SkillSettings { extra_skill_md_paths } = read(ID, settings)?;
    let further = extra_skill_md_paths.iter().map(|path| whole(path));
    let further = further.collect::<Result<Vec<_>, _>>()?;
    Ok(Shelf::read(folders, &further))
}

/// A path of the settings, from the root on.
fn whole(written: &str) -> Result<PathBuf, ToolboxSettingsError> {
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    let path = match (written.strip_prefix("~/"), home) {
        (Some(beneath), Some(home)) => home.join(beneath),
        _ => PathBuf::from(written),
    };
    Some(path).filter(|path| path.is_absolute()).ok_or_else(|| {
        let complaint = format!(
            "extra_skill_md_paths: {written:?} is no whole path; write one such as /srv/skills or ~/skills/pasta/SKILL.md"
        );
        ToolboxSettingsError::value(ID, complaint)
    })
}

/// The skills as tools.
#[derive(Debug)]
pub struct SkillToolbox {
    tools: Arc<[Tool]>,
    skills: Arc<[FoundSkill]>,
}

#[derive(Debug, Deserialize)]
struct Task {
    task: String,
    #[serde(default)]
    context: Option<String>,
}

#[derive(Debug, Deserialize)]
struct WhichFile {
    path: String,
}

impl SkillToolbox {
    fn new(skills: Vec<FoundSkill>) -> Self {
        let tools = skills.iter().flat_map(|skill| {
            let reader = (!skill.files.is_empty()).then(|| reader(skill));
            [Some(tool(skill)), reader].into_iter().flatten()
        });
        Self {
            tools: tools.collect(),
            skills: skills.into(),
        }
    }
}

/// The tool that brings a skill's instructions.
fn tool(skill: &FoundSkill) -> Tool {
    Tool {
        argument_schema: json!({
            "type": "object",
            "properties": {
                "task": {"type": "string", "description": "What is to be done."},
                "context": {"type": ["string", "null"], "description": "What has to be known for it."},
            },
            "required": ["task"],
        }),
        output_schema: json!({
            "type": "object",
            "properties": {RESULT: {"type": "string"}, "skill_used": {"type": "string"}},
            "required": [RESULT, "skill_used"],
        }),
        value: Some(RESULT.to_owned()),
        brings_foreign_text: !skill.is_trusted,
        ..Tool::safe(ID, skill.tool_name.as_str(), skill.description.as_str())
    }
}

/// The tool that reads the files beside it.
fn reader(skill: &FoundSkill) -> Tool {
    let description = format!(
        "Read a file of the skill {}: {}",
        skill.name,
        skill.files.join(", ")
    );
    Tool {
        argument_schema: json!({
            "type": "object",
            "properties": {"path": {"type": "string", "description": "As it stands in the instructions."}},
            "required": ["path"],
        }),
        output_schema: json!({
            "type": "object",
            "properties": {"path": {"type": "string"}, "content": {"type": "string"}, "note": {"type": "string"}},
            "required": ["path", "content"],
        }),
        value: Some("content".to_owned()),
        brings_foreign_text: !skill.is_trusted,
        within: Some(skill.tool_name.clone()),
        ..Tool::safe(ID, skill.reader_name(), description)
    }
}

impl Toolbox for SkillToolbox {
    fn id(&self) -> &str {
        ID
    }

    fn tools(&self) -> Arc<[Tool]> {
        Arc::clone(&self.tools)
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        _: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        let skills = Arc::clone(&self.skills);
        let name = name.to_owned();
        let work = move || run(&skills, &name, arguments);
        async move {
            let done = tokio::task::spawn_blocking(work).await;
            done.unwrap_or_else(|error| Err(ToolError::Fault(format!("failed to read a skill: {error}"))))
        }
        .boxed()
    }
}

fn run(skills: &[FoundSkill], name: &str, arguments: Map<String, Value>) -> Result<Outcome, ToolError> {
    if let Some(skill) = skills.iter().find(|skill| skill.tool_name == name) {
        return instructed(skill, &arguments_of(arguments)?);
    }
    if let Some(skill) = skills.iter().find(|skill| skill.reader_name() == name) {
        let WhichFile { path } = arguments_of(arguments)?;
        return skill.file(&path).map(Outcome::from);
    }
    let known: Vec<&str> = skills.iter().map(|skill| skill.tool_name.as_str()).collect();
    let message = format!("there is no skill '{name}'; there are {}", known.join(", "));
    Err(ToolError::reply("LookupError", message))
}

fn arguments_of<A: serde::de::DeserializeOwned>(arguments: Map<String, Value>) -> Result<A, ToolError> {
    serde_json::from_value(Value::Object(arguments))
        .map_err(|error| ToolError::reply("ValueError", error.to_string()))
}

/// The instructions for a task. A caller that has no brain to follow them gets them for the result.
fn instructed(skill: &FoundSkill, Task { task, context }: &Task) -> Result<Outcome, ToolError> {
    let task = task.trim();
    if task.is_empty() {
        return Err(ToolError::reply(
            "ValueError",
            "task: is empty; say what is to be done",
        ));
    }
    let body = skill.body()?;
    let context = context
        .as_deref()
        .map(str::trim)
        .filter(|context| !context.is_empty());
    let context = context
        .map(|context| format!("{context}\n\n"))
        .unwrap_or_default();
    let text = format!(
        "{task}\n\n{context}Do it as the skill {} says:\n\n{body}",
        skill.name
    );
    let result = [
        (RESULT.to_owned(), Value::from(body)),
        ("skill_used".to_owned(), Value::from(skill.name.as_str())),
    ];
    Ok(Outcome {
        instructions: Some(Instructions {
            text,
            member: RESULT.to_owned(),
            only: skill.allowed_tools.clone(),
        }),
        ..Outcome::from(Map::from_iter(result))
    })
}
