//! A client of the echo path: it gets back what it sends, as it came, and hears nothing of the bus.

use tokio::task::yield_now;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_util::sync::CancellationToken;

use super::peer::{BATCH, MAX_BACKLOG, parting_code};
use crate::link::{Incoming, Link, encode_binary, encode_text};

/// Serves until the client is to be closed with a code, or just dropped.
pub(super) async fn serve(link: &mut Link, stop: &CancellationToken) -> Option<CloseCode> {
    loop {
        let mut is_all = false;
        for _ in 0..BATCH {
            match link.read_raw() {
                None => {
                    is_all = true;
                    break;
                }
                Some(Ok(Incoming::Text(text))) => link.push(encode_text(text, Role::Server)),
                Some(Ok(Incoming::Binary(bytes))) => link.push(encode_binary(bytes, Role::Server)),
                Some(Ok(_)) => {}
                Some(Err(error)) => return parting_code(&error),
            }
            if link.backlog() >= MAX_BACKLOG {
                break;
            }
        }
        // A client that does not read is not read from.
        tokio::select! {
            biased;
            () = stop.cancelled() => return Some(CloseCode::Away),
            drained = link.drain() => drained.ok()?,
        }
        if !is_all {
            yield_now().await;
        }
        tokio::select! {
            biased;
            () = stop.cancelled() => return Some(CloseCode::Away),
            ready = link.ready() => ready.ok()?,
        }
    }
}
