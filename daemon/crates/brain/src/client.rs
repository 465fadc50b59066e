//! A brain behind an OpenAI-compatible server.

mod address;
mod complaint;
mod connection;
mod dialect;
mod exchange;
mod fault;
mod names;
mod patience;
mod pause;
mod refusal;
mod request;

use std::time::Duration;

use futures_util::future::BoxFuture;
use loquat_conversation::brain::{
    Asking, Brain, BrainError, Capabilities, ChatReply, ChatRequest, DeltaSink, Usage, WaitPhase,
};
use secrecy::ExposeSecret;

use self::address::Address;
pub use self::address::clear_text_host;
use self::dialect::Dialect;
use self::exchange::Exchange;
use self::fault::Again;
use crate::settings::{BrainSettingsError, OpenAiSettings, Prices};
use crate::sink::Watched;

/// A request is made again without what the server refuses at most this often. Then the refusal stands.
const MOST_LESSONS: u32 = 12;

/// A server's word on its health that is longer is none.
const LONGEST_HEALTH: usize = 16 << 10;

/// Speaks to one model on one OpenAI-compatible server, over one pool of kept connections.
///
/// Transient faults are tried again within [`Timeouts::whole`](crate::Timeouts::whole); a reply is taken as a stream or
/// as one document, whatever was asked for. Nothing that is said and no key ever reaches an error or a log.
#[derive(Debug)]
pub struct OpenAiBrain {
    name: String,
    settings: OpenAiSettings,
    address: Address,
    dialect: Dialect,
    client: reqwest::Client,
}

impl OpenAiBrain {
    /// Prepares the client; nothing is connected yet.
    pub fn new(settings: OpenAiSettings) -> Result<Self, BrainSettingsError> {
        let address = Address::parse(&settings.api_url)?;
        let client = connection::client(&settings, &address)?;
        let name = settings
            .name
            .clone()
            .unwrap_or_else(|| format!("{} at {}", settings.model, address.shown()));
        Ok(Self {
            name,
            settings,
            address,
            dialect: Dialect::default(),
            client,
        })
    }

    /// Tells whether the server says that it is ready, within `limit`. For servers of llama.cpp's kind.
    pub(crate) async fn is_ready(&self, limit: Duration) -> bool {
        let asked = self.client.get(self.address.health()).timeout(limit).send();
        asked
            .await
            .is_ok_and(|response| response.status() == reqwest::StatusCode::OK)
    }

    /// Asks whether a server of llama.cpp's kind is ready, within `limit`. There is no answer before it is. One that
    /// is longer than a few sentences counts as empty.
    pub(crate) async fn health(&self, limit: Duration) -> Option<Vec<u8>> {
        let asked = self.client.get(self.address.health()).timeout(limit).send();
        let mut response = asked.await.ok()?;
        if response.status() != reqwest::StatusCode::OK {
            return None;
        }
        let mut said = Vec::new();
        while let Ok(Some(piece)) = response.chunk().await {
            said.extend_from_slice(&piece);
            if said.len() > LONGEST_HEALTH {
                return Some(Vec::new());
            }
        }
        Some(said)
    }

    async fn within_limit(
        &self,
        request: &ChatRequest,
        sink: &dyn DeltaSink,
    ) -> Result<ChatReply, BrainError> {
        let limit = self.settings.timeouts.whole;
        tokio::time::timeout(limit, self.until_done(request, sink))
            .await
            .unwrap_or_else(|_| Err(self.timed_out(WaitPhase::Whole, limit)))
    }

    async fn until_done(&self, request: &ChatRequest, sink: &dyn DeltaSink) -> Result<ChatReply, BrainError> {
        let sink = Watched::new(sink);
        let (mut retries, mut lessons) = (0, 0);
        loop {
            sink.restart();
            let fault = match self.exchange(request).run(&sink).await {
                Ok(reply) => {
                    let usage = self.priced(request, &reply);
                    return Ok(ChatReply { usage, ..reply });
                }
                Err(fault) => fault,
            };
            let pause = match fault.again {
                Again::Changed if lessons < MOST_LESSONS => {
                    lessons += 1;
                    continue;
                }
                Again::Soon if retries < self.settings.max_retries => pause::PAUSES.after(retries),
                Again::After(pause) if retries < self.settings.max_retries => pause,
                Again::No | Again::Changed | Again::Soon | Again::After(_) => return Err(fault.error),
            };
            retries += 1;
            tracing::debug!(brain = self.name, error = %fault.error, ?pause, retries, "brain is asked again");
            tokio::time::sleep(pause).await;
        }
    }

    /// Adds the price. Where the server counts nothing the tokens are estimated for the price alone: a turn has
    /// weighed the request.
    fn priced(&self, request: &ChatRequest, reply: &ChatReply) -> Usage {
        let prices = self.settings.prices;
        if reply.usage.is_unknown() && prices != Prices::default() {
            prices.applied(request.estimated_usage(reply))
        } else {
            prices.applied(reply.usage)
        }
    }

    fn exchange<'a>(&'a self, request: &'a ChatRequest) -> Exchange<'a> {
        Exchange {
            name: &self.name,
            client: &self.client,
            address: &self.address,
            settings: &self.settings,
            dialect: &self.dialect,
            key: self.settings.key.as_ref().map(|key| key.expose_secret().trim()),
            request,
        }
    }

    fn timed_out(&self, phase: WaitPhase, limit: Duration) -> BrainError {
        BrainError::TimedOut {
            address: self.address.shown().to_owned(),
            phase,
            limit,
        }
    }
}

impl Brain for OpenAiBrain {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            native_tools: self.settings.supports_tools,
            json_schema: self.settings.json_schema,
            small: self.settings.small,
            acts_at_once: self.settings.acts_at_once,
            favours: self.settings.favours,
            context_tokens: self.settings.context_tokens,
        }
    }

    fn ask<'a>(
        &'a self,
        asking: &'a Asking<'_>,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        Box::pin(async move {
            let request = asking.for_brain(self.capabilities());
            self.within_limit(&request, sink).await
        })
    }
}
