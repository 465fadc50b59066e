//! Running a turn on record, again from its record, or to its end after a crash.

use std::pin::pin;
use std::sync::Arc;

use super::arrivals::WrittenArrivals;
use super::brain::{NoBrain, WrittenBrain};
use super::comparison::{differences, with_times_of};
use super::person::WrittenPerson;
use super::scribe::{Course, Scribe};
use super::tape::Tape;
use super::toolbox::WrittenToolbox;
use super::{Care, Entry, Happened, Journal, Offer, Opening};
use crate::brain::Brain;
use crate::consent::Person;
use crate::engine::{Engine, find};
use crate::event::Observer;
use crate::question::{Means, Question};
use crate::record::Record;
use crate::standing::Standing;
use crate::stop::stop_pair;
use crate::toolbox::{Arrivals, Toolbox};
use crate::turn::answer;

/// Why a turn cannot be run again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The entry with which each turn begins is missing.
    #[error("run the turn again: its journal does not tell how it began")]
    NoOpening,
    /// The engine is gone.
    #[error("run the turn again: this version has no engine '{0}'")]
    NoEngine(String),
}

/// What came of running a turn again.
#[derive(Debug)]
pub struct Replayed {
    /// The record, with the times of the first run.
    pub record: Record,
    /// The record of the first run; absent when the turn never ended.
    pub first: Option<Record>,
    /// Where the two differ, one line each; empty when they are the same.
    pub differences: Vec<String>,
}

/// [`answer`], with everything that reaches the turn written down. The means' brain, tools and person are used.
pub async fn answer_on_record(
    engine: &'static Engine,
    question: Question,
    means: Means,
    journal: Arc<dyn Journal>,
) -> Record {
    let opening = opening(engine, &question, &means);
    let scribe = Arc::new(Scribe::new(journal, Course::Live, Tape::default()));
    let opened = Happened::Opened {
        opening: Box::new(opening.clone()),
    };
    scribe.write(opened, Care::Usual).await;
    run(engine, opening, means, &scribe).await
}

/// Goes on with a turn that a crash has cut off: what is written is taken as written, what is not happens now. A call
/// that was under way and may have had an effect is not made again; the brain is told so. The time limit begins anew.
///
/// The means' toolboxes stand behind those that the turn began with or that came later, by their ids. Others, and what
/// arrives, come to the turn when it has caught up with what is written.
pub async fn resume(
    entries: Vec<Entry>,
    means: Means,
    journal: Arc<dyn Journal>,
) -> Result<Record, ReplayError> {
    let mut tape = Tape::new(entries);
    if let Some(record) = tape.record.take() {
        return Ok(record);
    }
    let opening = tape.opening.take().ok_or(ReplayError::NoOpening)?;
    let engine = engine_of(&opening)?;
    let scribe = Arc::new(Scribe::new(journal, Course::Live, tape));
    Ok(run(engine, opening, means, &scribe).await)
}

/// Runs a turn again with nothing but its journal. Time is tokio's: on a paused clock this takes none, and each reply
/// and result comes when it came then.
pub async fn replay(entries: Vec<Entry>, observer: Arc<dyn Observer>) -> Result<Replayed, ReplayError> {
    let mut tape = Tape::new(entries);
    let opening = tape.opening.take().ok_or(ReplayError::NoOpening)?;
    let engine = engine_of(&opening)?;
    let (stopped, first) = (tape.stopped, tape.record.take());
    let scribe = Arc::new(Scribe::new(Arc::new(()), Course::Replay, tape));
    let (stopper, stop) = stop_pair();
    let means = Means {
        brain: Arc::new(NoBrain {
            name: opening.brain.clone(),
            capabilities: opening.capabilities,
        }),
        toolboxes: Vec::new(),
        arrivals: None,
        budget: opening.budget,
        settings: opening.settings.clone(),
        observer,
        stop,
        standing: Arc::new(Standing::from(opening.standing.clone())),
        person: None,
    };
    if let Some((_, reason)) = stopped.filter(|_| scribe.has_caught_up()) {
        stopper.stop(reason);
    }
    let pull = async {
        if let Some((at, reason)) = stopped {
            scribe.catch_up(at).await;
            stopper.stop(reason);
        }
    };
    // The turn first: what it does in the moment of the stop, it did before it.
    let mut turn = pin!(run(engine, opening, means, &scribe));
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

fn engine_of(opening: &Opening) -> Result<&'static Engine, ReplayError> {
    find(&opening.engine).ok_or_else(|| ReplayError::NoEngine(opening.engine.clone()))
}

fn opening(engine: &Engine, question: &Question, means: &Means) -> Opening {
    Opening {
        engine: engine.id.to_owned(),
        question: question.clone(),
        budget: means.budget,
        settings: means.settings.clone(),
        brain: means.brain.name().to_owned(),
        capabilities: means.brain.capabilities(),
        toolboxes: Offer::of(&means.toolboxes),
        attended: means.person.is_some(),
        standing: means.standing.snapshot(&question.session_id, means.brain.name()),
    }
}

async fn run(engine: &'static Engine, opening: Opening, means: Means, scribe: &Arc<Scribe>) -> Record {
    let behind = |id: &str| means.toolboxes.iter().find(|toolbox| toolbox.id() == id).cloned();
    let toolboxes = opening.toolboxes.0.into_iter().map(|(id, tools)| {
        let inner = behind(&id);
        Arc::new(WrittenToolbox::new(id, tools, inner, scribe))
    });
    let toolboxes: Vec<_> = toolboxes.collect();
    let is_new = |toolbox: &&Arc<dyn Toolbox>| toolboxes.iter().all(|known| known.id != toolbox.id());
    let waiting: Vec<_> = means.toolboxes.iter().filter(is_new).cloned().collect();
    let person = opening.attended.then(|| {
        Arc::new(WrittenPerson {
            inner: means.person.clone(),
            scribe: Arc::clone(scribe),
        }) as Arc<dyn Person>
    });
    let stop = means.stop.clone();
    let may_come = means.arrivals.is_some() || !waiting.is_empty() || scribe.has_arrivals();
    let arrivals = may_come.then(|| {
        let (inner, scribe) = (means.arrivals.clone(), Arc::clone(scribe));
        Arc::new(WrittenArrivals::new(inner, toolboxes.clone(), waiting, scribe)) as Arc<dyn Arrivals>
    });
    let toolboxes = toolboxes.into_iter().map(|toolbox| toolbox as Arc<dyn Toolbox>);
    let means = Means {
        brain: Arc::new(WrittenBrain {
            inner: Arc::clone(&means.brain),
            scribe: Arc::clone(scribe),
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
        scribe.write(Happened::Stopped { reason }, Care::Usual).await;
    }
    let ended = Happened::Ended {
        record: Box::new(record.clone()),
    };
    scribe.write(ended, Care::Usual).await;
    record
}
