//! Replies in every form that a call or an answer takes.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

mod dress;

fn reply(content: &str) -> ChatReply {
    ChatReply::of_words(content)
}

fn names() -> Names {
    Names::new(["add", "echo", "lookup", "fail", "set_light"].map(str::to_owned))
}

/// The verdict in a form that is quick to write down: the answer, the calls, or the flaw.
fn shape(verdict: &Verdict) -> Value {
    match verdict {
        Verdict::Answer { text, .. } => json!(text),
        Verdict::Calls { calls, .. } => calls
            .iter()
            .map(|call| match &call.arguments {
                Arguments::Named(named) => json!({&call.tool: named}),
                Arguments::Listed { positional, named } => json!({&call.tool: [positional, named]}),
                Arguments::Single(value) => json!({&call.tool: ["single", value]}),
                Arguments::Broken(_) => json!({&call.tool: "broken"}),
            })
            .collect(),
        Verdict::OwnQuestion(question) => json!({"question": question}),
        Verdict::Intermediate(answer) => json!({"intermediate": answer}),
        Verdict::Flawed(flaw) => json!({"flaw": format!("{flaw:?}").split('(').next()}),
    }
}

fn check(content: &str, expected: impl std::borrow::Borrow<Value>) {
    assert_eq!(
        shape(&decode(&reply(content), &names()).verdict),
        *expected.borrow(),
        "for {content}"
    );
}

fn flaw(name: &str) -> Value {
    json!({"flaw": name})
}

fn sum() -> Value {
    json!([{"add": {"a": 2, "b": 3}}])
}

#[test]
fn answers() {
    check("Thought: I know enough.\nFINAL_ANSWER: Paris", json!("Paris"));
    check("thought: easy\nfinal_answer: Paris", json!("Paris"));
    check("**Thought:** done\n**FINAL_ANSWER:** 5", json!("5"));
    check("**FINAL_ANSWER: 5**", json!("5"));
    check("Final Answer: Paris", json!("Paris"));
    check("FINAL_ANSWER Paris", json!("Paris"));
    check("## Final Answer\nParis", json!("Paris"));
    check("FINAL_ANSWER: one\ntwo", json!("one\ntwo"));
    check("FINAL_ANSWER: a\n\nb", json!("a\n\nb"));
    check(
        "FINAL_ANSWER: Lyon? No.\nThought: it is Paris.\nFINAL_ANSWER: Paris",
        json!("Paris"),
    );
    check("FINAL_ANSWER: Paris\nFINAL_ANSWER:", json!("Paris"));
    check(
        "FINAL_ANSWER: Paris\nQuestion: And Italy?\nFINAL_ANSWER: Rome",
        json!("Paris"),
    );
    check("FINAL_ANSWER: Paris\nUser: And Italy?", json!("Paris"));
    check(
        "Question: Capital?\nThought: easy\nFINAL_ANSWER: Paris",
        json!("Paris"),
    );
    check("Thought: I know enough. FINAL_ANSWER: Paris", json!("Paris"));
    check("Thought: done\nAnswer: 5", json!("5"));
    check("Action: Final Answer\nAction Input: Paris", json!("Paris"));
    check("Action: finish[Paris]", json!("Paris"));
    check("FINAL_ANSWER: {\"answer\": \"Paris\"}", json!("Paris"));
    check("{\"thought\": \"easy\", \"answer\": \"Paris\"}", json!("Paris"));
    check(
        "```json\n{\"thought\": \"easy\", \"answer\": \"Paris\"}\n```",
        json!("Paris"),
    );
    check("Hi there!", json!("Hi there!"));
    check(
        "Thought: Die Straße ist groß, ﬁn, İ.\nFINAL_ANSWER: 42",
        json!("42"),
    );
    check(
        "{\"thought\": \"x\", \"answer\": \"The <think> tag opens it.\"}",
        json!("The <think> tag opens it."),
    );
}

