//! Opening a connection: TCP, then the websocket's handshake. Never retries.

use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::handshake::client::{Response, generate_request};
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::{self, Error};

use crate::MAX_FRAME_BYTES;
use crate::address::BusAddress;
use crate::head::read_head;
use crate::link::{Link, LinkLimits};
use crate::state::ConnectError;

/// Frames of other peers may be somewhat larger than those we send, on a bus that was configured so.
const LIMITS: LinkLimits = LinkLimits {
    max_frame: 2 * MAX_FRAME_BYTES,
    read_buffer: 64 << 10,
};

/// Connects within a limit. Cancel safe.
pub(super) async fn connect(address: &BusAddress, limit: Duration) -> Result<Link, ConnectError> {
    let url = address.url();
    if address.ssl {
        return Err(ConnectError::TlsUnsupported { url });
    }
    match timeout(limit, open(address, &url)).await {
        Ok(result) => result,
        Err(_) => Err(ConnectError::TimedOut { url, limit }),
    }
}

async fn open(address: &BusAddress, url: &str) -> Result<Link, ConnectError> {
    let tcp = TcpStream::connect((address.bare_host(), address.port)).await;
    let tcp = tcp.map_err(|source| ConnectError::Unreachable {
        url: url.to_owned(),
        source,
    })?;
    shake_hands(tcp, url)
        .await
        .map_err(|source| ConnectError::Refused {
            url: url.to_owned(),
            source: Box::new(source),
        })
}

async fn shake_hands(mut tcp: TcpStream, url: &str) -> tungstenite::Result<Link> {
    let (request, key) = generate_request(url.into_client_request()?)?;
    tcp.write_all(&request).await?;
    let (response, surplus) = read_head::<Response>(&mut tcp).await?;
    verify(&response, &key)?;
    Ok(Link::new(tcp, surplus, Role::Client, LIMITS))
}

/// Checks what RFC 6455 §4.1 has a client check. We offer no extension and no subprotocol, so there must be none.
fn verify(response: &Response, key: &str) -> tungstenite::Result<()> {
    if response.status() != 101 {
        return Err(Error::Http(Box::new(response.clone())));
    }
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    let accepted =
        header("Sec-WebSocket-Accept").is_some_and(|accept| accept == derive_accept_key(key.as_bytes()));
    let upgraded = header("Upgrade").is_some_and(|upgrade| upgrade.eq_ignore_ascii_case("websocket"));
    if !upgraded {
        return Err(Error::Protocol(ProtocolError::MissingUpgradeWebSocketHeader));
    }
    if !accepted {
        return Err(Error::Protocol(ProtocolError::SecWebSocketAcceptKeyMismatch));
    }
    if header("Sec-WebSocket-Extensions").is_some() {
        return Err(Error::Protocol(ProtocolError::InvalidHeader(
            tungstenite::http::header::SEC_WEBSOCKET_EXTENSIONS.into(),
        )));
    }
    Ok(())
}
