//! How far turns have come when the state file has no room to say so: a file of slots of one size, which are overwritten
//! in place and so need no room on a full disk.
//!
//! What stands here is brought into the state file as soon as that can be written. Nothing here decides what is said.

use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::pending_turn::Interrupted;
use super::private;

/// More turns than can be pending at once.
const SLOTS: usize = 512;

/// A slot has this many bytes: a letter, the turn's id, and points.
const SLOT: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// The answer is being given, or was given.
    Closing,
    /// Nothing waits for it any more.
    Settled,
}

#[derive(Debug)]
pub(super) struct Slots {
    path: PathBuf,
    /// The slots in use, in their order in the file. The oldest is overwritten when all are in use.
    marks: Vec<(String, Stage)>,
    next: usize,
}

impl Slots {
    /// Reads those beside the state file, and makes room for all.
    pub(super) fn beside(file: &Path) -> Self {
        let path = file.with_extension("slots");
        let marks = read(&path).unwrap_or_default();
        let size = std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
        if size != (SLOTS * SLOT) as u64
            && let Err(error) = reserve(&path)
        {
            tracing::warn!(%error, file = %path.display(), "failed to keep room for turns that end while the disk is full");
        }
        let next = marks.len() % SLOTS;
        Self { path, marks, next }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// All turns of which something stands here.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, Stage)> {
        self.marks
            .iter()
            .map(|(turn_id, stage)| (turn_id.as_str(), *stage))
    }

    /// Notes how far a turn has come.
    pub(super) fn note(&mut self, turn_id: &str, stage: Stage) {
        let mark = (turn_id.to_owned(), stage);
        let known = self.marks.iter().position(|(known, _)| known == turn_id);
        let place = known.unwrap_or(self.next);
        match self.marks.get_mut(place) {
            Some(slot) => *slot = mark,
            None => self.marks.push(mark),
        }
        if known.is_none() {
            self.next = (self.next + 1) % SLOTS;
        }
        if let Err(error) = write(&self.path, place, &line(turn_id, stage)) {
            tracing::error!(%error, turn = turn_id, "nothing tells the next start that this turn has ended");
        }
    }

    /// Forgets all, since the state file tells it now.
    pub(super) fn clear(&mut self) {
        if self.marks.is_empty() {
            return;
        }
        (self.marks, self.next) = (Vec::new(), 0);
        // What stands there still would be brought in once more, which changes nothing.
        reserve(&self.path).unwrap_or_default();
    }

    /// Takes settled turns out of the pending ones, and marks those whose answer was being given.
    pub(super) fn amend(&self, pending: &mut Vec<Interrupted>) {
        let stage = |turn_id: &str| {
            self.all()
                .find(|(known, _)| *known == turn_id)
                .map(|(_, stage)| stage)
        };
        pending.retain_mut(|(pending, _)| match stage(&pending.turn_id) {
            Some(Stage::Settled) => false,
            Some(Stage::Closing) => {
                pending.closing.get_or_insert_default();
                true
            }
            None => true,
        });
    }
}

/// Overwrites all slots with points. Real bytes, since a file with holes takes no room.
fn reserve(path: &Path) -> io::Result<()> {
    private::open(path)?.write_all_at(&vec![b'.'; SLOTS * SLOT], 0)
}

fn write(path: &Path, place: usize, line: &[u8]) -> io::Result<()> {
    private::open(path)?.write_all_at(line, (place * SLOT) as u64)
}

fn line(turn_id: &str, stage: Stage) -> Vec<u8> {
    let letter = match stage {
        Stage::Closing => 'c',
        Stage::Settled => 's',
    };
    let mut line = format!("{letter} {turn_id} ").into_bytes();
    // An id of ours always fits.
    line.resize(SLOT, b'.');
    line
}

fn read(path: &Path) -> io::Result<Vec<(String, Stage)>> {
    let bytes = std::fs::read(path)?;
    Ok(bytes.chunks(SLOT).map_while(mark).collect())
}

fn mark(slot: &[u8]) -> Option<(String, Stage)> {
    let text = std::str::from_utf8(slot).ok()?;
    let mut words = text.split(' ');
    let stage = match words.next()? {
        "c" => Stage::Closing,
        "s" => Stage::Settled,
        _ => return None,
    };
    Some((words.next()?.to_owned(), stage))
}
