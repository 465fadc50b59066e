//! Where a daemon stands: its bus, who ends its tasks, and what its turns report to. Starts nothing by itself.

use loquat_bus::{Bus, BusAddress};
use loquat_part::Context;
use tokio_util::sync::CancellationToken;

use crate::events::Hub;
use crate::link::{self, Joined};
use crate::settings::{Environment, Reports, Settings, bus_address, ground};
use crate::supervisor::Supervisor;

/// The place.
#[derive(Debug)]
pub struct Place {
    /// It owns all tasks.
    pub supervisor: Supervisor,
    /// The bus.
    pub bus: Bus,
    /// Where it is.
    pub address: BusAddress,
    /// How we came to it.
    pub joined: Joined,
    /// What turns report to.
    pub hub: Hub,
}

impl Place {
    /// Joins the machine's bus, or brings one.
    pub async fn join(settings: &Settings) -> Self {
        let supervisor = Supervisor::new();
        let (bus, address, joined) = link::join(&settings.bus, bus_address(settings), &supervisor).await;
        Self::on(settings, supervisor, bus, address, joined)
    }

    /// Gathers everything on a bus that is there.
    pub fn on(
        settings: &Settings,
        supervisor: Supervisor,
        bus: Bus,
        address: BusAddress,
        joined: Joined,
    ) -> Self {
        let hub = Hub::new().hearing_answers(settings.bus.reports == Reports::Events);
        let company = supervisor.company().clone();
        hub.body().grow(move || company.is_there());
        Self {
            supervisor,
            bus,
            address,
            joined,
            hub,
        }
    }

    /// Gathers what parts find here.
    pub(super) fn context(&self, settings: &Settings, environment: &Environment) -> Context {
        Context::new(
            ground(settings, environment),
            self.supervisor.clone(),
            self.hub.clone(),
            self.bus.clone(),
            self.address.clone(),
            settings.bus.compat,
        )
    }

    /// Runs a task that serves people, until the token is cancelled.
    pub(super) fn serve<Task>(&self, name: &'static str, task: impl FnOnce(CancellationToken) -> Task)
    where
        Task: Future<Output = ()> + Send + 'static,
    {
        let front = &self.supervisor.front;
        self.supervisor.spawn(front, name, task(front.token()));
    }

    /// Runs a task that serves people and without which the device does.
    pub fn serve_optionally<Task>(&self, name: &'static str, task: impl FnOnce(CancellationToken) -> Task)
    where
        Task: Future<Output = ()> + Send + 'static,
    {
        let front = &self.supervisor.front;
        self.supervisor.spawn_optional(front, name, task(front.token()));
    }

    /// Runs a task that serves those, until the token is cancelled.
    pub(super) fn support<Task>(&self, name: &'static str, task: impl FnOnce(CancellationToken) -> Task)
    where
        Task: Future<Output = ()> + Send + 'static,
    {
        let back = &self.supervisor.back;
        self.supervisor.spawn(back, name, task(back.token()));
    }
}
