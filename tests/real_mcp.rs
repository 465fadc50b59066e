//! The daemon and the real world of MCP: the reference servers as its toolboxes, the official SDK as the client of
//! `loquat mcp`, and the scenarios of the conformance suite that apply. `make test-mcp` installs them and runs this.
#![cfg(test)]

use std::path::PathBuf;
use std::time::Duration;

use loquat_tests::binaries::{self, setting};
use loquat_tests::brain::{Reply, Request};
use loquat_tests::daemon::Launch;
use loquat_tests::home::free_port;
use loquat_tests::process::Process;
use loquat_tests::story::{Scene, Story, TESTER};
use loquat_tests::wait::{PATIENCE, within};
use serde_json::{Value, json};
use tokio::process::Command;

/// Node and Python start slowly on a busy machine.
const START: Duration = Duration::from_secs(60);

/// The scenarios of a client that apply. Those of OAuth do not, since an address has a token of its own; nor does
/// `elicitation-sep1034-client-defaults`, since questions of servers are not taken.
const SCENARIOS: [&str; 3] = ["initialize", "tools_call", "sse-retry"];

fn peers() -> PathBuf {
    let usual = || PathBuf::from(setting("HOME").expect("a home")).join(".cache/loquat/peers/mcp");
    setting("LOQUAT_MCP_PEERS").map_or_else(usual, PathBuf::from)
}

fn node() -> String {
    peers().join("node_modules/node/bin/node").display().to_string()
}

fn script(package: &str) -> String {
    let path = format!("node_modules/@modelcontextprotocol/{package}/dist/index.js");
    peers().join(path).display().to_string()
}

/// A daemon with one of these servers, which is there.
async fn story(settings: &str, prepare: impl FnOnce(&Scene) -> String) -> Story {
    let scene = Scene::default();
    scene.home.setting("bus.reports", "\"events\"");
    let more = prepare(&scene);
    scene.home.add_settings(&format!(
        "[mcp.servers.real]\nstart_seconds = 60\ntrusted = true\n{settings}\n{more}\n"
    ));
    let tester = scene.tester().toolboxes(&["mcp-real"]);
    let story = scene.play(&tester).await;
    story.daemon.wrote("an MCP server is there", START).await;
    story
}

/// Has the brain call a tool, and gives what it was shown of the result.
async fn result_of(story: &Story, tool: &str, arguments: &Value) -> String {
    story.script([Reply::acts(tool, arguments), Reply::answers("That was it.")]);
    // What is asked for names what is wanted, or the call looks guessed.
    let turn = story.ask(&format!("Do it with {arguments}")).await;
    assert_eq!(turn.answer(), "That was it.");
    story
        .brain
        .requests(TESTER)
        .last()
        .map(Request::text)
        .unwrap_or_default()
}

#[tokio::test]
async fn the_server_of_time_tells_the_time() {
    let program = peers().join("py/bin/mcp-server-time").display().to_string();
    let settings =
        format!("command = {program:?}\ntools = {{ get_current_time = \"read\", convert_time = \"read\" }}");
    let story = story(&settings, |_| String::new()).await;
    let shown = result_of(&story, "get_current_time", &json!({"timezone": "Asia/Tokyo"})).await;
    assert!(shown.contains("+09:00"), "{shown}");
    let shown = result_of(&story, "get_current_time", &json!({"timezone": "Nowhere/Land"})).await;
    assert!(shown.contains("Invalid timezone"), "{shown}");
}

#[tokio::test]
async fn the_server_of_memory_keeps_what_it_is_told() {
    let settings = format!(
        "command = {:?}\nargs = [{:?}]\nenv = {{ MEMORY_FILE_PATH = {{ file = \"~/place\" }} }}\n\
         tools = {{ create_entities = \"change\", search_nodes = \"read\" }}",
        node(),
        script("server-memory")
    );
    let story = story(&settings, |scene| {
        let file = scene.home.path().join("memory.jsonl");
        scene.home.write("place", &file.display().to_string());
        String::new()
    })
    .await;
    let ada = json!({"entities": [{"name": "Ada", "entityType": "person", "observations": ["likes plums"]}]});
    result_of(&story, "create_entities", &ada).await;
    let shown = result_of(&story, "search_nodes", &json!({"query": "plums"})).await;
    assert!(shown.contains("Ada"), "{shown}");
    assert!(story.home.path().join("memory.jsonl").is_file());
}

#[tokio::test]
async fn the_server_of_files_stays_in_its_folder() {
    let settings = format!("command = {:?}\ntools = {{ read_text_file = \"read\" }}", node());
    let story = story(&settings, |scene| {
        scene.home.write("shared/note.txt", "plums and pears");
        scene.home.write("secret.txt", "a canary");
        let folder = scene.home.path().join("shared").display().to_string();
        format!("args = [{:?}, {folder:?}]", script("server-filesystem"))
    })
    .await;
    let file = |name: &str| json!({"path": story.home.path().join(name).display().to_string()});
    let shown = result_of(&story, "read_text_file", &file("shared/note.txt")).await;
    assert!(shown.contains("plums and pears"), "{shown}");
    let shown = result_of(&story, "read_text_file", &file("secret.txt")).await;
    assert!(
        shown.contains("Access denied") && !shown.contains("a canary"),
        "{shown}"
    );
}

