//! Scripted voices and wake words: the loudness of a sample says how probable speech is.

use std::time::Duration;

use super::capture::NOTICING_FRAMES;
use super::*;
use crate::wake_word::Detection;

/// Takes the first sample of a frame for the probability of speech.
struct Scripted;

impl Voice for Scripted {
    fn probabilities(&mut self, frames: &[f32]) -> [f32; HOP] {
        std::array::from_fn(|frame| frames[frame * FRAME])
    }

    fn reset(&mut self) {}
}

/// Hears its word in a frame that begins with −1.
#[derive(Default)]
struct Password {
    fed: usize,
}

impl WakeWord for Password {
    fn name(&self) -> &'static str {
        "hey_loquat"
    }

    fn feed(&mut self, frame: &[f32]) -> Option<Detection> {
        assert_eq!(frame.len(), FRAME);
        self.fed += 1;
        (frame[0] < -0.5).then_some(Detection { confidence: 0.75 })
    }

    fn reset(&mut self) {
        self.fed = 0;
    }
}

fn settings() -> SpeechSettings {
    let mut settings = SpeechSettings::new("whisper", "vad");
    settings.min_speech = Duration::from_millis(32 * 3);
    settings.end_silence = Duration::from_millis(32 * 20);
    settings.pre_roll = Duration::from_millis(32 * 4);
    settings.listen_timeout = Duration::from_millis(32 * 50);
    settings.max_utterance = Duration::from_millis(32 * 100);
    settings
}

/// A hearing and all that it noticed.
struct Bench {
    hearing: Hearing<Scripted>,
    notices: Vec<Notice>,
}

impl Bench {
    fn new(idle: Idle) -> Self {
        let wake_word = Box::new(Password::default());
        let hearing = Hearing::new(settings(), Scripted, Some(wake_word), idle);
        Self {
            hearing,
            notices: Vec::new(),
        }
    }

    /// Frames of `#` speech, `.` silence and `!` the wake word, in pieces that fit no frame.
    fn hear(&mut self, sound: &str) -> &mut Self {
        let level = |sign| match sign {
            '#' => 0.9,
            '!' => -1.0,
            _ => 0.0,
        };
        let samples: Vec<f32> = sound.chars().flat_map(|sign| [level(sign); FRAME]).collect();
        for piece in samples.chunks(333) {
            self.hearing.feed(piece, &mut |notice| self.notices.push(notice));
        }
        self
    }

    fn listen(&mut self) -> &mut Self {
        self.hearing
            .listen(Trigger::Asked, &mut |notice| self.notices.push(notice));
        self
    }

    fn await_follow_up(&mut self) -> &mut Self {
        self.hearing.await_follow_up(Duration::from_millis(32 * 30));
        self
    }

    fn attend(&mut self, attention: Attention) {
        self.hearing
            .attend(attention, &mut |notice| self.notices.push(notice));
    }

    fn stop(&mut self) -> &mut Self {
        self.hearing.stop(&mut |notice| self.notices.push(notice));
        self
    }

    /// What was noticed, with captures as their frames, `#` or `.`.
    fn story(&self) -> Vec<String> {
        let tell = |notice: &Notice| match notice {
            Notice::WakeWord {
                wake_word,
                confidence,
            } => format!("{wake_word} {confidence}"),
            Notice::Awoken => "awoken".into(),
            Notice::Started(trigger) => format!("{trigger:?}"),
            Notice::Ended(None) => "nothing".into(),
            Notice::Ended(Some(samples)) => samples
                .chunks(FRAME)
                .map(|frame| if frame[0] > 0.5 { '#' } else { '.' })
                .collect(),
        };
        self.notices.iter().map(tell).collect()
    }
}

/// More silence than ends anything.
fn quiet() -> String {
    ".".repeat(60)
}

#[test]
fn at_rest_nothing_is_captured_until_somebody_asks() {
    let mut bench = Bench::new(Idle::Rest);
    bench.hear("########").hear(&quiet());
    assert_eq!(bench.story(), [""; 0]);
    bench.listen().hear("........##########").hear(&quiet());
    assert_eq!(bench.story(), ["Asked", "....##########............"]);
    bench.hear("########").hear(&quiet());
    assert_eq!(bench.story().len(), 2);
}

