//! What a server replies to a call, as the outcome of a tool. Bounds all of it and believes none of it.

use loquat_agent::toolbox::{Outcome, ToolError};
use rmcp::model::{CallToolResult, ContentBlock, CustomResult, ResourceContents, ServerResult};
use serde_json::{Map, Value};

use super::excerpt::shortened;
use super::listing::Listed;

/// Kept of the text of a result, in bytes.
const LONGEST_TEXT: usize = 64 << 10;

/// Kept of what is added to the words of a failure, in characters.
const LONGEST_FAILURE: usize = 4096;

/// In the place of what is shown to no brain.
const UNREADABLE: &str = "[something that is no text]";

/// The member of a result that is text.
const TEXT: &str = "text";

/// The member of a result that its server gives beside text, without having said what it looks like.
const STRUCTURED: &str = "structured";

/// What became of a call, as far as the answer can be read. One part that cannot costs that part.
pub(super) fn result(answer: ServerResult) -> Result<CallToolResult, ToolError> {
    match answer {
        ServerResult::CallToolResult(result) => Ok(result),
        ServerResult::EmptyResult(_) => Ok(CallToolResult::default()),
        ServerResult::CustomResult(CustomResult(Value::Object(members))) => Ok(odd(&members)),
        _ => Err(ToolError::reply(
            "ValueError",
            "the server answered with something else than a result",
        )),
    }
}

/// A result of which a part is not as the protocol has it.
fn odd(members: &Map<String, Value>) -> CallToolResult {
    let block = |block: &Value| {
        let read = serde_json::from_value(block.clone()).ok();
        let text = || block.as_str().or_else(|| block.get("text")?.as_str());
        read.unwrap_or_else(|| ContentBlock::text(text().unwrap_or(UNREADABLE)))
    };
    let content = match members.get("content") {
        Some(Value::Array(blocks)) => blocks.iter().map(block).collect(),
        None | Some(Value::Null) => Vec::new(),
        Some(one) => vec![block(one)],
    };
    let mut result = CallToolResult::default();
    result.content = content;
    result.structured_content = members.get("structuredContent").cloned();
    // What may have been an error is none that is passed off as a result.
    result.is_error = members
        .get("isError")
        .map(|is_error| !matches!(is_error, Value::Null | Value::Bool(false)));
    result
}

pub(super) fn outcome(listed: &Listed, result: CallToolResult) -> Result<Outcome, ToolError> {
    let text = text(&result.content);
    let structured = result
        .structured_content
        .filter(|structured| !structured.is_null());
    if result.is_error == Some(true) {
        return Err(ToolError::reply("ToolError", failure(text, structured.as_ref())));
    }
    if listed.has_output_schema {
        return promised(&text, structured);
    }
    unpromised(text, structured)
}

/// Why a call failed: in words, and what the server adds to them.
fn failure(text: String, structured: Option<&Value>) -> String {
    let added = structured.filter(|structured| !says(&text, structured));
    match added.map(|added| shortened(&added.to_string(), LONGEST_FAILURE)) {
        None if text.is_empty() => "it failed and says no more".to_owned(),
        None => text,
        Some(added) if text.is_empty() => added,
        Some(added) => format!("{text}\n{added}"),
    }
}

/// A result of which the server has said what it looks like. Whether it keeps to that is judged where all results are.
fn promised(text: &str, structured: Option<Value>) -> Result<Outcome, ToolError> {
    let said = || serde_json::from_str(text).ok();
    match structured.or_else(said) {
        Some(Value::Object(members)) => bounded(members),
        _ => Err(ToolError::reply(
            "OutputError",
            "the server promises a structured result and gave none",
        )),
    }
}

/// A result of which nothing was said: text, or members, or both where one does not say what the other does.
fn unpromised(text: String, structured: Option<Value>) -> Result<Outcome, ToolError> {
    let mut members = match structured {
        Some(Value::Object(members)) if text.is_empty() || says(&text, &Value::Object(members.clone())) => {
            return bounded(members);
        }
        Some(structured) => Map::from_iter([(STRUCTURED.to_owned(), structured)]),
        None => Map::new(),
    };
    if !text.is_empty() && size(&members) > LONGEST_TEXT {
        members.clear();
    }
    if !text.is_empty() || members.is_empty() {
        members.insert(TEXT.to_owned(), Value::String(text));
        return Ok(Outcome::from(members));
    }
    bounded(members)
}

/// Whether a text is the same in other letters.
fn says(text: &str, structured: &Value) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|said| said == *structured)
}

fn size(members: &Map<String, Value>) -> usize {
    serde_json::to_string(members).map_or(usize::MAX, |text| text.len())
}

