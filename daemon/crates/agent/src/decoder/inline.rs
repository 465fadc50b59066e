//! An answer's marker in the middle of a line: `… FINAL_ANSWER: Paris`.
//!
//! There a label is prose unless it begins a sentence or is plainly used, so this is strict.

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
}
