//! The loudness by the mixer of ALSA, for devices without a sound server: that of the card's control for playing.
//!
//! In percent of the steps that the card has, as `alsamixer` and OVOS show it. A card that hangs is waited for two seconds.

use std::time::Duration;

use alsa::mixer::{Mixer as Card, Selem, SelemChannelId};
use futures_util::future::{BoxFuture, FutureExt};
use tokio::time::timeout;

use super::mixer::{Level, MixerError, SoundSystem, Wish};

const PATIENCE: Duration = Duration::from_secs(2);

/// What cards call the control of all that is heard, the best first.
const NAMES: [&str; 6] = ["Master", "Speaker", "PCM", "Digital", "Headphone", "HDMI"];

/// A card.
#[derive(Debug, Clone)]
pub(crate) struct Alsa {
    /// As ALSA's settings call its mixer.
    pub(crate) name: String,
}

impl SoundSystem for Alsa {
    fn ask(&self, wish: Wish) -> BoxFuture<'static, Result<Level, MixerError>> {
        let card = self.clone();
        async move {
            let name = card.name.clone();
            let asked = tokio::task::spawn_blocking(move || card.exchange(wish));
            match timeout(PATIENCE, asked).await {
                Ok(Ok(level)) => level,
                _ => Err(MixerError::Refused(format!(
                    "the ALSA mixer '{name}' gave no answer; see whether the sound card hangs"
                ))),
            }
        }
        .boxed()
    }
}

impl Alsa {
    fn exchange(&self, wish: Wish) -> Result<Level, MixerError> {
        let name = &self.name;
        // libasound writes its complaints to standard error unless told otherwise, which is per thread.
        let _chatter = alsa::Output::local_error_handler();
        let card = Card::new(name, false).map_err(|error| {
            MixerError::Absent(format!(
                "failed to open the ALSA mixer '{name}': {error}; see whether a sound card is there (aplay -l) and \
                 whether the user of Loquat is in the group audio"
            ))
        })?;
        let control = control(&card).ok_or_else(|| {
            MixerError::Absent(format!(
                "the ALSA mixer '{name}' has no loudness to set; name a card that has in ~/.asoundrc"
            ))
        })?;
        let granted = grant(&control, wish).and_then(|()| level(&control));
        let known = granted.map_err(|error| {
            MixerError::Refused(format!("the ALSA mixer '{name}' refused: {error}; see amixer"))
        })?;
        match wish {
            Wish::Mute(muted) if known.muted != muted => Err(MixerError::Refused(format!(
                "the ALSA mixer '{name}' cannot be silenced; set the volume to 0 instead"
            ))),
            _ => Ok(known),
        }
    }
}

/// The control that is best known for all that is heard, else the first that has a loudness.
fn control(card: &Card) -> Option<Selem<'_>> {
    let controls = || {
        card.iter()
            .filter_map(Selem::new)
            .filter(Selem::has_playback_volume)
    };
    let named =
        |name: &&str| controls().find(|control| control.get_id().get_name().is_ok_and(|own| own == *name));
    NAMES.iter().find_map(named).or_else(|| controls().next())
}

fn grant(control: &Selem<'_>, wish: Wish) -> alsa::Result<()> {
    match wish {
        Wish::Set(percent) => {
            let (lowest, highest) = control.get_playback_volume_range();
            let steps = (highest - lowest) as f64 * f64::from(percent) / 100.0;
            control.set_playback_volume_all(lowest + steps.round() as i64)
        }
        Wish::Mute(muted) if control.has_playback_switch() => {
            control.set_playback_switch_all(i32::from(!muted))
        }
        Wish::Tell | Wish::Mute(_) => Ok(()),
    }
}

fn level(control: &Selem<'_>) -> alsa::Result<Level> {
    let (lowest, highest) = control.get_playback_volume_range();
    let channel = SelemChannelId::mono();
    let steps = control.get_playback_volume(channel)? - lowest;
    let share = steps as f64 / (highest - lowest).max(1) as f64;
    let muted = control.has_playback_switch() && control.get_playback_switch(channel)? == 0;
    Ok(Level {
        percent: (share * 100.0).round().clamp(0.0, 100.0) as u8,
        muted,
    })
}
