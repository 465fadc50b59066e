//! Spans for a collector: what it is sent, what never goes along, and that one that is away delays no answer.

use loquat_tests::brain::Reply;
use loquat_tests::home::free_port;
use loquat_tests::wait::{PATIENCE, within};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::story::{Scene, Story};

const QUESTION: &str = "What is six times seven?";

/// Takes what is sent to it until it goes away.
struct Collector {
    url: String,
    taken: mpsc::Receiver<Value>,
    _task: JoinSet<()>,
}

impl Collector {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (sender, taken) = mpsc::channel(64);
        let mut task = JoinSet::new();
        task.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(serve(stream, sender.clone()));
            }
        });
        Self {
            url,
            taken,
            _task: task,
        }
    }

    /// All spans, until there are as many.
    async fn spans(&mut self, count: usize) -> Vec<Value> {
        let mut spans = Vec::new();
        within("the spans", PATIENCE, async {
            while spans.len() < count {
                let body = self.taken.recv().await.unwrap();
                let all = &body["resourceSpans"][0]["scopeSpans"][0]["spans"];
                spans.extend(all.as_array().unwrap().iter().cloned());
            }
        })
        .await;
        spans
    }
}

async fn serve(stream: TcpStream, taken: mpsc::Sender<Value>) {
    let mut stream = BufReader::new(stream);
    loop {
        let (mut length, mut line) = (0, String::new());
        while stream.read_line(&mut line).await.is_ok_and(|read| read > 2) {
            let lower = line.to_ascii_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            line.clear();
        }
        if length == 0 {
            return;
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.unwrap();
        taken.send(serde_json::from_slice(&body).unwrap()).await.unwrap();
        let answer = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";
        stream.get_mut().write_all(answer).await.unwrap();
    }
}

async fn story(endpoint: &str) -> Story {
    let scene = Scene::default();
    scene.home.setting("telemetry.endpoint", &format!("{endpoint:?}"));
    let tester = scene.tester();
    scene.play(&tester).await
}

async fn multiplied(story: &Story) {
    story.script([
        Reply::acts("evaluate_expression", &json!({"expression": "6 * 7"})),
        Reply::answers("It is 42."),
    ]);
    assert_eq!(story.ask(QUESTION).await.answer(), "It is 42.");
}

#[tokio::test]
async fn a_collector_gets_the_spans_of_a_turn_and_no_word_of_it() {
    let mut collector = Collector::start().await;
    let story = story(&collector.url).await;
    multiplied(&story).await;
    let spans = collector.spans(4).await;
    let names: Vec<&str> = spans.iter().map(|span| span["name"].as_str().unwrap()).collect();
    assert!(
        names[0].starts_with("chat ") && names[2].starts_with("chat "),
        "{names:?}"
    );
    assert_eq!(
        (names[1], names[3]),
        ("execute_tool evaluate_expression", "invoke_agent Tester")
    );
    assert!(
        spans[..3]
            .iter()
            .all(|span| span["parentSpanId"] == spans[3]["spanId"])
    );
    assert!(spans.iter().all(|span| span["traceId"] == spans[0]["traceId"]));
    let whole = format!("{spans:?}");
    for said in ["six times", "6 * 7", "It is 42"] {
        assert!(!whole.contains(said), "{said}: {whole}");
    }
    let check = loquat_tests::daemon::Launch::new(&story.home, &["check"])
        .run()
        .await;
    assert!(check.stdout.contains("takes spans"), "{}", check.shown());
}

#[tokio::test]
async fn a_collector_that_is_away_is_told_once_and_stops_no_turn() {
    let story = story(&format!("http://127.0.0.1:{}", free_port())).await;
    multiplied(&story).await;
    story.daemon.wrote("failed to send spans", PATIENCE).await;
    for _ in 0..3 {
        multiplied(&story).await;
    }
    let output = story.daemon.output();
    assert_eq!(output.matches("failed to send spans").count(), 1, "{output}");
}
