//! No reply makes a form panic or takes it long.

use proptest::prelude::*;

use super::{
    Answer, Calls, Claims, Heard, Join, Phase, Plan, REPLAN, Reasoned, Score, Thought, Thoughts, Verdict,
    Vote, claims,
};
use crate::brain::{ChatReply, Finish, Usage};
use crate::catalogue::Catalogue;
use loquat_decoder::{Names, is_label};

fn read_all(content: &str, finish: Finish) {
    let reply = ChatReply {
        content: content.to_owned(),
        reasoning: String::new(),
        tool_calls: Vec::new(),
        finish,
        usage: Usage::default(),
    };
    let names = Names::new(["add".to_owned(), "lookup".to_owned()]);
    let heard = Heard::new(&reply, &names);
    let catalogue = Catalogue::default();
    let catalogue = &catalogue;
    drop((Answer.read(&heard), Reasoned.read(&heard), Thought.read(&heard)));
    drop((Thoughts { most: 3 }.read(&heard), Plan { most: 3 }.read(&heard)));
    drop((
        Claims { catalogue }.read(&heard),
        Calls { catalogue }.read(&heard),
    ));
    drop((
        Verdict.read(&heard),
        Score.read(&heard),
        Vote { candidates: 3 }.read(&heard),
    ));
    drop(Join.read(&heard));
}

/// Pieces of all protocols, for texts that come near to one.
const PIECES: &[&str] = &[
    "ANSWER:",
    "So the final answer is",
    "CLAIM:",
    "TOOL:",
    "TOOL INPUT:",
    "VERIFIED",
    "SATISFACTORY",
    "not ",
    "#E1",
    " = ",
    "lookup",
    "[",
    "(",
    "{",
    "}",
    ")",
    "]",
    "\"",
    "1.",
    "- ",
    "Step ",
    "10",
    "/",
    "0-",
    "**",
    "\n",
    "ß",
    "İ",
    "REPLAN:",
    "(needs: ",
    "<think>",
    "</think>",
    "```",
    ":",
    "$1",
    " ",
];

proptest! {
    #[test]
    fn no_reply_makes_a_form_panic(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40), any in any::<String>()) {
        read_all(&pieces.concat(), Finish::Stop);
        read_all(&format!("{}{any}", pieces.concat()), Finish::Length);
    }
}

#[test]
fn a_huge_reply_takes_no_time() {
    for piece in PIECES.iter().copied().chain([
        "1 ",
        "#E1 = lookup(",
        "1. lookup(",
        "answer: ",
        "Tool: x\n",
        "So the final answer is: ",
    ]) {
        let started = tokio::time::Instant::now();
        read_all(&piece.repeat(40_000 / piece.len()), Finish::Stop);
        assert!(
            started.elapsed().as_secs() < 10,
            "{piece:?} took {:?}",
            started.elapsed()
        );
    }
}

#[test]
fn no_result_can_look_like_a_label_of_a_phase() {
    let claims = claims::LABELS.iter().map(|(_, words)| words);
    for words in REPLAN.iter().map(|((), words)| words).chain(claims) {
        assert!(is_label(&words.replace(' ', "")), "{words}");
    }
}
