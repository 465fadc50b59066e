//! Conversations of three to eight sentences in free words, said to a device with all skills and without a model. They are for
//! development: what came of each stands beside what a person would want, for a reader to judge.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::turn::{HANDLED, Turn, Utterance};
use loquat_tests::wait::PATIENCE;
use serde::Deserialize;
use serde_json::{Value, json};

use super::room::Room;

/// A question that waits for a yes keeps its turn open for longer than this; any other ends it at once.
const ASKED: Duration = Duration::from_millis(700);

/// Several things are asked about one by one, and so many at most.
const MOST_ASKED: usize = 4;

/// Sentences that belong together. Each conversation is held with a new device.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conversation {
    /// A BCP-47 tag.
    pub lang: String,
    /// What it is about.
    pub name: String,
    /// In their order.
    pub turn: Vec<Said>,
}

/// One sentence.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// What is said.
    pub say: String,
    /// What a person would want of it, in words.
    pub expect: String,
}

/// What came of a sentence.
#[derive(Debug)]
pub struct Outcome {
    /// Whether it was understood without a model.
    pub is_understood: bool,
    /// What was said to the person.
    pub answer: String,
    /// What was called, with its arguments.
    pub calls: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    conversation: Vec<Conversation>,
}

impl Conversation {
    /// Reads all of them.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn all() -> Result<Vec<Self>> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("development/conversations.toml");
        let read = || format!("failed to read {}", path.display());
        let text = fs::read_to_string(&path).with_context(read)?;
        let file: File = toml::from_str(&text).with_context(read)?;
        Ok(file.conversation)
    }

    /// Holds it, and gives what came of each sentence.
    ///
    /// # Errors
    /// Where the device cannot be furnished.
    pub async fn hold(&self) -> Result<Vec<Outcome>> {
        let home = Home::without_bus();
        let room = Room::open_at(&home).await?;
        let mut outcomes = Vec::new();
        for said in &self.turn {
            outcomes.push(Outcome::of(&self.said(&room, &said.say).await));
        }
        Ok(outcomes)
    }

    /// What is said to a question whether the device shall: each but the first is answered with its number.
    fn assent(&self, number: usize) -> String {
        match (self.lang.starts_with("de"), number) {
            (true, 1) => "ja".to_owned(),
            (false, 1) => "yes".to_owned(),
            (true, _) => format!("Nummer {number}"),
            (false, _) => format!("number {number}"),
        }
    }

    /// Says a sentence, and yes as often as the device asks whether it shall.
    async fn said(&self, room: &Room, say: &str) -> Turn {
        let spoken = |text: &str| {
            let utterance = Utterance::new(text).in_session("conversation");
            utterance.session("lang", json!(self.lang))
        };
        let utterance = spoken(say);
        let mark = utterance.enter(&room.probe).await;
        let is_end = |frame: &Frame| frame.topic == HANDLED && utterance.owns(frame);
        let asks = |frame: &Frame| frame.topic == "speak" && frame.data["expect_response"] == true;
        let is_news = |frame: &Frame| is_end(frame) || asks(frame);
        room.probe.try_wait(mark, PATIENCE, is_news).await;
        for number in 1..=MOST_ASKED {
            if room.probe.try_wait(mark, ASKED, is_end).await.is_some() {
                break;
            }
            spoken(&self.assent(number)).enter(&room.probe).await;
        }
        utterance.end(&room.probe, mark).await
    }
}

impl Outcome {
    fn of(turn: &Turn) -> Self {
        let spoken = turn.spoken();
        let answers: Vec<&str> = spoken.iter().map(|frame| frame.utterance()).collect();
        let result = turn
            .frames
            .iter()
            .find(|frame| frame.topic == "loquat.turn.result");
        let result = result.map_or(&Value::Null, |frame| &frame.data);
        let made = result["results"].as_array().into_iter().flatten();
        let calls: Vec<String> = made
            .map(|call| format!("{}({})", call["tool"], call["arguments"]))
            .collect();
        Self {
            is_understood: result["engine"] != "ovos-react-loop",
            answer: answers.join(" "),
            calls: calls.join("; "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Conversation;

    #[test]
    fn every_conversation_goes_on_and_says_what_is_wanted() {
        let all = Conversation::all().unwrap();
        assert!(all.len() >= 40, "{}", all.len());
        for conversation in all {
            assert!(
                (3..=8).contains(&conversation.turn.len()),
                "{}",
                conversation.name
            );
            assert!(conversation.turn.iter().all(|said| !said.expect.is_empty()));
        }
    }
}
