//! The bytes of a reply: plain JSON or server-sent events, in the pacing that the script asks for.

use std::convert::Infallible;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt};
use serde::Serialize;
use serde_json::{Value, json};

use super::reply::{Delivery, Reply};

/// What breaks a connection in the middle of a body.
#[derive(Debug)]
pub(super) struct Broken;

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the script breaks the connection here")
    }
}

impl std::error::Error for Broken {}

/// The pieces of a body in time.
pub(super) type Pieces = Pin<Box<dyn Stream<Item = Result<Bytes, Broken>> + Send>>;

/// What was written has left the process after this long, and the break does not swallow it.
const FLUSHED: Duration = Duration::from_millis(20);

/// How many characters a piece of a streamed reply has.
const PIECE: usize = 7;

/// Writes the whole body of a reply, before it is paced.
pub(super) fn body(reply: &Reply, model: &Value, streamed: bool) -> Vec<Bytes> {
    if let Some(raw) = &reply.raw_body {
        return vec![Bytes::from(raw.clone())];
    }
    if reply.status != 200 {
        let text = reply.content.as_deref().unwrap_or("scripted error");
        return vec![line(&json!({"error": {"message": text, "type": "server_error"}}))];
    }
    if streamed {
        events(reply, model)
    } else {
        vec![line(&completion(reply, model))]
    }
}

/// Holds back what comes behind the text at which a reply halts.
pub(super) fn halted(reply: &Reply, mut body: Vec<Bytes>) -> Pieces {
    let Some((behind, gate)) = reply.halts.clone() else {
        return paced(body, reply.delivery);
    };
    let content = reply.content.as_deref().unwrap_or_default();
    let begin = content.find(&behind).expect("it halts behind a text of its own");
    let before = content[..begin + behind.len()].chars().count();
    // The role comes first, and the first letters of the next sentence show that this one has ended.
    let rest = body.split_off((before / PIECE + 3).min(body.len()));
    let opened = stream::once(async move {
        gate.opened().await;
        Ok(Bytes::new())
    });
    let rest = opened.chain(stream::iter(rest).map(Ok));
    Box::pin(stream::iter(body).map(Ok).chain(rest))
}

/// Sends `body` in the reply's pacing.
fn paced(body: Vec<Bytes>, delivery: Delivery) -> Pieces {
    match delivery {
        Delivery::Whole => Box::pin(stream::iter([Ok(Bytes::from(body.concat()))])),
        Delivery::Pieces | Delivery::Never => Box::pin(stream::iter(body).map(Ok)),
        Delivery::Dripping(pause) => Box::pin(stream::iter(Bytes::from(body.concat())).then(
            move |byte| async move {
                tokio::time::sleep(pause).await;
                Ok(Bytes::copy_from_slice(&[byte]))
            },
        )),
        Delivery::Flood(mebibytes) => {
            let filler =
                event(&json!({"choices": [{"index": 0, "delta": {"content": "x".repeat(1 << 20)}}]}));
            let flood = stream::repeat(filler).take(mebibytes);
            Box::pin(flood.chain(stream::iter(body)).map(Ok))
        }
        Delivery::CutInHalf => {
            let half = stream::iter([Ok(first_half(&body))]);
            let breaks = stream::once(async {
                tokio::time::sleep(FLUSHED).await;
                Err(Broken)
            });
            Box::pin(half.chain(breaks))
        }
        Delivery::StallsHalfway => {
            let half = stream::iter([Ok::<_, Infallible>(first_half(&body))]);
            Box::pin(
                half.chain(stream::pending())
                    .map(|piece| piece.map_err(|_| Broken)),
            )
        }
    }
}

fn first_half(body: &[Bytes]) -> Bytes {
    let whole = Bytes::from(body.concat());
    whole.slice(..whole.len() / 2)
}

fn line(value: &Value) -> Bytes {
    Bytes::from(value.to_string())
}

fn completion(reply: &Reply, model: &Value) -> Value {
    let mut message = json!({"role": "assistant", "content": reply.content});
    if let Some(reasoning) = &reply.reasoning_content {
        message["reasoning_content"] = json!(reasoning);
    }
    if !reply.tool_calls.is_empty() {
        message["tool_calls"] = json!(reply.calls_json());
    }
    json!({
        "id": "scripted", "object": "chat.completion", "created": 0, "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish()}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
    })
}

fn events(reply: &Reply, model: &Value) -> Vec<Bytes> {
    let pieces = if reply.delivery == Delivery::Whole {
        usize::MAX
    } else {
        PIECE
    };
    let mut deltas = vec![(json!({"role": "assistant", "content": ""}), None)];
    deltas.extend(texts(
        "reasoning_content",
        reply.reasoning_content.as_deref(),
        pieces,
    ));
    deltas.extend(texts("content", reply.content.as_deref(), pieces));
    for (position, call) in reply.calls_json().into_iter().enumerate() {
        deltas.extend(call_deltas(position, &call, pieces));
    }
    deltas.push((json!({}), Some(reply.finish())));
    let chunks = deltas.into_iter().map(|(delta, finish_reason)| {
        event(&Chunk {
            id: "scripted",
            object: "chat.completion.chunk",
            created: 0,
            model,
            choices: [Choice {
                index: 0,
                delta,
                finish_reason,
            }],
        })
    });
    chunks.chain([Bytes::from_static(b"data: [DONE]\n\n")]).collect()
}

/// A piece of a reply.
#[derive(Serialize)]
struct Chunk<'r> {
    id: &'static str,
    object: &'static str,
    created: u64,
    model: &'r Value,
    choices: [Choice<'r>; 1],
}

#[derive(Serialize)]
struct Choice<'r> {
    index: usize,
    delta: Value,
    finish_reason: Option<&'r str>,
}

fn event(chunk: &impl Serialize) -> Bytes {
    let json = serde_json::to_string(chunk).expect("a chunk is JSON");
    Bytes::from(format!("data: {json}\n\n"))
}

fn texts<'a>(key: &str, text: Option<&str>, length: usize) -> Vec<(Value, Option<&'a str>)> {
    let chars: Vec<char> = text.unwrap_or_default().chars().collect();
    chars
        .chunks(length)
        .map(|piece| (json!({key: piece.iter().collect::<String>()}), None))
        .collect()
}

/// The first piece names the tool, the others bring its arguments, as the servers do it.
fn call_deltas<'a>(position: usize, call: &Value, length: usize) -> Vec<(Value, Option<&'a str>)> {
    let mut head = call.clone();
    head["index"] = json!(position);
    head["function"]["arguments"] = json!("");
    let arguments = texts("arguments", call["function"]["arguments"].as_str(), length);
    let tail = arguments
        .into_iter()
        .map(|(piece, _)| json!({"index": position, "function": piece}));
    [head]
        .into_iter()
        .chain(tail)
        .map(|call| (json!({"tool_calls": [call]}), None))
        .collect()
}
