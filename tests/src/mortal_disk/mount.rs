//! The disk as the kernel sees it. Every change is one operation of the record; locks and caches are the kernel's own.

use std::ffi::OsStr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime};

use fuser::{
    AccessFlags, BsdFileFlags, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation,
    INodeNo, LockOwner, OpenAccMode, OpenFlags, RenameFlags, ReplyAttr, ReplyCreate, ReplyData,
    ReplyDirectory, ReplyEmpty, ReplyEntry, ReplyOpen, ReplyStatfs, ReplyWrite, Request, TimeOrNow,
    WriteFlags,
};
use rustix::process::{getgid, getuid};

use super::record::Operation;
use super::tree::{Kind, Node};
use super::{Contents, lock};

/// How long the kernel may believe what it was told: only it changes the disk.
const TTL: Duration = Duration::from_secs(1);

/// Blocks of the disk, which is never full.
const BLOCKS: u64 = 1 << 20;
const BLOCK: u32 = 4096;

/// Of a mode, what says what a node is, and that it is a socket.
const TYPE: u32 = 0o170_000;
const SOCKET: u32 = 0o140_000;

pub(super) struct Mounted(Arc<Mutex<Contents>>);

impl Mounted {
    pub(super) fn new(contents: Arc<Mutex<Contents>>) -> Self {
        Self(contents)
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        lock(&self.0)
    }

    /// The contents to be changed.
    fn changed(&self) -> Result<MutexGuard<'_, Contents>, Errno> {
        let contents = self.contents();
        if contents.is_read_only {
            Err(Errno::EROFS)
        } else {
            Ok(contents)
        }
    }

    fn attributes(&self, number: u64) -> Result<FileAttr, Errno> {
        let contents = self.contents();
        contents
            .tree
            .node(number)
            .map(|node| attributes(number, node))
            .ok_or(Errno::ENOENT)
    }

    fn make(&self, folder: u64, name: &OsStr, kind: Kind, mode: u32) -> Result<FileAttr, Errno> {
        let mut contents = self.changed()?;
        if contents.tree.find(folder, name).is_some() {
            return Err(Errno::EEXIST);
        }
        let number = contents.tree.free_number();
        let name = name.to_owned();
        contents.carry_out(Operation::Make {
            folder,
            name,
            number,
            kind,
            mode,
        });
        drop(contents);
        self.attributes(number)
    }

    fn remove(&self, folder: u64, name: &OsStr) -> Result<(), Errno> {
        let mut contents = self.changed()?;
        let number = contents.tree.find(folder, name).ok_or(Errno::ENOENT)?;
        if contents
            .tree
            .node(number)
            .is_some_and(|node| !node.entries.is_empty())
        {
            return Err(Errno::ENOTEMPTY);
        }
        let name = name.to_owned();
        contents.carry_out(Operation::Remove { folder, name });
        Ok(())
    }

    fn rename(
        &self,
        (folder, name): (u64, &OsStr),
        (into, new): (u64, &OsStr),
        flags: RenameFlags,
    ) -> Result<(), Errno> {
        let mut contents = self.changed()?;
        if contents.tree.find(folder, name).is_none() {
            return Err(Errno::ENOENT);
        }
        if !(flags & !RenameFlags::RENAME_NOREPLACE).is_empty() {
            return Err(Errno::EINVAL);
        }
        if !flags.is_empty() && contents.tree.find(into, new).is_some() {
            return Err(Errno::EEXIST);
        }
        let (name, to) = (name.to_owned(), (into, new.to_owned()));
        contents.carry_out(Operation::Rename { folder, name, to });
        Ok(())
    }

    fn sync(&self, number: u64, reply: ReplyEmpty) {
        let takes = self.contents().sync;
        #[expect(
            clippy::disallowed_methods,
            reason = "this is the disk, and syncing takes it so long"
        )]
        std::thread::sleep(takes);
        self.contents().carry_out(Operation::Sync { number });
        reply.ok();
    }

    fn set(&self, number: u64, mode: Option<u32>, size: Option<u64>) -> Result<FileAttr, Errno> {
        if let Some(mode) = mode {
            self.changed()?.carry_out(Operation::Permit { number, mode });
        }
        if let Some(size) = size {
            let size = size as usize;
            self.changed()?.carry_out(Operation::Resize { number, size });
        }
        self.attributes(number)
    }
}

fn attributes(number: u64, node: &Node) -> FileAttr {
    let size = node.bytes.len() as u64;
    let now = SystemTime::UNIX_EPOCH;
    FileAttr {
        ino: INodeNo(number),
        size,
        blocks: size.div_ceil(512),
        atime: now,
        mtime: now,
        ctime: now,
        crtime: now,
        kind: kind(node.kind),
        perm: node.mode as u16,
        nlink: 1,
        uid: getuid().as_raw(),
        gid: getgid().as_raw(),
        rdev: 0,
        blksize: BLOCK,
        flags: 0,
    }
}

fn kind(kind: Kind) -> FileType {
    match kind {
        Kind::Folder => FileType::Directory,
        Kind::File => FileType::RegularFile,
        Kind::Socket => FileType::Socket,
    }
}

fn entry(made: Result<FileAttr, Errno>, reply: ReplyEntry) {
    match made {
        Ok(attributes) => reply.entry(&TTL, &attributes, Generation(0)),
        Err(error) => reply.error(error),
    }
}

