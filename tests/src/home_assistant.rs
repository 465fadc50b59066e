//! A Home Assistant of a test: replays what a real one of either release has answered (`home_assistant/*/home.json`), moves
//! its things as that one did, and behaves badly where a test wants it to.
//!
//! It keeps every call and everything that was ever moved. It speaks the websocket API and nothing else.

mod assist;
mod services;
mod thing;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::broadcast;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use crate::certificate::Identity;
use crate::home::Home;
use services::carry_out;
pub use thing::Thing;

/// The token that it accepts.
pub const TOKEN: &str = "canary-token-of-the-home";

/// Kinds of things that must not move without a yes.
const GUARDED: [&str; 6] = [
    "alarm_control_panel",
    "button",
    "input_button",
    "lock",
    "siren",
    "valve",
];

/// Classes of covers that must not.
const GUARDED_CLASSES: [&str; 3] = ["door", "garage", "gate"];

/// Changes that a slow client has not taken yet.
const NEWS: usize = 256;

/// Which Home Assistant it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// 2025.4.
    April2025,
    /// 2026.11.
    November2026,
}

impl Release {
    /// Gives what the real one has answered.
    fn recording(self) -> &'static Value {
        static APRIL: LazyLock<Value> =
            LazyLock::new(|| recording(include_str!("../home_assistant/2025.4/home.json")));
        static NOVEMBER: LazyLock<Value> =
            LazyLock::new(|| recording(include_str!("../home_assistant/2026.11/home.json")));
        match self {
            Self::April2025 => &APRIL,
            Self::November2026 => &NOVEMBER,
        }
    }
}

fn recording(text: &str) -> Value {
    serde_json::from_str(text).expect("the recording is JSON")
}

/// How it behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// As the real one.
    Good,
    /// It accepts no token.
    Refuses,
    /// It signs in and answers nothing more.
    Silent,
    /// It answers no call.
    Deaf,
    /// It says that a call was done, and nothing happens.
    Lies,
    /// It moves another thing than the one that was named.
    Confuses,
    /// It closes the connection when it is called.
    Closes,
    /// It answers a call with a message of many megabytes.
    Floods,
    /// It answers a call with what is no answer.
    Babbles,
    /// Assist means another thing by a sentence than it said when it was only tried.
    Forswears,
}

#[derive(Debug)]
struct House {
    manner: Manner,
    states: BTreeMap<String, Value>,
    calls: Vec<Value>,
    /// What is on the shopping list.
    items: Vec<Value>,
    moved: BTreeSet<String>,
    connections: usize,
    /// What it has beside what was recorded.
    things: Vec<Thing>,
    /// The voice of its own assistant.
    voice: Option<&'static str>,
}

#[derive(Debug)]
struct Shared {
    recording: &'static Value,
    house: Mutex<House>,
    /// Events for all connections.
    news: broadcast::Sender<Value>,
    hang_up: broadcast::Sender<()>,
}

impl Shared {
    fn house(&self) -> MutexGuard<'_, House> {
        self.house.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The server; it goes away with this value.
#[derive(Debug)]
pub struct FakeHomeAssistant {
    port: u16,
    /// Whether it is spoken to with TLS.
    is_secure: bool,
    shared: Arc<Shared>,
    _task: JoinSet<()>,
}

impl FakeHomeAssistant {
    /// Starts it on a free port.
    pub async fn start(manner: Manner) -> Self {
        Self::released(Release::April2025, manner).await
    }

    /// Starts one of this release.
    pub async fn released(release: Release, manner: Manner) -> Self {
        Self::start_with((release, manner), None).await
    }

    /// Starts one with TLS.
    pub async fn secure(manner: Manner, identity: &Identity) -> Self {
        Self::start_with((Release::April2025, manner), Some(identity.acceptor.clone())).await
    }

