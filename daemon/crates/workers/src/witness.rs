//! The toolboxes, old and new, and the person of a device's turn, with what comes of each noted for the worker.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use loquat_agent::consent::{Consent, Person, Request};
use loquat_agent::journal::{call_key, question_key};
use loquat_agent::toolbox::{Arrivals, Circumstances, Outcome, ToolError, Toolbox, ToolboxWrapper};
use serde_json::{Map, Value};

use crate::deeds::Deeds;

#[derive(Debug)]
pub(crate) struct WitnessedToolbox {
    pub(crate) inner: Arc<dyn Toolbox>,
    pub(crate) deeds: Arc<Deeds>,
}

impl ToolboxWrapper for WitnessedToolbox {
    fn inner(&self) -> &dyn Toolbox {
        &*self.inner
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        Box::pin(async move {
            let key = call_key(self.inner.id(), name, &arguments, &circumstances.extras);
            let place = self.deeds.called(&key);
            let outcome = self.inner.call(name, arguments, circumstances).await;
            self.deeds.returned(&key, place, &outcome);
            outcome
        })
    }

    /// The worker's turn makes the same call, and would wait for what comes of it.
    fn decline(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
        circumstances: &Circumstances,
        why: &ToolError,
    ) {
        let key = call_key(self.inner.id(), name, arguments, &circumstances.extras);
        let place = self.deeds.called(&key);
        self.deeds.returned(&key, place, &Err(why.clone()));
        self.inner.decline(name, arguments, circumstances, why);
    }
}

impl WitnessedToolbox {
    pub(crate) fn of(inner: Arc<dyn Toolbox>, deeds: &Arc<Deeds>) -> Arc<dyn Toolbox> {
        let deeds = Arc::clone(deeds);
        Arc::new(Self { inner, deeds })
    }
}

#[derive(Debug)]
pub(crate) struct WitnessedArrivals {
    pub(crate) inner: Arc<dyn Arrivals>,
    pub(crate) deeds: Arc<Deeds>,
}

impl Arrivals for WitnessedArrivals {
    fn take(&self) -> BoxFuture<'_, Vec<Arc<dyn Toolbox>>> {
        Box::pin(async move {
            let came = self.inner.take().await;
            self.deeds.looked(&came);
            let came = came.into_iter();
            came.map(|inner| WitnessedToolbox::of(inner, &self.deeds))
                .collect()
        })
    }
}

pub(crate) struct WitnessedPerson {
    pub(crate) inner: Arc<dyn Person>,
    pub(crate) deeds: Arc<Deeds>,
}

impl Person for WitnessedPerson {
    fn consents<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Consent> {
        Box::pin(async move {
            let key = question_key(request);
            let place = self.deeds.asked(&key);
            let consent = self.inner.consents(request).await;
            self.deeds.answered(&key, place, consent);
            consent
        })
    }

    fn consents_to_all<'a>(&'a self, requests: &'a [Request]) -> BoxFuture<'a, Vec<Consent>> {
        Box::pin(async move {
            let asked: Vec<_> = requests.iter().map(question_key).collect();
            let asked: Vec<_> = asked
                .into_iter()
                .map(|key| (self.deeds.asked(&key), key))
                .collect();
            let mut answers = self.inner.consents_to_all(requests).await;
            // The worker waits for an answer to everything that was asked.
            answers.resize(requests.len(), Consent::Unclear);
            for ((place, key), &consent) in asked.iter().zip(&answers) {
                self.deeds.answered(key, *place, consent);
            }
            answers
        })
    }
}
