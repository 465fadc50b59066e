//! The voice of a machine that has no OVOS audio service: what is spoken becomes sound, sentence by sentence, and is played.
//!
//! Speech is made by another program (Piper, a server, `espeak-ng`) and played by our own player. One answer at a time; a
//! stop silences it within 100 ms and forgets those that wait. Speaks for the device's own session only, makes sound for
//! satellites that ask for it, plays the sounds that the bus asks for, in their turn or at once, but none of a program's while
//! a person is asked for a yes, and does none of it while an audio service is on the bus. Begins with an answer that is still
//! being written where the desk gives it the beginning. Never decides what is said.

mod check;
mod choice;
mod delivery;
mod early;
mod espeak;
mod heard;
mod ladder;
mod named_sounds;
mod news;
mod part;
mod piece;
mod piper;
mod playback;
mod process;
mod process_group;
mod remote;
mod rung;
mod script;
mod sentences;
mod server;
pub mod settings;
mod sounds;
mod speed;
mod voice;

pub use self::choice::{Choice, voices};
pub use self::heard::{Heard, HeardSoFar};
pub use self::named_sounds::NamedSounds;
pub use self::part::VoicePart;
pub use self::playback::playback_settings;
pub use self::speed::Speed;
pub use self::voice::Voice;
