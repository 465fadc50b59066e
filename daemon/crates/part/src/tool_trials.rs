//! The port by which a person tries a single tool: in a turn of its own, through the gate that every other call goes through.
//! Knows no tool.

use std::fmt::Debug;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use loquat_agent::consent::Person;
use loquat_agent::record::Record;
use loquat_agent::toolbox::Toolbox;
use loquat_agent::turn::{IntendedCall, StopSignal};

/// A call to be made.
#[derive(Debug)]
pub struct Trial {
    /// Becomes the turn's id.
    pub turn_id: String,
    /// The call.
    pub call: IntendedCall,
}

/// Why there is nothing to call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrialError {
    /// The toolbox is not there.
    #[error("there is no toolbox '{0}' any more; look at the list again")]
    NoToolbox(String),
    /// Nothing is run at all.
    #[error("the emergency stop is set, and no tool runs; clear it with: loquat emergency-stop clear")]
    EmergencyStop,
}

/// The port by which tools are tried.
pub trait ToolTrials: Debug + Send + Sync {
    /// Lists all toolboxes that a person can try.
    fn toolboxes(&self) -> BoxFuture<'_, Vec<Arc<dyn Toolbox>>>;

    /// Finds the toolbox of this id; it may have left meanwhile.
    fn toolbox<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Option<Arc<dyn Toolbox>>>;

    /// Makes the call. `person` is asked before it may do harm.
    fn try_tool(
        &self,
        trial: Trial,
        stop: StopSignal,
        person: Arc<dyn Person>,
    ) -> BoxFuture<'_, Result<Record, TrialError>>;
}
