//! The peer: llama.cpp's own server with the same model file, asked with its native tool calls.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use loquat_tests::binaries::setting;
use loquat_tests::home::free_port;
use loquat_tests::process::{Process, processor_seconds};
use serde_json::{Map, Value, json};
use tokio::process::Command;
use tokio::time::{Instant, sleep};

use super::{Case, INSTRUCTIONS};
use crate::decoding::Wanted;

/// It says that it is ready when the model is loaded.
const LOADING: Duration = Duration::from_secs(180);

/// How often it is asked whether it is ready.
const GLANCE: Duration = Duration::from_millis(200);

/// The longest reply.
const THINKING: Duration = Duration::from_secs(300);

/// The tokens of its window, which are as many as the device's model has, and of a reply.
const CONTEXT_TOKENS: &str = "4096";
const REPLY_TOKENS: u32 = 512;

/// The running server; it ends with this value.
#[derive(Debug)]
pub struct StockServer {
    process: Process,
    client: reqwest::Client,
    url: String,
}

impl StockServer {
    /// Starts it with this model on a free port of the loopback interface, and waits until it is ready.
    ///
    /// # Errors
    /// When it is not installed, or ends instead.
    pub async fn start(model: &Path) -> Result<Self> {
        let program = folder().join("llama-server");
        ensure!(
            program.is_file(),
            "{} is missing; `make bench-calling` builds it",
            program.display()
        );
        let port = free_port().to_string();
        let mut command = Command::new(program);
        command
            .args(["--host", "127.0.0.1", "--port", &port, "--jinja", "--no-webui"])
            .args([
                "--ctx-size",
                CONTEXT_TOKENS,
                "--parallel",
                "1",
                "--threads",
                "2",
                "--model",
            ])
            .arg(model);
        let mut process = Process::spawn("the stock model server", command);
        let client = loquat_tls::http_client().timeout(THINKING).build()?;
        let url = format!("http://127.0.0.1:{port}");
        let end = Instant::now() + LOADING;
        while !is_ready(&client, &url).await {
            ensure!(
                process.is_alive(),
                "the stock model server ended: {}",
                process.output()
            );
            ensure!(
                Instant::now() < end,
                "the stock model server is not ready within {LOADING:?}"
            );
            sleep(GLANCE).await;
        }
        Ok(Self { process, client, url })
    }

    /// How long processors have worked for it, in seconds.
    pub(crate) fn worked(&self) -> f64 {
        processor_seconds(self.process.pid())
    }

    /// Its address, up to `/v1`.
    pub(crate) fn url(&self) -> String {
        format!("{}/v1", self.url)
    }

    /// Asks the question of a case, and gives the calls of the reply. A reply that the server itself cannot read has none.
    ///
    /// # Errors
    /// When it cannot be reached.
    pub async fn calls(&self, case: &Case) -> Result<Vec<Wanted>> {
        let request = self.client.post(format!("{}/v1/chat/completions", self.url));
        let reply = request.json(&body(case)).send().await?;
        let reply: Value = reply
            .json()
            .await
            .context("the stock model server sent no JSON")?;
        let calls = reply["choices"][0]["message"]["tool_calls"].as_array();
        Ok(calls.into_iter().flatten().map(|call| made(case, call)).collect())
    }
}

/// Where `install.py` puts it.
fn folder() -> PathBuf {
    let home = || PathBuf::from(setting("HOME").unwrap_or_default());
    setting("LOQUAT_STOCK_SERVER").map_or_else(|| home().join(".cache/loquat/stock-server"), PathBuf::from)
}

async fn is_ready(client: &reqwest::Client, url: &str) -> bool {
    let health = client.get(format!("{url}/health")).send().await;
    health.is_ok_and(|reply| reply.status().is_success())
}

fn body(case: &Case) -> Value {
    let tools = case.tools.iter().map(|tool| {
        let mut function = tool.clone();
        function["name"] = json!(plain(tool["name"].as_str().unwrap_or_default()));
        json!({"type": "function", "function": function})
    });
    json!({
        "messages": [
            {"role": "system", "content": INSTRUCTIONS},
            {"role": "user", "content": case.question},
        ],
        "tools": tools.collect::<Vec<_>>(),
        "tool_choice": "auto",
        "parallel_tool_calls": true,
        "temperature": 0,
        "max_tokens": REPLY_TOKENS,
    })
}

/// Its interface takes no dots in names.
fn plain(name: &str) -> String {
    name.replace('.', "_")
}

fn made(case: &Case, call: &Value) -> Wanted {
    let called = call["function"]["name"].as_str().unwrap_or_default();
    let mut names = case.tools.iter().filter_map(|tool| tool["name"].as_str());
    let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
    Wanted {
        tool: names
            .find(|name| plain(name) == called)
            .unwrap_or(called)
            .to_owned(),
        arguments: serde_json::from_str::<Map<String, Value>>(arguments).unwrap_or_default(),
    }
}
