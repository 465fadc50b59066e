//! The commands of parts beside our own: what was typed is one of the two.

use std::fmt;

use anyhow::Result;
use clap::{ArgMatches, FromArgMatches, Subcommand};
use loquat_part::command::{Command as PartCommand, CommandContext, Outcome};

use super::arguments::Command;
use super::{Context, Exit, Output};
use crate::parts;
use crate::settings::{bus_address, ground};

/// A command, with what was typed behind it.
#[derive(Debug)]
pub enum Typed {
    /// One of ours.
    Own(Command),
    /// One of a part.
    OfPart(OfPart),
}

/// A command of a part.
pub struct OfPart {
    command: &'static dyn PartCommand,
    typed: ArgMatches,
}

impl fmt::Debug for OfPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.command.fmt(f)
    }
}

impl OfPart {
    /// Tells whether it runs until it is told to end.
    pub(super) fn serves(&self) -> bool {
        self.command.serves()
    }

    /// Runs it before the settings are read; gives nothing where it needs them.
    pub(super) fn run_without_settings(&self, output: Output) -> Option<Result<Exit>> {
        self.command.run_without_settings(&self.typed, output).map(told)
    }

    /// Does what was typed.
    pub(super) async fn run(&self, context: Context) -> Result<Exit> {
        let Context {
            settings,
            environment,
            output,
            ..
        } = context;
        let ground = ground(&settings, &environment);
        let own = CommandContext::new(ground, settings.bus.clone(), bus_address(&settings), output);
        #[cfg(any(feature = "hive", feature = "workers"))]
        let own = crate::app::offered_to_commands(own, &settings, &environment);
        told(self.command.run(&self.typed, &own).await)
    }
}

fn told(outcome: Outcome) -> Result<Exit> {
    outcome.map_err(|error| anyhow::anyhow!(error))
}

fn find(name: &str) -> Option<&'static dyn PartCommand> {
    parts::commands().find(|command| command.typed().get_name() == name)
}

impl FromArgMatches for Typed {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        if let Some((name, typed)) = matches.subcommand()
            && let Some(command) = find(name)
        {
            let typed = typed.clone();
            return Ok(Self::OfPart(OfPart { command, typed }));
        }
        Command::from_arg_matches(matches).map(Self::Own)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Typed {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        let own = Command::augment_subcommands(command);
        parts::commands().fold(own, |all, command| all.subcommand(command.typed()))
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Command::has_subcommand(name) || find(name).is_some()
    }
}
