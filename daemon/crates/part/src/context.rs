//! What a part stands on: the settings, and in a daemon that runs also the bus, the events of turns and who ends its tasks.

use std::fmt;
use std::sync::Arc;

use loquat_bus::{Bus, BusAddress};
use loquat_settings::brought::{Bring, Tables};
use loquat_settings::{Document, Environment, Folders, Mycroft, Settings};

use super::bus_settings::Compat;
use super::events::Hub;
use super::link;
use super::offers::Offers;
use super::supervisor::Supervisor;

/// What the settings say to every part.
#[derive(Debug, Clone)]
pub struct Ground {
    /// The tables that parts have brought.
    pub tables: Tables,
    /// What OVOS's own file says.
    pub mycroft: Mycroft,
    /// Where things are kept.
    pub folders: Folders,
    /// The folders and variables of the process are read from it.
    pub environment: Environment,
    offers: Offers,
}

impl Ground {
    /// Takes out of all settings what every part can read.
    pub fn of<Ours: Document>(settings: &Settings<Ours>, environment: &Environment) -> Self {
        Self {
            tables: settings.tables.clone(),
            mycroft: settings.mycroft.clone(),
            folders: settings.folders.clone(),
            environment: environment.clone(),
            offers: Offers::default(),
        }
    }

    /// Offers something to parts, for their checks and commands, too. There is one of each type.
    pub(super) fn offer<Offered: Send + Sync + 'static>(&mut self, offered: Offered) {
        self.offers.offer(offered);
    }

    /// The ground with something that is offered to parts, for their checks, too.
    #[must_use]
    pub fn offering<Offered: Send + Sync + 'static>(mut self, offered: Offered) -> Self {
        self.offer(offered);
        self
    }

    /// What is offered of a type, if anything is.
    pub fn offered<Offered: Send + Sync + 'static>(&self) -> Option<&Offered> {
        self.offers.get()
    }

    /// What was read of a part's table.
    pub fn table<Own: Bring>(&self) -> Arc<Own> {
        self.tables.get()
    }
}

/// What a part finds in a daemon that runs.
pub struct Context {
    /// All settings are read from it.
    pub ground: Ground,
    /// It owns all tasks.
    pub supervisor: Supervisor,
    /// What turns report to.
    pub hub: Hub,
    /// It is the daemon's own client of the bus.
    pub bus: Bus,
    /// Where the bus is.
    pub address: BusAddress,
    /// Which vocabulary is spoken there.
    pub compat: Compat,
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ground, address, .. } = self;
        f.debug_struct("Context")
            .field("ground", ground)
            .field("address", address)
            .finish_non_exhaustive()
    }
}

impl Context {
    /// Makes a context in which nothing is offered yet.
    pub fn new(
        ground: Ground,
        supervisor: Supervisor,
        hub: Hub,
        bus: Bus,
        address: BusAddress,
        compat: Compat,
    ) -> Self {
        Self {
            ground,
            supervisor,
            hub,
            bus,
            address,
            compat,
        }
    }

    /// Offers something to the parts that are started later. There is one of each type.
    pub fn offer<Offered: Send + Sync + 'static>(&mut self, offered: Offered) {
        self.ground.offer(offered);
    }

    /// Gives what a part offered under this type, if one did.
    pub fn offered<Offered: Send + Sync + 'static>(&self) -> Option<&Offered> {
        self.ground.offered()
    }

    /// Starts a further client of the bus. What it sends is not what a person has said to this process.
    pub fn another_client(&self) -> Bus {
        link::another_client(self.address.clone(), self.compat, &self.supervisor)
    }
}
