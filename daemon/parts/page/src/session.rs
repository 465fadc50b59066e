//! Browsers that have entered, each with a secret in its cookie and one in its forms; and the words that let one enter once.
//!
//! Knows no request and keeps nothing over a restart.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use super::entry_file::EntryFile;

/// A browser that shows nothing of itself for so long has to enter again.
const IDLE: Duration = Duration::from_secs(12 * 60 * 60);

/// Browsers at once; of one more, the one that was seen least lately has to enter again.
const MOST_SESSIONS: usize = 16;

/// How long a one-time token is good.
const GOOD: Duration = Duration::from_secs(120);

/// Tokens that are good at the same time; one more takes the place of the oldest.
const MOST_TOKENS: usize = 8;

/// A browser that has entered.
#[derive(Debug)]
pub(super) struct Session {
    /// What its cookie holds.
    secret: String,
    /// What its forms hold, so that no other page can send one in its name.
    pub(super) csrf: String,
    /// Whether it is shown what people said; absent until a person has chosen.
    reveals: Mutex<Option<bool>>,
    /// What the next view tells of what was done, and whether that is a fault.
    notice: Mutex<Option<Notice>>,
    seen: Mutex<Instant>,
}

/// A sentence of what was done, or of why it was not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Notice {
    pub(super) text: String,
    pub(super) is_fault: bool,
}

impl Session {
    fn new() -> Self {
        Self {
            secret: drawn(),
            csrf: drawn(),
            reveals: Mutex::new(None),
            notice: Mutex::default(),
            seen: Mutex::new(Instant::now()),
        }
    }

    /// Gives what its cookie holds.
    pub(super) fn secret(&self) -> &str {
        &self.secret
    }

    /// Tells whether it is shown what people said.
    pub(super) fn reveals(&self) -> bool {
        *self.reveals.lock() == Some(true)
    }

    /// Tells whether a person has chosen that, here or in this browser before.
    pub(super) fn has_chosen(&self) -> bool {
        self.reveals.lock().is_some()
    }

    /// Shows it what people said, or hides that.
    pub(super) fn reveal(&self, reveals: bool) {
        *self.reveals.lock() = Some(reveals);
    }

    /// Has the next view tell this.
    pub(super) fn note(&self, notice: Notice) {
        *self.notice.lock() = Some(notice);
    }

    /// Gives what is to be told, once.
    pub(super) fn take_notice(&self) -> Option<Notice> {
        self.notice.lock().take()
    }

    fn is_idle(&self) -> bool {
        self.seen.lock().elapsed() > IDLE
    }
}

#[derive(Debug, Default)]
pub(super) struct Sessions {
    /// Those seen last stand last.
    entered: Mutex<VecDeque<Arc<Session>>>,
    tokens: Mutex<VecDeque<Token>>,
}

/// A word that lets one browser enter.
#[derive(Debug)]
struct Token {
    word: String,
    since: Instant,
    /// Where it stands for a browser of this machine; it goes away with the word.
    file: Option<EntryFile>,
}

impl Token {
    fn is_good(&self) -> bool {
        self.since.elapsed() < GOOD
    }
}

impl Sessions {
    /// Makes a word that lets one browser enter once, within two minutes.
    pub(super) fn token(&self) -> String {
        let mut tokens = self.tokens.lock();
        if tokens.len() >= MOST_TOKENS {
            tokens.pop_front();
        }
        let word = drawn();
        tokens.push_back(Token {
            word: word.clone(),
            since: Instant::now(),
            file: None,
        });
        word
    }

    /// Keeps the file in which a token stands for as long as that is good.
    pub(super) fn keep(&self, token: &str, file: EntryFile) {
        let mut tokens = self.tokens.lock();
        if let Some(kept) = tokens.iter_mut().find(|kept| kept.word == token) {
            kept.file = Some(file);
        }
    }

    /// Tells whether this is a token that is good. It is not any more then.
    pub(super) fn redeem(&self, token: &str) -> bool {
        let mut tokens = self.tokens.lock();
        tokens.retain(Token::is_good);
        let found = tokens.iter().position(|known| is_same(&known.word, token));
        found.and_then(|at| tokens.remove(at)).is_some()
    }

    /// Waits until the oldest token has expired, and forgets it; for ever where there is none. Cancel safe.
    pub(super) async fn expired(&self) {
        let oldest = self.tokens.lock().front().map(|token| token.since);
        match oldest {
            Some(since) => tokio::time::sleep_until(since + GOOD).await,
            None => std::future::pending().await,
        }
        self.tokens.lock().retain(Token::is_good);
    }

    /// Lets one more browser in, and the one that was seen longest ago out where there are too many.
    pub(super) fn enter(&self) -> Arc<Session> {
        let mut entered = self.entered.lock();
        entered.retain(|session| !session.is_idle());
        if entered.len() >= MOST_SESSIONS {
            entered.pop_front();
        }
        let session = Arc::new(Session::new());
        entered.push_back(Arc::clone(&session));
        session
    }

    /// Finds the browser whose cookie holds this.
    pub(super) fn find(&self, secret: &str) -> Option<Arc<Session>> {
        let mut entered = self.entered.lock();
        let at = entered
            .iter()
            .position(|session| is_same(&session.secret, secret) && !session.is_idle())?;
        let session = entered.remove(at)?;
        *session.seen.lock() = Instant::now();
        entered.push_back(Arc::clone(&session));
        Some(session)
    }

    /// It has to enter again from now on.
    pub(super) fn leave(&self, session: &Session) {
        self.entered.lock().retain(|one| one.secret != session.secret);
    }
}

/// Draws 244 bits from the system.
fn drawn() -> String {
    let half = || uuid::Uuid::new_v4().simple().to_string();
    half() + &half()
}

/// Takes as long for a wrong secret as for the right one.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    let differs = pairs.fold(0, |differs, (one, other)| differs | (one ^ other));
    one.len() == other.len() && differs == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_token_is_good_once_and_not_for_long() {
        let sessions = Sessions::default();
        let token = sessions.token();
        assert!(!sessions.redeem("") && !sessions.redeem(&token[1..]));
        assert!(sessions.redeem(&token) && !sessions.redeem(&token));
        let late = sessions.token();
        tokio::time::advance(GOOD).await;
        assert!(!sessions.redeem(&late), "it has expired");
        let first = sessions.token();
        for _ in 0..MOST_TOKENS {
            sessions.token();
        }
        assert!(!sessions.redeem(&first), "newer ones took its place");
    }

    #[tokio::test(start_paused = true)]
    async fn a_browser_stays_as_long_as_it_is_used_and_there_is_room() {
        let sessions = Sessions::default();
        let used = sessions.enter();
        let idle = sessions.enter();
        tokio::time::advance(IDLE / 2).await;
        assert!(sessions.find(used.secret()).is_some());
        tokio::time::advance(IDLE / 2 + Duration::from_secs(1)).await;
        assert!(sessions.find(used.secret()).is_some());
        assert!(sessions.find(idle.secret()).is_none());
        for _ in 0..MOST_SESSIONS {
            sessions.enter();
        }
        assert!(sessions.find(used.secret()).is_none());
        let left = sessions.enter();
        sessions.leave(&left);
        assert!(sessions.find(left.secret()).is_none());
    }
}
