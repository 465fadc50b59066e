//! `loquat pin`: hashes a PIN for the settings. The PIN is never an argument, never shown and never kept.

use anyhow::Result;
use loquat_part::typed_secret::secret_of_a_person;
use serde_json::json;

use super::{Exit, Output};
use crate::pin::PinHash;

/// Carries out `loquat pin`.
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
