//! One connection to a server, from the greeting to its end: its tools, its calls, and what it says unasked. Nothing here
//! begins it anew.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use loquat_agent::pieces::Pieces;
use loquat_agent::toolbox::ToolError;
use parking_lot::Mutex;
use reqwest::redirect::Policy;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ClientRequest,
    ElicitRequestParams, ElicitResult, ElicitationCapability, ErrorData, FormElicitationCapability,
    Implementation, ListToolsRequest, PaginatedRequestParams, ProgressNotificationParam, ProgressToken,
    ProtocolVersion, ResourceUpdatedNotificationParam, ServerResult, SubscribeRequestParams,
};
use rmcp::service::{
    ClientInitializeError, NotificationContext, Peer, PeerRequestOptions, RequestContext, RoleClient,
    RunningService, ServiceError,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, ServiceExt};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value};
use tokio::sync::{Notify, oneshot};
use tokio::time::error::Elapsed;
use tokio::time::{Instant, timeout, timeout_at};

use super::excerpt::shortened;
use super::lines::{LARGEST_MESSAGE, Lines, PassedOver};
use super::listing::{LARGEST_LIST, MOST_TOOLS};
use super::process::Program;
use super::questions::Questions;
use super::reply;
use super::rules::{ServerRules, Way};
use super::secrets::{MaskedPieces, Secrets};
use super::updates::Updates;

/// So many pages of a list of tools are asked for.
const MOST_PAGES: usize = 16;

/// A server is told that its connection ends, and waited for, no longer than this.
const FAREWELL: Duration = Duration::from_millis(300);

/// How often it is looked whether a connection still stands.
const LOOK: Duration = Duration::from_secs(1);

/// Characters of what a server says of its progress.
const LONGEST_PROGRESS: usize = 200;

/// What the owner is told of a server that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unusable {
    #[error("{0}")]
    Nowhere(String),
    #[error("{command} cannot be started: {error}")]
    NotStarted { command: String, error: std::io::Error },
    #[error("it did not greet us within {} seconds{}", .0.as_secs_f64(), complaints(.1))]
    Silent(Duration, String),
    #[error("it ended at once with {status}{}", complaints(said))]
    Ended { status: String, said: String },
    #[error("it does not speak the protocol: {error}{}", complaints(said))]
    NoGreeting { error: String, said: String },
    #[error("it does not tell its tools: {0}")]
    NoTools(String),
}

fn complaints(said: &str) -> String {
    if said.is_empty() {
        return String::new();
    }
    format!("; it complains: {said}")
}

/// A greeted server.
pub(super) struct Connection {
    service: RunningService<RoleClient, Hand>,
    hand: Hand,
    program: Option<Program>,
}

/// Our side of the conversation. Whatever a server asks of us beside this is declined.
#[derive(Debug, Clone, Default)]
struct Hand {
    tools_changed: Arc<Notify>,
    /// Where the progress of calls goes that still run. What comes of others is dropped.
    progress: Progress,
    questions: Questions,
    /// What the owner says of the server.
    rules: Option<Arc<ServerRules>>,
    /// What it was given.
    secrets: Secrets,
    /// Where it is told that a resource has changed.
    updates: Updates,
}

/// The pieces of the calls that run.
type Progress = Arc<Mutex<HashMap<ProgressToken, Arc<MaskedPieces>>>>;

impl Hand {
    fn towards(rules: &ServerRules, updates: &Updates) -> Self {
        Self {
            rules: Some(Arc::new(rules.clone())),
            secrets: Secrets::of(&rules.way),
            updates: updates.clone(),
            ..Self::default()
        }
    }
}

impl ClientHandler for Hand {
    fn get_info(&self) -> ClientConfig {
        let own = Implementation::new("loquat", env!("CARGO_PKG_VERSION"));
        let form = ElicitationCapability::new().with_form(FormElicitationCapability::default());
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(form);
        // The revision whose greeting we speak; a server may answer with an older one.
        ClientConfig::new(capabilities, own).with_protocol_version(ProtocolVersion::V_2025_11_25)
    }

