//! `loquat personas`: who could answer, and what is wrong with the others.

use serde_json::json;

use super::{Context, Exit, Style};
use crate::app::Roll;

/// Carries out `loquat personas`.
pub(super) fn run(context: &Context) -> Exit {
    let roll = Roll::of(&context.settings, &context.environment);
    let output = context.output;
    let default = roll.default_persona().map(|persona| persona.id.clone());
    output.line("Personas; the one marked with * answers where none is named.");
    for persona in &roll.personas {
        let mark = if default.as_deref() == Some(&persona.id) {
            "*"
        } else {
            " "
        };
        let engines: Vec<&str> = persona
            .handlers
            .iter()
            .map(|handler| handler.engine_id.as_str())
            .collect();
        let toolboxes: Vec<&str> = persona
            .handlers
            .iter()
            .flat_map(|handler| &handler.toolboxes)
            .map(|toolbox| toolbox.id.as_str())
            .collect();
        let whence = format!("  ({}; {})", engines.join(", "), persona.origin);
        output.pieces(&[
            (Style::Plain, &format!("{mark} ")),
            (Style::Bold, &persona.name),
            (Style::Plain, &whence),
        ]);
        if let Some(why) = roll.why_not(persona) {
            output.line(format!("    not ready: {why}"));
        }
        if let Some(description) = &persona.description {
            output.line(format!("    {description}"));
        }
        if !toolboxes.is_empty() {
            output.line(format!("    tools: {}", toolboxes.join(", ")));
        }
    }
    for complaint in roll.complaints.iter().chain(&roll.skills) {
        output.remark(format!("loquat: {complaint}"));
    }
    let listed: Vec<_> = roll
        .personas
        .iter()
        .map(|persona| {
            json!({"id": persona.id, "name": persona.name, "description": persona.description,
                   "default": default.as_deref() == Some(&persona.id), "origin": persona.origin.to_string(),
                   "ready": roll.why_not(persona).is_none(), "why_not": roll.why_not(persona)})
        })
        .collect();
    let complaints: Vec<String> = roll
        .complaints
        .iter()
        .chain(&roll.skills)
        .map(ToString::to_string)
        .collect();
    output.value(&json!({"personas": listed, "complaints": complaints}));
    if roll.ready.is_empty() {
        Exit::Failed
    } else {
        Exit::Ok
    }
}
