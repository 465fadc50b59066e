//! Whose pages may use the bus.

use super::*;

fn welcome(origin: Option<&str>) -> bool {
    let mut request = tokio_tungstenite::tungstenite::http::Request::builder();
    if let Some(origin) = origin {
        request = request.header(ORIGIN, origin);
    }
    is_welcome(&request.body(()).unwrap())
}

#[test]
fn programs_and_pages_of_this_machine_are_welcome() {
    for origin in [
        None,
        Some("http://127.0.0.1:8181"),
        Some("http://localhost:3000"),
        Some("https://LOCALHOST"),
        Some("http://[::1]:8080"),
        Some("http://127.1.2.3"),
    ] {
        assert!(welcome(origin), "{origin:?}");
    }
}

#[test]
fn pages_from_elsewhere_are_not() {
    for origin in [
        "https://example.org",
        "http://localhost.example.org",
        "http://127.0.0.1.example.org",
        "http://192.168.1.7",
        "http://0.0.0.0",
        "null",
        "file://",
        "",
        "http://[::2]",
        "\u{ff}",
    ] {
        assert!(!welcome(Some(origin)), "{origin}");
    }
}
