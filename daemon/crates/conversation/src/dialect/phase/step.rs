//! The phase of a step: a call of a tool, or the answer, in every dialect.

use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};

use crate::brain::{ChatReply, ChatRequest, ToolChoice, ToolOffer};
use crate::catalogue::{Catalogue, Entry};
use crate::dialect::examples::{brought, first_of_several, imagined, with_thought};
use crate::dialect::prompts::{self, asked, tools};
use crate::dialect::step_schema::{self, NO_TOOL};
use crate::dialect::wishes::{after_failure, without_tool};
use crate::dialect::{Dialect, Manner, Speech, StepForm, call_step, spaced};
use crate::toolbox::Example;
use loquat_decoder::{Decoded, Names, decode, decode_follow_up};

/// Says how an engine asks for steps. Nothing of it changes in a conversation, also when the brain changes.
#[derive(Debug, Clone)]
pub struct Steps {
    manner: Manner,
    catalogue: Arc<Catalogue>,
    /// In Self-Ask, the tool that is asked where none is named.
    answering: Option<String>,
    /// The schema for the brain that was asked first, whose steps have this form.
    schema: OnceLock<(StepForm, Arc<Value>)>,
}

/// So many of the tools that fit best are told of once more beside what was said: each is some twenty tokens to read.
const TOLD_AGAIN: usize = 5;

/// These end a reply, since a brain may not write them.
const STOPS: &[&str] = &["\nObservation:", "\n**Observation"];

/// This ends a reply of Self-Ask.
const FOLLOW_UP_STOPS: &[&str] = &["\nIntermediate answer:", "\n**Intermediate"];

impl Steps {
    /// Steps of thinking and acting, in this dialect where the brain has it; plain chat where there are no tools. With
    /// `one_call` a call may be the whole answer.
    pub fn new(catalogue: &Arc<Catalogue>, dialect: Dialect, one_call: bool) -> Self {
        let manner = if catalogue.is_empty() {
            Manner::Chat
        } else {
            Manner::Steps { dialect, one_call }
        };
        Self {
            manner,
            catalogue: Arc::clone(catalogue),
            answering: None,
            schema: OnceLock::new(),
        }
    }

    /// Follow-up questions; a question without a tool goes to the tool with this name.
    pub fn follow_ups(catalogue: &Arc<Catalogue>, answering: Option<String>) -> Self {
        Self {
            manner: Manner::FollowUps {
                tools: !catalogue.is_empty(),
            },
            answering,
            ..Self::new(catalogue, Dialect::Text, false)
        }
    }

    /// Asks for words and withholds the tools.
    pub fn none() -> Self {
        Self::new(&Arc::default(), Dialect::Text, false)
    }

    /// Says what its conversation consists of.
    pub fn manner(&self) -> Manner {
        self.manner
    }

    /// Reads a reply as a step.
    pub fn decode(&self, reply: &ChatReply, names: &Names) -> Decoded {
        match self.manner {
            Manner::FollowUps { .. } => decode_follow_up(reply, names, self.answering.as_deref()),
            _ => decode(reply, names),
        }
    }

    /// Equips a request that may ask for tools, among them those that were found or came since.
    pub fn equip(&self, request: &mut ChatRequest, dialect: Dialect, form: StepForm, found: &[Arc<Entry>]) {
        match (self.manner, dialect) {
            (_, Dialect::Native) => {
                let all = self.catalogue.entries().iter().chain(found);
                request.tools = all.map(offer).collect();
            }
            (_, Dialect::Schema) => {
                request.response_schema = Some(step_schema::widened(&self.step(form), found, form));
            }
            (Manner::FollowUps { .. }, _) if self.answering.is_some() => {
                request.stop = owned(FOLLOW_UP_STOPS);
            }
            (Manner::Steps { .. }, _) => request.stop = owned(STOPS),
            _ => {}
        }
    }

    fn step(&self, form: StepForm) -> Arc<Value> {
        let made = || Arc::new(step_schema::step(&self.catalogue, form));
        let (first, schema) = self.schema.get_or_init(|| (form, made()));
        if *first == form {
            Arc::clone(schema)
        } else {
            made()
        }
    }

    /// Equips a request, for a brain that is held to a schema, that has to be answered with a call of a tool that reads.
    pub fn equip_for_look(&self, request: &mut ChatRequest, form: StepForm) {
        request.response_schema = Some(Arc::new(step_schema::looking(&self.catalogue, form)));
    }

    /// Equips a request, for a brain that is held to a schema, that has to be answered with a calculation; as it is where no
    /// tool calculates.
    pub fn equip_for_calculation(&self, request: &mut ChatRequest, form: StepForm) {
        let calculation = step_schema::calculation(&self.catalogue, form);
        if let Some(schema) = calculation {
            request.response_schema = Some(Arc::new(schema));
        }
    }

    /// Equips a request that has to be answered in words: tools are withheld.
    pub fn equip_for_answer(&self, request: &mut ChatRequest, dialect: Dialect, form: StepForm) {
        request.tool_choice = ToolChoice::None;
        match dialect {
            Dialect::Native => {}
            Dialect::Schema => request.response_schema = Some(Arc::new(step_schema::answering(form))),
            Dialect::Text => self.equip(request, dialect, form, &[]),
        }
    }
}

