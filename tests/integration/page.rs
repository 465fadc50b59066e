//! The page: who is let in, what they see as it happens, and what each form does.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use loquat_tests::brain::{Delivery, Reply};
use loquat_tests::browser::{Browser, address, served};
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::home::{Home, free_port};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, wait_for, within};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::mcp::serve_told;
use crate::story::{Scene, Story, TESTER};

const QUESTION: &str = "What is six times seven?";

/// A daemon that serves a page, and a browser that has entered.
pub(crate) async fn story() -> (Story, Browser) {
    let scene = Scene::default();
    let root = served(&scene.home);
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.daemon.wrote("the page is served", PATIENCE).await;
    let browser = Browser::entered(&story.home, &root).await;
    (story, browser)
}

/// A turn with a call of a tool and an answer.
async fn multiplied(story: &Story) {
    story.script([
        Reply::acts("evaluate_expression", &json!({"expression": "6 * 7"})),
        Reply::answers("It is 42."),
    ]);
    assert_eq!(story.ask(QUESTION).await.answer(), "It is 42.");
}

/// A view that holds these words, once it does.
pub(crate) async fn shows(browser: &mut Browser, path: &str, words: &str) -> String {
    wait_for(&format!("{words} at {path}"), PATIENCE, async || {
        let mut browser = browser.clone();
        let text = browser.look(path).await;
        text.contains(words).then_some(text)
    })
    .await
}

#[tokio::test]
async fn the_address_lets_one_browser_in_once() {
    let (story, browser) = story().await;
    let address = address(&story.home).await;
    let (root, ticket) = address.split_once("/enter").unwrap();
    let path = format!("/enter{ticket}");
    let mut outside = Browser::outside(root);
    let look = |browser: &Browser, path: &str| browser.request(Method::GET, path).send();
    assert_eq!(
        look(&outside, "/turns").await.unwrap().status(),
        StatusCode::UNAUTHORIZED
    );
    let wrong = look(&outside, "/enter?token=0123456789abcdef").await.unwrap();
    assert_eq!(wrong.status(), StatusCode::UNAUTHORIZED);
    let first = look(&outside, &path).await.unwrap();
    assert_eq!(first.status(), StatusCode::SEE_OTHER);
    let cookie = first.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(
        cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Strict"),
        "{cookie}"
    );
    let again = look(&outside, &path).await.unwrap();
    assert_eq!(again.status(), StatusCode::UNAUTHORIZED);
    assert!(!again.headers().contains_key("set-cookie"));
    assert!(outside.keep(&first) && outside.look("/turns").await.contains("<h1>Turns</h1>"));
    let policy = first.headers()["content-security-policy"].to_str().unwrap();
    assert!(
        policy.contains("default-src 'none'") && !policy.contains("unsafe"),
        "{policy}"
    );
    let mut left = browser.clone();
    let mut pushed = browser.watch("now").await;
    left.send("/leave", &[]).await;
    let gone = browser.request(Method::GET, "/turns").send().await.unwrap();
    assert_eq!(gone.status(), StatusCode::UNAUTHORIZED);
    story.script([Reply::answers("Yes.")]);
    story.ask("Is anybody there?").await;
    pushed.ends(PATIENCE).await;
    assert!(!left.look("/turns").await.contains("<h1>Turns"));
}

#[tokio::test]
async fn requests_that_never_become_whole_do_not_keep_the_owner_out() {
    let (story, browser) = story().await;
    let address = address(&story.home).await;
    let host = address.trim_start_matches("http://").split('/').next().unwrap();
    let mut halves = Vec::new();
    // Each would be waited for for ten seconds, 64 at once: far longer than the owner's patience.
    for _ in 0..400 {
        let mut half = TcpStream::connect(host).await.expect("the page is there");
        half.write_all(b"GET / HTTP/1.1\r\nHost: 127")
            .await
            .expect("it takes half of a head");
        halves.push(half);
    }
    let mut owner = browser.without_connection();
    within("the owner's page", PATIENCE, owner.look("/turns")).await;
}

