//! Every place that is looked at for a secret.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::COLLECTED;
use super::mirror::Mirror;
use super::planted::{SAID, Secrets};
use crate::browser::Browser;
use crate::daemon::{Daemon, Launch};
use crate::home::Home;
use crate::probe::BusProbe;
use crate::wait::wait_for;

/// Views of the page, as they are without being asked for more.
const VIEWS: [&str; 13] = [
    "/",
    "/turns",
    "/tools",
    "/timers",
    "/lists",
    "/memory",
    "/routines",
    "/setup",
    "/personas",
    "/settings",
    "/models",
    "/check",
    "/log",
];

/// What a person prints to show it to others.
const COMMANDS: [&[&str]; 5] = [
    &["check"],
    &["--json", "check"],
    &["personas"],
    &["--json", "personas"],
    &["tools", "list"],
];

/// Folders of a home that hold what the daemon writes.
const WRITTEN: [&str; 4] = ["state", "data", "cache", "run"];

/// Places that are for what people say.
const FOR_WORDS: [&str; 3] = ["the bus", "what the brain was asked", "the state"];

/// What was found where.
#[derive(Debug, Default)]
pub(super) struct Places(Vec<(String, String)>);

impl Places {
    pub(super) fn add(&mut self, place: &str, text: String) {
        self.0.push((place.to_owned(), text));
    }

    /// Counts the places, and the bytes there.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.0.len(), self.0.iter().map(|(_, text)| text.len()).sum())
    }

    /// All views as they are at first, the turns among them, and the figures.
    pub(super) async fn page(&mut self, browser: &mut Browser) {
        let mut views: Vec<String> = VIEWS.map(str::to_owned).to_vec();
        let turns = browser.look("/turns").await;
        let links = turns.split("href=\"/turns/").skip(1);
        views.extend(links.filter_map(|link| Some(format!("/turns/{}", link.split('"').next()?))));
        views.push("/metrics".to_owned());
        for view in views {
            let text = browser.look(&view).await;
            self.add(&format!("the page at {view}"), text);
        }
    }

    /// Adds what commands print, also where a setting is refused.
    pub(super) async fn commands(&mut self, home: &Home, secrets: &Secrets) {
        let wrong = secrets.refused();
        let refused: &[&str] = &["--set", &wrong, "check"];
        for arguments in COMMANDS.into_iter().chain([refused]) {
            let finished = secrets.hand_over(Launch::new(home, arguments)).run().await;
            let command = arguments.last().copied().unwrap_or_default();
            self.add(&format!("what loquat {command} prints"), finished.shown());
        }
    }

    /// Adds all frames.
    pub(super) fn bus(&mut self, probe: &BusProbe) {
        let frames = probe.since(0);
        let texts: Vec<String> = frames.iter().map(|frame| format!("{frame:?}")).collect();
        self.add("the bus", texts.join("\n"));
    }

    /// Adds what a collector was sent.
    pub(super) async fn spans(&mut self, collector: &Mirror) {
        let seen = wait_for("spans", COLLECTED, async || {
            let seen = collector.seen();
            seen.contains("invoke_agent").then_some(seen)
        });
        self.add("the spans", seen.await);
    }

    /// Adds all that was written, also by the processes that were started.
    pub(super) fn state(&mut self, home: &Home) {
        for folder in WRITTEN {
            // The copy of the settings that counts while their file holds a mistake is for its owner alone, as that is.
            let copy = home.state().join("settings.toml");
            let place = if folder == "state" {
                "the state".to_owned()
            } else {
                format!("the folder {folder}")
            };
            let text = text_below(&home.path().join(folder), &copy);
            self.add(&place, text);
        }
    }

    /// Adds the log, and the command lines of the daemon and what it has started.
    pub(super) fn log(&mut self, daemon: &Daemon) {
        self.add("the log", daemon.output());
        for process in daemon.descendants().into_iter().chain([daemon.pid()]) {
            let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
            self.add("a command line", String::from_utf8_lossy(&line).into_owned());
        }
    }

    /// Places with secrets in them.
    pub(super) fn hits<'a>(&'a self, secrets: &'a Secrets, filter: &'a str) -> Vec<(&'a str, &'a str)> {
        let mut hits = Vec::new();
        for (place, text) in &self.0 {
            let found = secrets.all().filter(|(_, secret)| text.contains(*secret));
            hits.extend(found.map(|(path, _)| (place.as_str(), path)));
            let is_for_words =
                FOR_WORDS.contains(&place.as_str()) || (place == "the log" && filter == "trace");
            if !is_for_words && text.contains(SAID) {
                hits.push((place, "what was said"));
            }
        }
        hits
    }
}

fn text_below(folder: &Path, except: &Path) -> String {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let texts = entries.map(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => text_below(&entry.path(), except),
        Ok(kind) if kind.is_file() && !(entry.path() == except && is_private(except)) => {
            let bytes = fs::read(entry.path()).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        }
        _ => String::new(),
    });
    texts.collect()
}

/// Tells whether no other user may read a file.
fn is_private(file: &Path) -> bool {
    const OF_OTHERS: u32 = 0o077;
    fs::metadata(file).is_ok_and(|metadata| metadata.permissions().mode() & OF_OTHERS == 0)
}

/// Says what is wrong about core files of a daemon and what it has started: none of them may leave one.
pub(super) fn core_files_of(daemon: &Daemon) -> Option<String> {
    let mut processes = daemon.descendants();
    processes.push(daemon.pid());
    processes.into_iter().find_map(|process| {
        let limits = fs::read_to_string(format!("/proc/{process}/limits")).unwrap_or_default();
        let core = limits
            .lines()
            .find(|line| line.starts_with("Max core file size"))?;
        let is_none = core.split_whitespace().skip(4).take(2).all(|limit| limit == "0");
        (!is_none).then(|| format!("process {process} may leave a core file: {core}"))
    })
}