    async fn start_with((release, manner): (Release, Manner), acceptor: Option<TlsAcceptor>) -> Self {
        let recording = release.recording();
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a loopback port is free");
        let port = listener
            .local_addr()
            .expect("a bound socket has an address")
            .port();
        let states = recording["subscribed"][1]["event"]["a"]
            .as_object()
            .expect("states");
        let house = House {
            manner,
            states: states.clone().into_iter().collect(),
            calls: Vec::new(),
            items: vec![json!({"summary": "milk", "uid": "1", "status": "needs_action"})],
            moved: BTreeSet::new(),
            connections: 0,
            things: Vec::new(),
            voice: None,
        };
        let shared = Arc::new(Shared {
            recording,
            house: Mutex::new(house),
            news: broadcast::channel(NEWS).0,
            hang_up: broadcast::channel(1).0,
        });
        let mut task = JoinSet::new();
        let is_secure = acceptor.is_some();
        task.spawn(accept(listener, acceptor, Arc::clone(&shared)));
        Self {
            port,
            is_secure,
            shared,
            _task: task,
        }
    }

    /// Has the daemon of this home speak to it, and understand sentences.
    pub fn furnish(&self, home: &Home) {
        let token = home.write("token", TOKEN);
        let address = if self.is_secure {
            format!("\"https://localhost:{}\"", self.port)
        } else {
            format!("\"http://127.0.0.1:{}\"", self.port)
        };
        home.setting("home_assistant.url", &address);
        home.setting("home_assistant.token_file", &format!("\"{}\"", token.display()));
        let also: Vec<String> = self
            .shared
            .house()
            .states
            .keys()
            .filter(|id| is_guarded_kind(id))
            .map(|id| format!("\"{id}\""))
            .collect();
        home.setting("home_assistant.also", &format!("[{}]", also.join(", ")));
        home.setting("skills.intents", "\"alone\"");
    }

    /// Gives its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Brings further things into the home, before anything is connected to it.
    pub fn brings(&self, things: impl IntoIterator<Item = Thing>) {
        let mut house = self.shared.house();
        for thing in things {
            house.states.insert(thing.id.to_owned(), thing.state());
            house.things.push(thing);
        }
    }

    /// Its own assistant speaks by this voice from now on.
    pub fn speaks_by(&self, voice: &'static str) {
        self.shared.house().voice = Some(voice);
    }

    /// Lists what the services were called with since this was asked last.
    pub fn data(&self) -> Vec<Value> {
        let calls = std::mem::take(&mut self.shared.house().calls);
        calls.iter().map(|call| call["service_data"].clone()).collect()
    }

    /// It behaves otherwise from now on.
    pub fn behave(&self, manner: Manner) {
        self.shared.house().manner = manner;
    }

    /// Ends all connections.
    pub fn hang_up(&self) {
        let _ended = self.shared.hang_up.send(());
    }

    /// Counts the connections that there have been.
    pub fn connections(&self) -> usize {
        self.shared.house().connections
    }

    /// Something in the home is moved by hand.
    pub fn becomes(&self, id: &str, state: &str) {
        move_to(&self.shared, id, state, &json!({}));
    }

    /// Changes attributes of a thing, such as what it is called.
    pub fn changes(&self, id: &str, attributes: &Value) {
        let state = self.state(id);
        move_to(&self.shared, id, &state, attributes);
    }

    /// Lists the services that were called since this was asked last, with the things that were named.
    pub fn calls(&self) -> Vec<String> {
        let calls = std::mem::take(&mut self.shared.house().calls);
        calls
            .iter()
            .map(|call| {
                let ids: Vec<&str> = ids(call);
                format!(
                    "{}.{} {}",
                    text(call, "domain"),
                    text(call, "service"),
                    ids.join(" ")
                )
            })
            .collect()
    }

    /// Gives the state of a thing.
    pub fn state(&self, id: &str) -> String {
        let house = self.shared.house();
        house
            .states
            .get(id)
            .map_or_else(String::new, |state| text(state, "s").to_owned())
    }

