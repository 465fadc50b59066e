//! A real nats-server on the loopback interface: started, killed and started again on the same port with what it has stored.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Signal;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::process::Command;

use crate::binaries::setting;
use crate::process::Process;
use crate::wait::{PATIENCE, wait_for};

/// One without names and passwords, as a person would start it to try it.
const OPEN: &str = "jetstream { store_dir: \"STORE\" }\n";

/// The documented example, which has TLS, accounts and permissions.
const EXAMPLE: &str = include_str!("../../systemd/nats/nats-server.conf");

/// The server; it is killed with this value.
#[derive(Debug)]
pub struct NatsServer {
    folder: TempDir,
    port: u16,
    process: Option<Process>,
}

impl NatsServer {
    /// Starts a server that lets everybody in.
    pub async fn open() -> Self {
        let mut server = Self::with(OPEN);
        server.start().await;
        server
    }

    /// Starts the server of the documented example. Its certificate is made with `ca_file` and `key_file` in
    /// the folder; the password of each user is the user's name.
    pub async fn of_the_example() -> Self {
        let mut server = Self::with(&as_careful_as_it_can(EXAMPLE));
        let folder = server.folder().to_owned();
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]);
        let made = made.expect("a certificate can be made");
        fs::write(folder.join("nats.pem"), made.cert.pem()).expect("the folder can be written");
        fs::write(folder.join("nats.key"), made.signing_key.serialize_pem())
            .expect("the folder can be written");
        server.start().await;
        server
    }

    fn with(configuration: &str) -> Self {
        let folder = tempfile::Builder::new().prefix("loquat-nats-").tempdir();
        let folder = folder.expect("a temporary folder can be made");
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port of the loopback interface is free");
        let port = listener
            .local_addr()
            .expect("a bound socket has an address")
            .port();
        let own = folder.path().display().to_string();
        let configuration = configuration
            .replace("STORE", &format!("{own}/store"))
            .replace("/var/lib/nats", &format!("{own}/store"))
            .replace("/etc/nats", &own)
            .replace("0.0.0.0:4222", &format!("127.0.0.1:{port}"));
        fs::write(folder.path().join("nats.conf"), configuration).expect("the folder can be written");
        Self {
            folder,
            port,
            process: None,
        }
    }

    /// Starts it, with what it had stored.
    pub async fn start(&mut self) {
        let mut command = Command::new(program());
        command.args(["-a", "127.0.0.1", "-p", &self.port.to_string(), "-c"]);
        command.arg(self.folder.path().join("nats.conf"));
        self.process = Some(Process::spawn("nats-server", command));
        let port = self.port;
        wait_for("nats-server to listen", PATIENCE, async || {
            TcpStream::connect(("127.0.0.1", port)).await.ok()
        })
        .await;
    }

    /// Kills it without a word.
    pub async fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.signal(Signal::KILL);
            process.ended(PATIENCE).await;
        }
    }

    /// Stops it in the middle of whatever it does, or lets it go on.
    pub fn freeze(&self, frozen: bool) {
        if let Some(process) = &self.process {
            process.signal(if frozen { Signal::STOP } else { Signal::CONT });
        }
    }

    /// Gives the address where it listens.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Gives the address where it listens with TLS, by the name of its certificate.
    pub fn tls_url(&self) -> String {
        format!("tls://localhost:{}", self.port)
    }

    /// Gives the folder of its configuration, certificate and store.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Gives the certificate that its clients trust.
    pub fn ca_file(&self) -> PathBuf {
        self.folder.path().join("nats.pem")
    }

    /// How long a device needs at most to be back after it was started again.
    pub const BACK: Duration = Duration::from_secs(35);
}

fn program() -> String {
    setting("LOQUAT_NATS_SERVER").unwrap_or_else(|| "nats-server".to_owned())
}

/// Gives the example with the line for servers from 2.10 on, where this is one.
fn as_careful_as_it_can(example: &str) -> String {
    let told = std::process::Command::new(program()).arg("--version").output();
    let told = String::from_utf8_lossy(&told.expect("nats-server can be started").stdout).into_owned();
    if told.contains("v2.9.") {
        example.to_owned()
    } else {
        assert!(example.contains("# sync_interval"), "the example has the line");
        example.replace("# sync_interval", "sync_interval")
    }
}
