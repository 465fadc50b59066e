//! The answer that small models put below their thought without any marker.
//!
//! A thought is one line or one paragraph. What follows it is an answer only if it reads like one: reasoning that goes on
//! must not be said, and asking once more costs little.

/// What follows the only thought of a reply that holds nothing else.
pub(super) fn answer(thought: &str) -> Option<&str> {
    let (_, rest) = match thought.split_once("\n\n") {
        Some(parts) => parts,
        None => thought
            .split_once('\n')
            .filter(|(_, rest)| !rest.contains('\n'))?,
    };
    let rest = rest.trim();
    (!rest.contains("\n\n") && is_sentence(rest) && !reasons(rest)).then_some(rest)
}

fn is_sentence(text: &str) -> bool {
    text.ends_with(['.', '!', '?', '。', '…']) && text.split_whitespace().nth(1).is_some()
}

/// Words with which reasoning goes on.
const GOES_ON: &[&str] = &[
    "then",
    "so",
    "but",
    "and",
    "next",
    "now",
    "maybe",
    "perhaps",
    "first",
    "also",
    "because",
    "since",
    "we",
    "user",
    "the user",
    "therefore",
    "however",
    "wait",
    "hmm",
    "okay",
    "alternatively",
];

/// Words of a brain that has not answered yet.
const INTENDS: &[&str] = &[
    "i need",
    "i should",
    "i will",
    "i'll",
    "i must",
    "i have to",
    "i can use",
    "i could",
    "i would",
    "i want",
    "let me",
    "let's",
    "tool",
    "action",
    "observation",
    "look up",
    "look it up",
    "search",
    "final answer",
];

/// Whether a text goes on thinking.
fn reasons(text: &str) -> bool {
    let lower = text.to_lowercase();
    let begins = |word: &str| {
        let after = lower.strip_prefix(word);
        after.is_some_and(|after| !after.starts_with(char::is_alphanumeric))
    };
    GOES_ON.iter().any(|word| begins(word)) || INTENDS.iter().any(|words| lower.contains(words))
}

#[cfg(test)]
mod tests {
    use super::answer;

    #[test]
    fn what_reads_like_an_answer_is_one() {
        for (thought, expected) in [
            ("easy\nThe capital is Paris.", "The capital is Paris."),
            (
                "The user greets me.\n\nHello! How can I help?",
                "Hello! How can I help?",
            ),
            ("One line.\n\nTwo lines\nof answer.", "Two lines\nof answer."),
        ] {
            assert_eq!(answer(thought), Some(expected), "for {thought:?}");
        }
    }

    #[test]
    fn reasoning_is_not_said() {
        for thought in [
            "I should look it up.",
            "I need the capital.\nThen the population.",
            "Lyon is no capital.\nI should look it up.",
            "The sum is wanted.\nThe add tool can do this.",
            "One.\nTwo is more.\nThree is most.",
            "One.\n\nTwo is more.\n\nThree is most.",
            "One.\n\nSo two it is.",
            "One.\nparis",
        ] {
            assert_eq!(answer(thought), None, "for {thought:?}");
        }
    }
}
