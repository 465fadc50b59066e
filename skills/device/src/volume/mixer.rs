//! The port through which the loudness of the device is known and changed. Knows no sound system.

use std::fmt;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

/// How loud the device is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// It goes from 0 to 100.
    pub percent: u8,
    /// Whether it is silent all the same.
    pub muted: bool,
}

/// Why it is not known or changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MixerError {
    /// There is none of this kind.
    #[error("{0}")]
    Absent(String),
    /// It did not do it.
    #[error("{0}")]
    Refused(String),
}

/// A way to the loudness of the device.
pub trait Mixer: Send + Sync + fmt::Debug {
    /// How loud it is.
    fn level(&self) -> BoxFuture<'_, Result<Level, MixerError>>;

    /// Makes it so loud; at most 100.
    fn set(&self, percent: u8) -> BoxFuture<'_, Result<(), MixerError>>;

    /// Silences it, or not.
    fn mute(&self, muted: bool) -> BoxFuture<'_, Result<(), MixerError>>;
}

/// What is asked of a sound system.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wish {
    Tell,
    /// It is in percent, 100 at most.
    Set(u8),
    Mute(bool),
}

/// A sound system of the machine, which answers each wish with how loud the device is then.
pub(crate) trait SoundSystem: Send + Sync + fmt::Debug {
    fn ask(&self, wish: Wish) -> BoxFuture<'static, Result<Level, MixerError>>;
}

impl<S: SoundSystem> Mixer for S {
    fn level(&self) -> BoxFuture<'_, Result<Level, MixerError>> {
        self.ask(Wish::Tell)
    }

    fn set(&self, percent: u8) -> BoxFuture<'_, Result<(), MixerError>> {
        let asked = self.ask(Wish::Set(percent.min(100)));
        asked.map(|result| result.map(drop)).boxed()
    }

    fn mute(&self, muted: bool) -> BoxFuture<'_, Result<(), MixerError>> {
        let asked = self.ask(Wish::Mute(muted));
        asked.map(|result| result.map(drop)).boxed()
    }
}
