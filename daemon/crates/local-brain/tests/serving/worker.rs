//! Starts `loquat-local-brain` and watches it end.

use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};

use crate::client::Client;

/// Nothing here takes this long, on a busy machine either.
pub(crate) const DEADLINE: Duration = Duration::from_secs(120);

/// The model that all tests speak with.
pub(crate) fn small_model() -> PathBuf {
    let folder = std::env::var_os("LOQUAT_TEST_MODELS")
        .expect("set LOQUAT_TEST_MODELS to the folder of test models, or run `make test`, which does");
    let model = PathBuf::from(folder).join("smollm2-135m-instruct-q4_1.gguf");
    assert!(
        model.is_file(),
        "there is no {}; `make test` fetches it",
        model.display()
    );
    model
}

/// A running program. Dropping it kills it.
pub(crate) struct Worker {
    pub(crate) child: Child,
    pub(crate) socket: PathBuf,
    pub(crate) folder: TempDir,
}

#[derive(Debug)]
pub(crate) struct End {
    pub(crate) status: ExitStatus,
    pub(crate) errors: String,
}

impl Worker {
    /// Starts the program with a model; it may not be ready yet.
    pub(crate) fn start(model: &Path, more: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("brain.sock");
        let child = Command::new(env!("CARGO_BIN_EXE_loquat-local-brain"))
            .arg("--model")
            .arg(model)
            .arg("--socket")
            .arg(&socket)
            .args(["--threads", "1"])
            .args(more)
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        Self {
            child,
            socket,
            folder,
        }
    }

    /// Starts the program with the small model and waits until it is ready.
    pub(crate) async fn ready(more: &[&str]) -> Self {
        let worker = Self::start(&small_model(), more);
        worker.wait_until_ready().await;
        worker
    }

    /// Asks for its health until it is well; until then it has to say that it is loading.
    pub(crate) async fn wait_until_ready(&self) {
        let mut again = tokio::time::interval(Duration::from_millis(20));
        let wait = async {
            loop {
                again.tick().await;
                let Some(mut client) = Client::try_connect(&self.socket).await else {
                    continue;
                };
                let health = client.get("/health").await;
                if health.status == 200 {
                    assert_eq!(health.json()["status"], "ok");
                    return;
                }
                assert_eq!(health.status, 503);
                assert_eq!(health.json()["status"], "loading");
            }
        };
        tokio::time::timeout(DEADLINE, wait)
            .await
            .expect("it should load");
    }

    /// Opens a connection of its own.
    pub(crate) async fn client(&self) -> Client {
        Client::try_connect(&self.socket).await.expect("it should listen")
    }

    /// Closes its standard input, as the end of its parent does.
    pub(crate) fn orphan(&mut self) {
        drop(self.child.stdin.take());
    }

    pub(crate) async fn signal(&self, name: &str) {
        let id = self.child.id().unwrap().to_string();
        let sent = Command::new("kill")
            .args(["-s", name, &id])
            .status()
            .await
            .unwrap();
        assert!(sent.success());
    }

    pub(crate) async fn end(&mut self) -> End {
        let mut errors = String::new();
        let mut stream = self.child.stderr.take().unwrap();
        let wait = async {
            stream.read_to_string(&mut errors).await.unwrap();
            self.child.wait().await.unwrap()
        };
        let status = tokio::time::timeout(DEADLINE, wait).await.expect("it should end");
        End { status, errors }
    }
}
