//! The device's own conversation as the page has it: who may answer in it is up to the mind, and what is known of it to the desk.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_failure::with_causes;
use loquat_page::device::{Answerer, OwnConversation};
use tokio::sync::watch;

use crate::desk;
use crate::mind::{Mind, ReadyPersona};

/// Asks the mind, and gives the desk the owner's wishes.
#[derive(Debug)]
pub(super) struct ConversationOfDesk {
    pub(super) mind: Arc<Mind>,
    pub(super) desk: desk::OwnConversation,
}

fn answerer(persona: &Arc<ReadyPersona>) -> Answerer {
    Answerer {
        id: persona.id.clone(),
        name: persona.name.clone(),
        about: persona.description.clone(),
    }
}

impl OwnConversation for ConversationOfDesk {
    fn answerers(&self) -> Vec<Answerer> {
        self.mind.offered().iter().map(answerer).collect()
    }

    fn usual(&self) -> Option<Answerer> {
        self.mind.default_persona().as_ref().map(answerer)
    }

    fn chosen(&self) -> watch::Receiver<Option<String>> {
        self.desk.summoned()
    }

    fn replacements(&self) -> watch::Receiver<()> {
        self.mind.replacements()
    }

    fn choose(&self, id: Option<String>) -> BoxFuture<'_, Result<bool, String>> {
        async move { self.desk.address(id).await.map_err(|why| with_causes(&why)) }.boxed()
    }

    fn begin_anew(&self) -> BoxFuture<'_, Result<(), String>> {
        async move { self.desk.begin_anew().await.map_err(|why| with_causes(&why)) }.boxed()
    }

    fn go_on(&self) -> BoxFuture<'_, Result<bool, String>> {
        async move { self.desk.go_on().await.map_err(|why| with_causes(&why)) }.boxed()
    }

    fn forget(&self) -> BoxFuture<'_, Result<(), String>> {
        async move { self.desk.forget().await.map_err(|why| with_causes(&why)) }.boxed()
    }
}
