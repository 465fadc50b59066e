//! Turns a conversation into the text that the model was taught to read. Never lets a message speak as the template.

use std::ffi::CStr;

use llama_cpp_2::ApplyChatTemplateError;
use llama_cpp_2::model::{LlamaChatMessage, LlamaChatTemplate, LlamaModel};
use llama_cpp_2::token::LlamaToken;

use crate::request::Message;
use crate::text::disarm::disarm;

/// Marks of one or two letters stand in ordinary text.
const SHORTEST_MARK: usize = 3;

#[derive(Debug)]
pub(crate) struct Prompt {
    template: LlamaChatTemplate,
    marks: Vec<String>,
}

impl Prompt {
    /// Takes the template from the model file, or `ChatML` when it has none or one that llama.cpp does not know; that is
    /// said in the log.
    ///
    /// # Errors
    /// Never in practice: only when llama.cpp does not know `ChatML`.
    pub(crate) fn of(model: &LlamaModel) -> Result<Self, ApplyChatTemplateError> {
        let marks = control_marks(model);
        if let Ok(template) = model.chat_template(None) {
            let own = Self { template, marks };
            if own.render(model, &[greeting()]).is_ok() {
                return Ok(own);
            }
            tracing::warn!(
                "llama.cpp does not know the model's chat template; ChatML is used, which may fit badly"
            );
            return Self::chatml(own.marks);
        }
        tracing::warn!("the model has no chat template; ChatML is used, which may fit badly");
        Self::chatml(marks)
    }

    fn chatml(marks: Vec<String>) -> Result<Self, ApplyChatTemplateError> {
        Ok(Self {
            template: LlamaChatTemplate::new("chatml")?,
            marks,
        })
    }

    /// The conversation as text, up to where the assistant is to speak.
    ///
    /// # Errors
    /// When the template fails on it.
    pub(crate) fn render(
        &self,
        model: &LlamaModel,
        messages: &[Message],
    ) -> Result<String, ApplyChatTemplateError> {
        let messages = messages
            .iter()
            .filter_map(|message| {
                // A zero byte would end the text for llama.cpp.
                let text = disarm(&message.text, &self.marks).replace('\0', "\u{fffd}");
                LlamaChatMessage::new(message.role.name().to_owned(), text).ok()
            })
            .collect::<Vec<_>>();
        model.apply_chat_template(&self.template, &messages, true)
    }
}

/// Cuts a rendered conversation into tokens.
pub(crate) fn tokens(model: &LlamaModel, text: &str) -> Vec<LlamaToken> {
    model.vocab().tokenize(text.as_bytes(), true, true)
}

fn greeting() -> Message {
    Message {
        role: crate::request::Role::User,
        text: "hi".to_owned(),
    }
}

fn control_marks(model: &LlamaModel) -> Vec<String> {
    let vocabulary = model.vocab();
    vocabulary
        .tokens()
        .filter(|token| vocabulary.is_control(*token))
        .filter_map(|token| vocabulary.text(token).map(CStr::to_string_lossy))
        .filter(|mark| mark.len() >= SHORTEST_MARK)
        .map(std::borrow::Cow::into_owned)
        .collect()
}
