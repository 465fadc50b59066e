//! The voice or the daemon is killed while an answer is begun: what was cut off is said again from its beginning, once.

use loquat_tests::brain::{Gate, Reply};
use loquat_tests::daemon::Launch;
use loquat_tests::dice::Dice;
use loquat_tests::frame::Frame;
use loquat_tests::process::signal_to;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use rustix::process::Signal;
use tokio::time::Instant;

use super::{ANEW, CLAIM, ENDED, Room, Said, When, dice, frames_of, hasty, sentence, taken_back, wanted};

impl Room {
    /// The daemon is killed, and another started in its place.
    async fn lose_the_daemon(&mut self) {
        self.story.daemon.signal(Signal::KILL);
        self.story.daemon.ended(PATIENCE).await;
        let address = self.sound.address().to_owned();
        let launch = Launch::new(&self.story.home, &["run"]).finding("bin");
        (self.story.daemon, _) = launch.env("PULSE_SERVER", address).ready().await;
    }
}

/// One of the programs that make speech is killed; whether there was one.
pub(super) fn kill_the_voice(room: &Room, dice: &mut Dice) -> bool {
    let alive = room.story.daemon.descendants();
    if !alive.is_empty() {
        signal_to(*dice.pick(&alive), Signal::KILL);
    }
    !alive.is_empty()
}

/// What becomes of the answer in which the daemon is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begun {
    /// It stands as far as it is written.
    Well,
    /// A rule would refuse it.
    Badly,
    /// A rule has refused it, and another takes its place.
    Anew,
}

impl Begun {
    const ALL: [Self; 3] = [Self::Well, Self::Badly, Self::Anew];

    /// Has the brain begin so, and answer when it is asked again; it is asked aloud, and killed is the daemon at that moment.
    async fn until(self, when: When, room: &Room, sentences: &[String; 3]) -> (Utterance, usize) {
        let [wrong, first, rest] = sentences;
        let answer = format!("{first} {rest}");
        let (refused, never) = (Gate::default(), Gate::default());
        let badly = Reply::answers(&format!("{wrong} {CLAIM} That is it.")).halting(wrong, &refused);
        let well = Reply::answers(&answer).halting(first, &never);
        room.story.script((self != Self::Well).then_some(badly));
        room.story.script((self != Self::Badly).then_some(well));
        room.story.script([Reply::answers(&answer)]);
        let now = Instant::now();
        let (asked, mark) = room.aloud("What do they call it?").await;
        when.reached(room, mark, now).await;
        if self == Self::Anew {
            refused.open();
            taken_back(room, mark).await;
        }
        (asked, mark)
    }
}

#[tokio::test]
async fn of_a_daemon_that_is_killed_the_next_begins_anew_and_says_so() {
    let (mut room, rounds) = (hasty().await, wanted("DAEMON_KILLS", 3));
    let mut dice = dice(2);
    for round in 0..rounds {
        let before = room.told().len();
        let sentences = [0, 1, 2].map(|at| sentence(3 * round + at));
        let (begun, when) = (Begun::ALL[round % 3], *dice.pick(&When::ALL));
        let (asked, mark) = begun.until(when, &room, &sentences).await;
        let at = room.story.probe.mark();
        room.lose_the_daemon().await;
        asked.end(&room.story.probe, mark).await;
        room.wait(at, ENDED).await;
        let answers = frames_of(&room, mark, "speak");
        let answers: Vec<&str> = answers.iter().map(Frame::utterance).collect();
        let [_, first, rest] = sentences;
        assert_eq!(answers, [ANEW, &format!("{first} {rest}")], "{begun:?} {when:?}");
        let told = &room.told()[before..];
        let behind = told.len().saturating_sub(3);
        assert_eq!(
            told[behind..],
            [ANEW.to_owned(), first, rest],
            "{begun:?} {when:?}: {told:?}"
        );
        assert!(behind <= 3 && !told.iter().any(|line| line == CLAIM), "{told:?}");
    }
    println!("the daemon killed {rounds} times in a begun answer, each time begun anew with a word about it");
}

#[tokio::test]
async fn a_voice_that_is_killed_again_and_again_leaves_no_sentence_unsaid() {
    let (room, rounds) = (hasty().await, wanted("VOICE_KILLS", 10));
    let mut dice = dice(3);
    let (mut killed, mut replaced) = (0, 0);
    for round in 0..rounds {
        let [first, rest] = [0, 1].map(|at| sentence(3 * round + at));
        let gate = Gate::default();
        let answer = format!("{first} {rest}");
        room.story
            .script([Reply::answers(&answer).halting(&first, &gate)]);
        let said = Said::until_now(&room);
        let now = Instant::now();
        let (asked, mark) = room.aloud("What do they call it?").await;
        let when = *dice.pick(&When::ALL);
        when.reached(&room, mark, now).await;
        killed += usize::from(kill_the_voice(&room, &mut dice));
        gate.open();
        asked.end(&room.story.probe, mark).await;
        room.wait(mark, ENDED).await;
        // What speaks may die before the sentence, in it or behind it; one of the two says each to its end.
        let said = said.since(&room);
        for sentence in [&first, &rest] {
            let [by_process, by_espeak] = said.count(sentence);
            let once_each = by_process <= 1 && by_espeak <= 1;
            assert!(
                once_each && by_process + by_espeak > 0,
                "{round} {when:?}: {said:?}"
            );
            replaced += usize::from(by_process + by_espeak == 2);
        }
    }
    println!(
        "the voice killed {killed} times in {rounds} begun answers, {replaced} sentences said again, none left unsaid"
    );
    assert!(2 * killed >= rounds, "{killed}");
}
