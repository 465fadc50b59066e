//! The hundred requests as a chapter of the book: each with what was called and said, whatever it is. Judges nothing.

use std::time::Duration;

use super::hundred::{Answered, Outcome};
use crate::turn::median;

/// What stands above the table.
const OPENING: &str = "\
# A hundred requests

These requests are about all skills. They were written with the names of the tools in sight and none of the sentences that
Loquat understands, before any of them was said. They were said once, in this order, to the persona that the program brings along,
and this is all that came of it. A request counts as right when a tool that fits was called and the answer holds what it should,
and as a wrong deed when something was changed that was not asked for. Yes was said to all that was asked first, also where a
person would say no.

";

/// The chapter, in the order in which the requests were made.
#[derive(Debug, Default)]
pub struct Chapter {
    rows: String,
    outcomes: Vec<Outcome>,
    times: Vec<Duration>,
}

impl Chapter {
    /// Adds a request and what came of it.
    pub fn add(&mut self, said: &str, outcome: Outcome, answered: &Answered) {
        let tools: Vec<String> = answered
            .called
            .iter()
            .map(|made| format!("`{}`", made.tool))
            .collect();
        let asked = answered.asked.join(" ");
        let row = [said, told(outcome), &asked, &tools.join(", "), &answered.answer];
        let cells = row.map(|cell| cell.replace('|', "\\|").replace('\n', " "));
        self.rows += &["| ", &cells.join(" | "), " |\n"].concat();
        self.outcomes.push(outcome);
        self.times.push(answered.took);
    }

    /// Writes it as Markdown.
    pub fn text(self, command: &str) -> String {
        let count = |wanted: Outcome| self.outcomes.iter().filter(|outcome| **outcome == wanted).count();
        let (right, wrong) = (count(Outcome::Right), count(Outcome::WrongDeed));
        let all = self.outcomes.len();
        let seconds = median(self.times).as_secs_f64();
        format!(
            "{OPENING}Of {all} requests {right} were answered rightly, and for {wrong} something wrong was done. The median answer \
             took {seconds:.1} s.\n`{command}` says them again.\n\n\
             | Said | Came of it | Asked first | Called | Answered |\n| --- | --- | --- | --- | --- |\n{}",
            self.rows
        )
    }
}

const fn told(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Right => "right",
        Outcome::Missed => "not right",
        Outcome::WrongDeed => "wrong deed",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::super::hundred::Made;
    use super::*;

    #[test]
    fn each_request_is_a_row_and_the_counts_stand_above() {
        let mut chapter = Chapter::default();
        let answered = Answered {
            called: vec![Made {
                tool: "flip_coin".to_owned(),
                arguments: Map::new(),
            }],
            told: String::new(),
            asked: vec!["Shall I?".to_owned()],
            answer: "Heads | or\ntails.".to_owned(),
            took: Duration::from_millis(1500),
        };
        chapter.add("Toss a coin", Outcome::Right, &answered);
        chapter.add("Toss it again", Outcome::WrongDeed, &answered);
        let text = chapter.text("make bench");
        assert!(
            text.contains("| Toss a coin | right | Shall I? | `flip_coin` | Heads \\| or tails. |\n"),
            "{text}"
        );
        assert!(
            text.contains("Of 2 requests 1 were answered rightly, and for 1 something wrong was done"),
            "{text}"
        );
        assert!(text.contains("took 1.5 s"), "{text}");
    }
}
