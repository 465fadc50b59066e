//! MCP clients that are served by a process of their own: one over standard input and output, or all that come to a port of
//! this machine. Standard output holds the protocol and nothing else.

use std::io;
use std::net::SocketAddr;

use loquat_bus::Bus;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::async_rw::AsyncRwTransport;
use secrecy::SecretString;
use tokio::task::JoinError;

use super::desk::Desk;
use super::listener::{LARGEST_MESSAGE, ListenError, Listener};
use super::served::Served;

/// Why clients are not served any more.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The client does not speak as one.
    #[error("failed to greet the MCP client")]
    Greeting(#[source] Box<ServerInitializeError>),
    /// What serves it has panicked.
    #[error("failed to serve the MCP client")]
    Broken(#[source] JoinError),
    /// It is not listened.
    #[error(transparent)]
    Listen(#[from] ListenError),
    /// Signals cannot be waited for.
    #[error("failed to wait for the signal that ends it")]
    Signal(#[source] io::Error),
}

/// Serves one client over standard input and output until it goes.
pub async fn serve(served: &Served, bus: Bus) -> Result<(), ServeError> {
    let transport =
        AsyncRwTransport::new(tokio::io::stdin(), tokio::io::stdout()).with_max_line_length(LARGEST_MESSAGE);
    let service = Desk::new(served, bus).serve(transport).await;
    let service = service.map_err(|error| ServeError::Greeting(Box::new(error)))?;
    service.waiting().await.map(drop).map_err(ServeError::Broken)
}

/// Serves clients that bring the token at a port of this machine, until it is interrupted. `told` hears where.
pub async fn serve_over_http(
    served: &Served,
    bus: Bus,
    port: u16,
    token: SecretString,
    told: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    let desk = Desk::new(served, bus);
    let listener = Listener::open(port, token).await?;
    told(listener.address());
    tokio::select! {
        () = listener.run(move || desk.anew()) => Ok(()),
        ended = tokio::signal::ctrl_c() => ended.map_err(ServeError::Signal),
    }
}
