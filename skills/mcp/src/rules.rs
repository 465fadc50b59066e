//! What the owner of this device says about one MCP server: how it is reached, which of its tools may be used, and how
//! much harm each can do. Holds what settings said; reads no file.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use loquat_agent::toolbox::{Category, Confirm, Tool};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

/// What an owner says of one tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Risk {
    /// It changes nothing: it runs unasked, also beside others.
    Read,
    /// It changes something that does no harm: it runs unasked unless the turn has read words of strangers.
    Change,
    /// The person is asked before each call.
    Ask,
    /// The person is asked before each call, and says the PIN.
    Pin,
}

/// How a server is reached.
#[derive(Clone)]
pub enum Way {
    /// A program that is started here and spoken to over its standard streams.
    Program {
        /// The program: a path, or a name on the search path.
        command: String,
        /// Its arguments.
        arguments: Vec<String>,
        /// It has these variables and no others.
        environment: Vec<(String, SecretString)>,
    },
    /// The server is reached over streamable HTTP.
    Address {
        /// The address.
        url: String,
        /// Sent as a bearer token.
        token: Option<SecretString>,
    },
    /// It cannot be reached at all, for this reason.
    None(String),
}

impl fmt::Debug for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program { command, .. } => f.debug_tuple("Program").field(command).finish(),
            Self::Address { url, .. } => f.debug_tuple("Address").field(url).finish(),
            Self::None(why) => f.debug_tuple("None").field(why).finish(),
        }
    }
}

/// The owner's word on one server.
#[derive(Debug, Clone)]
pub struct ServerRules {
    /// What the owner calls it; its toolbox is `mcp-NAME`.
    pub name: String,
    /// How it is reached.
    pub way: Way,
    /// The tools that may be used, and their risk. Absent: all of them may, and each asks first.
    pub tools: Option<BTreeMap<String, Risk>>,
    /// The resources of whose changes it is to tell, by their URIs.
    pub awaited: Vec<String>,
    /// Whether its words are the owner's own, so that they mark no turn.
    pub is_trusted: bool,
    /// Whether a tool that is in no list runs unasked where its server says that it only reads.
    pub believes_read_only: bool,
    /// How long it may take to start.
    pub start: Duration,
    /// How long a call may take in all.
    pub call: Duration,
}

/// What a server says of one of its tools, as far as it counts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hints {
    pub(super) reads: Option<bool>,
    /// It says that it may destroy something.
    pub(super) destroys: Option<bool>,
}

impl ServerRules {
    /// The id of its toolbox.
    pub fn toolbox_id(&self) -> String {
        format!("{}{}", super::PREFIX, self.name)
    }

    /// Whether a tool of this name may be used.
    pub(super) fn allows(&self, name: &str) -> bool {
        self.tools.as_ref().is_none_or(|tools| tools.contains_key(name))
    }

    /// The risk of a tool. What its server says of it only makes it greater, unless the owner believes the server.
    pub(super) fn risk(&self, name: &str, hints: Hints) -> Risk {
        let own = self.tools.as_ref().and_then(|tools| tools.get(name)).copied();
        let is_doubtful = hints.reads == Some(false) || hints.destroys == Some(true);
        match own {
            Some(Risk::Read) if hints.destroys == Some(true) => Risk::Ask,
            Some(Risk::Read) if hints.reads == Some(false) => Risk::Change,
            Some(own) => own,
            None if self.believes_read_only && hints.reads == Some(true) && !is_doubtful => Risk::Read,
            None => Risk::Ask,
        }
    }

    /// A tool with this risk, beside what it is in any case.
    pub(super) fn applied_to(&self, tool: Tool, risk: Risk) -> Tool {
        let asks = matches!(risk, Risk::Ask | Risk::Pin);
        Tool {
            category: if asks { Category::Dangerous } else { Category::Safe },
            confirm: match risk {
                Risk::Pin => Confirm::Pin,
                Risk::Ask => Confirm::Ask,
                Risk::Read | Risk::Change => Confirm::Never,
            },
            read_only: risk == Risk::Read,
            idempotent: risk == Risk::Read,
            brings_foreign_text: !self.is_trusted,
            is_strangers: true,
            sends: !self.is_trusted,
            timeout: self.call,
            ..tool
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(tools: &[(&str, Risk)], believes_read_only: bool) -> ServerRules {
        let tools: BTreeMap<String, Risk> = tools
            .iter()
            .map(|(name, risk)| ((*name).to_owned(), *risk))
            .collect();
        ServerRules {
            name: "x".to_owned(),
            way: Way::None(String::new()),
            tools: (!tools.is_empty()).then_some(tools),
            awaited: Vec::new(),
            is_trusted: false,
            believes_read_only,
            start: Duration::ZERO,
            call: Duration::ZERO,
        }
    }

    fn hints(reads: Option<bool>, destroys: Option<bool>) -> Hints {
        Hints { reads, destroys }
    }

    #[test]
    fn what_a_server_says_only_raises_caution() {
        let own = rules(&[("t", Risk::Read)], false);
        assert_eq!(own.risk("t", hints(Some(true), None)), Risk::Read);
        assert_eq!(own.risk("t", hints(None, None)), Risk::Read);
        assert_eq!(own.risk("t", hints(Some(false), None)), Risk::Change);
        assert_eq!(own.risk("t", hints(Some(true), Some(true))), Risk::Ask);
        for risk in [Risk::Ask, Risk::Pin] {
            let own = rules(&[("t", risk)], true);
            assert_eq!(own.risk("t", hints(Some(true), Some(false))), risk);
        }
    }

    #[test]
    fn what_nothing_is_said_of_asks_unless_the_owner_believes_the_server() {
        let doubting = rules(&[], false);
        assert_eq!(doubting.risk("t", hints(Some(true), Some(false))), Risk::Ask);
        let believing = rules(&[], true);
        assert_eq!(believing.risk("t", hints(Some(true), None)), Risk::Read);
        assert_eq!(believing.risk("t", hints(Some(true), Some(true))), Risk::Ask);
        assert_eq!(believing.risk("t", hints(None, None)), Risk::Ask);
    }

    #[test]
    fn only_listed_tools_may_be_used() {
        let own = rules(&[("t", Risk::Read)], true);
        assert!(own.allows("t") && !own.allows("other"));
        assert!(rules(&[], false).allows("other"));
    }
}
