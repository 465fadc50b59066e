//! Feeds any text to the decoder: it never panics, an answer can be said, and strict JSON arguments stay as they are.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loquat_agent::brain::{ChatReply, Finish, NativeCall, Usage};
use loquat_agent::decoder::{Arguments, Names, Verdict, decode};
use serde_json::{Map, Value};

fn reply(content: &str, arguments: Option<&str>, finish: Finish) -> ChatReply {
    let native = |arguments: &str| NativeCall {
        id: "call_1".into(),
        name: "add".into(),
        arguments: arguments.into(),
    };
    ChatReply {
        content: content.into(),
        reasoning: String::new(),
        tool_calls: arguments.map(native).into_iter().collect(),
        finish,
        usage: Usage::default(),
    }
}

fuzz_target!(|text: &str| {
    let names = Names::new(["add", "echo"].map(str::to_owned));
    for finish in [Finish::Stop, Finish::Length] {
        if let Verdict::Answer { text, .. } = decode(&reply(text, None, finish), &names).verdict {
            assert!(!loquat_agent::speakable(&text).is_empty());
        }
    }
    let called = decode(&reply("", Some(text), Finish::ToolCalls), &names).verdict;
    if let Ok(strict) = serde_json::from_str::<Map<String, Value>>(text) {
        match called {
            Verdict::Calls { calls, .. } => assert_eq!(calls[0].arguments, Arguments::Named(strict)),
            other => panic!("{other:?}"),
        }
    }
});
