//! The port through which settings are changed. Knows no file.

use std::fmt;

use futures_util::future::BoxFuture;

use loquat_kit::permission::{Service, Standing};

/// How fast the device is to speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// It speaks a step slower than now.
    Slower,
    /// It speaks a step faster than now.
    Faster,
    /// It speaks as without a setting.
    Normal,
}

/// Which of the models that are on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelSize {
    /// It is the smallest.
    Small,
    /// It is the largest.
    Big,
}

/// Why a setting is what it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unchanged {
    /// There is no slower and no faster.
    #[error("failed to change the speed further: it is at its bound")]
    AtTheBound,
    /// Another program speaks, or none, and its speed is its own setting.
    #[error(
        "failed to change the speed: Loquat does not speak here itself; set the speed of the voice in mycroft.conf"
    )]
    SpokenElsewhere,
    /// This model is in use already.
    #[error("the model {0} is in use already")]
    SameModel(String),
    /// There is no other model on the device.
    #[error(
        "failed to change the model: only {0} is on this device; run `loquat models fetch` for another one"
    )]
    OnlyModel(String),
    /// There is no model on the device.
    #[error("failed to change the model: none is on this device; run `loquat models fetch`")]
    NoModel,
    /// What counts stands at a place that is not ours to write.
    #[error("failed to change {key}: it is fixed by {place}; change it there")]
    Fixed {
        /// The setting is written so.
        key: String,
        /// The setting is fixed there.
        place: String,
    },
    /// The file cannot be written.
    #[error("failed to change {key}: {file} cannot be written: {why}; make it writable, or change it there")]
    Unwritable {
        /// The setting is written so.
        key: String,
        /// The person's settings are in this file.
        file: String,
        /// What the operating system said.
        why: String,
    },
    /// The settings were wrong before, or would be.
    #[error("failed to change a setting, since the settings hold a mistake: {0}")]
    Mistaken(String),
    /// Nothing changes settings here.
    #[error("failed to change a setting: no daemon runs in this process; edit loquat.toml")]
    Absent,
}

/// Changes settings of the owner.
pub trait Preferences: fmt::Debug + Send + Sync {
    /// Has the device speak at another speed.
    fn pace(&self, pace: Pace) -> BoxFuture<'_, Result<(), Unchanged>>;

    /// Has the device think with another of its models, whose name comes back.
    fn model(&self, size: ModelSize) -> BoxFuture<'_, Result<String, Unchanged>>;

    /// Has a service outside the device stand so from now on.
    fn network(&self, service: Service, standing: Standing) -> BoxFuture<'_, Result<(), Unchanged>>;
}
