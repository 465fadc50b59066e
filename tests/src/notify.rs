//! A socket that stands in for systemd's, so that a test sees READY, WATCHDOG and STOPPING.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::net::UnixDatagram;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::wait::within;

/// The longest notification that is read; systemd's own limit is far higher than what a service sends.
const LONGEST: usize = 4096;

/// Takes what a service tells its manager.
#[derive(Debug)]
pub struct NotifySocket {
    path: PathBuf,
    lines: Arc<Mutex<Vec<String>>>,
    count: watch::Receiver<usize>,
    _reader: JoinSet<()>,
}

impl NotifySocket {
    /// Opens the socket in `folder`.
    pub fn open(folder: &Path) -> Self {
        let path = folder.join("notify.socket");
        let socket =
            UnixDatagram::bind(&path).expect("a notify socket can be bound in the test's own folder");
        let lines = Arc::new(Mutex::new(Vec::new()));
        let (sender, count) = watch::channel(0);
        let mut reader = JoinSet::new();
        reader.spawn(read(socket, Arc::clone(&lines), sender));
        Self {
            path,
            lines,
            count,
            _reader: reader,
        }
    }

    /// Gives what `NOTIFY_SOCKET` has to be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Lists all lines so far, in order.
    pub fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts the lines that begin with `beginning`.
    pub fn count(&self, beginning: &str) -> usize {
        self.lines()
            .iter()
            .filter(|line| line.starts_with(beginning))
            .count()
    }

    /// Waits until `times` lines began with `beginning`.
    pub async fn heard(&self, beginning: &str, times: usize, deadline: Duration) {
        let mut count = self.count.clone();
        let what = format!("{times} times {beginning} from the service");
        within(&what, deadline, async {
            while self.count(beginning) < times {
                count.changed().await.expect("the reader outlives the socket");
            }
        })
        .await;
    }
}

async fn read(socket: UnixDatagram, lines: Arc<Mutex<Vec<String>>>, count: watch::Sender<usize>) {
    let mut buffer = vec![0; LONGEST];
    while let Ok(length) = socket.recv(&mut buffer).await {
        let text = String::from_utf8_lossy(buffer.get(..length).unwrap_or_default()).into_owned();
        lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(text.lines().map(str::to_owned));
        count.send_modify(|count| *count += 1);
    }
}
