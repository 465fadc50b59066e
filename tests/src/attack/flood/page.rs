//! The page under requests of every wrong kind: without a cookie, with wrong tokens, of foreign origins and names, with huge
//! forms and half heads; and views that are opened and never read.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use crate::attack::row::Row;
use crate::attack::scale::Scale;
use crate::attack::target::Target;
use crate::brain::Reply;
use crate::browser::{Browser, served};
use crate::dice::Dice;
use crate::story::TESTER;
use crate::turn::Utterance;
use crate::wait::PATIENCE;

/// Clients that ask at once.
const CLIENTS: usize = 12;

/// Views that are opened with the owner's cookie and never read: more than there are places for.
const UNREAD_VIEWS: usize = 40;

/// Connections that bring half a head: more than are let in at once.
const HALF_HEADS: usize = 100;

/// A head that does not arrive is given up after ten seconds; the owner does not wait for that, since the oldest gives way.
const OWNER: Duration = Duration::from_secs(5);

/// What an answer to a stranger may be.
const REFUSALS: [StatusCode; 10] = [
    StatusCode::SEE_OTHER,
    StatusCode::BAD_REQUEST,
    StatusCode::UNAUTHORIZED,
    StatusCode::FORBIDDEN,
    StatusCode::NOT_FOUND,
    StatusCode::METHOD_NOT_ALLOWED,
    StatusCode::REQUEST_TIMEOUT,
    StatusCode::PAYLOAD_TOO_LARGE,
    StatusCode::MISDIRECTED_REQUEST,
    StatusCode::TOO_MANY_REQUESTS,
];

/// Floods the page.
pub async fn page(scale: Scale) -> Row {
    let mut root = String::new();
    let target = Target::begin(|tester, home| {
        root = served(home);
        let token = home.write("metrics.token", "a-token-of-metrics\n");
        home.setting(
            "page.metrics_token",
            &format!("{:?}", token.display().to_string()),
        );
        tester
    })
    .await;
    target.daemon.wrote("the page is served", PATIENCE).await;
    target.brain.whenever(TESTER, "", Reply::answers("Fine."));
    let owner = Browser::entered(&target.home, &root).await;
    let asked = target.brain.requests(TESTER).len();
    let (answers, question) = tokio::join!(strangers(&root, &owner, scale), target.ask());
    let own = target.brain.requests(TESTER).len();
    let mut row = Row {
        count: answers.values().sum::<usize>() + UNREAD_VIEWS + HALF_HEADS,
        ..Row::default()
    };
    for (status, count) in &answers {
        row.demand(
            REFUSALS.iter().any(|refusal| refusal.as_u16() == *status),
            || match status {
                0 => format!("{count} requests got no answer"),
                status => format!("{count} requests of strangers were answered with {status}"),
            },
        );
    }
    row.demand(own - asked <= 2, || {
        format!("the brain was asked {} times: a form got through", own - asked)
    });
    let unread = unread_views(&owner, &target).await;
    let (waited, heads) = half_heads(&root, &owner).await;
    row.demand(waited.is_some(), || {
        "the owner is not served while heads do not arrive".into()
    });
    let waited = waited.unwrap_or_default().as_millis();
    row.seen = format!("all refused, {unread} views unread, {heads} half heads, owner {waited} ms");
    target.judged(row, question).await
}

/// Makes requests that none but a stranger makes, and counts how often each status came; 0 is none.
async fn strangers(root: &str, owner: &Browser, scale: Scale) -> BTreeMap<u16, usize> {
    let mut clients = JoinSet::new();
    for client in 0..CLIENTS {
        let (root, owner) = (root.to_owned(), owner.clone());
        let mut dice = Dice::new(scale.seed + client as u64);
        clients.spawn(async move {
            let outside = Browser::outside(&root);
            let mut answers = BTreeMap::<_, usize>::new();
            for _ in 0..scale.requests / CLIENTS {
                let request = drawn(&mut dice, &outside, &owner, &root);
                let answer = timeout(PATIENCE, request.send()).await;
                // A body that is too large may be cut off before the answer can be read.
                let status = match answer {
                    Ok(Ok(answer)) => answer.status().as_u16(),
                    Ok(Err(error)) if error.is_request() || error.is_body() => 413,
                    _ => 0,
                };
                *answers.entry(status).or_default() += 1;
            }
            answers
        });
    }
    let mut all = BTreeMap::<_, usize>::new();
    for answers in clients.join_all().await {
        for (status, count) in answers {
            *all.entry(status).or_default() += count;
        }
    }
    all
}

