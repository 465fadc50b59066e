//! The microphone (AUDIO-IN-1). Later rows look back at what the earlier ones have had recorded.

use serde_json::json;

use super::stand::SILENCE;
use super::{Row, Stand, row, verdict};
use crate::frame::Frame;
use crate::sound::{WAKE_WORD, noise, speak};
use crate::wait::PATIENCE;

const WAKEWORD: &str = "ovos.listener.wakeword";
const STARTED: &str = "ovos.listener.record.started";
const ENDED: &str = "ovos.listener.record.ended";
const UTTERANCE: &str = "ovos.utterance.handle";
const FAILED: &str = "ovos.stt.failed";
const AWOKEN: &str = "ovos.listener.awoken";

/// What is said into the microphone.
const WORDS: &str = "what time is it in Tokyo?";

async fn heard(stand: &Stand, mark: usize, topics: &[&str]) -> Option<Frame> {
    let wanted = |frame: &Frame| topics.contains(&frame.topic.as_str());
    stand.probe.try_wait(mark, PATIENCE, wanted).await
}

fn count(stand: &Stand, mark: usize, topic: &str) -> usize {
    let frames = stand.probe.since(mark);
    frames.iter().filter(|frame| frame.topic == topic).count()
}

/// Finds the first utterance of this run.
fn utterance(stand: &Stand) -> Result<Frame, String> {
    let found = stand
        .probe
        .since(0)
        .into_iter()
        .find(|frame| frame.topic == UTTERANCE);
    found.ok_or_else(|| "nothing was heard".to_owned())
}

/// Asks the device to listen and says the words; gives where that began.
async fn say(stand: &Stand) -> Result<usize, String> {
    let (sound, home) = stand.sound.as_ref().zip(stand.home()).ok_or("no microphone")?;
    let wav = speak(WORDS, home.path()).await;
    let mark = stand.probe.mark();
    stand.send("ovos.mic.listen", json!({}), json!({})).await;
    sound.play(&wav).await;
    Ok(mark)
}

/// Tells whether the listener says a frame about itself.
fn own(frame: &Frame) -> bool {
    let own = [STARTED, ENDED, UTTERANCE, FAILED, AWOKEN];
    own.contains(&frame.topic.as_str())
}

