//! Satellites of HiveMind at a daemon's door: the crate that speaks its wire, and bare bytes for what no satellite sends.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use loquat_hive::{HiveMessage, JoinError, Kind, Link, Membership, Psk, StaticKey, Target, join};
use serde_json::{Map, Value, json};
use tokio::net::TcpStream;

use crate::daemon::Launch;
use crate::home::{Home, free_port};
use crate::models::smallest;
use crate::wait::{PATIENCE, wait_for, within};

/// Where a daemon listens for satellites.
#[derive(Debug, Clone, Copy)]
pub struct HivePort(u16);

/// What a satellite has to know.
#[derive(Debug, Clone)]
pub struct Keys {
    /// Which one it is.
    pub access_key: String,
    /// What proves it.
    pub password: String,
}

impl Keys {
    /// As a satellite says who it is in its address.
    pub fn authorization(&self) -> String {
        BASE64_STANDARD
            .encode(format!("sat:{}", self.access_key))
            .replace('=', "%3D")
    }
}

impl HivePort {
    /// Has the daemon of this home listen on a free port.
    pub fn of(home: &Home) -> Self {
        let port = free_port();
        home.setting("hive.listen", &format!("\"127.0.0.1:{port}\""));
        Self(port)
    }

    /// Takes another door, such as one that stands between.
    pub fn at(port: u16) -> Self {
        Self(port)
    }

    /// Gives the number of the port.
    pub fn number(self) -> u16 {
        self.0
    }

    /// Opens a connection that says nothing yet.
    pub async fn connect(self) -> TcpStream {
        let look = async || TcpStream::connect(("127.0.0.1", self.0)).await.ok();
        wait_for("the hive to be open", PATIENCE, look).await
    }

    /// Joins with these keys as a satellite on this device, or says why it is not let in.
    pub async fn join(self, keys: &Keys, device: &StaticKey) -> Result<Satellite, JoinError> {
        drop(self.connect().await);
        let target = Target {
            host: "127.0.0.1".to_owned(),
            port: self.0,
            has_tls: false,
        };
        let membership = Membership {
            program: "test satellite".to_owned(),
            access_key: keys.access_key.clone(),
            key: device.clone(),
            known: None,
        };
        let psk = async |node_id: &str| Psk::derive(&keys.password, node_id);
        let stream = target.connect().await?;
        let (link, _) = join(stream, &target, &membership, psk).await?;
        Ok(Satellite { link })
    }

    /// Joins with these keys as a satellite, in this session.
    ///
    /// # Panics
    /// When it is refused.
    pub async fn satellite(self, keys: &Keys, session: &str) -> Satellite {
        let device = StaticKey::generate().expect("random numbers");
        let mut satellite = self
            .join(keys, &device)
            .await
            .expect("a satellite that may come in");
        satellite.tell(&HiveMessage::hello(session, "kitchen")).await;
        satellite
    }
}

/// Has the device listen to the microphones of satellites, with the smallest models that there are.
pub fn with_ears(home: &Home) {
    home.setting("speech.whisper_model", &smallest("ggml-tiny", "bin"));
    home.setting("speech.vad_model", &smallest("ggml-silero", "bin"));
    home.setting("speech.wake_word", &smallest("hey_mycroft", "tflite"));
}

/// Lets a satellite come in, by the command of the device's owner.
///
/// # Panics
/// When the command fails.
pub async fn let_in(home: &Home, name: &str, access: &[&str]) -> Keys {
    let arguments = [&["--json", "hive", "add", name], access].concat();
    let told = owner(home, &arguments).await;
    let text = |key: &str| told[key].as_str().unwrap_or_default().to_owned();
    Keys {
        access_key: text("access_key"),
        password: text("password"),
    }
}

/// Has the device's owner give a command, and gives what it prints.
///
/// # Panics
/// When the command fails.
pub async fn owner(home: &Home, arguments: &[&str]) -> Value {
    let finished = Launch::new(home, arguments).run().await;
    assert!(finished.status.success(), "{}", finished.shown());
    serde_json::from_str(&finished.stdout).unwrap_or_else(|error| panic!("{error}: {}", finished.shown()))
}

/// A satellite that is there.
#[derive(Debug)]
pub struct Satellite {
    link: Link<TcpStream>,
}

impl Satellite {
    /// Sends a message of the hive.
    ///
    /// # Panics
    /// When it cannot be sent.
    pub async fn tell(&mut self, message: &HiveMessage) {
        self.link.send(message).await.expect("a message that is sent");
    }

    /// Sends a message of the bus.
    pub async fn send(&mut self, topic: &str, data: Value) {
        let payload = json!({"type": topic, "data": data, "context": {}});
        self.tell(&HiveMessage::new(Kind::Bus, map(&payload))).await;
    }

    /// Says something and waits for nothing.
    pub async fn say(&mut self, text: &str) {
        self.send(
            "recognizer_loop:utterance",
            json!({"utterances": [text], "lang": "en-US"}),
        )
        .await;
    }

    /// Waits for the next message of the hive; there is none when the connection has ended.
    pub async fn next(&mut self) -> Option<HiveMessage> {
        let next = self.link.receive();
        within("a message of the hive", PATIENCE, next)
            .await
            .unwrap_or_default()
    }

    /// Waits for the next message of the bus on this topic.
    ///
    /// # Panics
    /// When the connection ends before.
    pub async fn hear(&mut self, topic: &str) -> Map<String, Value> {
        loop {
            let message = self.next().await.expect("a connection that goes on");
            let payload = message.object().filter(|payload| payload["type"] == topic);
            if let Some(payload) = payload {
                return payload.clone();
            }
        }
    }

    /// Says something, and gives all that was said to it.
    ///
    /// # Panics
    /// When the connection ends before.
    pub async fn ask(&mut self, text: &str) -> Vec<String> {
        self.say(text).await;
        let mut said = Vec::new();
        loop {
            let message = self.next().await.expect("a connection that goes on");
            let Some(payload) = message.object() else { continue };
            match payload["type"].as_str().unwrap_or_default() {
                "speak" => said.push(
                    payload["data"]["utterance"]
                        .as_str()
                        .unwrap_or_default()
                        .to_owned(),
                ),
                "hive.policy.denied" => said.push(format!("denied: {}", payload["data"]["code"])),
                _ => {}
            }
            if payload["type"] == "ovos.utterance.handled" || payload["type"] == "hive.policy.denied" {
                return said;
            }
        }
    }

    /// Waits for what is said to the satellite without its asking, and gives the words.
    pub async fn hear_said(&mut self) -> String {
        let said = self.hear("speak").await;
        said["data"]["utterance"].as_str().unwrap_or_default().to_owned()
    }

    /// Tells whether nothing is heard for this long.
    pub async fn hears_nothing(&mut self, time: Duration) -> bool {
        tokio::time::timeout(time, self.link.receive()).await.is_err()
    }

    /// Waits for the end of the connection.
    pub async fn let_go(&mut self) {
        while self.next().await.is_some() {}
    }
}

fn map(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}
