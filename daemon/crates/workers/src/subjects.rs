//! The subjects and streams of a pool. Permissions of a broker are written in them, so a device and a worker each have their
//! own: `loquat.POOL.turn.KIND.DEVICE` is a turn in the queue, `loquat.POOL.offer.DEVICE.WORKER` one that is offered to a worker,
//! `loquat.POOL.journal.DEVICE.TURN` its journal, and `loquat.POOL.written.DEVICE.TURN` the same entries as the broker tells them
//! once they are stored. A worker's name has two parts: its own, which a permission can hold, and one that it draws.

/// Tells whether a name may be a part of a subject: letters, digits, `-` and `_`, 64 at most.
pub fn is_token(name: &str) -> bool {
    let may_stand = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    !name.is_empty() && name.len() <= 64 && name.chars().all(may_stand)
}

/// Names the subject to which answers for a device or worker of this name go.
pub(crate) fn inbox(name: &str) -> String {
    format!("_INBOX_{name}")
}

/// Tells whether a subject is in the inbox of this name, or of any.
pub(crate) fn is_inbox(subject: &str, name: Option<&str>) -> bool {
    let of_any = subject.split_once('.').map(|(inbox, _)| inbox);
    match name {
        Some(name) => of_any == Some(inbox(name).as_str()),
        None => of_any.is_some_and(|own| own.starts_with("_INBOX")),
    }
}

/// The subjects of one pool.
#[derive(Debug, Clone)]
pub(crate) struct Subjects {
    pool: String,
}

/// The subjects of one turn that is ordered.
#[derive(Debug)]
pub(crate) struct TurnSubjects {
    pub(crate) queue: String,
    /// The turn's journal, which its entries are sealed with.
    pub(crate) journal: String,
    /// Workers tell of it on this one.
    pub(crate) told: String,
}

impl Subjects {
    pub(crate) fn of(pool: &str) -> Self {
        Self {
            pool: pool.to_owned(),
        }
    }

    /// Names those of a turn of this device for workers of a kind.
    pub(crate) fn of_turn(&self, kind: &str, device: &str, placement: &str) -> TurnSubjects {
        TurnSubjects {
            queue: self.turns(kind, device),
            journal: self.journal(device, placement),
            told: self.told(device, placement),
        }
    }

    /// Turns that wait for workers of a kind.
    pub(crate) fn turns(&self, kind: &str, device: &str) -> String {
        format!("loquat.{}.turn.{kind}.{device}", self.pool)
    }

    /// Turns that a device offers to a worker.
    pub(crate) fn offers(&self, device: &str, worker: &str) -> String {
        format!("loquat.{}.offer.{device}.{worker}", self.pool)
    }

    /// Names the journal of a turn, as workers write it.
    pub(crate) fn journal(&self, device: &str, placement: &str) -> String {
        format!("loquat.{}.journal.{device}.{placement}", self.pool)
    }

    pub(crate) fn journals(&self) -> String {
        format!("loquat.{}.journal.>", self.pool)
    }

    /// Names the subject on which the broker tells what is stored of a device's journals.
    pub(crate) fn written(&self, device: &str) -> String {
        format!("loquat.{}.written.{device}.>", self.pool)
    }

    /// Makes the rule of the stream of journals by which the broker tells what is stored.
    pub(crate) fn all_written(&self) -> String {
        format!("loquat.{}.written.>", self.pool)
    }

    /// Names the subject on which a worker tells of a turn while it thinks.
    pub(crate) fn told(&self, device: &str, placement: &str) -> String {
        format!("loquat.{}.told.{device}.{placement}", self.pool)
    }

    /// Names the subject on which workers ask a device.
    pub(crate) fn requests(&self, device: &str) -> String {
        format!("loquat.{}.device.{device}", self.pool)
    }

    /// Names the subject on which it is told that a turn is over.
    pub(crate) fn over(&self, device: &str, placement: &str) -> String {
        format!("loquat.{}.over.{device}.{placement}", self.pool)
    }

    pub(crate) fn present(&self, worker: &str) -> String {
        format!("loquat.{}.present.{worker}", self.pool)
    }

    /// Asks workers to say that they are there.
    pub(crate) fn who(&self) -> String {
        format!("loquat.{}.who", self.pool)
    }

    /// The stream of turns that wait.
    pub(crate) fn turn_stream(&self) -> String {
        format!("LOQUAT_TURNS_{}", self.pool)
    }

    pub(crate) fn journal_stream(&self) -> String {
        format!("LOQUAT_JOURNAL_{}", self.pool)
    }
}
