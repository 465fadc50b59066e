//! How long to wait before a failed call is made again.

use std::time::{Duration, SystemTime};

use httpdate::parse_http_date;
use loquat_failure::Backoff;
use reqwest::header::{HeaderMap, RETRY_AFTER};

/// The first is below 100 ms: most faults of a local network are gone by then, and the person does not notice. Beyond two
/// seconds a person thinks that the device has died.
pub(crate) const PAUSES: Backoff = Backoff {
    first: Duration::from_millis(80),
    factor: 4,
    longest: Duration::from_secs(2),
    spread: 0.5,
};

/// Reads how long the server asks us to wait: `retry-after-ms` of some servers, or RFC 9110 §10.2.3 in seconds or as
/// a date.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(millis) = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok()) {
        return Duration::try_from_secs_f64(millis / 1000.0).ok();
    }
    let asked = text(RETRY_AFTER.as_str())?;
    if let Ok(seconds) = asked.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let until = parse_http_date(asked).ok()?;
    // The server's own clock where it tells the time, since the two may differ.
    let now = text("date").and_then(|date| parse_http_date(date).ok());
    let now = now.unwrap_or_else(SystemTime::now);
    Some(until.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect()
    }

    #[test]
    fn all_forms_of_retry_after_are_read() {
        let cases = [
            (vec![("retry-after", "7")], Some(7_000)),
            (vec![("retry-after", "0.25")], Some(250)),
            (vec![("retry-after", "9"), ("retry-after-ms", "120")], Some(120)),
            (
                vec![
                    ("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
                    ("retry-after", "Sun, 06 Nov 1994 08:50:00 GMT"),
                ],
                Some(23_000),
            ),
            (vec![("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")], Some(0)),
            (vec![("retry-after", "soon")], None),
            (vec![("retry-after", "-3")], None),
            (vec![("retry-after", "Sun, 06 Nov 1 08 GMT")], None),
            (vec![], None),
        ];
        for (pairs, millis) in cases {
            assert_eq!(
                retry_after(&headers(&pairs)),
                millis.map(Duration::from_millis),
                "{pairs:?}"
            );
        }
    }
}