    async fn create_elicitation(
        &self,
        mut question: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        if let ElicitRequestParams::FormElicitationParams { message, .. } = &mut question {
            *message = self.secrets.masked(message);
        }
        let server = self.rules.as_ref().map(|rules| rules.name.as_str());
        Ok(self.questions.ask(server.unwrap_or_default(), question).await)
    }

    async fn on_progress(&self, told: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let pieces = self.progress.lock().get(&told.progress_token).cloned();
        let Some(pieces) = pieces else { return };
        match told
            .message
            .as_deref()
            .filter(|message| !message.trim().is_empty())
        {
            Some(message) => pieces.tell(message, shown),
            None => pieces.tell(&share(&told), shown),
        }
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.tools_changed.notify_one();
    }

    async fn on_resource_updated(
        &self,
        told: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        if let Some(rules) = &self.rules {
            self.updates.tell(&rules.name, &rules.awaited, &told.uri);
        }
    }
}

/// What a server says of a call, in a few words.
fn shown(message: &str) -> String {
    shortened(message, LONGEST_PROGRESS)
}

/// How far a call is.
fn share(told: &ProgressNotificationParam) -> String {
    match told.total.filter(|total| *total > 0.0) {
        Some(total) => format!("{:.0} %", (told.progress / total * 100.0).clamp(0.0, 100.0)),
        None => told.progress.to_string(),
    }
}

impl Connection {
    /// Reaches the server and greets it, all in its time to start. What was started is ended where that fails. Lines of a
    /// program that are no messages are counted, and changes of resources are told.
    pub(super) async fn open(
        rules: &ServerRules,
        passed_over: &PassedOver,
        updates: &Updates,
    ) -> Result<Self, Unusable> {
        let hand = Hand::towards(rules, updates);
        match &rules.way {
            Way::Program {
                command,
                arguments,
                environment,
            } => {
                let (program, output, input) =
                    Program::start(command, arguments, environment, Secrets::of(&rules.way)).map_err(
                        |error| Unusable::NotStarted {
                            command: command.clone(),
                            error,
                        },
                    )?;
                let lines = Lines::new(output, input, &rules.name, passed_over.clone());
                let greeted = timeout(rules.start, hand.clone().serve(lines)).await;
                Self::greeted(rules, hand, greeted, Some(program)).await
            }
            Way::Address { url, token } => {
                let transport = over_http(url, token.as_ref(), rules.start)
                    .map_err(|error| Unusable::Nowhere(error.to_string()))?;
                let greeted = timeout(rules.start, hand.clone().serve(transport)).await;
                Self::greeted(rules, hand, greeted, None).await
            }
            Way::None(why) => Err(Unusable::Nowhere(why.clone())),
        }
    }

    async fn greeted(
        rules: &ServerRules,
        hand: Hand,
        greeted: Result<Result<RunningService<RoleClient, Hand>, ClientInitializeError>, Elapsed>,
        program: Option<Program>,
    ) -> Result<Self, Unusable> {
        let failure = match greeted {
            Ok(Ok(service)) => {
                return Ok(Self {
                    service,
                    hand,
                    program,
                });
            }
            Ok(Err(error)) => {
                let told = hand.secrets.masked(&no_greeting(error));
                Ok(shortened(&told, LONGEST_PROGRESS))
            }
            Err(_) => Err(rules.start),
        };
        let (mut said, mut ended) = (String::new(), None);
        if let Some(mut program) = program {
            // One that is silent may well end when nothing is said to it any more.
            if failure.is_ok() {
                ended = timeout(FAREWELL, program.ended()).await.ok();
            }
            said = program.complaints().await;
            program.end().await;
        }
        if let Some(status) = ended {
            return Err(Unusable::Ended { status, said });
        }
        Err(match failure {
            Ok(error) => Unusable::NoGreeting { error, said },
            Err(time) => Unusable::Silent(time, said),
        })
    }

    /// What the server lists, as it is written, in bounds of pages, number and size.
    pub(super) async fn tools(&self, time: Duration) -> Result<Vec<Value>, Unusable> {
        let listed = timeout(time, listed(self.service.peer())).await;
        listed
            .map_err(|_| format!("no answer within {} seconds", time.as_secs_f64()))
            .and_then(|listed| listed)
            .map_err(|why| Unusable::NoTools(shortened(&self.hand.secrets.masked(&why), LONGEST_PROGRESS)))
    }

