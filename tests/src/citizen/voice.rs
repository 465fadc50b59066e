//! The voice that we are where no audio service is (AUDIO-1).

use serde_json::{Value, json};

use super::stand::SILENCE;
use super::{Row, Stand, row, verdict};
use crate::frame::Frame;
use crate::turn::{HANDLED, Utterance};
use crate::wait::PATIENCE;

const STARTED: &str = "ovos.audio.output.started";
const ENDED: &str = "ovos.audio.output.ended";
const LISTEN: &str = "ovos.mic.listen";

/// Sentences that take a while.
const LONG: [&str; 2] = [
    "This is the first of all the things that are said.",
    "And this is the second one, which comes behind it.",
];

/// Has something said aloud, as a skill does.
async fn speak(stand: &Stand, text: &str, listen: bool, session: &str) {
    let data = json!({"utterance": text, "lang": "en-US", "listen": listen});
    let context = json!({"session": {"session_id": session}});
    stand.send("ovos.utterance.speak", data, context).await;
}

async fn heard(stand: &Stand, mark: usize, topic: &'static str) -> Option<Frame> {
    let wanted = |frame: &Frame| frame.topic == topic;
    stand.probe.try_wait(mark, PATIENCE, wanted).await
}

/// Counts the frames on each of these topics since then, when nothing more comes.
async fn counted<const N: usize>(stand: &Stand, mark: usize, topics: [&str; N]) -> [usize; N] {
    stand.probe.try_wait(mark, SILENCE, |_| false).await;
    let frames = stand.probe.since(mark);
    topics.map(|topic| frames.iter().filter(|frame| frame.topic == topic).count())
}

#[expect(clippy::too_many_lines, reason = "a table of rows, each on its own")]
pub(super) fn rows() -> Vec<Row> {
    vec![
        row!("AO-2", "aloud for this device, as sound for others", |stand| {
            let mark = stand.probe.mark();
            speak(stand, "For the kitchen.", false, "kitchen").await;
            let [aloud] = counted(stand, mark, [STARTED]).await;
            let context = json!({"session": {"session_id": "kitchen"}});
            let data = json!({"utterance": "For the kitchen.", "listen": true});
            let sound = stand
                .ask("ovos.utterance.speak.b64", data, context, "ovos.audio.speech")
                .await;
            let sound = sound.map(|sound| sound.data).unwrap_or_default();
            let is_sound = sound["audio"]
                .as_str()
                .is_some_and(|audio| audio.starts_with("UklGR"));
            verdict(
                aloud == 0 && is_sound && sound["listen"] == true,
                format!("{aloud} times aloud, then {}", sound["mime"]),
            )
        }),
        row!(
            "AO-3",
            "the microphone opens behind a question, and not after a stop",
            |stand| {
                let mark = stand.probe.mark();
                speak(stand, "Shall I?", true, "default").await;
                let (ended, listen) = (heard(stand, mark, ENDED).await, heard(stand, mark, LISTEN).await);
                let behind = ended
                    .zip(listen)
                    .is_some_and(|(ended, listen)| ended.seen <= listen.seen);
                let mark = stand.probe.mark();
                speak(stand, &format!("{} Shall I then?", LONG[0]), true, "default").await;
                heard(stand, mark, STARTED).await;
                stand.send("ovos.audio.stop", json!({}), json!({})).await;
                let [opened] = counted(stand, mark, [LISTEN]).await;
                verdict(
                    behind && opened == 0,
                    format!("opened behind it, and {opened} times after a stop"),
                )
            }
        ),
        row!(
            "AO-4",
            "one beginning and one end for all that is said in a row",
            |stand| {
                let mark = stand.probe.mark();
                for text in ["One.", "Two.", "Three."] {
                    speak(stand, text, false, "default").await;
                }
                heard(stand, mark, ENDED).await;
                let counts = counted(stand, mark, [STARTED, ENDED]).await;
                let bare = |frame: &&Frame| [STARTED, ENDED].contains(&frame.topic.as_str());
                let payload = stand
                    .probe
                    .since(mark)
                    .iter()
                    .filter(bare)
                    .any(|frame| frame.data != json!({}));
                verdict(counts == [1, 1] && !payload, format!("{counts:?}"))
            }
        ),
        row!(
            "AO-5",
            "asked whether it speaks, it says so for each session",
            |stand| {
                let mark = stand.probe.mark();
                speak(stand, LONG[0], false, "default").await;
                heard(stand, mark, STARTED).await;
                let (here, there) = (stand.speaks("default").await, stand.speaks("kitchen").await);
                heard(stand, mark, ENDED).await;
                let after = stand.speaks("default").await;
                let seen = [here, there, after].map(Option::unwrap_or_default);
                verdict(seen == [true, false, false].map(Value::Bool), format!("{seen:?}"))
            }
        ),
        row!(
            "AO-6",
            "a stop empties the queue and ends what is said",
            |stand| {
                let mut seen = Vec::new();
                for topic in ["ovos.audio.stop", "ovos.stop"] {
                    let mark = stand.probe.mark();
                    for text in LONG {
                        speak(stand, text, false, "default").await;
                    }
                    let started = heard(stand, mark, STARTED).await;
                    stand.send(topic, json!({}), json!({})).await;
                    let ended = heard(stand, mark, ENDED).await;
                    let took = started
                        .zip(ended)
                        .map(|(started, ended)| ended.seen - started.seen);
                    let counts = counted(stand, mark, [STARTED, ENDED]).await;
                    // One sentence takes more than a second.
                    if counts != [1, 1] || took.is_none_or(|took| took.as_millis() > 400) {
                        return Err(format!("{topic}: {counts:?} in {took:?}"));
                    }
                    seen.push(format!("{topic} {took:?}"));
                }
                verdict(true, seen.join(", "))
            }
        ),
        row!(
            "AO-7",
            "an utterance ends without waiting for the sound",
            |stand| {
                let mark = stand.probe.mark();
                let turn = Utterance::new("say it aloud")
                    .in_session("default")
                    .ask(&stand.probe)
                    .await;
                let ended = heard(stand, mark, ENDED).await;
                let before = ended.is_some_and(|ended| turn.frame(HANDLED).seen < ended.seen);
                verdict(before, "the end marker came before the end of the sound")
            }
        ),
        row!(
            "AO-8",
            "a sound that comes in a frame is played, in its turn as speech is and at once untold",
            |stand| {
                // Half a second of silence, which is a sound like any other.
                let sound = json!({"audio": "A".repeat(12_000), "mime": "audio/pcm", "sample_rate": 8_000});
                let mark = stand.probe.mark();
                stand.send("ovos.audio.queue", sound.clone(), json!({})).await;
                heard(stand, mark, ENDED).await;
                let queued = counted(stand, mark, [STARTED, ENDED]).await;
                let mark = stand.probe.mark();
                stand.send("ovos.audio.play_sound", sound, json!({})).await;
                let at_once = counted(stand, mark, [STARTED, ENDED]).await;
                verdict(
                    queued == [1, 1] && at_once == [0, 0],
                    format!("{queued:?} in the queue, {at_once:?} at once"),
                )
            }
        ),
    ]
}
