//! The end that nothing can hold up. A task that blocks a worker of the runtime also blocks whatever would end the
//! process in good order, so a thread with a runtime of its own ends it in the last resort.
//!
//! It says nothing: what blocks may hold the standard streams. Pending turns are in the journal then, and the next daemon
//! goes on with them.

use std::io;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// From the first signal to the end.
const PATIENCE: Duration = Duration::from_secs(3);

/// From the second one: the person does not want to wait.
const AGAIN: Duration = Duration::from_millis(300);

/// The exit code of a process that had to be ended like this; `EX_SOFTWARE` of `sysexits`.
pub const OVERDUE: i32 = 70;

/// From now on the process ends three seconds after SIGTERM or SIGINT at the latest, and at once when it gets a second
/// one, with [`OVERDUE`] unless it has ended by itself.
pub fn guard() -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let (terminate, interrupt) = {
        let _context = runtime.enter();
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?)
    };
    let wait = move || {
        runtime.block_on(told_and_waited(terminate, interrupt));
        signal_hook::low_level::exit(OVERDUE);
    };
    std::thread::Builder::new()
        .name("last end".to_owned())
        .spawn(wait)
        .map(drop)
}

async fn told_and_waited(mut terminate: Signal, mut interrupt: Signal) {
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tokio::select! {
        () = tokio::time::sleep(PATIENCE) => return,
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tokio::time::sleep(AGAIN).await;
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Lines};
    use std::process::{Child, ChildStdout, Command, Stdio};
    use std::sync::{Arc, Barrier};

    use rustix::process::{Pid, Signal as Sent, kill_process};
    use tokio::time::Instant;

    use super::*;

    /// Blocks every worker of a runtime, as a task that never awaits anything does.
    #[test]
    #[ignore = "is run by the tests below, in a process of its own"]
    fn with_all_workers_blocked() {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.unwrap().block_on(async {
            guard().unwrap();
            // A worker that is not blocked yet would still hear the signal.
            let begun = Arc::new(Barrier::new(3));
            let mut blocked = tokio::task::JoinSet::new();
            for _ in 0..2 {
                let begun = Arc::clone(&begun);
                blocked.spawn(async move {
                    begun.wait();
                    loop {
                        std::thread::park();
                    }
                });
            }
            begun.wait();
            println!("blocked");
            let mut terminate = signal(SignalKind::terminate()).unwrap();
            terminate.recv().await;
        });
    }

    /// The process, and what it says from now on.
    fn blocked() -> (Child, Lines<BufReader<ChildStdout>>) {
        let this = std::env::current_exe().unwrap();
        let name = "supervisor::last_end::tests::with_all_workers_blocked";
        let mut child = Command::new(this)
            .args(["--ignored", "--exact", name, "--nocapture"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().ends_with("blocked")));
        (child, lines)
    }

    fn ended_by(signals: &[Sent]) -> (Option<i32>, Duration) {
        // What the child still says has to find a reader, or that is its end.
        let (mut child, _heard) = blocked();
        let pid = Pid::from_child(&child);
        let begun = Instant::now();
        for signal in signals {
            kill_process(pid, *signal).unwrap();
        }
        (child.wait().unwrap().code(), begun.elapsed())
    }

    #[test]
    fn a_signal_ends_a_process_whose_workers_are_all_blocked() {
        let (code, time) = ended_by(&[Sent::TERM]);
        assert_eq!(code, Some(OVERDUE));
        let limit = 10 * PATIENCE;
        assert!(time >= PATIENCE && time < limit, "{time:?}");
    }

    #[test]
    fn a_second_signal_is_not_waited_with() {
        let (code, time) = ended_by(&[Sent::INT, Sent::TERM]);
        assert_eq!(code, Some(OVERDUE));
        assert!(time < PATIENCE, "{time:?}");
    }
}
