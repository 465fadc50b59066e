//! The ids of calls, which are unique within a turn and all turns within it.

use std::collections::BTreeSet;

use parking_lot::Mutex;

/// A server's id with more bytes is not taken.
const LONGEST: usize = 128;

/// The ids that are taken. The lock is never held across an await.
#[derive(Debug, Default)]
pub(super) struct CallIds(Mutex<BTreeSet<String>>);

impl CallIds {
    /// Gives a call of this step its id: the server's where it is good, else one of ours.
    pub(super) fn give(&self, native: Option<&str>, step: u32) -> String {
        let mut taken = self.0.lock();
        let native = native.filter(|id| !id.is_empty() && id.len() <= LONGEST);
        let id = match native.filter(|id| !taken.contains(*id)) {
            Some(native) => native.to_owned(),
            None => format!("call_{step}_{}", taken.len() + 1),
        };
        taken.insert(id.clone());
        id
    }

    /// Tells whether no call was made.
    pub(super) fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }
}
