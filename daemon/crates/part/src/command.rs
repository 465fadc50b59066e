//! A command of `loquat` that a part brings: what may be typed, and what is done then. Knows no command of another part.

use std::error::Error;
use std::fmt::Debug;

use clap::ArgMatches;
use futures_util::future::BoxFuture;
use loquat_bus::BusAddress;

use super::Ground;
use super::bus_settings::Bus;
use super::output::{Exit, Output};

/// What comes of a command: how it ended, or why it failed.
pub type Outcome = Result<Exit, Box<dyn Error + Send + Sync>>;

/// A command.
pub trait Command: Debug + Send + Sync {
    /// Declares the command and its arguments to clap.
    fn typed(&self) -> clap::Command;

    /// Tells whether it runs until it is told to end, so that its log is written as a service's.
    fn serves(&self) -> bool {
        false
    }

    /// Runs before the settings are read, which may be waiting for just that; gives nothing where it needs
    /// them.
    fn run_without_settings(&self, _typed: &ArgMatches, _output: Output) -> Option<Outcome> {
        None
    }

    /// Does what was typed.
    fn run<'a>(&'a self, typed: &'a ArgMatches, context: &'a CommandContext) -> BoxFuture<'a, Outcome>;
}

/// What a command finds.
#[derive(Debug)]
pub struct CommandContext {
    /// The settings.
    pub ground: Ground,
    /// How the bus is joined.
    pub bus: Bus,
    /// Where it is.
    pub address: BusAddress,
    /// Where to write.
    pub output: Output,
}

impl CommandContext {
    /// Makes a context in which nothing is offered yet.
    pub fn new(ground: Ground, bus: Bus, address: BusAddress, output: Output) -> Self {
        Self {
            ground,
            bus,
            address,
            output,
        }
    }

    /// Offers something to the command. There is one of each type.
    pub fn offer<Offered: Send + Sync + 'static>(&mut self, offered: Offered) {
        self.ground.offer(offered);
    }

    /// Gives what a part offered under this type, if one did.
    pub fn offered<Offered: Send + Sync + 'static>(&self) -> Option<&Offered> {
        self.ground.offered()
    }
}
