//! `loquat page`: asks the running daemon for an address that lets a browser in once, and opens a browser where there is one, by a
//! file that only its owner reads; and hashes the page's password.

use std::process::{Command, Stdio};

use anyhow::Result;
use loquat_failure::with_causes;
use loquat_page::Address;
use loquat_page::password::PasswordHash;
use reqwest::Url;
use serde_json::json;

use super::arguments::PageCommand;
use super::pin::secret_of_a_person;
use super::{Context, Exit, Output};

/// What opens an address in the person's browser.
const OPENER: &str = "xdg-open";

/// `loquat page`.
pub(super) async fn run(context: &Context) -> Result<Exit> {
    let Address { url, file } = match loquat_page::address(&context.settings.folders.runtime).await {
        Ok(address) => address,
        Err(error) => {
            context.output.remark(format!("loquat: {}", with_causes(&error)));
            return Ok(Exit::Failed);
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
    Ok(Exit::Ok)
}

/// Opens a browser, where a person sits in front of a screen. Where that fails, the address is there to be copied. It is not
/// given to the browser itself, whose command line every user of this machine can read.
fn open(context: &Context, file: &Url) {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| context.environment.variable(name).is_some());
    if !has_screen || !context.output.is_terminal() {
        return;
    }
    let opened = Command::new(OPENER)
        .arg(file.as_str())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = opened {
        tracing::debug!(%error, "no browser was opened");
    }
}

/// `loquat page password`.
pub(super) fn password(PageCommand::Password: &PageCommand, output: Output) -> Result<Exit> {
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
