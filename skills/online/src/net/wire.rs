//! Asks a server for JSON: with a limit on time, on length and on questions at once.
//!
//! Asks only servers that the owner of the device has named, wherever they stand, and goes to no other host than the one
//! it is told; what others name is for [`super::fetch`].

use std::sync::OnceLock;
use std::time::Duration;

use jiff::Timestamp;
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, Url};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout};

use super::fault::Fault;
use super::outlet::Outlet;
use super::pauses::{Pauses, welcome};
use super::{CONNECT_LIMIT, MOST_AT_ONCE, MOST_REDIRECTS, WHOLE_LIMIT, body, user_agent};

/// For how long a server that gave no sign of life is not asked, in seconds, where the question can be passed on.
const REST: i64 = 30;

/// A question that is given up has waited so long for a server that is silent.
const SILENCE: Duration = Duration::from_secs(2);

/// The way to servers of one kind.
#[derive(Debug)]
pub(crate) struct Wire {
    addresses: Vec<String>,
    user_agent: String,
    patience: Duration,
    rest: Option<i64>,
    /// Made with the first question: reading the machine's certificates takes time. None where it has none, for example.
    client: OnceLock<Option<Client>>,
    seats: Semaphore,
    pauses: Pauses,
}

/// A question that is on its way. Where it is given up after a while, its server counts as silent.
struct Awaited<'a> {
    wire: &'a Wire,
    server: &'a str,
    now: Timestamp,
    since: Instant,
    is_over: bool,
}

impl Drop for Awaited<'_> {
    fn drop(&mut self) {
        let rest = self
            .wire
            .rest
            .filter(|_| !self.is_over && self.since.elapsed() >= SILENCE);
        if let Some(rest) = rest {
            self.wire.pauses.put(self.server, Fault::Slow, rest, self.now);
        }
    }
}

impl Wire {
    /// To servers with these addresses; nothing is connected yet.
    pub(crate) fn to(addresses: &[&str], contact: Option<&str>) -> Self {
        Self {
            addresses: addresses.iter().map(|address| (*address).to_owned()).collect(),
            user_agent: user_agent(contact),
            patience: WHOLE_LIMIT,
            rest: None,
            client: OnceLock::new(),
            seats: Semaphore::new(MOST_AT_ONCE),
            pauses: Pauses::default(),
        }
    }

    /// For questions that are soon passed on to another who may know: waits no longer than this, and lets a server that
    /// was silent rest.
    #[must_use]
    pub(crate) fn hasty(self, patience: Duration) -> Self {
        Self {
            patience,
            rest: Some(REST),
            ..self
        }
    }

    /// What the server with this address answers to a question at this moment, where the way to its service is open.
    pub(crate) async fn ask(
        &self,
        outlet: &Outlet,
        server: &str,
        path: &str,
        question: &[(&str, String)],
        now: Timestamp,
    ) -> Result<Value, Fault> {
        outlet.check()?;
        self.pauses.check(server, now)?;
        let address = format!("{}{path}", server.trim_end_matches('/'));
        let address = Url::parse_with_params(&address, question).map_err(|_| Fault::Unreachable)?;
        let exchange = async {
            let _seat = self.seats.acquire().await.map_err(|_| Fault::Unreachable)?;
            self.pauses.check(server, now)?;
            let client = self.client().ok_or(Fault::Unreachable)?;
            let response = client.get(address).send().await;
            let response = response.map_err(|error| Fault::from(&error))?;
            let response = welcome(response, &self.pauses, server, now)?;
            let body = body::read(response).await?;
            serde_json::from_slice(&body).map_err(|_| Fault::Garbled)
        };
        let mut awaited = Awaited {
            wire: self,
            server,
            now,
            since: Instant::now(),
            is_over: false,
        };
        let answer = timeout(self.patience, exchange).await.unwrap_or(Err(Fault::Slow));
        awaited.is_over = true;
        if let (Err(fault @ (Fault::Unreachable | Fault::Slow)), Some(rest)) = (&answer, self.rest) {
            self.pauses.put(server, *fault, rest, now);
        }
        answer
    }

    fn client(&self) -> Option<&Client> {
        let made = self.client.get_or_init(|| {
            let mut builder = loquat_tls::http_client()
                .user_agent(&self.user_agent)
                .connect_timeout(CONNECT_LIMIT)
                .referer(false)
                .redirect(Policy::custom(stay_on_host));
            if self.addresses.iter().all(|address| is_loopback(address)) {
                builder = builder.no_proxy();
            }
            if self
                .addresses
                .iter()
                .all(|address| address.starts_with("http://"))
            {
                // There may be no certificates, and none is needed.
                builder = builder.tls_certs_only([]);
            }
            builder.build().ok()
        });
        made.as_ref()
    }
}

/// The question, which tells where a person is or what they want to know, goes to the host that was named and to no other.
fn stay_on_host(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let before = attempt.previous().last().map(Url::origin);
    let same_host = before == Some(attempt.url().origin());
    if same_host && attempt.previous().len() <= MOST_REDIRECTS {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

fn is_loopback(address: &str) -> bool {
    let address = Url::parse(address).ok();
    let host = address.as_ref().and_then(Url::host_str).unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || host
            .parse()
            .is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn this_machine_is_reached_without_a_proxy() {
        for (address, is_here) in [
            ("http://127.0.0.1:8080", true),
            ("http://[::1]/weather", true),
            ("http://localhost", true),
            ("https://api.open-meteo.com", false),
            ("http://localhost.example.com", false),
            ("weather", false),
        ] {
            assert_eq!(is_loopback(address), is_here, "{address}");
        }
    }
}
