//! The page's door for MCP clients under JSON that is no JSON-RPC, wrong tokens, foreign pages, bodies of megabytes, clients
//! that do not send what they announce, and more calls than are served at once.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::page::greeting;
use crate::attack::row::Row;
use crate::attack::scale::Scale;
use crate::attack::target::Target;
use crate::brain::Reply;
use crate::browser::{Browser, served};
use crate::dice::Dice;
use crate::story::TESTER;
use crate::wait::PATIENCE;

const TOKEN: &str = "a-token-of-mcp";

/// Clients that ask at once.
const CLIENTS: usize = 12;

/// Clients that announce a body and keep it.
const HANGING: usize = 30;

/// Who sends a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sender {
    /// Has no right token, or is a page of others.
    Stranger,
    /// Has the token, and no manners.
    Client,
}

/// Floods the page's door for MCP clients.
pub async fn mcp_door(scale: Scale) -> Row {
    let mut root = String::new();
    let target = Target::begin(|tester, home| {
        root = served(home);
        let token = home.write("mcp.token", &format!("{TOKEN}\n"));
        home.setting("page.mcp_token", &format!("{:?}", token.display().to_string()));
        tester
    })
    .await;
    target.daemon.wrote("the page is served", PATIENCE).await;
    target.brain.whenever(TESTER, "", Reply::answers("Fine."));
    let hanging = hang(&root).await;
    let (answers, question) = tokio::join!(flood(&root, scale), target.ask());
    let mut row = Row::default();
    let (mut refused, mut served) = (0, 0);
    for ((is_stranger, status), count) in &answers {
        row.count += count;
        let is_right = match (*is_stranger, *status) {
            (true, 401 | 403 | 404 | 405 | 413 | 421) => {
                refused += count;
                true
            }
            (false, 200..=499) => {
                served += count;
                true
            }
            _ => false,
        };
        row.demand(is_right, || {
            let who = if *is_stranger { "stranger" } else { "client" };
            format!("{count} requests of a {who} got {status}")
        });
    }
    row.demand(refused > 0 && served > 0, || "the attack did not arrive".into());
    let greeted = greet(&root).await;
    row.demand(greeted.contains("\"loquat\""), || {
        format!("a client is not greeted afterwards: {greeted}")
    });
    row.seen = format!(
        "{refused} refused, {served} of a client answered, {} hang",
        hanging.len()
    );
    let row = target.judged(row, question).await;
    drop(hanging);
    row
}

/// Opens connections of clients with the token that announce a megabyte and send nothing of it.
async fn hang(root: &str) -> Vec<TcpStream> {
    let address = root.trim_start_matches("http://");
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: 1000000\r\n\r\n{{"
    );
    let mut hanging = Vec::new();
    for _ in 0..HANGING {
        if let Ok(mut stream) = TcpStream::connect(address).await
            && stream.write_all(head.as_bytes()).await.is_ok()
        {
            hanging.push(stream);
        }
    }
    hanging
}

/// Counts how often each status came, by whether a stranger had asked; 0 is none.
async fn flood(root: &str, scale: Scale) -> BTreeMap<(bool, u16), usize> {
    let mut clients = JoinSet::new();
    for client in 0..CLIENTS {
        let outside = Browser::outside(root);
        let mut dice = Dice::new(scale.seed + client as u64);
        clients.spawn(async move {
            let mut answers = BTreeMap::<_, usize>::new();
            for _ in 0..scale.requests / CLIENTS {
                let (sender, request) = drawn(&mut dice, &outside);
                let answered = async {
                    let answer = request.send().await?;
                    let status = answer.status().as_u16();
                    answer.bytes().await.map(|_| status)
                };
                let status = match timeout(PATIENCE, answered).await {
                    Ok(Ok(status)) => status,
                    Ok(Err(error)) if error.is_request() || error.is_body() => 413,
                    _ => 0,
                };
                *answers.entry((sender == Sender::Stranger, status)).or_default() += 1;
            }
            answers
        });
    }
    let mut all = BTreeMap::<_, usize>::new();
    for answers in clients.join_all().await {
        for (key, count) in answers {
            *all.entry(key).or_default() += count;
        }
    }
    all
}

fn drawn(dice: &mut Dice, outside: &Browser) -> (Sender, RequestBuilder) {
    let post = || {
        let request = outside.request(Method::POST, "/mcp");
        let request = request.header("accept", "application/json, text/event-stream");
        request.header("content-type", "application/json")
    };
    let own = || post().header("authorization", format!("Bearer {TOKEN}"));
    let ask = json!({"name": "ask_persona", "arguments": {"question": "hello", "text": "hello"}});
    let whole = json!({"jsonrpc": "2.0", "id": dice.roll() >> 12, "method": "tools/call", "params": ask});
    match dice.index(9) {
        0 => (Sender::Stranger, post().json(&greeting())),
        1 => {
            let wrong = format!("Bearer {TOKEN}{}", dice.index(10));
            (
                Sender::Stranger,
                post().header("authorization", wrong).body("x".repeat(3 << 20)),
            )
        }
        2 => (
            Sender::Stranger,
            own().header("origin", "https://evil.example").json(&greeting()),
        ),
        3 => (
            Sender::Stranger,
            own().header("host", "evil.example").json(&greeting()),
        ),
        4 => (Sender::Client, own().json(&greeting())),
        5 => (Sender::Client, own().json(&whole)),
        6 => (
            Sender::Client,
            own().body("{\"jsonrpc\":\"2.0\",\"params\":\"".to_owned() + &"x".repeat(4 << 20)),
        ),
        7 => (Sender::Client, own().json(&malformed(dice))),
        _ => {
            let mut bytes = whole.to_string().into_bytes();
            for _ in 0..=dice.index(6) {
                let place = dice.index(bytes.len());
                bytes[place] ^= 1 << dice.index(8);
            }
            (Sender::Client, own().body(bytes))
        }
    }
}

/// Draws JSON that is no request of JSON-RPC, or one that makes no sense.
fn malformed(dice: &mut Dice) -> Value {
    let deep = (0..100).fold(json!(0), |inner, _| json!([inner]));
    match dice.index(7) {
        0 => json!([greeting(), greeting(), greeting()]),
        1 => json!({"jsonrpc": "1.0", "id": 1, "method": "tools/list"}),
        2 => json!({"jsonrpc": "2.0", "id": deep, "method": "tools/list", "params": deep}),
        3 => json!({"jsonrpc": "2.0", "id": 1, "method": "x".repeat(100_000)}),
        4 => {
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 7, "arguments": "none"}})
        }
        5 => json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
        _ => {
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": u64::MAX}})
        }
    }
}

/// Gives what a client of good manners is told.
async fn greet(root: &str) -> String {
    let outside = Browser::outside(root);
    let request = outside.request(Method::POST, "/mcp").json(&greeting());
    let request = request.header("accept", "application/json, text/event-stream");
    let request = request.header("authorization", format!("Bearer {TOKEN}"));
    let text = async { request.send().await.ok()?.text().await.ok() };
    let answer = timeout(Duration::from_secs(15), text).await;
    answer.ok().flatten().unwrap_or_default()
}
