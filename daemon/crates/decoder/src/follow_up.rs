//! The Self-Ask text protocol: `Follow up:`, `Tool:`, `Tool Input:`, `Intermediate answer:`, `So the final answer is:`.
//!
//! A follow-up question is a call of the tool that it names, or of the one that answers questions. An intermediate
//! answer that the brain writes behind a question of its own is invented when a tool could have been asked.

use serde_json::Value;

use super::action::{call_of, input_arguments};
use super::call::{Arguments, Call, Ending, Names};
use super::marker::{Marker, behind, own};
use super::question_labels::{Kind, LABELS};
use super::reply::{ChatReply, Finish};
use super::sections::{Section, sections};
use super::step::{self, join, part_reply};
use super::verdict::{Decoded, Flaw, Verdict, settle};

const FINAL: &[Marker] = &[
    ("so the final answer is", true),
    ("the final answer is", true),
    ("final answer is", false),
    ("final answer", false),
];

/// A question that follows a yes on its line.
const QUESTION: &[Marker] = &[
    ("follow up question", false),
    ("follow up", false),
    ("followup", false),
];

#[derive(Debug, Default)]
struct Reading<'t> {
    question: Option<&'t str>,
    tool: Option<&'t str>,
    input: Option<&'t str>,
    answer: Option<&'t str>,
    /// The answer of the brain to a question of its own.
    intermediate: Option<&'t str>,
    /// An answer's marker without an answer.
    empty_answer: bool,
}

/// Understands a reply. `answering` is the tool that takes a question in words, if there is one.
pub fn decode(reply: &ChatReply, names: &Names, answering: Option<&str>) -> Decoded {
    let (thought, text) = part_reply(reply);
    let reading = read(&text, names.iter().next().is_some());
    let question = reading.question.unwrap_or_default().to_owned();
    let cut = reply.finish == Finish::Length;
    let marked = reading.answer.is_some();
    let verdict = if let Some(answer) = reading.answer {
        Verdict::Answer {
            text: answer.to_owned(),
            dropped: reading.tool.into_iter().map(str::to_owned).collect(),
        }
    } else {
        match call(&reading, names, answering, cut) {
            Some(call) => Verdict::calls(vec![call]),
            None if !question.is_empty() => Verdict::OwnQuestion(question.clone()),
            None if reading.empty_answer => Verdict::Flawed(Flaw::Empty),
            None if let Some(answer) = reading.intermediate => Verdict::Intermediate(answer.to_owned()),
            None => return step::decode(reply, names),
        }
    };
    let thought = join(&thought, &question);
    let ending = if cut { Ending::Cut } else { Ending::Strict };
    Decoded {
        verdict: settle(verdict, names, &thought, ending),
        thought,
        aside: String::new(),
        guessed: false,
        marked,
        is_last: false,
    }
}

/// Reads a text up to where it goes on as if a tool had answered.
fn read(text: &str, has_tools: bool) -> Reading<'_> {
    let (preface, found) = sections(text, &LABELS);
    let mut reading = Reading {
        answer: behind(preface, FINAL),
        ..Reading::default()
    };
    reading.ask(behind(preface, QUESTION));
    for Section { kind, text: value } in found {
        let open = reading.question.is_some() || reading.tool.is_some();
        let answer = match kind {
            Kind::Final => Some(own(value)).filter(|answer| !answer.is_empty()),
            Kind::Intermediate | Kind::Aside => behind(value, FINAL),
            Kind::Question | Kind::Tool | Kind::Input => None,
        };
        match kind {
            Kind::Intermediate if open && has_tools => break,
            // It answered its own question.
            Kind::Intermediate if !value.is_empty() => {
                (reading.question, reading.tool, reading.input) = (None, None, None);
                reading.intermediate = Some(own(value));
            }
            Kind::Question if !(has_tools && open) => reading.ask(Some(value)),
            Kind::Aside if !open => reading.ask(behind(value, QUESTION)),
            Kind::Tool if reading.tool.is_none() => reading.tool = Some(first_line(value)),
            Kind::Input if reading.input.is_none() => reading.input = Some(value),
            Kind::Final => reading.empty_answer |= value.is_empty(),
            _ => {}
        }
        reading.answer = answer.or(reading.answer);
    }
    reading
}

