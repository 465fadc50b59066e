//! What the time goes to between the last sound that is said and the first that is heard. Measures nothing itself.

use serde::Serialize;
use tokio::time::Instant;

/// When what happened, by one clock.
#[derive(Debug, Clone, Copy)]
pub struct Moments {
    /// The last sound of the person.
    pub said: Instant,
    /// It was decided that the person has ended.
    pub ended: Instant,
    /// The words were there.
    pub heard: Instant,
    /// A brain was asked for the first time; absent where none was.
    pub asked: Option<Instant>,
    /// The voice had words to say.
    pub worded: Instant,
    /// The first sound of the loudspeaker behind all that.
    pub sounded: Instant,
}

/// Seconds, one after the other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Parts {
    /// Until it was decided that the person has ended.
    pub end_point: f64,
    /// Until the words were there.
    pub text: f64,
    /// Until a brain was asked, or there were words to say without one.
    pub understanding: f64,
    /// Until there were words to say, calls of tools included.
    pub model: f64,
    /// Until they were heard.
    pub voice: f64,
}

impl Parts {
    /// How they are called, in their order.
    pub const NAMES: [&str; 5] = ["end-point", "text", "understanding", "model", "voice"];

    /// From one moment to the next. A part that was over before it could begin takes no time.
    pub fn of(moments: &Moments) -> Self {
        let mut at = moments.said;
        let mut until = |moment: Instant| {
            let part = moment.saturating_duration_since(at);
            at = at.max(moment);
            part.as_secs_f64()
        };
        Self {
            end_point: until(moments.ended),
            text: until(moments.heard),
            understanding: until(moments.asked.unwrap_or(moments.worded)),
            model: until(moments.worded),
            voice: until(moments.sounded),
        }
    }

    /// All of them, in their order.
    pub fn each(&self) -> [f64; 5] {
        [
            self.end_point,
            self.text,
            self.understanding,
            self.model,
            self.voice,
        ]
    }

    /// From the last sound that was said to the first that was heard.
    pub fn whole(&self) -> f64 {
        self.each().iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn milliseconds(parts: &Parts) -> [u32; 5] {
        parts.each().map(|seconds| (seconds * 1e3).round() as u32)
    }

    #[test]
    fn parts_follow_each_other_and_make_up_the_whole() {
        let said = Instant::now();
        let at = |milliseconds| said + Duration::from_millis(milliseconds);
        let moments = Moments {
            said,
            ended: at(500),
            heard: at(750),
            asked: Some(at(1_000)),
            worded: at(2_000),
            sounded: at(2_250),
        };
        assert_eq!(milliseconds(&Parts::of(&moments)), [500, 250, 250, 1_000, 250]);
        let without_brain = Moments {
            asked: None,
            ..moments
        };
        let parts = Parts::of(&without_brain);
        assert_eq!(milliseconds(&parts), [500, 250, 1_250, 0, 250]);
        assert!((parts.whole() - 2.25).abs() < 1e-9);
    }

    #[test]
    fn what_was_there_before_takes_no_time() {
        let said = Instant::now();
        let moments = Moments {
            said,
            ended: said + Duration::from_millis(500),
            heard: said + Duration::from_millis(400),
            asked: None,
            worded: said + Duration::from_millis(600),
            sounded: said + Duration::from_millis(700),
        };
        let parts = Parts::of(&moments);
        assert_eq!(milliseconds(&parts), [500, 0, 100, 0, 100]);
    }
}
