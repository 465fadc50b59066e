//! The device of the tests: an embedded bus with clients, and a bus whose every frame the test writes itself.
//!
//! The scripted side is built on an independent websocket implementation, not on ours.

use std::future::Future;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use loquat_bus::{
    Bus, BusAddress, BusServerOptions, ClientOptions, EmbeddedBus, Received, Subscription, Topics,
};
use loquat_wire::Message;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{self, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, accept_async_with_config, client_async_with_config};
use tokio_util::sync::CancellationToken;

/// No event of these tests takes this long unless it never comes.
pub(crate) const DEADLINE: Duration = Duration::from_secs(20);

/// Waits for an event.
pub(crate) async fn within<T>(event: impl Future<Output = T>) -> T {
    timeout(DEADLINE, event).await.expect("it happens in time")
}

/// A port that no program listens on.
pub(crate) fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// A message that can be told from others.
pub(crate) fn numbered(number: usize) -> Message {
    Message::new("test.number", json!({ "number": number }))
}

pub(crate) async fn next(subscription: &mut Subscription) -> Received {
    within(subscription.recv()).await.expect("the client runs")
}

pub(crate) async fn connected(bus: &Bus) {
    let mut state = bus.state();
    within(state.wait_for(loquat_bus::ConnectionState::is_connected))
        .await
        .unwrap();
}

/// Checks that a subscription got nothing: whatever was on its way is there before the echo of something later.
pub(crate) async fn nothing_more(bus: &Bus, subscription: &mut Subscription) {
    let mut mark = bus.subscribe(Topics::of(["test.mark"]).including_own());
    bus.emit(Message::new("test.mark", ())).await.unwrap();
    next(&mut mark).await;
    let more = std::pin::pin!(subscription.recv());
    let more = futures_util::future::select(more, std::future::ready(())).await;
    if let futures_util::future::Either::Left((Some(received), _)) = more {
        assert_eq!(received.message.topic, "test.mark");
    }
}

/// A task that runs until it is stopped or dropped.
pub(crate) struct Runner {
    tasks: JoinSet<()>,
    token: CancellationToken,
}

impl Runner {
    pub(crate) fn start<F: Future<Output = ()> + Send + 'static>(
        run: impl FnOnce(CancellationToken) -> F,
    ) -> Self {
        let token = CancellationToken::new();
        let mut tasks = JoinSet::new();
        tasks.spawn(run(token.clone()));
        Self { tasks, token }
    }

    /// A client of ours that runs.
    pub(crate) fn client(port: u16, options: ClientOptions) -> (Bus, Self) {
        let (bus, actor) = loquat_bus::client(BusAddress::local(port), options);
        (bus, Self::start(|token| actor.run(token)))
    }

    /// Cancels, and gives the end to wait for.
    pub(crate) fn stop(mut self) -> impl Future<Output = ()> {
        self.token.cancel();
        async move {
            while let Some(end) = self.tasks.join_next().await {
                end.unwrap();
            }
        }
    }

    /// Ends it without any farewell.
    pub(crate) async fn kill(mut self) {
        self.tasks.shutdown().await;
    }
}

/// An embedded bus that runs, and its clients.
pub(crate) struct Device {
    address: BusAddress,
    bus: Runner,
    clients: std::sync::Mutex<Vec<Runner>>,
}

impl Device {
    pub(crate) fn start() -> Self {
        Self::start_on(0)
    }

    pub(crate) fn start_on(port: u16) -> Self {
        Self::with(|options| options.port = port)
    }

    pub(crate) fn with(change: impl FnOnce(&mut BusServerOptions)) -> Self {
        let mut options = BusServerOptions::on_port(0);
        change(&mut options);
        let bus = EmbeddedBus::bind(options).unwrap();
        Self {
            address: bus.address(),
            bus: Runner::start(|token| bus.run(token)),
            clients: std::sync::Mutex::default(),
        }
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port
    }

    /// A client of ours that is connected.
    pub(crate) async fn client(&self) -> Bus {
        let (bus, runner) = Runner::client(self.port(), ClientOptions::default());
        self.clients.lock().unwrap().push(runner);
        connected(&bus).await;
        bus
    }

    /// A client of another make, past the greeting.
    pub(crate) async fn raw(&self) -> Raw {
        let mut raw = Raw::connect(self.port(), "/core", None).await.unwrap();
        assert_eq!(raw.message().await.topic, "connected");
        raw
    }

    /// Ends the bus as a kill does; its clients run on.
    pub(crate) async fn kill(self) -> Vec<Runner> {
        self.bus.kill().await;
        self.clients.into_inner().unwrap()
    }

    pub(crate) async fn stop(self) {
        within(self.bus.stop()).await;
    }
}

/// A websocket that is not ours, on either side.
pub(crate) struct Raw {
    pub(crate) stream: WebSocketStream<TcpStream>,
}

fn roomy() -> WebSocketConfig {
    let mut config = WebSocketConfig::default();
    config.max_frame_size = None;
    config.max_message_size = None;
    config
}

