//! The black-box suite of the OVOS specifications: every row that can be seen from outside is a check with a name.
//!
//! The rows are those that this project numbers; their sections are in the first column's specification. A check knows
//! the protocol and none of our code.

mod envelope;
mod guest;
mod lifecycle;
mod persona;
mod relay;
mod sessions;
pub mod stand;
mod stop;
mod tools;

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

/// The rows that apply where we orchestrate.
pub fn solo() -> Vec<Row> {
    let mut rows = persona::rows();
    rows.extend(lifecycle::rows());
    rows.extend(sessions::rows());
    rows.extend(stop::rows());
    rows.extend(tools::rows());
    rows.extend(persona::solo_rows());
    rows.extend(relay::rows());
    rows.extend(envelope::rows());
    rows
}

/// The rows that apply beside a core.
pub fn guest() -> Vec<Row> {
    let mut rows = persona::rows();
    rows.extend(lifecycle::guest_rows());
    rows.extend(guest::rows());
    rows.extend(stop::guest_rows());
    rows.extend(tools::rows());
    rows.extend(envelope::rows());
    rows
}

/// Rows without a check of that name, and why.
pub const ELSEWHERE: [(&str, &str); 18] = [
    (
        "MS-13, SE2-6, SE2-7",
        "bind whoever asks or keeps a session, not who answers",
    ),
    (
        "SE1-7, SE1-8, SE2-1",
        "how a session is kept inside; what follows from it is SE1-6, SE1-10 and SE2-2",
    ),
    (
        "SE2-5, HD-3, PE-11",
        "who emits what is seen in MS-9, HD-2 and the count of ends; we never ask to listen",
    ),
    (
        "LA-5, LA-6, AI-1..12",
        "a microphone is needed: the stories `whole_path` and the tests of loquat-speech",
    ),
    (
        "PL-12, PL-14",
        "may and should: no time limit for handlers; each poll has its own, and nothing else waits",
    ),
    (
        "PL-16",
        "there are no transformer chains that could cancel an utterance",
    ),
    ("PL-21", "may: no ovos.policy.denied is sent"),
    ("PE-1, PE-17, PE-23", "as PE-2, SP-6 and SP-4"),
    (
        "PE-6, PE-12, PE-15",
        "should: stop on dismissal and history by session are in the stories `commands` and `sessions`",
    ),
    ("PE-16, PE-22", "bind the caller and the deployment"),
    (
        "PE-21",
        "the order of stages: the unit tests of orchestrator/pipeline.rs and PE-2",
    ),
    (
        "AO-1",
        "as PE-10; AO-2 to AO-8 bind an audio service: the story `neighbours` has the part we take",
    ),
    ("SP-2, SP-5, SP-10", "the story `stop`"),
    (
        "CV-3, CV-5, CV-7, CV-8",
        "should, or for skills that ask back, which we do not",
    ),
    (
        "FB-3, FB-5",
        "as FB-2; the bands are in the unit tests of orchestrator/pipeline.rs",
    ),
    (
        "CQ-1..4",
        "optional: a model is too slow for it, so we answer no common query; that of others is in `orchestrator`",
    ),
    (
        "IN-2, IN-4, IN-6",
        "no answer to see; taken back at the end: the story `guest`; should: not announced as loaded",
    ),
    (
        "SC, ID, SPK",
        "we schedule nothing, know no users and enrol no speakers; ID-6, ID-7 are MS-9 to MS-12",
    ),
];

/// The evidence, or what was wrong instead.
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
