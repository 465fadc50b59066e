//! How a turn comes to its end, and why. Never asks for an answer.

use super::streaks::Streaks;
use loquat_conversation::record::Reason;

/// This many steps in a row whose tools only failed end a turn.
const MOST_FAILURES: u32 = 3;

/// Says why only an answer is wanted any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cause {
    /// One call came again and again.
    Loop,
    /// The person gave no yes.
    Denied,
    /// A dangerous tool ran. Once is enough for a turn; what is left is one closing sentence.
    Danger,
    /// The brain got too many steps in a row wrong.
    Flaws,
    /// What the brain called does not do what was said.
    NothingFits,
    /// A tool says that going on makes no sense, and why.
    ToolFault(String),
    /// The tools of so many steps in a row failed.
    ToolsFailed(u32),
    /// Tools failed so often that the whole session is stopped.
    EmergencyStop,
}

impl Cause {
    /// Gives the reason of a turn that ends by this, if its brain has an answer.
    fn reason(&self) -> Reason {
        match self {
            Self::Loop => Reason::LoopDetected,
            Self::Denied => Reason::ConfirmationDenied,
            Self::Danger => Reason::DangerousTool,
            Self::Flaws => Reason::ParseError,
            Self::NothingFits | Self::ToolFault(_) | Self::ToolsFailed(_) => Reason::Answered,
            Self::EmergencyStop => Reason::EmergencyStop,
        }
    }

    /// Tells for the log what failed, if something did.
    pub(super) fn fault(&self) -> Option<String> {
        match self {
            Self::ToolFault(why) => Some(why.clone()),
            Self::ToolsFailed(steps) => Some(format!("the tools of {steps} steps in a row failed")),
            Self::EmergencyStop => Some(
                "tools failed too often in a row; the session is stopped until somebody clears it".to_owned(),
            ),
            Self::Loop | Self::Denied | Self::Danger | Self::Flaws | Self::NothingFits => None,
        }
    }

    /// Tells whether nothing more is to be done in the whole turn, where it comes from a turn within.
    pub(super) fn ends_the_whole(&self) -> bool {
        matches!(self, Self::Danger | Self::Denied | Self::EmergencyStop)
    }
}

/// Says how near a turn is to its end.
#[derive(Debug, Default)]
pub(crate) struct Closing {
    cause: Option<Cause>,
    /// What failed before, here or in a turn within, and did not end this one.
    earlier_fault: Option<String>,
    /// Says whether a loop that reaches a limit ends without words instead of asking for a closing answer.
    pub(crate) is_silent: bool,
    streaks: Streaks,
    /// The brain may get this many steps in a row wrong.
    repairs: u32,
}

impl Closing {
    /// A turn that is nowhere near its end, whose brain may get this many steps in a row wrong.
    pub(super) fn after(repairs: u32) -> Self {
        Self {
            repairs,
            ..Self::default()
        }
    }

    /// The end of a turn within, which has not come near it either.
    pub(super) fn within(&self) -> Self {
        Self::after(self.repairs)
    }

    /// Only an answer is wanted from now on. The first cause stands.
    pub(super) fn begin(&mut self, cause: Cause) {
        self.cause.get_or_insert(cause);
    }

    /// Only an answer is wanted from now on, whatever the cause was before.
    pub(super) fn begin_at_once(&mut self, cause: Cause) {
        self.cause = Some(cause);
    }

    /// Lets the turn go on after all, and its brain begin anew.
    pub(super) fn reopen(&mut self) {
        self.earlier_fault = self.fault();
        self.cause = None;
        self.streaks.forget_flaws();
    }

    /// Counts a step that the brain got wrong. False when there have been too many in a row.
    pub(super) fn count_flaw(&mut self) -> bool {
        if self.streaks.count_flaw() > self.repairs {
            self.begin(Cause::Flaws);
        }
        self.cause.is_none()
    }

    /// The step was right after all.
    pub(super) fn forget_flaws(&mut self) {
        self.streaks.forget_flaws();
    }

    /// Tells whether the brain got its last step wrong.
    pub(super) fn is_flawed(&self) -> bool {
        self.streaks.is_flawed()
    }

    /// Counts a step in which tools ran, all of which failed or not. Too many in a row that failed end the turn.
    pub(super) fn count_tools(&mut self, failed: bool) {
        if self.streaks.count_tools(failed) >= MOST_FAILURES {
            self.begin(Cause::ToolsFailed(MOST_FAILURES));
        }
    }

    pub(super) fn cause(&self) -> Option<&Cause> {
        self.cause.as_ref()
    }

    /// Gives the reason of the turn's end, as far as it is known.
    pub(super) fn reason(&self) -> Option<Reason> {
        self.cause.as_ref().map(Cause::reason)
    }

    /// Tells what failed on the way.
    pub(super) fn fault(&self) -> Option<String> {
        let own = self.cause.as_ref().and_then(Cause::fault);
        own.or_else(|| self.earlier_fault.clone())
    }

    /// Takes over what failed in another turn.
    pub(super) fn take_over(&mut self, other: &Self) {
        self.earlier_fault = self.fault().or_else(|| other.fault());
    }
}
