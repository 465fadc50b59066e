//! Servers that are not asked for a while: they have asked for it, or gave no sign of life.
//!
//! Reads no clock.

use std::collections::BTreeMap;

use jiff::Timestamp;
use parking_lot::Mutex;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Response, StatusCode};

use super::fault::Fault;

/// Of a server that does not say for how long, in seconds.
const USUAL: i64 = 60;

/// A server that asks for more is asked again after this long.
const LONGEST: i64 = 24 * 60 * 60;

/// Servers that are remembered at once.
const MOST: usize = 64;

/// Why a server is not asked, and until when.
#[derive(Debug, Default)]
pub(super) struct Pauses(Mutex<BTreeMap<String, (Timestamp, Fault)>>);

impl Pauses {
    /// Complains if the server is not to be asked yet.
    pub(super) fn check(&self, server: &str, now: Timestamp) -> Result<(), Fault> {
        let pause = self.0.lock().get(server).copied();
        match pause.filter(|(until, _)| *until > now) {
            Some((until, Fault::Busy(_))) => Err(Fault::Busy(until.as_second() - now.as_second())),
            Some((_, fault)) => Err(fault),
            None => Ok(()),
        }
    }

    /// Lets a server rest that asks for it.
    fn asked(&self, server: &str, headers: &HeaderMap, now: Timestamp) -> Fault {
        let seconds = asked_pause(headers, now).unwrap_or(USUAL).clamp(1, LONGEST);
        self.put(server, Fault::Busy(seconds), seconds, now);
        Fault::Busy(seconds)
    }

    /// Lets a server rest, and tells this fault until then.
    pub(super) fn put(&self, server: &str, fault: Fault, seconds: i64, now: Timestamp) {
        let until = Timestamp::from_second(now.as_second() + seconds).unwrap_or(Timestamp::MAX);
        let mut all = self.0.lock();
        all.insert(server.to_owned(), (until, fault));
        if all.len() > MOST {
            let first = all.iter().min_by_key(|(_, (until, _))| *until);
            if let Some(first) = first.map(|(server, _)| server.clone()) {
                all.remove(&first);
            }
        }
    }
}

/// The answer of a server, if it is a good one; one that asks for a pause gets it.
pub(super) fn welcome(
    response: Response,
    pauses: &Pauses,
    server: &str,
    now: Timestamp,
) -> Result<Response, Fault> {
    let status = response.status();
    match status {
        StatusCode::TOO_MANY_REQUESTS => Err(pauses.asked(server, response.headers(), now)),
        _ if status.is_success() => Ok(response),
        _ if status.is_client_error() => Err(Fault::Refused(status.as_u16())),
        _ => Err(Fault::Broken(status.as_u16())),
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

#[cfg(test)]
mod tests {
    use jiff::{Timestamp, ToSpan};
    use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER};

    use super::{MOST, Pauses, asked_pause};
    use crate::net::Fault;

    fn now() -> Timestamp {
        "2026-11-24T09:00:00Z".parse().expect("a moment")
    }

    #[test]
    fn a_pause_is_asked_for_in_seconds_or_until_a_date() {
        for (asked, seconds) in [
            ("120", Some(120)),
            (" 7 ", Some(7)),
            ("Tue, 24 Nov 2026 09:05:00 GMT", Some(300)),
            ("soon", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, HeaderValue::from_static(asked));
            assert_eq!(asked_pause(&headers, now()), seconds, "{asked}");
        }
        assert_eq!(asked_pause(&HeaderMap::new(), now()), None);
    }

    #[test]
    fn a_pause_ends_and_concerns_one_server() {
        let pauses = Pauses::default();
        assert_eq!(pauses.asked("a", &HeaderMap::new(), now()), Fault::Busy(60));
        pauses.put("b", Fault::Slow, 30, now());
        let later = now() + 20.seconds();
        assert_eq!(pauses.check("a", later), Err(Fault::Busy(40)));
        assert_eq!(pauses.check("b", later), Err(Fault::Slow));
        assert_eq!(pauses.check("c", later), Ok(()));
        assert_eq!(pauses.check("a", now() + 60.seconds()), Ok(()));
    }

    #[test]
    fn of_too_many_the_first_to_end_is_forgotten() {
        let pauses = Pauses::default();
        for seconds in (1..).take(MOST + 1) {
            pauses.put(&format!("{seconds:03}"), Fault::Slow, seconds, now());
        }
        assert_eq!(pauses.check("001", now()), Ok(()));
        assert_eq!(pauses.check("002", now()), Err(Fault::Slow));
    }
}
