//! Where an utterance begins and ends, decided from one probability of speech per frame. Pure: no sound, no clock.

use std::time::Duration;

use crate::SAMPLE_RATE;
use crate::settings::SpeechSettings;
use crate::voice::FRAME;

/// Inside of speech the probability may fall this far below the threshold, as Silero's own iterator has it.
const HYSTERESIS: f32 = 0.15;

/// Voiced frames after which a person who paused is taken to speak on. One alone is a click or a breath.
const SPEAKS_ON: u32 = 2;

/// The rules of end-pointing, in frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rules {
    pub(crate) threshold: f32,
    /// Voiced frames that make a beginning.
    pub(crate) min_speech: u32,
    /// Unvoiced frames that make an end.
    pub(crate) end_silence: u32,
    /// Says how pauses are looked at; absent, each one ends the utterance after `end_silence`.
    pub(crate) pause: Option<Pause>,
    /// An utterance ends after this many frames.
    pub(crate) max_utterance: u32,
    /// A beginning is waited for this many frames; absent, for ever.
    pub(crate) patience: Option<u32>,
}

/// Says how a pause is looked at before it becomes an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pause {
    /// Unvoiced frames after which it is told.
    pub(crate) told_after: u32,
    /// Unvoiced frames that make an end for as long as [`EndPointer::wait_for`] was not called.
    pub(crate) longest: u32,
}

impl Rules {
    /// Gives the rules of a capture that was asked for, and that must end even without speech.
    pub(crate) fn asked(settings: &SpeechSettings) -> Self {
        Self {
            patience: Some(frames(settings.listen_timeout)),
            ..Self::watching(settings)
        }
    }

    /// Makes the rules of listening for ever.
    pub(crate) fn watching(settings: &SpeechSettings) -> Self {
        Self {
            threshold: settings.vad_threshold,
            min_speech: frames(settings.min_speech).max(1),
            end_silence: frames(settings.end_silence).max(1),
            pause: None,
            max_utterance: frames(settings.max_utterance).max(1),
            patience: None,
        }
    }

    /// Changes how pauses are looked at.
    pub(crate) fn looking_at_pauses(self, pause: Option<Pause>) -> Self {
        Self { pause, ..self }
    }
}

/// Counts the frames of a duration, rounded up.
pub(crate) fn frames(duration: Duration) -> u32 {
    let samples = duration.as_secs_f64() * f64::from(SAMPLE_RATE);
    (samples / FRAME as f64).ceil() as u32
}

/// A decision that came with the last frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Point {
    /// A person speaks, since this many frames, the last one included.
    Began {
        /// The number of frames since the first voiced one, with it.
        frames_ago: u32,
    },
    /// The person pauses, or has ended.
    Paused,
    /// The person speaks on after a pause that was told.
    WentOn {
        /// The number of frames that the pause lasted.
        silent: u32,
    },
    /// The utterance is over, after this many frames without speech.
    Ended {
        /// Counts the frames since the last voiced one.
        silent: u32,
    },
    /// No person spoke for as long as the rules wait.
    NobodySpoke,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// `score` is voiced frames minus unvoiced ones, `since` the frames since it left zero.
    Waiting {
        waited: u32,
        score: u32,
        since: u32,
    },
    /// `length` is all frames since the beginning, `silent` those since the last voiced one.
    Speaking {
        length: u32,
        silent: u32,
    },
    /// A pause that was told: the last `voiced` frames are voiced, and `wait` frames of silence make an end.
    Pausing {
        length: u32,
        silent: u32,
        voiced: u32,
        wait: u32,
    },
    Over,
}

/// Follows one utterance.
#[derive(Debug)]
pub(crate) struct EndPointer {
    rules: Rules,
    phase: Phase,
    voiced: bool,
}