fn empty(done: Result<(), Errno>, reply: ReplyEmpty) {
    match done {
        Ok(()) => reply.ok(),
        Err(error) => reply.error(error),
    }
}

fn attr(found: Result<FileAttr, Errno>, reply: ReplyAttr) {
    match found {
        Ok(attributes) => reply.attr(&TTL, &attributes),
        Err(error) => reply.error(error),
    }
}

impl Filesystem for Mounted {
    fn lookup(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let number = self.contents().tree.find(parent.0, name).ok_or(Errno::ENOENT);
        entry(number.and_then(|number| self.attributes(number)), reply);
    }

    fn getattr(&self, _: &Request, number: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        attr(self.attributes(number.0), reply);
    }

    fn setattr(
        &self,
        _: &Request,
        number: INodeNo,
        mode: Option<u32>,
        _: Option<u32>,
        _: Option<u32>,
        size: Option<u64>,
        _: Option<TimeOrNow>,
        _: Option<TimeOrNow>,
        _: Option<SystemTime>,
        _: Option<FileHandle>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        attr(self.set(number.0, mode, size), reply);
    }

    fn mknod(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _: u32,
        _: u32,
        reply: ReplyEntry,
    ) {
        let kind = if mode & TYPE == SOCKET {
            Kind::Socket
        } else {
            Kind::File
        };
        entry(self.make(parent.0, name, kind, mode), reply);
    }

    fn mkdir(&self, _: &Request, parent: INodeNo, name: &OsStr, mode: u32, _: u32, reply: ReplyEntry) {
        entry(self.make(parent.0, name, Kind::Folder, mode), reply);
    }

    fn create(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        mode: u32,
        _: u32,
        _: i32,
        reply: ReplyCreate,
    ) {
        match self.make(parent.0, name, Kind::File, mode) {
            Ok(made) => reply.created(&TTL, &made, Generation(0), FileHandle(0), FopenFlags::empty()),
            Err(error) => reply.error(error),
        }
    }

    fn unlink(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        empty(self.remove(parent.0, name), reply);
    }

    fn rmdir(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        empty(self.remove(parent.0, name), reply);
    }

    fn rename(
        &self,
        _: &Request,
        parent: INodeNo,
        name: &OsStr,
        into: INodeNo,
        new: &OsStr,
        flags: RenameFlags,
        reply: ReplyEmpty,
    ) {
        empty(Self::rename(self, (parent.0, name), (into.0, new), flags), reply);
    }

    fn open(&self, _: &Request, _: INodeNo, flags: OpenFlags, reply: ReplyOpen) {
        let writes = flags.acc_mode() != OpenAccMode::O_RDONLY;
        if writes && self.contents().is_read_only {
            return reply.error(Errno::EROFS);
        }
        reply.opened(FileHandle(0), FopenFlags::FOPEN_KEEP_CACHE);
    }

    fn read(
        &self,
        _: &Request,
        number: INodeNo,
        _: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let contents = self.contents();
        let Some(node) = contents.tree.node(number.0) else {
            return reply.error(Errno::ENOENT);
        };
        let begin = (offset as usize).min(node.bytes.len());
        let end = (begin + size as usize).min(node.bytes.len());
        reply.data(&node.bytes[begin..end]);
    }

    fn write(
        &self,
        _: &Request,
        number: INodeNo,
        _: FileHandle,
        offset: u64,
        data: &[u8],
        _: WriteFlags,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        match self.changed() {
            Ok(mut contents) => {
                contents.carry_out(Operation::Write {
                    number: number.0,
                    offset: offset as usize,
                    bytes: data.to_vec(),
                });
                reply.written(data.len() as u32);
            }
            Err(error) => reply.error(error),
        }
    }

    fn flush(&self, _: &Request, _: INodeNo, _: FileHandle, _: LockOwner, reply: ReplyEmpty) {
        reply.ok();
    }

    fn fsync(&self, _: &Request, number: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        self.sync(number.0, reply);
    }

    fn fsyncdir(&self, _: &Request, number: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        self.sync(number.0, reply);
    }

    fn readdir(&self, _: &Request, number: INodeNo, _: FileHandle, offset: u64, mut reply: ReplyDirectory) {
        let contents = self.contents();
        let Some(folder) = contents.tree.node(number.0) else {
            return reply.error(Errno::ENOENT);
        };
        let entries = folder.entries.iter().enumerate().skip(offset as usize);
        for (place, (name, inner)) in entries {
            let kind = contents
                .tree
                .node(*inner)
                .map_or(FileType::RegularFile, |node| kind(node.kind));
            if reply.add(INodeNo(*inner), place as u64 + 1, kind, name) {
                break;
            }
        }
        reply.ok();
    }

    fn statfs(&self, _: &Request, _: INodeNo, reply: ReplyStatfs) {
        reply.statfs(BLOCKS, BLOCKS, BLOCKS, BLOCKS, BLOCKS, BLOCK, 255, BLOCK);
    }

    fn access(&self, _: &Request, _: INodeNo, mask: AccessFlags, reply: ReplyEmpty) {
        let is_refused = mask.contains(AccessFlags::W_OK) && self.contents().is_read_only;
        empty(if is_refused { Err(Errno::EROFS) } else { Ok(()) }, reply);
    }
}
