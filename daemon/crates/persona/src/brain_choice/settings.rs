//! The settings of one brain as a persona file has them: which other names they have had, and where its key is kept.

use loquat_settings::secret::Secret;
use serde_json::{Map, Value};

use super::{BrainChoice, Chosen, LOCAL_BRAIN, OPENAI_BRAIN};
use crate::brain_keys;
use crate::fields::{self, Report, Stake, join};
use crate::scopes::Scopes;

/// The address of OVOS's plugin, and its model, where nothing else is said (`ovos-openai-plugin` 2.0).
const USUAL_ADDRESS: &str = "https://api.openai.com/v1";
const USUAL_MODEL: &str = "gpt-4o-mini";

/// Reads the settings of a brain whose id is one of the two that exist; nothing where it cannot be asked.
pub(super) fn read(
    id: &str,
    settings: &Map<String, Value>,
    path: &str,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Option<Chosen> {
    let specs = if id == LOCAL_BRAIN {
        brain_keys::of_local()
    } else {
        brain_keys::of_server()
    };
    let is_written = |key: &str| {
        let value = settings.get(key);
        value.is_some_and(|value| !value.is_null() && *value != "")
    };
    let names_server = ["api_url", "key", "api_key"].into_iter().any(is_written);
    let has_address = is_written("api_url");
    let mut settings = fields::block(settings, path, &specs, Stake::Settings, report);
    // What is said goes to no other server than the one that was meant.
    if id == OPENAI_BRAIN && has_address && !settings.contains_key("api_url") {
        report.warn(format!(
            "{path} names no server that can be asked; it is passed over"
        ));
        return None;
    }
    let mut key = take_key(&mut settings, path, scopes, report);
    let prompt = take_prompt(&mut settings);
    let mut id = id;
    if id == OPENAI_BRAIN && names_server {
        key = complete(&mut settings, key, path, scopes, report);
    } else if id == OPENAI_BRAIN {
        report.warn(format!(
            "{path} has neither api_url nor key; the model of this device answers"
        ));
        id = LOCAL_BRAIN;
        let local = brain_keys::of_local();
        settings.retain(|key, _| key != "model" && local.iter().any(|(known, _)| known == key));
    }
    Some(Chosen {
        brain: BrainChoice {
            id: id.to_owned(),
            settings,
            key,
        },
        prompt,
        path: path.to_owned(),
    })
}

/// Takes `key`, or `api_key`, which OVOS's own examples write although its plugin does not read it.
fn take_key(
    settings: &mut Map<String, Value>,
    path: &str,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Option<Secret> {
    let alternative = settings.remove("api_key");
    let value = settings.remove("key").or(alternative)?;
    if value.as_str().is_some_and(str::is_empty) {
        return None;
    }
    let Some(secret) = Secret::from_setting(&value, scopes.environment) else {
        let path = join(path, "key");
        report.refuse(format!(
            "{path} must be a text, {{\"file\": \"PATH\"}} or {{\"credential\": \"NAME\"}}"
        ));
        return None;
    };
    if let Secret::File(file) = &secret
        && let Some(reason) = scopes.keys.refuses_file(file, report.origin())
    {
        report.refuse(format!("{} {reason}", join(path, "key")));
        return None;
    }
    report.complaints.extend(secret.remark(report.origin()));
    Some(secret)
}

/// `system_prompt`, or one of the names it had in earlier releases.
fn take_prompt(settings: &mut Map<String, Value>) -> Option<String> {
    let mut take = |key: &str| match settings.remove(key) {
        Some(Value::String(text)) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        _ => None,
    };
    let prompts = [take("system_prompt"), take("initial_prompt")];
    let manner = take("persona").map(|manner| {
        // It was once a mere list of virtues, "helpful, creative, clever".
        let is_list = manner.chars().next().is_some_and(char::is_lowercase);
        if is_list {
            format!("You are {manner}")
        } else {
            manner
        }
    });
    prompts.into_iter().flatten().next().or(manner)
}

/// Fills in what OVOS's plugin fills in, and cuts off the end of the path, which the client appends and OVOS's own
/// examples write out. Returns the key, unless it must not be sent to that address.
fn complete(
    settings: &mut Map<String, Value>,
    key: Option<Secret>,
    path: &str,
    scopes: &Scopes<'_>,
    report: &mut Report,
) -> Option<Secret> {
    settings
        .entry("model")
        .or_insert_with(|| Value::from(USUAL_MODEL));
    if !settings.contains_key("api_url") && !report.refused() {
        let api_url = join(path, "api_url");
        report.warn(format!(
            "{api_url} is missing; what is said goes to {USUAL_ADDRESS}, as it does with OVOS"
        ));
    }
    let address = settings.get("api_url").and_then(Value::as_str);
    let base = address.unwrap_or(USUAL_ADDRESS).trim_end_matches('/');
    let base = base.strip_suffix("/chat/completions").unwrap_or(base);
    let base = base.trim_end_matches('/').to_owned();
    let refusal = scopes.keys.refuses_address(&base).filter(|_| key.is_some());
    settings.insert("api_url".to_owned(), Value::from(base));
    let Some(reason) = refusal else {
        return key;
    };
    report.warn(format!("{} {reason}", join(path, "key")));
    None
}
