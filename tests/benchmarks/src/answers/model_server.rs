//! The peer's model server: that of llama-cpp-python, on a free port of the loopback interface.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use loquat_tests::binaries::setting;
use loquat_tests::home::free_port;
use loquat_tests::process::Process;
use tokio::net::TcpStream;
use tokio::process::Command;
use tokio::time::{Instant, sleep};

use super::device::{CONTEXT_TOKENS, THREADS};

/// It listens when the model is loaded.
const LOADING: Duration = Duration::from_secs(180);

/// How often its port is tried.
const GLANCE: Duration = Duration::from_millis(100);

/// A running server; it ends with this value.
#[derive(Debug)]
pub(super) struct ModelServer {
    _process: Process,
    port: u16,
}

impl ModelServer {
    /// Starts it with this model, and waits until it listens.
    ///
    /// # Errors
    /// When it is not installed, or ends instead.
    pub(super) async fn start(model: &Path) -> Result<Self> {
        let folder = folder();
        let python = folder.join("bin/python");
        ensure!(
            folder.join("pins.sha256").is_file(),
            "no model server is installed in {}; `python3 tests/benchmarks/model_server/install.py` does it",
            folder.display()
        );
        let port = free_port();
        let [port_text, threads, context] =
            [usize::from(port), THREADS, CONTEXT_TOKENS].map(|number| number.to_string());
        let mut command = Command::new(python);
        command
            .args(["-m", "llama_cpp.server", "--host", "127.0.0.1", "--model"])
            .arg(model)
            .args(["--port", &port_text, "--n_ctx", &context])
            .args(["--n_threads", &threads, "--n_threads_batch", &threads])
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("LANG", "C.UTF-8");
        let mut process = Process::spawn("the model server", command);
        listens(&mut process, port).await?;
        Ok(Self {
            _process: process,
            port,
        })
    }

    /// Its address, up to `/v1`.
    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }
}

/// Where `install.py` puts it.
fn folder() -> PathBuf {
    let home = || PathBuf::from(setting("HOME").unwrap_or_default());
    setting("LOQUAT_MODEL_SERVER").map_or_else(|| home().join(".cache/loquat/model-server"), PathBuf::from)
}

async fn listens(process: &mut Process, port: u16) -> Result<()> {
    let end = Instant::now() + LOADING;
    while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
        if !process.is_alive() {
            let output = process.output();
            let last = output
                .lines()
                .last()
                .context("the model server ended without a word")?;
            bail!("the model server ended: {last}");
        }
        ensure!(
            Instant::now() < end,
            "the model server did not listen within {LOADING:?}"
        );
        sleep(GLANCE).await;
    }
    Ok(())
}
