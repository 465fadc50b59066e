//! The way onto the page and what it gives away: no command line lets another user in, a request has one host and one origin,
//! and names that people give are hidden.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use loquat_tests::brain::Reply;
use loquat_tests::browser::{Browser, address};
use loquat_tests::daemon::Launch;
use loquat_tests::home::Home;
use loquat_tests::wait::{PATIENCE, within};
use reqwest::{Method, StatusCode};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::page::{field, shows, story};
use crate::story::Story;

/// Stands in for a browser: keeps what all command lines of this machine say while it runs, and what it is to open.
const OPENER: &str = "#!/bin/sh\ncat /proc/[0-9]*/cmdline | tr '\\0' ' ' > seen\nprintf '%s' \"$*\" > opening\nmv opening opened\n";

/// What `loquat page` has a browser open, for a person in front of a screen; and what all command lines say meanwhile.
async fn opened(home: &Home) -> (String, String, String) {
    let opener = home.write("bin/xdg-open", OPENER);
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    let line = "exec script -qefc \"$1 page; while [ ! -e opened ]; do sleep 0.01; done\" /dev/null";
    let ended = Launch::through_shell(home, &[], line, &["page"])
        .finding("bin")
        .env("DISPLAY", ":0")
        .run()
        .await;
    assert!(ended.status.success(), "{}", ended.shown());
    let read =
        |name: &str| String::from_utf8_lossy(&std::fs::read(home.path().join(name)).unwrap()).into_owned();
    let kept = (read("opened"), read("seen"), ended.shown());
    std::fs::remove_file(home.path().join("opened")).unwrap();
    kept
}

#[tokio::test]
async fn the_address_stands_on_no_command_line() {
    let (story, browser) = story().await;
    let root = browser.request(Method::GET, "/").build().unwrap();
    let root = root.url().origin().ascii_serialization();
    let (opened, seen, shown) = opened(&story.home).await;
    let (_, token) = shown.split_once("/enter?token=").unwrap();
    let token: String = token.chars().take_while(char::is_ascii_alphanumeric).collect();
    assert!(token.len() >= 40, "a person may copy it: {shown}");
    assert!(seen.contains("xdg-open") && !seen.contains(&token), "{seen}");
    let file = Path::new(opened.strip_prefix("file://").unwrap());
    let mode = file.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "{opened}");
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains(&format!("action=\"{root}/enter\"")), "{text}");
    assert_eq!(field(&text, "token"), token);
    // As a browser sends it, which tells no origin of a file.
    let mut outside = Browser::outside(&root);
    let send = |fields: Vec<(&'static str, String)>, origin: &'static str| {
        let request = outside.request(Method::POST, "/enter").header("origin", origin);
        let request = request.form(&fields);
        async move { request.send().await.unwrap() }
    };
    let with = |token: &str| vec![("token", token.to_owned())];
    for (fields, origin) in [
        (with(&token), "http://evil.example"),
        (vec![("password", "x".to_owned())], "null"),
        (
            vec![("password", "x".to_owned()), ("token", token.clone())],
            "null",
        ),
        (vec![], "null"),
    ] {
        let refused = send(fields, origin).await;
        assert_eq!(refused.status(), StatusCode::FORBIDDEN, "{origin}");
    }
    assert_eq!(
        send(with("0123"), "null").await.status(),
        StatusCode::UNAUTHORIZED
    );
    let entered = send(with(&token), "null").await;
    assert_eq!(entered.status(), StatusCode::OK);
    assert!(!file.exists(), "it was used");
    let again = send(with(&token), "null").await;
    assert_eq!(again.status(), StatusCode::UNAUTHORIZED);
    assert!(outside.keep(&entered) && outside.look("/turns").await.contains("<h1>Turns</h1>"));
    // Of another request for an address nothing is left when the daemon ends.
    address(&story.home).await;
    let left = || std::fs::read_dir(story.home.path().join("run")).unwrap();
    let names = || left().flatten().map(|entry| entry.path()).collect::<Vec<_>>();
    let pages = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries
            .filter(|entry| entry.file_name().to_string_lossy().starts_with("enter-"))
            .count()
    };
    let runtime = file.parent().unwrap().to_owned();
    assert_eq!(pages(&runtime), 1, "{:?}", names());
    let Story { mut daemon, home, .. } = story;
    daemon.signal(rustix::process::Signal::TERM);
    daemon.ended(PATIENCE).await;
    assert_eq!(pages(&runtime), 0);
    drop(home);
}

