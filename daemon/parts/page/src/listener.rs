//! Where browsers come in, with or without encryption. Knows no page.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use axum::middleware::from_fn;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use loquat_connections::certificate::{CertificateError, acceptor};
use loquat_connections::{Connections, Requests};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use super::settings::Page;

/// Connections at once. Each open tab keeps one, and a few more for a moment.
const MOST_CONNECTIONS: usize = 64;

/// For the greetings of TLS, and for the head of a request.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why the page is not served.
#[derive(Debug, thiserror::Error)]
pub(super) enum ListenError {
    #[error("serve the page at {address}; set page.port to a port that no other program has, or to 0")]
    Address {
        address: SocketAddr,
        #[source]
        source: io::Error,
    },
    #[error(transparent)]
    Certificate(#[from] CertificateError),
}

/// Where a request comes from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Caller(pub(super) IpAddr);

/// The open door.
pub(super) struct Listener {
    socket: TcpListener,
    tls: Option<TlsAcceptor>,
    pub(super) address: SocketAddr,
}

impl Listener {
    /// Opens it where the settings say.
    pub(super) fn open(settings: &Page) -> Result<Self, ListenError> {
        let tls = match (&settings.certificate, &settings.key) {
            (Some(certificate), Some(key)) => Some(acceptor(certificate, key, "page")?),
            _ => None,
        };
        let address = SocketAddr::new(settings.address, settings.port);
        let failed = |source| ListenError::Address { address, source };
        let socket = bound(address).map_err(failed)?;
        let address = socket.local_addr().map_err(failed)?;
        Ok(Self { socket, tls, address })
    }

    /// Lets browsers in until cancelled; those that are there are cut off then.
    pub(super) async fn run(self, router: Router, cancel: CancellationToken) {
        let mut connections = Connections::new(MOST_CONNECTIONS, Duration::ZERO);
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                _ = connections.ended() => {}
                came = self.socket.accept(), if connections.has_room() => match came {
                    Ok((stream, from)) => {
                        let requests = Requests::default();
                        let router = counted(&router, &requests).layer(Extension(Caller(from.ip())));
                        connections.serve(requests, greet(stream, self.tls.clone(), router));
                    }
                    // There are no descriptors left; some come back when a connection ends.
                    Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
                },
            }
        }
    }
}

/// Binds a socket to an address. It is there at once, so that the page is served as soon as that is told.
fn bound(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = std::net::TcpListener::bind(address)?;
    socket.set_nonblocking(true)?;
    TcpListener::from_std(socket)
}

/// Makes a router that counts what is asked of it.
fn counted(router: &Router, requests: &Requests) -> Router {
    let requests = requests.clone();
    let counting = from_fn(move |request, next| requests.clone().count(request, next));
    router.clone().layer(counting)
}

async fn greet(stream: TcpStream, tls: Option<TlsAcceptor>, router: Router) {
    // Events are small and have to be there at once.
    stream.set_nodelay(true).unwrap_or_default();
    match tls {
        None => serve(stream, router).await,
        Some(tls) => {
            if let Ok(Ok(stream)) = timeout(PATIENCE, tls.accept(stream)).await {
                serve(stream, router).await;
            }
        }
    }
}

async fn serve(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, router: Router) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    if let Err(error) = connection.await {
        tracing::debug!(%error, "failed to serve a browser");
    }
}
