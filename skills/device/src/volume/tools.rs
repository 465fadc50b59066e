//! What the tools take, do and tell; the sound system is the work of the modules beside.

use futures_util::FutureExt;
use loquat_agent::toolbox::Circumstances;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Mixers;
use super::mixer::{Level, Mixer, MixerError};
use loquat_kit::dialog::{Gap, Telling};
use loquat_kit::report::{Nothing, Problem, Report, Reporting, reporting};

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub(super) struct Wanted {
    /// From 0 to 100.
    percent: f64,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub(super) struct By {
    /// In percent; below zero quieter.
    by: f64,
}

/// How loud the device is now.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Loudness {
    done: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    percent: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    muted: Option<bool>,
}

impl Loudness {
    fn now(level: Level, dialog: &'static str) -> Report<Self> {
        let loudness = Self {
            done: true,
            percent: Some(level.percent),
            muted: Some(level.muted),
        };
        let told = Telling::new(dialog).with("percent", Gap::Number(f64::from(level.percent)));
        Report::new(loudness, told)
    }
}

impl From<MixerError> for Problem {
    fn from(error: MixerError) -> Self {
        let dialog = match error {
            MixerError::Absent(_) => "absent",
            MixerError::Refused(_) => "refused",
        };
        Self::new(error.to_string(), dialog)
    }
}

/// What is to become of the loudness.
#[derive(Debug, Clone, Copy)]
enum Wish {
    Tell,
    Set(f64),
    By(f64),
    Mute(bool),
    Toggle,
}

pub(super) fn get(mixers: Mixers, _: Nothing, _: &Circumstances) -> Reporting<'_, Loudness> {
    granted(mixers, Wish::Tell)
}

pub(super) fn set(mixers: Mixers, asked: Wanted, _: &Circumstances) -> Reporting<'_, Loudness> {
    if !(0.0..=100.0).contains(&asked.percent) {
        return beyond("percent: write a number from 0 to 100");
    }
    granted(mixers, Wish::Set(asked.percent))
}

pub(super) fn change(mixers: Mixers, asked: By, _: &Circumstances) -> Reporting<'_, Loudness> {
    if !(-100.0..=100.0).contains(&asked.by) {
        return beyond("by: write a number from -100 to 100");
    }
    granted(mixers, Wish::By(asked.by))
}

pub(super) fn mute(mixers: Mixers, _: Nothing, _: &Circumstances) -> Reporting<'_, Loudness> {
    granted(mixers, Wish::Mute(true))
}

pub(super) fn unmute(mixers: Mixers, _: Nothing, _: &Circumstances) -> Reporting<'_, Loudness> {
    granted(mixers, Wish::Mute(false))
}

pub(super) fn toggle(mixers: Mixers, _: Nothing, _: &Circumstances) -> Reporting<'_, Loudness> {
    granted(mixers, Wish::Toggle)
}

/// So loud it does not become; nothing was changed.
fn beyond(mend: &'static str) -> Reporting<'static, Loudness> {
    let problem = Problem::new(mend.to_owned(), "beyond");
    std::future::ready(Ok(Report::from(problem))).boxed()
}

fn granted(mixers: Mixers, wish: Wish) -> Reporting<'static, Loudness> {
    reporting(async move {
        let mut absent = Vec::new();
        for mixer in mixers.iter() {
            match grant(&**mixer, wish).await {
                Err(MixerError::Absent(why)) => absent.push(why),
                granted => return granted,
            }
        }
        if absent.is_empty() {
            absent.push("failed to find a way to the sound of this device".to_owned());
        }
        Err(MixerError::Absent(absent.join("; ")))
    })
}

async fn grant(mixer: &dyn Mixer, wish: Wish) -> Result<Report<Loudness>, MixerError> {
    let before = mixer.level().await?;
    let wanted = match wish {
        Wish::Tell => {
            let dialog = if before.muted { "muted" } else { "level" };
            return Ok(Loudness::now(before, dialog));
        }
        Wish::Mute(muted) => return silenced(mixer, before, muted).await,
        Wish::Toggle => return silenced(mixer, before, !before.muted).await,
        Wish::Set(percent) => percent,
        Wish::By(by) => (f64::from(before.percent) + by).clamp(0.0, 100.0),
    };
    let percent = wanted.round() as u8;
    mixer.set(percent).await?;
    // Who wants to hear a loudness wants to hear.
    let muted = before.muted && percent == 0;
    if before.muted && !muted {
        mixer.mute(false).await?;
    }
    Ok(Loudness::now(Level { percent, muted }, "level"))
}

async fn silenced(mixer: &dyn Mixer, before: Level, muted: bool) -> Result<Report<Loudness>, MixerError> {
    mixer.mute(muted).await?;
    let dialog = if muted { "now_muted" } else { "level" };
    Ok(Loudness::now(Level { muted, ..before }, dialog))
}
