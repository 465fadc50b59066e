//! Running a turn on record, again from its record, or to its end after a crash.

use std::pin::pin;
use std::sync::Arc;

use super::arrivals::WrittenArrivals;
use super::brain::{NoBrain, Successor, WrittenBrain};
use super::comparison::{differences, with_times_of};
use super::grammar::WrittenGrammar;
use super::person::WrittenPerson;
use super::recorder::{Course, Recorder};
use super::recording::Recording;
use super::toolbox::WrittenToolbox;
use super::{Care, Entry, Happened, Journal, Opening};
use crate::engine::{Engine, find};
use crate::turn::answer;
use loquat_conversation::brain::Brain;
use loquat_conversation::consent::Person;
use loquat_conversation::event::Observer;
use loquat_conversation::means::Means;
use loquat_conversation::question::Question;
use loquat_conversation::record::Record;
use loquat_conversation::stop::stop_pair;
use loquat_conversation::toolbox::{Arrivals, Toolbox};
use loquat_conversation::turn_cache::TurnCache;

/// Says why a turn cannot be run again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The entry with which each turn begins is missing.
    #[error("run the turn again: its journal does not tell how it began")]
    NoOpening,
    /// The engine is gone.
    #[error("run the turn again: this version has no engine '{0}'")]
    NoEngine(String),
}

/// The outcome of running a turn again.
#[derive(Debug)]
pub struct Replayed {
    /// The record, with the times of the first run.
    pub record: Record,
    /// The record of the first run; absent when the turn never ended.
    pub first: Option<Record>,
    /// The differences of the two, one line each; empty when they are the same.
    pub differences: Vec<String>,
}

/// [`answer`], with everything that reaches the turn written down. The means' brain, tools and person are used.
pub async fn answer_on_record(
    engine: &'static Engine,
    question: Question,
    means: Means,
    journal: Arc<dyn Journal>,
) -> Record {
    let opening = Opening::for_brain(
        engine,
        &question,
        &means,
        means.brain.name(),
        means.brain.capabilities(),
    );
    let recorder = Arc::new(Recorder::new(journal, Course::Live, Recording::default()));
    let opened = Happened::Opened {
        opening: Box::new(opening.clone()),
    };
    recorder.write(opened, Care::Usual).await;
    run(engine, opening, means, &recorder).await
}

/// Goes on with a turn that a crash has cut off: what is written is taken as written, what is not happens now. A call
/// that was under way and may have had an effect is not made again; the brain is told so. A yes of the person for a call
/// that had not begun is not used; the person is asked again. The time limit begins anew.
///
/// The means' toolboxes stand behind those that the turn began with or that came later, by their ids. Others, and what
/// arrives, come to the turn when it has caught up with what is written.
pub async fn resume(
    entries: Vec<Entry>,
    means: Means,
    journal: Arc<dyn Journal>,
) -> Result<Record, ReplayError> {
    let mut recording = Recording::new(entries);
    if let Some(record) = recording.record.take() {
        return Ok(record);
    }
    let opening = recording.opening.take().ok_or(ReplayError::NoOpening)?;
    let engine = engine_of(&opening)?;
    recording.resumed();
    let recorder = Arc::new(Recorder::new(journal, Course::Live, recording));
    recorder.write(Happened::Resumed, Care::Usual).await;
    let means = succeeding(&opening, means);
    Ok(run(engine, opening, means, &recorder).await)
}

/// The means, with a brain that stands in the place of the one that began the turn.
fn succeeding(opening: &Opening, means: Means) -> Means {
    let brain = &means.brain;
    if brain.name() == opening.brain && brain.capabilities() == opening.capabilities {
        return means;
    }
    let brain = Arc::new(Successor {
        inner: Arc::clone(brain),
        name: opening.brain.clone(),
        capabilities: opening.capabilities,
    });
    Means { brain, ..means }
}

