//! What is spoken, and what is left out of it.

use proptest::prelude::*;

use super::speakable;

fn check(text: &str, said: &str) {
    assert_eq!(speakable(text), said, "for {text:?}");
}

#[test]
fn ordinary_text_is_left_alone() {
    for text in [
        "2 * 3 = 6",
        "5 < 7",
        "5*3*2 is 30",
        "snake_case and other_names_here",
        "AC/DC",
        "one\ntwo",
        "one\n\ntwo",
        "It costs $5 and C# costs nothing.",
        "-5 degrees",
        "1. Mai",
        "Use a | b in the shell.",
        "[laughs] Hello",
        "a[0] (zero)",
        "Straße, ﬁne, İstanbul",
        "416.5",
        "The temperature is ~20 °C or 2**3.",
        "He said \"hi\" and left.",
        "Note: the action: of the play is slow.",
        "C:\\Users\\me",
        "f(x) = x_1 + x_2",
    ] {
        check(text, text);
    }
}

#[test]
fn markdown_goes() {
    check(
        "**Paris** is the *capital* of __France__, `mostly`.",
        "Paris is the capital of France, mostly.",
    );
    check("# Title\n\nText", "Title\n\nText");
    check("- one\n- two\n* three\n+ four", "one\ntwo\nthree\nfour");
    check("1. one\n2. two", "1. one\n2. two");
    check(
        "See [the page](https://example.org/a_b) now.",
        "See the page now.",
    );
    check("![A cat](cat.png)", "A cat");
    check("```python\nprint(1)\n```", "print(1)");
    check("```42```", "42");
    check(
        "| City | People |\n|---|---|\n| Paris | 2.1 million |",
        "City, People\nParis, 2.1 million",
    );
    check("above\n\n---\n\nbelow", "above\n\nbelow");
    check("> quoted", "quoted");
    check("~~no~~ yes", "no yes");
    check("***both***", "both");
    check("one<br>two <b>three</b>", "one\ntwo three");
    check("5 \\* 3", "5 * 3");
    check(
        "It is \\(416.5\\), that is \\boxed{416.5}.",
        "It is 416.5, that is 416.5.",
    );
    check("<https://example.org>", "https://example.org");
}

#[test]
fn reasoning_and_protocol_go() {
    check("<think>hm</think>Paris", "Paris");
    check("<think/>Paris", "Paris");
    check("Thought: I know.\nFINAL_ANSWER: Paris", "Paris");
    check("**Thought:** I know.\n**FINAL_ANSWER:** Paris", "Paris");
    check(
        "Thought: I need a tool.\nAction: add\nAction Input: {\"a\": 1}",
        "",
    );
    check("It is 5.\nAction: add\nAction Input: {}", "It is 5.");
    check("<tool_call>{\"name\": \"add\"}</tool_call>", "");
    check("Paris<|im_end|>\n<|im_start|>user\nmore", "Paris");
    check("Paris <|reserved_7|>", "Paris");
    check("Use the `<think>` tag.", "Use the think tag.");
    check("Paris\nObservation: {\"x\": 1}", "Paris");
}

#[test]
fn completion_marks_go_unless_they_are_all() {
    check("✅ Completed\nThe light is on.", "The light is on.");
    check("## Summary\nThe light is on.", "The light is on.");
    check("## Reflection\nAll well.", "All well.");
    check("The light is on.\nTask completed.", "The light is on.");
    check("Task completed.", "Task completed.");
}

#[test]
fn json_is_never_said() {
    check("\"Action Input: {}\"", "");
    check("{\"answer\": \"<think>hm</think>Paris\"}", "Paris");
    check("{\"answer\": \"Paris\"}", "Paris");
    check("{\"thought\": \"x\", \"answer\": \"It is **5**.\"}", "It is 5.");
    check("\"Paris\"", "Paris");
    check("[\"one\", \"two\"]", "one\ntwo");
    check("```json\n{\"answer\": \"Paris\"}\n```", "Paris");
    check("{\"sum\": 5}", "5");
    check(
        "{\"city\": \"Paris\", \"people\": 2100000}",
        "city: Paris\npeople: 2100000",
    );
    check("{\"name\": \"add\", \"arguments\": {\"a\": 1}}", "");
    check("{'answer': 'Paris',}", "Paris");
}

proptest! {
    #[test]
    fn nothing_panics_and_no_marker_survives(text in any::<String>()) {
        let said = speakable(&text);
        prop_assert!(!said.contains("<think>"));
    }

    #[test]
    fn markup_soup_does_not_panic(text in "[*_`~#|<>\\[\\]()!\\\\a-c ßﬁİ:\n{}\"-]{0,200}") {
        let once = speakable(&text);
        prop_assert!(once.len() <= 2 * text.len() + 16);
    }
}
