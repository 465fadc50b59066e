//! What `make attack` does to a running daemon: frames, injections, forgeries, schemas and floods, each judged by the same
//! measures while a person is still there.
//!
//! The daemon lives in a home of its own with a scripted brain and toolboxes on its bus; everything is loopback.

pub mod attacker;
pub mod bent_questions;
pub mod bound_rights;
pub mod choices;
pub mod commands;
pub mod errand;
pub mod fetches;
pub mod flood;
pub mod forgery;
pub mod frames;
pub mod homes;
pub mod injection;
pub mod leaks;
pub mod memory_pressure;
pub mod paths;
pub mod planted;
pub mod power_cuts;
pub mod read_only;
pub mod row;
pub mod scale;
pub mod schema;
pub mod second_yes;
pub mod secrets;
pub mod servers;
pub mod target;
pub mod wyoming;

use tokio::task::JoinSet;

use self::row::Row;
use self::scale::Scale;

/// One attack; each has a daemon of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attack {
    /// Generated frames, half of them valid JSON that is hostile in a field, half damaged bytes.
    Frames,
    /// Texts that want a dangerous tool to be called, on every way to the brain, which obeys.
    Injections,
    /// An attacker answers the question that the person was asked.
    ForgedConsent,
    /// A yes to one question that wants to be one to the next.
    SecondYes,
    /// Arguments that want to bend what the person is asked.
    BentQuestions,
    /// An attacker answers the call of a tool, or answers with more than was asked.
    ForgedAnswers,
    /// Argument schemas and patterns that cost more than their size.
    Schemas,
    /// Very many sessions with one utterance each.
    Sessions,
    /// Queries out of band while the brain hangs.
    Queries,
    /// Skills register intents and entities without end while utterances are searched.
    Registrations,
    /// Clients that stop in the middle of a large frame.
    HalfFrames,
    /// Connections that only exist.
    Descriptors,
    /// Sessions, notes and utterances of many megabytes.
    Oversize,
    /// Clients that read nothing while much is said.
    SlowReaders,
    /// Paths that want out of the folder of files.
    Paths,
    /// Commands that want more than their program.
    Commands,
    /// Addresses, redirects and names that want to be fetched at home.
    Fetches,
    /// Texts in pages, files, lists and memories that want something sent or done, which the brain obeys.
    Leaks,
    /// Files, names and addresses of the person that a persona, a skill or a page chooses.
    Choices,
    /// Words planted in what is kept, named or announced, which the brain obeys when it reads them.
    Planted,
    /// Damaged events at the door for Home Assistant.
    Wyoming,
    /// MCP servers that lie, change, flood, keep silent, leave, fork and preach.
    Servers,
    /// Sentences, calls, scenes and scripts that want a lock or a door moved without a yes.
    Homes,
    /// More timers than are kept, many that ring at once, and calls of every kind about them.
    Timers,
    /// More facts than are kept, huge ones, and lies that a program plants.
    Memories,
    /// Requests, forms and views at the page, of strangers and of a browser that never reads.
    Page,
    /// Requests at the page's door for MCP clients.
    McpDoor,
    /// Calls of programs on D-Bus.
    Desktop,
    /// Cuts of the power while things are written down.
    PowerCuts,
    /// A disk that takes nothing, under the daemon and from its start.
    ReadOnly,
    /// Hardly any more memory than it has.
    MemoryPressure,
    /// A secret on each path, and servers that give back what they are sent.
    Secrets,
    /// A satellite that is bound to one persona, and wants another and what is the owner's.
    BoundRights,
}

