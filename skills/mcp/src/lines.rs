//! What a program writes to its standard output: messages, each on a line of its own, and whatever else it writes there.
//! Hands on the messages, and passes over the rest without an answer: a program that logs what it gets would log the answer,
//! too, and have it answered again. Reads no faster than a person's tools need, so that one that never stops costs nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{ErrorData, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufReader, Empty};
use tokio::time::{Instant, sleep_until};

/// Bounds of one message, in bytes. A longer one is passed over, and what waits for it waits in vain.
pub(super) const LARGEST_MESSAGE: usize = 1 << 20;

/// Some editors and shells begin what they write with it.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Counts the lines of a server that are no messages. Clones count together.
#[derive(Debug, Clone, Default)]
pub(super) struct PassedOver(Arc<AtomicU64>);

impl PassedOver {
    pub(super) fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// One more. The first is told of.
    fn add(&self, server: &str) {
        if self.0.fetch_add(1, Ordering::Relaxed) == 0 {
            tracing::warn!(
                server,
                "an MCP server writes lines to its standard output that are no messages; they are passed over, and it \
                 should write them to its standard error"
            );
        }
    }
}

/// How these lines are told of; nothing where there is none.
pub(super) fn told(passed_over: u64) -> Option<String> {
    match passed_over {
        0 => None,
        1 => Some("1 line that is no message was passed over".to_owned()),
        more => Some(format!("{more} lines that are no messages were passed over")),
    }
}

/// How fast is read: so much at once, and so much a second.
#[derive(Debug)]
struct Pace {
    /// Less than nothing behind a line that was dearer than the room for it.
    room: i64,
    at: Instant,
}

impl Pace {
    /// In bytes, as all here: what is merely passed over costs next to nothing.
    const AT_ONCE: i64 = 128 << 20;
    const A_SECOND: i64 = 32 << 20;
    /// What a line costs beside its bytes: some thousand a second.
    const LINE: i64 = 8 << 10;
    /// What a message costs beside its bytes: it is read, handed on, and perhaps answered; some hundred a second.
    const MESSAGE: i64 = 128 << 10;
    /// Less is not worth waking up for.
    const SHORTEST: Duration = Duration::from_millis(50);

    fn new() -> Self {
        Self {
            room: Self::AT_ONCE,
            at: Instant::now(),
        }
    }

    /// Waits until there is room again. Cancel safe.
    async fn wait(&mut self) {
        if self.room <= 0 {
            let missing = Duration::from_secs_f64(-self.room as f64 / Self::A_SECOND as f64);
            sleep_until(self.at + missing.max(Self::SHORTEST)).await;
            let gained = self.at.elapsed().as_secs_f64() * Self::A_SECOND as f64;
            self.room = self.room.saturating_add(gained as i64).min(Self::AT_ONCE);
            self.at = Instant::now();
        }
    }

    fn spend(&mut self, cost: i64) {
        self.room = self.room.saturating_sub(cost);
    }
}

/// The messages of one program, and what is said to it.
pub(super) struct Lines<R, W: AsyncWrite> {
    output: BufReader<R>,
    line: Vec<u8>,
    /// Whether the line is longer than any message and the rest of it is passed over.
    is_too_long: bool,
    pace: Pace,
    input: AsyncRwTransport<RoleClient, Empty, W>,
    server: String,
    passed_over: PassedOver,
}

/// What became of some bytes.
enum Read {
    More,
    Line,
    End,
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// Between us and a program of this name.
    pub(super) fn new(output: R, input: W, server: &str, passed_over: PassedOver) -> Self {
        Self {
            output: BufReader::new(output),
            line: Vec::new(),
            is_too_long: false,
            pace: Pace::new(),
            input: AsyncRwTransport::new(tokio::io::empty(), input),
            server: server.to_owned(),
            passed_over,
        }
    }

    /// Takes what has come. Cancel safe: nothing is taken before it is kept.
    async fn read(&mut self) -> Read {
        let Ok(come) = self.output.fill_buf().await else {
            return Read::End;
        };
        if come.is_empty() {
            return Read::End;
        }
        let end = come.iter().position(|byte| *byte == b'\n');
        let piece = come.get(..end.unwrap_or(come.len())).unwrap_or_default();
        if self.is_too_long || self.line.len() + piece.len() > LARGEST_MESSAGE {
            self.is_too_long = true;
            self.line = Vec::new();
        } else {
            self.line.extend_from_slice(piece);
        }
        let taken = piece.len() + usize::from(end.is_some());
        self.output.consume(taken);
        self.pace.spend(i64::try_from(taken).unwrap_or(i64::MAX));
        if end.is_some() { Read::Line } else { Read::More }
    }

    /// The message that the line is, which is over; nothing where it is none.
    fn message(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        let is_too_long = std::mem::take(&mut self.is_too_long);
        let line = std::mem::take(&mut self.line);
        if !is_too_long && line.trim_ascii().is_empty() {
            return None;
        }
        let message = (!is_too_long).then(|| message(&line)).flatten();
        self.pace.spend(match message {
            Some(_) => Pace::MESSAGE,
            None => Pace::LINE,
        });
        if message.is_none() {
            self.passed_over.add(&self.server);
        }
        message
    }
}

impl<R, W> Transport<RoleClient> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = std::io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.input.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            self.pace.wait().await;
            let read = self.read().await;
            if matches!(read, Read::More) {
                continue;
            }
            let message = self.message();
            if message.is_some() || matches!(read, Read::End) {
                return message;
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.input.close().await
    }
}

