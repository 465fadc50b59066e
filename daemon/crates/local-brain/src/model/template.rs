//! The chat template that a model file brings, which says how the model was taught to read a conversation. Never lets a
//! template reach anything but the messages, and never lets it run for ever.
//!
//! Templates are written for Jinja in Python. What they use of it is here: methods of texts and lists, the loop controls,
//! and two functions that the libraries of the hub have.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, Error, ErrorKind, Value, context};
use minijinja_contrib::pycompat::unknown_method_callback;
use serde::Serialize;

use super::turns::{self, Form};
use crate::request::{Message, Role};

/// The name under which the engine knows it.
const NAME: &str = "chat";

/// A long conversation takes some ten thousand steps.
const MOST_STEPS: u64 = 500_000;

/// Macros that call themselves end here.
const DEEPEST: usize = 128;

/// The template of a model.
#[derive(Debug)]
pub(crate) struct Template {
    engine: Environment<'static>,
    first_token: String,
    last_token: String,
    /// The forms in which conversations are tried, the one nearest to what was asked first.
    forms: &'static [Form],
}

/// A message as templates see it.
#[derive(Debug, Serialize)]
struct Turn<'a> {
    role: &'a str,
    content: &'a str,
}

impl Template {
    /// Reads a template and tries it once. The tokens are those with which a text begins and ends.
    ///
    /// # Errors
    /// When it is none, or fails on the shortest conversation.
    pub(crate) fn new(source: &str, first_token: &str, last_token: &str) -> Result<Self, Error> {
        let mut engine = Environment::new();
        engine.set_unknown_method_callback(unknown_method_callback);
        engine.set_fuel(Some(MOST_STEPS));
        engine.set_recursion_limit(DEEPEST);
        engine.set_syntax(
            SyntaxConfig::builder()
                .trim_blocks(true)
                .lstrip_blocks(true)
                .build()?,
        );
        engine.add_function("raise_exception", refuse);
        engine.add_function("strftime_now", today);
        engine.add_template_owned(NAME, without_generation_marks(source))?;
        let mut template = Self {
            engine,
            first_token: first_token.to_owned(),
            last_token: last_token.to_owned(),
            forms: &Form::ALL,
        };
        template.try_instructions()?;
        Ok(template)
    }

    /// The conversation as text, up to where the assistant is to speak. Where it can be said, it is said that no thought is
    /// wanted.
    ///
    /// # Errors
    /// When the template fails on it in every form.
    pub(crate) fn render(&self, messages: &[Message]) -> Result<String, Error> {
        self.render_with(messages, false)
    }

    /// Renders the turns with the word on whether a thought is wanted.
    ///
    /// # Errors
    /// As above.
    pub(crate) fn render_with(&self, messages: &[Message], thought: bool) -> Result<String, Error> {
        let mut outcome = Err(Error::new(ErrorKind::InvalidOperation, "it has no form"));
        for form in self.forms {
            outcome = self.fill(&turns::in_form(messages, *form), thought);
            if outcome.is_ok() {
                break;
            }
        }
        outcome
    }

    fn fill(&self, messages: &[Message], thought: bool) -> Result<String, Error> {
        let turns: Vec<Turn<'_>> = messages
            .iter()
            .map(|message| Turn {
                role: message.role.name(),
                content: &message.text,
            })
            .collect();
        self.engine.get_template(NAME)?.render(context! {
            messages => Value::from(Serde(&turns)),
            add_generation_prompt => true,
            enable_thinking => thought,
            bos_token => &self.first_token,
            eos_token => &self.last_token,
        })
    }

    /// Leaves out the forms in which instructions are passed over without a word.
    fn try_instructions(&mut self) -> Result<(), Error> {
        const SAID: &str = "instructions";
        let message = |role, text: &str| Message {
            role,
            text: text.to_owned(),
        };
        let asked = [message(Role::System, SAID), message(Role::User, "hi")];
        while !self.render(&asked)?.contains(SAID) {
            let Some((_, rest)) = self.forms.split_first() else {
                break;
            };
            self.forms = rest;
        }
        Ok(())
    }
}

/// `raise_exception` of the hub's library: the template does not take this conversation.
fn refuse(why: &str) -> Result<Value, Error> {
    Err(Error::new(ErrorKind::InvalidOperation, why.to_owned()))
}

/// `strftime_now` of the hub's library.
fn today(format: &str) -> Result<String, Error> {
    let now = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
    let written = jiff::fmt::strtime::format(format, &now);
    written.map_err(|error| Error::new(ErrorKind::InvalidOperation, error.to_string()))
}

/// The hub's library marks what an assistant says with a statement of its own, for teaching. It changes no text.
fn without_generation_marks(source: &str) -> String {
    let mut read = String::with_capacity(source.len());
    let mut rest = source;
    while let Some((before, after)) = rest.split_once("{%") {
        let Some((statement, after)) = after.split_once("%}") else {
            break;
        };
        read.push_str(before);
        read.push_str("{%");
        match statement.trim_matches(['-', '+', ' ', '\n']) {
            "generation" => read.push_str(&statement.replace("generation", "if true")),
            "endgeneration" => read.push_str(&statement.replace("endgeneration", "endif")),
            _ => read.push_str(statement),
        }
        read.push_str("%}");
        rest = after;
    }
    read.push_str(rest);
    read
}

#[cfg(test)]
mod tests;
