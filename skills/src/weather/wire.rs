//! Asks a server for JSON: with a limit on time, on length, on questions at once, and with respect for a server that
//! asks for a pause.
//!
//! Knows nothing of weather, and goes to no other host than the one it is told.

use std::time::Duration;

use jiff::Timestamp;
use parking_lot::Mutex;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, Response, StatusCode, Url};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::fault::Fault;

/// A server that cannot be connected to by then is not reachable.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// A person waits no longer.
const WHOLE_LIMIT: Duration = Duration::from_secs(10);

/// A report for two weeks has 30 KiB.
const MOST_BYTES: usize = 2 << 20;

const MOST_AT_ONCE: usize = 3;

const MOST_REDIRECTS: usize = 3;

/// Of a server that does not say for how long.
const USUAL_PAUSE: i64 = 60;

/// A server that asks for more is asked again after this long.
const LONGEST_PAUSE: i64 = 24 * 60 * 60;

const USER_AGENT: &str = concat!(
    "Loquat/",
    env!("CARGO_PKG_VERSION"),
    " (https://github.com/loquat-voice/loquat)"
);

/// One server.
#[derive(Debug)]
pub(super) struct Server {
    base: String,
    /// It does not want to be asked before.
    paused_until: Mutex<Timestamp>,
}

impl Server {
    pub(super) fn new(base: &str) -> Self {
        Self {
            base: base.trim_end_matches('/').to_owned(),
            paused_until: Mutex::new(Timestamp::MIN),
        }
    }

    fn address(&self, path: &str, question: &[(&str, String)]) -> Result<Url, Fault> {
        let address = Url::parse_with_params(&format!("{}{path}", self.base), question);
        address.map_err(|_| Fault::Unreachable)
    }

    fn has_time(&self, now: Timestamp) -> Result<(), Fault> {
        let until = *self.paused_until.lock();
        if until > now {
            return Err(Fault::Busy(until.as_second() - now.as_second()));
        }
        Ok(())
    }

    fn pause(&self, headers: &HeaderMap, now: Timestamp) -> Fault {
        let seconds = asked_pause(headers, now)
            .unwrap_or(USUAL_PAUSE)
            .clamp(1, LONGEST_PAUSE);
        let until = Timestamp::from_second(now.as_second() + seconds);
        *self.paused_until.lock() = until.unwrap_or(Timestamp::MAX);
        Fault::Busy(seconds)
    }
}

/// The way to the servers.
#[derive(Debug)]
pub(super) struct Wire {
    /// None where the machine has no certificates, for example.
    client: Option<Client>,
    seats: Semaphore,
}

impl Wire {
    /// To servers with these addresses; nothing is connected yet.
    pub(super) fn to(addresses: &[&str]) -> Self {
        let mut builder = Client::builder()
            .user_agent(USER_AGENT)
            .connect_timeout(CONNECT_LIMIT)
            .referer(false)
            .redirect(Policy::custom(stay_on_host));
        if addresses.iter().all(|address| is_loopback(address)) {
            builder = builder.no_proxy();
        }
        if addresses.iter().all(|address| address.starts_with("http://")) {
            // Reading the machine's certificates takes time and fails where there are none.
            builder = builder.tls_certs_only([]);
        }
        Self {
            client: builder.build().ok(),
            seats: Semaphore::new(MOST_AT_ONCE),
        }
    }

    /// What a server answers to a question at this moment.
    pub(super) async fn ask(
        &self,
        server: &Server,
        path: &str,
        question: &[(&str, String)],
        now: Timestamp,
    ) -> Result<Value, Fault> {
        let address = server.address(path, question)?;
        let exchange = async {
            let _seat = self.seats.acquire().await.map_err(|_| Fault::Unreachable)?;
            server.has_time(now)?;
            let client = self.client.as_ref().ok_or(Fault::Unreachable)?;
            let response = client
                .get(address)
                .send()
                .await
                .map_err(|error| undelivered(&error))?;
            let response = welcome(response, server, now)?;
            let body = body(response).await?;
            serde_json::from_slice(&body).map_err(|_| Fault::Garbled)
        };
        timeout(WHOLE_LIMIT, exchange).await.unwrap_or(Err(Fault::Slow))
    }
}

fn welcome(response: Response, server: &Server, now: Timestamp) -> Result<Response, Fault> {
    let status = response.status();
    match status {
        StatusCode::TOO_MANY_REQUESTS => Err(server.pause(response.headers(), now)),
        _ if status.is_success() => Ok(response),
        _ if status.is_client_error() => Err(Fault::Refused(status.as_u16())),
        _ => Err(Fault::Broken(status.as_u16())),
    }
}

async fn body(mut response: Response) -> Result<Vec<u8>, Fault> {
    let announced = response.content_length().unwrap_or_default();
    if usize::try_from(announced).map_or(true, |announced| announced > MOST_BYTES) {
        return Err(Fault::Endless);
    }
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(|_| Fault::Cut)? {
        if body.len() + piece.len() > MOST_BYTES {
            return Err(Fault::Endless);
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

fn undelivered(error: &reqwest::Error) -> Fault {
    if error.is_timeout() {
        Fault::Slow
    } else {
        Fault::Unreachable
    }
}

/// In seconds; a header holds these or a date (RFC 9110 §10.2.3).
fn asked_pause(headers: &HeaderMap, now: Timestamp) -> Option<i64> {
    let asked = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = asked.parse() {
        return Some(seconds);
    }
    let until = jiff::fmt::rfc2822::parse(asked).ok()?;
    Some(until.timestamp().as_second() - now.as_second())
}

/// The question, which tells where a person is, goes to the host that was named and to no other.
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
    use jiff::Timestamp;
    use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER};

    use super::{asked_pause, is_loopback};

    #[test]
    fn a_pause_is_asked_for_in_seconds_or_until_a_date() {
        let now: Timestamp = "2026-11-24T09:00:00Z".parse().expect("a moment");
        for (asked, seconds) in [
            ("120", Some(120)),
            (" 7 ", Some(7)),
            ("Tue, 24 Nov 2026 09:05:00 GMT", Some(300)),
            ("soon", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, HeaderValue::from_static(asked));
            assert_eq!(asked_pause(&headers, now), seconds, "{asked}");
        }
        assert_eq!(asked_pause(&HeaderMap::new(), now), None);
    }

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
