//! What a tool that asks a service gives back: fields of its own, what stood in the way, and how it is told.
//!
//! Knows no service.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::ToolError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dialog::{Tell, Telling};

/// The arguments of a tool that takes none.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub struct Nothing {}

/// Whether something is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each says what it is")]
pub enum YesOrNo {
    Yes,
    No,
}

impl From<bool> for YesOrNo {
    fn from(is_so: bool) -> Self {
        if is_so { Self::Yes } else { Self::No }
    }
}

/// What stood in the way.
#[derive(Debug, Clone)]
pub struct Problem {
    /// What is wrong, and the mend.
    pub text: String,
    /// How it is told.
    pub told: Telling,
}

impl Problem {
    /// A problem that is told in this dialog.
    pub fn new(text: impl Into<String>, dialog: &'static str) -> Self {
        Self {
            text: text.into(),
            told: Telling::new(dialog),
        }
    }

    /// What was asked for by this name is not there.
    pub fn unknown(text: impl Into<String>, name: &str) -> Self {
        let name: String = name.chars().take(40).collect();
        Self {
            text: text.into(),
            told: Telling::new("unknown").words("name", loquat_agent::speakable(&name)),
        }
    }
}

/// The result of a call.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report<T> {
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
pub type Reporting<'a, T> = BoxFuture<'a, Result<Report<T>, ToolError>>;

impl<T> Report<T> {
    /// Of what was asked or done without a problem.
    pub fn new(fields: T, told: Telling) -> Self {
        let problem = None;
        Self {
            fields,
            problem,
            told,
            choices: Vec::new(),
        }
    }

    /// Of a question which of these is meant.
    pub fn asking(fields: T, choices: Vec<String>, told: Telling) -> Self {
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
pub fn reporting<'a, T, P>(work: impl Future<Output = Result<Report<T>, P>> + Send + 'a) -> Reporting<'a, T>
where
    T: Default,
    P: Into<Problem>,
{
    async move { Ok(work.await.unwrap_or_else(|problem| Report::from(problem.into()))) }.boxed()
}
