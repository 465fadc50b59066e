//! Keeps the worker: starts it when it is asked for, stops it when it idles, and notices when it dies.
//!
//! One actor owns the process; callers hold a [`Lease`] while they use it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use loquat_conversation::brain::BrainError;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::confinement::{Confinement, Sandbox};
use super::fault::StartFault;
use super::restarts::Restarts;
use super::settings::LocalBrainSettings;
use super::state::LocalState;
use super::worker::Worker;

/// A caller waits out a short pause; a longer one is reported at once.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(crate) enum Command {
    /// The running worker, started if need be.
    Lease(oneshot::Sender<Result<Lease, BrainError>>),
    /// The worker of this generation does not answer any more.
    Suspect(u64),
}

/// The right to use the worker; while one is held, the worker is not stopped for idling.
#[derive(Debug)]
pub(crate) struct Lease {
    pub(crate) socket: PathBuf,
    pub(crate) generation: u64,
    /// Cancelled when the worker has ended.
    pub(crate) ended: CancellationToken,
    leases: watch::Sender<usize>,
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.leases
            .send_modify(|leases| *leases = leases.saturating_sub(1));
    }
}

/// A worker that serves.
#[derive(Debug)]
struct Serving {
    worker: Worker,
    ready_since: Instant,
    ended: CancellationToken,
    _cancels_ended: DropGuard,
}

#[derive(Debug)]
pub(crate) struct Keeper {
    settings: Arc<LocalBrainSettings>,
    name: String,
    state: watch::Sender<LocalState>,
    commands: mpsc::Receiver<Command>,
    leases: watch::Sender<usize>,
    restarts: Restarts,
    generation: u64,
    serving: Option<Serving>,
}

impl Keeper {
    pub(crate) fn new(
        settings: Arc<LocalBrainSettings>,
        name: String,
        state: watch::Sender<LocalState>,
        commands: mpsc::Receiver<Command>,
    ) -> Self {
        Self {
            settings,
            name,
            state,
            commands,
            leases: watch::Sender::new(0),
            restarts: Restarts::default(),
            generation: 0,
            serving: None,
        }
    }

