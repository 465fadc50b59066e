//! Calling skills to register, when we have become who they register with.
//!
//! What skills registered is known only to the process they told: after a restart of ours, and after the end of an
//! ovos-core, those that live in processes of their own have to do it again. This has no answer, and nothing is called
//! for beside a core.

use std::time::Duration;

use loquat_orchestrator::frames;
use loquat_wire::topic;
use serde_json::json;
use tokio::time::Instant;

use super::Desk;

/// The stock launcher of a skill asks whether we are there and hears nothing else for three seconds. Called earlier, one
/// that had asked just before would sleep for ever.
const LAUNCHERS_ARE_DEAF: Duration = Duration::from_secs(4);

impl Desk {
    /// Skills of the specifications register again at this (INTENT-4 §10); the word for launched ones follows.
    pub(super) async fn call_for_registrations(&mut self) {
        self.orchestration.calls_at = Some(Instant::now() + LAUNCHERS_ARE_DEAF);
        self.emit(frames::originated(topic::SKILLS_INITIALIZED, json!({})))
            .await;
    }

    /// Stock skills in a process of their own load at this, or load again.
    pub(super) async fn call_launched_skills(&mut self) {
        if self
            .orchestration
            .calls_at
            .take_if(|at| *at <= Instant::now())
            .is_some()
        {
            self.emit(frames::originated(topic::DEVICE_READY, json!({})))
                .await;
        }
    }
}