/// Runs a turn again with nothing but its journal. Time is tokio's: on a paused clock this takes none, and each reply
/// and result comes when it came then.
pub async fn replay(entries: Vec<Entry>, observer: Arc<dyn Observer>) -> Result<Replayed, ReplayError> {
    let mut recording = Recording::new(entries);
    let opening = recording.opening.take().ok_or(ReplayError::NoOpening)?;
    let engine = engine_of(&opening)?;
    let (stopped, first) = (recording.stopped, recording.record.take());
    let recorder = Arc::new(Recorder::new(Arc::new(()), Course::Replay, recording));
    let (stopper, stop) = stop_pair();
    let means = Means {
        brain: Arc::new(NoBrain {
            name: opening.brain.clone(),
            capabilities: opening.capabilities,
        }),
        toolboxes: Vec::new(),
        arrivals: None,
        grammar: None,
        budget: opening.budget,
        settings: opening.settings.clone(),
        observer,
        stop,
        turn_cache: Arc::new(TurnCache::from(opening.turn_cache.clone())),
        person: None,
    };
    if let Some((_, reason)) = stopped.filter(|_| recorder.has_caught_up()) {
        stopper.stop(reason);
    }
    let pull = async {
        if let Some((at, reason)) = stopped {
            recorder.catch_up(at).await;
            stopper.stop(reason);
        }
    };
    // The turn first: what it does in the moment of the stop, it did before it.
    let mut turn = pin!(run(engine, opening, means, &recorder));
    let record = tokio::select! {
        biased;
        record = &mut turn => record,
        () = pull => turn.await,
    };
    let record = first
        .as_ref()
        .and_then(|first| with_times_of(&record, first))
        .unwrap_or(record);
    let differences = first.as_ref().map(|first| differences(&record, first));
    Ok(Replayed {
        record,
        first,
        differences: differences.unwrap_or_default(),
    })
}

/// Tells whether going on with a turn, or beginning it anew where that fails, makes no call of it twice.
pub fn may_go_on(entries: &[Entry]) -> bool {
    let opening = entries.iter().find_map(|entry| match &entry.happened {
        Happened::Opened { opening } => Some(opening),
        _ => None,
    });
    let is_call = |entry: &Entry| matches!(entry.happened, Happened::ToolCalled { .. });
    opening.is_some_and(|opening| find(&opening.engine).is_some()) || !entries.iter().any(is_call)
}

fn engine_of(opening: &Opening) -> Result<&'static Engine, ReplayError> {
    find(&opening.engine).ok_or_else(|| ReplayError::NoEngine(opening.engine.clone()))
}

async fn run(engine: &'static Engine, opening: Opening, means: Means, recorder: &Arc<Recorder>) -> Record {
    let behind = |id: &str| means.toolboxes.iter().find(|toolbox| toolbox.id() == id).cloned();
    let toolboxes = opening.toolboxes.0.into_iter().map(|(id, tools)| {
        let inner = behind(&id);
        Arc::new(WrittenToolbox::new(id, tools, inner, recorder))
    });
    let toolboxes: Vec<_> = toolboxes.collect();
    let is_new = |toolbox: &&Arc<dyn Toolbox>| toolboxes.iter().all(|known| known.id != toolbox.id());
    let waiting: Vec<_> = means.toolboxes.iter().filter(is_new).cloned().collect();
    let person = opening.attended.then(|| {
        Arc::new(WrittenPerson {
            inner: means.person.clone(),
            recorder: Arc::clone(recorder),
        }) as Arc<dyn Person>
    });
    let stop = means.stop.clone();
    let may_come = means.arrivals.is_some() || !waiting.is_empty() || recorder.has_arrivals();
    let arrivals = may_come.then(|| {
        let (inner, recorder) = (means.arrivals.clone(), Arc::clone(recorder));
        Arc::new(WrittenArrivals::new(inner, toolboxes.clone(), waiting, recorder)) as Arc<dyn Arrivals>
    });
    let toolboxes = toolboxes.into_iter().map(|toolbox| toolbox as Arc<dyn Toolbox>);
    let grammar = WrittenGrammar {
        inner: means.grammar.clone(),
        recorder: Arc::clone(recorder),
    };
    let means = Means {
        grammar: Some(Arc::new(grammar)),
        brain: Arc::new(WrittenBrain {
            inner: Arc::clone(&means.brain),
            recorder: Arc::clone(recorder),
        }) as Arc<dyn Brain>,
        toolboxes: toolboxes.collect(),
        arrivals,
        budget: opening.budget,
        settings: opening.settings,
        person,
        ..means
    };
    let record = answer(engine, opening.question, means).await;
    if let Some(reason) = stop.reason() {
        recorder.write(Happened::Stopped { reason }, Care::Usual).await;
    }
    let ended = Happened::Ended {
        record: Box::new(record.clone()),
    };
    recorder.write(ended, Care::Usual).await;
    record
}
