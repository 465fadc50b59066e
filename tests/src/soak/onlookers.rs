//! Those who look on while sessions talk: a browser with an open view, and an MCP client that asks what there is.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::interval;

use crate::browser::{Browser, served};
use crate::daemon::Daemon;
use crate::home::Home;
use crate::wait::PATIENCE;

const TOKEN: &str = "a-token-of-mcp";

/// How often the client asks.
const PULSE: Duration = Duration::from_millis(200);

/// What they were told.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    /// Pieces of the view.
    pub(super) pieces: Arc<AtomicUsize>,
    /// Answers to the client.
    pub(super) answers: Arc<AtomicUsize>,
    /// What the client did not get.
    pub(super) failures: Arc<AtomicUsize>,
}

impl Seen {
    /// Tells whether both were served, and the client each time.
    pub(super) fn is_content(&self) -> bool {
        let count = |of: &AtomicUsize| of.load(Ordering::Relaxed);
        count(&self.pieces) > 0 && count(&self.answers) > 0 && count(&self.failures) == 0
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a browser was shown {} pieces, an MCP client answered {} times and failed {} times",
            self.pieces.load(Ordering::Relaxed),
            self.answers.load(Ordering::Relaxed),
            self.failures.load(Ordering::Relaxed)
        )
    }
}

/// They are gone with this value.
#[derive(Debug)]
pub(super) struct Onlookers {
    pub(super) seen: Seen,
    _tasks: JoinSet<()>,
}

/// Has the daemon of this home serve them; gives the address of its page.
pub(super) fn invite(home: &Home) -> String {
    let root = served(home);
    let token = home.write("mcp.token", &format!("{TOKEN}\n"));
    home.setting("page.mcp_token", &format!("{:?}", token.display().to_string()));
    root
}

impl Onlookers {
    /// They come, and look until they are dropped.
    pub(super) async fn come(daemon: &Daemon, home: &Home, root: &str) -> Self {
        daemon.wrote("the page is served", PATIENCE).await;
        let seen = Seen::default();
        let mut tasks = JoinSet::new();
        let browser = Browser::entered(home, root).await;
        tasks.spawn(read(browser, seen.clone()));
        tasks.spawn(ask(Browser::outside(root), seen.clone()));
        Self { seen, _tasks: tasks }
    }
}

async fn read(browser: Browser, seen: Seen) {
    let mut view = browser.watch("now").await;
    while view.next().await.is_some() {
        seen.pieces.fetch_add(1, Ordering::Relaxed);
    }
}

async fn ask(outside: Browser, seen: Seen) {
    let question = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
    let mut pulse = interval(PULSE);
    loop {
        pulse.tick().await;
        let request = outside.request(Method::POST, "/mcp").json(&question);
        let request = request.header("accept", "application/json, text/event-stream");
        let request = request.header("authorization", format!("Bearer {TOKEN}"));
        let told = async {
            let answer = request.send().await.ok()?;
            let is_served = answer.status() == StatusCode::OK;
            let text = answer.text().await.ok()?;
            (is_served && text.contains("ask_persona")).then_some(())
        };
        let count = if told.await.is_some() {
            &seen.answers
        } else {
            &seen.failures
        };
        count.fetch_add(1, Ordering::Relaxed);
    }
}
