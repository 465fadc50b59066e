//! What `loquat check` says of the door: whether it is open, or could be opened, and for whom.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

use loquat_part::{Finding, Verdict};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use super::settings::Wyoming;

/// A daemon of ours answers at once.
const PATIENCE: Duration = Duration::from_secs(2);

/// This many bytes of its answer are read.
const LONGEST: u64 = 64 << 10;

/// Tells of the door for Home Assistant, where it is set: whether it is open, or could be opened, and for
/// whom.
pub(super) async fn finding(settings: &Wyoming) -> Option<Finding> {
    let part = "wyoming";
    let listen = settings.listen?;
    let allowed: Vec<String> = settings.allow.iter().map(ToString::to_string).collect();
    let who = if allowed.is_empty() {
        "this machine alone".to_owned()
    } else {
        format!("this machine and {}", allowed.join(", "))
    };
    Some(match TcpListener::bind(listen).await {
        Ok(_) => Finding::ok(
            part,
            format!("{listen} is free, for {who}; `loquat run` listens there"),
        ),
        Err(error) if error.kind() == ErrorKind::AddrInUse && is_ours(listen).await => {
            Finding::ok(part, format!("a running Loquat listens at {listen}, for {who}"))
        }
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            let detail = format!("another program listens at {listen}");
            let mend = "stop that program, or set wyoming.listen to another port";
            Finding::bad(part, Verdict::Broken, detail, mend)
        }
        Err(error) => {
            let detail = format!("failed to listen at {listen}: {error}");
            let mend = "set wyoming.listen to an address of this machine and a free port";
            Finding::bad(part, Verdict::Broken, detail, mend)
        }
    })
}

/// Tells whether what listens there says that it is Loquat.
async fn is_ours(listen: SocketAddr) -> bool {
    let asked = timeout(PATIENCE, described(listen)).await;
    matches!(asked, Ok(Ok(true)))
}

async fn described(listen: SocketAddr) -> std::io::Result<bool> {
    let mut stream = BufReader::new(TcpStream::connect(reached(listen)).await?);
    let question = json!({"type": "describe"});
    stream
        .get_mut()
        .write_all(format!("{question}\n").as_bytes())
        .await?;
    let mut stream = tokio::io::AsyncReadExt::take(stream, LONGEST);
    let mut header = String::new();
    stream.read_line(&mut header).await?;
    let header: Value = serde_json::from_str(&header)?;
    let length = header
        .get("data_length")
        .and_then(Value::as_u64)
        .unwrap_or_default();
    let mut data = vec![0; usize::try_from(length.min(LONGEST)).unwrap_or_default()];
    tokio::io::AsyncReadExt::read_exact(&mut stream, &mut data).await?;
    let data: Value = serde_json::from_slice(&data)?;
    let name = data.pointer("/handle/0/name").and_then(Value::as_str);
    Ok(name == Some("loquat"))
}

/// Gives an address by which a door is reached that is open at all of them.
fn reached(listen: SocketAddr) -> SocketAddr {
    let mut address = listen;
    if address.ip().is_unspecified() {
        let own = if address.is_ipv4() {
            std::net::Ipv4Addr::LOCALHOST.into()
        } else {
            std::net::Ipv6Addr::LOCALHOST.into()
        };
        address.set_ip(own);
    }
    address
}
