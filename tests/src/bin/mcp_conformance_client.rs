//! The client of the conformance suite: a daemon whose one MCP server is the address in the last argument, and a brain that
//! has it call what the scenario is about.
#![expect(
    clippy::disallowed_methods,
    reason = "the suite names its scenario in the environment, and the address behind all arguments"
)]

use loquat_tests::brain::Reply;
use loquat_tests::story::Scene;
use loquat_tests::wait::PATIENCE;
use serde_json::json;

#[tokio::main]
async fn main() {
    let url = std::env::args().next_back().unwrap_or_default();
    let scenario = std::env::var("MCP_CONFORMANCE_SCENARIO").unwrap_or_default();
    let call = match scenario.as_str() {
        "tools_call" => Some(("add_numbers", json!({"a": 5, "b": 3}))),
        "sse-retry" => Some(("test_reconnection", json!({}))),
        _ => None,
    };
    let scene = Scene::default();
    let tools = call.iter().map(|(tool, _)| format!("{tool} = \"read\""));
    let tools = tools.collect::<Vec<_>>().join(", ");
    scene.home.add_settings(&format!(
        "[mcp.servers.suite]\nurl = {url:?}\ntools = {{ {tools} }}\n"
    ));
    let tester = scene.tester().toolboxes(&["mcp-suite"]);
    let mut story = scene.play(&tester).await;
    story.daemon.wrote("an MCP server is there", PATIENCE).await;
    if let Some((tool, arguments)) = call {
        story.script([Reply::acts(tool, &arguments), Reply::answers("That was it.")]);
        story.ask("Do it").await;
    }
    story.daemon.signal(rustix::process::Signal::TERM);
    story.daemon.ended(PATIENCE).await;
}
