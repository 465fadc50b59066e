//! One connection to a Home Assistant, from its handshake to its end: signing in, asking what there is, subscribing to what
//! changes, and passing calls on. Never connects again by itself.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use secrecy::ExposeSecret;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout};
use tokio_rustls::TlsConnector;
use tokio_tungstenite::tungstenite::http::Uri;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::house::Registries;
use super::link::{Condition, HomeAssistant, HomeFault, Order};
use super::settings::HomeSettings;
use loquat_tls::trust as tls;

/// The setting with the file of certificates.
const CA_FILE: &str = "home_assistant.ca_file";

/// The states of four thousand entities are about three megabytes.
const LARGEST_MESSAGE: usize = 8 << 20;

/// For a connection, a step of signing in, or an answer while the connection is made.
const STEP: Duration = Duration::from_secs(10);

/// Between two signs of life that we ask for.
const PING: Duration = Duration::from_secs(20);

/// Without anything from the server for so long, it is dead.
const SILENCE: Duration = Duration::from_secs(50);

/// Calls without an answer yet; one more is refused.
const UNANSWERED: usize = 64;

/// Scripts that are looked into; others ask.
const MOST_SCRIPTS: usize = 64;

/// After a change of names or areas, before they are asked for again, so that many changes cost little.
const SETTLING: Duration = Duration::from_secs(1);

/// What tells that names, areas or exposure have changed.
const REGISTRIES: [&str; 4] = [
    "area_registry_updated",
    "device_registry_updated",
    "entity_registry_updated",
    "floor_registry_updated",
];

/// With TLS or without.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

type Socket = WebSocketStream<Box<dyn Stream>>;

/// A connection that stands.
pub(super) struct Session<'a> {
    home: &'a HomeAssistant,
    socket: Socket,
    last_id: u64,
    unanswered: HashMap<u64, oneshot::Sender<Result<Value, HomeFault>>>,
    /// The subscription to states.
    states: u64,
    /// When the registries have to be asked for again.
    stale: Option<Instant>,
    heard: Instant,
    /// Whether the first event, which holds all states, is still to come.
    is_blank: bool,
}

impl<'a> Session<'a> {
    /// Connects, signs in and learns the home.
    pub(super) async fn open(home: &'a HomeAssistant) -> Result<Self, Condition> {
        let fetch = Arc::clone(&home.settings.token);
        let token = tokio::task::spawn_blocking(move || fetch()).await;
        let token = token.map_err(|_| Condition::Refused("the token could not be read".to_owned()))?;
        let token = token.map_err(Condition::Refused)?;
        let socket = connect(&home.settings).await.map_err(Condition::Unreachable)?;
        let mut session = Self {
            home,
            socket,
            last_id: 0,
            unanswered: HashMap::new(),
            states: 0,
            stale: None,
            heard: Instant::now(),
            is_blank: true,
        };
        session.sign_in(token.expose_secret()).await?;
        drop(token);
        let is_admin = session.learn().await.map_err(Condition::Unreachable)?;
        tracing::info!(url = home.settings.url, "connected to Home Assistant");
        if is_admin {
            tracing::warn!(
                "the token of Home Assistant is an administrator's; make one of a user who administers nothing"
            );
        }
        home.condition.send_replace(Condition::Ready { is_admin });
        Ok(session)
    }

    async fn sign_in(&mut self, token: &str) -> Result<(), Condition> {
        let first = self.next().await.map_err(Condition::Unreachable)?;
        if kind(&first) != "auth_required" {
            let why = "what answers there is no Home Assistant".to_owned();
            return Err(Condition::Unreachable(why));
        }
        let sign_in = json!({"type": "auth", "access_token": token});
        self.send(&sign_in).await.map_err(Condition::Unreachable)?;
        let answer = self.next().await.map_err(Condition::Unreachable)?;
        match kind(&answer) {
            "auth_ok" => Ok(()),
            _ => Err(Condition::Refused("it does not accept the token".to_owned())),
        }
    }

    /// Who we are and what there is; tells whether we may administer it.
    async fn learn(&mut self) -> Result<bool, String> {
        let me = self.ask(json!({"type": "auth/current_user"})).await?;
        self.furnish().await?;
        self.states = self.last_id + 1;
        self.ask(json!({"type": "subscribe_entities"})).await?;
        let deadline = Instant::now() + STEP;
        while self.is_blank && Instant::now() < deadline {
            let message = self.next().await?;
            self.take(&message);
        }
        for registry in REGISTRIES {
            self.ask(json!({"type": "subscribe_events", "event_type": registry}))
                .await?;
        }
        self.look_into_scripts().await?;
        Ok(me.get("is_admin").and_then(Value::as_bool).unwrap_or_default())
    }

