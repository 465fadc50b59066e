//! A brain that plays a script.

use std::sync::Mutex;
use std::time::Duration;

use futures_util::future::BoxFuture;
use loquat_agent::brain::{
    Asking, Brain, BrainError, Capabilities, ChatReply, ChatRequest, Delta, DeltaSink, Finish, NativeCall,
    Usage,
};
use loquat_agent::record::Reason;
use loquat_agent::turn::Stopper;

/// Says what the brain does when it is asked.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Say(String),
    /// Streams these pieces, which may break off and begin anew, and replies with what it streamed last.
    Stream(Vec<Delta>),
    /// Says this and is cut off by its length limit.
    Cut(String),
    /// Calls these tools natively: id, name, arguments.
    Call(String, Vec<(&'static str, &'static str, String)>),
    /// It only reasons.
    Reason(String),
    /// Says this and counts so many tokens.
    Costly(String, u64),
    /// Says this after a while.
    Slow(Duration, String),
    Fail(BrainError),
    /// Never replies.
    Hang,
    /// Never replies, and meanwhile the person says stop.
    StopMeanwhile(Reason),
    Crash,
}

/// `Step::Say` for short.
pub(crate) fn say(text: impl Into<String>) -> Step {
    Step::Say(text.into())
}

pub(crate) fn call(name: &'static str, arguments: &str) -> Step {
    Step::Call(String::new(), vec![("call_1", name, arguments.to_owned())])
}

/// ReAct text for a call.
pub(crate) fn act(tool: &str, arguments: &str) -> Step {
    say(format!(
        "Thought: I need a tool.\nAction: {tool}\nAction Input: {arguments}"
    ))
}

/// ReAct text for an answer.
pub(crate) fn done(answer: &str) -> Step {
    say(format!("Thought: I know enough.\nFINAL_ANSWER: {answer}"))
}

/// Plays its steps one after the other and keeps what it was asked.
#[derive(Debug)]
pub(crate) struct Script {
    capabilities: Capabilities,
    steps: Mutex<std::vec::IntoIter<Step>>,
    requests: Mutex<Vec<ChatRequest>>,
    stopper: Stopper,
    meter: Option<Meter>,
}

/// Counts the tokens of a request as a server would.
pub(crate) type Meter = fn(&ChatRequest) -> u64;

impl Script {
    pub(crate) fn new(capabilities: Capabilities, steps: Vec<Step>, stopper: Stopper) -> Self {
        Self {
            capabilities,
            steps: Mutex::new(steps.into_iter()),
            requests: Mutex::default(),
            stopper,
            meter: None,
        }
    }

    pub(crate) fn with_meter(self, meter: Option<Meter>) -> Self {
        Self { meter, ..self }
    }

    pub(crate) fn requests(&self) -> Vec<ChatRequest> {
        self.requests.lock().unwrap().clone()
    }
}

/// A text in the pieces that a server would send.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = Delta> {
    let mut rest = text.chars().peekable();
    std::iter::from_fn(move || {
        rest.peek()?;
        Some(Delta::Content(rest.by_ref().take(3).collect()))
    })
}

fn reply(content: &str) -> ChatReply {
    ChatReply::of_words(content)
}

impl Brain for Script {
    fn name(&self) -> &'static str {
        "script"
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn ask<'a>(
        &'a self,
        asking: &'a Asking<'_>,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        Box::pin(async move {
            let request = &*asking.for_brain(self.capabilities());
            self.requests.lock().unwrap().push(request.clone());
            let prompt_tokens = self.meter.map_or(0, |meter| meter(request));
            let window = self.capabilities.context_tokens.map_or(u64::MAX, u64::from);
            if prompt_tokens > window {
                return Err(BrainError::ContextTooLong {
                    address: "script".into(),
                });
            }
            let metered = |reply: ChatReply| ChatReply {
                usage: Usage {
                    prompt_tokens,
                    completion_tokens: 1,
                    cost_millionths: 0,
                    estimated: false,
                },
                ..reply
            };
            let step = self
                .steps
                .lock()
                .unwrap()
                .next()
                .unwrap_or_else(|| say("SCRIPT EXHAUSTED"));
            match step {
                Step::Say(text) => {
                    pieces(&text).for_each(|piece| sink.delta(piece));
                    Ok(if self.meter.is_some() {
                        metered(reply(&text))
                    } else {
                        reply(&text)
                    })
                }
                Step::Stream(pieces) => {
                    let mut text = String::new();
                    for piece in pieces {
                        match &piece {
                            Delta::Content(more) => text.push_str(more),
                            Delta::Restart => text.clear(),
                            Delta::Reasoning(_) => {}
                        }
                        sink.delta(piece);
                    }
                    Ok(reply(&text))
                }
                Step::Cut(text) => Ok(ChatReply {
                    finish: Finish::Length,
                    ..reply(&text)
                }),
                Step::Call(text, calls) => {
                    let native = |(id, name, arguments): (&str, &str, String)| NativeCall {
                        id: id.to_owned(),
                        name: name.to_owned(),
                        arguments,
                    };
                    let tool_calls = calls.into_iter().map(native).collect();
                    pieces(&text).for_each(|piece| sink.delta(piece));
                    Ok(ChatReply {
                        tool_calls,
                        finish: Finish::ToolCalls,
                        ..reply(&text)
                    })
                }
                Step::Reason(text) => Ok(ChatReply {
                    reasoning: text,
                    ..reply("")
                }),
                Step::Costly(text, prompt_tokens) => Ok(ChatReply {
                    usage: Usage {
                        prompt_tokens,
                        completion_tokens: 1,
                        // As if a million of them cost one.
                        cost_millionths: prompt_tokens,
                        estimated: false,
                    },
                    ..reply(&text)
                }),
                Step::Slow(wait, text) => {
                    tokio::time::sleep(wait).await;
                    Ok(reply(&text))
                }
                Step::Fail(error) => Err(error),
                Step::Hang => std::future::pending().await,
                Step::StopMeanwhile(reason) => {
                    self.stopper.stop(reason);
                    std::future::pending().await
                }
                Step::Crash => panic!("the brain's client is broken"),
            }
        })
    }
}
