//! What has to be said again on every connection: registrations of skills, intents, toolboxes.

use loquat_wire::Message;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;

/// The announcements of a client, in the order in which their keys were first announced.
#[derive(Debug, Default)]
pub(crate) struct Announcements {
    entries: Mutex<Vec<Entry>>,
    changed: Notify,
}

#[derive(Debug)]
struct Entry {
    key: String,
    messages: Vec<Message>,
    /// Says whether it has still to be said on the connection that stands.
    due: bool,
}

impl Announcements {
    /// Sets what is announced under a key, and makes it due.
    pub(crate) fn announce(&self, key: &str, messages: Vec<Message>) {
        let mut entries = self.lock();
        if let Some(entry) = entries.iter_mut().find(|entry| entry.key == key) {
            entry.messages = messages;
            entry.due = true;
        } else {
            entries.push(Entry {
                key: key.to_owned(),
                messages,
                due: true,
            });
        }
        drop(entries);
        self.changed.notify_one();
    }

    /// Forgets a key. What is not said yet is never said.
    pub(crate) fn withdraw(&self, key: &str) {
        self.lock().retain(|entry| entry.key != key);
    }

    /// Makes everything due: on a new connection, or for a core that forgot.
    pub(crate) fn renew(&self) {
        for entry in self.lock().iter_mut() {
            entry.due = true;
        }
        self.changed.notify_one();
    }

    pub(crate) fn take_due(&self) -> Vec<Message> {
        let mut entries = self.lock();
        let mut due = Vec::new();
        for entry in entries.iter_mut() {
            if std::mem::take(&mut entry.due) {
                due.extend(entry.messages.iter().cloned());
            }
        }
        due
    }

    /// Waits until something may be due. Cancel safe.
    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock()
    }
}