    /// Serves commands until cancelled, then ends the worker.
    pub(crate) async fn run(mut self, stop: CancellationToken) {
        let mut leases = self.leases.subscribe();
        let mut idle_at = None;
        loop {
            let serving = self.serving.is_some();
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                fault = died(&mut self.serving, &self.settings) => self.bury(&fault),
                command = self.commands.recv() => match command {
                    Some(command) => self.obey(command, &stop).await,
                    None => break,
                },
                // Its sender is ours, so that it never closes.
                _ = leases.changed() => idle_at = self.idle_at(*leases.borrow_and_update()),
                () = until(idle_at), if serving => {
                    idle_at = None;
                    tracing::info!(brain = self.name, "local brain idles and is stopped");
                    self.retire().await;
                    self.restarts.ended_well();
                }
            }
        }
        self.commands.close();
        self.retire().await;
    }

    fn idle_at(&self, leases: usize) -> Option<Instant> {
        let idles = leases == 0 && !self.settings.idle_stop.is_zero();
        idles.then(|| Instant::now() + self.settings.idle_stop)
    }

    async fn obey(&mut self, command: Command, stop: &CancellationToken) {
        match command {
            Command::Lease(reply) if reply.is_closed() => {}
            Command::Lease(reply) => {
                let lease = self.lease(stop).await.map_err(BrainError::from);
                if reply.send(lease).is_err() {
                    tracing::trace!("nobody waits for the local brain any more");
                }
            }
            Command::Suspect(generation) if generation == self.generation => {
                if let Some(serving) = self.serving.take() {
                    self.restarts.died(serving.ready_since.elapsed());
                    serving.worker.retire(Duration::ZERO).await;
                    self.fail(&StartFault::silent());
                }
            }
            Command::Suspect(_) => {}
        }
    }

    async fn lease(&mut self, stop: &CancellationToken) -> Result<Lease, StartFault> {
        if let Some(serving) = &mut self.serving
            && serving.worker.has_ended()
        {
            let fault = died(&mut self.serving, &self.settings).await;
            self.bury(&fault);
        }
        if self.serving.is_none() {
            let started = tokio::select! {
                biased;
                () = stop.cancelled() => Err(StartFault::shut_down()),
                started = self.start() => started,
            };
            self.serving = Some(started?);
        }
        let Some(serving) = &self.serving else {
            return Err(StartFault::shut_down());
        };
        self.leases.send_modify(|leases| *leases += 1);
        Ok(Lease {
            socket: serving.worker.socket.clone(),
            generation: self.generation,
            ended: serving.ended.clone(),
            leases: self.leases.clone(),
        })
    }

    async fn start(&mut self) -> Result<Serving, StartFault> {
        self.wait_for_restart().await?;
        self.state.send_replace(LocalState::Starting);
        let loaded = self.load().await;
        if let Err(fault) = &loaded {
            self.fail(fault);
        }
        loaded
    }

    async fn load(&mut self) -> Result<Serving, StartFault> {
        self.generation += 1;
        let mut worker = Worker::start(&self.settings, &self.name, self.generation).await?;
        let health = match worker.until_ready(&self.settings).await {
            Ok(health) => health,
            Err(fault) => {
                worker.retire(Duration::ZERO).await;
                if fault.is_crash {
                    self.restarts.died(Duration::ZERO);
                }
                return Err(fault);
            }
        };
        let (pid, elapsed) = (worker.pid, worker.started.elapsed());
        tracing::info!(brain = self.name, pid, ?elapsed, "local brain is ready");
        self.tell(health.confinement.as_ref());
        self.state.send_replace(LocalState::Ready { pid, health });
        let ended = CancellationToken::new();
        Ok(Serving {
            worker,
            ready_since: Instant::now(),
            ended: ended.clone(),
            _cancels_ended: ended.drop_guard(),
        })
    }

    /// Says what holds the worker, as a warning where something does not that was asked for.
    fn tell(&self, confinement: Option<&Confinement>) {
        let Some(confinement) = confinement else { return };
        if confinement.lacks.is_empty() || self.settings.sandbox == Sandbox::Off {
            tracing::info!(brain = self.name, "the local brain is {confinement}");
        } else {
            tracing::warn!(brain = self.name, "the local brain is {confinement}");
        }
    }

    /// Waits out the pause after a death, or says that it is too long.
    async fn wait_for_restart(&self) -> Result<(), StartFault> {
        let pause = self.restarts.pause();
        if pause > PATIENCE {
            let reason = match &*self.state.borrow() {
                LocalState::Failed { reason } => reason.clone(),
                _ => "it died repeatedly".to_owned(),
            };
            return Err(StartFault::later(&reason, pause));
        }
        tokio::time::sleep(pause).await;
        Ok(())
    }

    fn bury(&mut self, fault: &StartFault) {
        if let Some(serving) = self.serving.take() {
            self.restarts.died(serving.ready_since.elapsed());
        }
        self.fail(fault);
    }

    fn fail(&self, fault: &StartFault) {
        tracing::warn!(
            brain = self.name,
            reason = fault.reason,
            "local brain is not there"
        );
        let reason = fault.reason.clone();
        self.state.send_replace(LocalState::Failed { reason });
    }

    /// Ends the worker; the reason of an earlier failure stays to be seen.
    async fn retire(&mut self) {
        if let Some(serving) = self.serving.take() {
            serving.worker.retire(self.settings.stop_grace).await;
        }
        if !matches!(*self.state.borrow(), LocalState::Failed { .. }) {
            self.state.send_replace(LocalState::Stopped);
        }
    }
}

/// Waits for the worker's own end; for ever without one.
async fn died(serving: &mut Option<Serving>, settings: &LocalBrainSettings) -> StartFault {
    match serving {
        Some(serving) => {
            let status = serving.worker.ended().await;
            serving.worker.obituary(settings, status).await
        }
        None => std::future::pending().await,
    }
}

async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