fn bounded(members: Map<String, Value>) -> Result<Outcome, ToolError> {
    let size = size(&members);
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
            _ => UNREADABLE.to_owned(),
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::listing;
    use crate::rules::{ServerRules, Way};

    fn listed(output_schema: Option<&Value>) -> Listed {
        let rules = ServerRules {
            name: "home".to_owned(),
            way: Way::None(String::new()),
            tools: None,
            awaited: Vec::new(),
            is_trusted: false,
            believes_read_only: false,
            start: Duration::from_secs(1),
            call: Duration::from_secs(1),
        };
        let tool = json!({"name": "look", "inputSchema": {"type": "object"}, "outputSchema": output_schema});
        listing::read(&rules, &[tool], &BTreeMap::new()).tools.remove(0)
    }

    /// What comes of such an answer, as the protocol's types have it.
    fn came(answer: &Value, output_schema: Option<&Value>) -> Result<Value, String> {
        let answer: ServerResult = serde_json::from_value(answer.clone()).unwrap();
        let outcome = result(answer).and_then(|result| outcome(&listed(output_schema), result));
        outcome
            .map(|outcome| json!(outcome.result))
            .map_err(|error| error.to_string())
    }

    fn said(text: &str) -> Value {
        json!([{"type": "text", "text": text}])
    }

    #[test]
    fn what_is_structured_is_shown_though_nothing_was_said_of_it() {
        let weather = json!({"temperature": 21.5, "condition": "sunny"});
        let both = json!({"text": "Sunny.", "structured": weather});
        for (answer, shown) in [
            (json!({"structuredContent": weather}), weather.clone()),
            (
                json!({"content": [], "structuredContent": weather}),
                weather.clone(),
            ),
            (
                json!({"content": said(""), "structuredContent": weather}),
                weather.clone(),
            ),
            (
                json!({"content": said(&weather.to_string()), "structuredContent": weather}),
                weather.clone(),
            ),
            (
                json!({"content": said("Sunny."), "structuredContent": weather}),
                both.clone(),
            ),
            (
                json!({"content": said("Sunny."), "structuredContent": weather, "isError": false}),
                both,
            ),
            (
                json!({"content": [], "structuredContent": [1, 2]}),
                json!({"structured": [1, 2]}),
            ),
            (
                json!({"content": said("two"), "structuredContent": 2}),
                json!({"text": "two", "structured": 2}),
            ),
            (
                json!({"content": said("two"), "structuredContent": null}),
                json!({"text": "two"}),
            ),
            (
                json!({"content": said("two"), "structuredContent": {}}),
                json!({"text": "two", "structured": {}}),
            ),
            (json!({"content": []}), json!({"text": ""})),
            (json!({}), json!({"text": ""})),
        ] {
            assert_eq!(came(&answer, None), Ok(shown), "{answer}");
        }
    }

    #[test]
    fn a_failure_says_all_that_it_has() {
        let error = json!({"code": "NOT_FOUND", "message": "no such room"});
        for (answer, shown) in [
            (
                json!({"isError": true, "structuredContent": error}),
                error.to_string(),
            ),
            (
                json!({"isError": true, "content": said("No."), "structuredContent": error}),
                format!("No.\n{error}"),
            ),
            (
                json!({"isError": true, "content": said(&error.to_string()), "structuredContent": error}),
                error.to_string(),
            ),
            (json!({"isError": true, "content": said("No.")}), "No.".to_owned()),
            (
                json!({"isError": "yes", "content": said("No.")}),
                "No.".to_owned(),
            ),
            (json!({"isError": true}), "it failed and says no more".to_owned()),
        ] {
            let told = came(&answer, None).unwrap_err();
            assert!(told.ends_with(&shown), "{answer}: {told}");
        }
    }

    #[test]
    fn what_was_promised_may_also_come_as_text() {
        let promise = || Some(json!({"type": "object", "properties": {"number": {"type": "integer"}}}));
        for answer in [
            json!({"content": said("7"), "structuredContent": {"number": 7}}),
            json!({"structuredContent": {"number": 7}}),
            json!({"content": said("{\"number\": 7}")}),
            json!({"content": said("{\"number\": 7}"), "structuredContent": null}),
        ] {
            assert_eq!(
                came(&answer, promise().as_ref()),
                Ok(json!({"number": 7})),
                "{answer}"
            );
        }
        for answer in [
            json!({"content": said("7")}),
            json!({"structuredContent": [7]}),
            json!({}),
        ] {
            assert!(
                came(&answer, promise().as_ref())
                    .unwrap_err()
                    .contains("promises"),
                "{answer}"
            );
        }
    }

    #[test]
    fn one_odd_part_costs_that_part() {
        for (content, shown) in [
            (
                json!([{"type": "text", "text": "A."}, {"type": "chart", "data": 7}]),
                "A.\n[something that is no text]",
            ),
            (
                json!([{"type": "text", "text": 7}, {"type": "text", "text": "B."}]),
                "[something that is no text]\nB.",
            ),
            (json!(["A.", {"text": "B."}]), "A.\nB."),
            (json!("A."), "A."),
            (json!({"type": "text", "text": "A."}), "A."),
        ] {
            assert_eq!(
                came(&json!({"content": content}), None),
                Ok(json!({"text": shown})),
                "{content}"
            );
        }
        let beside = json!({"content": null, "structuredContent": {"a": 1}});
        assert_eq!(came(&beside, None), Ok(json!({"a": 1})));
    }

    #[test]
    fn what_is_too_large_is_not_shown() {
        let large = json!({"words": "x".repeat(LONGEST_TEXT)});
        assert!(
            came(&json!({"structuredContent": large}), None)
                .unwrap_err()
                .contains("ask for less")
        );
        let beside = json!({"content": said("Much."), "structuredContent": large});
        assert_eq!(came(&beside, None), Ok(json!({"text": "Much."})));
    }
}
