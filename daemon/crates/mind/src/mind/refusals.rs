//! What servers of brains refuse and are asked without, as the daemon wrote it down, for a person at the command line. The
//! daemon may have the file open.

use std::path::Path;

use loquat_brain::{Lesson, Refusal};
use loquat_skills::{Change, Records};
use loquat_state::{KeptRecords, State, StateError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// The kind of these records.
const KIND: &str = "brain_refusal";

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The brain's name.
    pub brain: String,
    /// What is left out, and what the server said.
    pub told: String,
    /// What a person can do about it.
    pub mend: String,
}

impl From<&Refusal> for Refused {
    fn from(refusal: &Refusal) -> Self {
        let mend = match &refusal.lesson {
            Lesson::Tool(_) => {
                "correct the tool's schema where it comes from, or take it from the persona; all other tools are offered"
                    .to_owned()
            }
            Lesson::Bound(bound) => format!("set max_tokens to {bound} or less in the persona's file"),
            Lesson::Parameter(name) => format!("remove {name} from the persona's file, if it is set there"),
            _ => "nothing has to be done".to_owned(),
        };
        Self {
            brain: refusal.brain.clone(),
            told: refusal.to_string(),
            mend,
        }
    }
}

/// Writes down what is refused from now on. What was known before is forgotten: each process learns anew.
pub async fn keep_refusals(state: State, mut refusals: mpsc::Receiver<Refusal>, token: CancellationToken) {
    let known = state.all(KIND).await.unwrap_or_default();
    let gone = known.into_iter().map(|(id, _)| Change::remove(KIND, id));
    state.note(gone.collect()).await;
    while let Some(Some(refusal)) = token.run_until_cancelled(refusals.recv()).await {
        let refused = json!(Refused::from(&refusal));
        let id = format!("{} {:?}", refusal.brain, refusal.lesson);
        state.note(vec![Change::write(KIND, id, refused)]).await;
    }
}

/// All that the file in the state folder tells of; nothing when there is none yet.
pub fn refusals_in(folder: &Path) -> Result<Vec<Refused>, StateError> {
    let kept = KeptRecords::open(folder)?;
    let records = kept.and_then(|kept| kept.of_kind(KIND).ok()).unwrap_or_default();
    let read = records
        .into_iter()
        .map(|(_, value)| serde_json::from_value(value));
    Ok(read.filter_map(Result::ok).collect())
}
