//! The socket of a bus, read so that no message of a stranger's size is kept: one that is too large is read past, and what
//! waits for it waits in vain until its time is over.
//!
//! Passes no file descriptors.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use zbus::Message;
use zbus::connection::socket::{ReadHalf, Socket, Split, WriteHalf};
use zbus::export::async_trait::async_trait;

/// In bytes. Some players send the picture of an album with the title.
const LARGEST: usize = 4 << 20;

/// What every message begins with, in bytes: among it the lengths of what follows.
const HEADER: usize = 16;

/// At a time, of what is read past.
const PIECE: usize = 16 << 10;

#[derive(Debug)]
pub(super) struct Bounded(pub(super) UnixStream);

/// Reads message after message as zbus does.
#[derive(Debug)]
pub(super) struct Plain(OwnedReadHalf);

#[derive(Debug)]
pub(super) struct Reader(Plain);

#[derive(Debug)]
pub(super) struct Writer(OwnedWriteHalf);

impl Socket for Bounded {
    type ReadHalf = Reader;
    type WriteHalf = Writer;

    fn split(self) -> Split<Reader, Writer> {
        let (read, write) = self.0.into_split();
        Split::new(Reader(Plain(read)), Writer(write))
    }
}

#[async_trait]
impl ReadHalf for Plain {
    async fn recvmsg(&mut self, buffer: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
        Ok((self.0.read(buffer).await?, Vec::new()))
    }
}

#[async_trait]
impl ReadHalf for Reader {
    async fn receive_message(
        &mut self,
        seq: u64,
        received: &mut Vec<u8>,
        descriptors: &mut Vec<OwnedFd>,
    ) -> zbus::Result<Message> {
        loop {
            while received.len() < HEADER {
                self.take_some(received, HEADER).await?;
            }
            match length(received) {
                Some(length) if length > LARGEST => self.read_past(received, length).await?,
                _ => return self.0.receive_message(seq, received, descriptors).await,
            }
        }
    }

    async fn recvmsg(&mut self, buffer: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
        self.0.recvmsg(buffer).await
    }
}

impl Reader {
    /// Reads until there are at most so many bytes.
    async fn take_some(&mut self, received: &mut Vec<u8>, most: usize) -> io::Result<()> {
        let mut piece = vec![0; most - received.len()];
        match self.0.0.read(&mut piece).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                received.extend(piece.into_iter().take(count));
                Ok(())
            }
        }
    }

    async fn read_past(&mut self, received: &mut Vec<u8>, length: usize) -> io::Result<()> {
        let there = received.len().min(length);
        received.drain(..there);
        let mut left = length - there;
        let mut piece = vec![0; PIECE];
        while left > 0 {
            let most = left.min(PIECE);
            let room = piece.get_mut(..most).unwrap_or_default();
            match self.0.0.read(room).await? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => left -= count,
            }
        }
        Ok(())
    }
}

/// Of the whole message, by its first bytes.
fn length(header: &[u8]) -> Option<usize> {
    let number = |at: usize| {
        let bytes: [u8; 4] = header.get(at..at + 4)?.try_into().ok()?;
        let is_big = header.first() == Some(&b'B');
        let number = if is_big {
            u32::from_be_bytes(bytes)
        } else {
            u32::from_le_bytes(bytes)
        };
        usize::try_from(number).ok()
    };
    let fields = number(12)?.checked_next_multiple_of(8)?;
    HEADER.checked_add(fields)?.checked_add(number(4)?)
}

#[async_trait]
impl WriteHalf for Writer {
    async fn sendmsg(&mut self, buffer: &[u8], _: &[BorrowedFd<'_>]) -> io::Result<usize> {
        self.0.write(buffer).await
    }

    async fn close(&mut self) -> io::Result<()> {
        self.0.shutdown().await
    }
}
