//! `loquat listen`: a WAV file or the microphone, heard once, put as a question; or the microphone watched, or all of them
//! listed.

use anyhow::Result;
use loquat_hearing::listen::Listener;
use loquat_hearing::settings::Speech;
use loquat_models::Catalogue;
use serde_json::json;

use super::arguments::Listen;
use super::{Context, Exit, Style, ask};
use crate::models_in_use::ModelsInUse;
use crate::settings;

/// Carries out `loquat listen`.
pub(super) async fn run(context: Context, listen: Listen) -> Result<Exit> {
    let models = ModelsInUse::choose(&context.settings, &context.environment, &Catalogue::embedded());
    let (output, speech) = (context.output, context.settings.tables.get::<Speech>());
    let listener = Listener {
        settings: settings::hearing(&context.settings, &speech),
        environment: &context.environment,
        models: &models.hearing,
        lang: listen.addressee.lang.as_deref(),
        output,
    };
    if listen.devices {
        return Ok(listener.list_devices().await);
    }
    if listen.watch {
        return Ok(listener.watch().await?);
    }
    let Some(heard) = listener.hear(listen.file.as_deref()).await? else {
        output.remark("loquat: nothing was heard that could be understood");
        output.value(&json!({"heard": null}));
        return Ok(Exit::Failed);
    };
    if listen.transcribe_only {
        output.line(&heard.text);
        output.value(&heard);
        return Ok(Exit::Ok);
    }
    output.styled(Style::Dim, format!("  heard    {}", heard.text));
    ask::put(&context, &heard.text, &listen.addressee).await
}
