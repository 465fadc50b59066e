//! `loquat pin`: hashes a PIN for the settings. The PIN is never an argument, never shown and never kept.

use std::io::{BufRead, IsTerminal};

use anyhow::{Context as _, Result};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use super::{Exit, Output};
use crate::pin::PinHash;

/// `loquat pin`.
pub(super) fn run(output: Output) -> Result<Exit> {
    let pin = if std::io::stdin().is_terminal() {
        let first = typed("PIN (4 to 12 digits): ")?;
        let second = typed("The same once more: ")?;
        if first.expose_secret() != second.expose_secret() {
            output.remark("loquat: the two are not the same; nothing has changed");
            return Ok(Exit::Failed);
        }
        first
    } else {
        piped()?
    };
    match PinHash::of(&pin) {
        Ok(hash) => {
            output.remark("Put this line into the table [desk] of loquat.toml, and make that file yours alone (chmod 600):");
            output.line(format!("pin = \"{}\"", hash.as_str()));
            output.value(&json!({"pin": hash.as_str()}));
            Ok(Exit::Ok)
        }
        Err(error) => {
            output.remark(format!("loquat: {error}"));
            Ok(Exit::Failed)
        }
    }
}

/// What is typed without being shown.
fn typed(prompt: &str) -> Result<SecretString> {
    let pin = rpassword::prompt_password(prompt).context("failed to read the PIN from the terminal")?;
    Ok(SecretString::from(pin.trim()))
}

/// The first line of standard input.
fn piped() -> Result<SecretString> {
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .context("failed to read the PIN from standard input")?;
    Ok(SecretString::from(line.trim()))
}
