//! What a tool that asks a service of this device gives back: fields of its own, what stood in the way, and how it is told.
//!
//! Knows no service.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::ToolError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Problem;
use crate::dialog::{Tell, Telling};

/// The arguments of a tool that takes none.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub(crate) struct Nothing {}

/// The result of a call.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Report<T> {
    #[serde(flatten)]
    fields: T,
    /// Why it was not done, and the mend.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip)]
    told: Telling,
    /// Which it may be, where it is asked which one is meant.
    #[serde(skip)]
    choices: Vec<String>,
}

/// A result that is waited for.
pub(crate) type Reporting<'a, T> = BoxFuture<'a, Result<Report<T>, ToolError>>;

impl<T> Report<T> {
    /// Of what was asked or done without a problem.
    pub(crate) fn new(fields: T, told: Telling) -> Self {
        let problem = None;
        Self {
            fields,
            problem,
            told,
            choices: Vec::new(),
        }
    }

    /// Of a question which of these is meant.
    pub(crate) fn asking(fields: T, choices: Vec<String>, told: Telling) -> Self {
        Self {
            choices,
            ..Self::new(fields, told)
        }
    }
}

impl<T: Default> From<Problem> for Report<T> {
    fn from(problem: Problem) -> Self {
        Self {
            fields: T::default(),
            problem: Some(problem.text),
            told: problem.told,
            choices: Vec::new(),
        }
    }
}

impl<T> Tell for Report<T> {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }

    fn choices(&self) -> Vec<String> {
        self.choices.clone()
    }
}

/// What comes of this work; where something stands in the way, the fields are as empty as can be.
pub(crate) fn reporting<'a, T, P>(
    work: impl Future<Output = Result<Report<T>, P>> + Send + 'a,
) -> Reporting<'a, T>
where
    T: Default,
    P: Into<Problem>,
{
    async move { Ok(work.await.unwrap_or_else(|problem| Report::from(problem.into()))) }.boxed()
}
