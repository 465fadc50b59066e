//! Where sound is played: the loudspeaker of the table, by the sound system with which the microphone is opened. Opens nothing.

use loquat_part::Ground;
use loquat_speech::{AudioHost, PlaybackSettings};

use super::settings::Voice;

/// Reads how sound is played here.
pub fn playback_settings(ground: &Ground) -> PlaybackSettings {
    PlaybackSettings {
        host: ground.offered::<AudioHost>().copied().unwrap_or_default(),
        device: ground.table::<Voice>().device.clone(),
    }
}
