//! Who is let in: the HTTP side of a connection, with a plain answer for everybody who is not.

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::handshake::server::{Request, create_response, write_response};
use tokio_tungstenite::tungstenite::http::header::{HOST, HeaderValue, ORIGIN};
use tokio_tungstenite::tungstenite::http::uri::Authority;
use tokio_tungstenite::tungstenite::http::{StatusCode, Uri};

use super::BusServerOptions;
use crate::address::is_loopback;
use crate::head::read_head;

/// A client that was let in.
pub(super) struct Entry {
    /// The bytes that the client sent beyond the request.
    pub(super) surplus: Vec<u8>,
    /// Says whether it wants an echo and not the bus.
    pub(super) echo: bool,
}

/// Reads the request and answers it; `None` for a client that is not let in.
///
/// Has no time limit of its own.
pub(super) async fn open(tcp: &mut TcpStream, options: &BusServerOptions, full: bool) -> Option<Entry> {
    let Ok((request, surplus)) = read_head::<Request>(tcp).await else {
        return refuse(tcp, StatusCode::BAD_REQUEST, "this is no HTTP request\n").await;
    };
    if full {
        return refuse(
            tcp,
            StatusCode::SERVICE_UNAVAILABLE,
            "the bus has too many clients\n",
        )
        .await;
    }
    let echo = options.echo_route.as_deref() == Some(request.uri().path());
    if !echo && request.uri().path() != options.route {
        return refuse(tcp, StatusCode::NOT_FOUND, "the bus is under another path\n").await;
    }
    if !options.any_origin && !is_welcome(&request) {
        return refuse(
            tcp,
            StatusCode::FORBIDDEN,
            "pages of other sites may not use the bus\n",
        )
        .await;
    }
    let mut answer = Vec::new();
    let upgraded = create_response(&request).and_then(|response| write_response(&mut answer, &response));
    if upgraded.is_err() {
        return refuse(tcp, StatusCode::BAD_REQUEST, "the bus speaks websocket\n").await;
    }
    tcp.write_all(&answer).await.ok()?;
    Some(Entry { surplus, echo })
}

async fn refuse(tcp: &mut TcpStream, status: StatusCode, text: &str) -> Option<Entry> {
    let length = text.len();
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{text}"
    );
    // A client that is gone does not need the answer.
    tcp.write_all(answer.as_bytes()).await.ok()?;
    tcp.shutdown().await.ok()?;
    // Closing with something unread would take the answer back.
    tokio::io::copy(tcp, &mut tokio::io::sink()).await.ok()?;
    None
}

/// Tells whether the request comes from a program.
///
/// Python clients send their target as origin; so a client that names an origin has to name the bus itself, by the same
/// address as in `Host`. A page has the address of the server that it came from, on this machine too. A name that merely
/// resolves to this machine is foreign: that is how a page elsewhere would try to get in.
fn is_welcome(request: &Request) -> bool {
    let origins: Vec<_> = request.headers().get_all(ORIGIN).iter().collect();
    let hosts: Vec<_> = request.headers().get_all(HOST).iter().collect();
    let host = match hosts.as_slice() {
        [] => return origins.is_empty(),
        [host] => host.to_str().ok().and_then(|host| host.parse::<Authority>().ok()),
        _ => None,
    };
    let Some(host) = host.filter(|host| is_loopback(host.host())) else {
        return false;
    };
    match origins.as_slice() {
        [] => true,
        [origin] => authority_of(origin).is_some_and(|origin| origin == host),
        _ => false,
    }
}

fn authority_of(origin: &HeaderValue) -> Option<Authority> {
    let origin: Uri = origin.to_str().ok()?.parse().ok()?;
    origin.authority().cloned()
}

#[cfg(test)]
mod tests;
