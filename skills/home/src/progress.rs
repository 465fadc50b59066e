//! The service call that carries an order out, and what shows that it was done. Calls nothing.

use serde_json::{Map, Value};

use super::house::Entity;

/// The service that carries an order out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    pub(crate) domain: String,
    pub(crate) service: &'static str,
    pub(crate) data: Map<String, Value>,
    pub(crate) wanted: Wanted,
}

/// What shows that it was carried out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Wanted {
    /// One of these states; on its way in one of those.
    State(&'static [&'static str], &'static [&'static str]),
    /// It is any other than these.
    Not(&'static [&'static str]),
    /// An attribute is near a value.
    Near(&'static str, f64, f64),
    /// An attribute that is so, or is not.
    Flag(&'static str, bool),
    /// An attribute has just this text.
    Text(&'static str, String),
    /// Nothing shows it.
    Unseen,
}

/// How far a thing is with what it was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    Done,
    UnderWay,
    Not,
    Unseen,
}

impl Wanted {
    pub(crate) fn progress(&self, entity: &Entity) -> Progress {
        let is = |yes: bool| if yes { Progress::Done } else { Progress::Not };
        let state = entity.state.as_str();
        match self {
            Self::State(done, _) if done.contains(&state) => Progress::Done,
            Self::State(_, under_way) if under_way.contains(&state) => Progress::UnderWay,
            Self::State(..) => Progress::Not,
            Self::Not(states) => is(!states.contains(&state) && state != "unavailable" && state != "unknown"),
            Self::Near(attribute, value, by) => match entity.number(attribute) {
                Some(now) => is((now - value).abs() <= *by),
                None if matches!(state, "opening" | "closing") => Progress::UnderWay,
                None => Progress::Not,
            },
            Self::Flag(attribute, wanted) => {
                let now = entity.attributes.get(*attribute).and_then(Value::as_bool);
                is(now == Some(*wanted))
            }
            Self::Text(attribute, wanted) => is(entity.text(attribute) == Some(wanted)),
            Self::Unseen => Progress::Unseen,
        }
    }
}
