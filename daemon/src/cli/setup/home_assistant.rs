//! Asks for the Home Assistant of the home, and keeps its token in a file that only its owner can read. Signs in nowhere.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::PathBuf;

use loquat_part::typed_secret::secret_of_a_person;
use secrecy::ExposeSecret;

use super::Answers;
use super::interview::{Interview, Left};
use crate::cli::Context;
use crate::settings::HomeUrl;

/// The file of the token, beside `loquat.toml`.
const TOKEN: &str = "home-assistant.token";

/// Asks for address and token, and gives what is to be written.
pub(super) fn asked(interview: &mut Interview, context: &Context) -> Result<Answers, Left> {
    let now = context.settings.home_assistant.url.clone().map(String::from);
    let now = now.unwrap_or_else(|| "none".to_owned());
    let question = format!("Home Assistant, as in http://homeassistant.local:8123 [{now}]");
    let read = |said: &str| HomeUrl::try_from(said.to_owned()).map(|_| said.to_owned());
    let Some(url) = interview.asked(&question, read)? else {
        return Ok(Answers::new());
    };
    let mut answers: Answers = vec![("home_assistant.url", Some(url.into()))];
    interview.tell("  A long-lived token is made there: your profile, Security. A user without administration rights is enough.");
    let token = secret_of_a_person("Token: ", context.output).map_err(|_| Left)?;
    let Some(token) = token.filter(|token| !token.expose_secret().is_empty()) else {
        interview.tell("  Without a token it cannot be used yet: home_assistant.token_file names its file.");
        return Ok(answers);
    };
    match kept(context, token.expose_secret()) {
        Ok(file) => {
            let file = file.display().to_string();
            answers.push(("home_assistant.token_file", Some(file.into())));
        }
        Err(error) => interview.tell(&format!(
            "  {error}. Put the token into a file that home_assistant.token_file names."
        )),
    }
    Ok(answers)
}

/// Writes the token where only its owner reads it.
fn kept(context: &Context, token: &str) -> Result<PathBuf, String> {
    let folder = context.settings.folders.config.clone();
    let folder = folder.ok_or_else(|| "This user has no home, so the token cannot be kept".to_owned())?;
    let file = folder.join(TOKEN);
    let complain = |error| format!("Failed to keep the token in {}: {error}", file.display());
    fs::create_dir_all(&folder).map_err(complain)?;
    let opened = fs::OpenOptions::new()
        .create(true)
        .truncate(true)
        .write(true)
        .mode(0o600)
        .open(&file);
    let written = opened.and_then(|mut kept| {
        // A file that was there before has the rights that it had.
        kept.set_permissions(Permissions::from_mode(0o600))?;
        writeln!(kept, "{token}")
    });
    written.map_err(complain)?;
    Ok(file)
}
