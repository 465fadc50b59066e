//! What a microphone hears, as it hears it: level, speech, each wake word and text, in one line that changes.

use std::time::Duration;

use loquat_part::output::Output;
use loquat_speech::{EarEvent, EarHandle, Meter};
use serde_json::json;

/// How often a person is shown what is heard.
pub(super) const REDRAWN: Duration = Duration::from_millis(100);

/// How often a program is told.
pub(super) const TOLD: Duration = Duration::from_millis(500);

/// Signs of the bar.
const BAR: usize = 24;

/// The quietest level that the bar shows, in decibels of full scale.
const QUIETEST: f32 = -60.0;

/// Shows an ear.
#[derive(Debug)]
pub(super) struct Live {
    output: Output,
    /// What was understood of what is being said.
    text: String,
}

impl Live {
    pub(super) fn new(output: Output) -> Self {
        Self {
            output,
            text: String::new(),
        }
    }

    /// Takes note of an event.
    pub(super) fn event(&mut self, event: &EarEvent) {
        match event {
            EarEvent::SoFar { text, .. } => self.text.clone_from(text),
            EarEvent::RecordStarted { .. } | EarEvent::Heard(_) | EarEvent::NothingHeard => self.text.clear(),
            _ => {}
        }
    }

    /// Shows this moment.
    pub(super) fn show(&self, ear: &EarHandle) {
        self.output.passing(line(&ear.meter(), &self.text));
    }

    /// Tells a program of this moment.
    pub(super) fn tell(&self, ear: &EarHandle) {
        self.output
            .value(&json!({"event": "meter", "meter": ear.meter()}));
    }

    /// Takes the line away.
    pub(super) fn clear(&self) {
        self.output.passing("");
    }
}

/// Writes one line of what is heard.
fn line(meter: &Meter, text: &str) -> String {
    let percent = |number: f32| (number.clamp(0.0, 1.0) * 100.0).round();
    let words = meter.wake_words.iter();
    let words: Vec<String> = words
        .map(|word| format!("{} {:>3} %  ", word.wake_word, percent(word.score)))
        .collect();
    let words = words.concat();
    let level = level(meter.level);
    format!("{level}  speech {:>3} %  {words}{text}", percent(meter.speech))
}

/// Writes a level between 0 and 1 as a bar and in decibels.
pub fn level(level: f32) -> String {
    let decibels = 20.0 * level.max(f32::MIN_POSITIVE).log10();
    let share = ((decibels - QUIETEST) / -QUIETEST).clamp(0.0, 1.0);
    let full = (share * BAR as f32).round() as usize;
    let bar: String = (0..BAR).map(|at| if at < full { '#' } else { '.' }).collect();
    format!("[{bar}] {:>4.0} dB", decibels.max(-99.0))
}

#[cfg(test)]
mod tests {
    use loquat_speech::WordScore;

    use super::*;

    #[test]
    fn a_line_shows_level_speech_each_wake_word_and_text() {
        let meter = |level, speech, scores: &[(&str, f32)]| Meter {
            level,
            speech,
            wake_words: scores
                .iter()
                .map(|(word, score)| WordScore {
                    wake_word: (*word).to_owned(),
                    score: *score,
                })
                .collect(),
        };
        assert_eq!(
            line(&meter(1.0, 0.984, &[]), "turn on"),
            format!("[{}]    0 dB  speech  98 %  turn on", "#".repeat(24))
        );
        assert_eq!(
            line(&meter(0.0, 0.0, &[("hey_mycroft", 1.0), ("alexa", 0.031)]), ""),
            format!(
                "[{}]  -99 dB  speech   0 %  hey_mycroft 100 %  alexa   3 %  ",
                ".".repeat(24)
            )
        );
        assert!(line(&meter(0.031_6, 0.0, &[]), "").starts_with("[############............]  -30 dB"));
    }
}
