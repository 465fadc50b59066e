//! Calls and answers in a dress that no protocol has: other languages, invisible characters, half a mark.

use serde_json::json;

use super::*;

#[test]
fn an_invented_result_is_one_whatever_it_is_called() {
    let call = "Action: add\nAction Input: {\"a\": 2, \"b\": 3}";
    for invented in [
        "Action Output: 6",
        "Tool Output: 6",
        "tool response: 6",
        "**Result:** 6",
        "Output: 6",
        "<tool_response>6</tool_response>",
        "<observation>6</observation>",
    ] {
        check(&format!("{call}\n{invented}\nFINAL_ANSWER: 6"), sum());
    }
    let marked = "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}</tool_call>";
    check(
        &format!("{marked}\n<tool_response>\n{{\"sum\": 6}}\n</tool_response>\nFINAL_ANSWER: 6"),
        sum(),
    );
    check("Thought: sure\nResult: 5\nFINAL_ANSWER: 5", json!("5"));
}

#[test]
fn labels_of_other_languages_are_understood() {
    check(
        "Мысль: x\nДействие: add\nВходные данные: {\"a\": 2, \"b\": 3}",
        sum(),
    );
    check(
        "思考：x\n行动：add\n行动输入：{\"a\": 2, \"b\": 3}\n观察：6\n最终答案：6",
        sum(),
    );
    check("Мысль: y\nОкончательный ответ: пять", json!("пять"));
    check("Gedachte: y\nDefinitief antwoord: vijf", json!("vijf"));
    check("Мысль: мне нужна сумма.", flaw("ThoughtOnly"));
}

#[test]
fn of_two_calls_in_two_grammars_the_labelled_one_counts() {
    let marked = "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}</tool_call>";
    let labelled = "Action: lookup\nAction Input: {\"query\": \"x\"}";
    let looked_up = json!([{"lookup": {"query": "x"}}]);
    check(&format!("{marked}\n{labelled}"), looked_up.clone());
    check(&format!("{labelled}\n{marked}"), looked_up.clone());
    // What is half a call, of no tool, or spoken of is none.
    for none in [
        "<tool_call>{\"name\": \"add\"",
        "<tool_call>{\"name\": \"nothing\", \"arguments\": {}}</tool_call>",
        "Thought: with <tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}</tool_call> it would be quick.",
    ] {
        check(&format!("{none}\n{labelled}"), looked_up.clone());
    }
    check(&format!("{marked}\n{labelled}\nFINAL_ANSWER: 5"), json!("5"));
    let Verdict::Calls { dropped, .. } = decode(&reply(&format!("{marked}\n{labelled}")), &names()).verdict
    else {
        panic!("no call");
    };
    assert_eq!(dropped, ["add"]);
}

#[test]
fn characters_that_nobody_sees_hide_no_label() {
    check(
        "\u{200b}Action: add\n\u{200b}Action Input: {\"a\": 2, \"b\": 3}",
        sum(),
    );
    check(
        "\u{feff}Action\u{200b}: add\nAction\u{a0}Input:\u{200b}{\"a\": 2, \"b\": 3}",
        sum(),
    );
    check("FINAL\u{200b}_ANSWER\u{200b}:\u{200b}5", json!("5"));
}

#[test]
fn half_a_call_is_never_said() {
    let call = "{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}";
    check("I will look it up. <tool_call>", flaw("Broken"));
    check("I will look it up.\n[TOOL_CALLS]", flaw("Broken"));
    check(&format!("Sure! {call}"), flaw("Broken"));
    check(&format!("I called {call} and it gave five."), flaw("Broken"));
    check(
        "The set {1, 2} and {\"a\": 1, \"b\": 2} differ.",
        json!("The set {1, 2} and {\"a\": 1, \"b\": 2} differ."),
    );
    check("FINAL_ANSWER: ...", flaw("Empty"));
    // A reply that is nothing but a call in a fence is one; a program that a sentence shows is none.
    check("```python\nadd(a=2, b=3)\n```", sum());
    check(
        "So one adds:\n```python\nadd(a=2, b=3)\n```\nThat is all.",
        json!("So one adds:\nThat is all."),
    );
    check(
        "So one adds:\n```python\nprint(1 + 2)\n```",
        json!("So one adds:\n```python\nprint(1 + 2)\n```"),
    );
    check("Let me see: add(a=2, b=3)", flaw("Broken"));
    check("Here is my answer: {\"answer\": \"Paris\"}", json!("Paris"));
    check("null", flaw("Empty"));
    for said in ["add: {\"a\": 2, \"b\": 3}", "Sure! {\"add\": {\"a\": 2}}"] {
        check(said, flaw("Broken"));
    }
    check(&format!("tool_call>{call}</tool_call>"), flaw("Broken"));
    check("set_light", json!([{"set_light": {}}]));
    check(
        "The lookup (which is quick) failed.",
        json!("The lookup (which is quick) failed."),
    );
    check("FINAL_ANSWER: %", json!("%"));
}

