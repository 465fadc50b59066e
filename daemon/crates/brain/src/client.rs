//! A brain behind an OpenAI-compatible server.

use futures_util::future::BoxFuture;
use loquat_agent::brain::{Brain, BrainError, Capabilities, ChatReply, ChatRequest, DeltaSink};

use crate::settings::{BrainSettingsError, OpenAiSettings};

/// Speaks to one model on one OpenAI-compatible server.
#[derive(Debug)]
pub struct OpenAiBrain {
    name: String,
    settings: OpenAiSettings,
}

impl OpenAiBrain {
    /// Prepares the client; nothing is connected yet.
    pub fn new(settings: OpenAiSettings) -> Result<Self, BrainSettingsError> {
        Ok(Self {
            name: settings.model.clone(),
            settings,
        })
    }
}

impl Brain for OpenAiBrain {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            native_tools: self.settings.supports_tools,
            json_schema: self.settings.json_schema,
        }
    }

    fn chat<'a>(
        &'a self,
        _: &'a ChatRequest,
        _: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        Box::pin(async {
            Err(BrainError::NotStarted {
                reason: "the client is being built".to_owned(),
            })
        })
    }
}
