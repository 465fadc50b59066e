//! The port through which a turn uses tools.
//!
//! `loquat-skills` implements it in process, `loquat` over the bus. Nothing here runs a tool on its own account: the
//! hands do, after the gate.
//!
//! A turn sees a list of toolboxes. Each [`ToolboxWrapper`] around one adds one thing, and hands a call on from top to
//! bottom:
//!
//! ```text
//! turn: catalogue ─▶ gate ─▶ hands
//!  ├ Namesake *          another name for a tool whose name is taken
//!  ├ WrittenToolbox      writes or replays the result; no wrapper, since what it stands around may come later
//!  ├ WitnessedToolbox *  tells a worker what came of the call
//!  ├ AskingToolbox *     lets the tool ask the owner
//!  ├ BackgroundToolbox * begins calls that go on
//!  ├ SetApart *          tools of strangers' SKILL.md files, renamed
//!  ├ Cautious *          asks more often, as the persona wants
//!  ├ PermittedToolbox *  closed until the owner opens the service
//!  ▼
//! FunctionToolbox (ours), Server (MCP), RemoteToolbox (bus), SkillToolbox (skills on the bus, or SKILL.md),
//! Delegates (personas)
//!
//! * where it is needed
//! ```
//!
//! The journal is nearly outermost, so that a replay needs none of what is below it: `loquat replay` runs a turn again from
//! its entries alone, and a daemon that has crashed goes on with it. On a worker (`loquat worker`) a `DeviceToolbox` asks
//! the device what came of each call.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

mod circumstances;
mod error;
mod outcome;
mod tool;
mod undo;

pub use self::circumstances::{Circumstances, Left};
pub use self::error::ToolError;
pub use self::outcome::words;
pub use self::outcome::{Instructions, Outcome, Resolved};
pub use self::tool::{CacheScope, Category, Confirm, DEFAULT_TOOL_TIMEOUT, Example, Hint, Tool};
pub use self::undo::Undo;

/// A set of tools.
pub trait Toolbox: Send + Sync + fmt::Debug {
    /// The id. It is stable over restarts, without `:` and `.`, and unique on the bus.
    fn id(&self) -> &str;

    /// The tools it holds now: the same list as long as they are the same, so that turns share it.
    fn tools(&self) -> Arc<[Tool]>;

    /// A call may take this long beside the tool's own time limit, which then holds inside of it.
    fn overhead(&self) -> Duration {
        Duration::ZERO
    }

    /// Runs a tool. The arguments have been validated against the argument schema.
    ///
    /// Dropping the future gives the call up; the implementation frees what it holds.
    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>>;

    /// Gives the question whether to make a call, in the tool's own words and this language (BCP-47); nothing where a call is
    /// told by its name and arguments. Such a question says all that the call would do.
    fn question(&self, _name: &str, _arguments: &Map<String, Value>, _lang: &str) -> Option<String> {
        None
    }

    /// Hears of a call that is not made after all, and what the turn is told in its place. Most need not know.
    fn decline(
        &self,
        _name: &str,
        _arguments: &Map<String, Value>,
        _circumstances: &Circumstances,
        _why: &ToolError,
    ) {
    }
}

/// A toolbox around another one. It does what the other does, wherever it says nothing else.
pub trait ToolboxWrapper: Send + Sync + fmt::Debug {
    /// Gives the toolbox that it stands around.
    fn inner(&self) -> &dyn Toolbox;

    /// See [`Toolbox::tools`].
    fn tools(&self) -> Arc<[Tool]> {
        self.inner().tools()
    }

    /// See [`Toolbox::overhead`].
    fn overhead(&self) -> Duration {
        self.inner().overhead()
    }

    /// See [`Toolbox::call`].
    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        self.inner().call(name, arguments, circumstances)
    }

    /// See [`Toolbox::question`].
    fn question(&self, name: &str, arguments: &Map<String, Value>, lang: &str) -> Option<String> {
        self.inner().question(name, arguments, lang)
    }

    /// See [`Toolbox::decline`].
    fn decline(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
        circumstances: &Circumstances,
        why: &ToolError,
    ) {
        self.inner().decline(name, arguments, circumstances, why);
    }
}

impl<W: ToolboxWrapper> Toolbox for W {
    fn id(&self) -> &str {
        self.inner().id()
    }

    fn tools(&self) -> Arc<[Tool]> {
        ToolboxWrapper::tools(self)
    }

    fn overhead(&self) -> Duration {
        ToolboxWrapper::overhead(self)
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        ToolboxWrapper::call(self, name, arguments, circumstances)
    }

    fn question(&self, name: &str, arguments: &Map<String, Value>, lang: &str) -> Option<String> {
        ToolboxWrapper::question(self, name, arguments, lang)
    }

    fn decline(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
        circumstances: &Circumstances,
        why: &ToolError,
    ) {
        ToolboxWrapper::decline(self, name, arguments, circumstances, why);
    }
}

/// Tells of toolboxes that come while a turn runs.
pub trait Arrivals: Send + Sync + fmt::Debug {
    /// Takes the toolboxes that have come since this was asked last. It waits for none.
    fn take(&self) -> BoxFuture<'_, Vec<Arc<dyn Toolbox>>>;
}
