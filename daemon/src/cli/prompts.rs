//! `loquat prompts`: the words with which brains are instructed, and what a persona's brain is sent with them.

use anyhow::Result;
use loquat_agent::brain::{ChatRequest, Role};
use loquat_agent::{PROMPTS, Prompt};
use serde_json::json;

use super::{Context, Exit, Prompts, Style};
use crate::app;
use crate::mind::{Utterance, sent_first};
use crate::persona;
use crate::settings;
use crate::spoken_tools::SpokenTools;

/// Carries out `loquat prompts`.
pub(super) async fn run(context: &Context, command: Option<Prompts>) -> Result<Exit> {
    match command {
        None | Some(Prompts::List) => Ok(list(context)),
        Some(Prompts::Show { what, persona, lang }) => {
            let what = what.join(" ");
            let prompt = PROMPTS.iter().find(|prompt| prompt.name == what);
            match prompt {
                Some(prompt) => Ok(print(context, prompt, persona.as_deref())),
                None => Ok(request(context, &what, persona.as_deref(), lang.as_deref()).await),
            }
        }
    }
}

fn list(context: &Context) -> Exit {
    let output = context.output;
    let (personas, complaints) = app::load_personas(&context.settings, &context.environment);
    let changed_by = |prompt: &Prompt| -> Vec<String> {
        let changing = personas
            .iter()
            .filter(|persona| persona.prompts.contains_key(prompt.name));
        changing.map(|persona| persona.name.clone()).collect()
    };
    for prompt in PROMPTS {
        let changed = match changed_by(prompt).join(", ") {
            none if none.is_empty() => none,
            personas => format!("  (changed for {personas})"),
        };
        output.pieces(&[
            (Style::Bold, prompt.name),
            (Style::Plain, &format!("  {}{changed}", prompt.about)),
        ]);
    }
    for complaint in &complaints {
        output.remark(format!("loquat: {complaint}"));
    }
    let listed: Vec<_> = PROMPTS
        .iter()
        .map(|prompt| {
            json!({"name": prompt.name, "about": prompt.about, "text": prompt.usual(), "changed_for": changed_by(prompt)})
        })
        .collect();
    output.value(&json!({"prompts": listed}));
    Exit::Ok
}

fn print(context: &Context, prompt: &Prompt, persona: Option<&str>) -> Exit {
    let output = context.output;
    let (personas, _) = app::load_personas(&context.settings, &context.environment);
    let Some(persona) = chosen(&personas, persona) else {
        output.remark(unknown(persona));
        return Exit::Failed;
    };
    let own = persona.prompts.get(prompt.name).map(String::as_str);
    let text = own.map_or(prompt.usual(), str::trim_end);
    output.line(text);
    output
        .value(&json!({"name": prompt.name, "about": prompt.about, "text": text, "changed": own.is_some()}));
    Exit::Ok
}

fn chosen<'p>(personas: &'p persona::Personas, name: Option<&str>) -> Option<&'p persona::Persona> {
    match name {
        Some(name) => personas.find(name),
        None => personas.default_persona(),
    }
}

fn unknown(name: Option<&str>) -> String {
    let name = name.map(|name| format!(" '{name}'")).unwrap_or_default();
    format!("loquat: there is no persona{name}; `loquat personas` lists them")
}

async fn request(context: &Context, question: &str, name: Option<&str>, lang: Option<&str>) -> Exit {
    let output = context.output;
    let roll = app::Roll::of(&context.settings, &context.environment);
    let (default, personas) = (roll.default_name(), roll.ready);
    let wanted = name.map(persona::slug).or(default.as_deref().map(persona::slug));
    let Some(persona) = personas
        .iter()
        .find(|ready| Some(persona::slug(&ready.name)) == wanted)
    else {
        output.remark(unknown(name));
        return Exit::Failed;
    };
    let device = app::device(&context.settings);
    let utterance = Utterance::aloud(question, lang.unwrap_or(&device.lang));
    let (sentences, _) = SpokenTools::load(settings::sentences(&context.settings), None);
    let Some((brain, request)) = sent_first(persona, &device, &sentences, &utterance).await else {
        output.remark("loquat: this persona asks no brain for that");
        return Exit::Failed;
    };
    show(context, &brain, &request);
    let elsewhere: Vec<&str> = persona
        .handlers
        .iter()
        .flat_map(|handler| &handler.remote)
        .map(|wanted| wanted.toolbox_id.as_str())
        .collect();
    if !elsewhere.is_empty() {
        output.remark(format!(
            "loquat: the tools of {} are not shown; they are asked for on the bus",
            elsewhere.join(", ")
        ));
    }
    output.value(&json!({"brain": brain, "request": *request}));
    Exit::Ok
}

fn show(context: &Context, brain: &str, request: &ChatRequest) {
    let output = context.output;
    output.line(format!("To {brain}:"));
    for message in &request.messages {
        let role = match message.role {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        };
        output.styled(Style::Bold, format!("--- {role}"));
        output.line(&message.content);
    }
    for tool in &request.tools {
        output.styled(Style::Bold, format!("--- tool {}", tool.name));
        output.line(&tool.description);
        output.line(tool.parameters.to_string());
    }
    if let Some(schema) = &request.response_schema {
        output.styled(Style::Bold, "--- the reply has to satisfy");
        output.line(schema.to_string());
    }
    if !request.stop.is_empty() {
        output.styled(Style::Bold, "--- the reply ends before");
        output.line(format!("{:?}", request.stop));
    }
}