/// The message that a line is. An answer that cannot be read is one all the same: the call that waits for it ends with an error.
fn message(line: &[u8]) -> Option<RxJsonRpcMessage<RoleClient>> {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii();
    // Most of what is no message is seen at once.
    if line.first() != Some(&b'{') {
        return None;
    }
    let object: Value = serde_json::from_slice(line).ok()?;
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return None;
    }
    let id = object.get("id").cloned();
    let is_answer =
        object.get("method").is_none() && ["result", "error"].iter().any(|key| object.get(key).is_some());
    if let Ok(message) = serde_json::from_value(object) {
        return Some(message);
    }
    let id: RequestId = serde_json::from_value(id?).ok()?;
    let unreadable = ErrorData::internal_error("its answer cannot be read", None);
    is_answer.then(|| RxJsonRpcMessage::<RoleClient>::error(unreadable, Some(id)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tokio::io::AsyncWriteExt;
    use tokio::time::timeout;

    use super::*;

    fn answer(id: u32) -> String {
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{}}}}\n")
    }

    /// The ids of the answers among what a program writes, and how many lines were passed over.
    async fn read(written: &[u8]) -> (Vec<Value>, u64) {
        let passed_over = PassedOver::default();
        let mut lines = Lines::new(written, tokio::io::sink(), "test", passed_over.clone());
        let mut ids = Vec::new();
        while let Some(message) = lines.receive().await {
            ids.push(json!(message)["id"].clone());
        }
        (ids, passed_over.count())
    }

    #[tokio::test]
    async fn what_is_no_message_is_passed_over_and_counted() {
        for noise in [
            "INFO listening",
            "2026-03-01 10:00:00,123 - server - DEBUG - ready",
            r#"{"level":30,"time":1700000000,"msg":"ready"}"#,
            r#"{"jsonrpc":"1.0","id":7,"result":{}}"#,
            r#"{"id":7,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":7}"#,
            r#"{"jsonrpc":"2.0"}"#,
            r#"{"jsonrpc":"2.0","id":7,"resu"#,
            r#"got {"jsonrpc":"2.0","id":7,"result":{}}"#,
            "[]",
            r#"[{"jsonrpc":"2.0","id":7,"result":{}}]"#,
            "\"text\"",
            "null",
            "7",
            "{",
            "}",
            "\u{1b}[32mok\u{1b}[0m",
        ] {
            let written = format!("{}{noise}\n{}{noise}\r\n{}", answer(1), answer(2), answer(3));
            let (ids, passed_over) = read(written.as_bytes()).await;
            assert_eq!(
                (ids, passed_over),
                (vec![json!(1), json!(2), json!(3)], 2),
                "{noise}"
            );
        }
        let broken = [b"\xff\xfe\n".as_slice(), answer(1).as_bytes(), b"\x00\n"].concat();
        assert_eq!(read(&broken).await, (vec![json!(1)], 2));
    }

    #[tokio::test]
    async fn empty_lines_and_marks_at_the_beginning_are_nothing() {
        let written = format!("\n  \r\n\u{feff}{}  {}\r\n", answer(1), answer(2).trim());
        assert_eq!(read(written.as_bytes()).await, (vec![json!(1), json!(2)], 0));
    }

    #[tokio::test]
    async fn half_a_line_at_the_end_is_none_and_an_endless_one_stands_nowhere() {
        let half = format!("{}{}", answer(1), &answer(2)[..20]);
        assert_eq!(read(half.as_bytes()).await, (vec![json!(1)], 1));
        let mut endless = vec![b'x'; 3 * LARGEST_MESSAGE];
        endless.extend_from_slice(format!("\n{}", answer(1)).as_bytes());
        assert_eq!(read(&endless).await, (vec![json!(1)], 1));
        let (client, mut server) = tokio::io::duplex(1 << 16);
        let mut lines = Lines::new(client, tokio::io::sink(), "test", PassedOver::default());
        let write = async {
            let piece = vec![b'x'; 1 << 16];
            for _ in 0..4 * LARGEST_MESSAGE / piece.len() {
                server.write_all(&piece).await.unwrap();
            }
            server.shutdown().await.unwrap();
        };
        let (message, ()) = tokio::join!(lines.receive(), write);
        assert!(message.is_none() && lines.line.capacity() <= 2 * LARGEST_MESSAGE);
    }

    #[tokio::test]
    async fn an_answer_that_cannot_be_read_is_an_error_for_who_waits() {
        let odd = r#"{"jsonrpc":"2.0","id":4,"error":"it is broken"}"#;
        let (ids, passed_over) = read(format!("{odd}\n{}", answer(5)).as_bytes()).await;
        assert_eq!((ids, passed_over), (vec![json!(4), json!(5)], 0));
    }

    #[tokio::test(start_paused = true)]
    async fn one_that_never_stops_is_read_slowly() {
        let (client, mut server) = tokio::io::duplex(1 << 16);
        let passed_over = PassedOver::default();
        let mut lines = Lines::new(client, tokio::io::sink(), "test", passed_over.clone());
        let mut tasks = tokio::task::JoinSet::new();
        tasks.spawn(async move {
            let log = "{\"level\":\"debug\",\"msg\":\"still here\"}\n".repeat(1000);
            while server.write_all(log.as_bytes()).await.is_ok() {}
        });
        let first = timeout(Duration::from_secs(1), lines.receive()).await;
        assert!(first.is_err());
        let begun = passed_over.count();
        let next = timeout(Duration::from_secs(10), lines.receive()).await;
        assert!(next.is_err());
        let a_second = i64::try_from(passed_over.count() - begun).unwrap() / 10;
        tasks.abort_all();
        let most = Pace::A_SECOND / Pace::LINE;
        assert!(
            a_second > most / 4 && a_second <= most,
            "{a_second} lines a second"
        );
    }
}
