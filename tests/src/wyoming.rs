//! A peer that speaks the Wyoming protocol: the stock package of Home Assistant as a child process, and bare bytes for
//! what it never sends.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::Command;

use crate::binaries::setting;
use crate::home::{Home, free_port};
use crate::peers::{installed, peers_file};
use crate::process::Process;
use crate::wait::{PATIENCE, wait_for, within};

/// An exchange of the stock package: Python has to start, and whisper to hear, on a busy machine.
const EXCHANGE: Duration = Duration::from_secs(90);

/// Home Assistant may install packages first.
const VISIT: Duration = Duration::from_secs(240);

/// Where a daemon listens for Wyoming.
#[derive(Debug, Clone, Copy)]
pub struct WyomingPort(u16);

impl WyomingPort {
    /// Has the daemon of this home listen on a free port.
    pub fn of(home: &Home) -> Self {
        let port = free_port();
        home.setting("wyoming.listen", &format!("\"127.0.0.1:{port}\""));
        Self(port)
    }

    /// Gives the number of the port.
    pub fn number(self) -> u16 {
        self.0
    }

    /// Waits until it is listened for.
    pub async fn open(self) {
        drop(self.connect().await);
    }

    /// Opens a connection that says nothing yet.
    pub async fn connect(self) -> TcpStream {
        let look = async || TcpStream::connect(("127.0.0.1", self.0)).await.ok();
        wait_for("the door for Wyoming", PATIENCE, look).await
    }

    /// Has the stock package talk to it, and gives what that prints.
    ///
    /// # Panics
    /// When the package is not installed, or fails.
    pub async fn stock(self, arguments: &[&str]) -> Value {
        self.open().await;
        let mut command = Command::new(python());
        command
            .arg(peers_file("wyoming_client.py"))
            .args(["--port", &self.0.to_string()])
            .args(arguments);
        printed("the Wyoming client", EXCHANGE, command).await
    }

    /// Says a sentence in this conversation, and gives the kind and the text of the event that answers.
    pub async fn say(self, conversation: &str, text: &str) -> (String, String) {
        let answer = self.stock(&["--conversation", conversation, "say", text]).await;
        let words = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (words(&answer["type"]), words(&answer["data"]["text"]))
    }
}

/// Makes the bytes of a sentence of this conversation.
pub fn sentence(conversation: &str, text: &str) -> Vec<u8> {
    let data = json!({"text": text, "context": {"conversation_id": conversation}}).to_string();
    let header = json!({"type": "transcript", "version": "1.10.2", "data_length": data.len()});
    format!("{header}\n{data}").into_bytes()
}

/// Says these bytes. A peer that has been let go says nothing any more.
pub async fn tell(stream: &mut TcpStream, bytes: &[u8]) {
    stream.write_all(bytes).await.ok();
}

/// Hears all until the connection ends.
pub async fn hear_out(stream: &mut TcpStream) -> String {
    let mut heard = Vec::new();
    let ended = stream.read_to_end(&mut heard);
    // Where words of ours were left unread, the end comes as an error.
    within("the end of the connection", EXCHANGE, ended).await.ok();
    String::from_utf8_lossy(&heard).into_owned()
}

/// Adds the service at this door to the Home Assistant that `make test-home` has started, and says these sentences in one
/// conversation; what it answers, and what it hears in a recording.
///
/// # Panics
/// When there is none, or it does not do as it is told.
pub async fn visit_home_assistant(door: WyomingPort, recording: &str, sentences: &[&str]) -> Value {
    let mut command = Command::new(python());
    command
        .arg(peers_file("home_assistant_wyoming.py"))
        .args([&door.0.to_string(), recording])
        .args(sentences);
    for name in ["LOQUAT_HOME_ASSISTANT", "LOQUAT_HOME_ASSISTANT_OWNER"] {
        command.env(name, setting(name).expect("`make test-home` sets it"));
    }
    printed("the visit to Home Assistant", VISIT, command).await
}

fn python() -> PathBuf {
    let python = installed("LOQUAT_PEERS_WYOMING", "wyoming").join("bin/python");
    assert!(
        python.is_file(),
        "the Wyoming package is not installed at {}: `make peers` installs it",
        python.display()
    );
    python
}

/// Reads the JSON that a program prints last.
async fn printed(name: &str, patience: Duration, command: Command) -> Value {
    let mut process = Process::spawn(name, command);
    let status = process.ended(patience).await;
    let output = process.output();
    assert!(status.success(), "{name} failed: {output}");
    let last = output.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {output}"))
}