fn owned(stops: &[&str]) -> Vec<String> {
    stops.iter().map(|stop| (*stop).to_owned()).collect()
}

/// A tool as a brain with native calls is told of it.
fn offer(entry: &Arc<Entry>) -> Arc<ToolOffer> {
    Arc::clone(&entry.offer)
}

/// The instructions for steps.
pub fn instructions(speech: &Speech<'_>) -> String {
    match (speech.manner, speech.dialect) {
        (Manner::Chat | Manner::Phases, _) => speech.text(&prompts::ANSWER).to_owned(),
        (_, Dialect::Native) => speech.text(&prompts::STEP_NATIVE).to_owned(),
        (Manner::Steps { .. }, Dialect::Schema) => steps_as_objects(speech),
        (Manner::Steps { .. }, Dialect::Text) => speech.with_tools(&prompts::STEP_TEXT),
        (Manner::FollowUps { .. }, Dialect::Schema) => follow_ups_as_objects(speech),
        (Manner::FollowUps { tools: true }, _) => speech.with_tools(&prompts::FOLLOW_UP_TEXT),
        (Manner::FollowUps { tools: false }, _) => speech.text(&prompts::FOLLOW_UP_WITHOUT_TOOLS).to_owned(),
    }
}

/// What was said, behind the tools that fit it best, where instructions list very many; nothing elsewhere. A server with
/// native calls is offered them instead.
///
/// A small model does not find in a list of eighty what it is not told of once more, and calls what it is told of where nothing
/// fits: so they are not named to talk. The best stands last, and those that instructions do not list have their whole lines.
pub fn said_with_tools(speech: &Speech<'_>) -> Option<String> {
    let catalogue = speech.catalogue;
    let is_step = matches!(speech.manner, Manner::Steps { .. });
    if !is_step || speech.dialect == Dialect::Native || !catalogue.is_fitted() {
        return None;
    }
    let is_listed = |entry: &Arc<Entry>| catalogue.listed().iter().any(|one| Arc::ptr_eq(one, entry));
    let most = if catalogue.is_near() { TOLD_AGAIN } else { 0 };
    let shown = catalogue.entries().iter().enumerate();
    let lines = shown.filter_map(|(number, entry)| match is_listed(entry) {
        true if number < most => Some((&entry.short, catalogue.said_as(number))),
        true => None,
        false => Some((&entry.line, None)),
    });
    let line = |(line, said_as): (&String, Option<&str>)| match said_as {
        Some(said) => format!("- {line} As in: {said}"),
        None => format!("- {line}"),
    };
    let lines: Vec<String> = lines.map(line).collect();
    let lines: Vec<String> = lines.into_iter().rev().collect();
    (!lines.is_empty()).then(|| {
        let words = speech.text(&prompts::FITTING);
        format!("{words}\n{}\n\nPerson: {}", lines.join("\n"), speech.utterance)
    })
}

/// The instructions for one JSON object a step. Tools, forms, examples: models of half a billion parameters choose
/// right far more often in this order, and with a thought that says what is asked and not what is used; models of three times
/// as many choose as well without one. What calls no tool stands between two calls, for small models take what was said last for
/// what is to be said.
fn steps_as_objects(speech: &Speech<'_>) -> String {
    let catalogue = speech.catalogue;
    let form = speech.step_form;
    let shortened = catalogue
        .is_fitted()
        .then(|| speech.text(&prompts::STEP_SCHEMA_SHORT));
    let last = speech.in_step_form(&prompts::STEP_SCHEMA_LAST);
    let rules = shortened
        .into_iter()
        .chain(form.one_call.then_some(last.as_ref()));
    let rules: String = rules.flat_map(|rule| ["\n", rule]).collect();
    let further = further(catalogue, form).map(|further| format!("\n{further}"));
    format!(
        "{}\n{}\n\n{}{}\n\nExamples:\n{}\n{}{}{}",
        tools(catalogue),
        speech.text(&prompts::STEP_SCHEMA_NO_TOOL),
        speech.in_step_form(&prompts::STEP_SCHEMA),
        rules,
        worked(catalogue, form),
        without_tool(speech),
        hints(catalogue, form),
        further.unwrap_or_default()
    )
}

/// The instructions for follow-up questions as one JSON object a step. A call of a tool that is there comes last: a small
/// model takes what was said last for what is to be said.
fn follow_ups_as_objects(speech: &Speech<'_>) -> String {
    let catalogue = speech.catalogue;
    let form = speech.step_form;
    let own = brought(catalogue).map(|_| format!("\n{}", worked(catalogue, form)));
    let last = further(catalogue, form).map(|last| format!("\n{last}"));
    format!(
        "{}\n\n{}{}{}",
        tools(catalogue),
        speech.text(&prompts::FOLLOW_UP_SCHEMA),
        own.unwrap_or_default(),
        last.unwrap_or_default()
    )
}