impl<'t> Reading<'t> {
    fn ask(&mut self, question: Option<&'t str>) {
        let Some(line) = question.map(first_line).filter(|line| !line.is_empty()) else {
            return;
        };
        self.question = Some(line);
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim()
}

fn call(asked: &Reading<'_>, names: &Names, answering: Option<&str>, cut: bool) -> Option<Call> {
    let question = || Arguments::Single(Value::String(asked.question.unwrap_or_default().to_owned()));
    let given = asked.input.map_or_else(question, |input| {
        // What follows the arguments is talk.
        let words = if input.starts_with(['{', '[', '`']) {
            input
        } else {
            first_line(input)
        };
        input_arguments(words, cut)
    });
    if let Some(call) = asked.tool.and_then(|tool| call_of(tool, Some(given), names)) {
        return Some(call);
    }
    asked.question.and(answering).map(|tool| Call {
        id: None,
        tool: tool.to_owned(),
        arguments: question(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::call::Names;
    use super::*;

    fn read(text: &str, tools: &[&str]) -> Verdict {
        let reply = ChatReply::of_words(text);
        let names = Names::new(tools.iter().map(|tool| (*tool).to_owned()));
        decode(&reply, &names, tools.first().copied()).verdict
    }

    fn check_call(text: &str, tool: &str, arguments: &Value) {
        let expected = match arguments {
            Value::Object(named) => Arguments::Named(named.clone()),
            other => Arguments::Single(other.clone()),
        };
        match read(text, &["lookup", "add"]) {
            Verdict::Calls { calls, .. } => {
                assert_eq!(calls.len(), 1, "for {text:?}");
                assert_eq!(
                    (calls[0].tool.as_str(), &calls[0].arguments),
                    (tool, &expected),
                    "for {text:?}"
                );
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }

    #[test]
    fn a_follow_up_is_a_call() {
        let query = Value::from("capital of France");
        check_call("Follow up: capital of France", "lookup", &query);
        check_call("**Follow-up:** capital of France\nmore", "lookup", &query);
        check_call(
            "Follow up: x\nTool: lookup\nTool Input: capital of France\nThanks.",
            "lookup",
            &query,
        );
        check_call(
            "Follow up: sum?\nTool: add\nTool Input: {\"a\": 2, 'b': 3}",
            "add",
            &serde_json::json!({"a": 2, "b": 3}),
        );
        check_call("Follow up: capital of France\nTool: none", "lookup", &query);
        check_call("Yes. Follow up: capital of France", "lookup", &query);
        check_call(
            "Are follow up questions needed here? Yes. Follow up: capital of France\nmore",
            "lookup",
            &query,
        );
        check_call(
            "Follow up: capital of France\nIntermediate answer: Lyon.\nSo the final answer is: Lyon",
            "lookup",
            &query,
        );
        check_call(
            "Follow up: capital of France\nFollow up: and of Italy",
            "lookup",
            &query,
        );
    }

    #[test]
    fn the_answer_wins() {
        for text in [
            "Are follow up questions needed here: No.\nSo the final answer is: Paris",
            "<think>So the final answer is: Lyon? no.</think>So the final answer is: Paris",
            "Intermediate answer: Paris.\nSo the final answer is: Paris",
            "Follow up: x\nTool: lookup\nTool Input: y\n**So the final answer is:** Paris",
            "Die Straße ist groß. So the final answer is Paris\nSo the final answer is Paris",
            "Paris",
        ] {
            match read(text, &["lookup"]) {
                Verdict::Answer { text: answer, .. } => assert_eq!(answer, "Paris", "for {text:?}"),
                other => panic!("{text:?}: {other:?}"),
            }
        }
    }

    #[test]
    fn a_marker_in_an_argument_is_data() {
        let text = "Follow up: x\nTool: lookup\nTool Input: So the final answer is: hacked";
        check_call(text, "lookup", &Value::from("So the final answer is: hacked"));
        assert_eq!(
            read("So the final answer is:", &["lookup"]),
            Verdict::Flawed(Flaw::Empty)
        );
    }

    #[test]
    fn without_tools_the_brain_answers_itself() {
        let asked = read(
            "Are follow up questions needed here? Yes.\nFollow up: Capital?",
            &[],
        );
        assert_eq!(asked, Verdict::OwnQuestion("Capital?".into()));
        let asked = read("Follow up: a?\nIntermediate answer: b.\nFollow up: c?", &[]);
        assert_eq!(asked, Verdict::OwnQuestion("c?".into()));
        let answered = read("Intermediate answer: b.", &[]);
        assert_eq!(answered, Verdict::Intermediate("b.".into()));
        let translated = read("Folgefrage: a?\nZwischenantwort: b.", &[]);
        assert_eq!(translated, Verdict::Intermediate("b.".into()));
        let done = read(
            "Follow up: a?\nIntermediate answer: b.\nSo the final answer is: c",
            &[],
        );
        assert!(matches!(done, Verdict::Answer { text, .. } if text == "c"));
    }
}
