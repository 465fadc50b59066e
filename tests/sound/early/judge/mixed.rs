//! Answers in which several things happen, one behind the other: a rule refuses what was begun, what speaks is killed, a person
//! interrupts.

use loquat_tests::brain::{Gate, Reply};
use loquat_tests::dice::Dice;
use loquat_tests::frame::Frame;
use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::json;
use tokio::time::Instant;

use super::kills::kill_the_voice;
use super::{
    ANEW, BEGUN, CLAIM, ENDED, INTERRUPTED, Room, STARTED, Said, When, dice, frames_of, hasty, sentence,
    taken_back, wanted, word,
};
use crate::story::TESTER;

/// What happens in a round.
#[derive(Debug)]
struct Fate {
    is_refused: bool,
    dies: bool,
    interrupted: Option<Place>,
    /// When the first of it happens.
    when: When,
}

/// Where a person interrupts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In what comes first.
    AtOnce,
    /// In the answer that takes the place of a refused one, where there is one.
    InTheOther,
}

impl Fate {
    fn thrown(dice: &mut Dice) -> Self {
        Self {
            is_refused: dice.one_in(2),
            dies: dice.one_in(2),
            interrupted: *dice.pick(&[None, None, Some(Place::AtOnce), Some(Place::InTheOther)]),
            when: *dice.pick(&When::ALL),
        }
    }
}

/// A round that is over.
struct Round {
    fate: Fate,
    number: usize,
    said: Said,
    /// What was told to be heard of the answer; absent where that was not interrupted.
    heard: Option<String>,
    /// Whether the first sentence was heard before it was taken back.
    was_heard: bool,
}

impl Round {
    async fn played(room: &Room, number: usize, fate: Fate, dice: &mut Dice) -> Self {
        let [wrong, right, rest] = [0, 1, 2].map(|at| sentence(3 * number + at));
        let (refused, written) = (Gate::default(), Gate::default());
        let badly = Reply::answers(&format!("{wrong} {CLAIM} That is it."));
        let well = Reply::answers(&format!("{right} {rest}")).halting(&right, &written);
        let badly = fate.is_refused.then(|| badly.halting(&wrong, &refused));
        // A turn that was stopped may not have asked for its second reply.
        room.story.brain.forget(TESTER);
        room.story.script(badly.into_iter().chain([well]));
        let said = Said::until_now(room);
        let now = Instant::now();
        let (asked, mark) = room.aloud("What do they call it?").await;
        fate.when.reached(room, mark, now).await;
        if fate.dies {
            kill_the_voice(room, dice);
        }
        let mut was_heard = false;
        if fate.is_refused {
            refused.open();
            let voided = taken_back(room, mark).await;
            let started = frames_of(room, mark, STARTED);
            was_heard = started.first().is_some_and(|started| started.seen < voided.seen);
        }
        if fate.is_refused && fate.interrupted == Some(Place::InTheOther) {
            let begins = |frame: &Frame| frame.topic == BEGUN && frame.data["utterance"] == *right;
            room.story
                .probe
                .wait("the other answer", mark, PATIENCE, begins)
                .await;
        }
        if fate.interrupted.is_some() {
            let data = json!({"utterance": "hey mycroft"});
            room.tell("recognizer_loop:wakeword", data).await;
        } else {
            written.open();
        }
        let turn = asked.end(&room.story.probe, mark).await;
        written.open();
        assert_eq!(
            turn.spoken().is_empty(),
            fate.interrupted.is_some(),
            "{fate:?}: {:?}",
            turn.topics()
        );
        if fate.interrupted.is_none() {
            room.wait(mark, ENDED).await;
        }
        silent(room).await;
        let reports = frames_of(room, mark, INTERRUPTED);
        let reports = reports.iter().filter(|report| report.data["turn_id"].is_string());
        let heard: String = reports
            .filter_map(|report| report.data["heard"].as_str())
            .collect();
        Self {
            heard: fate.interrupted.is_some().then_some(heard),
            number,
            said: said.since(room),
            was_heard,
            fate,
        }
    }

    /// Nothing is said twice, nothing false stays unsaid, and all of an answer is said that is not interrupted.
    fn judge(&self) {
        let Self { fate, said, .. } = self;
        let told = |text: &str| said.count(text).iter().sum::<usize>();
        let most = 1 + usize::from(fate.dies);
        for at in 0..3 {
            let sentence = sentence(3 * self.number + at);
            let [by_voice, by_other] = said.count(&sentence);
            let once_each = by_voice <= 1 && by_other <= 1 && by_voice + by_other <= most;
            assert!(once_each, "{sentence} in {fate:?}: {said:?}");
            let is_owed = at > 0 && fate.interrupted.is_none();
            assert!(
                !is_owed || told(&sentence) > 0,
                "{sentence} in {fate:?}: {said:?}"
            );
        }
        assert_eq!(told(CLAIM), 0, "{fate:?}: {said:?}");
        assert!(
            told(ANEW) <= most && (fate.is_refused || told(ANEW) == 0),
            "{fate:?}: {said:?}"
        );
        let is_owed = self.was_heard && fate.interrupted.is_none();
        assert!(!is_owed || told(ANEW) > 0, "{fate:?}: {said:?}");
    }

    /// What a brain is shown of it has what was heard of the answer, and nothing else.
    fn is_remembered_in(&self, shown: &str) {
        for at in 0..3 {
            let word = word(3 * self.number + at);
            let was_heard = match &self.heard {
                Some(heard) => heard.contains(&word),
                None => at > 0,
            };
            assert_eq!(
                shown.contains(&word),
                was_heard,
                "{word} in {:?}, heard {:?}",
                self.fate,
                self.heard
            );
        }
    }
}

/// Waits until nothing is spoken.
async fn silent(room: &Room) {
    wait_for("silence", PATIENCE, async || {
        let mark = room.tell("ovos.audio.is_speaking", json!({})).await;
        let told = room.wait(mark, "ovos.audio.is_speaking.response").await;
        (told.data["speaking"] == false).then_some(())
    })
    .await;
}

#[tokio::test]
async fn whatever_happens_nothing_is_said_twice_or_stays_false_and_the_history_holds_what_was_heard() {
    let (room, rounds) = (hasty().await, wanted("MIXED", 16));
    let mut dice = dice(4);
    let mut before = None::<Round>;
    let mut counts = [0; 3];
    for number in 0..rounds {
        let fate = Fate::thrown(&mut dice);
        for (count, happened) in
            counts
                .iter_mut()
                .zip([fate.is_refused, fate.dies, fate.interrupted.is_some()])
        {
            *count += usize::from(happened);
        }
        let round = Round::played(&room, number, fate, &mut dice).await;
        round.judge();
        if let Some(before) = before.replace(round) {
            before.is_remembered_in(&room.shown());
        }
    }
    let [refused, killed, interrupted] = counts;
    println!(
        "{rounds} answers, of which {refused} were refused, in {killed} the voice was killed and {interrupted} were interrupted: \
         none said twice, all that was heard and false taken back, all remembered as heard"
    );
}