    /// Lists what has moved since this was asked last, of what must not without a yes.
    pub fn guarded_moves(&self) -> Vec<String> {
        let mut house = self.shared.house();
        let moved = std::mem::take(&mut house.moved);
        let is_guarded = |id: &String| {
            let class = &house.states[id]["a"]["device_class"];
            let is_way = id.starts_with("cover.") && GUARDED_CLASSES.iter().any(|way| class == way);
            // A button that only has its device show itself is none of them.
            (is_guarded_kind(id) && class != "identify") || is_way
        };
        moved.into_iter().filter(is_guarded).collect()
    }
}

fn is_guarded_kind(id: &str) -> bool {
    GUARDED.iter().any(|kind| id.split('.').next() == Some(kind))
}

async fn accept(listener: TcpListener, acceptor: Option<TlsAcceptor>, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    while let Ok((socket, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        let mut hung_up = shared.hang_up.subscribe();
        let acceptor = acceptor.clone();
        connections.spawn(async move {
            let served = async {
                match acceptor {
                    Some(acceptor) => serve(acceptor.accept(socket).await.ok()?, &shared).await,
                    None => serve(socket, &shared).await,
                }
            };
            tokio::select! {
                _ = served => {}
                _ = hung_up.recv() => {}
            }
        });
    }
}

/// One connection; ends with it.
async fn serve(socket: impl AsyncRead + AsyncWrite + Unpin, shared: &Shared) -> Option<()> {
    let mut socket = tokio_tungstenite::accept_async(socket).await.ok()?;
    shared.house().connections += 1;
    send(&mut socket, &shared.recording["required"]).await?;
    let auth = receive(&mut socket).await?;
    let manner = shared.house().manner;
    if manner == Manner::Refuses || auth["access_token"] != TOKEN {
        return send(&mut socket, &shared.recording["invalid"]).await;
    }
    send(&mut socket, &shared.recording["ok"]).await?;
    let mut news = shared.news.subscribe();
    let mut states = None;
    loop {
        tokio::select! {
            event = news.recv() => {
                let (event, Some(id)) = (event.ok()?, &states) else { continue };
                send(&mut socket, &json!({"id": id, "type": "event", "event": event})).await?;
            }
            command = receive(&mut socket) => {
                let command = command?;
                if shared.house().manner == Manner::Silent {
                    continue;
                }
                if command["type"] == "subscribe_entities" {
                    states = Some(command["id"].clone());
                }
                for answer in answers(&command, shared)? {
                    send(&mut socket, &answer).await?;
                }
            }
        }
    }
}

/// Lists what is answered; nothing ends the connection.
fn answers(command: &Value, shared: &Shared) -> Option<Vec<Value>> {
    let id = &command["id"];
    let result = |result: Value| vec![json!({"id": id, "type": "result", "success": true, "result": result})];
    Some(match text(command, "type") {
        "ping" => vec![json!({"id": id, "type": "pong"})],
        "subscribe_events" => result(Value::Null),
        "subscribe_entities" => {
            let all: Map<String, Value> = shared.house().states.clone().into_iter().collect();
            let mut answers = result(Value::Null);
            answers.push(json!({"id": id, "type": "event", "event": {"a": all}}));
            answers
        }
        "script/config" => {
            let script = text(command, "entity_id");
            let known = &shared.recording["scripts"][script];
            let known = if known.is_null() {
                &shared.recording["scripts"]["script.none"]
            } else {
                known
            };
            vec![with_id(known, id)]
        }
        "call_service" => return called(command, shared),
        "conversation/agent/homeassistant/debug" => {
            let said = command["sentences"][0].as_str().unwrap_or_default();
            vec![with_id(
                &tried(shared.recording, (text(command, "language"), said)),
                id,
            )]
        }
        "assist_pipeline/pipeline/list" => {
            let assistant = json!({"id": "home", "language": "en", "tts_engine": shared.house().voice});
            result(json!({"pipelines": [assistant], "preferred_pipeline": "home"}))
        }
        "conversation/process" => vec![with_id(&assist::handed(command, shared), id)],
        kind => {
            let known = &shared.recording["answers"][kind];
            assert!(
                !known.is_null(),
                "a command that the recording has no answer to: {command}"
            );
            let mut answer = with_id(known, id);
            for thing in &shared.house().things {
                thing.enter(kind, &mut answer["result"]);
            }
            vec![answer]
        }
    })
}

/// Gives what Assist made of a sentence without doing it, as the real one did; of others, that it knows no
/// such thing.
fn tried(recording: &Value, (language, said): (&str, &str)) -> Value {
    let known = recording["sentences"][language].as_object().into_iter().flatten();
    let plain = |text: &str| text.trim_end_matches(['.', '?', '!']).to_lowercase();
    let mut found = known.filter(|(sentence, _)| plain(sentence) == plain(said));
    let unknown = &recording["sentences"]["en"]["vacuum the house"];
    found.next().map_or(unknown, |(_, answer)| answer).clone()
}

fn called(call: &Value, shared: &Shared) -> Option<Vec<Value>> {
    let id = &call["id"];
    let manner = {
        let mut house = shared.house();
        house.calls.push(call.clone());
        house.manner
    };
    let done = json!({"id": id, "type": "result", "success": true, "result": {"context": {}}});
    Some(match manner {
        Manner::Deaf | Manner::Silent | Manner::Refuses => Vec::new(),
        Manner::Lies => vec![done],
        Manner::Closes => return None,
        Manner::Floods => {
            vec![json!({"id": id, "type": "result", "success": true, "result": "x".repeat(24 << 20)})]
        }
        Manner::Babbles => vec![
            json!([1]),
            json!("x"),
            json!({"id": "x", "type": 3, "event": [[]]}),
        ],
        Manner::Confuses => {
            move_to(shared, "fan.living_room_fan", "on", &json!({}));
            vec![done]
        }
        Manner::Good | Manner::Forswears if call["domain"] == "todo" => {
            vec![with_id(&listed(call, shared), id)]
        }
        Manner::Good | Manner::Forswears => {
            if let Some(error) = refused(shared.recording, call) {
                return Some(vec![with_id(error, id)]);
            }
            if let Some(error) = services::unsupported(shared, call) {
                return Some(vec![with_id(&error, id)]);
            }
            if let Some(answer) = services::response(shared, call) {
                return Some(vec![with_id(&answer, id)]);
            }
            for target in ids(call) {
                carry_out(shared, call, target);
            }
            vec![done]
        }
    })
}

/// Answers with what is on the shopping list, or changes it.
fn listed(call: &Value, shared: &Shared) -> Value {
    let data = &call["service_data"];
    let mut house = shared.house();
    let named = match &data["item"] {
        Value::Array(several) => several.clone(),
        one => vec![one.clone()],
    };
    let is_it = |item: &Value| named.contains(&item["summary"]) || named.contains(&item["uid"]);
    match text(call, "service") {
        "add_item" => house
            .items
            .push(json!({"summary": data["item"], "uid": "2", "status": "needs_action"})),
        "update_item" => {
            for item in house.items.iter_mut().filter(|item| is_it(item)) {
                item["status"] = data["status"].clone();
            }
        }
        "remove_item" => house.items.retain(|item| !is_it(item)),
        _ => {
            let mut answer = shared.recording["todo"].clone();
            answer["result"]["response"]["todo.shopping_list"]["items"] = json!(house.items);
            return answer;
        }
    }
    json!({"type": "result", "success": true, "result": {"context": {}}})
}

/// An alarm wants its code.
fn refused(recording: &'static Value, call: &Value) -> Option<&'static Value> {
    let calls = recording["calls"].as_array().expect("calls");
    let known = calls
        .iter()
        .find(|known| known["call"]["domain"] == "alarm_control_panel")?;
    let answer = known["frames"].as_array()?.last()?;
    (call["domain"] == "alarm_control_panel").then_some(answer)
}

fn move_to(shared: &Shared, id: &str, state: &str, attributes: &Value) {
    let mut house = shared.house();
    let Some(known) = house.states.get_mut(id) else {
        return;
    };
    known["s"] = json!(state);
    for (key, value) in attributes.as_object().into_iter().flatten() {
        known["a"][key] = value.clone();
    }
    house.moved.insert(id.to_owned());
    drop(house);
    let change = json!({"c": {id: {"+": {"s": state, "a": attributes}}}});
    // Without a connection there is none to tell.
    let _heard = shared.news.send(change);
}

fn ids(call: &Value) -> Vec<&str> {
    let target = &call["target"]["entity_id"];
    let listed = target.as_array().into_iter().flatten().filter_map(Value::as_str);
    listed.chain(target.as_str()).collect()
}

fn with_id(answer: &Value, id: &Value) -> Value {
    let mut answer = answer.clone();
    answer["id"] = id.clone();
    answer
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

async fn send<S>(socket: &mut WebSocketStream<S>, message: &Value) -> Option<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    socket.send(Message::text(message.to_string())).await.ok()
}

async fn receive<S>(socket: &mut WebSocketStream<S>) -> Option<Value>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    loop {
        if let Message::Text(text) = socket.next().await?.ok()? {
            return serde_json::from_str(text.as_str()).ok();
        }
    }
}
