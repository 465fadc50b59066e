//! Which persona answers in the device's own conversation, and which others may. Chooses none.

use super::device::{Answerer, OwnConversation};

/// Who answers, as it is now.
#[derive(Debug)]
pub(super) struct Answering {
    /// The persona that answers; none where there is no persona.
    pub(super) now: Option<Answerer>,
    /// The persona that answers where none was chosen for this conversation.
    pub(super) usual: Option<Answerer>,
    /// The personas that may be chosen, the usual one first.
    pub(super) all: Vec<Answerer>,
    /// Whether the one that was chosen is not there any more.
    pub(super) is_gone: bool,
}

impl Answering {
    /// Finds out how it is now.
    pub(super) fn of(conversation: &dyn OwnConversation) -> Self {
        let chosen = conversation.chosen().borrow().clone();
        Self::with(conversation.answerers(), conversation.usual(), chosen.as_deref())
    }

    fn with(mut all: Vec<Answerer>, usual: Option<Answerer>, chosen: Option<&str>) -> Self {
        all.sort_by_key(|one| usual.as_ref().is_none_or(|usual| usual.id != one.id));
        let known = |id: &str| all.iter().find(|one| one.id.eq_ignore_ascii_case(id)).cloned();
        let found = chosen.map(|id| known(id).ok_or(id));
        let now = match &found {
            None => usual.clone(),
            Some(Ok(one)) => Some(one.clone()),
            Some(Err(id)) => Some(Answerer::unknown(id)),
        };
        Self {
            now,
            usual,
            is_gone: matches!(found, Some(Err(_))),
            all,
        }
    }

    /// Names who answers.
    pub(super) fn name(self) -> Option<String> {
        self.now.map(|one| one.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(id: &str) -> Answerer {
        Answerer {
            name: id.to_uppercase(),
            ..Answerer::unknown(id)
        }
    }

    #[test]
    fn who_was_chosen_answers_and_else_the_usual_one() {
        let with = |chosen| Answering::with(vec![one("a"), one("b")], Some(one("b")), chosen);
        assert_eq!(with(None).name().as_deref(), Some("B"));
        assert_eq!(with(Some("a")).name().as_deref(), Some("A"));
        let ids: Vec<_> = with(None).all.into_iter().map(|one| one.id).collect();
        assert_eq!(ids, ["b", "a"]);
        let gone = with(Some("c"));
        assert!(gone.is_gone && gone.name().as_deref() == Some("c"));
        assert_eq!(Answering::with(Vec::new(), None, None).name(), None);
    }
}
