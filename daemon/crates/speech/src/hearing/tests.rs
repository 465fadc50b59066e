//! Scripted voices and wake words: the loudness of a sample says how probable speech is.

mod doubted_words;

use std::time::Duration;

use super::capture::NOTICING_FRAMES;
use super::*;
use crate::completeness::Completeness;
use crate::settings::RecordingSettings;
use crate::wake_word::{WakeWord, WakeWordEffect};

/// Takes the first sample of a frame for the probability of speech.
struct Scripted;

impl Voice for Scripted {
    fn probabilities(&mut self, frames: &[f32]) -> [f32; HOP] {
        std::array::from_fn(|frame| frames[frame * FRAME])
    }

    fn reset(&mut self) {}
}

/// Hears its first word in a frame that begins with −1, its second in one with −2, and so on.
struct Passwords(Vec<WakeWord>);

impl Passwords {
    /// `hey_loquat`, to listen.
    fn one() -> Self {
        Self::of(&[("hey_loquat", WakeWordEffect::Listen)])
    }

    fn of(words: &[(&str, WakeWordEffect)]) -> Self {
        let word = |(name, effect): &(&str, WakeWordEffect)| WakeWord {
            name: (*name).to_owned(),
            effect: effect.clone(),
            over_sound_alone: false,
        };
        Self(words.iter().map(word).collect())
    }
}

impl WakeWordDetector for Passwords {
    fn words(&self) -> Vec<WakeWord> {
        self.0.clone()
    }

    fn feed(&mut self, frame: &[f32]) -> Option<Detection> {
        assert_eq!(frame.len(), FRAME);
        let number = (-frame[0]) as usize;
        let word = self.0.get(number.checked_sub(1)?)?.clone();
        let confidence = 0.75;
        Some(Detection { word, confidence })
    }

    fn reset(&mut self) {}
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

struct Bench {
    hearing: Hearing<Scripted>,
    notices: Vec<Notice>,
}

impl Bench {
    fn new(idle: Idle) -> Self {
        Self::with(Passwords::one(), idle)
    }

    fn with(words: Passwords, idle: Idle) -> Self {
        Self {
            hearing: Hearing::new(settings(), Scripted, Some(Box::new(words)), idle),
            notices: Vec::new(),
        }
    }

    /// Hears frames of `#` speech, `.` silence, and `!` or a digit for a wake word, in pieces that fit no frame.
    fn hear(&mut self, sound: &str) -> &mut Self {
        self.hear_apart(sound, sound)
    }

