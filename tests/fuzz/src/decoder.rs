//! What a model says: an answer can be spoken, and strict JSON arguments stay as they are.

use loquat_agent::brain::{ChatReply, Finish, NativeCall, Usage};
use loquat_decoder::{Arguments, Names, Verdict, decode};
use serde_json::{Map, Value};

pub(crate) fn feed(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let names = Names::new(["add", "echo"].map(str::to_owned));
    for finish in [Finish::Stop, Finish::Length] {
        if let Verdict::Answer { text, .. } = decode(&reply(text, None, finish), &names).verdict {
            assert!(
                !loquat_agent::speakable(&text).is_empty(),
                "an answer can be spoken"
            );
        }
    }
    let called = decode(&reply("", Some(text), Finish::ToolCalls), &names).verdict;
    if let Ok(strict) = serde_json::from_str::<Map<String, Value>>(text) {
        let Verdict::Calls { calls, .. } = called else {
            panic!("strict arguments are no call: {called:?}");
        };
        let arguments = calls.into_iter().next().map(|call| call.arguments);
        assert_eq!(arguments, Some(Arguments::Named(strict)));
    }
}

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
