//! What `loquat check` finds of hearing: models, wake words, recognisers, the microphone, and what takes echoes out.

mod echo;
mod recognizers;
mod wake_words;

use loquat_part::{Finding, Verdict};
use loquat_settings::Environment;

pub(super) use self::echo::canceller;
pub(super) use self::recognizers::{elsewhere, whisper};
pub(super) use self::wake_words::findings as wake_words;
use crate::listen;
use crate::models::HearingModels;
use crate::opening::speech_settings;
use crate::settings::{HearingSettings, Switch};

/// Opens the microphone for a moment, where the settings and the models allow it.
pub(super) async fn microphone(
    settings: HearingSettings<'_>,
    environment: &Environment,
    models: &HearingModels,
) -> Finding {
    if settings.speech.enabled == Switch::Off {
        return Finding::bad(
            "microphone",
            Verdict::Missing,
            "it is switched off",
            "set speech.enabled = \"auto\"",
        );
    }
    let lacks_whisper = recognizers::is_local(settings) && !models.whisper.is_present();
    if lacks_whisper || !models.voice_activity.is_present() {
        let detail = "not looked at, because the models for hearing are not installed";
        return Finding::bad("microphone", Verdict::Missing, detail, "loquat models fetch");
    }
    match listen::microphone(settings, environment, &speech_settings(settings, models)).await {
        Ok(device) => Finding::ok("microphone", device),
        Err(reason) => Finding::bad(
            "microphone",
            Verdict::Missing,
            reason,
            "typed questions work without one",
        ),
    }
}
