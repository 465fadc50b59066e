//! ReAct text on a single line: `Thought: … Action: add Action Input: {…}` and `… FINAL_ANSWER: Paris`.
//!
//! In the middle of a line a label is prose unless the whole reply has the protocol's shape, so these are strict.

use super::call::{Arguments, Call, Ending, Names};
use super::marker::is_used;

const ANSWERS: &[&str] = &["FINAL_ANSWER:", "FINAL ANSWER:", "Final Answer:"];

/// The answer behind the last marker, where that begins a new sentence or the text does not merely speak about it.
pub(crate) fn answer(text: &str) -> Option<&str> {
    let (start, marker) = ANSWERS
        .iter()
        .filter_map(|marker| text.rfind(marker).map(|at| (at, *marker)))
        .max_by_key(|(at, _)| *at)?;
    let ahead = text.get(..start)?;
    let before = ahead.trim_end().trim_end_matches(['*', '_', '`', '#']).trim_end();
    let begins_sentence =
        before.is_empty() || before.ends_with(['.', '!', '?', ';', ':', ')', '"', '”', '»', '。', ',']);
    let line = ahead.rsplit('\n').next().unwrap_or_default();
    let answer = text
        .get(start + marker.len()..)?
        .trim()
        .trim_start_matches("**")
        .trim();
    let counts = begins_sentence || is_used(line, marker);
    (counts && !answer.is_empty()).then_some(answer)
}

/// The call of a reply that begins with a thought and ends with `Action: <known tool> Action Input: <object>`.
pub(crate) fn call(text: &str, names: &Names) -> Option<Call> {
    let begins = text.get(.."thought".len())?.eq_ignore_ascii_case("thought");
    let (before, input) = text.rsplit_once("Action Input:").filter(|_| begins)?;
    let (_, tool) = before.rsplit_once("Action:")?;
    let tool = names.resolve(tool.trim().trim_matches(['`', '"', '\'', '*', ',', '.', ' ']))?;
    let input = super::fence::unwrap(input);
    let ends = super::json::parse_whole(input).is_ok_and(|parsed| parsed.value.is_object());
    ends.then(|| Call {
        id: None,
        tool: tool.to_owned(),
        arguments: Arguments::from_text(input, Ending::Strict),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_in_the_line_begins_a_sentence() {
        assert_eq!(
            answer("Thought: I know enough. FINAL_ANSWER: Paris"),
            Some("Paris")
        );
        assert_eq!(
            answer("Thought: I cannot give a FINAL_ANSWER: before I add."),
            None
        );
        assert_eq!(answer("Thought: I know it FINAL_ANSWER: Paris"), Some("Paris"));
        assert_eq!(answer("Die Straße ist groß. FINAL_ANSWER: 42"), Some("42"));
        assert_eq!(answer("Paris"), None);
    }

    #[test]
    fn a_call_in_the_line_needs_the_whole_shape() {
        let names = Names::new(["add".to_owned()]);
        let read = |text: &str| call(text, &names).map(|call| call.tool);
        assert_eq!(
            read("Thought: sum. Action: add Action Input: {\"a\": 2}"),
            Some("add".to_owned())
        );
        assert_eq!(read("I could do Action: add Action Input: {\"a\": 2}"), None);
        assert_eq!(
            read("Thought: never use Action: add Action Input: {\"a\": 2} for this."),
            None
        );
        assert_eq!(read("Thought: x Action: sub Action Input: {\"a\": 2}"), None);
    }
}
