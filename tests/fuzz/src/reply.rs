//! A model server's reply: whole, and in pieces as small as the first byte says, which must not change it.

use loquat_agent::brain::ChatReply;
use loquat_brain::read_reply;

pub(crate) fn feed(bytes: &[u8]) {
    let Some((size, body)) = bytes.split_first() else {
        return;
    };
    let whole = read_reply([body], &());
    let pieces = read_reply(body.chunks(usize::from(*size).max(1)), &());
    if let (Ok(whole), Ok(pieces)) = (whole, pieces) {
        let (whole, pieces) = (without_ids(whole), without_ids(pieces));
        assert_eq!(whole, pieces, "a reply is what it is, however it is cut");
    }
}

/// Calls without an id are given one that is drawn.
fn without_ids(mut reply: ChatReply) -> ChatReply {
    for call in &mut reply.tool_calls {
        call.id.clear();
    }
    reply
}
