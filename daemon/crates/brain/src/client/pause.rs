//! How long to wait before a failed call is made again.

use std::time::{Duration, SystemTime};

use httpdate::parse_http_date;
use reqwest::header::{HeaderMap, RETRY_AFTER};

/// Below 100 ms: most faults of a local network are gone by then, and the person does not notice.
const FIRST: Duration = Duration::from_millis(80);

/// Beyond this a person thinks that the device has died.
const LONGEST: Duration = Duration::from_secs(2);

/// The pause before retry number `attempt`, counting from 0: four times as long each time, the upper half of it drawn
/// by lot, so that several devices do not come back at the same moment.
pub(crate) fn back_off(attempt: u32) -> Duration {
    let full = FIRST.saturating_mul(4_u32.saturating_pow(attempt)).min(LONGEST);
    full.mul_f64(rand::random_range(0.5..1.0))
}

/// How long the server asks us to wait: `retry-after-ms` of some servers, or RFC 9110 §10.2.3 in seconds or as a date.
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
    fn the_first_pause_is_short_and_none_is_long() {
        for _ in 0..200 {
            let first = back_off(0);
            assert!(Duration::from_millis(40) <= first && first < Duration::from_millis(100));
            assert!(back_off(1) > first);
            assert!(back_off(40) <= LONGEST);
        }
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
