//! Time grows with the reply and no faster, whatever it is made of.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use super::*;

/// A reply is made of these, again and again.
const PIECES: &[&str] = &[
    "Action: {",
    "Action Input: {\"a\": ",
    "{",
    "[",
    "x{",
    "x[",
    " {",
    "\n{",
    "\n[add(",
    "\n[add(a=1), ",
    "\n[{\"name\": \"add\"",
    "<tool_call>",
    "<tool_call>{\"name\": \"add\", \"arguments\": {}}\n",
    "<function=",
    "<function=add><parameter=a>",
    "[TOOL_CALLS]",
    "<|channel|>analysis<|message|>",
    "<|channel|>commentary to=add<|message|>{",
    "<|channel|>final<|message|>a<|end|>",
    "<|start|>",
    "<tool_call>add<arg_key>a</arg_key><arg_value>",
    "<arg_key>",
    "<invoke name=\"add\"><parameter name=\"a\">",
    "<|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{",
    "<start_function_call>call:add{a:<escape>",
    "<escape>",
    "<answer>",
    "<answer>a</answer>",
    "Réponse finale : ",
    "a ANSWER: ",
    "Action: add\nObservation",
    "[TOOL_CALLS]add[ARGS]{",
    "<think>",
    "</think>",
    "a</think>",
    "```",
    "```json\n{\"name\": \"add\", \"arguments\": {}}\n```\n",
    "```json\n{",
    "`",
    "Thought: x\n",
    "Action: add\n",
    "Action: ```\n",
    "Action:\n",
    "Action Input: {\n",
    "{\"name\": ",
    "{\"a\":",
    "add(",
    "print(",
    "[1'a'/**/",
    "\"",
    "'",
    "\\",
    "\"\\u",
    "“",
    "**a",
    "Action: use\n\n",
    "<",
    "<a ",
    "\\boxed{",
    "Observation",
    "FINAL_ANSWER: ",
    "FINAL_ANSWER:\n",
    "FINAL_ANSWER: {",
    "[a](",
    "1/**/'b'",
    "/*",
    "//",
    "#",
    "\n",
    " ",
    ", ",
    "=>",
    "{\"a\": 1}\n",
    "Action Input: {\"a\":\n",
    "ß",
    "İ",
];

/// The lengths of a short reply, and of one sixteen times as long, in bytes.
const SHORT: usize = 4_000;
const TIMES: u32 = 16;

/// Reads the processor time of this thread, which others that are busy do not lengthen.
fn now() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("the clock is after its beginning")
}

fn time(content: &str, names: &Names) -> Duration {
    let reply = ChatReply::of_words(content);
    let started = now();
    if let Verdict::Answer { text, .. } = decode(&reply, names).verdict {
        speakable(&text);
    }
    now().saturating_sub(started)
}

#[test]
fn time_grows_no_faster_than_the_reply() {
    let names = Names::new(["add", "use"].map(str::to_owned));
    for opening in ["", "Thought: x\n", "Action: add\nAction Input: "] {
        for piece in PIECES {
            let of_length = |length: usize| format!("{opening}{}", piece.repeat(length / piece.len()));
            let short = of_length(SHORT);
            let short = (0..3).map(|_| time(&short, &names)).min().unwrap_or_default();
            // Quadratic time would be 256 times as long; the rest is room for memory.
            let bound = short * TIMES * 4 + Duration::from_millis(20);
            let long = of_length(SHORT * TIMES as usize);
            // Caches that others have emptied at the wrong moment get two more chances.
            let fits = (0..3).any(|_| time(&long, &names) < bound);
            assert!(
                fits,
                "{opening:?} and {piece:?}: {short:?} for {SHORT} bytes, more than {bound:?} for {TIMES} times as many"
            );
        }
    }
}
