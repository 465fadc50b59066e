//! What `loquat check` says of where turns run.

use std::time::Duration;

use loquat_part::{Finding, Ground, Verdict};
use loquat_settings::Origin;
use loquat_workers::{BrokerError, Condition, Device};

use super::settings::Workers;
use super::sign_in::{device_settings, secret};

/// Workers that are there say so within it.
const WORKERS_PATIENCE: Duration = Duration::from_millis(1500);

/// Finds out where turns run. The server is asked who takes turns, and none is run.
pub(super) async fn findings(ground: &Ground) -> Vec<Finding> {
    let part = "workers";
    let Some(own) = device_settings(ground) else {
        return Vec::new();
    };
    let careless = secret(&ground.table::<Workers>())
        .remark(&Origin::Default)
        .map(|complaint| {
            let mend = "chmod 600 it, or use a systemd credential";
            Finding::bad(part, Verdict::Remark, complaint.to_string(), mend)
        });
    let called = format!("this machine is called {} there", own.name);
    let condition = Device::new(own).examine(WORKERS_PATIENCE).await;
    let finding = match &condition {
        Condition::Ready { .. } => Finding::ok(part, format!("{condition}; {called}")),
        Condition::NoBroker(BrokerError::Refused { .. } | BrokerError::Password { .. }) => Finding::bad(
            part,
            Verdict::Broken,
            condition.to_string(),
            "correct [workers]; this machine thinks itself meanwhile",
        ),
        Condition::OtherBrains(_) => Finding::bad(
            part,
            Verdict::Missing,
            condition.to_string(),
            "name one of them in workers.brains, or none",
        ),
        _ => Finding::bad(
            part,
            Verdict::Missing,
            format!("{condition}; {called}"),
            "start `loquat worker` on the machine that is to think; this one does so itself meanwhile",
        ),
    };
    careless.into_iter().chain([finding]).collect()
}
