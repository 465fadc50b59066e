//! The server as the settings name it, and who this machine is there. Connects to nothing.

use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use loquat_failure::with_causes;
use loquat_part::Ground;
use loquat_settings::Secret;
use loquat_workers::{BrokerSettings, DeviceSettings, WorkerSettings, is_token};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::settings;
use super::settings::{NatsUrl, SubjectName};

/// The name at the server of a machine whose own name cannot be a part of a subject.
const NAMELESS: &str = "device";

/// Stands in for the id of a machine that has none.
static LOST_ID: LazyLock<Uuid> = LazyLock::new(Uuid::new_v4);

/// Gathers the server and the name of this machine there; nothing where no server is named.
pub(super) fn device_settings(ground: &Ground) -> Option<DeviceSettings> {
    let own = ground.table::<settings::Workers>();
    Some(DeviceSettings {
        broker: broker(&own, ground)?,
        name: name(&own, ground),
        brains: own.brains.clone(),
        taken: Duration::from_secs_f64(own.taken_seconds),
        silence: Duration::from_secs_f64(own.silence_seconds),
        reply: Duration::from_secs_f64(own.reply_seconds),
    })
}

/// Gathers the settings of `loquat worker`; absent where no server is named.
pub fn worker_settings(ground: &Ground) -> Option<WorkerSettings> {
    let own = ground.table::<settings::Workers>();
    Some(WorkerSettings {
        broker: broker(&own, ground)?,
        name: name(&own, ground),
        places: own.places,
        drain: Duration::from_secs_f64(own.drain_seconds),
    })
}

fn broker(own: &settings::Workers, ground: &Ground) -> Option<BrokerSettings> {
    let NatsUrl(address) = own.address.clone()?;
    let SubjectName(pool) = own.pool.clone();
    let secret = secret(own);
    let folders = ground.folders.clone();
    let password = move || secret.fetch(&folders).map_err(|error| with_causes(&error));
    Some(BrokerSettings {
        address,
        pool,
        user: own.user.clone(),
        password: own.user.is_some().then(|| Arc::new(password) as _),
        ca_file: own.ca_file.clone(),
    })
}

pub(super) fn secret(own: &settings::Workers) -> Secret {
    match &own.password_file {
        Some(file) => Secret::File(file.clone()),
        None => Secret::Credential(own.password_credential.clone()),
    }
}

/// Names this machine for the server: by the settings, else by the user there, else after the machine's own
/// name.
fn name(own: &settings::Workers, ground: &Ground) -> String {
    if let Some(SubjectName(name)) = &own.name {
        return name.clone();
    }
    // What a user may say at the server is bound to its name.
    if let Some(user) = own.user.as_deref().filter(|user| is_token(user)) {
        return user.to_owned();
    }
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    named_after(&host, &mark(&ground.folders.state))
}

/// The name of a host with the mark of a device behind it: two devices of one name would hear each other's requests.
fn named_after(host: &str, mark: &str) -> String {
    let name = format!("{}-{mark}", host.trim().replace('.', "-"));
    if is_token(&name) {
        name
    } else {
        format!("{NAMELESS}-{mark}")
    }
}

/// Tells this device from others whose host has the same name, at each start alike. The machine's id is a secret of
/// the machine, so it is not shown itself; and of two persons at one machine each has a device.
fn mark(state: &Path) -> String {
    let ids = ["/etc/machine-id", "/var/lib/dbus/machine-id"];
    let mut ids = ids.iter().filter_map(|file| std::fs::read_to_string(file).ok());
    let id = ids.find(|id| !id.trim().is_empty());
    // Without one it is another at each start, which costs nothing: turns that run are the device's own by then.
    let id = id.unwrap_or_else(|| LOST_ID.to_string());
    let digest = Sha256::digest(format!("loquat device\n{}\n{}", id.trim(), state.display()));
    hex::encode(digest.get(..4).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_whose_hosts_have_one_name_have_names_of_their_own() {
        let (here, there) = (mark(Path::new("/a/state")), mark(Path::new("/b/state")));
        assert_ne!(named_after("pi", &here), named_after("pi", &there));
        assert_eq!(mark(Path::new("/a/state")), here, "at each start");
        assert!(named_after("pi.local\n", &here).starts_with("pi-local-"));
        for strange in ["", "a b", "größe", &"x".repeat(64)] {
            let name = named_after(strange, &here);
            assert!(is_token(&name), "{name}");
        }
        assert_eq!(named_after("a b", &here), format!("{NAMELESS}-{here}"));
    }
}