    /// Asks the server to tell of the resources that the owner has named, all in its time to start; those of which it will not,
    /// and why.
    #[expect(deprecated, reason = "the revision that we speak asks so")]
    pub(super) async fn follow(&self, rules: &ServerRules) -> Vec<String> {
        let mut untold = Vec::new();
        if !rules.awaited.is_empty() && !self.tells_of_resources() {
            untold.push(
                "it does not tell when resources change, so what is awaited of it never comes".to_owned(),
            );
            return untold;
        }
        let until = Instant::now() + rules.start;
        for uri in &rules.awaited {
            let request = rmcp::model::SubscribeRequest::new(SubscribeRequestParams::new(uri));
            let asked = self
                .service
                .peer()
                .send_request(ClientRequest::SubscribeRequest(request));
            let why = match timeout_at(until, asked).await {
                Ok(Ok(_)) => continue,
                Ok(Err(error)) => error.to_string(),
                Err(_) => format!("no answer within {} seconds", rules.start.as_secs_f64()),
            };
            let why = shortened(&self.hand.secrets.masked(&why), LONGEST_PROGRESS);
            untold.push(format!("it does not tell when {uri} changes: {why}"));
        }
        untold
    }

    /// Whether the server has said in its greeting that it tells when resources change.
    fn tells_of_resources(&self) -> bool {
        let greeting = self.service.peer().peer_info();
        let resources = greeting.and_then(|greeting| greeting.capabilities.resources.clone());
        resources
            .and_then(|resources| resources.subscribe)
            .unwrap_or(false)
    }

    /// Told whenever the server says that its tools are others.
    pub(super) fn changes(&self) -> Arc<Notify> {
        Arc::clone(&self.hand.tools_changed)
    }

    /// Waits until the server is gone, and says how it went. Cancel safe.
    pub(super) async fn gone(&mut self) -> String {
        let peer = self.service.peer().clone();
        let closed = async {
            let mut tick = tokio::time::interval(LOOK);
            while !peer.is_transport_closed() {
                tick.tick().await;
            }
        };
        let Some(program) = &mut self.program else {
            closed.await;
            return "the connection was closed".to_owned();
        };
        let how = tokio::select! {
            status = program.ended() => format!("it ended with {status}"),
            () = closed => "it closed the connection".to_owned(),
        };
        format!("{how}{}", complaints(&program.complaints().await))
    }

    pub(super) fn caller(&self) -> Caller {
        Caller {
            peer: self.service.peer().clone(),
            progress: Arc::clone(&self.hand.progress),
            questions: self.hand.questions.clone(),
            secrets: self.hand.secrets.clone(),
        }
    }

    /// Ends the connection, and a program with all that it has started.
    pub(super) async fn end(mut self) {
        drop(self.service.close_with_timeout(FAREWELL).await);
        drop(self.service);
        if let Some(program) = self.program {
            program.end().await;
        }
    }
}

/// Why there was no greeting, without the names of types.
fn no_greeting(error: ClientInitializeError) -> String {
    match error {
        ClientInitializeError::TransportError { error, .. } => loquat_failure::root_cause(&*error.error),
        ClientInitializeError::ConnectionClosed(_) => "it closed the connection".to_owned(),
        ClientInitializeError::JsonRpcError(error) => error.message.into_owned(),
        _ => "its answer to the greeting is none".to_owned(),
    }
}

async fn listed(peer: &Peer<RoleClient>) -> Result<Vec<Value>, String> {
    let (mut tools, mut cursor) = (Vec::new(), None);
    let mut size = 0;
    for _ in 0..MOST_PAGES {
        let request = ListToolsRequest {
            params: cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor))),
            ..ListToolsRequest::default()
        };
        let sent = peer.send_request(ClientRequest::ListToolsRequest(request));
        let page = sent.await.map_err(|error| error.to_string())?;
        let (page, next) = page_of(page)?;
        size += page.iter().map(|tool| tool.to_string().len()).sum::<usize>();
        tools.extend(page);
        cursor = next;
        if cursor.is_none() || tools.len() > 4 * MOST_TOOLS || size > 4 * LARGEST_LIST {
            break;
        }
    }
    Ok(tools)
}

