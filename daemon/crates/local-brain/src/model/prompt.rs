//! Turns a conversation into the text that the model was taught to read. Never lets a message speak as the template.

use std::borrow::Cow;
use std::ffi::CStr;

use llama_cpp_2::ApplyChatTemplateError;
use llama_cpp_2::model::{LlamaChatMessage, LlamaChatTemplate, LlamaModel};
use llama_cpp_2::token::LlamaToken;

use super::template::Template;
use super::thought::Thinking;
use crate::request::{Message, Role};
use crate::text::disarm::disarm;

/// Marks of one or two letters stand in ordinary text.
const SHORTEST_MARK: usize = 3;

#[derive(Debug)]
pub(crate) struct Prompt {
    template: Source,
    marks: Vec<String>,
    /// The mark that llama.cpp puts before every text by itself.
    first: Option<String>,
    thinking: Thinking,
}

/// Where the form of a conversation comes from.
#[derive(Debug)]
enum Source {
    /// It comes from the model file.
    File(Box<Template>),
    /// From llama.cpp, which knows the usual ones by their looks.
    Known(LlamaChatTemplate),
}

/// A conversation could not be written as the model reads it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PromptError {
    /// The model's own template fails.
    #[error("the model's chat template does not take it: {0}")]
    Template(#[from] minijinja::Error),
    /// llama.cpp says this of the failure.
    #[error(transparent)]
    Known(#[from] ApplyChatTemplateError),
}

impl Prompt {
    /// Takes the template from the model file. One that cannot be used is replaced by what llama.cpp takes it for, or by
    /// `ChatML`, as is one that is not there; that is said in the log.
    ///
    /// # Errors
    /// Never in practice: only when llama.cpp does not know `ChatML`.
    pub(crate) fn of(model: &LlamaModel) -> Result<Self, PromptError> {
        let chatml = || LlamaChatTemplate::new("chatml").map_err(ApplyChatTemplateError::from);
        let Ok(own) = model.chat_template(None) else {
            tracing::warn!("the model has no chat template; ChatML is used, which may fit badly");
            return Ok(Self::with(model, Source::Known(chatml()?), Thinking::Never));
        };
        let source = own.to_string().unwrap_or_default();
        let (first, last) = (
            text_of(model, model.vocab().bos()),
            text_of(model, model.vocab().eos()),
        );
        match Template::new(&source, &first, &last) {
            Ok(template) => {
                let thinking = Thinking::of(model, &template, &source);
                tracing::debug!(?thinking, "the model's own chat template is used");
                return Ok(Self::with(model, Source::File(Box::new(template)), thinking));
            }
            Err(error) => tracing::warn!(%error, "the model's chat template cannot be used as it is"),
        }
        let known = Self::with(model, Source::Known(own), Thinking::Never);
        if known.render(model, &[greeting()]).is_ok() {
            return Ok(known);
        }
        tracing::warn!(
            "llama.cpp does not know the model's chat template; ChatML is used, which may fit badly"
        );
        Ok(Self::with(model, Source::Known(chatml()?), Thinking::Never))
    }

    fn with(model: &LlamaModel, template: Source, thinking: Thinking) -> Self {
        let adds_first = model.vocab().should_add_bos();
        Self {
            template,
            marks: control_marks(model),
            first: adds_first.then(|| text_of(model, model.vocab().bos())),
            thinking,
        }
    }

    /// Says how replies begin.
    pub(crate) fn thinking(&self) -> Thinking {
        self.thinking
    }

    /// The conversation as text, up to where the assistant is to speak.
    ///
    /// # Errors
    /// When the template fails on it.
    pub(crate) fn render(&self, model: &LlamaModel, messages: &[Message]) -> Result<String, PromptError> {
        let messages: Vec<Message> = messages.iter().map(|message| self.disarmed(message)).collect();
        let text = match &self.template {
            Source::File(template) => template.render(&messages)?,
            Source::Known(template) => {
                let messages: Vec<_> = messages.into_iter().filter_map(of_llama).collect();
                model.apply_chat_template(template, &messages, true)?
            }
        };
        // Many templates write it, too, and no model has seen it twice.
        let first = self.first.as_ref().filter(|first| !first.is_empty());
        match first.and_then(|first| text.strip_prefix(first.as_str())) {
            Some(rest) => Ok(rest.to_owned()),
            None => Ok(text),
        }
    }

    fn disarmed(&self, message: &Message) -> Message {
        // A zero byte would end the text for llama.cpp.
        let text = disarm(&message.text, &self.marks).replace('\0', "\u{fffd}");
        Message {
            role: message.role,
            text,
        }
    }
}

fn of_llama(message: Message) -> Option<LlamaChatMessage> {
    LlamaChatMessage::new(message.role.name().to_owned(), message.text).ok()
}

/// Cuts a rendered conversation into tokens.
pub(crate) fn tokens(model: &LlamaModel, text: &str) -> Vec<LlamaToken> {
    model.vocab().tokenize(text.as_bytes(), true, true)
}

fn greeting() -> Message {
    Message {
        role: Role::User,
        text: "hi".to_owned(),
    }
}

/// The mark that a token is written as; nothing for one that the model lacks.
fn text_of(model: &LlamaModel, token: LlamaToken) -> String {
    // llama.cpp ends the program over a token that is none.
    if token.0 < 0 {
        return String::new();
    }
    let vocabulary = model.vocab();
    let text = vocabulary.text(token).map(CStr::to_string_lossy);
    text.map(Cow::into_owned).unwrap_or_default()
}

fn control_marks(model: &LlamaModel) -> Vec<String> {
    let vocabulary = model.vocab();
    vocabulary
        .tokens()
        .filter(|token| vocabulary.is_control(*token))
        .filter_map(|token| vocabulary.text(token).map(CStr::to_string_lossy))
        .filter(|mark| mark.len() >= SHORTEST_MARK)
        .map(Cow::into_owned)
        .collect()
}
