//! Hearing with the real models: what espeak-ng says, from WAV files and through a virtual microphone. And playing.
//!
//! `LOQUAT_TEST_MODELS` names the folder of the models; `make test` fetches them and sets it.

#[cfg(test)]
mod ear_process;
#[cfg(test)]
mod files;
#[cfg(test)]
mod kernels;
#[cfg(test)]
mod microphone;
#[cfg(test)]
mod pauses;
#[cfg(test)]
mod playback;
#[cfg(test)]
mod recognizer;
#[cfg(test)]
mod sound;
#[cfg(test)]
mod sound_server;
#[cfg(test)]
mod wake_word;