/// The tools of one page, as they are written, and the name of the next one. A single odd tool makes the answer none of those
/// that the protocol's types know, and is no reason to lose the others.
fn page_of(answer: ServerResult) -> Result<(Vec<Value>, Option<String>), String> {
    let page = match answer {
        ServerResult::ListToolsResult(page) => serde_json::to_value(page).unwrap_or_default(),
        ServerResult::CustomResult(page) => page.0,
        _ => Value::Null,
    };
    let tools = match page.get("tools") {
        Some(Value::Array(tools)) => tools.clone(),
        // What some languages make of a list with nothing in it.
        Some(Value::Null) => Vec::new(),
        Some(_) => return Err("its list of tools is no list".to_owned()),
        None => return Err("its answer holds no list of tools".to_owned()),
    };
    let next = page.get("nextCursor").and_then(Value::as_str);
    Ok((tools, next.filter(|next| !next.is_empty()).map(str::to_owned)))
}

/// Over HTTP nothing is followed elsewhere, since a token goes along.
fn over_http(
    url: &str,
    token: Option<&SecretString>,
    connect: Duration,
) -> Result<StreamableHttpClientTransport<reqwest::Client>, reqwest::Error> {
    let client = loquat_tls::http_client()
        .redirect(Policy::none())
        .connect_timeout(connect)
        .build()?;
    let mut config = StreamableHttpClientTransportConfig::with_uri(url);
    config.max_sse_event_size = LARGEST_MESSAGE;
    config.max_json_response_size = LARGEST_MESSAGE;
    config.auth_header = token.map(|token| token.expose_secret().to_owned());
    Ok(StreamableHttpClientTransport::with_client(client, config))
}

#[derive(Clone)]
pub(super) struct Caller {
    peer: Peer<RoleClient>,
    progress: Progress,
    secrets: Secrets,
    /// What may be asked meanwhile.
    pub(super) questions: Questions,
}

/// The place of a call among those whose progress is told.
struct Told<'a> {
    token: ProgressToken,
    all: &'a Progress,
}

impl Drop for Told<'_> {
    fn drop(&mut self) {
        if let Some(pieces) = self.all.lock().remove(&self.token) {
            pieces.end(shown);
        }
    }
}

impl Caller {
    /// Makes a call. Once `unwanted` says why it is over the server is told so.
    pub(super) async fn call(
        &self,
        server: &str,
        name: String,
        arguments: Map<String, Value>,
        progress: Pieces,
        unwanted: impl Future<Output = ToolError>,
    ) -> Result<CallToolResult, ToolError> {
        let gone = || {
            let message =
                format!("the server {server} ended meanwhile, and it is not known whether this was done");
            ToolError::reply("ConnectionError", message)
        };
        let params = CallToolRequestParams::new(name).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let sent = self
            .peer
            .send_cancellable_request(request, PeerRequestOptions::no_options());
        let mut handle = sent.await.map_err(|_| gone())?;
        let token = handle.progress_token.clone();
        let pieces = Arc::new(self.secrets.kept_from(progress));
        self.progress.lock().insert(token.clone(), pieces);
        let told = Told {
            token,
            all: &self.progress,
        };
        let answer = tokio::select! {
            biased;
            answer = &mut handle.rx => answer,
            why = unwanted => {
                drop(told);
                drop(timeout(FAREWELL, handle.cancel(Some("it is not wanted any more".to_owned()))).await);
                return Err(why);
            }
        };
        match answer.map_err(|_: oneshot::error::RecvError| gone())? {
            Ok(answer) => reply::result(answer),
            Err(ServiceError::McpError(error)) => {
                let message = shortened(&self.secrets.masked(&error.message), 4 * LONGEST_PROGRESS);
                Err(ToolError::reply("ValueError", message))
            }
            Err(_) => Err(gone()),
        }
    }
}
