//! Fetches what lies at an address that strangers may have named: from the world only, a step at a time.
//!
//! Follows no redirect by itself, sends nothing but the address, keeps no cookie and runs nothing.

use std::sync::OnceLock;

use jiff::Timestamp;
use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Response, Url};
use tokio::sync::Semaphore;

use super::guard::{Guard, Refusal};
use super::outlet::Outlet;
use super::pauses::{Pauses, welcome};
use super::{CONNECT_LIMIT, Fault, MOST_AT_ONCE, MOST_REDIRECTS, body};

/// Fetches from the world.
#[derive(Debug)]
pub(crate) struct Fetcher {
    outlet: Outlet,
    guard: Guard,
    user_agent: String,
    /// What a connection is made with, before the rules for pages are added.
    basis: fn() -> ClientBuilder,
    client: OnceLock<Option<Client>>,
    seats: Semaphore,
    pauses: Pauses,
}

/// What lies at an address.
#[derive(Debug)]
pub(crate) enum Found {
    /// It is something to read.
    Document(Document),
    /// It is nothing but another address.
    Elsewhere(Url),
}

#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Document {
    /// What it says it is, in lower case.
    pub(crate) fn content_type(&self) -> String {
        let said = self.headers.get(CONTENT_TYPE);
        let said = said.and_then(|said| said.to_str().ok()).unwrap_or_default();
        said.to_ascii_lowercase()
    }
}

impl Fetcher {
    /// By this way, with these rules.
    pub(crate) fn new(
        outlet: Outlet,
        guard: Guard,
        user_agent: String,
        basis: fn() -> ClientBuilder,
    ) -> Self {
        Self {
            outlet,
            guard,
            user_agent,
            basis,
            client: OnceLock::new(),
            seats: Semaphore::new(MOST_AT_ONCE),
            pauses: Pauses::default(),
        }
    }

    /// The address that a text is, if it may be asked.
    pub(crate) fn read(&self, text: &str) -> Result<Url, Refusal> {
        self.guard.read(text)
    }

    /// A document, wherever it is sent on to.
    pub(crate) async fn follow(&self, url: &Url, now: Timestamp) -> Result<Document, Refusal> {
        let mut url = url.clone();
        for _ in 0..=MOST_REDIRECTS {
            match self.step(&url, now).await? {
                Found::Document(document) => return Ok(document),
                Found::Elsewhere(next) => url = next,
            }
        }
        Err(Refusal::Redirects)
    }

    /// What lies at an address that was admitted. The caller sets the limit of time.
    pub(crate) async fn step(&self, url: &Url, now: Timestamp) -> Result<Found, Refusal> {
        self.outlet.check()?;
        let host = url.host_str().unwrap_or_default();
        let _seat = self.seats.acquire().await.map_err(|_| Fault::Unreachable)?;
        self.pauses.check(host, now)?;
        let client = self.client().ok_or(Fault::Unreachable)?;
        let response = client.get(url.clone()).send().await;
        let response = response.map_err(|error| Refusal::from(&error))?;
        if response.status().is_redirection() {
            return self.forwarded(url, &response).map(Found::Elsewhere);
        }
        let response = welcome(response, &self.pauses, host, now)?;
        Ok(Found::Document(Document {
            url: url.clone(),
            headers: response.headers().clone(),
            body: body::read(response).await?,
        }))
    }

    fn forwarded(&self, url: &Url, response: &Response) -> Result<Url, Refusal> {
        let location = response.headers().get(LOCATION);
        let location = location.and_then(|location| location.to_str().ok());
        let location = location.ok_or(Fault::Broken(response.status().as_u16()))?;
        self.guard.forwarded(url, location)
    }

    fn client(&self) -> Option<&Client> {
        let made = self.client.get_or_init(|| {
            (self.basis)()
                .user_agent(&self.user_agent)
                .connect_timeout(CONNECT_LIMIT)
                .referer(false)
                .redirect(Policy::none())
                .no_proxy()
                // A connection that is kept was made for a name that may stand for another address by now.
                .pool_max_idle_per_host(0)
                .dns_resolver(self.guard.clone())
                .build()
                .ok()
        });
        made.as_ref()
    }
}
