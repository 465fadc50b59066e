//! What a server replies to a call, as the outcome of a tool. Bounds all of it and believes none of it.

use loquat_agent::toolbox::{Outcome, ToolError};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::{Map, Value};

use super::listing::Listed;

/// Kept of the text of a result, in bytes.
const LONGEST_TEXT: usize = 64 << 10;

/// The member of a result that is only text.
pub(super) const TEXT: &str = "text";

/// The outcome of a call of this tool.
pub(super) fn outcome(listed: &Listed, result: CallToolResult) -> Result<Outcome, ToolError> {
    let text = text(&result.content);
    if result.is_error == Some(true) {
        let text = if text.is_empty() {
            "it failed and says no more".to_owned()
        } else {
            text
        };
        return Err(ToolError::reply("ToolError", text));
    }
    match result.structured_content {
        // Whether it keeps to the schema is judged where all results are.
        Some(Value::Object(members)) if listed.has_output_schema => bounded(members),
        _ if listed.has_output_schema => Err(ToolError::reply(
            "OutputError",
            "the server promises a structured result and gave none",
        )),
        _ => Ok(Outcome::from(Map::from_iter([(
            TEXT.to_owned(),
            Value::String(text),
        )]))),
    }
}

fn bounded(members: Map<String, Value>) -> Result<Outcome, ToolError> {
    let size = serde_json::to_string(&members).map_or(usize::MAX, |text| text.len());
    if size > LONGEST_TEXT {
        let message = format!("the result has {size} bytes, and {LONGEST_TEXT} are taken; ask for less");
        return Err(ToolError::reply("OverflowError", message));
    }
    Ok(Outcome::from(members))
}

/// The texts of a result, and a word on what is no text.
fn text(content: &[ContentBlock]) -> String {
    let mut whole = String::new();
    for block in content {
        let part = match block {
            ContentBlock::Text(text) => text.text.clone(),
            ContentBlock::Image(image) => format!("[a picture, {}]", image.mime_type),
            ContentBlock::Audio(audio) => format!("[sound, {}]", audio.mime_type),
            ContentBlock::Resource(resource) => match &resource.resource {
                ResourceContents::TextResourceContents { text, .. } => text.clone(),
                _ => "[a file that is no text]".to_owned(),
            },
            ContentBlock::ResourceLink(link) => format!("[{}]", link.uri),
            _ => "[something that is no text]".to_owned(),
        };
        if !whole.is_empty() {
            whole.push('\n');
        }
        let room = LONGEST_TEXT.saturating_sub(whole.len());
        let end = (0..=room.min(part.len()))
            .rev()
            .find(|end| part.is_char_boundary(*end));
        whole.push_str(part.get(..end.unwrap_or(0)).unwrap_or_default());
        if whole.len() >= LONGEST_TEXT.saturating_sub(3) {
            break;
        }
    }
    loquat_agent::printable::printable(&whole).into_owned()
}
