//! Wake words that whisper is asked about, and words that are scored only.

use super::*;

/// A hearing whose words count only where that is said.
fn doubting(idle: Idle) -> (Bench, Doubts) {
    let doubts = Doubts::default();
    let mut bench = every_word(idle);
    bench.hearing = bench.hearing.doubting_words(doubts.clone());
    (bench, doubts)
}

/// Says whether the word was said that is doubted.
fn answer(bench: &mut Bench, doubts: &Doubts, was_said: bool) {
    let number = |notice: &Notice| match notice {
        Notice::Doubted { doubt, .. } => Some(*doubt),
        _ => None,
    };
    doubts.judge(bench.notices.iter().rev().find_map(number).unwrap(), was_said);
    bench.hearing.settle(&mut |notice| bench.notices.push(notice));
}

#[test]
fn what_is_said_behind_a_doubted_word_is_whole_once_it_counts() {
    for idle in [Idle::Rest, Idle::Watch(Trigger::Voice)] {
        let (mut bench, doubts) = doubting(idle);
        bench.hear("....##1").hear("######......");
        let doubted = bench.story();
        assert_eq!(doubted.last().unwrap(), "hey_loquat? 7", "{doubted:?}");
        answer(&mut bench, &doubts, true);
        bench.hear(&quiet());
        assert_eq!(
            bench.story()[doubted.len()..],
            ["hey_loquat 0.75", "WakeWord", "##.######............"]
        );
    }
}

#[test]
fn a_word_that_was_not_said_opens_nothing_and_the_next_one_is_heard() {
    let (mut bench, doubts) = doubting(Idle::Rest);
    bench.hear("....##1").hear("######......");
    answer(&mut bench, &doubts, false);
    bench.hear(&quiet());
    assert_eq!(bench.story(), ["hey_loquat? 7"]);
    bench.hear("..3").hear("..####");
    answer(&mut bench, &doubts, true);
    bench.hear(&quiet());
    assert_eq!(bench.story()[2..4], ["hey_scout 0.75", "WakeWord"]);
}

#[test]
fn a_sleep_goes_on_until_the_word_counts_and_who_stops_is_not_doubted() {
    let (doubts, words) = (
        Doubts::default(),
        Passwords::of(&[("hey_loquat", WakeWordEffect::Listen)]),
    );
    let mut bench = Bench::with(words, Idle::Rest);
    bench.hearing = bench.hearing.doubting_words(doubts.clone());
    bench.attend(Attention::Asleep);
    bench.hear("..1").hear("....");
    assert_eq!(bench.hearing.attention(), Attention::Asleep);
    answer(&mut bench, &doubts, true);
    assert_eq!(bench.story()[1..], ["awoken", "hey_loquat 0.75", "WakeWord"]);
    let (mut bench, _) = doubting(Idle::Rest);
    bench.hear("..2");
    assert_eq!(bench.story(), ["hush 0.75"]);
}

#[test]
fn without_an_answer_a_word_counts_in_the_end_and_who_is_asked_needs_none() {
    let (mut bench, _) = doubting(Idle::Rest);
    bench.hear("..1").hear(&".".repeat(200));
    assert_eq!(
        bench.story()[..3],
        ["hey_loquat? 3", "hey_loquat 0.75", "WakeWord"]
    );
    let (mut bench, doubts) = doubting(Idle::Rest);
    bench.hear("..1").hear("..").listen();
    answer(&mut bench, &doubts, true);
    assert_eq!(bench.story(), ["hey_loquat? 3", "Asked"]);
}

#[test]
fn whisper_judges_a_word_and_hears_what_follows_it_without_the_holes_of_voice_activity() {
    let (mut bench, doubts) = doubting(Idle::Rest);
    // Voice activity hears holes where the person speaks over the device; wake words and whisper do not.
    bench.hear_apart("........", "....###1").hear("######......");
    let judged = |notice: &Notice| match notice {
        Notice::Doubted { samples, .. } => Some(samples.clone()),
        _ => None,
    };
    let judged = bench.notices.iter().find_map(judged).unwrap();
    assert_eq!(judged, samples("....###1"));
    answer(&mut bench, &doubts, true);
    bench.hear(&quiet());
    assert_eq!(
        bench.story()[1..],
        ["hey_loquat 0.75", "WakeWord", "##.######............"]
    );
}

/// Counts how often this detector was fed.
#[derive(Default, Clone)]
struct Fed(std::sync::Arc<std::sync::atomic::AtomicUsize>);

impl WakeWordDetector for Fed {
    fn words(&self) -> Vec<WakeWord> {
        Passwords::one().0
    }

    fn feed(&mut self, _frame: &[f32]) -> Option<Detection> {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        None
    }

    fn reset(&mut self) {}
}

#[test]
fn words_are_scored_in_a_capture_that_needs_none_only_where_they_are_shown() {
    for (score_wake_words, expected) in [(false, 0), (true, 4 * HOP)] {
        let fed = Fed::default();
        let settings = SpeechSettings {
            score_wake_words,
            ..settings()
        };
        let mut hearing = Hearing::new(settings, Scripted, Some(Box::new(fed.clone())), Idle::Rest);
        hearing.listen(Trigger::Asked, &mut |_| {});
        hearing.feed(&samples(&".".repeat(4 * HOP)), &mut |_| {});
        assert_eq!(fed.0.load(std::sync::atomic::Ordering::Relaxed), expected);
    }
}