    /// Asks for the registries.
    async fn furnish(&mut self) -> Result<(), String> {
        let mut registries = Registries {
            floors: self.listed("floor").await?,
            areas: self.listed("area").await?,
            devices: self.listed("device").await?,
            entities: self.listed("entity").await?,
            details: Value::Null,
        };
        let entities = registries.entities.as_array().into_iter().flatten();
        let ids: Vec<&Value> = entities.filter_map(|entity| entity.get("entity_id")).collect();
        let details = json!({"type": "config/entity_registry/get_entries", "entity_ids": ids});
        registries.details = self.ask(details).await?;
        self.home.house.write().furnish(&registries);
        self.tell();
        Ok(())
    }

    async fn listed(&mut self, registry: &str) -> Result<Value, String> {
        self.ask(json!({"type": format!("config/{registry}_registry/list")}))
            .await
    }

    /// Which scripts are seen to move nothing that asks.
    async fn look_into_scripts(&mut self) -> Result<(), String> {
        let scripts: Vec<String> = {
            let house = self.home.house.read_recursive();
            let scripts = house.exposed().filter(|entity| entity.domain() == "script");
            scripts
                .map(|script| script.id.clone())
                .take(MOST_SCRIPTS)
                .collect()
        };
        let mut harmless = Vec::new();
        for script in scripts {
            // One that is not told of asks.
            let answer = self
                .try_ask(json!({"type": "script/config", "entity_id": script}))
                .await?;
            let config = answer.ok().and_then(|answer| answer.get("config").cloned());
            let house = self.home.house.read_recursive();
            if config.is_some_and(|config| self.home.guard.is_harmless_script(&config, &house)) {
                harmless.push(script);
            }
        }
        self.home.house.write().harmless_scripts = harmless;
        Ok(())
    }

    /// Passes calls on and takes in what changes, until the connection ends; tells why it did.
    pub(super) async fn serve(&mut self, inbox: &mut mpsc::Receiver<Order>) -> String {
        let mut ping = tokio::time::interval(PING);
        loop {
            let stale = self.stale;
            let refreshed = async move {
                match stale {
                    Some(when) => tokio::time::sleep_until(when).await,
                    None => std::future::pending().await,
                }
            };
            let done = tokio::select! {
                message = self.socket.next() => self.received(message),
                order = inbox.recv() => match order {
                    Some(order) => self.pass_on(order).await,
                    None => Err("the device is shutting down".to_owned()),
                },
                () = refreshed => self.refresh().await,
                _ = ping.tick() => self.ping().await,
            };
            if let Err(why) = done {
                return why;
            }
        }
    }

    async fn refresh(&mut self) -> Result<(), String> {
        self.stale = None;
        self.furnish().await?;
        self.look_into_scripts().await
    }

    async fn ping(&mut self) -> Result<(), String> {
        if self.heard.elapsed() > SILENCE {
            return Err("it has fallen silent".to_owned());
        }
        let id = self.id();
        self.send(&json!({"id": id, "type": "ping"})).await
    }

    async fn pass_on(&mut self, order: Order) -> Result<(), String> {
        self.unanswered.retain(|_, answer| !answer.is_closed());
        if self.unanswered.len() >= UNANSWERED {
            order.answer.send(Err(HomeFault::Busy)).ok();
            return Ok(());
        }
        if order.answer.is_closed() {
            // The asker has given up, and what it wanted is not done late.
            return Ok(());
        }
        let id = self.id();
        self.unanswered.insert(id, order.answer);
        self.send(&with_id(id, order.command)).await
    }

    /// Sends a command and reads on until its answer; what comes in between is taken in.
    async fn try_ask(&mut self, command: Value) -> Result<Result<Value, HomeFault>, String> {
        let id = self.id();
        let Value::Object(command) = command else {
            return Err("a command is no object".to_owned());
        };
        self.send(&with_id(id, command)).await?;
        let deadline = Instant::now() + STEP;
        while Instant::now() < deadline {
            let message = self.next().await?;
            if kind(&message) == "result" && message.get("id").and_then(Value::as_u64) == Some(id) {
                return Ok(result(&message));
            }
            self.take(&message);
        }
        Err(format!("it did not answer within {} seconds", STEP.as_secs()))
    }

    async fn ask(&mut self, command: Value) -> Result<Value, String> {
        self.try_ask(command).await?.map_err(|error| error.to_string())
    }

