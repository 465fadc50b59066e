//! What servers tell unasked of resources that the owner has named: that one is not as it was. What it is then is not read, so
//! none of a server's words come along.

use tokio::sync::broadcast;

/// So many wait for a reader; one that is slower loses the oldest.
const WAITING: usize = 64;

/// A resource of a server has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Update {
    /// The server, as the owner calls it.
    pub server: String,
    /// The resource, as the owner has named it.
    pub uri: String,
}

/// Where they are told. Clones are one.
#[derive(Debug, Clone)]
pub(super) struct Updates(broadcast::Sender<Update>);

impl Default for Updates {
    fn default() -> Self {
        Self(broadcast::Sender::new(WAITING))
    }
}

impl Updates {
    pub(super) fn subscribe(&self) -> broadcast::Receiver<Update> {
        self.0.subscribe()
    }

    /// Tells that a server says so of a resource, or of a part of one. What is not among those that the owner has named is not
    /// told.
    pub(super) fn tell(&self, server: &str, awaited: &[String], uri: &str) {
        let is_part = |of: &String| {
            uri.strip_prefix(of.as_str())
                .is_some_and(|rest| rest.starts_with('/'))
        };
        for uri in awaited.iter().filter(|named| *named == uri || is_part(named)) {
            let update = Update {
                server: server.to_owned(),
                uri: uri.clone(),
            };
            // Without a reader nothing waits for it.
            drop(self.0.send(update));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_owner_has_named_is_told_and_nothing_else() {
        let awaited = ["mail://inbox".to_owned()];
        let updates = Updates::default();
        let mut told = updates.subscribe();
        for uri in ["mail://inbox", "mail://inbox/7", "mail://inboxes", "mail://sent"] {
            updates.tell("mail", &awaited, uri);
        }
        for _ in 0..2 {
            let update = told.try_recv().expect("an update");
            assert_eq!(
                (update.server.as_str(), update.uri.as_str()),
                ("mail", "mail://inbox")
            );
        }
        assert!(told.try_recv().is_err());
    }
}
