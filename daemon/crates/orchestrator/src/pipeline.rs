//! The stages that an utterance passes, by our names and by those of ovos-core (PIPELINE-1 §5, PERSONA-1 §10).
//!
//! A session may choose and order them. Clients of ovos-core write its names, since they copy their pipeline into every
//! session; each of those stands for the stage of ours that does the same.

use std::ops::RangeInclusive;

use loquat_wire::Session;

use super::skill_id::SKILL_ID;

/// One stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The words that stop.
    Stop,
    /// A skill that waits for an answer, or wants to go on.
    Converse,
    /// It compares with the intents that skills registered, and with our commands.
    Intents,
    /// Fallback handlers that go before everybody.
    FallbackHigh,
    /// Skills that know answers.
    CommonQuery,
    /// Our commands, and the persona that the session has summoned.
    Persona,
    /// It asks fallback handlers with some precision.
    FallbackMedium,
    /// The default persona answers.
    PersonaFallback,
    /// Fallback handlers that take anything, and "I don't know" behind them.
    FallbackLow,
}

/// All stages in the usual order.
pub const USUAL: [Stage; 9] = [
    Stage::Stop,
    Stage::Converse,
    Stage::Intents,
    Stage::FallbackHigh,
    Stage::CommonQuery,
    Stage::Persona,
    Stage::FallbackMedium,
    Stage::PersonaFallback,
    Stage::FallbackLow,
];

impl Stage {
    /// Gives its `pipeline_id` (PL-18).
    pub fn id(self) -> &'static str {
        match self {
            Self::Stop => "loquat-stop",
            Self::Converse => "loquat-converse",
            Self::Intents => "loquat-intents",
            Self::FallbackHigh => "loquat-fallback-high",
            Self::CommonQuery => "loquat-common-query",
            Self::Persona => SKILL_ID,
            Self::FallbackMedium => "loquat-fallback-medium",
            Self::PersonaFallback => "loquat-fallback",
            Self::FallbackLow => "loquat-fallback-low",
        }
    }

    /// The priorities of the fallback handlers it asks: ovos-core's bands, since its skills chose their numbers by them.
    pub fn band(self) -> Option<RangeInclusive<i64>> {
        match self {
            Self::FallbackHigh => Some(0..=5),
            Self::FallbackMedium => Some(6..=90),
            Self::FallbackLow => Some(91..=i64::MAX),
            _ => None,
        }
    }

    /// Finds the stage of this name; it is `None` for one that is not loaded.
    pub fn named(name: &str) -> Option<Self> {
        if let Some(stage) = USUAL.into_iter().find(|stage| stage.id() == name) {
            return Some(stage);
        }
        let short = name.strip_prefix("ovos-").unwrap_or(name).replace('_', "-");
        let short = short.replace("-pipeline-plugin", "").replace("-pipeline", "");
        let (family, band) = match short.rsplit_once('-') {
            Some((family, band @ ("high" | "medium" | "low"))) => (family, band),
            _ => (short.as_str(), ""),
        };
        match (family, band) {
            ("stop", _) => Some(Self::Stop),
            ("converse", _) => Some(Self::Converse),
            ("padatious" | "padacioso" | "adapt" | "nebulento" | "palavreado", _) => Some(Self::Intents),
            ("common-query" | "common-qa", _) => Some(Self::CommonQuery),
            ("persona", "low") => Some(Self::PersonaFallback),
            ("persona", _) => Some(Self::Persona),
            ("fallback", "high") => Some(Self::FallbackHigh),
            ("fallback", "medium") => Some(Self::FallbackMedium),
            ("fallback", _) => Some(Self::FallbackLow),
            _ => None,
        }
    }
}

/// Lists the stages that an utterance of this session passes (PL-5): what the session chose, or all; without
/// those that are not loaded and those that are denied. May be empty, and then nothing matches.
pub fn effective(session: &Session) -> Vec<Stage> {
    let chosen = session.texts("pipeline");
    let mut stages: Vec<Stage> = Vec::new();
    if chosen.is_empty() {
        stages.extend(USUAL);
    }
    for name in &chosen {
        match Stage::named(name) {
            Some(stage) if !stages.contains(&stage) => stages.push(stage),
            _ => {}
        }
    }
    let denied: Vec<Stage> = session
        .texts("blacklisted_pipelines")
        .into_iter()
        .filter_map(Stage::named)
        .collect();
    stages.retain(|stage| !denied.contains(stage));
    stages
}

/// Lists the stages that a session chose and that are not there. Those of other engines are, by their kind; a
/// name that is longer than names are belongs to no skill.
pub fn missing(session: &Session) -> Vec<&str> {
    const LONGEST: usize = 100;
    let chosen = session.texts("pipeline").into_iter();
    chosen
        .filter(|name| name.len() <= LONGEST && Stage::named(name).is_none())
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn session(field: &str, names: &[&str]) -> Session {
        let mut session = Session::default();
        session.insert(field, json!(names));
        session
    }

    #[test]
    fn names_of_both_generations_stand_for_ours() {
        let older = [
            "stop_high",
            "converse",
            "padatious_high",
            "adapt_high",
            "fallback_high",
            "fallback_low",
        ];
        let newer = [
            "ovos-stop-pipeline-plugin-high",
            "ovos-converse-pipeline-plugin",
            "ovos-padatious-pipeline-plugin-high",
            "ovos-adapt-pipeline-plugin-high",
            "ovos-fallback-pipeline-plugin-high",
            "ovos-fallback-pipeline-plugin-low",
        ];
        let stages = [
            Stage::Stop,
            Stage::Converse,
            Stage::Intents,
            Stage::FallbackHigh,
            Stage::FallbackLow,
        ];
        assert_eq!(effective(&session("pipeline", &older)), stages);
        assert_eq!(effective(&session("pipeline", &newer)), stages);
        for stage in USUAL {
            assert_eq!(Stage::named(stage.id()), Some(stage));
        }
        assert_eq!(
            Stage::named("ovos-persona-pipeline-plugin-low"),
            Some(Stage::PersonaFallback)
        );
    }

    #[test]
    fn what_is_not_loaded_or_denied_is_left_out() {
        assert_eq!(effective(&session("pipeline", &["nobody-knows"])), []);
        assert_eq!(
            missing(&session("pipeline", &["nobody-knows", "converse"])),
            ["nobody-knows"]
        );
        assert_eq!(effective(&Session::default()), USUAL);
        let denied = effective(&session("blacklisted_pipelines", &["loquat", "converse"]));
        assert!(!denied.contains(&Stage::Persona) && !denied.contains(&Stage::Converse));
        assert_eq!(denied.len(), USUAL.len() - 2);
    }
}
