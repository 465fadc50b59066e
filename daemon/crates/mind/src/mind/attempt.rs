//! One handler's attempt at an utterance: what it is given, from the brain and the toolboxes at the bottom to all that stands
//! around them in this turn. Runs no turn.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::Arc;

use loquat_agent::consent::Person;
use loquat_agent::event::Observer;
use loquat_agent::grammar::Grammar;
use loquat_agent::journal::Entry;
use loquat_agent::toolbox::{Arrivals, Toolbox};
use loquat_agent::turn::{Budget, IntendedCall, Means, Restating, Selection, StopSignal};
use serde_json::{Map, Value};

use super::delegation::{Asker, Chain, Delegates, Unheard};
use super::lines::QueuedBrain;
use super::{Handler, Mind, ReadyPersona, Utterance};
use crate::spoken_tools::SentencesOfTurn;
use crate::tools::{AllArrivals, Askable, AskingToolbox, LateToolboxes, Waking};

/// The setting of most engines that bounds their steps.
const STEPS: &str = "max_iterations";

/// A handler that is tried.
pub(super) struct Attempt<'a> {
    /// Whose it is.
    pub(super) persona: &'a ReadyPersona,
    pub(super) handler: &'a Handler,
    /// How many were tried before.
    pub(super) number: usize,
    pub(super) utterance: &'a Utterance,
    /// The call with which it begins.
    pub(super) intended: Option<IntendedCall>,
    pub(super) stop: StopSignal,
    /// Who is asked for a yes.
    pub(super) person: Option<Arc<dyn Person>>,
    /// Who asks it.
    pub(super) chain: &'a Chain,
}

/// What a turn runs with.
pub(super) struct Stack {
    pub(super) means: Means,
    /// The toolboxes that were not on the bus yet.
    pub(super) late: Option<Arc<LateToolboxes>>,
}

impl Attempt<'_> {
    /// What was written of it before a crash, if anything was.
    pub(super) fn past(&self) -> Option<&Vec<Entry>> {
        let past = self.utterance.past.get(self.number);
        past.filter(|past| !past.is_empty())
    }

    /// Whether a guest speaks whom this persona alone serves.
    fn is_of_bound_guest(&self) -> bool {
        self.utterance.speaker.bound_to().is_some()
    }

    /// Whether a toolbox of the handler may do something for who speaks.
    fn may_have(&self, toolbox_id: &str) -> bool {
        let serves = !self.is_of_bound_guest() || self.handler.serves_guests_with(toolbox_id);
        serves && !self.utterance.denies(toolbox_id)
    }

    fn askable(&self) -> Askable {
        let is_owner = self.utterance.speaker.is_owner();
        Askable::new(self.person.as_ref(), is_owner, self.chain.offline.clone())
    }

    fn observer(&self, mind: &Mind) -> Arc<dyn Observer> {
        let Utterance { session, turn_id, .. } = self.utterance;
        mind.hub.observer(session.id(), turn_id, &self.persona.name)
    }

    fn asker<'b>(&'b self, observer: &'b Arc<dyn Observer>) -> Asker<'b> {
        Asker {
            utterance: self.utterance,
            handler: self.handler,
            stop: &self.stop,
            person: self.person.as_ref(),
            chain: self.chain,
            observer,
        }
    }
}

impl Mind {
    /// Builds it, from the bottom to the top:
    ///
    /// ```text
    ///  BRAIN                     TOOLBOXES
    ///  ladder of the handler     ours, and those on the bus       skills    personas
    ///   └ QueuedBrain             └ BackgroundToolbox                │          │
    ///                                └ AskingToolbox                 │          │
    ///                                   └ those that sleep: Waking   │          │
    ///                                      └─────── in the order of the persona ┘
    /// ```
    pub(super) async fn stack(self: &Arc<Self>, attempt: &Attempt<'_>) -> Stack {
        let &Attempt {
            handler,
            utterance,
            chain,
            ..
        } = attempt;
        let (askable, observer) = (attempt.askable(), attempt.observer(self));
        let brain = QueuedBrain::new(&handler.brain, self.lines.of(&utterance.speaker));
        let found = self.toolboxes(handler).await.into_iter();
        let found = found.filter(|toolbox| attempt.may_have(toolbox.id()));
        let found: Vec<_> = found.collect();
        let late = self.late(attempt, &found);
        let mut arrivals: Vec<Arc<dyn Arrivals>> = self.arrivals(late.clone()).into_iter().collect();
        let asking = found.into_iter();
        let asking = asking.map(|toolbox| AskingToolbox::of(toolbox, &askable));
        let mut toolboxes = asking.collect();
        arrivals.extend(Waking::among(&mut toolboxes).map(|waking| waking as _));
        self.add_skills(attempt, &mut toolboxes, &mut arrivals);
        let delegates = Delegates::of(self, &attempt.asker(&observer));
        toolboxes.extend(delegates.map(|delegates| delegates as _));
        let toolboxes = handler.order.arranged(toolboxes, |toolbox| toolbox.id());
        self.rivals.tell(&attempt.persona.name, &toolboxes);
        let others = [utterance.set_by.as_deref(), utterance.door];
        let mut settings = chain.restricted(&handler.settings, utterance.channel, others);
        if utterance.may_be_silent {
            settings.insert("may_be_silent".to_owned(), Value::from(true));
        }
        let budget = chain.bounded(handler.with_time_to_ask(&askable));
        let (budget, settings) = within_channel(budget, settings, utterance.channel);
        let means = Means {
            brain: Arc::new(brain),
            toolboxes,
            grammar: self.grammar(utterance),
            arrivals: (!arrivals.is_empty()).then(|| Arc::new(AllArrivals(arrivals)) as _),
            budget,
            settings,
            observer: if chain.is_asked_by_persona() {
                Arc::new(Unheard(observer))
            } else {
                observer
            },
            stop: attempt.stop.clone(),
            turn_cache: Arc::clone(&self.turn_cache),
            person: attempt.person.clone(),
        };
        Stack { means, late }
    }

