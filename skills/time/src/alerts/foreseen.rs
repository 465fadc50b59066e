//! What a sentence would do if it were said now: the port by which it is found out before the sentence is kept for later.
//!
//! Understands no sentence and makes no call.

use std::fmt;

use futures_util::future::BoxFuture;
use loquat_agent::consent::AgreedCall;
use loquat_agent::toolbox::{Circumstances, ToolError};

use super::event::{Condition, Glance, Look};

/// What a sentence would do.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Foreseen {
    /// It is no sentence that is understood without a brain.
    #[default]
    Words,
    /// It lacks something, or cannot be kept for later.
    Unkept,
    /// It makes these calls.
    Calls(Vec<ForeseenCall>),
}

/// One call that a sentence would make.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ForeseenCall {
    /// The call as it would run.
    pub call: AgreedCall,
    /// All of it in words for the person.
    pub told: String,
    /// Whether the person has to say yes before it runs.
    pub asks: bool,
    /// Whether it wants a PIN, which cannot be given ahead.
    pub wants_pin: bool,
    /// Whether it changes the home or is dangerous, so that it harms when it comes late.
    pub harms: bool,
}

impl Foreseen {
    /// The calls that a yes can be given to now.
    pub(super) fn asking(&self) -> impl Iterator<Item = &ForeseenCall> {
        let calls = match self {
            Self::Calls(calls) => calls.as_slice(),
            Self::Words | Self::Unkept => &[],
        };
        calls.iter().filter(|call| call.asks && !call.wants_pin)
    }

    /// Whether it harms when it comes late. What only a brain understands may do so.
    pub(super) fn harms(&self) -> bool {
        match self {
            Self::Calls(calls) => calls.iter().any(|call| call.harms || call.asks),
            Self::Words | Self::Unkept => true,
        }
    }
}

/// What is waited for by a trigger.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The question whether it is so.
    pub condition: Condition,
    /// How it is now, where that is known.
    pub now: Option<Look>,
}

/// Finds out what sentences would do.
pub trait Understands: Send + Sync + fmt::Debug {
    /// What a sentence would do if this person said it now. Nothing of it is done.
    fn foresee<'a>(
        &'a self,
        text: &'a str,
        person: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Foreseen, ToolError>>;

    /// What words say that may be so at some time; nothing where nothing here can tell whether it is.
    fn question<'a>(
        &'a self,
        event: &'a str,
        person: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Option<Asked>, ToolError>>;

    /// How it is now, where that is known.
    fn look<'a>(&'a self, call: &'a AgreedCall, person: &'a Circumstances) -> BoxFuture<'a, Option<Glance>>;
}
