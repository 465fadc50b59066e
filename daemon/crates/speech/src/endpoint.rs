//! Where an utterance begins and ends, decided from one probability of speech per frame. Pure: no sound, no clock.

use std::time::Duration;

use crate::SAMPLE_RATE;
use crate::settings::SpeechSettings;
use crate::voice::FRAME;

/// How far below the threshold the probability may fall inside of speech, as Silero's own iterator does it.
const HYSTERESIS: f32 = 0.15;

/// The rules, in frames.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rules {
    pub(crate) threshold: f32,
    /// Voiced frames that make a beginning.
    pub(crate) min_speech: u32,
    /// Unvoiced frames that make an end.
    pub(crate) end_silence: u32,
    /// The longest utterance.
    pub(crate) max_utterance: u32,
    /// How long to wait for a beginning; absent waits for ever.
    pub(crate) patience: Option<u32>,
}

impl Rules {
    /// The rules of a capture that was asked for, and that must end even without speech.
    pub(crate) fn asked(settings: &SpeechSettings) -> Self {
        Self {
            patience: Some(frames(settings.listen_timeout)),
            ..Self::watching(settings)
        }
    }

    /// The rules of listening for ever.
    pub(crate) fn watching(settings: &SpeechSettings) -> Self {
        Self {
            threshold: settings.vad_threshold,
            min_speech: frames(settings.min_speech).max(1),
            end_silence: frames(settings.end_silence).max(1),
            max_utterance: frames(settings.max_utterance).max(1),
            patience: None,
        }
    }
}

/// The frames of a duration, rounded up.
pub(crate) fn frames(duration: Duration) -> u32 {
    let samples = duration.as_secs_f64() * f64::from(SAMPLE_RATE);
    (samples / FRAME as f64).ceil() as u32
}

/// Something that was decided with the last frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Point {
    /// A person speaks, since this many frames, the last one included.
    Began {
        /// Frames from the first voiced one on.
        frames_ago: u32,
    },
    /// The utterance is over, after this many frames without speech.
    Ended {
        /// Frames since the last voiced one.
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
    Speaking {
        length: u32,
        silent: u32,
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

    /// Whether any frame was voiced, be it too short for a beginning.
    pub(crate) fn heard_voice(&self) -> bool {
        self.voiced
    }

    /// Takes the next frame's probability. After an end it decides nothing more.
    pub(crate) fn feed(&mut self, probability: f32) -> Option<Point> {
        match self.phase {
            Phase::Waiting { waited, score, since } => self.wait(probability, waited + 1, score, since),
            Phase::Speaking { length, silent } => self.follow(probability, length + 1, silent),
            Phase::Over => None,
        }
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
        self.phase = Phase::Speaking { length, silent };
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
