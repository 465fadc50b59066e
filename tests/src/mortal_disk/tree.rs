//! Files and folders in memory, and what an operation makes of them. The disk and its remains after a cut are both one.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use super::record::Operation;

/// The number of the first folder, which FUSE gives.
pub(super) const ROOT: u64 = 1;

/// Bits of a mode that are permissions.
const PERMISSIONS: u32 = 0o7777;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    File,
    Socket,
}

/// A file or a folder.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) mode: u32,
    /// Of a file.
    pub(super) bytes: Vec<u8>,
    /// Of a folder.
    pub(super) entries: BTreeMap<OsString, u64>,
}

/// All nodes by their numbers; those without a name stay, since they may be open.
#[derive(Debug, Clone)]
pub struct Tree {
    nodes: BTreeMap<u64, Node>,
}

impl Node {
    fn new(kind: Kind, mode: u32) -> Self {
        Self {
            kind,
            mode: mode & PERMISSIONS,
            bytes: Vec::new(),
            entries: BTreeMap::new(),
        }
    }
}

impl Tree {
    /// Reads what lies in a folder.
    pub(super) fn of(folder: &Path) -> io::Result<Self> {
        let mut tree = Self {
            nodes: BTreeMap::new(),
        };
        tree.take(ROOT, folder)?;
        Ok(tree)
    }

    fn take(&mut self, number: u64, path: &Path) -> io::Result<()> {
        let metadata = fs::metadata(path)?;
        let kind = if metadata.is_dir() {
            Kind::Folder
        } else {
            Kind::File
        };
        let mut node = Node::new(kind, metadata.mode());
        if kind == Kind::File {
            node.bytes = fs::read(path)?;
        }
        self.nodes.insert(number, node);
        if kind == Kind::Folder {
            for entry in fs::read_dir(path)? {
                let (entry, inner) = (entry?, self.free_number());
                self.take(inner, &entry.path())?;
                self.name(number, &entry.file_name(), inner);
            }
        }
        Ok(())
    }

    /// Gives a number that no node has.
    pub(super) fn free_number(&self) -> u64 {
        self.nodes.last_key_value().map_or(ROOT, |(last, _)| last + 1)
    }

    pub(super) fn node(&self, number: u64) -> Option<&Node> {
        self.nodes.get(&number)
    }

    /// Finds the number of a name in a folder.
    pub(super) fn find(&self, folder: u64, name: &OsStr) -> Option<u64> {
        self.node(folder)?.entries.get(name).copied()
    }

    /// Reads what a file holds; `path` is relative.
    pub fn read(&self, path: &str) -> Option<&[u8]> {
        let mut parts = path.split('/');
        let number = parts.try_fold(ROOT, |folder, part| self.find(folder, OsStr::new(part)))?;
        self.node(number).map(|node| node.bytes.as_slice())
    }

    fn name(&mut self, folder: u64, name: &OsStr, number: u64) {
        if let Some(folder) = self.nodes.get_mut(&folder) {
            folder.entries.insert(name.to_owned(), number);
        }
    }

    fn unname(&mut self, folder: u64, name: &OsStr) -> Option<u64> {
        self.nodes.get_mut(&folder)?.entries.remove(name)
    }

    /// Makes a node without a name.
    pub(super) fn make(&mut self, number: u64, kind: Kind, mode: u32) {
        self.nodes.insert(number, Node::new(kind, mode));
    }

    /// Does what was done.
    pub(super) fn apply(&mut self, operation: &Operation) {
        match operation {
            Operation::Make {
                folder,
                name,
                number,
                kind,
                mode,
            } => {
                self.make(*number, *kind, *mode);
                self.name(*folder, name, *number);
            }
            Operation::Write {
                number,
                offset,
                bytes,
            } => self.write(*number, *offset, bytes),
            Operation::Resize { number, size } => {
                if let Some(node) = self.nodes.get_mut(number) {
                    node.bytes.resize(*size, 0);
                }
            }
            Operation::Permit { number, mode } => {
                if let Some(node) = self.nodes.get_mut(number) {
                    node.mode = mode & PERMISSIONS;
                }
            }
            Operation::Rename {
                folder,
                name,
                to: (into, new),
            } => {
                if let Some(number) = self.unname(*folder, name) {
                    self.name(*into, new, number);
                }
            }
            Operation::Remove { folder, name } => drop(self.unname(*folder, name)),
            Operation::Sync { .. } => {}
        }
    }

    fn write(&mut self, number: u64, offset: usize, bytes: &[u8]) {
        let Some(node) = self.nodes.get_mut(&number) else {
            return;
        };
        let end = offset + bytes.len();
        if node.bytes.len() < end {
            node.bytes.resize(end, 0);
        }
        node.bytes[offset..end].copy_from_slice(bytes);
    }

    /// Writes all of it into a folder, which is made.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn lay(&self, folder: &Path) -> io::Result<()> {
        self.lay_node(ROOT, folder)
    }

    fn lay_node(&self, number: u64, path: &Path) -> io::Result<()> {
        let Some(node) = self.node(number) else {
            return Ok(());
        };
        match node.kind {
            Kind::Folder => {
                fs::create_dir_all(path)?;
                for (name, inner) in &node.entries {
                    self.lay_node(*inner, &path.join(name))?;
                }
            }
            Kind::File => fs::write(path, &node.bytes)?,
            Kind::Socket => return Ok(()),
        }
        fs::set_permissions(path, Permissions::from_mode(node.mode))
    }
}