/// The status of an answer to these bytes.
async fn status_of(root: &str, head: &str) -> u16 {
    let mut stream = TcpStream::connect(root.trim_start_matches("http://"))
        .await
        .unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    within("an answer", PATIENCE, stream.read_to_string(&mut answer))
        .await
        .unwrap();
    let status = answer.split(' ').nth(1).unwrap_or_default();
    status.parse().unwrap_or_else(|_| panic!("{head}: {answer}"))
}

#[tokio::test]
async fn a_request_has_one_host_and_one_origin() {
    let (_story, browser) = story().await;
    let request = browser.request(Method::GET, "/turns").build().unwrap();
    let root = request.url().origin().ascii_serialization();
    let cookie = request.headers()["cookie"].to_str().unwrap().to_owned();
    let host = root.trim_start_matches("http://");
    let port = host.rsplit(':').next().unwrap();
    let get = |target: &str, headers: &str| {
        format!("GET {target} HTTP/1.1\r\n{headers}Cookie: {cookie}\r\nConnection: close\r\n\r\n")
    };
    let own = format!("Host: {host}\r\n");
    assert_eq!(status_of(&root, &get("/turns", &own)).await, 200);
    assert_eq!(status_of(&root, &get(&format!("{root}/turns"), &own)).await, 200);
    for (target, headers, expected) in [
        ("/turns", format!("{own}Host: evil.example\r\n"), 421),
        ("/turns", format!("Host: evil.example\r\n{own}"), 421),
        ("/turns", format!("{own}{own}"), 421),
        ("/turns", String::new(), 421),
        ("http://evil.example/turns", own.clone(), 421),
        (
            "http://evil.example/turns",
            "Host: evil.example\r\n".to_owned(),
            421,
        ),
        (&format!("http://localhost:{port}/turns"), own.clone(), 421),
        (
            "/turns",
            format!("{own}Origin: {root}\r\nOrigin: http://evil.example\r\n"),
            400,
        ),
        (
            "/turns",
            format!("{own}Origin: {root}\r\nOrigin: {root}\r\n"),
            400,
        ),
        ("/mcp", format!("{own}Host: evil.example\r\n"), 421),
        ("/mcp", format!("{own}Origin: {root}\r\nOrigin: {root}\r\n"), 400),
    ] {
        assert_eq!(
            status_of(&root, &get(target, &headers)).await,
            expected,
            "{target} {headers}"
        );
    }
}

#[tokio::test]
async fn names_that_people_give_are_hidden_too() {
    let (story, mut browser) = story().await;
    browser.look("/").await;
    let items = [("arg:items", "milk"), ("arg:list", "divorce lawyers")];
    let turn = browser.send("/tools/loquat-list-tools/add_to_list", &items).await;
    shows(&mut browser, &turn, "answered").await;
    story.script([
        Reply::acts("call_doctor_miller", &json!({"text": "now"})),
        Reply::answers("I cannot do that."),
    ]);
    story.ask("Please do call my doctor for me now").await;
    let turns = shows(&mut browser, "/turns", "words hidden").await;
    let (_, rest) = turns.split_once("href=\"/turns/").unwrap();
    let turn = format!("/turns/{}", rest.split('"').next().unwrap());
    let root = browser.request(Method::GET, "/").build().unwrap();
    let root = root.url().origin().ascii_serialization();
    // What a browser has typed itself is no secret to it.
    let mut other = Browser::entered(&story.home, &root).await;
    for view in ["/lists", "/turns", &turn] {
        let text = other.look(view).await;
        for said in ["divorce", "miller", "lawyers"] {
            assert!(!text.to_lowercase().contains(said), "{said} at {view}: {text}");
        }
    }
    browser.look("/").await;
    browser.send("/reveal", &[("shown", "1")]).await;
    assert!(browser.look("/lists").await.contains("divorce lawyers"));
    assert!(browser.look(&turn).await.contains("call_doctor_miller"));
}
