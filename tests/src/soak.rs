//! The soak: thousands of utterances in many sessions, while the bus is started again, the daemon is killed, its disk is
//! full and its clock jumps; and what has come of each utterance, seen from outside.
//!
//! Two parts. In the calm one nothing goes wrong, a browser and an MCP client look on, and what the one daemon holds is
//! measured: memory, open files, threads and its state. In the storm faults come
//! at moments that are drawn from a seed. An utterance is lost when it has no end, and doubled when it has two ends or two
//! answers; what a tool does must not happen twice, and must have happened when the answer says so.
//!
//! What cannot be asked of a daemon is counted and shown instead: an utterance of which it had taken no notice when it
//! was killed is said again, as a person would; and what it was told while nothing could be written is forgotten when it
//! is killed then.

mod crowd;
mod disk;
mod errand;
mod holdings;
mod ledger;
mod memory;
mod onlookers;
mod plan;
mod report;
mod stage;

use std::sync::Arc;

use tokio::task::JoinSet;

use self::crowd::Crowd;
use self::holdings::Holdings;
use self::ledger::Ledger;
use self::memory::Samples;
use self::onlookers::Seen;
pub use self::plan::Plan;
pub use self::report::Report;
use self::stage::Stage;
use crate::dice::Dice;

/// Runs both parts; the report says whether all is well.
///
/// # Panics
/// When the daemon does not come back, or a program that the soak needs is missing.
pub async fn soak(plan: Plan) -> Report {
    let mut report = Report::new(plan);
    if plan.calm > 0 {
        let (ledger, held) = calm(&plan).await;
        report.calm(&ledger, held);
    }
    storm(&plan, &mut report).await;
    report
}

/// What was seen of the one daemon of the calm part.
#[derive(Debug, Default)]
struct Held {
    memory: Samples,
    holdings: Holdings,
    onlookers: Seen,
}

/// All sessions talk to one life of the daemon, which is looked at meanwhile.
async fn calm(plan: &Plan) -> (Arc<Ledger>, Held) {
    let ledger = Arc::<Ledger>::default();
    let mut stage = Stage::open(&ledger, plan.seed).await;
    let crowd = Arc::new(Crowd::new(plan, plan.calm, &ledger, stage.line()));
    let mut sessions = begin(plan, &crowd);
    let mut held = Held::default();
    for mark in Samples::marks(plan.calm) {
        crowd.finished(mark).await;
        held.memory.add(mark, stage.resident_bytes());
        held.holdings.add(stage.holding());
    }
    while sessions.join_next().await.is_some() {}
    held.onlookers = stage.onlookers();
    stage.close().await;
    (ledger, held)
}

/// All sessions talk while one fault follows the other.
async fn storm(plan: &Plan, report: &mut Report) {
    let ledger = Arc::<Ledger>::default();
    let mut stage = Stage::in_need(&ledger, plan.seed).await;
    let crowd = Arc::new(Crowd::new(plan, plan.utterances, &ledger, stage.line()));
    let mut sessions = begin(plan, &crowd);
    let mut dice = Dice::new(plan.seed);
    let events = plan.events(&mut dice);
    let share = plan.utterances / (events.len() + 1);
    for (number, event) in events.iter().enumerate() {
        crowd.finished((number + 1) * share).await;
        stage.suffer(*event, &mut dice).await;
    }
    while sessions.join_next().await.is_some() {}
    report.storm(&ledger, stage.told());
    stage.close().await;
}

fn begin(plan: &Plan, crowd: &Arc<Crowd>) -> JoinSet<()> {
    let sessions = (0..plan.sessions).map(|session| Arc::clone(crowd).converse(session));
    sessions.collect()
}