#[test]
fn a_capture_in_which_nobody_speaks_ends_with_nothing() {
    let mut bench = Bench::new(Idle::Rest);
    bench.listen().hear(&quiet());
    assert_eq!(bench.story(), ["Asked", "nothing"]);
}

#[test]
fn watching_opens_a_capture_for_whoever_speaks_again_and_again() {
    let mut bench = Bench::new(Idle::Watch(Trigger::Voice));
    for _ in 0..2 {
        bench.hear(&quiet()).hear("######").hear(&quiet());
    }
    let heard = "....######............";
    assert_eq!(bench.story(), ["Voice", heard, "Voice", heard]);
}

#[test]
fn an_endless_speech_is_captured_in_pieces_without_a_gap() {
    let mut bench = Bench::new(Idle::Watch(Trigger::Voice));
    bench.hear(&"#".repeat(250)).hear(&quiet());
    let story = bench.story();
    assert_eq!(story.len(), 6);
    let spoken: usize = story.iter().map(|piece| piece.matches('#').count()).sum();
    assert_eq!(spoken, 250);
}

#[test]
fn asking_while_watching_announces_the_capture_at_once_and_gives_it_an_end() {
    let mut bench = Bench::new(Idle::Watch(Trigger::Voice));
    bench.hear(&quiet()).listen();
    assert_eq!(bench.story(), ["Asked"]);
    bench.listen().hear(&quiet());
    assert_eq!(bench.story(), ["Asked", "nothing"]);
    bench.hear("######").hear(&quiet());
    assert_eq!(bench.story()[2], "Voice");
}

#[test]
fn stopping_keeps_what_was_said_down_to_the_last_samples() {
    let mut bench = Bench::new(Idle::Rest);
    bench.listen().hear("..###########").stop();
    assert_eq!(bench.story()[0], "Asked");
    assert_eq!(bench.story()[1].matches('#').count(), 11);
    assert_eq!(bench.notices.len(), 2);
    bench.stop();
    assert_eq!(bench.notices.len(), 2);
}

#[test]
fn stopping_counts_even_a_short_word_but_not_silence() {
    let mut bench = Bench::new(Idle::Rest);
    bench.listen().hear(".....#....").stop();
    assert_eq!(bench.story()[1].matches('#').count(), 1);
    bench.listen().hear("..........").stop();
    assert_eq!(bench.story()[2..], ["Asked", "nothing"]);
}

#[test]
fn a_wake_word_is_reported_before_the_capture_it_opens() {
    let mut bench = Bench::new(Idle::Rest);
    bench.hear("...!").hear("..####").hear(&quiet());
    assert_eq!(
        bench.story(),
        ["hey_loquat 0.75", "WakeWord", "....####............"]
    );
    bench.listen().hear("!!!!####").hear(&quiet());
    assert_eq!(
        bench
            .notices
            .iter()
            .filter(|notice| matches!(notice, Notice::WakeWord { .. }))
            .count(),
        1
    );
}

#[test]
fn what_was_said_while_a_wake_word_was_being_noticed_is_kept() {
    let mut bench = Bench::new(Idle::Rest);
    bench.hear("......##!").hear("######").hear(&quiet());
    assert_eq!(bench.story()[2], "##.######............");
}

#[test]
fn deaf_it_hears_nothing_and_keeps_the_pairs() {
    let mut bench = Bench::new(Idle::Watch(Trigger::Voice));
    bench.hear(&quiet()).hear("########");
    assert_eq!(bench.story(), ["Voice"]);
    bench.attend(Attention::Deaf);
    bench.hear("########").listen().hear("!").hear(&quiet());
    assert_eq!(bench.story(), ["Voice", "nothing"]);
    bench.attend(Attention::Awake);
    bench.hear(&quiet()).hear("########").hear(&quiet());
    assert_eq!(bench.story().len(), 4);
}

