//! Whether anything can give an answer to who is in the room of the device: our voice, a terminal, an open page, another program
//! on the bus. Where nothing can, no brain is asked for one. Gives no answer itself.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

/// Tells whether one of its members is there now.
type Member = Box<dyn Fn() -> bool + Send + Sync>;

/// All that can give an answer. Clones are one.
#[derive(Clone, Default)]
pub struct Body {
    members: Arc<Mutex<Vec<Member>>>,
    is_missed: Arc<AtomicBool>,
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").finish_non_exhaustive()
    }
}

impl Body {
    /// Adds something that gives answers as long as it says so. It is asked often and answers at once.
    pub fn grow(&self, member: impl Fn() -> bool + Send + Sync + 'static) {
        self.members.lock().push(Box::new(member));
    }

    /// Tells whether anything is there. That nothing is goes to the log once, until something has been there again.
    pub fn is_there(&self) -> bool {
        let is_there = self.members.lock().iter().any(|member| member());
        let was_missed = self.is_missed.swap(!is_there, Ordering::Relaxed);
        if !is_there && !was_missed {
            tracing::warn!(
                "nothing here can give an answer, so none is thought of: no voice speaks, no terminal or page is open, and no \
                 other program is on the bus; orders that need no brain are carried out, and so are kept ones where there are \
                 tools"
            );
        }
        is_there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_there_as_long_as_one_of_its_members_is() {
        let body = Body::default();
        assert!(!body.is_there());
        let speaks = Arc::new(AtomicBool::new(true));
        let member = Arc::clone(&speaks);
        body.grow(|| false);
        body.grow(move || member.load(Ordering::Relaxed));
        assert!(body.is_there());
        speaks.store(false, Ordering::Relaxed);
        assert!(!body.is_there());
    }
}
