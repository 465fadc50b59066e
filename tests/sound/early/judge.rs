//! Many answers in which something happens while they are begun: later sentences are refused, a person interrupts, the voice or
//! the daemon is killed. Nothing is said twice, nothing false stays unsaid, and the history holds what was heard.

use loquat_tests::brain::{Gate, Reply};
use loquat_tests::daemon::Launch;
use loquat_tests::dice::Dice;
use loquat_tests::frame::Frame;
use loquat_tests::speaker::HERTZ;
use loquat_tests::wait::{PATIENCE, wait_for};
use rustix::process::Signal;
use serde_json::json;

use super::{ANEW, BEGUN, CLAIM, ENDED, INTERRUPTED, Room, STARTED, answered};

const ROUNDS: usize = 100;

/// So many seconds of a sentence are a part of it.
const PART: f64 = 0.1;

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

    async fn reached(self, room: &Room, mark: usize) {
        let before = room.witness.seconds_of(HERTZ);
        let topic = match self {
            Self::Begun => BEGUN,
            Self::Sounding | Self::Heard => STARTED,
        };
        room.wait(mark, topic).await;
        let is_heard = || room.witness.seconds_of(HERTZ) > before + PART;
        if self == Self::Heard {
            wait_for("a part of it", PATIENCE, async || is_heard().then_some(())).await;
        }
    }
}

async fn hasty() -> Room {
    Room::with(&QUIET, &["hastily"]).await
}

fn frames_of(room: &Room, mark: usize, topic: &str) -> Vec<Frame> {
    let mut frames = room.story.probe.since(mark);
    frames.retain(|frame| frame.topic == topic);
    frames
}

#[tokio::test]
async fn of_a_hundred_answers_that_are_refused_late_each_is_taken_back_once() {
    let room = hasty().await;
    let mut dice = Dice::new(20_261_128);
    let mut apologies = 0;
    for round in 0..ROUNDS {
        let before = room.told().len();
        let [wrong, right, rest] = [0, 1, 2].map(|at| sentence(3 * round + at));
        let gate = Gate::default();
        let refused = format!("{wrong} {CLAIM} That is it.");
        room.story.script([
            Reply::answers(&refused).halting(&wrong, &gate),
            Reply::answers(&format!("{right} {rest}")),
        ]);
        let (asked, mark) = room.aloud("What do they call it?").await;
        let when = *dice.pick(&When::ALL);
        when.reached(&room, mark).await;
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
        let voided = frames_of(&room, mark, BEGUN);
        let voided = voided.iter().find(|frame| frame.data["apology"].is_string());
        let was_heard = started < voided.expect("it was taken back").seen;
        assert!(
            says(ANEW) <= 1 && (says(ANEW) == 1 || !was_heard),
            "{round} {when:?}: {told:?}"
        );
        apologies += says(ANEW);
    }
    assert!(apologies > ROUNDS / 3, "{apologies}");
}

#[tokio::test]
async fn of_a_hundred_answers_that_are_interrupted_the_history_holds_what_was_heard() {
    let room = hasty().await;
    let mut dice = Dice::new(20_261_129);
    let mut heard_before = None::<(Vec<String>, String)>;
    let mut heard_words = 0;
    for round in 0..ROUNDS {
        let sentences = [0, 1, 2].map(|at| sentence(3 * round + at));
        let gate = Gate::default();
        let halts = dice.pick(&sentences[..2]);
        let answer = sentences.join(" ");
        room.story.script([Reply::answers(&answer).halting(halts, &gate)]);
        let (asked, mark) = room.aloud("What do they call it?").await;
        dice.pick(&When::ALL).reached(&room, mark).await;
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
    for number in 0..3 * ROUNDS {
        let sentence = sentence(number);
        let count = told.iter().filter(|line| **line == sentence).count();
        // The third was not written yet.
        assert!(count <= usize::from(number % 3 < 2), "{sentence} {count} times");
    }
}

#[tokio::test]
async fn of_a_daemon_that_is_killed_the_next_begins_anew_and_says_so() {
    let mut room = hasty().await;
    let mut dice = Dice::new(20_261_130);
    for round in 0..6 {
        let before = room.told().len();
        let [first, rest] = [0, 1].map(|at| sentence(3 * round + at));
        let answer = format!("{first} {rest}");
        room.story.script([
            Reply::answers(&answer).halting(&first, &Gate::default()),
            Reply::answers(&answer),
        ]);
        let (asked, mark) = room.aloud("What do they call it?").await;
        let when = *dice.pick(&When::ALL);
        when.reached(&room, mark).await;
        room.story.daemon.signal(Signal::KILL);
        room.story.daemon.ended(PATIENCE).await;
        let at = room.story.probe.mark();
        let address = room.sound.address().to_owned();
        let launch = Launch::new(&room.story.home, &["run"]).finding("bin");
        (room.story.daemon, _) = launch.env("PULSE_SERVER", address).ready().await;
        asked.end(&room.story.probe, mark).await;
        room.wait(at, ENDED).await;
        let answers = frames_of(&room, mark, "speak");
        let answers: Vec<&str> = answers.iter().map(Frame::utterance).collect();
        assert_eq!(answers, [ANEW, &answer], "{when:?}");
        let told = &room.told()[before..];
        let anew = told.iter().position(|line| line == ANEW).expect("it says so");
        assert!(anew <= 1, "{told:?}");
        assert_eq!(told[anew + 1..], [first, rest], "{when:?}: {told:?}");
    }
}

#[tokio::test]
async fn a_voice_that_is_killed_again_and_again_leaves_no_sentence_unsaid() {
    let room = hasty().await;
    let mut dice = Dice::new(20_261_131);
    let mut killed = 0;
    for round in 0..40 {
        let [first, rest] = [0, 1].map(|at| sentence(3 * round + at));
        let gate = Gate::default();
        let answer = format!("{first} {rest}");
        room.story
            .script([Reply::answers(&answer).halting(&first, &gate)]);
        let calls = room.calls().len();
        let before = room.told().len();
        let (asked, mark) = room.aloud("What do they call it?").await;
        room.wait(mark, BEGUN).await;
        let alive = room.story.daemon.descendants();
        if !alive.is_empty() {
            loquat_tests::process::signal_to(*dice.pick(&alive), Signal::KILL);
            killed += 1;
        }
        gate.open();
        asked.end(&room.story.probe, mark).await;
        room.wait(mark, ENDED).await;
        // What speaks may die before the sentence, in it or behind it; one of the two says each to its end, in order.
        let told = room.told()[before..].to_vec();
        let instead = room.calls()[calls..].to_vec();
        for sentence in [&first, &rest] {
            let by_process = told.iter().filter(|line| *line == sentence).count();
            let by_espeak = instead
                .iter()
                .filter(|call| call.ends_with(sentence.as_str()))
                .count();
            assert!(
                (1..=2).contains(&(by_process + by_espeak)),
                "{round}: {told:?} {instead:?}"
            );
            assert!(by_process <= 1 && by_espeak <= 1, "{round}: {told:?} {instead:?}");
        }
    }
    assert!(killed >= 20, "{killed}");
}
