//! Turns out of the journal, played again on a clock of their own with no model and no tool: those of earlier starts, and what
//! a brain was sent.

use std::fmt::Display;
use std::sync::Arc;

use loquat_agent::brain::{Asking, Capabilities, ChatRequest};
use loquat_agent::event::{Event, Observer};
use loquat_agent::journal::{Entry, replay};
use loquat_failure::with_causes;
use loquat_state::{Archive, Kept, Turn};
use parking_lot::Mutex;

use crate::page_state::PageState;
use crate::turns::KeptTurn;

/// What is seen of a turn that is played again.
struct Watcher {
    turn: Mutex<KeptTurn>,
    /// What was asked for in these steps; empty where none is wanted.
    step: u32,
    prompt: Mutex<Option<ChatRequest>>,
}

impl Observer for Watcher {
    fn event(&self, event: &Event) {
        self.turn.lock().take(event);
    }

    fn prompt(&self, step: u32, asking: &Asking<'_>, capabilities: Capabilities) {
        if step == self.step {
            *self.prompt.lock() = Some((*asking.for_brain(capabilities)).clone());
        }
    }
}

/// The newest turns of the journal that are not among those since the start.
pub(in super::super) async fn before(page: &PageState, most: u32) -> Result<Vec<Turn>, String> {
    let newest = archived(page, move |archive| archive.newest(most)).await?;
    let known = page.turns.all();
    let is_new = |turn: &Turn| known.iter().all(|kept| *kept.id != *turn.id);
    Ok(newest.unwrap_or_default().into_iter().filter(is_new).collect())
}

pub(super) async fn turn(page: &PageState, id: &str) -> Result<KeptTurn, String> {
    let kept = journaled(page, id).await?;
    Ok(play(kept, 0).await?.0)
}

/// Plays a turn again and gives what the brain was sent in a step.
pub(super) async fn prompt(page: &PageState, id: &str, step: u32) -> Result<ChatRequest, String> {
    let kept = journaled(page, id).await?;
    let (_, prompt) = play(kept, step).await?;
    prompt.ok_or_else(|| "The journal does not tell what was sent in this step.".to_owned())
}

async fn journaled(page: &PageState, id: &str) -> Result<Kept, String> {
    let wanted = id.to_owned();
    let found = archived(page, move |archive| archive.find(&wanted)).await?;
    let mut found = found.unwrap_or_default().into_iter();
    found.find(|kept| kept.turn.id == id).ok_or_else(|| {
        "This turn is not in the journal: it is too old, is being written, or journal.enabled is false."
            .to_owned()
    })
}

async fn archived<T: Send + 'static, E: Display>(
    page: &PageState,
    look: impl FnOnce(&Archive) -> Result<T, E> + Send + 'static,
) -> Result<Option<T>, String> {
    let folder = page.ground.folders.state.clone();
    let look = move || {
        let archive = Archive::open(&folder).map_err(|error| with_causes(&error))?;
        archive
            .map(|archive| look(&archive).map_err(|error| error.to_string()))
            .transpose()
    };
    let looked = tokio::task::spawn_blocking(look).await;
    let looked = looked.unwrap_or_else(|_| Err("the reading thread ended".to_owned()));
    looked.map_err(|why| format!("failed to read the journal: {why}"))
}

async fn play(Kept { turn, attempts }: Kept, step: u32) -> Result<(KeptTurn, Option<ChatRequest>), String> {
    let since = jiff::Timestamp::from_millisecond((turn.since * 1000.0) as i64).unwrap_or_default();
    let play = move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .map_err(|error| error.to_string())?;
        Ok(runtime.block_on(on_its_clock(turn, attempts, step)))
    };
    let played = tokio::task::spawn_blocking(play).await;
    let played: Result<_, String> = played.unwrap_or_else(|_| Err("the playing thread ended".to_owned()));
    let (mut turn, prompt) = played.map_err(|why| format!("failed to play the turn again: {why}"))?;
    turn.since = since;
    Ok((turn, prompt))
}

async fn on_its_clock(turn: Turn, attempts: Vec<Vec<Entry>>, step: u32) -> (KeptTurn, Option<ChatRequest>) {
    let mut kept = KeptTurn::new(turn.id.into(), turn.session_id.into());
    kept.utterance = turn.utterance;
    let watcher = Arc::new(Watcher {
        turn: Mutex::new(kept),
        step,
        prompt: Mutex::default(),
    });
    for entries in attempts {
        let observer: Arc<dyn Observer> = Arc::clone(&watcher) as _;
        if let Err(error) = replay(entries, observer).await {
            tracing::debug!(%error, "an attempt of a turn cannot be played again");
        }
    }
    let turn = watcher.turn.lock().clone();
    let prompt = watcher.prompt.lock().take();
    (turn, prompt)
}
