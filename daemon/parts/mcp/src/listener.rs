//! The door for MCP clients over HTTP: on this machine alone, with a token, and closed to web pages. Knows no tool.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::AUTHORIZATION;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use loquat_connections::{Answer, Connections, Requests};
use rmcp::handler::server::ServerHandler;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use secrecy::{ExposeSecret, SecretString};
use tokio::net::{TcpListener, TcpStream};

/// Bounds of one message, in bytes.
pub(super) const LARGEST_MESSAGE: usize = 1 << 20;

/// Connections at once; one more takes the place of the oldest on which nothing is asked, and waits where there is none.
const MOST_CONNECTIONS: usize = 16;

/// For the head of a request.
const HEAD: Duration = Duration::from_secs(10);

type Body = BoxBody<Bytes, Infallible>;

/// Why it is not listened.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// The port is not to be had.
    #[error("failed to listen at {wanted}; choose another --port")]
    Port {
        /// Where it was tried.
        wanted: SocketAddr,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The system does not say where it is.
    #[error("failed to learn the address")]
    Address(#[source] io::Error),
}

/// The open door.
pub(super) struct Listener {
    socket: TcpListener,
    address: SocketAddr,
    token: SecretString,
}

impl Listener {
    /// Opens it at a port of this machine.
    pub(super) async fn open(port: u16, token: SecretString) -> Result<Self, ListenError> {
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let failed = |source| ListenError::Port { wanted, source };
        let socket = TcpListener::bind(wanted).await.map_err(failed)?;
        let address = socket.local_addr().map_err(ListenError::Address)?;
        Ok(Self {
            socket,
            address,
            token,
        })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Lets clients in for ever. `make` gives what serves one request.
    pub(super) async fn run<S: ServerHandler>(self, make: impl Fn() -> S + Send + Sync + 'static) {
        let own = ["127.0.0.1", "localhost"];
        // Only a page of ours could have this origin, and there is none.
        let origins = own.map(|name| format!("http://{name}:{}", self.address.port()));
        let door = Arc::new(Door {
            service: streamable(make, &own.map(str::to_owned), &origins),
            token: self.token,
        });
        let mut connections = Connections::new(MOST_CONNECTIONS, Duration::ZERO);
        loop {
            tokio::select! {
                biased;
                _ = connections.ended() => {}
                came = self.socket.accept(), if connections.has_room() => match came {
                    Ok((stream, _)) => {
                        let requests = Requests::default();
                        let served = serve(stream, Arc::clone(&door), requests.clone());
                        connections.serve(requests, served);
                    }
                    // There are no descriptors left; some come back when a connection ends.
                    Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
                },
            }
        }
    }
}

/// Serves MCP to requests for these hosts that come from no page, or from one of these origins. `make` gives
/// what serves one request.
pub(super) fn streamable<S: ServerHandler>(
    make: impl Fn() -> S + Send + Sync + 'static,
    hosts: &[String],
    origins: &[String],
) -> StreamableHttpService<S, NeverSessionManager> {
    let mut config = StreamableHttpServerConfig::default()
        .with_max_request_body_bytes(LARGEST_MESSAGE)
        .enforce_origin_validation();
    (config.allowed_hosts, config.allowed_origins) = (hosts.to_vec(), origins.to_vec());
    // Nothing is kept from one request to the next, so that no client can leave anything.
    (config.legacy_session_mode, config.json_response) = (false, true);
    StreamableHttpService::new(
        move || Ok(make()),
        Arc::new(NeverSessionManager::default()),
        config,
    )
}

/// What stands behind the door, and what opens it.
struct Door<S: ServerHandler> {
    service: StreamableHttpService<S, NeverSessionManager>,
    token: SecretString,
}

async fn serve<S: ServerHandler>(stream: TcpStream, door: Arc<Door<S>>, requests: Requests) {
    let answer = service_fn(move |request| {
        let (door, counted) = (Arc::clone(&door), requests.begin());
        async move {
            let answer = door.answer(request).await;
            Ok::<_, Infallible>(answer.map(|body| Answer::new(body, counted)))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(TokioIo::new(stream), answer);
    if let Err(error) = connection.await {
        tracing::debug!(%error, "failed to serve an MCP client");
    }
}

impl<S: ServerHandler> Door<S> {
    async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        if request.uri().path() != "/mcp" {
            return refusal(StatusCode::NOT_FOUND, "MCP is served at /mcp");
        }
        if !self.opens(&request) {
            return refusal(
                StatusCode::UNAUTHORIZED,
                "send the token: Authorization: Bearer TOKEN",
            );
        }
        self.service.handle(request).await
    }

    fn opens(&self, request: &Request<Incoming>) -> bool {
        let sent = request.headers().get(AUTHORIZATION);
        let sent = sent.and_then(|sent| sent.as_bytes().strip_prefix(b"Bearer "));
        sent.is_some_and(|sent| is_same(sent, self.token.expose_secret().as_bytes()))
    }
}

/// Takes as long for a wrong token as for the right one.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differs = one
        .iter()
        .zip(other)
        .fold(0, |differs, (one, other)| differs | (one ^ other));
    one.len() == other.len() && differs == 0
}

fn refusal(status: StatusCode, why: &'static str) -> Response<Body> {
    let mut response = Response::new(Full::new(Bytes::from_static(why.as_bytes())).boxed());
    *response.status_mut() = status;
    response
}
