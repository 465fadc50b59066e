//! Whether a model thinks before it answers, and by which marks that is known. Never thinks itself.

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;

use super::template::Template;
use crate::request::{Message, Role};

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// The tokens around a thought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) open: LlamaToken,
    pub(crate) close: LlamaToken,
}

/// Says how a reply begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Thinking {
    /// With the answer: the model does not think, or its template was told that no thought is wanted.
    Never,
    /// With a thought if the model wants one.
    MayBegin(Marks),
    /// With the rest of a thought that the template has begun.
    HasBegun(Marks),
}

impl Thinking {
    /// Finds out how replies of a model begin behind what its template ends with.
    pub(crate) fn of(model: &LlamaModel, template: &Template, source: &str) -> Self {
        let Some(marks) = marks(model) else {
            return Self::Never;
        };
        let asked = [Message {
            role: Role::User,
            text: "hi".to_owned(),
        }];
        let ends = [false, true].map(|thought| template.render_with(&asked, thought).unwrap_or_default());
        match beginning(&ends, source) {
            Beginning::Answer => Self::Never,
            Beginning::Either => Self::MayBegin(marks),
            Beginning::Thought => Self::HasBegun(marks),
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Beginning {
    Answer,
    Either,
    Thought,
}

/// How a reply begins behind a prompt in which no thought is wanted; the second prompt is the one in which one is.
fn beginning([unwanted, wanted]: &[String; 2], source: &str) -> Beginning {
    let end = unwanted.trim_end();
    if end.ends_with(OPEN) {
        Beginning::Thought
    } else if source.contains(CLOSE) && unwanted == wanted {
        // The template knows thoughts and cannot be told anything about them.
        Beginning::Either
    } else {
        Beginning::Answer
    }
}

/// The marks, where each is one token of this model.
fn marks(model: &LlamaModel) -> Option<Marks> {
    let token = |mark: &str| match model.vocab().tokenize(mark.as_bytes(), false, true).as_slice() {
        [token] => Some(*token),
        _ => None,
    };
    Some(Marks {
        open: token(OPEN)?,
        close: token(CLOSE)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURNS: &str =
        "{% for message in messages %}<{{ message.role }}>{{ message.content }}{% endfor %}<assistant>";

    fn of(end: &str) -> Beginning {
        let source = format!("{TURNS}{end}");
        let template = Template::new(&source, "", "").unwrap();
        let asked = [Message {
            role: Role::User,
            text: "hi".to_owned(),
        }];
        let ends = [false, true].map(|thought| template.render_with(&asked, thought).unwrap());
        beginning(&ends, &source)
    }

    #[test]
    fn how_a_reply_begins_is_read_from_the_template() {
        assert_eq!(of(""), Beginning::Answer);
        let switch = "{% if enable_thinking is false %}<think>\n\n</think>\n\n{% else %}<think>\n{% endif %}";
        assert_eq!(of(switch), Beginning::Answer);
        assert_eq!(of("<think>\n{# </think> #}"), Beginning::Thought);
        assert_eq!(of("{# content.split('</think>') #}"), Beginning::Either);
    }
}
