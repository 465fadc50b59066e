//! HTTP/1.1 on the Unix socket. Never computes: it reads requests, queues them for the model's thread and writes what
//! comes back.

mod body;
mod chat;
mod completion;
mod events;
mod routes;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use loquat_kernels::Kernel;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::model::{Facts, Job};
use crate::sandbox::Confinement;

/// The parent uses a handful; more wait to be accepted.
const MOST_CONNECTIONS: usize = 32;

/// HTTP clients usually keep an idle connection for 90 s. This is longer, so that it is they who close it.
const IDLE_CONNECTION: Duration = Duration::from_secs(120);

/// After an accept has failed, most likely for want of file descriptors, some have to be closed first.
const AFTER_FAILED_ACCEPT: Duration = Duration::from_millis(100);

/// All that requests are served with.
#[derive(Debug)]
pub(crate) struct Service {
    /// The model's name: the stem of its file.
    pub(crate) model: String,
    /// Filled when the model is loaded.
    pub(crate) facts: Arc<OnceLock<Facts>>,
    /// Says what the process is held to, for clients that ask after its health.
    pub(crate) confinement: Confinement,
    /// Says with which kernel the model is computed, likewise.
    pub(crate) kernel: Kernel,
    /// Queues jobs for the model's thread. When it is full, requests are refused.
    pub(crate) jobs: mpsc::Sender<Job>,
    /// Cancelled when the program ends.
    pub(crate) stop: CancellationToken,
}

/// Serves until `stop` is cancelled; then all connections are cut and so all replies given up.
pub(crate) async fn serve(listener: &UnixListener, service: Service) {
    let stop = service.stop.clone();
    let service = Arc::new(service);
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept(), if connections.len() < MOST_CONNECTIONS => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(connection(stream, Arc::clone(&service)));
                }
                Err(error) => {
                    tracing::warn!(%error, "failed to accept a connection");
                    tokio::time::sleep(AFTER_FAILED_ACCEPT).await;
                }
            },
        }
    }
    connections.shutdown().await;
}

async fn connection(stream: UnixStream, service: Arc<Service>) {
    let answer = service_fn(move |request| {
        let service = Arc::clone(&service);
        async move { Ok::<_, std::convert::Infallible>(routes::answer(&service, request).await) }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE_CONNECTION)
        .serve_connection(TokioIo::new(stream), answer)
        .await;
    if let Err(error) = served {
        tracing::debug!(%error, "a connection ended early");
    }
}
