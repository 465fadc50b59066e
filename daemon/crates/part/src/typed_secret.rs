//! A secret that a person types for the settings: never an argument, never shown and never kept.

use std::io::{self, BufRead, IsTerminal};

use secrecy::{ExposeSecret, SecretString};

use super::output::Output;

/// Why nothing was read.
#[derive(Debug, thiserror::Error)]
pub enum UntypedError {
    /// The terminal gives none.
    #[error("failed to read it from the terminal")]
    Terminal(#[source] io::Error),
    /// Standard input gives none.
    #[error("failed to read it from standard input")]
    Input(#[source] io::Error),
}

/// Reads what a person types twice, or pipes in; it is nothing where the two are not the same.
pub fn secret_of_a_person(prompt: &str, output: Output) -> Result<Option<SecretString>, UntypedError> {
    if !io::stdin().is_terminal() {
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

/// Reads what is typed without showing it.
fn typed(prompt: &str) -> Result<SecretString, UntypedError> {
    let secret = rpassword::prompt_password(prompt).map_err(UntypedError::Terminal)?;
    Ok(SecretString::from(secret.trim()))
}

fn piped() -> Result<SecretString, UntypedError> {
    let mut line = String::new();
    io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(UntypedError::Input)?;
    Ok(SecretString::from(line.trim()))
}
