//! `loquat pin`: hashes a PIN for the settings. The PIN is never an argument, never shown and never kept.

use std::io::{BufRead, IsTerminal};

use anyhow::{Context as _, Result};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use super::{Exit, Output};
use crate::pin::PinHash;

/// `loquat pin`.
pub(super) fn run(output: Output) -> Result<Exit> {
    let Some(pin) = secret_of_a_person("PIN (4 to 12 digits): ", output)? else {
        return Ok(Exit::Failed);
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

/// What a person types twice, or pipes in; nothing where the two are not the same.
pub(super) fn secret_of_a_person(prompt: &str, output: Output) -> Result<Option<SecretString>> {
    if !std::io::stdin().is_terminal() {
        return piped().map(Some);
    }
    let first = typed(prompt)?;
    let second = typed("The same once more: ")?;
    if first.expose_secret() != second.expose_secret() {
        output.remark("loquat: the two are not the same; nothing has changed");
        return Ok(None);
    }
    Ok(Some(first))
}

/// What is typed without being shown.
fn typed(prompt: &str) -> Result<SecretString> {
    let pin = rpassword::prompt_password(prompt).context("failed to read it from the terminal")?;
    Ok(SecretString::from(pin.trim()))
}

/// The first line of standard input.
fn piped() -> Result<SecretString> {
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut line)
        .context("failed to read it from standard input")?;
    Ok(SecretString::from(line.trim()))
}
