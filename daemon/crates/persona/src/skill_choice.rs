//! Which installed skills a persona may call as tools, and how far each is trusted. Nothing is allowed that is not named.

use loquat_settings::wording::shown;
use serde_json::{Map, Value};

use super::fields::{self, Report, Shape, Stake};
use super::trust::{Trust, trust};

/// The toolbox that stands for the installed skills.
pub const SKILL_TOOLS: &str = "loquat-skill-tools";

/// Stands for every skill that is not named.
const ALL: &str = "*";

/// The skills and intents that may be called.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkillChoice(Vec<(String, Trust)>);

impl SkillChoice {
    /// Every skill, none of which is trusted.
    pub(super) fn all() -> Self {
        Self(vec![(ALL.to_owned(), Trust::default())])
    }

    /// Tells how far an intent is trusted, if it may be called. What is said of the intent goes before what is said
    /// of its skill, and that before what is said of all.
    pub fn trust(&self, skill_id: &str, intent_name: &str) -> Option<&Trust> {
        let of = |name: &str| self.0.iter().find(|(known, _)| known == name);
        let found = of(&format!("{skill_id}:{intent_name}"))
            .or_else(|| of(skill_id))
            .or_else(|| of(ALL));
        found.map(|(_, trust)| trust)
    }
}

pub(super) fn read(settings: &Map<String, Value>, path: &str, report: &mut Report) -> Option<SkillChoice> {
    let settings = fields::block(
        settings,
        path,
        &[("skills", Shape::Object)],
        Stake::Settings,
        report,
    );
    let path = fields::join(path, "skills");
    let Some(Value::Object(skills)) = settings.get("skills") else {
        report.warn(format!(
            "{path} is missing, so none is called; it names the skills that may be, for example \
             {{\"skill-kettle.author\": {{\"trust\": \"safe\"}}}}, or \"*\" for all of them"
        ));
        return None;
    };
    let mut chosen = Vec::new();
    for (name, settings) in skills.iter().filter(|(name, _)| !name.starts_with('_')) {
        let path = fields::join(&path, name);
        match settings {
            Value::Object(settings) => {
                // As registrations have it, with or without the ending of the older ones.
                let name = name.strip_suffix(".intent").unwrap_or(name).to_owned();
                chosen.push((name, trust(settings, &path, report)));
            }
            other => report.refuse(format!("{path} must be an object, not {}", shown(other))),
        }
    }
    Some(SkillChoice(chosen))
}