    /// What sentences mean behind what was understood last.
    fn grammar(&self, utterance: &Utterance) -> Option<Arc<dyn Grammar>> {
        let conversation = self.sentences.as_ref()?.behind(utterance.last.clone());
        Some(Arc::new(SentencesOfTurn::new(conversation, &utterance.lang)))
    }

    /// How a small brain that has everything is asked for what was said.
    pub(super) fn restating(&self, attempt: &Attempt<'_>) -> Option<Restating> {
        let utterance = attempt.utterance;
        let sentences = self.sentences.as_ref().filter(|_| attempt.handler.has_all)?;
        let conversation = sentences.behind(utterance.last.clone());
        Some(Restating {
            lang: utterance.lang.clone(),
            before: conversation.plainly_before(&utterance.lang),
        })
    }

    /// The tools that fit what was said, where a brain is shown no others.
    pub(super) fn selection(
        &self,
        attempt: &Attempt<'_>,
        toolboxes: &[Arc<dyn Toolbox>],
    ) -> Option<Selection> {
        let sentences = self.sentences.as_ref()?.now();
        attempt.handler.selected(&sentences, attempt.utterance, toolboxes)
    }

    /// Those that the handler wants and the session does not deny, and that are not there yet.
    fn late(&self, attempt: &Attempt<'_>, found: &[Arc<dyn Toolbox>]) -> Option<Arc<LateToolboxes>> {
        let mut wanted = attempt.handler.remote.clone();
        wanted.retain(|wanted| !attempt.utterance.denies(&wanted.toolbox_id));
        LateToolboxes::missing(&self.remote, &self.turn_cache, &wanted, found)
    }

    /// Skills that are tools of this handler, now and as they come.
    fn add_skills(
        &self,
        attempt: &Attempt<'_>,
        toolboxes: &mut Vec<Arc<dyn Toolbox>>,
        arrivals: &mut Vec<Arc<dyn Arrivals>>,
    ) {
        let is_for_guests = attempt.handler.has_all && attempt.is_of_bound_guest();
        let (Some(skills), Some(choice), false) = (&self.skills, &attempt.handler.skills, is_for_guests)
        else {
            return;
        };
        let utterance = attempt.utterance;
        let (lang, session) = (utterance.lang.as_str(), &utterance.session);
        let mut known = BTreeSet::new();
        toolboxes.extend(skills.toolboxes(choice, lang, session, &mut known));
        arrivals.push(Arc::new(skills.arrivals(choice, lang, session, known)));
    }
}

/// The limits of a turn and the settings of its engine, with no more steps than the channel allows.
fn within_channel(
    budget: Budget,
    mut settings: Map<String, Value>,
    channel: &str,
) -> (Budget, Map<String, Value>) {
    let channels = settings.get("channels");
    let most = channels.and_then(|channels| channels.get(channel)?.get(STEPS)?.as_u64());
    let Some(most) = most else {
        return (budget, settings);
    };
    if let Some(own) = settings.get(STEPS).and_then(Value::as_u64) {
        settings.insert(STEPS.to_owned(), Value::from(own.min(most)));
    }
    let most = u32::try_from(most).unwrap_or(u32::MAX);
    let budget = Budget {
        max_iterations: budget.max_iterations.min(most),
        ..budget
    };
    (budget, settings)
}

/// What comes of `work`, and meanwhile something that may end earlier and is dropped when it does not.
pub(super) async fn beside<T>(work: impl Future<Output = T>, other: impl Future<Output = ()>) -> T {
    let mut work = pin!(work);
    tokio::select! {
        biased;
        done = &mut work => done,
        () = other => work.await,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_channel_takes_steps_away_and_gives_none() {
        let steps = |own: Option<u32>, most: u32| {
            let mut settings = json!({"channels": {"event": {"max_iterations": most}}});
            if let Some(own) = own {
                settings["max_iterations"] = json!(own);
            }
            let settings = settings.as_object().cloned().unwrap_or_default();
            let budget = Budget {
                max_iterations: 10,
                ..Budget::default()
            };
            let (there, own) = within_channel(budget, settings.clone(), "event");
            let (elsewhere, _) = within_channel(budget, settings, "voice");
            assert_eq!(elsewhere.max_iterations, 10);
            (there.max_iterations, own.get(STEPS).and_then(Value::as_u64))
        };
        assert_eq!(steps(None, 3), (3, None));
        assert_eq!(steps(None, 50), (10, None));
        assert_eq!(steps(Some(7), 3), (3, Some(3)));
        assert_eq!(steps(Some(2), 3), (3, Some(2)));
    }
}
