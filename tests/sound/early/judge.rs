//! Many answers in which something happens while they are begun: later sentences are refused, a person interrupts, the voice or
//! the daemon is killed. Nothing is said twice, nothing false stays unsaid, and the history holds what was heard.
//!
//! The long form takes as many as the environment says (`REFUSED`, `INTERRUPTED`, `DAEMON_KILLS`, `VOICE_KILLS`, and `MIXED` for
//! those in which all of it happens, `SEED`); `make bench-first-sound` runs it.

mod kills;
mod mixed;

use std::time::Duration;

use loquat_tests::binaries::wanted;
use loquat_tests::brain::{Gate, Reply};
use loquat_tests::dice::Dice;
use loquat_tests::frame::Frame;
use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::json;
use tokio::time::{Instant, timeout};

use super::{ANEW, BEGUN, CLAIM, ENDED, INTERRUPTED, Room, STARTED, answered};

/// So much of a sentence is a part of it.
const PART: Duration = Duration::from_millis(100);

/// A part of a sentence is heard within this.
const SOON: Duration = Duration::from_secs(5);

/// Nothing is said and no brain is asked between the answers.
const QUIET: [(&str, &str); 2] = [("desk.silence_seconds", "0"), ("desk.reflection_turns", "0")];

/// A word of its own for every sentence.
fn word(number: usize) -> String {
    let letter = |at: usize| char::from(b'a' + (number / 20_usize.pow(at as u32) % 20) as u8);
    format!("B{}{}{}x", letter(2), letter(1), letter(0))
}

fn sentence(number: usize) -> String {
    format!("{} is what they call it.", word(number))
}

/// When something happens in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// As soon as the voice has the first sentence.
    Begun,
    /// As soon as that is heard.
    Sounding,
    /// When a part of it has been heard.
    Heard,
}

impl When {
    const ALL: [Self; 3] = [Self::Begun, Self::Sounding, Self::Heard];

    /// Waits for it in an answer that was asked for at that time.
    async fn reached(self, room: &Room, mark: usize, asked: Instant) {
        let topic = match self {
            Self::Begun => BEGUN,
            Self::Sounding | Self::Heard => STARTED,
        };
        room.wait(mark, topic).await;
        if self == Self::Heard {
            let is_heard =
                || Some(room.witness.last_sound()? - room.witness.first_sound_since(asked)? > PART);
            // A sound server that is too busy to play all of so short a sound has had its time, too.
            let a_part = wait_for("a part of it", PATIENCE, async || {
                is_heard().filter(|is_heard| *is_heard)
            });
            drop(timeout(SOON, a_part).await);
        }
    }
}

/// What looks like chance, another for each kind of round.
fn dice(kind: u64) -> Dice {
    Dice::new(wanted("SEED", 20_261_128) + kind)
}

async fn hasty() -> Room {
    Room::unhurried(&QUIET, &["hastily"]).await
}

/// What the voice and what speaks in its place were told.
#[derive(Debug)]
struct Said {
    told: Vec<String>,
    calls: Vec<String>,
}

impl Said {
    fn until_now(room: &Room) -> Self {
        let (told, calls) = (room.told(), room.calls());
        Self { told, calls }
    }

    /// What they were told behind this.
    fn since(&self, room: &Room) -> Self {
        let mut now = Self::until_now(room);
        now.told.drain(..self.told.len());
        now.calls.drain(..self.calls.len());
        now
    }

    /// How often the voice was told to say this, and how often what speaks in its place.
    fn count(&self, text: &str) -> [usize; 2] {
        let told = self.told.iter().filter(|line| *line == text);
        let calls = self.calls.iter().filter(|call| call.ends_with(text));
        [told.count(), calls.count()]
    }
}

/// Waits until what was begun is taken back.
async fn taken_back(room: &Room, mark: usize) -> Frame {
    let is_it = |frame: &Frame| frame.topic == BEGUN && frame.data["apology"].is_string();
    room.story
        .probe
        .wait("it to be taken back", mark, PATIENCE, is_it)
        .await
}

fn frames_of(room: &Room, mark: usize, topic: &str) -> Vec<Frame> {
    let mut frames = room.story.probe.since(mark);
    frames.retain(|frame| frame.topic == topic);
    frames
}

