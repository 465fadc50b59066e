//! The black-box suite of the OVOS specifications: every row that can be seen from outside is a check with a name.
//!
//! The rows are those that this project numbers; their sections are in the first column's specification. A check knows
//! the protocol and none of our code.

mod calling;
mod company;
mod dialogue;
mod ear;
mod envelope;
mod guest;
mod lifecycle;
pub mod numbers;
mod persona;
mod relay;
mod sessions;
pub mod stand;
mod state;
mod stop;
mod tools;
mod voice;

use futures_util::future::BoxFuture;

pub use self::stand::Stand;

/// What was seen, or what was wrong.
pub type Verdict = Result<String, String>;

/// One row.
#[derive(Debug)]
pub struct Row {
    /// Its number.
    pub id: &'static str,
    /// What it asks for.
    pub what: &'static str,
    /// How it is seen.
    pub check: for<'a> fn(&'a Stand) -> BoxFuture<'a, Verdict>,
}

/// Lists the rows that apply where we orchestrate.
pub fn solo() -> Vec<Row> {
    let mut rows = persona::rows();
    rows.extend(lifecycle::rows());
    rows.extend(sessions::rows());
    rows.extend(state::rows());
    rows.extend(company::rows());
    rows.extend(dialogue::rows());
    rows.extend(stop::rows());
    rows.extend(tools::rows());
    // Their box answers everybody from then on.
    rows.extend(calling::rows());
    rows.extend(persona::solo_rows());
    rows.extend(envelope::rows());
    rows.extend(relay::rows());
    rows
}

/// Lists the rows that apply beside a core.
pub fn guest() -> Vec<Row> {
    let mut rows = persona::rows();
    rows.extend(lifecycle::guest_rows());
    rows.extend(guest::rows());
    rows.extend(stop::guest_rows());
    rows.extend(stop::beside_rows());
    rows.extend(tools::rows());
    rows.extend(calling::guest_rows());
    rows.extend(envelope::rows());
    rows.extend(guest::last_rows());
    rows
}

/// Lists the rows that apply to the voice that we are where there is no audio service.
pub fn voice() -> Vec<Row> {
    voice::rows()
}

/// Lists the rows that apply to our microphone.
pub fn ear() -> Vec<Row> {
    ear::rows()
}

/// Rows without a check of that name, and why. M, S and Y are must, should and may.
pub const ELSEWHERE: [(&str, &str); 10] = [
    (
        "SE2-6, SE2-7",
        "M, S: bind clients that keep a named session over several utterances; `loquat ask` has one utterance",
    ),
    (
        "PL-12, PL-21",
        "Y: no time limit for handlers, no ovos.policy.denied",
    ),
    (
        "PL-16",
        "M, where chains of transformers cancel an utterance: there are no chains",
    ),
    (
        "PE-15",
        "S: a budget below that of a caller, which no frame tells",
    ),
    ("PE-16", "M for who asks the personas of others: we ask none"),
    (
        "AI-5, AI-11",
        "M, -: an empty chain of audio transformers, and no question after the state, are what the rows ask for",
    ),
    (
        "CQ-1..4",
        "the specification makes this optional: a model is too slow for it, so we answer no common query",
    ),
    ("SC-1..7", "M for who schedules: we schedule nothing"),
    ("ID-4", "S: no level opens a tool; each dangerous one asks aloud"),
    ("ID-5", "M for who enrols users: we enrol none"),
];

/// Gives the evidence, or says what was wrong instead.
fn verdict(holds: bool, evidence: impl Into<String>) -> Verdict {
    let evidence = evidence.into();
    if holds { Ok(evidence) } else { Err(evidence) }
}

/// Makes a row of a check.
macro_rules! row {
    ($id:literal, $what:literal, |$stand:ident| $check:expr) => {
        $crate::citizen::Row {
            id: $id,
            what: $what,
            check: |$stand| futures_util::FutureExt::boxed(async move { $check }),
        }
    };
}
use row;