#[test]
fn asleep_it_hears_its_wake_word_alone_and_wakes_up() {
    for idle in [Idle::Rest, Idle::Watch(Trigger::Voice)] {
        let mut bench = Bench::new(idle);
        bench.attend(Attention::Asleep);
        bench.hear("########").listen().hear(&quiet());
        assert_eq!(bench.story(), [""; 0]);
        bench.hear("...!").hear("..####").hear(&quiet());
        assert_eq!(
            bench.story(),
            ["awoken", "hey_loquat 0.75", "WakeWord", "....####............"]
        );
        assert_eq!(bench.hearing.attention(), Attention::Awake);
    }
}

#[test]
fn memory_does_not_grow_while_nobody_speaks() {
    let mut bench = Bench::new(Idle::Watch(Trigger::Voice));
    for _ in 0..100 {
        bench.hear(&quiet());
    }
    let kept = bench
        .hearing
        .capture
        .as_ref()
        .map(|capture| capture.samples.len());
    assert_eq!(kept, Some((NOTICING_FRAMES as usize + 4) * FRAME));
}

#[test]
fn the_end_of_the_sound_ends_what_is_being_said_be_it_ever_so_short() {
    for (sound, expected) in [("...##", 2), (".........#########.", 9), ("......#", 1)] {
        let mut bench = Bench::new(Idle::Watch(Trigger::File));
        bench.hear(sound);
        bench.hearing.finish(&mut |notice| bench.notices.push(notice));
        let story = bench.story();
        assert_eq!(
            (story[0].as_str(), story[1].matches('#').count()),
            ("File", expected),
            "{sound}"
        );
    }
    let mut bench = Bench::new(Idle::Watch(Trigger::File));
    bench.hear("........");
    bench.hearing.finish(&mut |notice| bench.notices.push(notice));
    assert_eq!(bench.story(), [""; 0]);
}

#[test]
fn a_follow_up_needs_no_wake_word_and_silence_is_not_told() {
    let mut bench = Bench::new(Idle::Rest);
    bench
        .await_follow_up()
        .hear(&quiet())
        .hear("######")
        .hear(&quiet());
    assert_eq!(bench.story(), [""; 0], "it came too late");
    bench
        .await_follow_up()
        .hear("............########")
        .hear(&quiet());
    assert_eq!(bench.story(), ["FollowUp", "....########............"]);
    bench.hear("######").hear(&quiet());
    assert_eq!(bench.story().len(), 2, "the window is closed again");
}

#[test]
fn the_end_of_the_own_voice_is_no_follow_up() {
    let mut bench = Bench::new(Idle::Rest);
    bench.await_follow_up().hear("########").hear(&quiet());
    assert_eq!(bench.story(), [""; 0]);
}

#[test]
fn a_follow_up_is_waited_for_no_more_when_the_device_speaks_or_sleeps() {
    let mut bench = Bench::new(Idle::Rest);
    bench.await_follow_up().hear("............");
    bench.hearing.end_follow_up();
    bench.hear("######").hear(&quiet());
    for attention in [Attention::Deaf, Attention::Asleep] {
        bench.attend(Attention::Awake);
        bench.await_follow_up().hear("............");
        bench.attend(attention);
        bench.hear("######").hear(&quiet());
        bench.await_follow_up().hear("............######").hear(&quiet());
    }
    assert_eq!(bench.story(), [""; 0]);
}

#[test]
fn a_person_who_is_asked_in_the_window_is_captured_as_asked() {
    let mut bench = Bench::new(Idle::Rest);
    bench
        .await_follow_up()
        .hear("............")
        .listen()
        .hear(&quiet());
    assert_eq!(bench.story(), ["Asked", "nothing"]);
}

#[test]
fn a_wake_word_in_the_window_opens_the_capture_behind_it() {
    let mut bench = Bench::new(Idle::Rest);
    bench
        .await_follow_up()
        .hear("............!")
        .hear("..####")
        .hear(&quiet());
    assert_eq!(
        bench.story(),
        ["hey_loquat 0.75", "WakeWord", "....####............"]
    );
    let mut bench = Bench::new(Idle::Rest);
    bench
        .await_follow_up()
        .hear("............####!")
        .hear("......####")
        .hear(&quiet());
    assert_eq!(bench.story(), ["FollowUp", "....####............"]);
}
