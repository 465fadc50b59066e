//! What was said, said again in a sentence that the device understands by itself: a question to a small brain that is answered with
//! one sentence, or with a word for talk.
//!
//! A small model that is shown the tools of a whole device calls one of them for nearly everything, and fills it with made-up
//! arguments. It is better at plain words: behind worked pairs it turns "we're nearly out of coffee" into a sentence of the grammar, and
//! tells talk apart from wishes. The grammar then knows the call, or that there is none. Nothing here asks a brain, and nothing here
//! understands the sentence.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use super::prompts;
use crate::brain::{ChatMessage, ChatReply, ChatRequest, Finish, Sampling, ToolChoice};
use crate::question::Restating;

/// The reply for what asks for nothing, in every language.
const TALK: &str = "talk";

/// Begins the answer to a wish that is not understood.
const DECLINED: &str = "I'm sorry, I did not understand that.";

/// A sentence of a device has fewer tokens.
const MOST_TOKENS: u32 = 60;

/// A word that stands in so many fields says little of what was meant.
const COMMON: usize = 3;

/// The languages that have worked pairs. Small models are too poor at others to be asked.
static LANGUAGES: LazyLock<BTreeMap<&'static str, Worked>> = LazyLock::new(|| {
    let files = [("en", include_str!("restated/en.txt"))];
    files.map(|(lang, text)| (lang, Worked::read(text))).into()
});

/// What a brain is shown of a language.
struct Worked {
    /// The sentences of the device, one line for each of its fields.
    sentences: String,
    /// What was said, and what is replied to it.
    pairs: Vec<Arc<ChatMessage>>,
    /// The words of the sentences outside of their gaps, and those that replies have and what they reply to has not.
    words: BTreeSet<String>,
    /// Those of them that stand in several fields, and say little of what was meant: "what", "turn".
    common: BTreeSet<String>,
}

impl Worked {
    /// Reads a file: lines of sentences, and pairs as `said => sentence` or `sentence before || said => sentence`. Gaps stand in round
    /// brackets; a line that begins with `#` is a remark.
    fn read(text: &str) -> Self {
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !(line.is_empty() || line.starts_with('#')));
        let (pairs, sentences): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.contains(" => "));
        let pairs = pairs.into_iter().filter_map(|line| line.split_once(" => "));
        let mut known: BTreeSet<String> = sentences
            .iter()
            .flat_map(|line| words(&without_gaps(line)))
            .collect();
        let common = known.iter().filter(|word| in_fields(word, &sentences) >= COMMON);
        let common = common.cloned().collect();
        let mut shown = Vec::new();
        for (said, sentence) in pairs {
            let heard: BTreeSet<String> = words(said).into_iter().collect();
            known.extend(words(sentence).into_iter().filter(|word| !heard.contains(word)));
            let (before, said) = match said.split_once(" || ") {
                Some((before, said)) => (Some(before), said),
                None => (None, said),
            };
            shown.push(Arc::new(ChatMessage::user(asked(said, before))));
            shown.push(Arc::new(ChatMessage::assistant(sentence)));
        }
        Self {
            sentences: sentences.join("\n"),
            pairs: shown,
            words: known,
            common,
        }
    }

    fn of(lang: &str) -> Option<&'static Self> {
        let primary = lang.split(['-', '_']).next().unwrap_or_default().to_lowercase();
        LANGUAGES.get(primary.as_str())
    }
}

/// What a brain makes of what was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Restated {
    /// Nothing is wanted of the device.
    Talk,
    /// A sentence for the device.
    Sentence(String),
    /// The reply is neither.
    Unclear,
}

/// Asks for what was said as a sentence of the device; nothing in a language without worked pairs.
pub fn request(
    utterance: &str,
    restating: &Restating,
    changed_prompts: &BTreeMap<String, String>,
) -> Option<ChatRequest> {
    let worked = Worked::of(&restating.lang)?;
    let instructions = format!(
        "{}\n\n{}",
        prompts::RESTATED.among(changed_prompts),
        worked.sentences
    );
    let mut messages = vec![Arc::new(ChatMessage::system(instructions))];
    messages.extend(worked.pairs.iter().cloned());
    let said = asked(utterance, restating.before.as_deref());
    messages.push(Arc::new(ChatMessage::user(said)));
    Some(ChatRequest {
        messages,
        tool_choice: ToolChoice::None,
        stop: vec!["\n".to_owned()],
        sampling: Sampling {
            temperature: Some(0.0),
            max_tokens: Some(MOST_TOKENS),
            ..Sampling::default()
        },
        ..ChatRequest::default()
    })
}

/// Reads what the brain has made of it.
pub fn read(reply: &ChatReply) -> Restated {
    let line = reply.content.trim().lines().next().unwrap_or_default();
    let line = line.trim_matches(|letter: char| letter.is_whitespace() || "\"'.!".contains(letter));
    if line.eq_ignore_ascii_case(TALK) {
        Restated::Talk
    } else if line.is_empty() || reply.finish == Finish::Length {
        Restated::Unclear
    } else {
        Restated::Sentence(line.to_owned())
    }
}