#[test]
fn an_answer_beats_a_call_in_every_grammar() {
    let call = "{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}";
    for text in [
        format!("FINAL_ANSWER: 5\n{call}"),
        format!("FINAL_ANSWER: 5\n```json\n{call}\n```"),
        format!("FINAL_ANSWER: 5\n<tool_call>{call}</tool_call>"),
        format!("FINAL_ANSWER: 5 <tool_call>{call}</tool_call>"),
        format!("{call}\nFINAL_ANSWER: 5"),
    ] {
        let decoded = decode(&reply(&text), &names());
        let dropped = vec!["add".to_owned()];
        let text_5 = "5".to_owned();
        assert_eq!(
            decoded.verdict,
            Verdict::Answer {
                text: text_5,
                dropped
            },
            "for {text}"
        );
    }
    for text in [
        format!("FINAL_ANSWER: {call}"),
        "FINAL_ANSWER: add(a=2, b=3)".to_owned(),
        format!("FINAL_ANSWER:\n```json\n{call}\n```"),
        format!("{call}\nObservation: 6\nFINAL_ANSWER: 6"),
    ] {
        check(&text, sum());
    }
}

#[test]
fn calls_in_other_dress() {
    check(
        "<tools>\n{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}\n</tools>",
        sum(),
    );
    check(
        "{\"Thought\": \"x\", \"Action\": \"add\", \"Action Input\": {\"a\": 2, \"b\": 3}}",
        sum(),
    );
    check(
        "Action: lookup: capital of France\nPAUSE",
        json!([{"lookup": ["single", "capital of France"]}]),
    );
    check("I call the tool:\n```python\nadd(a=2, b=3)\n```", flaw("Broken"));
}

#[test]
fn a_call_of_another_grammar_beside_the_one_that_runs_is_told() {
    let dropped = |content: &str| match decode(&reply(content), &names()).verdict {
        Verdict::Calls { calls, dropped } => {
            let ran: Vec<String> = calls.into_iter().map(|call| call.tool).collect();
            (ran, dropped)
        }
        other => panic!("for {content}: {other:?}"),
    };
    let expected = (vec!["add".to_owned()], vec!["lookup".to_owned()]);
    let labelled = "Action: add\nAction Input: {\"a\": 2, \"b\": 3}";
    let json = "{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}";
    let other = "{\"name\": \"lookup\", \"arguments\": {\"query\": \"x\"}}";
    let marked = format!("<tool_call>{other}</tool_call>");
    let other_labelled = "Action: lookup\nAction Input: {\"query\": \"x\"}";
    assert_eq!(dropped(&format!("{labelled}\n{marked}")), expected);
    assert_eq!(
        dropped(&format!("<tool_call>{other}</tool_call>\n{labelled}")),
        expected
    );
    assert_eq!(dropped(&format!("{json}\n{marked}")), expected);
    assert_eq!(dropped(&format!("{json}\n{other_labelled}")), expected);
    let twice = dropped(&format!("{labelled}\n<tool_call>{json}</tool_call>"));
    assert_eq!(twice, (vec!["add".to_owned()], Vec::new()), "the same call again");
}

#[test]
fn a_call_that_words_announce_and_go_on_behind_is_only_shown() {
    let call = "{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 3}}";
    for form in [
        call.to_owned(),
        format!("```json\n{call}\n```"),
        format!("```\n{call}\n```"),
        format!("<tool_call>{call}</tool_call>"),
        format!("```xml\n<tool_call>{call}</tool_call>\n```"),
        format!("<|python_tag|>{call}<|eom_id|>"),
        "[add(a=2, b=3)]".to_owned(),
        "<tool_call>\n<function=add>\n<parameter=a>2</parameter>\n</function>\n</tool_call>".to_owned(),
        "Action: add\nAction Input: {\"a\": 2, \"b\": 3}".to_owned(),
        "```\nAction: add\nAction Input: {\"a\": 2, \"b\": 3}\n```".to_owned(),
    ] {
        let without_end = form.starts_with("<|python_tag|>");
        for (before, behind) in [
            ("Like this:", "That is all."),
            ("例如：", "就这样。"),
            ("**Zum Beispiel:**", "So."),
        ] {
            let text = format!("{before}\n{form}\n{behind}");
            if without_end {
                // A token that ends the turn ends what is said.
                continue;
            }
            check(&text, json!(format!("{before}\n{behind}")));
            check(
                &format!("FINAL_ANSWER: {text}"),
                json!(format!("{before}\n{behind}")),
            );
        }
        // Nothing behind it, or nothing before it: the usual forms of a real call.
        for text in [format!("I add:\n{form}"), format!("{form}\n")] {
            let verdict = decode(&reply(&text), &names()).verdict;
            assert!(matches!(verdict, Verdict::Calls { .. }), "{text}: {verdict:?}");
        }
        // Words that do not announce it leave it open.
        let open = decode(&reply(&format!("I am on it.\n{form}\nPlease wait.")), &names());
        let labelled = form.contains("Action:");
        assert!(
            matches!(open.verdict, Verdict::Calls { .. }),
            "{form}: {:?}",
            open.verdict
        );
        assert_eq!(open.guessed, !labelled && !without_end, "{form}");
    }
}

#[test]
fn lines_behind_a_thought_are_the_answer_where_no_call_follows() {
    check("Thought: I know it.\nParis.", json!("Paris."));
    check(
        "Thought: I know it.\n\nParis.\nIn France.",
        json!("Paris.\nIn France."),
    );
    check("Thought: one\nThought: two\nParis.", json!("Paris."));
    check("Thought: I have to:\n1. add\n2. tell", flaw("ThoughtOnly"));
    check("Thought: hm\nCLAIM: c\nVERDICT: true", flaw("ThoughtOnly"));
    check("Thought:\nI know it.", flaw("ThoughtOnly"));
    check(
        "Thought: I add.\nAction: add\nAction Input: {\"a\": 2, \"b\": 3}",
        sum(),
    );
}
