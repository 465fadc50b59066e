//! What `systemctl status` shows in one line: bus, disk, microphone, model and persona. It follows what changes.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::select_all;
use loquat_bus::ConnectionState;
use loquat_part::EarNews;
use loquat_part::reload::Standing;
use loquat_skills::mcp::{self, Server, Servers};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::disk_alarm;
use crate::mind::Mind;
use crate::state::Condition as DiskCondition;

/// What the line is made of.
pub(super) struct StatusLine {
    pub(super) bus: watch::Receiver<ConnectionState>,
    pub(super) condition: watch::Receiver<DiskCondition>,
    pub(super) ear: watch::Receiver<EarNews>,
    /// The MCP servers, and what tells that one is other than before.
    pub(super) mcp: (Servers, watch::Receiver<u64>),
    /// The model of this device, and what is wrong with settings and persona files.
    pub(super) settings: watch::Receiver<Standing>,
    /// Whose default persona is shown, and what tells that it may be another.
    pub(super) personas: (Arc<Mind>, watch::Receiver<()>),
    /// What parts tell of themselves.
    pub(super) parts: Vec<watch::Receiver<String>>,
}

impl StatusLine {
    /// Keeps the line until cancelled.
    pub(super) async fn keep(mut self, status: watch::Sender<String>, cancel: CancellationToken) {
        loop {
            status.send_replace(self.text());
            tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                changed = self.bus.changed() => if changed.is_err() { return cancel.cancelled().await },
                // Without a state it never changes, and without an ear neither.
                Ok(()) = self.condition.changed() => {}
                Ok(()) = self.ear.changed() => {}
                Ok(()) = self.mcp.1.changed() => {}
                Ok(()) = self.personas.1.changed() => {}
                Ok(()) = self.settings.changed() => {}
                () = changed(&mut self.parts) => {}
            }
        }
    }

    fn text(&mut self) -> String {
        let bus = bus(&self.bus.borrow_and_update());
        let disk = disk_alarm::remark(*self.condition.borrow_and_update());
        let ear = ear(&self.ear.borrow_and_update());
        self.mcp.1.mark_unchanged();
        let mcp = mcp(&self.mcp.0);
        self.personas.1.mark_unchanged();
        let persona = self.personas.0.default_persona();
        let persona = persona.map_or_else(|| "nobody".to_owned(), |persona| persona.name.clone());
        let mut parts = String::new();
        for told in &mut self.parts {
            parts.push_str("; ");
            parts.push_str(&told.borrow_and_update());
        }
        let settings = self.settings.borrow_and_update().clone();
        let missing = if settings.language.is_present() {
            ""
        } else {
            " missing"
        };
        let model = format!("{}{missing}", settings.language.name);
        // The worst first, since a terminal cuts the end off.
        let mistake = settings
            .mistake
            .map_or_else(String::new, |mistake| format!("old settings count: {mistake}; "));
        let left_out = settings
            .left_out
            .map_or_else(String::new, |why| format!("a mistake in a persona: {why}; "));
        format!("{mistake}{left_out}{bus}{disk}; {ear}; model {model}; {persona} answers{mcp}{parts}")
    }
}

/// Waits until one of them has changed, and for ever where none can.
async fn changed(parts: &mut Vec<watch::Receiver<String>>) {
    while !parts.is_empty() {
        let (changed, which, _) = select_all(parts.iter_mut().map(|told| told.changed().boxed())).await;
        if changed.is_ok() {
            return;
        }
        // Its part has ended.
        parts.remove(which);
    }
    std::future::pending::<()>().await;
}

fn bus(state: &ConnectionState) -> String {
    match state {
        ConnectionState::Connected { .. } => "on the bus".to_owned(),
        ConnectionState::Disconnected { error, .. } => format!("no bus: {error}"),
        ConnectionState::Connecting { .. } => "looking for the bus".to_owned(),
        _ => "ending".to_owned(),
    }
}

/// Tells only what is not as it should be.
fn mcp(servers: &Servers) -> String {
    let remark = |server: &Arc<Server>| {
        let name = &server.rules().name;
        match &*server.condition().borrow() {
            mcp::Condition::Down(_) => Some(format!("; MCP server {name} is not there")),
            mcp::Condition::Up { remarks, .. } if !remarks.is_empty() => {
                Some(format!("; MCP server {name}: {}", remarks.join(", ")))
            }
            _ => None,
        }
    };
    servers.all().iter().filter_map(remark).collect()
}

fn ear(news: &EarNews) -> String {
    match news {
        EarNews::Unknown => "opening the microphone".to_owned(),
        EarNews::Hears { device, .. } => format!("microphone {device}"),
        EarNews::Deaf(reason) => format!("no microphone: {reason}"),
    }
}
