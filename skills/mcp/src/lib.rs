//! MCP servers of the owner's choosing, each as a toolbox `mcp-NAME`.
//!
//! What may be used, and what asks first, is the owner's word; what a server says of itself only adds caution. Nothing is
//! started where no server is named.

mod connection;
mod excerpt;
mod lines;
mod listing;
mod process;
mod questions;
mod reply;
mod rules;
mod secrets;
mod server;
mod updates;
mod written;

use std::sync::Arc;

use futures_util::future::join_all;
use loquat_agent::toolbox::Toolbox;
use serde_json::{Map, Value};
use tokio::sync::{broadcast, watch};
use tokio_util::sync::CancellationToken;

pub use rules::{Risk, ServerRules, Way};
pub use server::{ALLOWED, Condition, Server};
pub use updates::Update;

use self::updates::Updates;
use loquat_kit::records::Records;
use loquat_kit::settings::{ToolboxSettingsError, refuse_unknown};

/// With which the ids of their toolboxes begin.
pub const PREFIX: &str = "mcp-";

/// All servers of the owner. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Servers {
    all: Arc<[Arc<Server>]>,
    changes: watch::Sender<u64>,
    updates: Updates,
}

impl Servers {
    /// Those of these rules. None begins before [`Servers::run`].
    pub fn new(rules: Vec<ServerRules>, records: &Arc<dyn Records>) -> Self {
        let (changes, updates) = (watch::Sender::default(), Updates::default());
        let server = |rules| {
            let server = Server::new(rules, Arc::clone(records), changes.clone());
            Arc::new(server.telling(updates.clone()))
        };
        let all = rules.into_iter().map(server).collect();
        Self {
            all,
            changes,
            updates,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// All of them, in the order of their names.
    pub fn all(&self) -> &[Arc<Server>] {
        &self.all
    }

    /// Changes whenever the condition of any of them does.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Tells of resources of theirs that change from now on, as far as the owner has named them.
    pub fn updates(&self) -> broadcast::Receiver<Update> {
        self.updates.subscribe()
    }

    /// The toolbox of this id; nothing where it is none of an MCP server. A persona has no settings for it.
    pub fn toolbox(
        &self,
        id: &str,
        settings: &Map<String, Value>,
    ) -> Option<Result<Arc<dyn Toolbox>, ToolboxSettingsError>> {
        let server = self.all.iter().find(|server| server.id() == id)?;
        let toolbox = refuse_unknown(id, settings, &[]);
        Some(toolbox.map(|()| Arc::clone(server) as Arc<dyn Toolbox>))
    }

    /// Keeps all of them running until cancelled. No process of theirs is left then.
    pub async fn run(self, cancel: CancellationToken) {
        join_all(self.all.iter().map(|server| server.run(cancel.clone()))).await;
        cancel.cancelled().await;
    }
}
