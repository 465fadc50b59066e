//! What a tool tells while it works: pieces of text, in order, bounded in number and in size. Joined they are its result.
//!
//! Nothing is held back, and nothing is told after the end of the call. A tool that tells too much is ended by its caller.
//!
//! The journal holds the result alone: a turn that is run again tells no pieces and has the same record. So a tool that
//! tells pieces is not tried again.

use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

/// At most this many pieces of a call are taken.
pub const MOST: usize = 1024;

/// The bounds of all pieces of a call, in bytes: a quarter of an hour of speech.
pub const LONGEST: usize = 16 * 1024;

type Hearer = dyn Fn(&str) + Send + Sync;

/// Takes the pieces of one call. Clones take those of one and the same; the usual one takes none.
#[derive(Clone, Default)]
pub struct Pieces(Option<Arc<Taken>>);

struct Taken {
    hearer: Box<Hearer>,
    told: Mutex<Told>,
    /// Cancelled when more is told than is taken.
    flooded: CancellationToken,
}

#[derive(Debug, Default)]
struct Told {
    text: String,
    count: usize,
    is_over: bool,
}

impl Pieces {
    /// Makes pieces that are heard as they come. The hearer must not block, and tells no pieces itself.
    pub fn heard_by(hearer: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(Taken {
            hearer: Box::new(hearer),
            told: Mutex::default(),
            flooded: CancellationToken::new(),
        })))
    }

    /// Tells the next piece. One that does not fit any more is not told, and none after it.
    pub fn tell(&self, text: &str) {
        let Some(taken) = self.0.as_ref().filter(|_| !text.is_empty()) else {
            return;
        };
        let mut told = taken.told.lock();
        if told.is_over {
            return;
        }
        if told.count >= MOST || told.text.len() + text.len() > LONGEST {
            told.is_over = true;
            taken.flooded.cancel();
            return;
        }
        told.count += 1;
        told.text.push_str(text);
        // Under the lock, so that pieces are heard in the order in which they are joined.
        (taken.hearer)(text);
    }

    /// Joins all pieces so far.
    pub fn joined(&self) -> String {
        let taken = self.0.as_ref();
        taken
            .map(|taken| taken.told.lock().text.clone())
            .unwrap_or_default()
    }

    /// The call has ended: what comes now is not told.
    pub fn close(&self) {
        if let Some(taken) = &self.0 {
            taken.told.lock().is_over = true;
        }
    }

    /// Waits until more is told than is taken, perhaps for ever.
    pub async fn flooded(&self) {
        match &self.0 {
            Some(taken) => taken.flooded.cancelled().await,
            None => std::future::pending().await,
        }
    }
}

impl fmt::Debug for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pieces").field(&self.0.is_some()).finish()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn heard() -> (Pieces, Arc<Mutex<Vec<String>>>) {
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let taken = Arc::clone(&heard);
        (
            Pieces::heard_by(move |text| taken.lock().push(text.to_owned())),
            heard,
        )
    }

    #[test]
    fn pieces_are_heard_in_order_until_the_call_ends() {
        let (pieces, heard) = heard();
        for text in ["one ", "", "two"] {
            pieces.tell(text);
        }
        pieces.close();
        pieces.tell("three");
        assert_eq!(*heard.lock(), ["one ", "two"]);
        assert_eq!(pieces.joined(), "one two");
        assert!(pieces.flooded().now_or_never().is_none());
    }

    #[test]
    fn more_than_is_taken_is_not_heard() {
        let (many, heard_of_many) = heard();
        (0..=MOST).for_each(|_| many.tell("x"));
        assert_eq!(heard_of_many.lock().len(), MOST);
        assert!(many.flooded().now_or_never().is_some());
        let (large, heard_of_large) = heard();
        large.tell(&"x".repeat(LONGEST));
        large.tell("x");
        large.tell("y");
        assert_eq!(heard_of_large.lock().len(), 1);
        assert!(large.flooded().now_or_never().is_some());
    }

    #[test]
    fn without_a_hearer_nothing_is_kept() {
        let pieces = Pieces::default();
        pieces.tell("one");
        assert_eq!(pieces.joined(), "");
    }
}
