//! Ends a reply at its stop texts. Never lets a part of a stop text out, however the pieces of the reply are cut.

/// Watches a reply for the stop texts of its request.
#[derive(Debug)]
pub(crate) struct StopTexts {
    texts: Vec<String>,
    held: String,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Passed {
    /// The reply goes on; this much of it is surely not the beginning of a stop text. May be empty.
    On(String),
    /// A stop text was reached; this is the last of the reply.
    Stopped(String),
}

impl StopTexts {
    /// Watches for `texts`; empty ones are left out, since they would end every reply before it began.
    pub(crate) fn new(texts: Vec<String>) -> Self {
        Self {
            texts: texts.into_iter().filter(|text| !text.is_empty()).collect(),
            held: String::new(),
        }
    }

    /// Takes the next piece of the reply.
    pub(crate) fn push(&mut self, piece: &str) -> Passed {
        self.held.push_str(piece);
        let first = self.texts.iter().filter_map(|text| self.held.find(text)).min();
        if let Some(at) = first {
            self.held.truncate(at);
            return Passed::Stopped(std::mem::take(&mut self.held));
        }
        let kept = self.held.split_off(self.safe_length());
        Passed::On(std::mem::replace(&mut self.held, kept))
    }

    /// Gives what was held back, now that the reply is over without a stop text.
    pub(crate) fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }

    /// The length of the held text that cannot be part of a stop text which begins in it.
    fn safe_length(&self) -> usize {
        self.held
            .char_indices()
            .map(|(at, _)| at)
            .find(|&at| self.may_begin_at(at))
            .unwrap_or(self.held.len())
    }

    fn may_begin_at(&self, at: usize) -> bool {
        let rest = self.held.get(at..).unwrap_or_default();
        self.texts.iter().any(|text| text.starts_with(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(stops: &[&str], pieces: &[&str]) -> (Vec<String>, bool) {
        let mut stop = StopTexts::new(stops.iter().map(ToString::to_string).collect());
        let mut shown = Vec::new();
        for piece in pieces {
            match stop.push(piece) {
                Passed::On(text) => shown.push(text),
                Passed::Stopped(text) => {
                    shown.push(text);
                    return (shown, true);
                }
            }
        }
        shown.push(stop.finish());
        (shown, false)
    }

    #[test]
    fn a_stop_text_within_one_piece_ends_the_reply() {
        assert_eq!(run(&["END"], &["one END two"]), (vec!["one ".into()], true));
    }

    #[test]
    fn a_stop_text_over_three_pieces_is_never_shown() {
        let (shown, stopped) = run(&["\nObservation:"], &["sunny\n", "Obser", "vation", ": 3"]);
        assert!(stopped);
        assert_eq!(shown, ["sunny", "", "", ""]);
    }

    #[test]
    fn what_only_looked_like_a_stop_text_is_shown_after_all() {
        let (shown, stopped) = run(&["Observation:"], &["Obser", "ve this", " Ob"]);
        assert!(!stopped);
        assert_eq!(shown, ["", "Observe this", " ", "Ob"]);
    }

    #[test]
    fn the_earliest_of_several_stop_texts_counts() {
        assert_eq!(
            run(&["two", "one"], &["zero one two"]),
            (vec!["zero ".into()], true)
        );
    }

    #[test]
    fn overlapping_beginnings_are_kept_back_in_full() {
        assert_eq!(
            run(&["aab"], &["aa", "aab", "x"]),
            (vec![String::new(), "aa".into()], true)
        );
    }

    #[test]
    fn letters_of_several_bytes_are_not_cut() {
        let (shown, stopped) = run(&["日曜"], &["今日", "は", "日", "曜日"]);
        assert!(stopped);
        assert_eq!(shown, ["今", "日は", "", ""]);
    }

    #[test]
    fn an_empty_stop_text_stops_nothing() {
        assert_eq!(run(&[""], &["abc"]), (vec!["abc".into(), String::new()], false));
    }

    #[test]
    fn every_way_to_cut_a_reply_shows_the_same_text() {
        let reply = "Thought: look → it up\nObservation: none";
        for cut in (0..reply.len()).filter(|&at| reply.is_char_boundary(at)) {
            let (head, tail) = reply.split_at(cut);
            let (shown, stopped) = run(&["\nObservation", "\nFinal"], &[head, tail]);
            assert!(stopped);
            assert_eq!(shown.concat(), "Thought: look → it up", "cut at {cut}");
        }
    }
}
