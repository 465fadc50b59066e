//! `loquat page`: asks the running daemon for an address that lets a browser in once, and opens a browser where there is one, by a
//! file that only its owner reads; and hashes the page's password.

use std::process::{self, Stdio};

use clap::{ArgMatches, Args, FromArgMatches, Subcommand};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_failure::with_causes;
use loquat_part::command::{Command, CommandContext, Outcome};
use loquat_part::output::{Exit, Output};
use loquat_part::typed_secret::{UntypedError, secret_of_a_person};
use reqwest::Url;
use serde_json::json;

use super::door::{Address, address};
use super::password::PasswordHash;

/// What opens an address in the person's browser.
const OPENER: &str = "xdg-open";

/// Open the page of the running daemon in a browser, and print its address, which works once.
#[derive(Debug, Args)]
struct PageArguments {
    /// What else to do.
    #[command(subcommand)]
    command: Option<PageOrder>,
}

/// What to do about the page.
#[derive(Debug, Subcommand)]
enum PageOrder {
    /// Make a password for other machines: reads it twice and prints the line for loquat.toml.
    Password,
}

#[derive(Debug)]
pub(super) struct PageCommand;

impl Command for PageCommand {
    fn typed(&self) -> clap::Command {
        PageArguments::augment_args(clap::Command::new("page"))
    }

    fn run_without_settings(&self, typed: &ArgMatches, output: Output) -> Option<Outcome> {
        match PageArguments::from_arg_matches(typed) {
            Ok(PageArguments { command: None }) => None,
            Ok(PageArguments {
                command: Some(PageOrder::Password),
            }) => Some(password(output).map_err(Into::into)),
            Err(error) => Some(Err(error.into())),
        }
    }

    fn run<'a>(&'a self, _: &'a ArgMatches, context: &'a CommandContext) -> BoxFuture<'a, Outcome> {
        async { Ok(enter(context).await) }.boxed()
    }
}

/// Carries out `loquat page`.
async fn enter(context: &CommandContext) -> Exit {
    let Address { url, file } = match address(&context.ground.folders.runtime).await {
        Ok(address) => address,
        Err(error) => {
            context.output.remark(format!("loquat: {}", with_causes(&error)));
            return Exit::Failed;
        }
    };
    context.output.line(&url);
    context.output.value(&json!({"url": url}));
    context
        .output
        .remark("loquat: the address lets one browser in, within two minutes");
    if let Some(file) = file.and_then(|file| Url::from_file_path(file).ok()) {
        open(context, &file);
    }
    Exit::Ok
}

/// Opens a browser, where a person sits in front of a screen. Where that fails, the address is there to be copied. It is not
/// given to the browser itself, whose command line every user of this machine can read.
fn open(context: &CommandContext, file: &Url) {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| context.ground.environment.variable(name).is_some());
    if !has_screen || !context.output.is_terminal() {
        return;
    }
    let opened = process::Command::new(OPENER)
        .arg(file.as_str())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = opened {
        tracing::debug!(%error, "no browser was opened");
    }
}

/// Carries out `loquat page password`.
fn password(output: Output) -> Result<Exit, UntypedError> {
    let Some(password) = secret_of_a_person("Password (10 letters or more): ", output)? else {
        return Ok(Exit::Failed);
    };
    match PasswordHash::of(&password) {
        Ok(hash) => {
            output.remark("Put this line into the table [page] of loquat.toml, and make that file yours alone (chmod 600):");
            output.line(format!("password = \"{}\"", hash.as_str()));
            output.value(&json!({"password": hash.as_str()}));
            Ok(Exit::Ok)
        }
        Err(error) => {
            output.remark(format!("loquat: {error}"));
            Ok(Exit::Failed)
        }
    }
}
