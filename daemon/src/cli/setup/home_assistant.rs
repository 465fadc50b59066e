//! Asks for the Home Assistant of the home and for its token. Signs in nowhere.

use loquat_part::typed_secret::secret_of_a_person;
use secrecy::ExposeSecret;

use super::Answers;
use super::interview::{Interview, Left};
use crate::cli::Context;
use crate::home_token;
use crate::settings::HomeUrl;

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
    match home_token::keep(&context.settings.folders, &token) {
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
