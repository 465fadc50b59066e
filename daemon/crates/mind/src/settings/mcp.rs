//! `[mcp]`: the MCP servers of the owner's choosing, and what each of their tools may do.

use std::collections::BTreeMap;

use loquat_persona::Keys;
use loquat_settings::form::Form;
use loquat_settings::secret::KeptIn;
use loquat_settings::{Folders, section};
use loquat_skills::alerts::AwaitedResources;
use loquat_skills::mcp::Risk;
use serde::{Deserialize, Serialize};

/// So long a name of a server is, at most.
const LONGEST_NAME: usize = 32;

/// One server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct McpServer {
    /// The program that is started and spoken to over its standard streams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Names of variables that it gets from the daemon's environment, beside PATH, HOME, LANG and TZ.
    #[serde(default)]
    pub pass_env: Vec<String>,
    /// Variables that it gets, with the place where each value is kept.
    #[serde(default)]
    pub env: BTreeMap<String, KeptIn>,
    /// In place of a program, an address for streamable HTTP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Where the token for that address is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<KeptIn>,
    /// The tools that may be used, and the risk of each. Absent: all may, and each asks first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<BTreeMap<String, Risk>>,
    /// Resources of whose changes it tells and that may be waited for, each by the words that people say for it.
    #[serde(default)]
    pub awaited: AwaitedResources,
    /// Whether its words are taken for the owner's own.
    #[serde(default)]
    pub trusted: bool,
    /// Whether, without `tools`, a tool runs unasked where the server says that it only reads.
    #[serde(default)]
    pub believe_read_only: bool,
    /// How long it may take to start, and to list its tools.
    #[serde(default = "start_seconds")]
    pub start_seconds: f64,
    /// How long a call may take in all.
    #[serde(default = "call_seconds")]
    pub call_seconds: f64,
}

fn start_seconds() -> f64 {
    20.0
}

fn call_seconds() -> f64 {
    15.0
}

/// All servers by their names.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, McpServer>")]
pub struct McpServers(pub BTreeMap<String, McpServer>);

impl TryFrom<BTreeMap<String, McpServer>> for McpServers {
    type Error = String;

    fn try_from(servers: BTreeMap<String, McpServer>) -> Result<Self, String> {
        for (name, server) in &servers {
            if let Some(wrong) = wrong(name, server) {
                return Err(format!("{name}: {wrong}"));
            }
        }
        Ok(Self(servers))
    }
}

/// What is wrong with a server whose keys and types are right.
fn wrong(name: &str, server: &McpServer) -> Option<String> {
    let is_plain =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || matches!(letter, '_' | '-');
    let is_time = |seconds: f64| (0.1..=3600.0).contains(&seconds);
    if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(is_plain) {
        return Some(format!(
            "a name has up to {LONGEST_NAME} small letters, digits, _ and -"
        ));
    }
    let only_program = !server.args.is_empty() || !server.env.is_empty() || !server.pass_env.is_empty();
    match (&server.command, &server.url) {
        (None, None) => return Some("write command, a program, or url, an address".to_owned()),
        (Some(_), Some(_)) => return Some("write command or url, and not both".to_owned()),
        (Some(command), None) if command.is_empty() => return Some("command must not be empty".to_owned()),
        (Some(_), None) if server.token.is_some() => {
            return Some("token is for url; a program gets its secrets by env".to_owned());
        }
        (None, Some(_)) if only_program => {
            return Some("args, env and pass_env are for command, and not for url".to_owned());
        }
        (None, Some(url)) if !url.starts_with("http://") && !url.starts_with("https://") => {
            return Some("url must begin with https:// or http://".to_owned());
        }
        _ => {}
    }
    if !is_time(server.start_seconds) || !is_time(server.call_seconds) {
        return Some("start_seconds and call_seconds must be numbers from 0.1 to 3600".to_owned());
    }
    None
}

impl Form for McpServers {
    fn expected() -> String {
        "a table for each server, as in [mcp.servers.time]".to_owned()
    }
}

section! {
    /// Programs and services that speak the Model Context Protocol. Each server is a toolbox mcp-NAME, which a persona
    /// file lists under toolboxes as any other.
    "mcp" Mcp {
        /// The servers, each in a table of its own:
        /// `[mcp.servers.time]`
        /// `command = "mcp-server-time"` (a program), or `url = "https://…/mcp"` with `token = { file = "…" }`
        /// `args = ["--local-timezone", "Europe/Lisbon"]`
        /// `env = { KEY = { credential = "time-key" } }` (or `file`), and `pass_env = ["NAME"]`, which hands ours on
        /// `tools = { get_current_time = "read", convert_time = "read" }`
        /// "read" changes nothing, "change" does no harm, "ask" asks each time, "pin" wants the PIN too. Tools that are not
        /// listed are not offered; without `tools` all are offered and each asks.
        /// `awaited = ["there is new mail = mail://inbox"]` is for "tell me when there is new mail": the words that people say,
        /// and the URI of a resource of whose changes the server tells (`resources/subscribe`).
        /// Further keys: `trusted` (false), `believe_read_only` (false), `start_seconds` (20), `call_seconds` (15).
        /// A server is a program of its maker: it can do what you can. The servers of a stronger file replace all of these.
        servers: McpServers = McpServers::default();
    }
}

/// What the settings say about MCP servers.
#[derive(Debug, Clone, Copy)]
pub struct McpSettings<'a> {
    /// Their table.
    pub mcp: &'a Mcp,
    /// What may be done with keys.
    pub keys: &'a Keys,
    /// Where things are kept.
    pub folders: &'a Folders,
}
