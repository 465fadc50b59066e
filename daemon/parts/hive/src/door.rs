//! The door for satellites: listens, has each prove who it is, and serves those that do. Knows nothing of what they say.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use loquat_connections::certificate::acceptor;
use loquat_failure::{Backoff, with_causes};
use loquat_hive::{AcceptError, Greeting, Link, accept};
use loquat_skills::Stations;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use super::admission::{Admissions, Candidate};
use super::clients::{Client, Clients};
use super::connection;
use super::line::Line;
use super::service::{Ground, Service};
use super::settings::OLD_PROTOCOLS;

/// Clients that are served at once.
const CONNECTIONS: usize = 64;

/// A connection that has proved nothing by then ends. A small board takes seconds for what its password becomes.
const PROVING: Duration = Duration::from_secs(30);

/// Between one try to listen and the next, and after connections that could not be taken.
const AGAIN: Backoff = Backoff::doubling(Duration::from_millis(500), Duration::from_secs(30));

/// The log tells of connections that are not let in this often.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// Runs until cancelled. A hive that cannot keep its clients says so and is no hive.
pub(super) async fn run(listen: SocketAddr, clients: Clients, ground: Ground, cancel: CancellationToken) {
    let (own, certificate) = (clients.clone(), ground.certificate.clone());
    let prepared = tokio::task::spawn_blocking(move || prepared(&own, certificate.as_ref())).await;
    let (mut greeting, tls) = match prepared.unwrap_or_else(|error| Err(error.to_string())) {
        Ok(prepared) => prepared,
        Err(error) => {
            tracing::error!(error, "the hive is closed");
            return cancel.cancelled().await;
        }
    };
    greeting.takes_old = ground.takes_old;
    if ground.takes_old {
        tracing::warn!("{OLD_PROTOCOLS}");
    }
    let service = Arc::new(Service::new(ground, clients, greeting));
    service.look().await;
    if let Some(intercom) = &service.intercom {
        intercom.add(Arc::clone(&service) as Arc<dyn Stations>);
    }
    let frames = service.subscribe();
    let tell = service.tell(frames, cancel.clone());
    let follow = service.follow(cancel.clone());
    let door = Door {
        service: Arc::clone(&service),
        tls,
        cancel: cancel.clone(),
        proving: JoinSet::new(),
        admissions: Admissions::default(),
        served: JoinSet::new(),
        told: None,
    };
    tokio::join!(tell, follow, door.open(listen));
}

/// Reads who this device is to satellites, and its certificate. Blocks.
fn prepared(
    clients: &Clients,
    certificate: Option<&(PathBuf, PathBuf)>,
) -> Result<(Greeting, Option<TlsAcceptor>), String> {
    let greeting = clients.greeting().map_err(|error| with_causes(&error))?;
    let tls = certificate.map(|(certificate, key)| acceptor(certificate, key, "hive"));
    let tls = tls
        .transpose()
        .map_err(|error| format!("failed to {}", with_causes(&error)))?;
    Ok((greeting, tls))
}

/// A client that has proved who it is, with its session.
type Proved = (Link<Line>, Client);

/// A connection that is no client's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stranger {
    /// It went before it said who it is, as a program does that looks for open ports.
    Silent,
    /// It said who it is, and did not prove it.
    Wrong,
}

/// The connections that there are.
struct Door {
    service: Arc<Service>,
    tls: Option<TlsAcceptor>,
    cancel: CancellationToken,
    proving: JoinSet<(IpAddr, Result<Proved, Stranger>)>,
    admissions: Admissions,
    served: JoinSet<()>,
    told: Option<Instant>,
}

impl Door {
    /// Listens, and tries again where that fails.
    async fn open(mut self, listen: SocketAddr) {
        let cancel = self.cancel.clone();
        let opened = cancel.run_until_cancelled(async {
            for tries in 0.. {
                match TcpListener::bind(listen).await {
                    Ok(listener) => {
                        tracing::info!(%listen, "the hive is open");
                        return self.accept(&listener).await;
                    }
                    Err(error) => {
                        tracing::warn!(%listen, %error, "failed to open the hive; set hive.listen to an address of this \
                                                         machine and a free port");
                        sleep(AGAIN.after(tries)).await;
                    }
                }
            }
        });
        opened.await;
        // Each says goodbye by itself.
        while self.served.join_next().await.is_some() {}
    }