impl EndPointer {
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            rules,
            phase: Phase::Waiting {
                waited: 0,
                score: 0,
                since: 0,
            },
            voiced: false,
        }
    }

    /// From now on the capture must end even without speech.
    pub(crate) fn limit_patience(&mut self, patience: Option<u32>) {
        self.rules.patience = patience;
        if let Phase::Waiting { waited, .. } = &mut self.phase {
            *waited = 0;
        }
    }

    /// From now on pauses are told after this many frames, if they are told at all and not sooner.
    pub(crate) fn tell_pauses_after(&mut self, frames: u32) {
        if let Some(pause) = &mut self.rules.pause {
            pause.told_after = pause.told_after.min(frames.max(1));
        }
    }

    /// Tells whether any frame was voiced, be it too short for a beginning.
    pub(crate) fn heard_voice(&self) -> bool {
        self.voiced
    }

    /// Takes the next frame's probability. After an end it decides nothing more.
    pub(crate) fn feed(&mut self, probability: f32) -> Option<Point> {
        match self.phase {
            Phase::Waiting { waited, score, since } => self.wait(probability, waited + 1, score, since),
            Phase::Speaking { length, silent } => self.follow(probability, length + 1, silent),
            Phase::Pausing {
                length,
                silent,
                voiced,
                wait,
            } => self.pause(probability, length + 1, silent + 1, voiced, wait),
            Phase::Over => None,
        }
    }

    /// Counts the unvoiced frames at the end.
    pub(crate) fn silent(&self) -> u32 {
        match self.phase {
            Phase::Speaking { silent, .. } | Phase::Pausing { silent, .. } => silent,
            Phase::Waiting { .. } | Phase::Over => 0,
        }
    }

    /// Has the pause that was told last end the utterance after so many frames; they may have passed already.
    pub(crate) fn wait_for(&mut self, frames: u32) -> Option<Point> {
        let Phase::Pausing {
            silent, wait, voiced, ..
        } = &mut self.phase
        else {
            return None;
        };
        *wait = frames.max(1);
        // A person who may be speaking on is waited for one frame longer.
        if *silent < *wait || *voiced > 0 {
            return None;
        }
        let silent = *silent;
        self.phase = Phase::Over;
        Some(Point::Ended { silent })
    }

    fn wait(&mut self, probability: f32, waited: u32, score: u32, since: u32) -> Option<Point> {
        let voiced = probability >= self.rules.threshold;
        self.voiced |= voiced;
        let score = if voiced {
            score + 1
        } else {
            score.saturating_sub(1)
        };
        let since = if score == 0 { 0 } else { since + 1 };
        if score >= self.rules.min_speech {
            self.phase = Phase::Speaking {
                length: since,
                silent: 0,
            };
            return Some(Point::Began { frames_ago: since });
        }
        // A person who has just begun is not cut off.
        if score == 0 && self.rules.patience.is_some_and(|patience| waited >= patience) {
            self.phase = Phase::Over;
            return Some(Point::NobodySpoke);
        }
        self.phase = Phase::Waiting { waited, score, since };
        None
    }

    fn follow(&mut self, probability: f32, length: u32, silent: u32) -> Option<Point> {
        let voiced = probability >= self.rules.threshold - HYSTERESIS;
        let silent = if voiced { 0 } else { silent + 1 };
        if silent >= self.rules.end_silence || length >= self.rules.max_utterance {
            self.phase = Phase::Over;
            return Some(Point::Ended { silent });
        }
        if let Some(pause) = self.rules.pause
            && silent >= pause.told_after
        {
            self.phase = Phase::Pausing {
                length,
                silent,
                voiced: 0,
                wait: pause.longest,
            };
            return Some(Point::Paused);
        }
        self.phase = Phase::Speaking { length, silent };
        None
    }

    fn pause(&mut self, probability: f32, length: u32, silent: u32, voiced: u32, wait: u32) -> Option<Point> {
        let is_voiced = probability >= self.rules.threshold - HYSTERESIS;
        let voiced = if is_voiced { voiced + 1 } else { 0 };
        if voiced >= SPEAKS_ON {
            self.phase = Phase::Speaking { length, silent: 0 };
            let silent = silent - voiced;
            return Some(Point::WentOn { silent });
        }
        // Who may be speaking on is waited for one frame longer.
        if (silent >= wait && voiced == 0) || length >= self.rules.max_utterance {
            self.phase = Phase::Over;
            return Some(Point::Ended { silent });
        }
        self.phase = Phase::Pausing {
            length,
            silent,
            voiced,
            wait,
        };
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Rules = Rules {
        threshold: 0.5,
        min_speech: 3,
        end_silence: 4,
        pause: None,
        max_utterance: 20,
        patience: Some(10),
    };

    /// Feeds one probability per character (`#` voiced, `+` within the hysteresis, `.` silent), and says what was
    /// decided at which frame.
    fn points(rules: Rules, sound: &str) -> Vec<(usize, Point)> {
        let mut end_pointer = EndPointer::new(rules);
        let probability = |sign| match sign {
            '#' => 0.9,
            '+' => 0.4,
            _ => 0.1,
        };
        let decide = |(at, sign)| end_pointer.feed(probability(sign)).map(|point| (at, point));
        sound.chars().enumerate().filter_map(decide).collect()
    }

    #[test]
    fn an_utterance_begins_after_enough_speech_and_ends_after_enough_silence() {
        let expected = vec![
            (4, Point::Began { frames_ago: 3 }),
            (10, Point::Ended { silent: 4 }),
        ];
        assert_eq!(points(RULES, "..#####.....#####...."), expected);
    }

    #[test]
    fn a_click_is_no_beginning_and_a_stutter_is_one() {
        assert_eq!(
            points(
                Rules {
                    patience: None,
                    ..RULES
                },
                "#....##....#....##.......##...."
            ),
            []
        );
        assert_eq!(points(RULES, "##.##"), [(4, Point::Began { frames_ago: 5 })]);
    }

    #[test]
    fn a_pause_shorter_than_the_end_silence_does_not_end_it() {
        let expected = vec![
            (2, Point::Began { frames_ago: 3 }),
            (14, Point::Ended { silent: 4 }),
        ];
        assert_eq!(points(RULES, "###...##..#...."), expected);
    }

    #[test]
    fn inside_of_speech_a_lower_probability_counts() {
        assert_eq!(points(RULES, "+++++..."), []);
        assert_eq!(points(RULES, "###+++++++"), [(2, Point::Began { frames_ago: 3 })]);
    }

    #[test]
    fn speech_without_end_is_cut_at_the_limit() {
        let expected = vec![
            (2, Point::Began { frames_ago: 3 }),
            (19, Point::Ended { silent: 0 }),
        ];
        assert_eq!(points(RULES, &"#".repeat(50)), expected);
    }

    /// Pauses are told after two frames.
    fn looking() -> Rules {
        RULES.looking_at_pauses(Some(Pause {
            told_after: 2,
            longest: 6,
        }))
    }

    #[test]
    fn a_pause_is_told_before_it_ends_the_utterance() {
        let told = points(looking(), "###..###........");
        let expected = [
            (2, Point::Began { frames_ago: 3 }),
            (4, Point::Paused),
            (6, Point::WentOn { silent: 2 }),
            (9, Point::Paused),
            (13, Point::Ended { silent: 6 }),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn pauses_may_be_told_sooner_and_never_later() {
        for (frames, told_at) in [(1, 3), (2, 4), (9, 4)] {
            let mut end_pointer = EndPointer::new(looking());
            end_pointer.tell_pauses_after(frames);
            let points: Vec<Option<Point>> = "###...."
                .chars()
                .map(|sign| end_pointer.feed(if sign == '#' { 0.9 } else { 0.1 }))
                .collect();
            let at = points.iter().position(|point| *point == Some(Point::Paused));
            assert_eq!(at, Some(told_at), "after {frames}");
        }
    }

    #[test]
    fn a_click_in_a_pause_is_no_speech() {
        let told = points(looking(), "###..#.#....");
        let expected = [
            (2, Point::Began { frames_ago: 3 }),
            (4, Point::Paused),
            (8, Point::Ended { silent: 6 }),
        ];
        assert_eq!(told, expected);
        let limited = points(looking(), &format!("###{}", ".#".repeat(20)));
        assert!(limited.len() == 2, "such noise ends at the limit: {limited:?}");
        assert_eq!(limited[1].0, 19);
    }

    #[test]
    fn how_long_a_pause_may_be_is_said_while_it_lasts() {
        for (after, wait, ends_at) in [(4, 3, 5), (5, 3, 5), (6, 3, 6), (4, 9, 11)] {
            let mut end_pointer = EndPointer::new(looking());
            let mut ended = None;
            for (at, sign) in "###.............".chars().enumerate() {
                let point = end_pointer.feed(if sign == '#' { 0.9 } else { 0.1 });
                let settled = (at == after).then(|| end_pointer.wait_for(wait)).flatten();
                if let (None, Some(Point::Ended { silent })) = (ended, point.or(settled)) {
                    ended = Some((at, silent));
                }
            }
            assert_eq!(
                ended,
                Some((ends_at, ends_at as u32 - 2)),
                "said at {after}: {wait}"
            );
        }
        assert_eq!(EndPointer::new(looking()).wait_for(1), None, "no pause was told");
    }

    #[test]
    fn nobody_speaking_ends_only_a_capture_with_patience() {
        assert_eq!(points(RULES, &".".repeat(50)), [(9, Point::NobodySpoke)]);
        assert_eq!(
            points(
                Rules {
                    patience: None,
                    ..RULES
                },
                &".".repeat(50)
            ),
            []
        );
    }

    #[test]
    fn who_begins_at_the_last_moment_is_heard() {
        let expected = [
            (10, Point::Began { frames_ago: 3 }),
            (14, Point::Ended { silent: 4 }),
        ];
        assert_eq!(points(RULES, "........###...."), expected);
    }

    #[test]
    fn patience_may_begin_while_watching() {
        let mut end_pointer = EndPointer::new(Rules {
            patience: None,
            ..RULES
        });
        for _ in 0..30 {
            assert_eq!(end_pointer.feed(0.0), None);
        }
        end_pointer.limit_patience(Some(2));
        assert_eq!(
            [end_pointer.feed(0.0), end_pointer.feed(0.0)],
            [None, Some(Point::NobodySpoke)]
        );
    }

    #[test]
    fn voice_too_short_to_begin_is_remembered() {
        let mut end_pointer = EndPointer::new(RULES);
        end_pointer.feed(0.4);
        assert!(!end_pointer.heard_voice());
        end_pointer.feed(0.9);
        assert!(end_pointer.heard_voice());
    }

    #[test]
    fn durations_become_frames_of_32_ms() {
        assert_eq!(frames(Duration::from_millis(0)), 0);
        assert_eq!(frames(Duration::from_millis(32)), 1);
        assert_eq!(frames(Duration::from_millis(700)), 22);
    }
}
