//! The labels of the Self-Ask text protocol, in which a brain asks itself questions. Reads no reply.

use std::sync::LazyLock;

use super::labels::{Label, Table, of_kind};

/// Says what a label introduces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Question,
    Intermediate,
    Tool,
    Input,
    Final,
    Aside,
}

/// Labels that are read in English alone.
const UNTRANSLATED: Table<Kind> = &[
    (Kind::Intermediate, "observation"),
    (Kind::Input, "tool input"),
    (Kind::Input, "action input"),
    (Kind::Input, "input"),
    (Kind::Tool, "tool"),
    (Kind::Tool, "action"),
    (Kind::Final, "final answer"),
    (Kind::Final, "finalanswer"),
    (Kind::Aside, "thought"),
    (Kind::Aside, "are follow up questions needed here"),
];

/// The labels of the protocol in all languages.
pub(super) static LABELS: LazyLock<Vec<Label<Kind>>> = LazyLock::new(|| {
    let translated = [
        of_kind(Kind::Question, |language| &language.labels.follow_up),
        of_kind(Kind::Intermediate, |language| {
            &language.labels.intermediate_answer
        }),
        of_kind(Kind::Final, |language| &language.labels.conclusion),
    ];
    [&translated.concat(), UNTRANSLATED].concat()
});
