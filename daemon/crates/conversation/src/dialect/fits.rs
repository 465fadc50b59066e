//! Whether a tool does what was said: a question to a small brain that is answered with one word.
//!
//! A small model calls a tool of a stranger for nearly everything that is said while it is shown one. Asked about the one tool, behind
//! worked pairs, it tells more often than not whether the two have to do with each other; `WEIGHT_OF_NO` says how sure it has to be.
//! Nothing here asks a brain.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use super::prompts;
use crate::brain::{ChatMessage, ChatReply, ChatRequest, Favour, Sampling, ToolChoice};

/// The two answers.
const YES: &str = "yes";
const NO: &str = "no";

/// A word has no more tokens.
const MOST_TOKENS: u32 = 2;

/// It is added to the logarithm of how likely the model finds a no. Since it is negative, the model has to be surer of a no than of a
/// yes: a call that was wanted and is not made is worse than one too many. Of every second request in
/// `tests/benchmarks/development/strangers.json` models of half a billion and of one and a half billion parameters let by it all calls
/// be made that are wanted, and 12 and 6 of 40 that are not.
const WEIGHT_OF_NO: f32 = -1.0;

/// Worked pairs of a tool and what was said, as many of the one kind as of the other. Those that do not fit are of another matter, or of
/// the same and want another deed.
const WORKED: [(&str, &str, &str); 18] = [
    (
        "clock_alarm(time, label): Set an alarm for a time of day.",
        "Wake me at half past six.",
        YES,
    ),
    (
        "poem_search(topic): Find poems about a topic.",
        "How many strings does a cello have?",
        NO,
    ),
    (
        "sphere_surface(radius): Calculate the surface of a sphere.",
        "What is the surface of a ball with radius 3?",
        YES,
    ),
    (
        "sphere_surface(radius): Calculate the surface of a sphere.",
        "What is the volume of a ball with radius 3?",
        NO,
    ),
    (
        "garage_door.open(): Open the garage door.",
        "Good evening, nice to see you.",
        NO,
    ),
    (
        "news.headlines(topic, country): Get the latest headlines on a topic.",
        "What's new in politics in Japan?",
        YES,
    ),
    (
        "bicycle_rental(city, days): Rent a bicycle in a city.",
        "I need a bike in Utrecht for two days.",
        YES,
    ),
    (
        "bicycle_rental(city, days): Rent a bicycle in a city.",
        "Who invented the bicycle?",
        NO,
    ),
    (
        "moon_phase(date): Get the phase of the moon on a date.",
        "Will the moon be full on Saturday?",
        YES,
    ),
    (
        "moon_phase(date): Get the phase of the moon on a date.",
        "How old is the king of Sweden?",
        NO,
    ),
    (
        "library.search(author, title): Search the catalogue of the library.",
        "Do they have anything by Agatha Christie?",
        YES,
    ),
    (
        "library.search(author, title): Search the catalogue of the library.",
        "Give the book back that I borrowed.",
        NO,
    ),
    (
        "triangle_sides(a, b): Compute the hypotenuse of a right triangle.",
        "What is the population density of Peru?",
        NO,
    ),
    (
        "job_board.find(profession, city): Search open positions.",
        "Are there any jobs for welders in Gdansk?",
        YES,
    ),
    (
        "contacts.add(name, phone): Add a person to the contacts.",
        "What's Maria's phone number?",
        NO,
    ),
    (
        "contacts.add(name, phone): Add a person to the contacts.",
        "Save Tom's number, 555 0199.",
        YES,
    ),
    (
        "dice_roll(sides, count): Roll dice.",
        "My knee hurts when I climb stairs.",
        NO,
    ),
    (
        "volcano.status(name): Tell whether a volcano is active.",
        "Is Etna erupting?",
        YES,
    ),
];

static EXAMPLES: LazyLock<Vec<Arc<ChatMessage>>> = LazyLock::new(|| {
    let turns = WORKED.iter().flat_map(|(tool, said, answer)| {
        [
            ChatMessage::user(pair(tool, said)),
            ChatMessage::assistant(*answer),
        ]
    });
    turns.map(Arc::new).collect()
});

/// Asks whether the tool of this line does what was said.
pub fn request(tool: &str, said: &str, changed_prompts: &BTreeMap<String, String>) -> ChatRequest {
    let instructions = ChatMessage::system(prompts::FITS.among(changed_prompts));
    let mut messages = vec![Arc::new(instructions)];
    messages.extend(EXAMPLES.iter().cloned());
    messages.push(Arc::new(ChatMessage::user(pair(tool, said))));
    ChatRequest {
        messages,
        tool_choice: ToolChoice::None,
        favour: Some(Favour {
            word: NO.to_owned(),
            by: WEIGHT_OF_NO,
        }),
        sampling: Sampling {
            temperature: Some(0.0),
            max_tokens: Some(MOST_TOKENS),
            ..Sampling::default()
        },
        ..ChatRequest::default()
    }
}

fn pair(tool: &str, said: &str) -> String {
    format!("Tool: {tool}\nPerson: {said}")
}

/// Reads the answer. What is no clear no lets the call be made.
pub fn is_refused(reply: &ChatReply) -> bool {
    let word = reply
        .content
        .trim()
        .trim_matches(|letter: char| !letter.is_alphanumeric());
    word.eq_ignore_ascii_case(NO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_no_refuses() {
        for (content, expected) in [
            ("no", true),
            (" No.", true),
            ("yes", false),
            ("not sure", false),
            ("", false),
        ] {
            assert_eq!(is_refused(&ChatReply::of_words(content)), expected, "{content:?}");
        }
    }

    #[test]
    fn worked_pairs_are_of_both_kinds_and_the_pair_in_question_comes_last() {
        let fitting = WORKED.iter().filter(|(_, _, answer)| *answer == YES).count();
        assert_eq!(fitting * 2, WORKED.len());
        let request = request("tea(): Make tea.", "I'm thirsty.", &BTreeMap::new());
        let last = request.messages.last().map(|message| message.content.as_str());
        assert_eq!(last, Some("Tool: tea(): Make tea.\nPerson: I'm thirsty."));
        assert_eq!(request.messages.len(), 2 * WORKED.len() + 2);
    }
}
