//! Whose pages may use the bus.

use super::*;

fn welcome(headers: &[(&str, &str)]) -> bool {
    let mut request = tokio_tungstenite::tungstenite::http::Request::builder();
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    is_welcome(&request.body(()).unwrap())
}

#[test]
fn programs_are_welcome_without_an_origin_and_with_the_address_of_the_bus() {
    for host in [
        "127.0.0.1:8181",
        "localhost:8181",
        "[::1]:8181",
        "127.0.0.1",
        "LOCALHOST:8181",
    ] {
        assert!(welcome(&[("Host", host)]), "{host}");
        let origin = format!("http://{host}");
        assert!(welcome(&[("Host", host), ("Origin", &origin)]), "{host}");
    }
    assert!(welcome(&[
        ("Host", "localhost:8181"),
        ("Origin", "http://LocalHost:8181")
    ]));
    assert!(welcome(&[]));
}

#[test]
fn pages_are_not_wherever_they_come_from() {
    for origin in [
        "https://example.org",
        "http://localhost.example.org",
        "http://127.0.0.1.example.org",
        "http://192.168.1.7",
        "http://0.0.0.0",
        "http://localhost:8181",
        "http://127.0.0.1:3000",
        "http://127.0.0.1",
        "http://127.1.2.3:8181",
        "http://user@127.0.0.1:8181",
        "null",
        "file://",
        "",
        "http://[::2]",
        "\u{ff}",
    ] {
        assert!(
            !welcome(&[("Host", "127.0.0.1:8181"), ("Origin", origin)]),
            "{origin}"
        );
    }
}

#[test]
fn two_origins_or_hosts_and_names_that_resolve_to_this_machine_are_refused() {
    let (host, origin) = (("Host", "127.0.0.1:8181"), ("Origin", "http://127.0.0.1:8181"));
    assert!(!welcome(&[host, origin, ("Origin", "https://example.org")]));
    assert!(!welcome(&[host, origin, origin]));
    assert!(!welcome(&[host, ("Host", "localhost:8181")]));
    assert!(!welcome(&[origin]));
    for rebound in ["example.org:8181", "127.0.0.1.nip.io:8181", "", "x"] {
        assert!(!welcome(&[("Host", rebound)]), "{rebound}");
        let page = format!("http://{rebound}");
        assert!(!welcome(&[("Host", rebound), ("Origin", &page)]), "{rebound}");
    }
}
