//! From sound to text: capture, resampling, wake word, voice activity, end-pointing and whisper. And back to sound: a
//! [`Player`] for what is spoken.
//!
//! An [`Ear`] turns a microphone or a WAV file into [`EarEvent`]s; a [`Recognizer`] is the one whisper thread that all
//! ears and callers share. Real-time rules live here. Nothing here knows the bus, engines or settings files.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use loquat_speech::{Ear, EarEvent, Recognizer, Source, SpeechSettings};
//! use tokio_util::sync::CancellationToken;
//!
//! let settings = SpeechSettings::new("ggml-tiny.en.bin", "ggml-silero-v6.2.0.bin");
//! let recognizer = Recognizer::start(&settings)?;
//! let (ear, actor) = Ear::new(settings, recognizer, Source::Wav("question.wav".into()));
//! let mut events = ear.take_events().ok_or("the events are given once")?;
//! let stop = CancellationToken::new();
//! let listen = async {
//!     while let Some(event) = events.recv().await {
//!         if let EarEvent::Heard(transcript) = event {
//!             println!("{}", transcript.text);
//!         }
//!     }
//! };
//! tokio::join!(actor.run(stop), listen);
//! # Ok(())
//! # }
//! ```

mod capture;
mod completeness;
mod ear;
mod echo;
mod endpoint;
mod event;
mod far;
mod hearing;
#[expect(unsafe_code, reason = "the kernels are C")]
mod kernel;
mod known;
mod model_file;
mod names;
mod pcm;
pub mod playback;
mod recognizer;
mod resample;
mod settings;
mod sound_check;
mod sound_device;
mod sound_server;
mod stream_thread;
pub mod tones;
mod transcriber;
mod trigger;
mod voice;
mod wake_word;
pub mod wav;
#[expect(unsafe_code, reason = "whisper.cpp logs through a C callback")]
mod whisper_log;

pub use capture::listing::{DeviceState, HostDevices, InputDevice, input_devices};
pub use capture::sample::{Sample, SampleError, Sampler};
pub use capture::server_echo::{ServerEcho, server_echo};
pub use completeness::{Completeness, is_number};
pub use ear::{Ear, EarActor, EarHandle, ListenRefused, Meter, Source, WordScore};
pub use echo::without_echo;
pub use event::EarEvent;
pub use far::{FarMicrophone, FarSound, far_microphone};
pub use hearing::RecordingEnd;
pub use kernel::{use_best_kernel, use_kernel};
pub use known::KnownSpeech;
pub use model_file::LoadModelError;
pub use names::Names;
pub use pcm::{Pcm, PcmFormat, UnusableSound};
pub use playback::{PlaybackSettings, Player};
pub use recognizer::{
    MeasureError, Recognizer, TranscribeError, Transcript, is_made_up, language_code, languages, measure,
    verify_model,
};
pub use settings::{AudioHost, ListenMode, RecordingSettings, SpeechSettings};
pub use sound_check::{SoundCheck, SoundFault};
pub use transcriber::{Transcriber, Transcription, Utterance};
pub use trigger::Trigger;
pub use wake_word::{
    Detection, MicroWakeWord, MicroWakeWords, WakeWord, WakeWordDetector, WakeWordEffect, WakeWordSettings,
};

/// The one sample rate behind capture and WAV reading, in hertz. Silero and whisper were trained on it.
pub const SAMPLE_RATE: u32 = 16_000;
