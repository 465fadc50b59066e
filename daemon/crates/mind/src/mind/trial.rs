//! Single calls of tools that a person has put together, as on the page: in a turn of its own, through the same gate as every
//! other call, without a brain.
//!
//! Nothing of it is remembered, and it is not gone on with after a crash.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::consent::Person;
use loquat_agent::record::Record;
use loquat_agent::toolbox::Toolbox;
use loquat_agent::turn::{Means, Question, StopSignal};
use loquat_part::tool_trials::{ToolTrials, Trial, TrialError};

use super::{BackgroundToolbox, Handler, Mind, ReadyPersona, Utterance, question};
use crate::tools::{Askable, AskingToolbox};

impl ToolTrials for Mind {
    fn toolboxes(&self) -> BoxFuture<'_, Vec<Arc<dyn Toolbox>>> {
        self.toolboxes_to_try().boxed()
    }

    fn toolbox<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Option<Arc<dyn Toolbox>>> {
        self.toolbox_to_try(id).boxed()
    }

    fn try_tool(
        &self,
        trial: Trial,
        stop: StopSignal,
        person: Arc<dyn Person>,
    ) -> BoxFuture<'_, Result<Record, TrialError>> {
        self.call_once(trial, stop, person).boxed()
    }
}

impl Mind {
    /// All toolboxes that a person can try: those of the default persona as it has them, the others of this process, and those
    /// on the bus that no other one hides.
    async fn toolboxes_to_try(&self) -> Vec<Arc<dyn Toolbox>> {
        let mut all = self.toolboxes_here();
        for tool in self.remote.list().await {
            let is_known = all.iter().any(|known| known.id() == tool.toolbox_id);
            let found = (!is_known)
                .then(|| self.remote.toolbox_as_called_by_a_person(&tool.toolbox_id))
                .flatten();
            all.extend(found);
        }
        all
    }

    /// One of them. Those of this process are found without asking the bus, which takes its time.
    async fn toolbox_to_try(&self, id: &str) -> Option<Arc<dyn Toolbox>> {
        let mut here = self.toolboxes_here().into_iter();
        if let Some(toolbox) = here.find(|toolbox| toolbox.id() == id) {
            return Some(toolbox);
        }
        let mut all = self.toolboxes_to_try().await.into_iter();
        all.find(|toolbox| toolbox.id() == id)
    }

    /// Those of this process.
    fn toolboxes_here(&self) -> Vec<Arc<dyn Toolbox>> {
        let persona = self.default_persona();
        let of_persona = persona.iter().flat_map(|persona| &persona.handlers);
        let own = self.own();
        let mut here: Vec<Arc<dyn Toolbox>> = Vec::new();
        for toolbox in of_persona
            .flat_map(|handler| &handler.toolboxes)
            .chain(own.iter())
        {
            if here.iter().all(|known| known.id() != toolbox.id()) {
                here.push(Arc::clone(toolbox));
            }
        }
        here
    }

    /// Makes the call. `person` is asked before it may do harm.
    async fn call_once(
        &self,
        trial: Trial,
        stop: StopSignal,
        person: Arc<dyn Person>,
    ) -> Result<Record, TrialError> {
        if self.is_emergency_stopped() {
            return Err(TrialError::EmergencyStop);
        }
        let wanted = trial.call.toolbox_id.as_str();
        let toolbox = self.toolbox_to_try(wanted).await;
        let toolbox = toolbox.ok_or_else(|| TrialError::NoToolbox(wanted.to_owned()))?;
        // Who has entered the page is the owner.
        let toolbox = AskingToolbox::of(toolbox, &Askable::new(Some(&person), true, None));
        let toolbox = match &self.background {
            Some(background) => BackgroundToolbox::of(toolbox, background),
            None => toolbox,
        };
        let persona = self.default_persona();
        let persona = persona.unwrap_or_else(|| Arc::new(ReadyPersona::apologising(String::new())));
        let handler = Handler::without_brain(vec![toolbox], persona.thinker());
        Ok(self.call(&persona, &handler, trial, stop, person).await)
    }

    async fn call(
        &self,
        persona: &ReadyPersona,
        handler: &Handler,
        Trial { turn_id, call }: Trial,
        stop: StopSignal,
        person: Arc<dyn Person>,
    ) -> Record {
        let arguments = serde_json::Value::Object(call.arguments.clone());
        let utterance = Utterance {
            turn_id,
            channel: "text",
            // The gate looks for what a call is made of in what the person said, which is this form.
            ..Utterance::aloud(&format!("{} {arguments}", call.tool), &self.device.now().lang)
        };
        let means = Means {
            brain: Arc::clone(&handler.brain),
            toolboxes: handler.toolboxes.clone(),
            arrivals: None,
            grammar: None,
            budget: handler.budget,
            settings: handler.settings.clone(),
            observer: self
                .hub
                .observer(utterance.session.id(), &utterance.turn_id, "loquat-page"),
            stop,
            turn_cache: Arc::clone(&self.turn_cache),
            person: Some(person),
        };
        let question = Question {
            intended: Some(call),
            ..question(&self.device.now(), persona, handler, &utterance)
        };
        Box::pin(loquat_agent::answer(handler.engine, question, means)).await
    }
}
