//! What `loquat check` says of the doors and the programs beside: Wyoming, the notifications of the desktop, and workers.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use loquat_part::{Finding, Verdict};
use loquat_skills::{Locales, Resources};
use loquat_workers::{BrokerError, Condition, Device};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use crate::app;
use crate::settings::{Environment, Origin, Settings};
use crate::workers::{device_settings, secret};

/// A daemon of ours answers at once.
const PATIENCE: Duration = Duration::from_secs(2);

/// Workers that are there say so within it.
const WORKERS_PATIENCE: Duration = Duration::from_millis(1500);

/// Bytes of its answer that are read.
const LONGEST: u64 = 64 << 10;

/// The door for Home Assistant, where it is set: whether it is open, or could be opened, and for whom.
pub(super) async fn wyoming(settings: &Settings) -> Option<Finding> {
    let part = "wyoming";
    let listen = settings.wyoming.listen?;
    let allowed: Vec<String> = settings.wyoming.allow.iter().map(ToString::to_string).collect();
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

/// Whether what listens there says that it is Loquat.
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

/// An address by which a door is reached that is open at all of them.
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

/// Whether notifications can be kept, where the settings want it.
pub(super) async fn notifications(settings: &Settings, environment: &Environment) -> Option<Finding> {
    if !settings.notifications.keep {
        return None;
    }
    let part = "notifications";
    let device = app::addresses(environment);
    let resources = Resources::volatile(Arc::new(Locales::embedded())).with_device(&device);
    Some(match resources.notifications.examine().await {
        Ok(name) => Finding::ok(part, format!("{name} shows them, and they are kept")),
        Err(why) => {
            let mend = "start the desktop, or a program such as dunst; the device works without it";
            Finding::bad(part, Verdict::Missing, why, mend)
        }
    })
}

/// Where turns run. Asks the server who takes any, and runs none.
pub(super) async fn workers(settings: &Settings) -> Vec<Finding> {
    let part = "workers";
    let Some(own) = device_settings(settings) else {
        return Vec::new();
    };
    let careless = secret(settings).remark(&Origin::Default).map(|complaint| {
        let mend = "chmod 600 it, or use a systemd credential";
        Finding::bad(part, Verdict::Remark, complaint.to_string(), mend)
    });
    let called = format!("this machine is called {} there", own.name);
    let condition = Device::new(own).examine(WORKERS_PATIENCE).await;
    let finding = match &condition {
        Condition::Ready { .. } => Finding::ok(part, format!("{condition}; {called}")),
        Condition::NoBroker(BrokerError::Refused { .. } | BrokerError::Password { .. }) => Finding::bad(
            part,
            Verdict::Broken,
            condition.to_string(),
            "correct [workers]; this machine thinks itself meanwhile",
        ),
        Condition::OtherBrains(_) => Finding::bad(
            part,
            Verdict::Missing,
            condition.to_string(),
            "name one of them in workers.brains, or none",
        ),
        _ => Finding::bad(
            part,
            Verdict::Missing,
            format!("{condition}; {called}"),
            "start `loquat worker` on the machine that is to think; this one does so itself meanwhile",
        ),
    };
    careless.into_iter().chain([finding]).collect()
}
