//! A disk in memory that a daemon lives on: it records what is written and what is synced, so that a test can have it as a
//! loss of power would have left it at any moment; and it can be made read-only at once, as a disk is on which the system has
//! found a fault.
//!
//! It is a file system of this process (FUSE), which root may mount everywhere, and other users where fusermount3 is
//! installed. Nothing here knows what is on it.

mod mount;
mod record;
mod tree;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fuser::{BackgroundSession, Config, MountOption, spawn_mount};

use self::mount::Mounted;
use self::record::Operation;
pub use self::record::Record;
pub use self::tree::Tree;

/// What the disk holds, and how that came.
#[derive(Debug)]
struct Contents {
    tree: Tree,
    record: Record,
    is_read_only: bool,
    /// How long a sync takes.
    sync: Duration,
}

impl Contents {
    fn carry_out(&mut self, operation: Operation) {
        self.tree.apply(&operation);
        self.record.operations.push(operation);
    }
}

fn lock(contents: &Mutex<Contents>) -> MutexGuard<'_, Contents> {
    contents.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The mounted disk; it is gone with this value, and the folder too.
#[derive(Debug)]
pub struct MortalDisk {
    contents: Arc<Mutex<Contents>>,
    session: Option<BackgroundSession>,
    folder: PathBuf,
}

impl MortalDisk {
    /// Mounts a disk over a folder, which holds the same files afterwards.
    ///
    /// # Errors
    /// Where this machine lets this user mount nothing.
    pub fn over(folder: &Path) -> io::Result<Self> {
        let tree = Tree::of(folder)?;
        let contents = Arc::new(Mutex::new(Contents {
            record: Record::beginning_with(tree.clone()),
            tree,
            is_read_only: false,
            sync: Duration::ZERO,
        }));
        let mut config = Config::default();
        config.mount_options = vec![MountOption::FSName("loquat-test".into())];
        let session = spawn_mount(Mounted::new(Arc::clone(&contents)), folder, &config)?;
        Ok(Self {
            contents,
            session: Some(session),
            folder: folder.to_owned(),
        })
    }

    /// Counts the operations that there were.
    pub fn moment(&self) -> usize {
        lock(&self.contents).record.operations.len()
    }

    /// Gives everything that has happened to it so far.
    pub fn record(&self) -> Record {
        lock(&self.contents).record.clone()
    }

    /// From now on it takes nothing, or takes everything again.
    pub fn set_read_only(&self, is_read_only: bool) {
        lock(&self.contents).is_read_only = is_read_only;
    }
}

impl MortalDisk {
    /// From now on each sync takes so long, as on the card of a small board: what is told before it has ended shows.
    pub fn set_sync(&self, takes: Duration) {
        lock(&self.contents).sync = takes;
    }
}

impl Drop for MortalDisk {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            // A daemon that still runs keeps it in use; the kernel lets go of it later.
            session.umount_and_join().ok();
        }
        std::fs::remove_dir(&self.folder).ok();
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::Write;

    use super::*;
    use crate::dice::Dice;

    fn disk() -> Option<(tempfile::TempDir, MortalDisk)> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("old"), "there before").unwrap();
        MortalDisk::over(folder.path()).ok().map(|disk| (folder, disk))
    }

    #[test]
    fn what_was_synced_survives_every_cut_and_what_was_not_need_not() {
        let Some((folder, disk)) = disk() else { return };
        let path = folder.path().join("file");
        let mut file = File::create(&path).unwrap();
        file.write_all(b"synced").unwrap();
        file.sync_all().unwrap();
        File::open(folder.path()).unwrap().sync_all().unwrap();
        let synced = disk.moment();
        file.write_all(b" and not").unwrap();
        fs::rename(&path, folder.path().join("renamed")).unwrap();
        assert_eq!(
            fs::read(folder.path().join("renamed")).unwrap(),
            b"synced and not"
        );
        assert_eq!(fs::read(folder.path().join("old")).unwrap(), b"there before");
        let record = disk.record();
        let (mut lost, mut kept) = (0, 0);
        for seed in 0..40 {
            let tree = record.cut(disk.moment(), &mut Dice::new(seed));
            let found = tree.read("file").or_else(|| tree.read("renamed")).unwrap();
            assert!(found.starts_with(b"synced"), "{found:?}");
            assert!(tree.read("old").is_some());
            lost += usize::from(found == b"synced");
            kept += usize::from(found == b"synced and not");
        }
        assert!(lost > 0 && kept > 0, "{lost} lost, {kept} kept");
        for seed in 0..40 {
            let tree = record.cut(synced, &mut Dice::new(seed));
            assert_eq!(tree.read("file").unwrap(), b"synced");
        }
    }

    #[test]
    fn a_read_only_disk_takes_nothing_and_is_read() {
        let Some((folder, disk)) = disk() else { return };
        disk.set_read_only(true);
        let refused = fs::write(folder.path().join("new"), "x").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::ReadOnlyFilesystem);
        assert_eq!(fs::read(folder.path().join("old")).unwrap(), b"there before");
        disk.set_read_only(false);
        fs::write(folder.path().join("new"), "x").unwrap();
    }
}
