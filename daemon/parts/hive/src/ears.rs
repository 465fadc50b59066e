//! The ears for microphones of clients: the models and the wake word of the device, and the places that there are. Listens to
//! nothing itself.

use std::sync::Arc;

use loquat_speech::MicroWakeWords;
use loquat_transcription::Ladder;
use loquat_transcription::recordings::FarEars;
use tokio::sync::Semaphore;

/// Microphones that are listened to at once; one more is denied.
const EARS: usize = 4;

/// Makes ears for the microphones of clients.
#[derive(Debug)]
pub(super) struct Ears {
    pub(super) ladder: Ladder,
    pub(super) far: FarEars,
    pub(super) free: Arc<Semaphore>,
}

impl Ears {
    /// Uses the models and the wake word of the device. Nothing is loaded yet.
    pub(super) fn new(ladder: &Ladder, mut far: FarEars) -> Self {
        // Nothing is looked for before its end: whisper has enough to do.
        far.speech.early_silence = far.speech.end_silence;
        far.speech.mode = loquat_speech::ListenMode::PushToTalk;
        Self {
            ladder: ladder.aside(),
            far,
            free: Arc::new(Semaphore::new(EARS)),
        }
    }

    pub(super) fn load(&self) -> Result<MicroWakeWords, String> {
        (self.far.load)().map(|word| MicroWakeWords::new(vec![word]))
    }
}
