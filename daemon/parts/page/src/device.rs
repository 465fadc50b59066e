//! The ports by which the page shows the device and changes it. The daemon implements them; nothing here knows how.

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use loquat_models::Store;
use loquat_part::tool_trials::ToolTrials;
use loquat_part::{EarNews, Finding};
use loquat_persona::Persona;
use loquat_settings::{Complaint, Entry};
use loquat_skills::Resources;
use loquat_skills::permission::{Rules, Service, Standing};
use loquat_speech::EarHandle;
use tokio::sync::watch;

use super::log_tail::LogTail;

/// All that the page is given.
#[derive(Debug, Clone)]
pub struct Device {
    /// Where tools are tried.
    pub tool_trials: Arc<dyn ToolTrials>,
    /// Reads and changes its settings, personas and models.
    pub administration: Arc<dyn Administration>,
    /// What is heard.
    pub hearing: Hearing,
    /// What toolboxes share: alerts, lists and what was remembered.
    pub resources: Resources,
    /// How long a yes is waited for.
    pub patience: Duration,
    /// The end of the log.
    pub log: LogTail,
}

/// What is known of the ear.
#[derive(Debug, Clone)]
pub struct Hearing {
    /// Whether the device hears.
    pub news: watch::Receiver<EarNews>,
    /// What it understands while it listens; empty where that is nothing.
    pub so_far: watch::Receiver<String>,
    /// The ear, where there is one.
    pub ear: Option<EarHandle>,
}

/// A setting that the page lets people change in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuickSetting {
    /// How fast the device speaks.
    Speed,
    /// The language model on the device.
    Model,
}

/// A setting as the files have it now.
#[derive(Debug, Clone)]
pub struct ListedSetting {
    /// The setting.
    pub entry: Entry,
    /// Whether it counts now; else it does after a restart.
    pub counts: bool,
}

/// All settings as the files have them now.
#[derive(Debug, Clone)]
pub struct CurrentSettings {
    /// They are in the order of the sample file.
    pub settings: Vec<ListedSetting>,
    /// What is wrong with the files.
    pub complaints: Vec<Complaint>,
    /// The language models that are on the device.
    pub models: Vec<String>,
    /// What is said of the services outside of the device.
    pub network: Rules,
}

/// The personas as their files are now.
#[derive(Debug, Clone)]
pub struct Personas {
    /// All of which the files can be used.
    pub personas: Vec<ListedPersona>,
    /// What is wrong with the files.
    pub complaints: Vec<Complaint>,
}

/// A persona of the list, and whether it can answer.
#[derive(Debug, Clone)]
pub struct ListedPersona {
    /// As it stands in its file.
    pub persona: Persona,
    /// Whether it answers where it is asked for.
    pub answers: bool,
    /// Whether it answers where no other is asked for.
    pub is_default: bool,
    /// Why it cannot answer; nothing where it can.
    pub why_not: Option<String>,
}

/// The port by which the page reads and changes settings, personas and models. An error is told in words for a person.
pub trait Administration: Debug + Send + Sync {
    /// Reads the settings. Blocks.
    fn settings(&self) -> CurrentSettings;

    /// Names the key of such a setting.
    fn key(&self, what: QuickSetting) -> &'static str;

    /// Changes it; nothing is as without the setting.
    fn change(&self, what: QuickSetting, to: String) -> BoxFuture<'_, Result<(), String>>;

    /// Changes how a service outside of the device stands.
    fn permit(&self, service: Service, standing: Standing) -> BoxFuture<'_, Result<(), String>>;

    /// Reads the personas. Blocks.
    fn personas(&self) -> Personas;

    /// Runs what `loquat check` finds beside the daemon.
    fn check(&self) -> BoxFuture<'_, Vec<Finding>>;

    /// Opens the store of the models of this device.
    fn store(&self) -> Store;

    /// Tells whether a model is used that is no language model.
    fn uses(&self, model: &str) -> bool;

    /// How quick the language model of a file is here, in words, if it was timed.
    fn speed(&self, model: &Path) -> Option<String>;

    /// Has the device's own conversation forgotten.
    fn forget(&self) -> BoxFuture<'_, Result<(), String>>;
}
