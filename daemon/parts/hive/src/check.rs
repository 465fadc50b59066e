//! What `loquat check` says of HiveMind: whether satellites can come in, and whether the hive that is set can be joined.

use std::io::ErrorKind;

use loquat_connections::certificate::acceptor;
use loquat_failure::with_causes;
use loquat_part::{Finding, Ground, Verdict};
use tokio::net::TcpListener;

use super::clients::Clients;
use super::hub::Hub;
use super::settings::{Hive, OLD_PROTOCOLS};

/// Tells of the door for satellites, where it is set.
pub(super) async fn listener(settings: &Hive, ground: &Ground) -> Vec<Finding> {
    let door = door(settings, ground).await;
    let old = door.is_some() && settings.old_protocols;
    let old = old.then(|| {
        let mend = "set hive.old_protocols = false once no satellite needs it";
        Finding::bad("hive", Verdict::Remark, OLD_PROTOCOLS, mend)
    });
    door.into_iter().chain(old).collect()
}

async fn door(settings: &Hive, ground: &Ground) -> Option<Finding> {
    let part = "hive";
    let listen = settings.listen?;
    if let Some((certificate, key)) = settings.certificate.as_ref().zip(settings.key.as_ref())
        && let Err(error) = acceptor(certificate, key, part)
    {
        let detail = format!("failed to {}", with_causes(&error));
        let mend = "set hive.certificate and hive.key to files that this user may read, or remove both";
        return Some(Finding::bad(part, Verdict::Broken, detail, mend));
    }
    let count = match Clients::of(&ground.folders.state).list() {
        Ok(clients) => clients.len(),
        Err(error) => {
            let mend = "see the file that is named; `loquat hive add` makes new keys";
            return Some(Finding::bad(part, Verdict::Broken, error.to_string(), mend));
        }
    };
    let who = match count {
        0 => "no satellite may come in yet; `loquat hive add NAME` lets one".to_owned(),
        1 => "1 satellite may come in".to_owned(),
        count => format!("{count} satellites may come in"),
    };
    Some(match TcpListener::bind(listen).await {
        Ok(_) => Finding::ok(
            part,
            format!("{listen} is free, and `loquat run` listens there; {who}"),
        ),
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            let detail = format!(
                "{listen} is listened at, by a running Loquat if no other program has taken it; {who}"
            );
            Finding::ok(part, detail)
        }
        Err(error) => {
            let detail = format!("failed to listen at {listen}: {error}");
            let mend = "set hive.listen to an address of this machine and a free port";
            Finding::bad(part, Verdict::Broken, detail, mend)
        }
    })
}

/// Tells of the hive that is joined, where one is set.
pub(super) async fn member(settings: &Hive, ground: &Ground) -> Option<Finding> {
    let part = "member of a hive";
    settings.join.as_ref()?;
    let joined = match Hub::of(settings, &ground.folders) {
        Ok(hub) => match hub.join().await {
            Ok(mut link) => {
                link.close(1000, "").await;
                Ok(format!("{} lets this device in", hub.place()))
            }
            Err(error) => Err(with_causes(&error)),
        },
        Err(error) => Err(with_causes(&error)),
    };
    Some(match joined {
        Ok(detail) => Finding::ok(part, detail),
        Err(why) => {
            let mend = "see hive.join and the keys that hive.join_file or the credential holds; the device answers without";
            Finding::bad(part, Verdict::Missing, why, mend)
        }
    })
}
