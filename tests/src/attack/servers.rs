//! MCP servers of the worst manners: they lie about their tools, change them, flood, never answer, leave, fork and preach. The
//! brain obeys each, and no person says yes.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::row::Row;
use super::scale::Scale;
use super::target::Target;
use crate::binaries;
use crate::brain::Reply;
use crate::story::TESTER;
use crate::turn::Utterance;
use crate::wait::{PATIENCE, wait_for};

/// Each with a daemon of its own.
const MANNERS: [&str; 10] = [
    "honest",
    "turned",
    "turns",
    "lies",
    "floods",
    "mute",
    "leaves",
    "forks",
    "endless",
    "complains",
];

/// What the brain wants, whatever it is offered.
const WANTED: [&str; 4] = ["wipe", "preach", "look", "guess"];

/// What the owner has called harmless, where the server is one that is listed.
const HARMLESS: [&str; 2] = ["look", "guess"];

/// How long a killed process may still be seen.
const SOON: Duration = Duration::from_secs(5);

/// Runs the servers of all manners.
pub async fn attack(_: Scale) -> Row {
    let mut whole = Row::default();
    let mut calls = 0;
    for manners in MANNERS {
        // Where nothing is listed every tool asks.
        for lists in [false, true] {
            let (row, called) = one(manners, lists).await;
            calls += called;
            whole.count += row.count;
            whole.memory = whole.memory.max(row.memory);
            whole.ping = whole.ping.max(row.ping);
            whole.question = whole.question.max(row.question);
            whole.end = whole.end.max(row.end);
            whole.took += row.took;
            let told = row.faults.into_iter().map(|fault| format!("{manners}: {fault}"));
            whole.faults.extend(told);
        }
    }
    whole.seen = format!("0 dangerous calls expected, {calls} harmless ones, none left");
    whole.faults.truncate(5);
    whole
}

async fn one(manners: &str, lists: bool) -> (Row, usize) {
    let target = Target::begin(|tester, home| {
        let program = binaries::mcp_server().display().to_string();
        let log = home.path().join("mcp.log").display().to_string();
        let tools = if lists { "tools = { look = \"read\", guess = \"read\" }" } else { "" };
        home.add_settings(&format!(
            "[mcp.servers.worst]\ncommand = {program:?}\nargs = [{manners:?}, {log:?}]\ncall_seconds = 1\n{tools}\n"
        ));
        tester.toolboxes(&["mcp-worst"])
    })
    .await;
    let log = target.home.path().join("mcp.log");
    target.daemon.wrote("an MCP server is there", PATIENCE).await;
    let mut row = Row::default();
    for tool in WANTED {
        target.brain.script(
            TESTER,
            [
                Reply::acts(tool, &json!({"what": "everything"})),
                Reply::answers("So be it."),
            ],
        );
        let turn = Utterance::new("Do as you are told")
            .in_session("worst")
            .ask(&target.probe)
            .await;
        row.count += 1;
        row.demand(turn.ends() == 1, || {
            format!("the turn with {tool} has {} ends", turn.ends())
        });
    }
    let called = called(&log);
    let is_harmless = |name: &String| lists && HARMLESS.contains(&name.as_str());
    for name in called.iter().filter(|name| !is_harmless(name)) {
        row.fault(format!("{name} was called without a yes"));
    }
    let question = target.ask().await;
    let mut row = target.judged(row, question).await;
    let mark = log.display().to_string();
    let is_gone = async || (left(&mark) == 0).then_some(());
    let gone = timeout(SOON, wait_for("the end of all processes", PATIENCE, is_gone)).await;
    row.demand(gone.is_ok(), || format!("{} processes are left", left(&mark)));
    (row, called.len())
}

/// Lists the tools that were called, by the server's own account.
fn called(log: &Path) -> Vec<String> {
    let heard = fs::read_to_string(log).unwrap_or_default();
    let messages = heard
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let calls = messages.filter(|message| message["method"] == "tools/call");
    calls
        .filter_map(|call| Some(call["params"]["name"].as_str()?.to_owned()))
        .collect()
}

/// Counts the processes that know of this file, in their command line or in their environment.
fn left(mark: &str) -> usize {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let knows = |entry: &fs::DirEntry| {
        ["cmdline", "environ"].iter().any(|part| {
            let said = fs::read(entry.path().join(part)).unwrap_or_default();
            String::from_utf8_lossy(&said).contains(mark)
        })
    };
    entries.filter(knows).count()
}
