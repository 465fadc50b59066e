//! Running a command, as a brain asks for it. What is allowed and how it is confined is the work of the modules beside.

use std::time::Duration;

use loquat_agent::toolbox::ToolError;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Rules;
use super::allowed::NotAllowed;
use super::command::{self, Unreadable};
use super::process::{self, NotRun, Order};
use super::result::Ran;

/// In seconds.
const USUAL_TIME: u64 = 30;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Request {
    /// As in "df -h".
    command: String,
    /// Folder in which it runs; default: the folder of files.
    #[serde(default)]
    cwd: Option<String>,
    /// Seconds; default: 30.
    #[serde(default)]
    timeout: Option<f64>,
}

/// Why a command is not run.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refused {
    #[error("commands are not allowed here; the persona's setting allow_shell is off")]
    Off,
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    #[error(transparent)]
    NotAllowed(#[from] NotAllowed),
    #[error("timeout: write seconds from 1 to {0}")]
    Time(u64),
    #[error(transparent)]
    NotRun(#[from] NotRun),
}

pub(super) async fn run_command(asked: Request, rules: &Rules) -> Result<Ran, Refused> {
    if !rules.allow_shell {
        return Err(Refused::Off);
    }
    let words = command::words(&asked.command)?;
    let program = rules.allowed.program(&words)?;
    let order = Order {
        confine: &rules.confine,
        root: &rules.root,
        allow_write: rules.allow_write,
        folder: asked.cwd.as_deref().unwrap_or("."),
        time: time(asked.timeout, rules.most_time)?,
        program: &program,
        arguments: words.get(1..).unwrap_or_default(),
    };
    Ok(process::run(&order).await?)
}

fn time(asked: Option<f64>, most: u64) -> Result<Duration, Refused> {
    let most_time = Duration::from_secs(most);
    let Some(asked) = asked else {
        return Ok(Duration::from_secs(USUAL_TIME).min(most_time));
    };
    let time = Duration::try_from_secs_f64(asked).map_err(|_| Refused::Time(most))?;
    // What is asked for beyond the bound is bounded, as with OVOS.
    let time = time.min(most_time);
    (time >= Duration::from_secs(1))
        .then_some(time)
        .ok_or(Refused::Time(most))
}

impl From<Refused> for ToolError {
    fn from(refused: Refused) -> Self {
        let class = match refused {
            Refused::Off | Refused::NotAllowed(NotAllowed::NotListed { .. }) => "PermissionError",
            Refused::Unreadable(_) | Refused::NotAllowed(_) | Refused::Time(_) => "ValueError",
            Refused::NotRun(_) => "OSError",
        };
        Self::reply(class, refused.to_string())
    }
}
