//! `loquat personas`: who could answer, and what is wrong with the others.

use serde_json::json;

use super::{Context, Exit, Style};
use crate::app;

/// `loquat personas`.
pub(super) fn run(context: &Context) -> Exit {
    let (personas, complaints) = app::load_personas(&context.settings, &context.environment);
    let output = context.output;
    let default = personas.default_persona().map(|persona| persona.id.clone());
    for persona in &personas {
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
        if let Some(description) = &persona.description {
            output.line(format!("    {description}"));
        }
        if !toolboxes.is_empty() {
            output.line(format!("    tools: {}", toolboxes.join(", ")));
        }
    }
    for complaint in &complaints {
        output.remark(format!("loquat: {complaint}"));
    }
    let listed: Vec<_> = personas
        .iter()
        .map(|persona| {
            json!({"id": persona.id, "name": persona.name, "description": persona.description,
                   "default": default.as_deref() == Some(&persona.id), "origin": persona.origin.to_string()})
        })
        .collect();
    let complaints: Vec<String> = complaints.iter().map(ToString::to_string).collect();
    output.value(&json!({"personas": listed, "complaints": complaints}));
    if personas.is_empty() {
        Exit::Failed
    } else {
        Exit::Ok
    }
}
