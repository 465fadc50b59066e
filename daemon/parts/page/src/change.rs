//! What changes while a view is open. Shows nothing.

use std::sync::Arc;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    /// Whether the device listens, thinks or speaks.
    Hearing,
    /// What it understands while it listens.
    HalfHeard,
    Line(u64),
    /// Who answers.
    Answering,
    /// An answer that is being written.
    Writing,
    Turn(Arc<str>),
    /// A call that waits for a yes, or waits no more, and its turn.
    Question(Arc<str>),
    /// A model that is fetched.
    Fetch,
    Models,
    /// Timers, alarms, reminders, deeds and routines.
    Alerts,
    Log,
    Status,
}