    fn id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    async fn send(&mut self, message: &Value) -> Result<(), String> {
        let sent = timeout(STEP, self.socket.send(Message::text(message.to_string()))).await;
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(lost(&error)),
            Err(_) => Err("it takes nothing any more".to_owned()),
        }
    }

    /// The next message that says something.
    async fn next(&mut self) -> Result<Value, String> {
        let deadline = Instant::now() + STEP;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let message = timeout(left, self.socket.next()).await;
            let message =
                message.map_err(|_| format!("it did not answer within {} seconds", STEP.as_secs()))?;
            if let Some(message) = self.read(message)? {
                return Ok(message);
            }
        }
    }

    fn received(&mut self, message: Option<Result<Message, Error>>) -> Result<(), String> {
        if let Some(message) = self.read(message)? {
            self.take(&message);
        }
        Ok(())
    }

    fn read(&mut self, message: Option<Result<Message, Error>>) -> Result<Option<Value>, String> {
        let message = message
            .ok_or("it closed the connection")?
            .map_err(|error| lost(&error))?;
        self.heard = Instant::now();
        match message {
            Message::Text(text) => serde_json::from_str(text.as_str())
                .map(Some)
                .map_err(|_| "it sent something that is no JSON".to_owned()),
            Message::Close(_) => Err("it closed the connection".to_owned()),
            _ => Ok(None),
        }
    }

    /// Takes in what was not asked for just now.
    fn take(&mut self, message: &Value) {
        let id = message.get("id").and_then(Value::as_u64).unwrap_or_default();
        match kind(message) {
            "result" => {
                if let Some(answer) = self.unanswered.remove(&id) {
                    answer.send(result(message)).ok();
                }
            }
            "event" if id == self.states => {
                if let Some(event) = message.get("event") {
                    let mut house = self.home.house.write();
                    if std::mem::take(&mut self.is_blank) {
                        // What went while there was no connection is not told of.
                        house.entities.clear();
                    }
                    house.apply(event);
                    drop(house);
                    self.tell();
                }
            }
            "event" => self.stale = Some(Instant::now() + SETTLING),
            _ => {}
        }
    }

    fn tell(&self) {
        self.home
            .changes
            .send_modify(|changes| *changes = changes.wrapping_add(1));
    }
}

async fn connect(settings: &HomeSettings) -> Result<Socket, String> {
    let url = HomeSettings::socket_url(&settings.url)?;
    let connector = trust(settings, &url).await?;
    let limits = WebSocketConfig::default()
        .max_message_size(Some(LARGEST_MESSAGE))
        .max_frame_size(Some(LARGEST_MESSAGE));
    let opened = async {
        let stream = dial(&url, connector.as_ref()).await?;
        let opened = client_async_with_config(url, stream, Some(limits)).await;
        opened.map_err(|error| lost(&error))
    };
    match timeout(STEP, opened).await {
        Ok(opened) => opened.map(|(socket, _)| socket),
        Err(_) => Err(format!("it did not answer within {} seconds", STEP.as_secs())),
    }
}

/// How the server is trusted, where it is spoken to with TLS. Read anew for each connection, as the token is.
async fn trust(settings: &HomeSettings, url: &str) -> Result<Option<TlsConnector>, String> {
    if !url.starts_with("wss://") {
        return Ok(None);
    }
    let file = settings.ca_file.clone();
    let read = tokio::task::spawn_blocking(move || tls::connector(file.as_deref(), CA_FILE)).await;
    let read = read.map_err(|_| "the certificates could not be read".to_owned())?;
    read.map(Some)
}

/// A stream to the server.
async fn dial(url: &str, connector: Option<&TlsConnector>) -> Result<Box<dyn Stream>, String> {
    let uri: Uri = url.parse().map_err(|_| format!("{url} is no address"))?;
    let host = uri.host().unwrap_or_default();
    let port = uri
        .port_u16()
        .unwrap_or(if connector.is_some() { 443 } else { 80 });
    let stream = TcpStream::connect((host.trim_matches(['[', ']']), port)).await;
    let stream = stream.map_err(|error| error.to_string())?;
    stream.set_nodelay(true).ok();
    Ok(match connector {
        Some(connector) => Box::new(tls::handshake(connector, host, stream, CA_FILE).await?),
        None => Box::new(stream),
    })
}

/// What the websocket says, in words for a person.
fn lost(error: &Error) -> String {
    match error {
        Error::Capacity(_) => format!("it sent a message of more than {} MiB", LARGEST_MESSAGE >> 20),
        Error::Io(error) => error.to_string(),
        Error::Http(answer) => format!("it answered with the status {}", answer.status().as_u16()),
        Error::ConnectionClosed | Error::AlreadyClosed => "it closed the connection".to_owned(),
        other => other.to_string(),
    }
}

fn with_id(id: u64, command: Map<String, Value>) -> Value {
    let mut message = Map::from_iter([("id".to_owned(), json!(id))]);
    message.extend(command);
    Value::Object(message)
}

fn kind(message: &Value) -> &str {
    message.get("type").and_then(Value::as_str).unwrap_or_default()
}

fn result(message: &Value) -> Result<Value, HomeFault> {
    if message.get("success").and_then(Value::as_bool) == Some(true) {
        return Ok(message.get("result").cloned().unwrap_or_default());
    }
    let said = |key: &str| {
        let text = message.pointer(&format!("/error/{key}")).and_then(Value::as_str);
        let short: String = text.unwrap_or("unknown").chars().take(200).collect();
        loquat_agent::printable::printable(&short).to_string()
    };
    Err(HomeFault::Failed {
        code: said("code"),
        message: said("message"),
    })
}