    /// Hears frames for voice activity, and as many that wake words and whisper hear instead.
    fn hear_apart(&mut self, sound: &str, whole: &str) -> &mut Self {
        let (sound, whole) = (samples(sound), samples(whole));
        for (piece, whole) in sound.chunks(333).zip(whole.chunks(333)) {
            self.hearing
                .feed_apart(piece, whole, &mut |notice| self.notices.push(notice));
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

    /// Tells what was noticed, with captures as their frames, `#` or `.`.
    fn story(&self) -> Vec<String> {
        let tell = |notice: &Notice| match notice {
            Notice::WakeWord(Detection { word, confidence }) => format!("{} {confidence}", word.name),
            Notice::Awoken => "awoken".into(),
            Notice::Started(trigger) => format!("{trigger:?}"),
            Notice::Paused { .. } => "pause".into(),
            Notice::WentOn => "went on".into(),
            Notice::Ended(None) => "nothing".into(),
            Notice::Doubted {
                wake_word, samples, ..
            } => format!("{wake_word}? {}", samples.len() / FRAME),
            Notice::RecordingStarted(_) => "recording".into(),
            Notice::RecordingEnded { length, end, .. } => {
                format!("{end:?} after {}", (length.as_secs_f64() / 0.032).round())
            }
            Notice::Ended(Some(samples)) => samples
                .chunks(FRAME)
                .map(|frame| if frame[0] > 0.5 { '#' } else { '.' })
                .collect(),
        };
        self.notices.iter().map(tell).collect()
    }
}

fn samples(sound: &str) -> Vec<f32> {
    let level = |sign| match sign {
        '#' => 0.9,
        '!' => -1.0,
        sign => -(sign.to_digit(10).unwrap_or_default() as f32),
    };
    sound.chars().flat_map(|sign| [level(sign); FRAME]).collect()
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
fn voice_activity_ends_a_capture_of_what_whisper_is_to_hear_instead() {
    let mut bench = Bench::new(Idle::Rest);
    bench.listen().hear("....");
    bench.hear_apart("####..####", "##########").hear(&quiet());
    assert_eq!(bench.story(), ["Asked", "....##########............"]);
}

#[test]
fn a_wake_word_is_heard_where_voice_activity_finds_nothing() {
    let mut bench = Bench::new(Idle::Rest);
    bench.hear_apart("...", ".!.");
    assert_eq!(bench.story().first().map(String::as_str), Some("hey_loquat 0.75"));
    let mut bench = Bench::new(Idle::Rest);
    bench.hear_apart(".!.", "...");
    assert_eq!(bench.story(), [""; 0]);
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
            .filter(|notice| matches!(notice, Notice::WakeWord(_)))
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
    assert_eq!(
        bench.story(),
        ["FollowUp", "hey_loquat 0.75", "....####............"]
    );
}

/// Listens for words of every effect: 1 listens, 2 stops, 3 is for a persona and 4 ends a sleep.
fn every_word(idle: Idle) -> Bench {
    let words = Passwords::of(&[
        ("hey_loquat", WakeWordEffect::Listen),
        ("hush", WakeWordEffect::Stop),
        ("hey_scout", WakeWordEffect::Persona("Scout".into())),
        ("rise", WakeWordEffect::Wake),
    ]);
    Bench::with(words, idle)
}

#[test]
fn each_word_has_an_effect_of_its_own() {
    let mut bench = every_word(Idle::Rest);
    bench.hear("...4").hear("####").hear(&quiet());
    assert_eq!(bench.story(), [""; 0], "it is awake already");
    bench.hear("...2").hear("####").hear(&quiet());
    assert_eq!(bench.story(), ["hush 0.75"], "nothing is heard behind it");
    bench.hear("...3").hear("..####").hear(&quiet());
    assert_eq!(
        bench.story()[1..],
        ["hey_scout 0.75", "WakeWord", "....####............"]
    );
}

#[test]
fn a_sleep_is_ended_by_the_word_that_is_there_for_it_alone() {
    let mut bench = every_word(Idle::Rest);
    bench.attend(Attention::Asleep);
    bench.hear("..1..3..").hear("######").hear(&quiet());
    assert_eq!(bench.story(), [""; 0]);
    bench.hear("..2..");
    assert_eq!(bench.story(), ["hush 0.75"], "an alarm can be silenced");
    assert_eq!(bench.hearing.attention(), Attention::Asleep);
    bench.hear("..4####").hear(&quiet());
    assert_eq!(bench.story()[1..], ["awoken", "rise 0.75"]);
    bench.hear("..1..####").hear(&quiet());
    assert_eq!(bench.story()[3..5], ["hey_loquat 0.75", "WakeWord"]);
}

#[test]
fn words_count_while_it_listens_all_the_time() {
    let mut bench = every_word(Idle::Watch(Trigger::Voice));
    bench.hear(&quiet()).hear("####3").hear("####").hear(&quiet());
    assert_eq!(
        bench.story(),
        ["Voice", "hey_scout 0.75", "##.####............"],
        "what was said before it is not for the persona"
    );
    bench.hear("####2").hear(&quiet());
    assert_eq!(bench.story()[3..], ["Voice", "hush 0.75", "nothing"]);
    bench.hear("######").hear(&quiet());
    assert_eq!(bench.story()[6..], ["Voice", "....######............"]);
}

/// Has everything recorded into a file of this folder.
fn record(bench: &mut Bench, folder: &std::path::Path) -> PathBuf {
    let path = folder.join("note.wav");
    let settings = RecordingSettings {
        path: path.clone(),
        longest: Duration::from_millis(32 * 80),
        silence: Duration::from_millis(32 * 40),
    };
    bench
        .hearing
        .record(&settings, &mut |notice| bench.notices.push(notice));
    path
}

fn recorded(path: &std::path::Path) -> usize {
    let samples = crate::wav::read(path).unwrap();
    samples.chunks_exact(FRAME).filter(|frame| frame[0] > 0.5).count()
}

#[test]
fn a_recording_holds_what_was_said_until_it_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = every_word(Idle::Watch(Trigger::Voice));
    bench.hear("#####");
    let path = record(&mut bench, folder.path());
    bench
        .hear("########........########........")
        .listen()
        .hear("1")
        .stop();
    assert_eq!(bench.story(), ["Voice", "nothing", "recording", "Asked after 33"]);
    assert_eq!(recorded(&path), 16);
    let rights = std::os::unix::fs::PermissionsExt::mode(&path.metadata().unwrap().permissions());
    assert_eq!(rights & 0o777, 0o600);
    bench.hear(&quiet()).hear("######").hear(&quiet());
    assert_eq!(
        bench.story()[4..],
        ["Voice", "....######............"],
        "it listens again"
    );
}

#[test]
fn a_recording_ends_by_a_word_by_silence_by_its_length_and_by_sleep() {
    let sounds = ["########2.......", &quiet(), &"#".repeat(100)];
    let ends = ["StopWord after 9", "Silence after 40", "Full after 80"];
    for (sound, end) in sounds.into_iter().zip(ends) {
        let folder = tempfile::tempdir().unwrap();
        let mut bench = every_word(Idle::Rest);
        record(&mut bench, folder.path());
        bench.hear(sound);
        assert_eq!(bench.story().last().unwrap(), end);
    }
    let folder = tempfile::tempdir().unwrap();
    let mut bench = every_word(Idle::Rest);
    let path = record(&mut bench, folder.path());
    bench.hear("##########");
    bench.attend(Attention::Deaf);
    bench.hear("################");
    bench.attend(Attention::Awake);
    bench.hear("##########");
    bench.attend(Attention::Asleep);
    assert_eq!(
        bench.story()[1..],
        ["Deaf after 20"],
        "what was said while muted is not in it"
    );
    assert_eq!(recorded(&path), 20);
    let mut bench = every_word(Idle::Rest);
    record(&mut bench, folder.path());
    let story = bench.story();
    assert!(story[0].starts_with("Failed(\"File exists"), "{story:?}");
}

/// A hearing that tells pauses of eight frames; a whole text ends after 13 frames, an open one after 38.
fn telling() -> (Bench, Pauses) {
    let pauses = Pauses::default();
    let mut bench = Bench::new(Idle::Rest);
    let words = Box::new(Passwords::one());
    let mut settings = settings();
    settings.max_utterance = Duration::from_millis(32 * 300);
    bench.hearing = Hearing::new(settings, Scripted, Some(words), Idle::Rest).telling_pauses(pauses.clone());
    (bench, pauses)
}

/// Says how whole the text before the last pause is.
fn judge(bench: &mut Bench, pauses: &Pauses, text: Completeness) {
    let number = |notice: &Notice| match notice {
        Notice::Paused { pause, .. } => Some(*pause),
        _ => None,
    };
    let pause = bench.notices.iter().rev().find_map(number).unwrap();
    pauses.judge(pause, text);
    bench.hearing.settle(&mut |notice| bench.notices.push(notice));
}

/// Counts the frames of silence that end an utterance whose text is so whole.
fn silence_until_the_end(text: Completeness) -> usize {
    let (mut bench, pauses) = telling();
    bench.listen().hear("#####..........");
    judge(&mut bench, &pauses, text);
    let ended = |bench: &Bench| matches!(bench.notices.last(), Some(Notice::Ended(_)));
    let mut frames = 10;
    while !ended(&bench) && frames < 100 {
        bench.hear(".....");
        frames += 5;
    }
    frames
}

#[test]
fn a_pause_ends_the_utterance_by_its_text() {
    assert_eq!(silence_until_the_end(Completeness::Whole), 15);
    assert_eq!(silence_until_the_end(Completeness::Unsure), 20);
    assert_eq!(silence_until_the_end(Completeness::Open), 40);
}

#[test]
fn while_the_text_is_not_known_the_longest_pause_is_waited_for() {
    let (mut bench, _pauses) = telling();
    bench.listen().hear(&format!("#####{}", ".".repeat(35)));
    assert_eq!(bench.story(), ["Asked", "pause"]);
    bench.hear(".....");
    assert_eq!(bench.story()[2..], ["#####............"]);
}

#[test]
fn a_text_that_is_known_late_ends_the_utterance_at_once() {
    let (mut bench, pauses) = telling();
    bench.listen().hear(&format!("#####{}", ".".repeat(25)));
    judge(&mut bench, &pauses, Completeness::Unsure);
    assert_eq!(bench.story(), ["Asked", "pause", "#####............"]);
}

#[test]
fn who_speaks_on_is_heard_to_the_end_and_is_told_so() {
    let (mut bench, pauses) = telling();
    bench.listen().hear("#####..........");
    judge(&mut bench, &pauses, Completeness::Open);
    bench.hear(&format!("...............#####{}", ".".repeat(10)));
    judge(&mut bench, &pauses, Completeness::Whole);
    bench.hear(".....");
    let whole = format!("#####{}#####............", ".".repeat(25));
    assert_eq!(bench.story(), ["Asked", "pause", "went on", "pause", &whole]);
}

#[test]
fn what_was_said_until_a_pause_has_as_much_quiet_behind_it_as_an_utterance() {
    let (mut bench, _) = telling();
    bench.listen().hear("#####..........");
    let Some(Notice::Paused { samples, .. }) = bench.notices.last() else {
        panic!("{:?}", bench.story())
    };
    assert_eq!(samples.len(), (5 + 12) * FRAME);
}

#[test]
fn noise_that_never_ends_is_cut_and_the_next_capture_is_harder_to_fool() {
    let mut bench = Bench::new(Idle::Rest);
    let noise = [0.6; FRAME];
    let hear = |bench: &mut Bench, frames: usize| {
        for _ in 0..frames {
            bench
                .hearing
                .feed(&noise, &mut |notice| bench.notices.push(notice));
        }
    };
    for _ in 0..ENDLESS {
        bench.listen();
        hear(&mut bench, 110);
    }
    let cut = bench
        .notices
        .iter()
        .filter(|notice| matches!(notice, Notice::Ended(Some(_))));
    assert_eq!(cut.count(), usize::from(ENDLESS), "each at the longest utterance");
    bench.listen();
    hear(&mut bench, 60);
    assert_eq!(
        bench.notices.last(),
        Some(&Notice::Ended(None)),
        "this noise is no voice"
    );
    bench.listen().hear(&format!("##########{}", ".".repeat(25)));
    bench.listen();
    hear(&mut bench, 110);
    assert!(
        matches!(bench.notices.last(), Some(Notice::Ended(Some(_)))),
        "who was understood meanwhile makes it listen as before"
    );
}

#[test]
fn who_speaks_while_the_device_does_interrupts_it() {
    let mut bench = Bench::new(Idle::Watch(Trigger::Voice));
    bench.hearing.set_speaking(true);
    bench.hear("....#####..........................");
    assert_eq!(bench.story()[0], "Interruption");
    bench.notices.clear();
    bench.hearing.set_speaking(false);
    bench.hear("....#####..........................");
    assert_eq!(bench.story()[0], "Voice");
}

#[test]
fn what_interrupts_ends_soon_behind_the_speech_of_which_it_may_be_an_echo() {
    let (mut bench, _pauses) = telling();
    bench.hearing.set_idle(Idle::Watch(Trigger::Voice));
    bench.hearing.set_speaking(true);
    bench.hear("#####...............");
    bench.hearing.settle(&mut |notice| bench.notices.push(notice));
    assert_eq!(bench.story(), ["Interruption", "pause"], "its text is not known");
    bench.hearing.set_speaking(false);
    bench.hearing.settle(&mut |notice| bench.notices.push(notice));
    bench.hear("#####..........");
    assert_eq!(bench.story()[2..], ["#####............", "Voice", "pause"]);
}

#[test]
fn a_wake_word_ends_the_interruption_that_it_began_as() {
    let mut bench = Bench::new(Idle::Watch(Trigger::Voice));
    bench.hearing.set_speaking(true);
    bench.hear("....#####!..#####..........................");
    let story = bench.story();
    assert_eq!(
        story[..4],
        ["Interruption", "nothing", "hey_loquat 0.75", "WakeWord"]
    );
    assert_eq!(story.len(), 5, "{story:?}");
    assert!(story[4].contains('#'), "{story:?}");
}

#[test]
fn a_wake_word_may_hear_the_same_moments_otherwise() {
    let mut bench = Bench::new(Idle::Rest);
    let notify = &mut |notice| bench.notices.push(notice);
    bench
        .hearing
        .feed_apart(&[0.0; 4 * FRAME], &[-1.0; 4 * FRAME], notify);
    assert_eq!(bench.story()[..2], ["hey_loquat 0.75", "WakeWord"]);
}
