//! Turns that other machines think, as the settings want it: which persona's, over which server, and who signs in there. What
//! a worker says is a brain's word; nothing here gives it a right.

mod check;
mod command;
mod part;
pub mod settings;

use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use loquat_agent::engine::{Engine, INTENT};
use loquat_agent::turn::{Means, Question};
use loquat_failure::with_causes;
use loquat_part::Ground;
use loquat_part::elsewhere::Elsewhere;
use loquat_settings::Secret;
use loquat_workers::{BrokerSettings, Condition, Device, DeviceSettings, WorkerSettings, is_token};
use sha2::{Digest, Sha256};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

pub use self::command::{Thinker, Thinking};
pub use self::part::WorkersPart;
use self::settings::{NatsUrl, SubjectName};

/// The name at the server of a machine whose own name cannot be a part of a subject.
const NAMELESS: &str = "device";

/// Stands in for the id of a machine that has none.
static LOST_ID: LazyLock<Uuid> = LazyLock::new(Uuid::new_v4);

/// The channel of what programs ask.
const PROGRAMS: &str = "query";

/// This device's way to workers: which personas may be thought elsewhere, and the connection.
#[derive(Debug)]
pub struct Workers {
    device: Arc<Device>,
    /// The personas whose turns they think; all where none is named.
    personas: Vec<String>,
}

impl Workers {
    /// They, where the settings name a server. Nothing is connected to yet.
    pub fn of(ground: &Ground) -> Option<Arc<Self>> {
        let settings = ground.table::<settings::Workers>();
        let personas = settings.personas.iter();
        Some(Arc::new(Self {
            device: Device::new(device_settings(ground)?),
            personas: personas.map(|name| name.trim().to_lowercase()).collect(),
        }))
    }

    /// Looks for the server and serves workers until cancelled.
    pub async fn run(self: Arc<Self>, cancel: CancellationToken) {
        Arc::clone(&self.device).run(cancel).await;
    }

    /// Follows where turns are thought, for the status line.
    pub fn condition(&self) -> watch::Receiver<Condition> {
        self.device.condition()
    }
}

impl Elsewhere for Workers {
    /// What a program asks leaves the last free place to a person.
    fn place(&self, persona: &str, engine: &Engine, question: &Question, means: Means) -> Means {
        let is_theirs = self.personas.is_empty() || self.personas.contains(&persona.to_lowercase());
        if is_theirs && engine.id != INTENT.id {
            let is_urgent = question.channel.as_deref() != Some(PROGRAMS);
            self.device.place((engine, is_urgent), question, means)
        } else {
            means
        }
    }
}

/// The server and the name of this machine there; nothing where no server is named.
fn device_settings(ground: &Ground) -> Option<DeviceSettings> {
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

/// The settings of `loquat worker`; absent where no server is named.
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

fn secret(own: &settings::Workers) -> Secret {
    match &own.password_file {
        Some(file) => Secret::File(file.clone()),
        None => Secret::Credential(own.password_credential.clone()),
    }
}

/// The name of this machine at the server: the one of the settings, else that of the user there, else one after the
/// machine's own name.
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