impl Raw {
    pub(crate) async fn connect(port: u16, path: &str, origin: Option<&str>) -> tungstenite::Result<Self> {
        let tcp = TcpStream::connect(("127.0.0.1", port)).await?;
        let mut request =
            tungstenite::ClientRequestBuilder::new(format!("ws://127.0.0.1:{port}{path}").parse()?);
        if let Some(origin) = origin {
            request = request.with_header("Origin", origin);
        }
        let (stream, _) = client_async_with_config(request, tcp, Some(roomy())).await?;
        Ok(Self { stream })
    }

    pub(crate) async fn send(&mut self, text: &str) {
        self.put(tungstenite::Message::text(text)).await;
    }

    pub(crate) async fn put(&mut self, message: tungstenite::Message) {
        within(self.stream.send(message)).await.unwrap();
    }

    pub(crate) async fn text(&mut self) -> Utf8Bytes {
        loop {
            match within(self.stream.next())
                .await
                .expect("a frame")
                .expect("a good frame")
            {
                tungstenite::Message::Text(text) => return text,
                tungstenite::Message::Close(frame) => panic!("closed with {frame:?}"),
                _ => {}
            }
        }
    }

    pub(crate) async fn message(&mut self) -> Message {
        Message::parse(&self.text().await).unwrap()
    }

    /// Waits for the close frame and gives its code.
    pub(crate) async fn goodbye(&mut self) -> Option<u16> {
        loop {
            match within(self.stream.next()).await {
                Some(Ok(tungstenite::Message::Close(frame))) => return frame.map(|frame| frame.code.into()),
                Some(Ok(_)) => {}
                end => panic!("ended without a goodbye: {end:?}"),
            }
        }
    }
}

/// A bus that does only what the test says: it greets, and echoes nothing by itself.
pub(crate) struct RawBus {
    listener: TcpListener,
    client: Option<Raw>,
    last: Option<Utf8Bytes>,
}

impl RawBus {
    pub(crate) async fn start() -> Self {
        Self::start_on(0).await
    }

    pub(crate) async fn start_on(port: u16) -> Self {
        Self {
            listener: TcpListener::bind(("127.0.0.1", port)).await.unwrap(),
            client: None,
            last: None,
        }
    }

    pub(crate) fn port(&self) -> u16 {
        self.listener.local_addr().unwrap().port()
    }

    /// Waits for the client and greets it.
    pub(crate) async fn accept(&mut self) {
        let (tcp, _) = within(self.listener.accept()).await.unwrap();
        let stream = within(accept_async_with_config(tcp, Some(roomy())))
            .await
            .unwrap();
        let mut client = Raw { stream };
        let greeting = json!({"type": "connected", "context": {"session": {"session_id": "default"}}});
        client.send(&greeting.to_string()).await;
        self.client = Some(client);
    }

    async fn client(&mut self) -> &mut Raw {
        if self.client.is_none() {
            self.accept().await;
        }
        self.client.as_mut().unwrap()
    }

    /// The next message that the client sends; accepts a client when there is none.
    pub(crate) async fn message(&mut self) -> Message {
        let text = self.client().await.text().await;
        self.last = Some(text.clone());
        Message::parse(&text).unwrap()
    }

    pub(crate) async fn send(&mut self, text: &str) {
        self.client().await.send(text).await;
    }

    pub(crate) async fn send_bytes(&mut self, bytes: &[u8]) {
        let message = tungstenite::Message::binary(bytes.to_vec());
        self.client().await.put(message).await;
    }

    /// Writes bytes beside the websocket.
    pub(crate) async fn send_raw(&mut self, bytes: &[u8]) {
        self.client()
            .await
            .stream
            .get_mut()
            .write_all(bytes)
            .await
            .unwrap();
    }

    /// A text frame that is not UTF-8, which the bus of OVOS makes of a binary one.
    pub(crate) async fn send_invalid_text(&mut self) {
        self.send_raw(&[0x81, 0x02, 0xff, 0xfe]).await;
    }

    pub(crate) async fn echo_last(&mut self) {
        let last = self.last.clone().unwrap();
        self.send(&last).await;
    }

    /// Drops the connection as a killed bus does.
    pub(crate) fn drop_client(&mut self) {
        self.client = None;
    }

    pub(crate) async fn close_client(&mut self, code: u16) {
        let frame = CloseFrame {
            code: code.into(),
            reason: "".into(),
        };
        self.client()
            .await
            .put(tungstenite::Message::Close(Some(frame)))
            .await;
        self.client = None;
    }

    pub(crate) async fn goodbye(&mut self) -> Option<u16> {
        self.client().await.goodbye().await
    }

    /// Waits for a ping and answers it.
    pub(crate) async fn pinged(&mut self) {
        let client = self.client().await;
        loop {
            if let tungstenite::Message::Ping(_) = within(client.stream.next()).await.unwrap().unwrap() {
                // The answer is queued; this sends it.
                return within(client.stream.flush()).await.unwrap();
            }
        }
    }
}
