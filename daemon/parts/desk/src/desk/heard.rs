//! What is left of an answer of which a person has heard the beginning only. Compares words; knows no session.

/// What stands where the rest was not heard.
const CUT: &str = "…";

/// The answer up to what was heard of the text that was spoken of it, and `None` where that text is no part of it. What is
/// spoken and what is remembered may differ in marks.
pub(super) fn heard_of(answer: &str, said: &str, heard: &str) -> Option<String> {
    let (answered, said) = (placed_words(answer), placed_words(said));
    if said.is_empty() {
        return None;
    }
    let is_it = |part: &[(String, usize)]| part.iter().zip(&said).all(|((one, _), (other, _))| one == other);
    // What was said last is at the end.
    let begins = answered.windows(said.len()).rposition(is_it)?;
    let count = placed_words(heard).len();
    if count >= said.len() {
        return None;
    }
    let end = match (begins + count).checked_sub(1) {
        Some(last) => answered.get(last)?.1,
        None => 0,
    };
    answer.get(..end).map(cut_behind)
}

/// What was heard of an answer, as it is remembered where the rest was not.
pub(super) fn cut_behind(heard: &str) -> String {
    format!("{}{CUT}", heard.trim_end().trim_end_matches('.'))
}

/// The words of a text without marks and case, each with the place behind it. What has no letter is no word.
fn placed_words(text: &str) -> Vec<(String, usize)> {
    let mut words = Vec::new();
    let mut place = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        place += piece.len();
        let plain: String = piece.chars().filter(|sign| sign.is_alphanumeric()).collect();
        if !plain.is_empty() {
            let space = piece.len() - piece.trim_end().len();
            words.push((plain.to_lowercase(), place - space));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_ends_where_it_was_no_longer_heard() {
        let answer = "It rains in Paris. Tomorrow the sun shines, all day.";
        let left = |heard: &str| heard_of(answer, answer, heard).unwrap();
        assert_eq!(left("It rains in"), "It rains in…");
        assert_eq!(left("It rains in Paris."), "It rains in Paris…");
        assert_eq!(
            left("It rains in Paris. Tomorrow the sun shines,"),
            "It rains in Paris. Tomorrow the sun shines,…"
        );
        assert_eq!(left(""), "…");
    }

    #[test]
    fn what_is_spoken_may_be_a_part_of_it_with_other_marks() {
        let answer = "First: one. **Second** - two and three.";
        assert_eq!(
            heard_of(answer, "Second two and three.", "Second two").as_deref(),
            Some("First: one. **Second** - two…")
        );
    }

    #[test]
    fn what_is_no_part_of_it_or_was_heard_to_the_end_cuts_nothing() {
        assert_eq!(heard_of("It rains.", "One moment, please.", "One"), None);
        assert_eq!(heard_of("It rains.", "It rains.", "It rains."), None);
        assert_eq!(heard_of("It rains.", "", ""), None);
        assert_eq!(heard_of("", "It rains.", "It"), None);
    }
}
