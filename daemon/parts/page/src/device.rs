//! What the page shows of the device and has it do, beside what all parts know: the ports for it, and what comes of them.
//! The daemon offers it.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use loquat_models::Store;
use loquat_part::bench::Bench;
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
    pub bench: Arc<dyn Bench>,
    /// What is written of the device, and who changes it.
    pub papers: Arc<dyn Papers>,
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

/// What people change often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Often {
    /// How fast the device speaks.
    Speed,
    /// The language model on the device.
    Model,
}

/// A setting as the files have it now.
#[derive(Debug, Clone)]
pub struct Line {
    /// The setting.
    pub entry: Entry,
    /// Whether it counts now; else it does after a restart.
    pub counts: bool,
}

/// All settings as the files have them now.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// All of them, in the order of the sample file.
    pub lines: Vec<Line>,
    /// What is wrong with the files.
    pub complaints: Vec<Complaint>,
    /// The language models that are on the device.
    pub models: Vec<String>,
    /// What is said of the services outside of the device.
    pub network: Rules,
}

/// The personas as their files are now.
#[derive(Debug, Clone)]
pub struct Roll {
    /// All of which the files can be used.
    pub personas: Vec<Called>,
    /// What is wrong with the files.
    pub complaints: Vec<Complaint>,
}

/// A persona, and how it stands.
#[derive(Debug, Clone)]
pub struct Called {
    /// As it stands in its file.
    pub persona: Persona,
    /// Whether it answers where it is asked for.
    pub answers: bool,
    /// Whether it answers where no other is asked for.
    pub is_default: bool,
    /// Why it cannot answer; nothing where it can.
    pub why_not: Option<String>,
}

/// What is written of the device, and who changes it. What went wrong is told in words for a person.
pub trait Papers: Debug + Send + Sync {
    /// Reads the settings. Blocks.
    fn sheet(&self) -> Sheet;

    /// The key of what people change often.
    fn key(&self, what: Often) -> &'static str;

    /// Changes it; nothing is as without the setting.
    fn change(&self, what: Often, to: String) -> BoxFuture<'_, Result<(), String>>;

    /// Changes how a service outside of the device stands.
    fn permit(&self, service: Service, standing: Standing) -> BoxFuture<'_, Result<(), String>>;

    /// Reads the personas. Blocks.
    fn roll(&self) -> Roll;

    /// What `loquat check` finds beside the daemon.
    fn check(&self) -> BoxFuture<'_, Vec<Finding>>;

    /// The models of the device.
    fn store(&self) -> Store;

    /// Whether a model is used that is no language model.
    fn uses(&self, model: &str) -> bool;

    /// Has the device's own conversation forgotten.
    fn forget(&self) -> BoxFuture<'_, Result<(), String>>;
}
