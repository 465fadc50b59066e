//! Connections that hold something and do nothing: half frames, idle clients, slow readers.

use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use tokio::net::TcpStream;

use crate::attack::attacker::{Attacker, TEXT, append, begin};
use crate::attack::row::Row;
use crate::attack::scale::Scale;
use crate::attack::target::Target;

/// The half of a frame, and what it is said to have.
const HALF: usize = 24 << 20;

/// The limit of descriptors that a service usually begins with.
const USUAL_DESCRIPTORS: u64 = 1024;

/// Lets clients stop in the middle of a frame.
pub async fn half_frames(scale: Scale) -> Row {
    let target = Target::begin(|tester, _| tester).await;
    let mut clients = Vec::new();
    let mut written = 0;
    let mut bytes = Vec::new();
    begin(&mut bytes, TEXT, true, HALF + 1000);
    bytes.resize(bytes.len() + HALF, b'a');
    let mut question = None;
    for number in 0..scale.half_frames {
        if let Ok(mut client) = Attacker::join(target.home.port()).await {
            // The bus may refuse to keep it, which is what is hoped for.
            written += usize::from(client.write(&bytes).await.is_ok());
            clients.push(client);
        }
        if number == scale.half_frames / 2 {
            question = target.ask().await;
        }
    }
    let row = Row {
        count: scale.half_frames,
        seen: format!("{} joined, {written} wrote 24 MiB", clients.len()),
        ..Row::default()
    };
    let joined = clients.len();
    let mut row = target.judged(row, question).await;
    row.demand(joined > scale.half_frames / 2, || {
        format!("only {joined} joined: the attack did not arrive")
    });
    row
}

/// Opens connections and does nothing with them, at a daemon that is started with the usual limit of
/// descriptors.
pub async fn descriptors(scale: Scale) -> Row {
    let hard = getrlimit(Resource::Nofile).maximum;
    // The daemon inherits it; this process needs more itself.
    limit(Some(USUAL_DESCRIPTORS), hard);
    let target = Target::begin(|tester, _| tester).await;
    limit(hard, hard);
    let mut open = Vec::new();
    for _ in 0..scale.descriptors {
        match tokio::time::timeout(Duration::from_secs(2), connection(&target)).await {
            Ok(Ok(stream)) => open.push(stream),
            _ => break,
        }
    }
    let question = target.ask().await;
    let lines = target.daemon.output().lines().count();
    let mut row = Row {
        count: scale.descriptors,
        seen: format!("{} connected, {lines} lines of log", open.len()),
        ..Row::default()
    };
    row.demand(open.len() > 400, || {
        format!("only {} connected: the attack did not arrive", open.len())
    });
    row.demand(lines < 1000, || format!("{lines} lines of log"));
    let row = target.judged(row, question).await;
    drop(open);
    row
}

fn limit(current: Option<u64>, maximum: Option<u64>) {
    setrlimit(Resource::Nofile, Rlimit { current, maximum }).expect("a soft limit below the hard one");
}

async fn connection(target: &Target) -> std::io::Result<TcpStream> {
    use tokio::io::AsyncWriteExt;
    let mut stream = TcpStream::connect(("127.0.0.1", target.home.port())).await?;
    stream
        .write_all(
            b"GET /core HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
              Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        )
        .await?;
    Ok(stream)
}

/// Joins clients that read nothing while much is said.
pub async fn slow_readers(scale: Scale) -> Row {
    const READERS: usize = 20;
    let target = Target::begin(|tester, _| tester).await;
    let mut deaf = Vec::new();
    for _ in 0..READERS {
        deaf.extend(Attacker::deaf(target.home.port()).await);
    }
    let mut speaker = Attacker::join(target.home.port())
        .await
        .expect("the bus lets the speaker in");
    let frame =
        json!({"type": "some.topic", "data": {"padding": "x".repeat(1 << 18)}, "context": {}}).to_string();
    let mut bytes = Vec::new();
    append(&mut bytes, TEXT, true, frame.as_bytes());
    let mut question = None;
    let mut through = true;
    for number in 0..scale.unread * 4 {
        through &= speaker.write(&bytes).await.is_ok();
        if number % 16 == 15 {
            through &= speaker.is_through(&target.probe).await;
        }
        if number == scale.unread * 2 {
            question = target.ask().await;
        }
    }
    let mut row = Row {
        count: READERS,
        seen: format!("{} readers of nothing, {} MiB said", deaf.len(), scale.unread),
        ..Row::default()
    };
    row.demand(deaf.len() == READERS, || format!("only {} joined", deaf.len()));
    row.demand(through, || "the daemon did not get through what was said".into());
    target.judged(row, question).await
}