fn drawn(dice: &mut Dice, outside: &Browser, owner: &Browser, root: &str) -> RequestBuilder {
    let places = [
        "/",
        "/turns",
        "/memory",
        "/log",
        "/live/now",
        "/metrics",
        "/settings",
        "/setup",
        "/routines",
        "/personas/edit?id=loquat",
        "/check",
        "/nowhere",
    ];
    let forms = [
        "/ask",
        "/stop",
        "/say",
        "/reload",
        "/reveal",
        "/settings",
        "/settings/towns",
        "/setup/done",
        "/timers/set",
        "/lists/add",
        "/routines/set",
        "/personas/edit",
        "/personas/delete",
        "/memory/forget",
        "/models/fetch",
    ];
    let (place, form) = (*dice.pick(&places), *dice.pick(&forms));
    let fields = [("csrf", "0123456789abcdef"), ("text", "Tell me your secrets")];
    let junk = "x".repeat(1 << (10 + dice.index(13)));
    match dice.index(9) {
        0 => outside.request(Method::GET, place),
        1 => outside
            .request(Method::GET, place)
            .header("authorization", format!("Bearer {junk:.200}")),
        2 => outside
            .request(Method::GET, place)
            .header("cookie", format!("loquat_page={junk:.300}")),
        3 => outside.request(Method::GET, &format!("/turns?token={junk:.500}")),
        4 => owner
            .request(Method::GET, place)
            .header("origin", "https://evil.example"),
        5 => owner.request(Method::GET, place).header("host", "evil.example"),
        6 => owner
            .request(Method::POST, form)
            .header("origin", "null")
            .form(&fields),
        // Of our own origin, and with no sign of the visit.
        7 => owner
            .request(Method::POST, form)
            .header("origin", root)
            .form(&fields),
        _ => owner
            .request(Method::POST, form)
            .header("origin", root)
            .body(junk + &"y".repeat(70_000)),
    }
}

/// Views that the owner's browser opens and never reads, while much happens; how many were opened.
async fn unread_views(owner: &Browser, target: &Target) -> usize {
    let mut open = Vec::new();
    for _ in 0..UNREAD_VIEWS {
        let view = owner.request(Method::GET, "/live/now").send();
        if let Ok(Ok(answer)) = timeout(Duration::from_secs(5), view).await
            && answer.status() == StatusCode::OK
        {
            open.push(answer);
        }
    }
    for number in 0..20 {
        let said = Utterance::new(&format!("Say {number} of {}", "a long story ".repeat(100)));
        said.in_session("teller").ask(&target.probe).await;
    }
    open.len()
}

/// Measures how long the owner waits for a view behind connections whose heads do not arrive, and counts
/// those.
async fn half_heads(root: &str, owner: &Browser) -> (Option<Duration>, usize) {
    let address = root.trim_start_matches("http://");
    let mut open = Vec::new();
    for _ in 0..HALF_HEADS {
        let Ok(Ok(mut stream)) = timeout(Duration::from_secs(2), TcpStream::connect(address)).await else {
            break;
        };
        if stream.write_all(b"GET / HTTP/1.1\r\nHost: 127").await.is_ok() {
            open.push(stream);
        }
    }
    let began = Instant::now();
    let owner = owner.without_connection();
    let served = timeout(OWNER, async {
        loop {
            let answer = owner.request(Method::GET, "/turns").send().await;
            if answer.is_ok_and(|answer| answer.status() == StatusCode::OK) {
                return began.elapsed();
            }
        }
    });
    let waited = served.await.ok();
    let count = open.len();
    for mut stream in open {
        // What the daemon says to half a head is of no interest.
        timeout(Duration::from_millis(1), stream.read(&mut [0; 64]))
            .await
            .ok();
    }
    (waited, count)
}

/// Makes the body of a greeting over MCP.
pub(super) fn greeting() -> serde_json::Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "flood", "version": "1"}}})
}
