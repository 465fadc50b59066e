//! Whether what was said is talk, or wants a tool: a question to a small brain that is answered with one word.
//!
//! A small model that is shown the tools of a whole device calls one of them for nearly everything. Asked for the kind alone, behind
//! worked sentences, it tells the two apart; an instruction without them it does not follow. Nothing here asks a brain.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use super::prompts;
use crate::brain::{ChatMessage, ChatReply, ChatRequest, Sampling, ToolChoice};

/// The words of the two kinds.
const TOOL: &str = "tool";
const TALK: &str = "talk";

/// A word has no more tokens.
const MOST_TOKENS: u32 = 4;

/// Worked sentences of both kinds, about as many of each, in no order. Both have questions and statements, so that neither the one nor the
/// other says what is meant.
const WORKED: [(&str, &str); 38] = [
    ("set a timer for ten minutes", TOOL),
    ("why do dogs bark", TALK),
    ("hi, nice to meet you", TALK),
    ("is it warmer tomorrow", TOOL),
    ("put eggs on my list", TOOL),
    ("how does a radio work", TALK),
    ("what did I put on the list", TOOL),
    ("I am so tired of all this", TALK),
    ("it's dark in here", TOOL),
    ("tell me a funny story", TALK),
    ("how many pints are in a gallon", TOOL),
    ("what can one do with old bread", TALK),
    ("who are you really", TALK),
    ("next song please", TOOL),
    ("what time is it in Paris", TOOL),
    ("why is the ocean salty", TALK),
    ("I prefer tea to coffee", TALK),
    ("don't let me forget the bins on Thursday", TOOL),
    ("what makes a good friend", TALK),
    ("keep in mind that my bike lock is 4471", TOOL),
    ("how was the pyramid built", TALK),
    ("what was the number of my bike lock", TOOL),
    ("wow, you are clever", TALK),
    ("split sixty between four people", TOOL),
    ("what is a good name for a dog", TALK),
    ("it's far too noisy", TOOL),
    ("tell me about the moon landing", TALK),
    ("did I lock the door", TOOL),
    ("can you dance", TALK),
    ("how long until the alarm", TOOL),
    ("explain what an atom is", TALK),
    ("I'd like to wake up earlier tomorrow", TOOL),
    ("my neighbours are really nice people", TALK),
    ("turn it down a little", TOOL),
    ("how do magnets work", TALK),
    ("what a lovely morning", TALK),
    ("did it rain last night", TOOL),
    ("which book should I read next", TALK),
];

static EXAMPLES: LazyLock<Vec<Arc<ChatMessage>>> = LazyLock::new(|| {
    let turns = WORKED
        .iter()
        .flat_map(|(said, kind)| [ChatMessage::user(*said), ChatMessage::assistant(*kind)]);
    turns.map(Arc::new).collect()
});

/// Asks for the kind of what was said. `done_before` is the sentence before, where a tool did what it wanted: what follows may go on
/// with it.
pub fn request(
    utterance: &str,
    done_before: Option<&str>,
    changed_prompts: &BTreeMap<String, String>,
) -> ChatRequest {
    let instructions = ChatMessage::system(prompts::TALK.among(changed_prompts));
    let before = done_before
        .into_iter()
        .flat_map(|said| [ChatMessage::user(said), ChatMessage::assistant(TOOL)]);
    let mut messages = vec![Arc::new(instructions)];
    messages.extend(EXAMPLES.iter().cloned());
    messages.extend(before.chain([ChatMessage::user(utterance)]).map(Arc::new));
    ChatRequest {
        messages,
        tool_choice: ToolChoice::None,
        sampling: Sampling {
            temperature: Some(0.0),
            max_tokens: Some(MOST_TOKENS),
            ..Sampling::default()
        },
        ..ChatRequest::default()
    }
}

/// Reads the kind. What is no clear word for talk may want a tool.
pub fn is_talk(reply: &ChatReply) -> bool {
    let word = reply
        .content
        .trim()
        .trim_matches(|letter: char| !letter.is_alphanumeric());
    word.eq_ignore_ascii_case(TALK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_word_is_talk() {
        for (content, expected) in [
            ("talk", true),
            (" Talk.", true),
            ("tool", false),
            ("talk or tool", false),
            ("", false),
        ] {
            assert_eq!(is_talk(&ChatReply::of_words(content)), expected, "{content:?}");
        }
    }

    #[test]
    fn what_was_said_comes_last_and_what_was_done_before_it() {
        let request = request("and in London?", Some("what is the weather"), &BTreeMap::new());
        let [.., before, kind, said] = request.messages.as_slice() else {
            panic!("too few messages");
        };
        let contents = [before, kind, said].map(|message| message.content.as_str());
        assert_eq!(contents, ["what is the weather", TOOL, "and in London?"]);
    }
}