#[tokio::test]
async fn no_other_page_and_no_other_name_gets_through() {
    let (_story, browser) = story().await;
    let status = |request: reqwest::RequestBuilder| async { request.send().await.unwrap().status() };
    let get = |path: &str| browser.request(Method::GET, path);
    let post = || browser.request(Method::POST, "/reveal");
    let fields = [("csrf", browser.csrf()), ("shown", "1")];
    let own = get("/").build().unwrap().url().origin().ascii_serialization();
    assert_eq!(status(get("/")).await, StatusCode::OK);
    assert_eq!(
        status(get("/").header("host", "evil.example")).await,
        StatusCode::MISDIRECTED_REQUEST
    );
    assert_eq!(
        status(get("/live/now").header("origin", "http://evil.example")).await,
        StatusCode::FORBIDDEN
    );
    for origin in ["http://evil.example", "null", "https://127.0.0.1"] {
        let sent = post().header("origin", origin).form(&fields);
        assert_eq!(status(sent).await, StatusCode::FORBIDDEN, "{origin}");
    }
    assert_eq!(
        status(post().form(&fields)).await,
        StatusCode::FORBIDDEN,
        "of no page"
    );
    for csrf in ["", "0123"] {
        let sent = post()
            .header("origin", &own)
            .form(&[("csrf", csrf), ("shown", "1")]);
        assert_eq!(status(sent).await, StatusCode::FORBIDDEN, "{csrf}");
    }
    let json = post()
        .header("origin", &own)
        .json(&json!({"csrf": browser.csrf()}));
    assert_eq!(status(json).await, StatusCode::BAD_REQUEST);
    let large = [("csrf", browser.csrf()), ("shown", &"x".repeat(70_000))];
    let large = post().header("origin", &own).form(&large);
    assert_eq!(status(large).await, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(
        status(post().header("origin", &own).form(&fields)).await,
        StatusCode::SEE_OTHER
    );
}

#[tokio::test]
async fn other_machines_are_let_in_with_encryption_and_a_password_only() {
    let home = Home::without_bus();
    served(&home);
    home.setting("page.address", "\"0.0.0.0\"");
    let refused = Launch::new(&home, &["run"]).run().await;
    assert_eq!(refused.status.code(), Some(78), "{}", refused.shown());
    assert!(refused.stderr.contains("page.password"), "{}", refused.stderr);
    let (certificate, key) = certified(home.path());
    home.setting("page.certificate", &format!("{certificate:?}"));
    home.setting("page.key", &format!("{key:?}"));
    let hashed = Command::new("sh")
        .args(["-c", "echo 'a rather long sentence' | \"$0\" page password"])
        .arg(loquat_tests::binaries::loquat())
        .env_clear()
        .envs(home.environment())
        .output()
        .unwrap();
    let line = String::from_utf8(hashed.stdout).unwrap();
    let hash = line.trim().strip_prefix("password = ").unwrap();
    home.setting("page.password", hash);
    let port = free_port();
    home.setting("page.port", &port.to_string());
    let (daemon, _probe) = Launch::new(&home, &["run"]).ready().await;
    daemon.wrote("the page is served", PATIENCE).await;
    let root = format!("https://127.0.0.1:{port}");
    let mut browser = Browser::outside(&root);
    assert!(browser.look("/enter").await.contains("type=\"password\""));
    for _ in 0..4 {
        let wrong = browser
            .submit("/enter", &[("password", "another long sentence")])
            .await;
        assert_eq!(wrong.status(), StatusCode::UNAUTHORIZED);
    }
    let right = [("password", "a rather long sentence")];
    let entered = browser.submit("/enter", &right).await;
    assert!(
        entered.headers()["set-cookie"]
            .to_str()
            .unwrap()
            .contains("; Secure")
    );
    for _ in 0..5 {
        browser
            .submit("/enter", &[("password", "another long sentence")])
            .await;
    }
    let locked = browser.submit("/enter", &right).await;
    assert_eq!(locked.status(), StatusCode::UNAUTHORIZED, "too many were wrong");
    assert!(browser.keep(&entered) && browser.look("/").await.contains("<h1>Now</h1>"));
}

/// A certificate and its key.
fn certified(folder: &Path) -> (String, String) {
    let (certificate, key) = (folder.join("page.pem"), folder.join("page.key"));
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
        ])
        .args(["-days", "2", "-subj", "/CN=localhost", "-out"])
        .arg(&certificate)
        .arg("-keyout")
        .arg(&key)
        .output()
        .expect("openssl is there");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    (certificate.display().to_string(), key.display().to_string())
}

