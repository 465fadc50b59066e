//! The PIN of this device, and the lock that falls for who said a wrong one too often. Never keeps a PIN that was said.

use std::time::Duration;

use loquat_part::lockout::Lockout;
use secrecy::SecretString;
use tokio::sync::Mutex;

pub(super) use loquat_part::lockout::Guesser as PinGuesser;
use loquat_phrases::pin::PinHash;

/// Wrong PINs of one speaker in a row that lock it for that one.
const MOST_WRONG: u32 = 3;

/// How long it stays locked.
const LOCKED: Duration = Duration::from_secs(300);

#[derive(Debug)]
pub(super) struct PinLock {
    hash: Option<PinHash>,
    /// Held while a PIN is compared, so that several at once are not more tries than one after the other.
    tries: Mutex<()>,
    lockout: Lockout,
}

impl PinLock {
    pub(super) fn new(hash: Option<PinHash>) -> Self {
        Self {
            hash,
            tries: Mutex::default(),
            lockout: Lockout::new(MOST_WRONG, LOCKED),
        }
    }

    pub(super) fn is_set(&self) -> bool {
        self.hash.is_some()
    }

    /// Whether no PIN of this one is taken now.
    pub(super) fn is_locked(&self, guesser: &PinGuesser) -> bool {
        self.lockout.is_locked(guesser)
    }

    /// Whether this is the PIN. Compares on a thread for what blocks. A cancelled comparison counts as none.
    pub(super) async fn opens(&self, pin: SecretString, guesser: &PinGuesser) -> bool {
        let _one_at_a_time = self.tries.lock().await;
        let Some(hash) = self.hash.clone().filter(|_| !self.is_locked(guesser)) else {
            return false;
        };
        self.lockout.note_wrong(guesser);
        let compared = tokio::task::spawn_blocking(move || hash.is_of(&pin)).await;
        let is_right = compared.unwrap_or_default();
        if is_right {
            self.lockout.forgive(guesser);
        }
        is_right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: PinGuesser = PinGuesser::Here;

    fn pin(digits: &str) -> SecretString {
        SecretString::from(digits)
    }

    #[tokio::test]
    async fn three_wrong_pins_in_a_row_lock_it_for_a_while() {
        let lock = PinLock::new(Some(PinHash::of(&pin("2468")).unwrap()));
        for _ in 0..2 {
            assert!(!lock.opens(pin("1111"), &HERE).await);
        }
        assert!(
            lock.opens(pin("2468"), &HERE).await && !lock.is_locked(&HERE),
            "a right one forgives"
        );
        for _ in 0..3 {
            assert!(!lock.is_locked(&HERE));
            assert!(!lock.opens(pin("1111"), &HERE).await);
        }
        assert!(lock.is_locked(&HERE));
        assert!(!lock.opens(pin("2468"), &HERE).await, "it is locked");
        tokio::time::pause();
        tokio::time::advance(LOCKED).await;
        tokio::time::resume();
        assert!(!lock.is_locked(&HERE) && lock.opens(pin("2468"), &HERE).await);
    }
}
