//! What was done to a disk, one operation after the other, and what is left of that when the power is cut.
//!
//! A file's bytes are there for sure when the file was synced after them, and a name in a folder when the folder was. Of all
//! else any part may be there: nothing, all, what came first, or here and there a write, torn at a sector. Names in one
//! folder become true in their order, as in every file system with a journal.

use std::collections::HashMap;
use std::ffi::OsString;

use super::tree::{Kind, Tree};
use crate::dice::Dice;

/// What a disk writes as a whole, in bytes.
const SECTOR: usize = 512;

/// Something that was done.
#[derive(Debug, Clone)]
pub(super) enum Operation {
    Make {
        folder: u64,
        name: OsString,
        number: u64,
        kind: Kind,
        mode: u32,
    },
    Write {
        number: u64,
        offset: usize,
        bytes: Vec<u8>,
    },
    Resize {
        number: u64,
        size: usize,
    },
    Permit {
        number: u64,
        mode: u32,
    },
    /// Becomes true with the names of the folder in which the old name stands.
    Rename {
        folder: u64,
        name: OsString,
        to: (u64, OsString),
    },
    Remove {
        folder: u64,
        name: OsString,
    },
    /// Of a file or a folder.
    Sync {
        number: u64,
    },
}

/// What becomes of what was not synced.
#[derive(Debug, Clone, Copy)]
enum Loss {
    /// All of it is lost.
    Whole,
    /// Nothing is lost, as when only the daemon dies.
    None,
    /// Of each file and folder what came last is lost.
    Late,
    /// Of each file some writes are lost, and some are torn.
    Scattered,
}

/// Everything that has happened to a disk.
#[derive(Debug, Clone)]
pub struct Record {
    begin: Tree,
    pub(super) operations: Vec<Operation>,
}

/// Where of a file or folder what is not synced begins, and how far it is there all the same.
#[derive(Debug, Clone, Copy)]
struct Reach {
    synced: usize,
    reached: usize,
}

impl Record {
    pub(super) fn beginning_with(begin: Tree) -> Self {
        Self {
            begin,
            operations: Vec::new(),
        }
    }

    /// Counts the operations that there were.
    pub fn length(&self) -> usize {
        self.operations.len()
    }

    /// Gives all of it, as when nothing is cut.
    pub fn whole(&self) -> Tree {
        let mut tree = self.begin.clone();
        self.operations.iter().for_each(|operation| tree.apply(operation));
        tree
    }

    /// Gives what is left when the power is cut after so many operations.
    pub fn cut(&self, after: usize, dice: &mut Dice) -> Tree {
        let done = &self.operations[..after.min(self.operations.len())];
        let loss = *dice.pick(&[Loss::Whole, Loss::Whole, Loss::None, Loss::Late, Loss::Scattered]);
        let reaches = reaches(done, loss, dice);
        let mut tree = self.begin.clone();
        for (place, operation) in done.iter().enumerate() {
            let reach = operation.bearer().and_then(|bearer| reaches.get(&bearer));
            let (is_synced, is_reached) = reach.map_or((true, true), |reach| {
                (place < reach.synced, place < reach.reached)
            });
            if is_synced {
                tree.apply(operation);
            } else {
                remain(&mut tree, operation, (loss, is_reached), dice);
            }
        }
        tree
    }
}

/// Tells how far each file and folder is there.
fn reaches(done: &[Operation], loss: Loss, dice: &mut Dice) -> HashMap<u64, Reach> {
    let mut reaches = HashMap::new();
    for (place, operation) in done.iter().enumerate() {
        let synced = match operation {
            Operation::Sync { .. } => place,
            _ => 0,
        };
        if let Some(bearer) = operation.bearer() {
            let reach = reaches.entry(bearer).or_insert(Reach {
                synced: 0,
                reached: 0,
            });
            reach.synced = reach.synced.max(synced);
        }
    }
    // In the order of their numbers, so that the same dice give the same cut.
    let mut numbers: Vec<u64> = reaches.keys().copied().collect();
    numbers.sort_unstable();
    for number in numbers {
        if let Some(reach) = reaches.get_mut(&number) {
            reach.reached = match loss {
                Loss::Whole => reach.synced,
                Loss::None => done.len(),
                Loss::Late | Loss::Scattered => reach.synced + dice.index(done.len() - reach.synced + 1),
            };
        }
    }
    reaches
}

/// Does what is left of an operation that was not synced.
fn remain(tree: &mut Tree, operation: &Operation, (loss, is_reached): (Loss, bool), dice: &mut Dice) {
    match operation {
        Operation::Write {
            number,
            offset,
            bytes,
        } if matches!(loss, Loss::Scattered) => {
            let sectors = dice.index(2 * (bytes.len() / SECTOR + 1));
            let bytes = bytes[..(sectors * SECTOR).min(bytes.len())].to_vec();
            let (number, offset) = (*number, *offset);
            tree.apply(&Operation::Write {
                number,
                offset,
                bytes,
            });
        }
        // Its bytes may be there even where its name is not.
        Operation::Make {
            number, kind, mode, ..
        } if !is_reached => tree.make(*number, *kind, *mode),
        operation if is_reached => tree.apply(operation),
        _ => {}
    }
}

impl Operation {
    /// Names what has to be synced for it to be there: the file for its bytes, the folder for its names.
    fn bearer(&self) -> Option<u64> {
        match self {
            Self::Make { folder, .. } | Self::Rename { folder, .. } | Self::Remove { folder, .. } => {
                Some(*folder)
            }
            Self::Write { number, .. } | Self::Resize { number, .. } | Self::Sync { number } => Some(*number),
            // Permissions matter to no content.
            Self::Permit { .. } => None,
        }
    }
}