#[tokio::test]
async fn a_turn_is_seen_while_it_runs() {
    let (story, mut browser) = story().await;
    browser.send("/reveal", &[("shown", "1")]).await;
    let mut pushed = browser.watch("now").await;
    let is_first = |piece: &Value| piece["id"] == "turns";
    pushed.piece("the list as it is", PATIENCE, is_first).await;
    story.script([Reply::says("").delivered(Delivery::Never)]);
    let entered = Utterance::new(QUESTION).enter(&story.probe).await;
    let holds = |words: &'static str| {
        move |piece: &Value| piece["html"].as_str().is_some_and(|html| html.contains(words))
    };
    let line = pushed
        .piece("what was asked", PATIENCE, holds("six times seven"))
        .await;
    assert_eq!(line["into"], "lines");
    // The brain never answers, so what is told of it is told while it thinks.
    let row = pushed
        .piece("the running turn", PATIENCE, holds("1 brain call"))
        .await;
    assert!(row["html"].as_str().unwrap().contains("running"), "{row}");
    assert!(entered <= story.probe.mark());
    let id = row["id"]
        .as_str()
        .unwrap()
        .strip_prefix("row-")
        .unwrap()
        .to_owned();
    let mut turn = browser.watch(&format!("turn-{id}")).await;
    turn.piece("its bars", PATIENCE, holds("What the brain was sent"))
        .await;
    browser.look("/").await;
    browser.send("/stop", &[]).await;
}

#[tokio::test]
async fn what_people_said_is_hidden_until_it_is_asked_for() {
    let (story, mut browser) = story().await;
    multiplied(&story).await;
    let turns = shows(&mut browser, "/turns", "words hidden").await;
    let (_, rest) = turns.split_once("href=\"/turns/").unwrap();
    let turn = format!("/turns/{}", rest.split('"').next().unwrap());
    let views = [
        "/",
        "/turns",
        "/log",
        "/metrics",
        &turn,
        &format!("{turn}/prompts/1"),
    ];
    for view in views {
        let text = browser.look(view).await;
        for said in ["six times", "It is 42", "6 * 7"] {
            assert!(!text.contains(said), "{said} at {view}: {text}");
        }
    }
    browser.look("/").await;
    browser.send("/reveal", &[("shown", "1")]).await;
    let whole = browser.look(&turn).await;
    for said in [
        QUESTION,
        "It is 42.",
        "6 * 7",
        "ovos-math-tools/evaluate_expression",
    ] {
        assert!(whole.contains(said), "{said} in {whole}");
    }
    let prompt = browser.look(&format!("{turn}/prompts/1")).await;
    assert!(
        prompt.contains(QUESTION) && prompt.contains("Instructions"),
        "{prompt}"
    );
    let second = browser.look(&format!("{turn}/prompts/2")).await;
    assert!(second.contains("42"), "what the tool brought: {second}");
}

#[tokio::test]
async fn a_turn_of_an_earlier_start_is_played_again() {
    let (mut story, browser) = story().await;
    multiplied(&story).await;
    let root = browser.request(Method::GET, "/").build().unwrap();
    let root = root.url().origin().ascii_serialization();
    story.daemon.signal(rustix::process::Signal::TERM);
    story.daemon.ended(PATIENCE).await;
    let (daemon, _probe) = Launch::new(&story.home, &["run"]).ready().await;
    daemon.wrote("the page is served", PATIENCE).await;
    let mut browser = Browser::entered(&story.home, &root).await;
    browser.send("/reveal", &[("shown", "1")]).await;
    let turns = browser.look("/turns").await;
    let (_, before) = turns.split_once("Before the last start").unwrap();
    assert!(before.contains(QUESTION), "{before}");
    let (_, rest) = before.split_once("href=\"").unwrap();
    let whole = browser.look(rest.split('"').next().unwrap()).await;
    assert!(
        whole.contains("It is 42.") && whole.contains("evaluate_expression"),
        "{whole}"
    );
}

