//! What stands in the place of a part that this program was built without: it tells persons who ask for it, by a command or in
//! the settings. Does nothing else.

use clap::{Arg, ArgMatches};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_settings::LeftOut;

use super::command::{Command, CommandContext, Outcome};
use super::output::Output;
use super::{Context, Part, Running, Start};

/// This program was built without a part.
#[derive(Debug, thiserror::Error)]
#[error("this loquat was built without {0}; take one that has it, or build it with --features {0}")]
pub struct BuiltWithout(pub &'static str);

/// The place of a part.
#[derive(Debug)]
pub struct Absent {
    /// The feature with which it is built.
    pub feature: &'static str,
    /// Its table of the settings, where it has one.
    pub table: Option<&'static str>,
    /// Its command, where it has one.
    pub command: Option<&'static str>,
}

impl Part for Absent {
    fn left_out(&self) -> Option<LeftOut> {
        Some(LeftOut {
            table: self.table?,
            feature: self.feature,
        })
    }

    fn starts(&self) -> Start {
        Start::Last
    }

    fn start<'a>(&'a self, _: &'a mut Context) -> BoxFuture<'a, Running> {
        async { Running::default() }.boxed()
    }

    fn commands(&self) -> Vec<&dyn Command> {
        self.command.iter().map(|_| self as &dyn Command).collect()
    }
}

impl Command for Absent {
    /// Whatever is typed behind it is taken, so that the answer is always the same.
    fn typed(&self) -> clap::Command {
        let rest = Arg::new("rest")
            .num_args(0..)
            .trailing_var_arg(true)
            .allow_hyphen_values(true);
        clap::Command::new(self.command.unwrap_or(self.feature))
            .hide(true)
            .arg(rest)
    }

    fn run_without_settings(&self, _: &ArgMatches, _: Output) -> Option<Outcome> {
        Some(Err(BuiltWithout(self.feature).into()))
    }

    fn run<'a>(&'a self, _: &'a ArgMatches, _: &'a CommandContext) -> BoxFuture<'a, Outcome> {
        async { Err(BuiltWithout(self.feature).into()) }.boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_typed_behind_the_command_it_tells_what_is_missing() {
        let absent = Absent {
            feature: "hive",
            table: Some("hive"),
            command: Some("hive"),
        };
        let commands = absent.commands();
        for typed in [
            &["loquat", "hive"][..],
            &["loquat", "hive", "add", "kitchen", "--allow", "mycroft.stop"],
            &["loquat", "hive", "--persona", "Ada"],
        ] {
            let whole = commands
                .iter()
                .fold(clap::Command::new("loquat"), |whole, command| {
                    whole.subcommand(command.typed())
                });
            let matches = whole.try_get_matches_from(typed).unwrap();
            let (_, behind) = matches.subcommand().unwrap();
            let told = absent.run_without_settings(behind, Output::new(false)).unwrap();
            let told = told.unwrap_err().to_string();
            assert!(told.starts_with("this loquat was built without hive;"), "{told}");
        }
    }

    #[test]
    fn a_part_without_a_command_brings_none() {
        let absent = Absent {
            feature: "wyoming",
            table: Some("wyoming"),
            command: None,
        };
        assert!(absent.commands().is_empty());
        assert_eq!(absent.left_out().unwrap().table, "wyoming");
    }
}