#[test]
fn calls() {
    for content in [
        "Thought: add\nAction: add\nAction Input: {\"a\": 2, \"b\": 3}",
        "**Thought:** add\n**Action:** add\n**Action Input:** {\"a\": 2, \"b\": 3}",
        "action: add\naction input: {\"a\": 2, \"b\": 3}",
        "Thought: add\nAction : add\nAction  Input : {\"a\": 2, \"b\": 3}",
        "Action: `add`\nAction Input: `{\"a\": 2, \"b\": 3}`",
        "Action: \"add\"\nAction Input: {\"a\": 2, \"b\": 3}",
        "Action: add\nAction Input:\n```json\n{\"a\": 2, \"b\": 3}\n```",
        "```\nAction: add\nAction Input: {\"a\": 2, \"b\": 3}\n```",
        "Action: add\nAction Input: {'a': 2, 'b': 3}",
        "Action: add\nAction Input: {\"a\": 2, \"b\": 3,}",
        "Action: add\nAction Input: {\"a\": 2, \"b\": 3",
        "Action: add\nAction Input: {\n  \"a\": 2,\n  \"b\": 3\n}\n",
        "Action: add\nAction Input: {\"a\": 2, \"b\": 3} as asked.",
        "Action: add\nAction Input: {\"a\": 2, \"b\": 3}\nThis will do.",
        "Action Input: {\"a\": 2, \"b\": 3}\nAction: add",
        "Action: add {\"a\": 2, \"b\": 3}",
        "Action: add({\"a\": 2, \"b\": 3})",
        "Action: add(a=2, b=3)",
        "Action: {\"tool\": \"add\", \"inputs\": {\"a\": 2, \"b\": 3}, \"final_answer\": false}",
        "action: {\"tool\": \"add\", \"inputs\": {\"a\": 2, \"b\": 3}, \"final_answer\": \"false\"}",
        "Action: ```json\n{\"tool\": \"add\", \"inputs\": {\"a\": 2, \"b\": 3}}\n```",
        "<think>Maybe Action: fail\nAction Input: {} ... no.</think>\nAction: add\nAction Input: {\"a\":2,\"b\":3}",
        "<think>FINAL_ANSWER: 6</think><tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}</tool_call>",
        "Thought: I cannot give a FINAL_ANSWER: before I add.\nAction: add\nAction Input: {\"a\":2,\"b\":3}",
        "Action: add\nAction Input: {\"a\": 2, \"b\": 3}\nObservation: {\"sum\": 6}\nFINAL_ANSWER: 6",
        "{\"name\": \"add\", \"parameters\": {\"a\": 2, \"b\": 3}}",
        "{\"thought\": \"x\", \"call\": {\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}}",
        "Thought: add\n{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}",
        "I will add.\n```json\n{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}\n```",
        "[add(a=2, b=3)]",
        "add(a=2, b=3)",
        "<|python_tag|>{\"name\": \"add\", \"parameters\": {\"a\": 2, \"b\": 3}}<|eom_id|>",
        "FINAL_ANSWER: <tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}</tool_call>",
    ] {
        check(content, sum());
    }
    check("Thought: try\nAction: fail", json!([{"fail": {}}]));
    check(
        "Action: lookup\nAction Input: capital of France",
        json!([{"lookup": ["single", "capital of France"]}]),
    );
    check(
        "Action: lookup\nAction Input: \"capital of France\"",
        json!([{"lookup": ["single", "capital of France"]}]),
    );
    check(
        "Action: lookup[capital of France]",
        json!([{"lookup": ["single", "capital of France"]}]),
    );
    check(
        "Action: set_light(kitchen, on)",
        json!([{"set_light": [["kitchen", "on"], {}]}]),
    );
    check(
        "Action: google\nAction Input: {\"q\": \"x\"}",
        json!([{"google": {"q": "x"}}]),
    );
    check(
        "Action: echo\nAction Input: {\"text\": \"one\nThought: two\nAction: three\"}",
        json!([{"echo": {"text": "one\nThought: two\nAction: three"}}]),
    );
    check(
        "Action: add\nAction Input: {\"a\": 2, b",
        json!([{"add": "broken"}]),
    );
}

