//! Timers, alarms, reminders, deeds and routines as they were last looked at, so that an open view is told of a change without a
//! wait for the book. Changes none.

use loquat_skills::alerts::{Alert, Alerts};
use parking_lot::{Mutex, MutexGuard};

#[derive(Debug, Default)]
pub(super) struct KeptAlerts(Mutex<Vec<Alert>>);

impl KeptAlerts {
    /// Looks at them again.
    pub(super) async fn look(&self, alerts: &Alerts) {
        let all = alerts.all().await;
        *self.0.lock() = all;
    }

    /// Locks all of them, the next one first.
    pub(super) fn all(&self) -> MutexGuard<'_, Vec<Alert>> {
        self.0.lock()
    }
}
