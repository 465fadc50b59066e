//! Telling things what to do, and looking what came of it: only the state that Home Assistant reports afterwards counts.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::house::House;
use super::link::{HomeAssistant, HomeFault};
use super::order::Order;
use super::progress::{Progress, Step, Wanted};

/// For all of it: the answers, and the states that show that it was done.
const PATIENCE: Duration = Duration::from_secs(9);

/// After the last answer, for states that come later than it.
const AFTER: Duration = Duration::from_millis(2_500);

/// What came of an order.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Report {
    /// Ids of what does it now.
    pub(crate) done: Vec<String>,
    /// Ids of what is on its way.
    pub(crate) under_way: Vec<String>,
    /// Ids of what does not.
    pub(crate) unchanged: Vec<String>,
    /// Ids of what was told, where no state shows what came of it.
    pub(crate) unseen: Vec<String>,
    /// Why something was not done.
    pub(crate) fault: Option<HomeFault>,
}

impl Report {
    /// Adds what came of a further order, where a thing that was told twice counts once.
    pub(crate) fn add(&mut self, further: Self) {
        let Self {
            done,
            under_way,
            unchanged,
            unseen,
            fault,
        } = further;
        for (known, more) in [
            (&mut self.done, done),
            (&mut self.under_way, under_way),
            (&mut self.unchanged, unchanged),
            (&mut self.unseen, unseen),
        ] {
            let new: Vec<String> = more.into_iter().filter(|id| !known.contains(id)).collect();
            known.extend(new);
        }
        self.fault = self.fault.take().or(fault);
    }
}

/// Things of one kind that are told the same.
struct Group {
    step: Step,
    ids: Vec<String>,
}

/// Tells these things and waits until they have done it, or until it is clear that they do not.
pub(crate) async fn carry_out(home: &HomeAssistant, order: &Order, ids: &[String]) -> Report {
    let groups = groups(&home.house.read_recursive(), order, ids);
    let mut changes = home.changes.subscribe();
    let waits = groups.iter().any(is_unseen)
        || groups
            .iter()
            .all(|group| is_done(&home.house.read_recursive(), group));
    let told = groups.iter().map(|group| {
        home.call(
            &group.step.domain,
            group.step.service,
            &group.step.data,
            &group.ids,
        )
    });
    let mut told = std::pin::pin!(futures_util::future::join_all(told));
    let mut deadline = Instant::now() + PATIENCE;
    let mut answers = None;
    loop {
        let is_settled = groups
            .iter()
            .all(|group| is_unseen(group) || is_done(&home.house.read_recursive(), group));
        // What was so before shows nothing, and neither does a scene: the answer is waited for.
        if is_settled && (answers.is_some() || !waits) {
            break;
        }
        if answers
            .as_ref()
            .is_some_and(|answers: &Vec<Result<_, _>>| answers.iter().all(Result::is_err))
        {
            break;
        }
        tokio::select! {
            biased;
            all = &mut told, if answers.is_none() => {
                answers = Some(all);
                deadline = deadline.min(Instant::now() + AFTER);
            }
            changed = timeout_at(deadline, changes.changed()) => {
                if !matches!(changed, Ok(Ok(()))) {
                    break;
                }
            }
        }
    }
    report(&home.house.read_recursive(), &groups, answers)
}

fn groups(house: &House, order: &Order, ids: &[String]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for id in ids {
        let Some(step) = house.entities.get(id).and_then(|entity| order.step(entity)) else {
            continue;
        };
        match groups.iter_mut().find(|group| group.step == step) {
            Some(group) => group.ids.push(id.clone()),
            None => groups.push(Group {
                step,
                ids: vec![id.clone()],
            }),
        }
    }
    groups
}

/// Whether states show that all of a group is done. What nothing shows is never done.
fn is_done(house: &House, group: &Group) -> bool {
    group.ids.iter().all(|id| {
        let entity = house.entities.get(id);
        entity.is_some_and(|entity| group.step.wanted.progress(entity) == Progress::Done)
    })
}

fn is_unseen(group: &Group) -> bool {
    group.step.wanted == Wanted::Unseen
}

fn report(
    house: &House,
    groups: &[Group],
    answers: Option<Vec<Result<serde_json::Value, HomeFault>>>,
) -> Report {
    let mut report = Report::default();
    let is_silent = answers.is_none();
    let mut answers = answers.into_iter().flatten();
    for group in groups {
        let answer = answers.next();
        let was_accepted = matches!(answer, Some(Ok(_)));
        for id in &group.ids {
            let Some(entity) = house.entities.get(id) else {
                report.unchanged.push(id.clone());
                continue;
            };
            let place = match group.step.wanted.progress(entity) {
                Progress::Done => &mut report.done,
                Progress::UnderWay => &mut report.under_way,
                Progress::Unseen if was_accepted => &mut report.unseen,
                Progress::Not | Progress::Unseen => &mut report.unchanged,
            };
            place.push(id.clone());
        }
        if let Some(Err(fault)) = answer {
            report.fault = Some(fault);
        }
    }
    if is_silent && !report.unchanged.is_empty() {
        report.fault = Some(HomeFault::Silent);
    }
    report
}