/// Asked and answered behind a question that a tool answers, which leaves that tool's result only a part of the answer.
const SECOND_WISH: [&str; 2] = [
    "And who painted the Mona Lisa?",
    "Leonardo da Vinci painted the Mona Lisa.",
];

/// The last worked call that a tool brings, else one of a tool that everybody can imagine. Where a call may be the whole
/// answer, this one is not, since something else is asked for, too.
fn worked(catalogue: &Catalogue, form: StepForm) -> String {
    let (name, mut example) = brought(catalogue).unwrap_or_else(imagined);
    if form.one_call {
        let [wish, answer] = SECOND_WISH;
        example.question = format!("{} {wish}", example.question);
        example.answer = format!("{} {answer}", example.answer);
    }
    let [result, answer] = [&example.result, &told(form, &example.answer)].map(spaced);
    format!(
        "Person: {0}\n{1}\nObservation: {result}\n{2}\n{answer}",
        example.question,
        called(&name, &example, form, false),
        asked(&example.question)
    )
}

/// The step that tells a result.
fn told(form: StepForm, answer: &str) -> Value {
    let step = json!({"tool": NO_TOOL, "answer": answer});
    with_thought(form, "The observation has the result.", step)
}

/// Guesses the beginning of the step behind a result: it is that of the worked example.
pub fn probable(form: StepForm) -> String {
    let whole = spaced(&told(form, ""));
    whole.strip_suffix("\"}").unwrap_or(&whole).to_owned()
}

/// The call of the first of several worked examples, without what came of it. Where a call may be the whole answer, the
/// only example serves too, since this one is.
fn further(catalogue: &Catalogue, form: StepForm) -> Option<String> {
    let only = || form.one_call.then(|| brought(catalogue).unwrap_or_else(imagined));
    let (name, example) = first_of_several(catalogue).or_else(only)?;
    Some(format!(
        "Person: {}\n{}",
        example.question,
        called(&name, &example, form, true)
    ))
}

/// What people say for tools without naming what these do, where the list of tools is a short one: a small model takes a
/// statement for talk, unless it has seen some that ask for a call.
fn hints(catalogue: &Catalogue, form: StepForm) -> String {
    let listed = catalogue.listed().iter().filter(|_| catalogue.is_fitted());
    let hint = |entry: &Arc<Entry>| {
        let hint = entry.tool.hint.as_ref()?;
        let call = call_step(&hint.thought, &entry.tool.name, &hint.arguments, form, true);
        Some(format!("\nPerson: {}\n{call}", hint.said))
    };
    listed.filter_map(hint).collect()
}

fn called(name: &str, example: &Example, form: StepForm, last: bool) -> String {
    call_step(&example.thought, name, &example.arguments, form, last)
}

/// Says how a step has to look, for a brain that got it wrong.
pub fn shape(speech: &Speech<'_>) -> String {
    let shape = match (speech.manner, speech.dialect) {
        (Manner::Chat | Manner::Phases, _) => return "Answer in plain words.".to_owned(),
        (_, Dialect::Native) => return "Call a tool, or answer in plain words.".to_owned(),
        (_, Dialect::Schema) => &prompts::STEP_SCHEMA_MEND,
        (Manner::Steps { .. }, Dialect::Text) => &prompts::STEP_TEXT_MEND,
        (Manner::FollowUps { .. }, Dialect::Text) => &prompts::FOLLOW_UP_TEXT_MEND,
    };
    speech.text(shape).to_owned()
}

/// Asks the brain to answer now.
pub fn conclude(speech: &Speech<'_>) -> String {
    let words = match (speech.manner, speech.dialect) {
        (Manner::Chat | Manner::Phases, _) | (_, Dialect::Native) => &prompts::CONCLUDE,
        (_, Dialect::Schema) => &prompts::CONCLUDE_SCHEMA,
        (Manner::Steps { .. }, Dialect::Text) => &prompts::CONCLUDE_TEXT,
        (Manner::FollowUps { .. }, Dialect::Text) => &prompts::CONCLUDE_FOLLOW_UP,
    };
    speech.text(words).to_owned()
}

/// Asks the brain to answer now, where it called a tool that does not do what was said. A small one otherwise tells that it did.
pub fn conclude_without_tool(speech: &Speech<'_>) -> String {
    let apology = after_failure(speech.lang);
    format!("{}\nNo tool here does what was said. {apology}", conclude(speech))
}

/// Tells of tools that came after the instructions were given; nothing where the request itself offers them.
pub fn came(new: &[Arc<Entry>], words: &str) -> String {
    let lines: Vec<String> = new.iter().map(|entry| format!("- {}", entry.line)).collect();
    format!("{words}\n{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probable_beginning_is_that_of_the_worked_example() {
        for thinks in [false, true] {
            let form = StepForm {
                thinks,
                one_call: false,
            };
            let probable = probable(form);
            assert!(probable.ends_with(r#""tool": "none", "answer": ""#), "{probable}");
            assert_eq!(probable.contains("thought"), thinks);
            assert!(worked(&Catalogue::default(), form).contains(&probable));
        }
    }
}