    async fn accept(&mut self, listener: &TcpListener) {
        let mut failures = 0;
        loop {
            tokio::select! {
                Some(ended) = self.served.join_next() => tell_broken(ended),
                Some(proved) = self.proving.join_next() => self.proved(proved),
                accepted = listener.accept() => match accepted {
                    Ok((stream, peer)) => {
                        failures = 0;
                        self.take(stream, peer.ip().to_canonical());
                    }
                    Err(error) => {
                        tracing::warn!(%error, "failed to take a connection of the hive");
                        sleep(AGAIN.after(failures)).await;
                        failures += 1;
                    }
                },
            }
        }
    }

    fn take(&mut self, stream: TcpStream, machine: IpAddr) {
        let Some(candidate) = self.admissions.room(machine) else {
            return self.tell_refused(machine, "too many connections at once prove who they are");
        };
        stream.set_nodelay(true).ok();
        let (service, tls) = (Arc::clone(&self.service), self.tls.clone());
        let proves = candidate.clone();
        let task = self.proving.spawn(async move {
            let outcome = timeout(PROVING, prove(stream, tls, &service, &proves)).await;
            let proved = match outcome {
                Ok(Ok(proved)) => Ok(proved),
                Ok(Err(error)) => {
                    tracing::debug!(%machine, error = with_causes(&error), "a connection of the hive is none");
                    let is_silent = matches!(error, AcceptError::Broken(_) | AcceptError::Ended);
                    Err(if is_silent { Stranger::Silent } else { Stranger::Wrong })
                }
                Err(_) => Err(Stranger::Silent),
            };
            (machine, proved)
        });
        self.admissions.enter(candidate, task);
    }

    fn proved(&mut self, proved: Result<(IpAddr, Result<Proved, Stranger>), JoinError>) {
        let (machine, proved) = match proved {
            Ok(proved) => proved,
            // It has made room for another one.
            Err(error) if error.is_cancelled() => return,
            Err(error) => return tell_broken(Err(error)),
        };
        match proved {
            Err(Stranger::Silent) => {}
            Err(Stranger::Wrong) => {
                let why = "it did not prove who it is; access key, password or protocol are others";
                self.tell_refused(machine, why);
            }
            Ok(_) if self.served.len() >= CONNECTIONS => {
                self.tell_refused(machine, "too many clients are served");
            }
            Ok((link, client)) => {
                let (service, cancel) = (Arc::clone(&self.service), self.cancel.clone());
                self.served
                    .spawn(connection::serve(link, client, service, cancel));
            }
        }
    }

    fn tell_refused(&mut self, machine: IpAddr, why: &str) {
        if self.told.is_none_or(|told| told.elapsed() >= TOLD_EVERY) {
            tracing::warn!(%machine, why, "a connection is not let into the hive");
            self.told = Some(Instant::now());
        }
    }
}

/// Finds out who has come.
async fn prove(
    stream: TcpStream,
    tls: Option<TlsAcceptor>,
    service: &Service,
    candidate: &Candidate,
) -> Result<Proved, AcceptError> {
    let line: Line = match tls {
        Some(tls) => Box::new(tls.accept(stream).await?),
        None => Box::new(stream),
    };
    let mut turn = None;
    let admit = async |credentials: &loquat_hive::Credentials| {
        let admission = service.admission(credentials)?;
        turn = candidate.names(&admission.peer).await;
        Some(admission)
    };
    let accepted = accept(line, &service.greeting, admit).await;
    let (link, credentials, key) = match (accepted, turn) {
        (Err(error @ AcceptError::Handshake(_)), Some(turn)) => {
            turn.was_wrong().await;
            return Err(error);
        }
        (accepted, _) => accepted?,
    };
    let client = service.met(&credentials, key).await.ok_or(AcceptError::Unknown)?;
    Ok((link, client))
}

fn tell_broken(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a connection of the hive broke");
    }
}
