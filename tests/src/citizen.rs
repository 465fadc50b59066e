//! The black-box suite of the OVOS specifications: every row that can be seen from outside is a check with a name.
//!
//! The rows are those that this project numbers; their sections are in the first column's specification. A check knows
//! the protocol and none of our code.

mod envelope;
mod lifecycle;
mod persona;
mod relay;
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
    rows.extend(stop::guest_rows());
    rows.extend(tools::rows());
    rows.extend(envelope::rows());
    rows
}

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
