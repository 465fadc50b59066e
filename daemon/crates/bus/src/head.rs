//! Reading the head of an HTTP message, the only HTTP that a websocket has.

use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::error::{CapacityError, ProtocolError};
use tokio_tungstenite::tungstenite::handshake::machine::TryParse;

/// A head has at most this many bytes. Browsers send about one kilobyte.
const MAX_HEAD: usize = 16 << 10;

/// Reads one head and gives what was read beyond it as well. Has no time limit of its own.
pub(crate) async fn read_head<T: TryParse>(tcp: &mut TcpStream) -> Result<(T, Vec<u8>), Error> {
    let mut head = Vec::with_capacity(1 << 10);
    loop {
        if tcp.read_buf(&mut head).await? == 0 {
            return Err(Error::Protocol(ProtocolError::HandshakeIncomplete));
        }
        if let Some((length, message)) = T::try_parse(&head)? {
            return Ok((message, head.split_off(length)));
        }
        if head.len() >= MAX_HEAD {
            return Err(Error::Capacity(CapacityError::MessageTooLong {
                size: head.len(),
                max_size: MAX_HEAD,
            }));
        }
    }
}