#[tokio::test]
async fn answers_that_are_refused_late_are_taken_back_once_each() {
    let (room, rounds) = (hasty().await, wanted("REFUSED", 12));
    let mut dice = dice(0);
    let mut apologies = 0;
    for round in 0..rounds {
        let before = room.told().len();
        let [wrong, right, rest] = [0, 1, 2].map(|at| sentence(3 * round + at));
        let gate = Gate::default();
        let refused = format!("{wrong} {CLAIM} That is it.");
        room.story.script([
            Reply::answers(&refused).halting(&wrong, &gate),
            Reply::answers(&format!("{right} {rest}")),
        ]);
        let now = Instant::now();
        let (asked, mark) = room.aloud("What do they call it?").await;
        let when = *dice.pick(&When::ALL);
        when.reached(&room, mark, now).await;
        gate.open();
        let turn = asked.end(&room.story.probe, mark).await;
        assert_eq!(answered(&turn).utterance(), format!("{right} {rest}"));
        room.wait(mark, ENDED).await;
        let told = &room.told()[before..];
        let says = |text: &str| told.iter().filter(|line| *line == text).count();
        let behind = told.len().saturating_sub(2);
        assert_eq!(
            told[behind..],
            [right.clone(), rest.clone()],
            "{round} {when:?}: {told:?}"
        );
        assert!(says(&wrong) <= 1 && says(CLAIM) == 0, "{told:?}");
        // Where it was heard it is taken back, and where it was not nothing is.
        let started = frames_of(&room, mark, STARTED)[0].seen;
        let was_heard = started < taken_back(&room, mark).await.seen;
        assert!(
            says(ANEW) <= 1 && (says(ANEW) == 1 || !was_heard),
            "{round} {when:?}: {told:?}"
        );
        apologies += says(ANEW);
    }
    println!("{rounds} answers refused late, {apologies} of them taken back aloud, none said twice");
    assert!(apologies > rounds / 3, "{apologies}");
}

#[tokio::test]
async fn of_answers_that_are_interrupted_the_history_holds_what_was_heard() {
    let (room, rounds) = (hasty().await, wanted("INTERRUPTED", 12));
    let mut dice = dice(1);
    let mut heard_before = None::<(Vec<String>, String)>;
    let mut heard_words = 0;
    for round in 0..rounds {
        let sentences = [0, 1, 2].map(|at| sentence(3 * round + at));
        let gate = Gate::default();
        let halts = dice.pick(&sentences[..2]);
        let answer = sentences.join(" ");
        room.story.script([Reply::answers(&answer).halting(halts, &gate)]);
        let now = Instant::now();
        let (asked, mark) = room.aloud("What do they call it?").await;
        dice.pick(&When::ALL).reached(&room, mark, now).await;
        if let Some((words, heard)) = heard_before.take() {
            let shown = room.shown();
            for word in words {
                assert_eq!(
                    shown.contains(&word),
                    heard.contains(&word),
                    "{word}, of which was heard: {heard}"
                );
                heard_words += usize::from(heard.contains(&word));
            }
        }
        let data = json!({"utterance": "hey mycroft"});
        room.tell("recognizer_loop:wakeword", data).await;
        let turn = asked.end(&room.story.probe, mark).await;
        assert!(turn.spoken().is_empty(), "{:?}", turn.topics());
        let report = room.wait(mark, INTERRUPTED).await;
        gate.open();
        assert_eq!(frames_of(&room, mark, INTERRUPTED).len(), 1);
        let words = (0..3).map(|at| word(3 * round + at)).collect();
        heard_before = Some((words, report.data["heard"].as_str().unwrap().to_owned()));
    }
    assert!(heard_words > 0, "some were heard");
    let told = room.told();
    for number in 0..3 * rounds {
        let sentence = sentence(number);
        let count = told.iter().filter(|line| **line == sentence).count();
        // The third was not written yet.
        assert!(count <= usize::from(number % 3 < 2), "{sentence} {count} times");
    }
    println!(
        "{rounds} answers interrupted, of which {heard_words} sentences were heard and remembered, none said twice"
    );
}
