//! The port through which the loudness of the device is known and changed. Knows no sound system.

use std::fmt;

use futures_util::future::BoxFuture;

/// How loud the device is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// From 0 to 100.
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
