//! What a person at the terminal is shown of a turn: one line for each event. Prints nothing.

use loquat_agent::event::Event;

/// Long observations are shown with their first words only.
const SHOWN: usize = 160;

/// Writes what happened as one line; nothing where a person has no use for it.
pub fn shown(event: &Event) -> Option<String> {
    let line = match event {
        Event::BrainAsked { brain, .. } => format!("  asks     {brain}"),
        Event::Thought { text, .. } => format!("  thinks   {}", shortened(text)),
        Event::Planned { steps } => format!("  plans    {}", shortened(&steps.join("; "))),
        Event::ToolCalled { tool, arguments, .. } => {
            let arguments = serde_json::to_string(arguments).unwrap_or_default();
            format!("  calls    {tool} {}", shortened(&arguments))
        }
        Event::ToolPiece { text, .. } => format!("  tells    {}", shortened(text)),
        Event::ToolProgressed { text, .. } => format!("  works    {}", shortened(text)),
        Event::ToolAwaited { tool, phrase, .. } => {
            format!("  waits    {}", shortened(phrase.as_deref().unwrap_or(tool)))
        }
        Event::ToolReturned {
            observation,
            ok: true,
            ..
        } => format!("  gets     {}", shortened(observation)),
        Event::ToolReturned { observation, .. } => format!("  fails    {}", shortened(observation)),
        Event::BrainFailed { error, .. } => format!("  trouble  failed to {}", shortened(error)),
        Event::ReplyRejected { why, .. } => format!("  again    {}", shortened(why)),
        _ => return None,
    };
    Some(line)
}

fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