/// The answer to a wish that the device does not understand, perhaps with a sentence that it does.
pub fn declined(nearest: Option<&str>) -> String {
    let example = nearest.map(|nearest| format!(" You can say, for example, “{nearest}”."));
    format!("{DECLINED}{}", example.unwrap_or_default())
}

/// Tells whether an answer is such a one.
pub fn is_declined(answer: &str) -> bool {
    answer.starts_with(DECLINED)
}

/// The words that sentences of the device consist of in a language, in small letters, without what is filled in.
pub fn own_words(lang: &str) -> Option<&'static BTreeSet<String>> {
    Some(&Worked::of(lang)?.words)
}

/// Those of them that stand in sentences of several fields.
pub fn common_words(lang: &str) -> Option<&'static BTreeSet<String>> {
    Some(&Worked::of(lang)?.common)
}

/// Tells whether a sentence has a word that only sentences of the device have: "thank you" has none.
pub fn is_of_device(sentence: &str, lang: &str) -> bool {
    let tells = |worked: &Worked, word: &String| worked.words.contains(word) && !worked.common.contains(word);
    Worked::of(lang).is_some_and(|worked| words(sentence).iter().any(|word| tells(worked, word)))
}

/// In how many lines a word stands.
fn in_fields(word: &str, lines: &[&str]) -> usize {
    let has_word = |line: &&&str| words(&without_gaps(line)).iter().any(|own| own == word);
    lines.iter().filter(has_word).count()
}

/// The sentences of a language that have no gaps and the replies of its pairs, for tests of what understands them.
pub fn sentences(lang: &str) -> Vec<String> {
    let Some(worked) = Worked::of(lang) else {
        return Vec::new();
    };
    let listed = worked.sentences.lines().flat_map(|line| line.split(';'));
    let whole = listed.map(str::trim).filter(|sentence| !sentence.contains('('));
    let replies = worked.pairs.iter().skip(1).step_by(2);
    let replies = replies.map(|reply| reply.content.as_str());
    let all = whole.chain(replies.filter(|reply| *reply != TALK));
    all.map(str::to_owned).collect()
}

fn asked(said: &str, before: Option<&str>) -> String {
    match before {
        Some(before) => format!("[{before}] {said}"),
        None => said.to_owned(),
    }
}

fn without_gaps(line: &str) -> String {
    let mut parts = line.split('(');
    let head = parts.next().unwrap_or_default();
    let behind = parts.map(|part| part.split_once(')').map_or("", |(_, rest)| rest));
    std::iter::once(head).chain(behind).collect()
}

/// The words of a text in small letters. What is joined by an apostrophe is two words.
pub fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_talk_or_a_sentence() {
        for (content, expected) in [
            ("talk", Restated::Talk),
            (" Talk.", Restated::Talk),
            ("", Restated::Unclear),
            (
                "\"cancel the timer\"",
                Restated::Sentence("cancel the timer".to_owned()),
            ),
            ("next song\nNow: what", Restated::Sentence("next song".to_owned())),
        ] {
            assert_eq!(read(&ChatReply::of_words(content)), expected, "{content:?}");
        }
        let cut_off = ChatReply {
            finish: Finish::Length,
            ..ChatReply::of_words("remind me to")
        };
        assert_eq!(read(&cut_off), Restated::Unclear);
    }

    #[test]
    fn what_was_said_comes_last_behind_the_sentence_before() {
        let restating = |before: Option<&str>| Restating {
            lang: "en-US".to_owned(),
            before: before.map(str::to_owned),
        };
        let last = |restating: &Restating| {
            let request = request("and in Oslo", restating, &BTreeMap::new()).unwrap();
            request.messages.last().unwrap().content.clone()
        };
        assert_eq!(last(&restating(None)), "and in Oslo");
        assert_eq!(
            last(&restating(Some("what is the weather"))),
            "[what is the weather] and in Oslo"
        );
    }

    #[test]
    fn what_fills_a_gap_is_no_word_of_the_device() {
        let worked = Worked::read(
            "# lists\nadd (thing) to the list; what is on it\nno salt, 3 min => add salt for 3 minutes",
        );
        assert_eq!(worked.sentences, "add (thing) to the list; what is on it");
        let is_own = |word: &str| worked.words.contains(word);
        assert!(["list", "minutes"].into_iter().all(is_own));
        assert!(!["thing", "salt", "3"].into_iter().any(is_own));
        assert_eq!(worked.pairs.len(), 2);
    }

    #[test]
    fn what_has_no_word_of_the_device_is_no_sentence_of_it() {
        assert!(is_of_device("play me a song", "en") && is_of_device("wake the neighbours", "en"));
        assert!(!is_of_device("thank you", "en") && !is_of_device("thanks", "en"));
    }

    #[test]
    fn common_words_stand_in_several_fields() {
        let common = common_words("en-GB").unwrap();
        assert!(
            ["what", "turn", "the", "set"]
                .iter()
                .all(|word| common.contains(*word))
        );
        assert!(
            ["timer", "alarm", "music", "wifi"]
                .iter()
                .all(|word| !common.contains(*word))
        );
    }
}