const EVERYTHING: &str = "tools = { get-sum = \"read\", get-structured-content = \"read\", \
                          trigger-long-running-operation = \"read\", get-tiny-image = \"read\" }";

/// What the server that has everything can do, whichever way it is reached.
async fn has_everything(story: &Story) {
    let shown = result_of(story, "get-sum", &json!({"a": 2, "b": 40})).await;
    assert!(shown.contains("42"), "{shown}");
    let shown = result_of(story, "get-structured-content", &json!({"location": "New York"})).await;
    assert!(shown.contains("humidity"), "{shown}");
    let shown = result_of(story, "get-tiny-image", &json!({})).await;
    assert!(shown.contains("a picture"), "{shown}");
    let mark = story.probe.mark();
    result_of(
        story,
        "trigger-long-running-operation",
        &json!({"duration": 2, "steps": 4}),
    )
    .await;
    let is_progress = |frame: &&loquat_tests::frame::Frame| {
        frame.topic == "loquat.turn.event" && frame.data.to_string().contains("tool_progressed")
    };
    assert!(story.probe.since(mark).iter().filter(is_progress).count() >= 3);
}

#[tokio::test]
async fn the_server_that_has_everything_serves_over_its_streams() {
    let settings = format!(
        "command = {:?}\nargs = [{:?}]\n{EVERYTHING}",
        node(),
        script("server-everything")
    );
    has_everything(&story(&settings, |_| String::new()).await).await;
}

#[tokio::test]
async fn the_server_that_has_everything_serves_over_http() {
    let port = free_port();
    let mut command = Command::new(node());
    command
        .args([script("server-everything").as_str(), "streamableHttp"])
        .env("PORT", port.to_string());
    let server = Process::spawn("the server", command);
    server.wrote("listening", START).await;
    let settings = format!("url = \"http://127.0.0.1:{port}/mcp\"\n{EVERYTHING}");
    has_everything(&story(&settings, |_| String::new()).await).await;
}

#[tokio::test]
async fn the_official_client_finds_our_tools_and_asks_a_persona() {
    let story = Story::begin().await;
    story.script([Reply::answers("It is a good day.")]);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/mcp/client.py");
    let mut command = Command::new(peers().join("py/bin/python"));
    command
        .arg(script)
        .arg(binaries::loquat())
        .arg("What day is it?")
        .envs(story.home.environment());
    let done = within("the client", START, command.output())
        .await
        .expect("python runs");
    let told: Value = serde_json::from_slice(&done.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&done.stderr)));
    assert_eq!(told["server"], "loquat");
    assert_eq!(
        told["asked"]["result"],
        json!({"answer": "It is a good day."}),
        "{told}"
    );
    assert!(told["reckoned"]["result"].to_string().contains("42"), "{told}");
    assert_eq!(told["wrong"]["error"], true, "{told}");
    assert_eq!(told["missing"]["error"], true, "{told}");
    let tools = told["tools"].to_string();
    assert!(
        tools.contains("get_current_datetime") && !tools.contains("forget_everything"),
        "{tools}"
    );
}

#[tokio::test]
async fn the_scenarios_of_a_client_that_apply_are_green() {
    for scenario in SCENARIOS {
        let mut command = Command::new(node());
        command
            .arg(script("conformance"))
            .args([
                "client",
                "--timeout",
                "90000",
                "--scenario",
                scenario,
                "--command",
            ])
            .arg(binaries::mcp_conformance_client())
            .current_dir(std::env::temp_dir());
        let done = within(scenario, Duration::from_secs(120), command.output())
            .await
            .expect("node runs");
        let shown = String::from_utf8_lossy(&done.stdout);
        let failed = format!("{scenario}: {shown}{}", String::from_utf8_lossy(&done.stderr));
        assert!(done.status.success(), "{failed}");
        assert!(!failed.contains("FAILURE"), "{failed}");
    }
}

/// The scenarios of a server that apply. The others want prompts, resources, logging, completion or tools of the suite's own.
const SERVED: [&str; 4] = [
    "server-initialize",
    "ping",
    "tools-list",
    "dns-rebinding-protection",
];

#[tokio::test]
async fn the_scenarios_of_a_server_that_apply_are_green() {
    let story = Story::begin().await;
    story.home.write("token", "sesame");
    let (port, passed) = (free_port().to_string(), free_port().to_string());
    let arguments = ["mcp", "serve", "--port", &port, "--token-file", "~/token"];
    let door = Launch::new(&story.home, &arguments).process();
    door.wrote("serves MCP at", PATIENCE).await;
    let mut command = Command::new(node());
    command.args([
        concat!(env!("CARGO_MANIFEST_DIR"), "/mcp/with_token.js"),
        &passed,
        &port,
        "sesame",
    ]);
    let proxy = Process::spawn("the proxy", command);
    proxy.wrote("listening", START).await;
    for scenario in SERVED {
        let mut command = Command::new(node());
        command
            .arg(script("conformance"))
            .args([
                "server",
                "--url",
                &format!("http://127.0.0.1:{passed}/mcp"),
                "--scenario",
                scenario,
            ])
            .current_dir(std::env::temp_dir());
        let done = within(scenario, START, command.output())
            .await
            .expect("node runs");
        let shown = String::from_utf8_lossy(&done.stdout);
        let failed = format!("{scenario}: {shown}{}", String::from_utf8_lossy(&done.stderr));
        assert!(done.status.success() && !failed.contains("FAILURE"), "{failed}");
    }
}