impl Attack {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 33] = [
        Self::Frames,
        Self::Injections,
        Self::ForgedConsent,
        Self::SecondYes,
        Self::BentQuestions,
        Self::ForgedAnswers,
        Self::Schemas,
        Self::Sessions,
        Self::Queries,
        Self::Registrations,
        Self::HalfFrames,
        Self::Descriptors,
        Self::Oversize,
        Self::SlowReaders,
        Self::Paths,
        Self::Commands,
        Self::Fetches,
        Self::Leaks,
        Self::Choices,
        Self::Planted,
        Self::Wyoming,
        Self::Servers,
        Self::Homes,
        Self::Timers,
        Self::Memories,
        Self::Page,
        Self::McpDoor,
        Self::Desktop,
        Self::PowerCuts,
        Self::ReadOnly,
        Self::MemoryPressure,
        Self::Secrets,
        Self::BoundRights,
    ];

    /// Gives the name by which the table and the variable `ATTACKS` know it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Frames => "frames",
            Self::Injections => "injections",
            Self::ForgedConsent => "forged-consent",
            Self::SecondYes => "second-yes",
            Self::BentQuestions => "bent-questions",
            Self::ForgedAnswers => "forged-answers",
            Self::Schemas => "schemas",
            Self::Sessions => "sessions",
            Self::Queries => "queries",
            Self::Registrations => "registrations",
            Self::HalfFrames => "half-frames",
            Self::Descriptors => "descriptors",
            Self::Oversize => "oversize",
            Self::SlowReaders => "slow-readers",
            Self::Paths => "paths",
            Self::Commands => "commands",
            Self::Fetches => "fetches",
            Self::Leaks => "leaks",
            Self::Choices => "choices",
            Self::Planted => "planted",
            Self::Wyoming => "wyoming",
            Self::Servers => "servers",
            Self::Homes => "homes",
            Self::Timers => "timers",
            Self::Memories => "memories",
            Self::Page => "page",
            Self::McpDoor => "mcp-door",
            Self::Desktop => "desktop",
            Self::PowerCuts => "power-cuts",
            Self::ReadOnly => "read-only",
            Self::MemoryPressure => "scarce-memory",
            Self::Secrets => "secrets",
            Self::BoundRights => "bound-rights",
        }
    }

    /// Attacks a daemon of its own. What breaks the attack itself is a fault of the daemon too.
    pub async fn run(self, scale: Scale) -> Row {
        let mut task = JoinSet::new();
        task.spawn(async move {
            match self {
                Self::Frames => frames::attack(scale).await,
                Self::Injections => injection::attack(scale).await,
                Self::ForgedConsent => forgery::consent(scale).await,
                Self::SecondYes => second_yes::attack(scale).await,
                Self::BentQuestions => bent_questions::attack(scale).await,
                Self::ForgedAnswers => forgery::answers(scale).await,
                Self::Schemas => schema::attack(scale).await,
                Self::Sessions => flood::sessions(scale).await,
                Self::Queries => flood::queries(scale).await,
                Self::Registrations => flood::registrations(scale).await,
                Self::HalfFrames => flood::half_frames(scale).await,
                Self::Descriptors => flood::descriptors(scale).await,
                Self::Oversize => flood::oversize(scale).await,
                Self::SlowReaders => flood::slow_readers(scale).await,
                Self::Paths => paths::attack(scale).await,
                Self::Commands => commands::attack(scale).await,
                Self::Fetches => fetches::attack(scale).await,
                Self::Leaks => leaks::attack(scale).await,
                Self::Choices => choices::attack(scale).await,
                Self::Planted => planted::attack(scale).await,
                Self::Wyoming => wyoming::attack(scale).await,
                Self::Servers => servers::attack(scale).await,
                Self::Homes => homes::attack(scale).await,
                Self::Timers => flood::timers(scale).await,
                Self::Memories => flood::memories(scale).await,
                Self::Page => flood::page(scale).await,
                Self::McpDoor => flood::mcp_door(scale).await,
                Self::Desktop => flood::desktop(scale).await,
                Self::PowerCuts => power_cuts::attack(scale).await,
                Self::ReadOnly => read_only::attack(scale).await,
                Self::MemoryPressure => memory_pressure::attack(scale).await,
                Self::Secrets => secrets::attack(scale).await,
                Self::BoundRights => bound_rights::attack(scale).await,
            }
        });
        let ended = task.join_next().await.expect("there is one task");
        let mut row = ended.unwrap_or_else(|broken| {
            let words = broken.into_panic();
            let words = words.downcast_ref::<String>().cloned();
            let mut row = Row::default();
            row.fault(words.unwrap_or_else(|| "the attack broke off".into()));
            row
        });
        row.name = self.name();
        row
    }
}