#[tokio::test]
async fn figures_are_read_with_their_token_and_hold_no_words() {
    let scene = Scene::default();
    let root = served(&scene.home);
    let file = scene.home.write("metrics.token", "a-token-of-metrics\n");
    scene
        .home
        .setting("page.metrics_token", &format!("{:?}", file.display().to_string()));
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.daemon.wrote("the page is served", PATIENCE).await;
    multiplied(&story).await;
    let outside = Browser::outside(&root);
    let read = |token: &'static str| {
        let request = outside.request(Method::GET, "/metrics");
        let request = request.header("authorization", format!("Bearer {token}"));
        async { request.send().await.unwrap() }
    };
    assert_eq!(read("another").await.status(), StatusCode::UNAUTHORIZED);
    let text = wait_for("the turn in the figures", PATIENCE, async || {
        let text = read("a-token-of-metrics").await.text().await.unwrap();
        text.contains("loquat_turns_total{reason=\"answered\"} 1")
            .then_some(text)
    })
    .await;
    for figure in [
        "gen_ai_client_operation_duration_seconds_count{brain=",
        "gen_ai_execute_tool_duration_seconds_count{tool=\"ovos-math-tools/evaluate_expression\",outcome=\"ok\"} 1",
        "gen_ai_token_type=\"input\"",
        "loquat_bus_connected 1",
        "# EOF",
    ] {
        assert!(text.contains(figure), "{figure} in {text}");
    }
    assert!(!text.contains("six times") && !text.contains("42."), "{text}");
    let other = outside
        .request(Method::GET, "/turns")
        .header("authorization", "Bearer a-token-of-metrics");
    assert_eq!(other.send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_typed_question_a_stop_and_a_sentence_reach_the_bus() {
    let (story, mut browser) = story().await;
    story.script([Reply::answers("Hello yourself.")]);
    let mark = story.probe.mark();
    browser.send("/ask", &[("question", "Hello there")]).await;
    let is_answer = |frame: &Frame| frame.is_speak() && frame.utterance() == "Hello yourself.";
    story.probe.wait("the answer", mark, PATIENCE, is_answer).await;
    let empty = browser.send_and_look("/ask", &[("question", "  ")]).await;
    assert!(empty.contains("the text is empty"), "{empty}");
    browser.send("/say", &[("sentence", "One two three")]).await;
    let is_said = |frame: &Frame| frame.is_speak() && frame.utterance() == "One two three";
    story.probe.wait("the sentence", mark, PATIENCE, is_said).await;
    browser.send("/stop", &[("back", "/")]).await;
    let is_stop = |frame: &Frame| {
        frame.topic == "mycroft.stop" || frame.topic == "ovos.utterance.stop" || frame.topic.ends_with("stop")
    };
    story.probe.wait("the stop", mark, PATIENCE, is_stop).await;
    let deaf = browser.send_and_look("/listen", &[("back", "/sound")]).await;
    assert!(deaf.contains("no program listens"), "{deaf}");
    assert_eq!(browser.send("/stop", &[("back", "//evil.example")]).await, "/");
}

#[tokio::test]
async fn a_tool_is_tried_through_the_gate() {
    let (story, mut browser) = story().await;
    let tools = browser.look("/tools").await;
    assert!(
        tools.contains("evaluate_expression") && tools.contains("asks first"),
        "{tools}"
    );
    let form = "/tools/ovos-math-tools/evaluate_expression";
    let page = browser.look(form).await;
    assert!(page.contains("name=\"arg:expression\""), "{page}");
    let turn = browser.send(form, &[("arg:expression", "12 * 12")]).await;
    shows(&mut browser, &turn, "144").await;
    let wrong = browser.send(form, &[("arg:expression", "12 *")]).await;
    shows(&mut browser, &wrong, "failed").await;
    let gone = browser.send_and_look("/tools/ovos-math-tools/no_such", &[]).await;
    assert!(gone.contains("no such tool"), "{gone}");
    let add = "/tools/loquat-list-tools/add_to_list";
    let turn = browser
        .send(add, &[("arg:items", "milk and eggs"), ("arg:list", "shopping")])
        .await;
    shows(&mut browser, &turn, "answered").await;
    let clear = "/tools/loquat-list-tools/clear_list";
    let turn = browser.send(clear, &[("arg:list", "shopping")]).await;
    let asks = shows(&mut browser, &turn, "May this run?").await;
    let call = field(&asks, "call");
    let id = turn.strip_prefix("/turns/").unwrap();
    let root = browser.request(Method::GET, "/").build().unwrap();
    let root = root.url().origin().ascii_serialization();
    let mut other = Browser::entered(&story.home, &root).await;
    assert!(other.look(&turn).await.contains("in the browser that began it"));
    let yes = [("turn", id), ("call", call.as_str()), ("yes", "1")];
    let refused = other.send_and_look("/answer", &yes).await;
    assert!(refused.contains("waits for no answer"), "{refused}");
    browser.look(&turn).await;
    browser
        .send("/answer", &[("turn", id), ("call", &call), ("yes", "0")])
        .await;
    let ended = shows(&mut browser, &turn, "failed").await;
    assert!(ended.contains("Person"), "{ended}");
    browser.send("/reveal", &[("shown", "1")]).await;
    assert!(browser.look("/lists").await.contains("milk"), "a no is a no");
    let turn = browser.send(clear, &[("arg:list", "shopping")]).await;
    let asks = shows(&mut browser, &turn, "May this run?").await;
    let (id, call) = (turn.strip_prefix("/turns/").unwrap(), field(&asks, "call"));
    browser
        .send("/answer", &[("turn", id), ("call", &call), ("yes", "1")])
        .await;
    shows(&mut browser, "/lists", "Nothing is on any list").await;
}

/// The value of a hidden field.
pub(crate) fn field(text: &str, name: &str) -> String {
    let (_, rest) = text.split_once(&format!("name=\"{name}\" value=\"")).unwrap();
    rest.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn settings_and_personas_are_shown_with_their_sources_and_what_is_wrong() {
    let (story, mut browser) = story().await;
    let settings = browser.look("/settings").await;
    assert!(
        settings.contains("loquat.toml:") && settings.contains("Nothing is wrong"),
        "{settings}"
    );
    let personas = browser.look("/personas").await;
    assert!(
        personas.contains(&format!("{TESTER}.json")) && personas.contains("ovos-react-loop"),
        "{personas}"
    );
    story.home.setting("desk.no_such_key", "1");
    story.home.write(
        "config/ovos_persona/Broken.json",
        "{\"name\": \"Broken\", \"solvers\": 7}",
    );
    let settings = browser.look("/settings").await;
    assert!(settings.contains("desk.no_such_key is no setting"), "{settings}");
    story.home.write(
        "config/ovos_persona/Careful.json",
        &json!({"name": "Careful", "handlers": ["ovos-react-loop"], "ovos-react-loop": {
            "brain": "loquat-local-brain", "toolboxes": ["ovos-math-tools"],
            "ovos-math-tools": {"tools": {"no_such_tool": {"confirm": "ask"}}}}})
        .to_string(),
    );
    let personas = browser.look("/personas").await;
    assert!(personas.contains("Broken.json"), "{personas}");
    assert!(
        personas.contains("not ready") && personas.contains("ovos-math-tools has no tool no_such_tool"),
        "{personas}"
    );
    let refused = browser.send_and_look("/reload", &[("back", "/settings")]).await;
    assert!(refused.contains("nothing is changed"), "{refused}");
    story.script([Reply::answers("Still here.")]);
    assert_eq!(story.ask("Are you there?").await.answer(), "Still here.");
}

#[tokio::test]
async fn what_is_odd_about_an_mcp_server_is_shown() {
    let scene = Scene::default();
    let root = served(&scene.home);
    let good = json!({"name": "first", "inputSchema": {"type": "object"}});
    let told =
        json!({"tools": [good, {"name": "odd", "inputSchema": "text"}], "each": "DEBUG got a message\n"});
    serve_told(&scene.home, &told, "");
    let tester = scene.tester().toolboxes(&["mcp-scripted"]);
    let story = scene.play(&tester).await;
    story.daemon.wrote("an MCP server is there", PATIENCE).await;
    let mut browser = Browser::entered(&story.home, &root).await;
    let shown = shows(&mut browser, "/check", "scripted offers first (asks)").await;
    for words in [
        "odd is left out, since its inputSchema is no schema",
        "no messages were passed over",
    ] {
        assert!(shown.contains(words), "{shown}");
    }
}

#[tokio::test]
async fn a_fetch_that_fails_is_told_while_the_page_is_open() {
    let scene = Scene::default();
    let root = served(&scene.home);
    let mirror = scene.home.path().join("mirror");
    std::fs::create_dir_all(&mirror).unwrap();
    scene
        .home
        .setting("models.mirror", &format!("{:?}", mirror.display().to_string()));
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.daemon.wrote("the page is served", PATIENCE).await;
    let mut browser = Browser::entered(&story.home, &root).await;
    assert!(browser.look("/models").await.contains("hey_mycroft"));
    let mut pushed = browser.watch("models").await;
    browser.send("/models/fetch", &[("name", "hey_mycroft")]).await;
    // The mirror is empty, which is told as everything else is.
    let failed = |piece: &Value| {
        piece["html"]
            .as_str()
            .is_some_and(|html| html.contains("failed to"))
    };
    let piece = pushed.piece("how the download ended", PATIENCE, failed).await;
    assert_eq!(piece["id"], "fetching");
    let unknown = browser
        .send_and_look("/models/fetch", &[("name", "no_such_model")])
        .await;
    assert!(unknown.contains("no_such_model"), "{unknown}");
}

#[tokio::test]
async fn mcp_is_served_where_it_is_opened_to_its_own_token_alone() {
    let scene = Scene::default();
    let root = served(&scene.home);
    let file = scene.home.write("mcp.token", "a-token-of-mcp\n");
    scene
        .home
        .setting("page.mcp_token", &format!("{:?}", file.display().to_string()));
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.daemon.wrote("the page is served", PATIENCE).await;
    let outside = Browser::outside(&root);
    let greeting = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
    let greet = |token: &str| {
        let request = outside.request(Method::POST, "/mcp").json(&greeting);
        let request = request.header("accept", "application/json, text/event-stream");
        request.header("authorization", format!("Bearer {token}"))
    };
    let status = |request: reqwest::RequestBuilder| async { request.send().await.unwrap().status() };
    assert_eq!(status(greet("another")).await, StatusCode::UNAUTHORIZED);
    let foreign = greet("a-token-of-mcp").header("origin", "http://evil.example");
    assert_eq!(status(foreign).await, StatusCode::FORBIDDEN);
    let named = greet("a-token-of-mcp").header("host", "evil.example");
    assert_eq!(status(named).await, StatusCode::MISDIRECTED_REQUEST);
    let greeted = greet("a-token-of-mcp").send().await.unwrap();
    let text = greeted.text().await.unwrap();
    assert!(text.contains("\"name\":\"loquat\""), "{text}");
    let (_closed, browser) = self::story().await;
    let shut = browser.request(Method::POST, "/mcp").send().await.unwrap();
    assert_eq!(
        shut.status(),
        StatusCode::NOT_FOUND,
        "it is closed unless it is opened"
    );
}

#[tokio::test]
async fn a_page_that_cannot_be_served_stops_nothing_else() {
    let scene = Scene::default();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    scene.home.setting("page.port", &port.to_string());
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.script([Reply::answers("Yes.")]);
    assert_eq!(story.ask("Do you answer?").await.answer(), "Yes.");
    story.daemon.wrote("the page is not served", PATIENCE).await;
    let asked = Launch::new(&story.home, &["page"]).run().await;
    assert!(
        !asked.status.success() && asked.stderr.contains("page.port"),
        "{}",
        asked.shown()
    );
}

/// By how much the daemon may grow from the first thousand turns to the ten thousandth, in bytes: what a heap holds back.
const GROWTH: u64 = 8 << 20;

/// In which a turn is to be seen, from the moment it was asked for.
const SEEN: Duration = Duration::from_millis(100);

/// The turn that a row of the page leads to.
fn turn_of(row: &str) -> Option<&str> {
    row.split_once("/turns/")?.1.split('"').next()
}

#[tokio::test]
#[ignore = "takes minutes, and wants a quiet machine; make bench-page runs it"]
async fn ten_thousand_turns_are_seen_at_once_and_leave_no_growth() {
    let scene = Scene::default();
    let root = served(&scene.home);
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.daemon.wrote("the page is served", PATIENCE).await;
    let browser = Browser::entered(&story.home, &root).await;
    let mut pushed = browser.watch("now").await;
    let (mut lags, mut sizes, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
    for turn in 0..10_000 {
        let asked = Instant::now();
        let utterance = Utterance::new("What is 6 times 7?");
        let mark = utterance.enter(&story.probe).await;
        // A row is told more than once, so that only one of a turn that was not seen before counts.
        let is_row = |piece: &Value| {
            let html = piece["html"].as_str().unwrap_or_default();
            let is_new = turn_of(html).is_some_and(|id| !seen.contains(id));
            piece["into"] == "turns" && html.contains("answered") && is_new
        };
        let row = pushed.piece("the turn", PATIENCE, is_row).await;
        lags.push(asked.elapsed());
        seen.extend(turn_of(row["html"].as_str().unwrap()).map(str::to_owned));
        utterance.end(&story.probe, mark).await;
        if turn % 1_000 == 999 {
            sizes.push(story.daemon.anonymous_bytes());
        }
    }
    assert_eq!(seen.len(), 10_000);
    lags.sort();
    let at = |share: usize| lags[lags.len() * share / 1000 - 1];
    let megabytes: Vec<f64> = sizes.iter().map(|size| *size as f64 / 1e6).collect();
    println!(
        "from asking to the answered turn on the page: median {:?}, 99 % {:?}, longest {:?}",
        at(500),
        at(990),
        at(1000)
    );
    println!("anonymous memory after each thousand turns, in MB: {megabytes:.1?}");
    assert!(at(990) < SEEN);
    assert!(sizes[9] < sizes[0] + GROWTH, "{megabytes:?}");
}
