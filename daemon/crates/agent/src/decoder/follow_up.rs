//! The Self-Ask text protocol: `Follow up:`, `Tool:`, `Tool Input:`, `Intermediate answer:`, `So the final answer is:`.
//!
//! A follow-up question is a call of the tool that it names, or of the one that answers questions. An intermediate
//! answer that the brain writes behind a question of its own is invented when a tool could have been asked.

use serde_json::Value;

use super::action::{call_of, input_arguments};
use super::call::{Arguments, Call, Ending, Names};
use super::labels::Table;
use super::marker::{Marker, behind};
use super::sections::{Section, sections};
use super::{Decoded, Verdict, decode as decode_step, part_reply};
use crate::brain::{ChatReply, Finish};

/// What the labels introduce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Question,
    Intermediate,
    Tool,
    Input,
    Aside,
}

const LABELS: Table<Kind> = &[
    (Kind::Question, &["follow", "up", "question"]),
    (Kind::Question, &["followup", "question"]),
    (Kind::Question, &["follow", "up"]),
    (Kind::Question, &["followup"]),
    (Kind::Intermediate, &["intermediate", "answer"]),
    (Kind::Intermediate, &["observation"]),
    (Kind::Input, &["tool", "input"]),
    (Kind::Input, &["action", "input"]),
    (Kind::Input, &["input"]),
    (Kind::Tool, &["tool"]),
    (Kind::Tool, &["action"]),
    (Kind::Aside, &["thought"]),
    (
        Kind::Aside,
        &["are", "follow", "up", "questions", "needed", "here"],
    ),
];

const FINAL: &[Marker] = &[
    (&["so", "the", "final", "answer", "is"], true),
    (&["the", "final", "answer", "is"], true),
    (&["final", "answer", "is"], false),
    (&["final", "answer"], false),
];

/// What the last question of a reply is, and who is to answer it.
#[derive(Debug, Default)]
struct Asked<'t> {
    question: Option<&'t str>,
    tool: Option<&'t str>,
    input: Option<&'t str>,
}

/// Understands a reply. `answering` is the tool that takes a question in words, if there is one.
pub(crate) fn decode(reply: &ChatReply, names: &Names, answering: Option<&str>) -> Decoded {
    let (thought, text) = part_reply(reply);
    let has_tools = names.iter().next().is_some();
    let (own, asked) = read(&text, has_tools);
    let question = asked.question.unwrap_or_default().to_owned();
    let verdict = if let Some(answer) = behind(own, FINAL) {
        let dropped = asked.tool.into_iter().map(str::to_owned).collect();
        Verdict::Answer {
            text: answer.to_owned(),
            dropped,
        }
    } else {
        match call(&asked, names, answering, reply.finish == Finish::Length) {
            Some(call) => Verdict::calls(vec![call]),
            None if !question.is_empty() => Verdict::OwnQuestion(question.clone()),
            None => return decode_step(reply, names),
        }
    };
    let thought = super::join(&thought, &question);
    let ending = if reply.finish == Finish::Length {
        Ending::Cut
    } else {
        Ending::Strict
    };
    Decoded {
        verdict: super::settle(verdict, &thought, ending),
        thought,
        aside: String::new(),
    }
}

/// The part of the text that is the brain's own, and its open question.
fn read(text: &str, has_tools: bool) -> (&str, Asked<'_>) {
    let mut asked = Asked::default();
    let (_, found) = sections(text, LABELS);
    for Section {
        kind,
        start,
        text: value,
    } in found
    {
        let open = asked.question.is_some() || asked.tool.is_some();
        match kind {
            Kind::Intermediate if open && has_tools => {
                return (text.get(..start).unwrap_or_default(), asked);
            }
            // It answered its own question.
            Kind::Intermediate if !value.is_empty() => asked = Asked::default(),
            Kind::Question if has_tools && open => break,
            Kind::Question => asked.question = Some(first_line(value)).filter(|line| !line.is_empty()),
            Kind::Tool if asked.tool.is_none() => asked.tool = Some(first_line(value)),
            Kind::Input if asked.input.is_none() => asked.input = Some(value),
            _ => {}
        }
    }
    (text, asked)
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim()
}

fn call(asked: &Asked<'_>, names: &Names, answering: Option<&str>, cut: bool) -> Option<Call> {
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
    use crate::brain::Usage;

    fn read(text: &str, tools: &[&str]) -> Verdict {
        let reply = ChatReply {
            content: text.to_owned(),
            reasoning: String::new(),
            tool_calls: Vec::new(),
            finish: Finish::Stop,
            usage: Usage::default(),
        };
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
    fn without_tools_the_brain_answers_itself() {
        let asked = read(
            "Are follow up questions needed here? Yes.\nFollow up: Capital?",
            &[],
        );
        assert_eq!(asked, Verdict::OwnQuestion("Capital?".into()));
        let asked = read("Follow up: a?\nIntermediate answer: b.\nFollow up: c?", &[]);
        assert_eq!(asked, Verdict::OwnQuestion("c?".into()));
        let done = read(
            "Follow up: a?\nIntermediate answer: b.\nSo the final answer is: c",
            &[],
        );
        assert!(matches!(done, Verdict::Answer { text, .. } if text == "c"));
    }
}
