//! What `auto` may do: the settings, narrowed by those of the channel. Nothing here can widen anything.

use serde_json::{Map, Value};

use super::super::{Engine, Form, Setting, find, plan};
use crate::turn::Turn;
use loquat_conversation::setting::whole;
use loquat_decoder::language::in_all;

/// Says how far the engine may go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rights {
    /// More than one tool call.
    pub(super) multi_action: bool,
    /// The loop may act so often.
    pub(super) iterations: u32,
    /// Says whether what fails may be decomposed.
    pub(super) decompose: bool,
    /// This engine decomposes.
    pub(super) engine: &'static Engine,
}

pub(super) const MAX_ITERATIONS: Setting = Setting::new(
    "max_iterations",
    Form::Steps(5),
    crate::engine::MAX_ITERATIONS.about,
);
pub(super) const DECOMPOSE_ENGINE: Setting = Setting::new(
    "decompose_engine",
    Form::Engine(plan::ENGINE.id),
    "which engine plans steps",
);

impl Rights {
    pub(super) fn of(turn: &Turn) -> Self {
        let engine = turn
            .settings()
            .word(DECOMPOSE_ENGINE.key)
            .and_then(|id| find(&id));
        let config = Self {
            multi_action: true,
            iterations: turn.settings().loop_steps(&MAX_ITERATIONS),
            decompose: true,
            engine: engine
                .filter(|engine| engine.id != super::ENGINE.id)
                .unwrap_or(&plan::ENGINE),
        };
        let channels = turn.settings().get("channels").and_then(Value::as_object);
        let channel = turn.resources.question.channel.as_deref().unwrap_or_default();
        let own = channels.and_then(|channels| channels.get(channel)?.as_object());
        let rights = config.narrowed(turn.settings().values());
        own.map_or(rights, |own| rights.narrowed(own))
    }

    /// Takes away what a layer takes away; what it would add is ignored.
    fn narrowed(self, layer: &Map<String, Value>) -> Self {
        let allows = |key: &str| layer.get(key) != Some(&Value::Bool(false));
        let most = layer.get("max_iterations").and_then(whole);
        Self {
            multi_action: self.multi_action && allows("multi_action"),
            iterations: self.iterations.min(most.unwrap_or(u32::MAX)).max(1),
            decompose: self.decompose && allows("decompose"),
            engine: self.engine,
        }
    }
}

/// Guesses how hard a question is, from 1 to 5, by its length and by how many wishes are in it.
pub(super) fn complexity(utterance: &str) -> u32 {
    let words: Vec<String> = utterance
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let joins = |word: &&String| in_all(|language| &language.words.joining).any(|known| known == **word);
    let joiners = words.iter().filter(joins).count();
    let sentences = utterance
        .matches(['?', '!', '.', ';', ','])
        .count()
        .saturating_sub(1);
    let length = match words.len() {
        0..=3 => 1,
        4..=12 => 2,
        13..=25 => 3,
        _ => 4,
    };
    (length + joiners.min(2) as u32 + sentences.min(2) as u32).clamp(1, 5)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_layer_only_takes_away() {
        let rights = Rights {
            multi_action: false,
            iterations: 3,
            decompose: true,
            engine: &plan::ENGINE,
        };
        let layer = json!({"multi_action": true, "max_iterations": 50, "decompose": false});
        let narrowed = rights.narrowed(layer.as_object().unwrap());
        assert!(!narrowed.multi_action && !narrowed.decompose);
        assert_eq!(narrowed.iterations, 3);
        let layer = json!({"max_iterations": 2});
        assert_eq!(rights.narrowed(layer.as_object().unwrap()).iterations, 2);
    }

    #[test]
    fn long_questions_with_several_wishes_look_hard() {
        assert_eq!(complexity("Hello!"), 1);
        assert_eq!(complexity("What time is it in Lisbon?"), 2);
        assert_eq!(
            complexity("Look up the weather, then compare it with yesterday and tell me what to wear."),
            5
        );
    }
}
