//! Tries loudspeaker and microphone with the person who has to hear the one and be heard by the other. Writes nothing down, and
//! understands no word.

use std::time::Duration;

use loquat_failure::with_causes;
use loquat_hearing::listen::level;
use loquat_hearing::settings::{Speech, Switch};
use loquat_hearing::speech_settings;
use loquat_models::Catalogue;
use loquat_speech::playback::PlayError;
use loquat_speech::{Player, SAMPLE_RATE, Sample, Sampler, tones};
use loquat_voice::{Choice, playback_settings};

use super::interview::{Interview, Left};
use crate::cli::Context;
use crate::models_in_use::ModelsInUse;
use crate::settings;
use crate::voice::settings::Voice;

/// Three notes that rise, in hertz and seconds.
const NOTES: [tones::Note; 3] = [(523.25, 0.25), (659.25, 0.25), (783.99, 0.5)];

/// A person says a short sentence in this time.
const SAMPLE: Duration = Duration::from_secs(2);

/// Tries both, unless the settings want neither.
pub(super) async fn tried(interview: &mut Interview, context: &Context) -> Result<(), Left> {
    let tables = &context.settings.tables;
    let player = Choice::may_speak(&tables.get::<Voice>()).then(|| player(context));
    let mut is_heard = false;
    if let Some(player) = &player {
        is_heard = loudspeaker(interview, player).await?;
    }
    if tables.get::<Speech>().enabled != Switch::Off {
        microphone(interview, context, player.filter(|_| is_heard)).await?;
    }
    Ok(())
}

fn player(context: &Context) -> Player {
    let ground = settings::ground(&context.settings, &context.environment);
    Player::new(playback_settings(&ground), None)
}

/// Plays three notes. Tells whether they were heard.
async fn loudspeaker(interview: &mut Interview, player: &Player) -> Result<bool, Left> {
    if !interview.agreed("Shall I play a sound, to try the loudspeaker?")? {
        return Ok(false);
    }
    let device = match played(player, tones::RATE, &tones::samples(&NOTES)).await {
        Ok(device) => device,
        Err(error) => {
            interview.tell(&format!("  Nothing was played: {}.", with_causes(&error)));
            return Ok(false);
        }
    };
    let is_heard = interview.agreed("Did you hear three notes?")?;
    if !is_heard {
        interview.tell(&format!(
            "  They went to {device}. Turn it up (`alsamixer`, `pactl list short sinks`), or name another one: voice.device in \
             loquat.toml."
        ));
    }
    Ok(is_heard)
}

/// Records two seconds, shows how loud they are, and plays them back where the person hears the loudspeaker.
async fn microphone(
    interview: &mut Interview,
    context: &Context,
    player: Option<Player>,
) -> Result<(), Left> {
    if !interview.agreed("Shall I record two seconds, to try the microphone?")? {
        return Ok(());
    }
    let Some(sample) = recorded(interview, context).await else {
        return Ok(());
    };
    interview.tell(&format!("  {}", level(sample.loudest())));
    if let Some(fault) = sample.fault() {
        interview.tell(&format!("  That is wrong: {fault}."));
    }
    let Some(player) = player else {
        return Ok(());
    };
    match played(&player, SAMPLE_RATE, &sample.samples).await {
        Err(error) => interview.tell(&format!("  Nothing was played: {}.", with_causes(&error))),
        Ok(_) if interview.agreed("Did you hear yourself?")? => {}
        Ok(_) => interview.tell(
            "  `loquat listen --devices` lists the microphones, speech.device in loquat.toml names one, and `loquat listen \
             --watch` shows what it hears.",
        ),
    }
    Ok(())
}

async fn recorded(interview: &Interview, context: &Context) -> Option<Sample> {
    let models = ModelsInUse::choose(&context.settings, &context.environment, &Catalogue::embedded());
    let speech = context.settings.tables.get::<Speech>();
    let speech = speech_settings(settings::hearing(&context.settings, &speech), &models.hearing);
    let taken = match Sampler::open(&speech).await {
        Ok(sampler) => {
            interview.tell(&format!("  Speak now, into {}.", sampler.device()));
            sampler.take(SAMPLE).await
        }
        Err(error) => Err(error),
    };
    taken
        .map_err(|error| interview.tell(&format!("  Nothing was heard: {error}.")))
        .ok()
}

/// Plays a sound to its end, and names what played it.
async fn played(player: &Player, rate: u32, samples: &[f32]) -> Result<String, PlayError> {
    let mut playing = player.begin().await?;
    playing.write(rate, samples).await?;
    playing.finish().await?;
    Ok(playing.device().to_owned())
}
