//! Reading ahead: a brain on this device reads what it would be sent first for words that a person may just have said in whole,
//! so that its reply begins sooner when they have; and at the start what every first question begins with. Answers nothing,
//! runs no tool and writes nothing down.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use loquat_agent::brain::{BrainError, ChatRequest};
use loquat_agent::consent::Person;
use loquat_agent::toolbox::{Tool, Toolbox};
use loquat_agent::turn::{Likely, Question, Restating, Selection, TurnCache, stop_pair};

use super::attempt::{Attempt, Stack};
use super::delegation::Chain;
use super::first_request::{bare_means, first_requests};
use super::{Handler, Mind, ReadyPersona, Utterance, question};

/// What the brain is prepared with; only what stands before it matters.
const REHEARSED: &str = "Hello";

impl Mind {
    /// Prepares the brain of the default persona, so that the first question does not wait for a model to be loaded
    /// and to read its instructions. Cancel safe.
    pub async fn rehearse(&self) {
        let Some(persona) = self.default_persona() else {
            return;
        };
        let Some(handler) = persona.thinker() else {
            return;
        };
        let toolboxes = self.toolboxes_at_the_start(handler).await;
        let requests = self.first_beginnings(&persona, handler, toolboxes).await;
        match handler.warm(&requests).await {
            Ok(Some(elapsed)) => {
                let (brain, beginnings) = (handler.brain.name(), requests.len());
                tracing::info!(brain, beginnings, ?elapsed, "the local brain is prepared");
            }
            Ok(None) => {}
            Err(error) => tracing::debug!(%error, "failed to prepare the brain of the default persona"),
        }
    }

    /// A request for each beginning that the first one for a question may have: as one of a tool that fits, and as talk.
    async fn first_beginnings(
        &self,
        persona: &ReadyPersona,
        handler: &Handler,
        toolboxes: Vec<Arc<dyn Toolbox>>,
    ) -> Vec<Arc<ChatRequest>> {
        let utterance = Utterance::aloud(REHEARSED, &self.device.now().lang);
        let talk = Question {
            moment: None,
            restating: handler.has_all.then(|| Restating {
                lang: utterance.lang.clone(),
                before: None,
            }),
            ..question(&self.device.now(), persona, handler, &utterance)
        };
        let wish = Question {
            selection: talk
                .selection
                .clone()
                .map(|selection| with_any_tool(selection, &toolboxes)),
            ..talk.clone()
        };
        let mut requests = Vec::new();
        for rehearsed in [talk, wish] {
            let means = bare_means(handler, toolboxes.clone(), self.turn_cache.apart());
            for request in first_requests(handler, rehearsed, means).await {
                if !requests.contains(&request) {
                    requests.push(request);
                }
            }
        }
        requests
    }

    /// What is there already; that others are not says nothing yet.
    async fn toolboxes_at_the_start(&self, handler: &Handler) -> Vec<Arc<dyn Toolbox>> {
        let remote = self.remote.look_for(&handler.remote, &self.turn_cache).await;
        let all = handler.toolboxes.iter().cloned().chain(remote);
        handler.order.arranged(all.collect(), |toolbox| toolbox.id())
    }

    /// Lets the first brain of this persona read what it would be sent for this utterance, which no tool understands without
    /// one. Nothing where who would answer asks no brain of this process. Cancel safe: what was read until then stays read.
    pub async fn read_ahead(
        self: &Arc<Self>,
        persona: &ReadyPersona,
        utterance: Utterance,
        person: Option<Arc<dyn Person>>,
    ) {
        let thinks_here = self.elsewhere.is_none() && !self.is_emergency_stopped();
        let Some(handler) = persona.thinker().filter(|_| thinks_here) else {
            return;
        };
        let handler = handler.answering(utterance.door, utterance.channel);
        let memories = self.memories(persona, &utterance).await;
        let utterance = Utterance {
            memories,
            ..utterance
        };
        let chain = Chain::of(persona);
        let attempt = Attempt {
            persona,
            handler,
            number: 0,
            utterance: &utterance,
            intended: None,
            stop: stop_pair().1,
            person,
            chain: &chain,
        };
        let Stack { mut means, .. } = self.stack(&attempt).await;
        means.turn_cache = Arc::new(TurnCache::apart(&self.turn_cache));
        let question = Question {
            selection: self.selection(&attempt, &means.toolboxes),
            restating: self.restating(&attempt),
            ..question(&self.device.now(), persona, handler, &utterance)
        };
        let requests = first_requests(handler, question, means).await;
        if requests.is_empty() {
            return;
        }
        tracing::debug!("what may have been said is read already");
        if let Err(error) = handler.warm(&requests).await {
            tracing::debug!(%error, "failed to read ahead");
        }
    }
}

/// The selection for words that a tool may fit: one of another program, if there is any, since a brain may be shown these alone. Which
/// one does not matter: what is shown of it stands behind the beginning.
fn with_any_tool(selection: Selection, toolboxes: &[Arc<dyn Toolbox>]) -> Selection {
    let is_foreign = |toolbox: &&Arc<dyn Toolbox>| !selection.listed.iter().any(|id| id == toolbox.id());
    let first = |toolbox: &Arc<dyn Toolbox>, may_fit: fn(&Tool) -> bool| {
        let tools = toolbox.tools();
        let tool = tools.iter().find(|tool| may_fit(tool))?;
        Some(fitting(toolbox.id(), &tool.name))
    };
    let of_others = toolboxes
        .iter()
        .filter(is_foreign)
        .find_map(|toolbox| first(toolbox, |_| true));
    let of_ours = || {
        toolboxes
            .iter()
            .find_map(|toolbox| first(toolbox, |tool| tool.read_only))
    };
    Selection {
        likely: of_others.or_else(of_ours).into_iter().collect(),
        ..selection
    }
}

fn fitting(toolbox_id: &str, tool: &str) -> Likely {
    Likely {
        toolbox_id: toolbox_id.to_owned(),
        tool: tool.to_owned(),
        is_near: true,
        is_sure: false,
        said_as: None,
        measures: BTreeMap::new(),
    }
}

impl Handler {
    /// Has its brain read these, one after the other, and tells how long that took where it reads ahead at all.
    async fn warm(&self, requests: &[Arc<ChatRequest>]) -> Result<Option<Duration>, BrainError> {
        let mut whole = None;
        for request in requests {
            let elapsed = self.brain.warm(request).await?;
            whole = elapsed.map(|elapsed| elapsed + whole.unwrap_or_default());
        }
        Ok(whole)
    }
}