#[test]
fn only_the_first_action_counts() {
    let two = "Action: add\nAction Input: {\"a\": 1}\nAction: echo\nAction Input: {\"text\": \"x\"}";
    let decoded = decode(&reply(two), &names()).verdict;
    match decoded {
        Verdict::Calls { calls, dropped } => {
            assert_eq!((calls.len(), calls[0].tool.as_str()), (1, "add"));
            assert_eq!(dropped, ["echo"]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_answer_beats_a_call() {
    let both = "Action: add\nAction Input: {\"a\": 2}\nFINAL_ANSWER: 4";
    assert_eq!(
        decode(&reply(both), &names()).verdict,
        Verdict::Answer {
            text: "4".to_owned(),
            dropped: vec!["add".to_owned()]
        }
    );
}

#[test]
fn prose_calls_nothing() {
    for content in [
        "The word Action: is often used in plays.",
        "You could say Action: add, but I would rather not.",
        "Action: press the red button",
        "I would use {\"name\": \"add\", \"arguments\": {\"a\": 1}} for that.",
        "The add tool adds; lookup(query) looks up.",
        "To add, write `<tool_call>` and the call.",
        "Never use Action: add Action Input: {\"a\": 2}, it is dangerous.",
        "Input: two numbers\nOutput: their sum",
        "rm -rf / is a shell command.\n```sh\nadd 1 2\n```",
    ] {
        let verdict = decode(&reply(content), &names()).verdict;
        assert!(
            !matches!(verdict, Verdict::Calls { .. }),
            "{content}: {verdict:?}"
        );
    }
}

#[test]
fn flaws_are_told_apart() {
    check("", flaw("Empty"));
    check("  \n ", flaw("Empty"));
    check("<think>Let me see, the capital", flaw("ThoughtOnly"));
    check("Thought: I should add them.", flaw("ThoughtOnly"));
    check("FINAL_ANSWER:", flaw("Empty"));
    check("Observation: {\"sum\": 5}\nFINAL_ANSWER: 5", flaw("Empty"));
    check("Action: None", flaw("NoTool"));
    check(
        "{\"tool\": null, \"inputs\": {}, \"final_answer\": true}",
        flaw("NoTool"),
    );
    check("{\"sum\": 5}", flaw("Json"));
    check(
        "{\"thought\": \"x\", \"call\": {\"name\": \"add\", \"arg",
        flaw("Broken"),
    );
    check(
        "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": \"x</tool_call>",
        flaw("Broken"),
    );
}

#[test]
fn a_cut_reply_is_not_taken_for_a_whole_one() {
    let cut = |content: &str| {
        shape(
            &decode(
                &ChatReply {
                    finish: Finish::Length,
                    ..reply(content)
                },
                &names(),
            )
            .verdict,
        )
    };
    assert_eq!(
        cut("FINAL_ANSWER: Paris is old. It lies on the"),
        json!("Paris is old.")
    );
    assert_eq!(cut("FINAL_ANSWER: Paris lies on the"), flaw("CutOff"));
    assert_eq!(cut("{\"thought\": \"x\", \"answer\": \"Paris li"), flaw("CutOff"));
    for half in [
        "Action: add\nAction Input: {\"a\": 2",
        "Action: {\"tool\": \"add\", \"inputs\": {\"a\": 2",
        "Action: add(a=2, ",
        "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 2",
        "[TOOL_CALLS] [{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}",
    ] {
        assert_eq!(cut(half), flaw("CutOff"), "{half}");
    }
    assert_eq!(cut("Thought: now.\nAction: add"), flaw("Broken"));
    assert_eq!(
        cut("Action: add\nAction Input: {\"a\": 2, \"b\": 3}\nObservation: {\"su"),
        sum()
    );
    assert_eq!(cut("<think>Let me see"), flaw("CutOff"));
    // Found by the fuzzer: what is left of the cut answer cannot be said.
    assert_eq!(cut("\"\"\n\n[A"), flaw("CutOff"));
}

#[test]
fn native_calls_are_read() {
    let native = |arguments: &str| ChatReply {
        tool_calls: vec![NativeCall {
            id: "c1".into(),
            name: "add".into(),
            arguments: arguments.into(),
        }],
        ..reply("Let me add.")
    };
    let read = |arguments: &str| shape(&decode(&native(arguments), &names()).verdict);
    assert_eq!(read("{\"a\": 2, \"b\": 3}"), sum());
    assert_eq!(read("{\"a\": 2, \"b\": 3"), sum());
    assert_eq!(read(""), json!([{"add": {}}]));
    assert_eq!(read("{\"a\": \"x"), json!([{"add": "broken"}]));
    assert_eq!(
        read("\"{\\\"a\\\": 2, \\\"b\\\": 3}\""),
        json!([{"add": ["single", "{\"a\": 2, \"b\": 3}"]}])
    );
    assert_eq!(decode(&native("{}"), &names()).aside, "Let me add.");
}

#[test]
fn thoughts_are_collected_and_never_answered() {
    let decoded = decode(
        &ChatReply {
            reasoning: "one".into(),
            ..reply("<think>two</think>Thought: three\nFINAL_ANSWER: Paris")
        },
        &names(),
    );
    assert_eq!(decoded.thought, "one\ntwo\nthree");
    assert_eq!(shape(&decoded.verdict), json!("Paris"));
}

/// A name and what it does to a text.
type Variant = (&'static str, fn(&str) -> String);

/// Renders one call in every grammar and damages it one way at a time; all must come back exactly.
#[test]
fn every_damage_in_every_grammar_is_recovered() {
    let arguments =
        json!({"text": "say, } \"ok\": it's ß {x}", "n": {"deep": [1, 2.5, true, null]}, "k": -3});
    let damages: [Variant; 8] = [
        ("none", str::to_owned),
        ("trailing comma", |json| format!("{},}}", &json[..json.len() - 1])),
        ("last closer missing", |json| json[..json.len() - 1].to_owned()),
        ("last two closers missing", |json| {
            json[..json.len() - 2].to_owned()
        }),
        ("bare keys", |json| {
            json.replace("\"text\":", "text:")
                .replace("\"n\":", "n:")
                .replace("\"k\":", "k:")
        }),
        ("Python literals", |json| {
            json.replace("true", "True").replace("null", "None")
        }),
        ("comment", |json| format!("{{ // the arguments\n{}", &json[1..])),
        ("curly quotes", |json| {
            json.replace("\"k\"", "“k”").replace("\"n\"", "“n”")
        }),
    ];
    let grammars: [Variant; 9] = [
        ("react", |json| {
            format!("Thought: x\nAction: echo\nAction Input: {json}")
        }),
        ("react fenced", |json| {
            format!("Thought: x\nAction: echo\nAction Input:\n```json\n{json}\n```")
        }),
        ("react invented", |json| {
            format!("Action: echo\nAction Input: {json}\nObservation: none\nFINAL_ANSWER: y")
        }),
        ("call", |json| format!("Action: echo({json})")),
        ("hermes", |json| {
            format!("<tool_call>{{\"name\": \"echo\", \"arguments\": {json}}}</tool_call>")
        }),
        ("mistral", |json| format!("[TOOL_CALLS]echo[ARGS]{json}")),
        ("llama", |json| {
            format!("<|python_tag|>{{\"name\": \"echo\", \"parameters\": {json}}}")
        }),
        ("bare", |json| {
            format!("{{\"name\": \"echo\", \"arguments\": {json}}}")
        }),
        ("function", |json| format!("<function=echo>{json}</function>")),
    ];
    for (damage, harm) in damages {
        // The deep member comes last, so that two missing closers fall into it.
        let ordered = json!({"text": arguments["text"], "k": arguments["k"], "n": arguments["n"]});
        let harmed = harm(&ordered.to_string());
        for (grammar, render) in grammars {
            let content = render(&harmed);
            let found = shape(&decode(&reply(&content), &names()).verdict);
            assert_eq!(
                found,
                json!([{"echo": arguments}]),
                "{damage} in {grammar}: {content}"
            );
        }
    }
}

proptest! {
    #[test]
    fn no_reply_panics(content in any::<String>(), cut in any::<bool>()) {
        let finish = if cut { Finish::Length } else { Finish::Stop };
        drop(decode(&ChatReply { finish, ..reply(&content) }, &names()));
    }

    #[test]
    fn no_protocol_soup_panics(parts in proptest::collection::vec(prop_oneof![
        Just("Thought:"), Just("Action:"), Just("Action Input:"), Just("FINAL_ANSWER:"), Just("Observation:"),
        Just("\n"), Just(" "), Just("add"), Just("{\"a\": 1}"), Just("{"), Just("}"), Just("["), Just("]"), Just("("),
        Just(")"), Just("```"), Just("<think>"), Just("</think>"), Just("<tool_call>"), Just("</tool_call>"),
        Just("[TOOL_CALLS]"), Just("<|python_tag|>"), Just("<function="), Just("ß"), Just("ﬁ"), Just("İ"), Just("**"),
        Just("<|channel|>analysis"), Just("<|channel|>commentary to=add"), Just("<|message|>"), Just("<|call|>"),
        Just("<|start|>"), Just("<arg_key>"), Just("<arg_value>"), Just("<invoke name="), Just("<parameter name="),
        Just("<|tool_call_begin|>"), Just("<|tool_call_argument_begin|>"), Just("<start_function_call>call:"),
        Just("<escape>"), Just("\""), Just("'"), Just(","), Just("name"), Just("{\"name\": \"add\", \"arguments\": {}}"),
    ], 0..40)) {
        let content = parts.concat();
        let decoded = decode(&reply(&content), &names());
        if let Verdict::Answer { text, .. } = decoded.verdict {
            let said = speakable(&text);
            prop_assert!(!said.is_empty());
            for marker in ["<think>", "<tool_call>", "Action Input:"] {
                prop_assert!(!said.lines().any(|line| line.starts_with(marker)), "{said}");
            }
        }
    }

    #[test]
    fn a_call_survives_any_argument(text in any::<String>(), number in any::<i32>()) {
        let arguments = json!({"text": text, "n": number});
        let content = format!("Thought: x\nAction: echo\nAction Input: {arguments}");
        let found = shape(&decode(&reply(&content), &names()).verdict);
        prop_assert_eq!(found, json!([{"echo": arguments}]));
    }
}
