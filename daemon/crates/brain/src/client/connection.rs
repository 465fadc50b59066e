//! The HTTP client of one brain: which way it goes out and where it lets itself be sent on to.

use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, Url};
use secrecy::ExposeSecret;

use super::address::Address;
use crate::settings::{BrainSettingsError, OpenAiSettings};

/// Connections that are kept when they are not needed. Opening one costs more than the rest of a request, and many turns of
/// different sessions may ask at once; one that is kept costs a descriptor for a while.
const KEPT_CONNECTIONS: usize = 256;

/// Shorter than most servers' own patience, so that we seldom write into a connection that is just being closed.
const KEPT_FOR: Duration = Duration::from_secs(45);

/// A server that sends us round its own paths more often than this is misconfigured.
const MAX_REDIRECTS: usize = 3;

/// Makes the client; nothing is connected yet.
pub(crate) fn client(settings: &OpenAiSettings, address: &Address) -> Result<Client, BrainSettingsError> {
    let mut builder = loquat_tls::http_client()
        .user_agent(concat!("loquat/", env!("CARGO_PKG_VERSION")))
        .default_headers(headers(settings)?)
        .connect_timeout(settings.timeouts.connect)
        .pool_max_idle_per_host(KEPT_CONNECTIONS)
        .pool_idle_timeout(KEPT_FOR)
        .referer(false)
        .redirect(Policy::custom(stay_on_host));
    if address.is_loopback() {
        builder = builder.no_proxy();
    }
    if address.is_plain() {
        // Reading the machine's certificates takes time and fails where there are none.
        builder = builder.tls_certs_only([]);
    }
    if let Some(socket) = address.socket() {
        builder = builder.unix_socket(socket);
    }
    builder.build().map_err(|source| BrainSettingsError::Client {
        address: address.shown().to_owned(),
        source,
    })
}

fn headers(settings: &OpenAiSettings) -> Result<HeaderMap, BrainSettingsError> {
    let mut headers = HeaderMap::new();
    headers.insert(
        ACCEPT,
        HeaderValue::from_static("text/event-stream, application/json"),
    );
    let key = settings.key.as_ref().map(|key| key.expose_secret().trim());
    if let Some(key) = key.filter(|key| !key.is_empty()) {
        let mut bearer =
            HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| BrainSettingsError::Key)?;
        bearer.set_sensitive(true);
        headers.insert(AUTHORIZATION, bearer);
    }
    Ok(headers)
}

/// The conversation and the key go to the host that was named and to no other, and a request stays a request: only
/// 307 and 308 keep its method and body.
fn stay_on_host(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let keeps_request = matches!(attempt.status().as_u16(), 307 | 308);
    let origin = |url: &Url| url.origin();
    let same_host = attempt.previous().last().map(origin) == Some(origin(attempt.url()));
    if keeps_request && same_host && attempt.previous().len() <= MAX_REDIRECTS {
        attempt.follow()
    } else {
        attempt.stop()
    }
}
