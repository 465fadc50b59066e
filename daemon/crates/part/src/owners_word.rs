//! The word of the owner for something that no program on the bus may do: a file that only those can make who may write in
//! the state folder. Frames carry no secret, since every client of the bus hears them.
//!
//! Here is also what the frames in which the owner types bear, on the page and at the command line.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::fs;
use tokio::io::AsyncWriteExt;

/// What frames of the page say that they come from.
pub const PAGE: &str = "loquat-page";

/// What frames of the command line say that they come from.
pub const COMMAND_LINE: &str = "loquat-cli";

/// Our own key in the context of a question, which comes back on everything that the question causes (MSG-1 §2.3). The owner
/// gives their word for what stands under it.
pub const QUESTION: &str = "loquat_question";

const FILE: &str = "owners-word";

/// A word that is older was for something else.
const LASTS: Duration = Duration::from_secs(10);

/// Where the word is given.
#[derive(Debug, Clone)]
pub struct OwnersWord(PathBuf);

impl OwnersWord {
    /// Uses the file in this state folder.
    pub fn in_folder(state: &Path) -> Self {
        Self(state.join(FILE))
    }

    /// Gives it for this, which no other client can name before it is said. It counts once, and for a moment.
    pub async fn give(&self, what: &str) -> io::Result<()> {
        self.take_back().await;
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        let mut file = options.open(&self.0).await?;
        file.write_all(what.as_bytes()).await?;
        file.flush().await
    }

    /// Takes it back, where the daemon has not heeded it.
    pub async fn take_back(&self) {
        // That it is not there any more is what is wanted.
        fs::remove_file(&self.0).await.unwrap_or_default();
    }

    /// Tells whether it was given for this, and just now. It is gone then.
    pub async fn is_given(&self, what: &str) -> bool {
        let is_given = self.is_of_owner().await && self.is_for(what).await;
        is_given && fs::remove_file(&self.0).await.is_ok()
    }

    async fn is_of_owner(&self) -> bool {
        let given = fs::symlink_metadata(&self.0).await;
        given.is_ok_and(|given| {
            let age = given.modified().ok().and_then(|since| since.elapsed().ok());
            let by = [0, rustix::process::geteuid().as_raw()];
            given.is_file() && by.contains(&given.uid()) && age.is_some_and(|age| age <= LASTS)
        })
    }

    async fn is_for(&self, what: &str) -> bool {
        let text = fs::read(&self.0).await;
        text.is_ok_and(|text| text == what.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_word_counts_once_and_only_where_it_was_given() {
        let folder = tempfile::tempdir().unwrap();
        let word = OwnersWord::in_folder(folder.path());
        assert!(!word.is_given("a").await);
        word.give("a").await.unwrap();
        assert!(!word.is_given("b").await);
        assert!(word.is_given("a").await);
        assert!(!word.is_given("a").await);
        word.give("a").await.unwrap();
        word.take_back().await;
        assert!(!word.is_given("a").await);
        std::os::unix::fs::symlink("/etc/hostname", folder.path().join(FILE)).unwrap();
        assert!(!word.is_given("").await);
    }
}