#[expect(clippy::too_many_lines, reason = "a table of rows, each on its own")]
pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(
            "AI-10",
            "asked to listen, it does, without a wake word",
            |stand| {
                let mark = say(stand).await?;
                let started = heard(stand, mark, &[STARTED]).await;
                heard(stand, mark, &[UTTERANCE, FAILED]).await;
                verdict(started.is_some(), "a capture was opened")
            }
        ),
        row!(
            "AI-1",
            "what was said becomes an utterance with its language",
            |stand| {
                let utterance = utterance(stand)?;
                let words = utterance.data["utterances"][0]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned();
                verdict(
                    !words.is_empty() && utterance.data["lang"] == "en-US",
                    format!("{words} in {}", utterance.data["lang"]),
                )
            }
        ),
        row!(
            "AI-3",
            "the session says in which language it was heard",
            |stand| {
                let lang = utterance(stand)?.context["session"]["stt_lang"].clone();
                verdict(lang == "en-US", format!("stt_lang {lang}"))
            }
        ),
        row!(
            "LA-6",
            "and so does the context, where shipped cores look",
            |stand| {
                let lang = utterance(stand)?.context["stt_lang"].clone();
                verdict(lang == "en-US", format!("stt_lang {lang}"))
            }
        ),
        row!("AI-7", "no wake word is told where there was none", |stand| {
            let told = count(stand, 0, WAKEWORD) + count(stand, 0, "recognizer_loop:wakeword");
            verdict(told == 0, format!("{told} told"))
        }),
        row!(
            "AI-7",
            "a wake word opens a capture, and is told before it",
            |stand| {
                let (sound, home) = stand.sound.as_ref().zip(stand.home()).ok_or("no microphone")?;
                let wav = speak(&format!("{WAKE_WORD} {WORDS}"), home.path()).await;
                let mark = stand.probe.mark();
                sound.play(&wav).await;
                let utterance = heard(stand, mark, &[UTTERANCE, FAILED]).await;
                let words = utterance.map(|frame| frame.data["utterances"].to_string());
                let frames = stand.probe.since(mark);
                let word = frames.iter().find(|frame| frame.topic == WAKEWORD);
                let word = word.ok_or_else(|| format!("no wake word was told, and {words:?} heard"))?;
                let told = frames.iter().map(|frame| frame.topic.as_str());
                let order: Vec<&str> = told.filter(|topic| [WAKEWORD, STARTED].contains(topic)).collect();
                verdict(
                    order == [WAKEWORD, STARTED]
                        && word.data["wake_word"] == "hey_mycroft"
                        && word.data["lang"] == "en-US"
                        && words.as_ref().is_some_and(|words| words.contains("Tokyo")),
                    format!("{} {words:?}", word.data),
                )
            }
        ),
        row!("AI-12", "and hushes what the device may be speaking", |stand| {
            let hushed = count(stand, 0, "ovos.audio.stop");
            verdict(hushed == 1, format!("{hushed} of 1 wake words"))
        }),
        row!(
            "AI-2",
            "nothing understood: no utterance, and one failure",
            |stand| {
                let (sound, home) = stand.sound.as_ref().zip(stand.home()).ok_or("no microphone")?;
                let mut seen = Vec::new();
                for hiss in [Some(noise(home.path())), None] {
                    let mark = stand.probe.mark();
                    stand.send("ovos.mic.listen", json!({}), json!({})).await;
                    heard(stand, mark, &[STARTED]).await;
                    if let Some(hiss) = &hiss {
                        sound.play(hiss).await;
                    }
                    let failed = heard(stand, mark, &[FAILED]).await.ok_or("no failure was told")?;
                    stand.probe.try_wait(mark, SILENCE, |_| false).await;
                    let counts = (count(stand, mark, UTTERANCE), count(stand, mark, FAILED));
                    if counts != (0, 1) || !failed.context["session"].is_object() {
                        return Err(format!("{counts:?} with {}", failed.context));
                    }
                    seen.push(if hiss.is_some() { "noise" } else { "silence" });
                }
                verdict(true, seen.join(", "))
            }
        ),
        row!("AI-6", "each capture begins and ends once", |stand| {
            let frames = stand.probe.since(0);
            let marks = frames
                .iter()
                .filter(|frame| [STARTED, ENDED].contains(&frame.topic.as_str()));
            let marks: Vec<&str> = marks.map(|frame| frame.topic.as_str()).collect();
            let paired = marks.chunks(2).all(|pair| pair == [STARTED, ENDED]);
            let bare = frames
                .iter()
                .filter(|frame| frame.topic == STARTED)
                .all(|frame| frame.data == json!({}));
            verdict(
                paired && bare && marks.len() >= 6,
                format!("{} captures", marks.len() / 2),
            )
        }),
        row!("AI-8", "asleep it hears nothing, and does not answer", |stand| {
            let before = stand.probe.mark();
            stand
                .send(
                    "ovos.listener.sleep",
                    json!({}),
                    json!({"session": {"session_id": "elsewhere"}}),
                )
                .await;
            say(stand).await?;
            stand.probe.try_wait(before, SILENCE, |_| false).await;
            let frames = stand.probe.since(before);
            let said: Vec<&str> = frames
                .iter()
                .filter(|frame| own(frame))
                .map(|frame| frame.topic.as_str())
                .collect();
            verdict(said.is_empty(), format!("{said:?}"))
        }),
        row!(
            "AI-9",
            "it tells once that it woke up, and nothing when awake",
            |stand| {
                let mark = stand.probe.mark();
                for _ in 0..3 {
                    stand.send("ovos.listener.wake", json!({}), json!({})).await;
                }
                heard(stand, mark, &[AWOKEN]).await;
                stand.probe.try_wait(mark, SILENCE, |_| false).await;
                let told = count(stand, mark, AWOKEN);
                verdict(told == 1, format!("{told} of 3 told"))
            }
        ),
        row!("AI-9", "a wake word wakes it up too, and is obeyed", |stand| {
            let (sound, home) = stand.sound.as_ref().zip(stand.home()).ok_or("no microphone")?;
            let wav = speak(&format!("{WAKE_WORD} {WORDS}"), home.path()).await;
            let mark = stand.probe.mark();
            stand.send("ovos.listener.sleep", json!({}), json!({})).await;
            sound.play(&wav).await;
            heard(stand, mark, &[UTTERANCE, FAILED]).await;
            let frames = stand.probe.since(mark);
            let told = frames.iter().map(|frame| frame.topic.as_str());
            let order = [AWOKEN, WAKEWORD, STARTED, ENDED, UTTERANCE];
            let told: Vec<&str> = told.filter(|topic| order.contains(topic)).collect();
            verdict(told == order, format!("{told:?}"))
        }),
        row!("AI-4", "everything it says has the device's session", |stand| {
            let frames = stand.probe.since(0);
            let own: Vec<&Frame> = frames.iter().filter(|frame| own(frame)).collect();
            let bare = own
                .iter()
                .filter(|frame| frame.context["session"]["session_id"] != "default")
                .count();
            verdict(!own.is_empty() && bare == 0, format!("{} frames", own.len()))
        }),
    ]
}
