//! The local brain with a real worker process, which a script makes misbehave.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use loquat_brain::{Confinement, Health, LocalBrain, LocalBrainSettings, LocalState};
use loquat_conversation::brain::{Brain, BrainError, ChatReply, WaitPhase};
use tempfile::TempDir;

use crate::support::*;

/// A folder with a model, and the brain that serves it.
struct Home {
    folder: TempDir,
    settings: LocalBrainSettings,
}

impl Home {
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("tiny-model.gguf");
        fs::write(&model, format!("GGUF\n{script}\n")).unwrap();
        let program = env!("CARGO_BIN_EXE_scripted-worker");
        let settings = LocalBrainSettings::new(program, model, folder.path().join("run"));
        Self { folder, settings }
    }

    fn brain(&self) -> LocalBrain {
        LocalBrain::new(self.settings.clone())
    }

    /// The process ids of all workers that were started.
    fn starts(&self) -> Vec<u32> {
        let starts = fs::read_to_string(self.folder.path().join("tiny-model.starts")).unwrap_or_default();
        starts.lines().map(|line| line.parse().unwrap()).collect()
    }

    fn sockets(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder.path().join("run")).into_iter().flatten();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

fn is_alive(pid: u32) -> bool {
    // A process that has ended but not been waited for has no memory map.
    fs::read(format!("/proc/{pid}/maps")).is_ok_and(|maps| !maps.is_empty())
}

async fn until_state(brain: &LocalBrain, condition: impl FnMut(&LocalState) -> bool) -> LocalState {
    let mut state = brain.state();
    let waited = tokio::time::timeout(DEADLINE, state.wait_for(condition)).await;
    waited.expect("the state was not reached").unwrap().clone()
}

async fn until_dead(pid: u32) {
    // The kernel tells only the parent, which is gone by now.
    let mut look_again = tokio::time::interval(Duration::from_millis(10));
    let dead = async {
        while is_alive(pid) {
            look_again.tick().await;
        }
    };
    tokio::time::timeout(DEADLINE, dead)
        .await
        .expect("the worker lives on");
}

fn content(reply: Result<ChatReply, BrainError>) -> String {
    reply.unwrap().content
}

/// The reason why it was not started; the state has to tell the same.
async fn not_started(home: &Home) -> String {
    let brain = home.brain();
    match ask(&brain).await {
        Err(error @ BrainError::NotStarted { .. }) => {
            let BrainError::NotStarted { reason } = &error else {
                unreachable!()
            };
            let failed = LocalState::Failed {
                reason: reason.clone(),
            };
            assert_eq!(*brain.state().borrow(), failed);
            assert!(!error.is_transient());
            reason.clone()
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_first_question_starts_it_and_the_next_one_finds_it() {
    let home = Home::new("serve");
    let brain = home.brain();
    assert_eq!(*brain.state().borrow(), LocalState::Stopped);
    assert_eq!(brain.name(), "loquat-local-brain (tiny-model)");
    let heard = Heard::new();
    assert_eq!(content(ask_aloud(&brain, &heard).await), "start 1 done");
    assert_eq!(heard.so_far(), "start 1 done");
    assert_eq!(content(ask(&brain).await), "start 1 done");
    let pid = home.starts()[0];
    let confinement = Confinement {
        held_by: vec!["a script".to_owned()],
        lacks: Vec::new(),
    };
    let health = Health {
        confinement: Some(confinement),
        kernel: Some("a script's".to_owned()),
    };
    assert_eq!(*brain.state().borrow(), LocalState::Ready { pid, health });
    let mode = fs::metadata(home.folder.path().join("run"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o700);
    brain.shutdown().await;
    assert_eq!(*brain.state().borrow(), LocalState::Stopped);
    assert!(!is_alive(pid) && home.sockets().is_empty());
    assert!(matches!(ask(&brain).await, Err(BrainError::NotStarted { .. })));
    assert_eq!(home.starts().len(), 1);
}

#[tokio::test]
async fn callers_share_one_start() {
    let home = Home::new("serve");
    let brain = home.brain();
    let replies = tokio::join!(ask(&brain), ask(&brain), ask(&brain));
    for reply in [replies.0, replies.1, replies.2] {
        assert_eq!(content(reply), "start 1 done");
    }
}

#[tokio::test]
async fn brains_that_differ_in_their_manner_share_a_worker() {
    let home = Home::new("serve");
    let brain = home.brain();
    let mut settings = home.settings.clone();
    settings.max_tokens = Some(7);
    let other = brain.sharing_worker(settings);
    let replies = tokio::join!(ask(&brain), ask(&other));
    assert_eq!(
        (content(replies.0), content(replies.1)),
        ("start 1 done".into(), "start 1 done".into())
    );
    drop(brain);
    assert_eq!(content(ask(&other).await), "start 1 done");
    other.shutdown().await;
    assert!(!is_alive(home.starts()[0]));
}

#[tokio::test]
async fn it_can_be_warmed() {
    let home = Home::new("serve");
    let brain = home.brain();
    brain.warm(&question()).await.unwrap();
    assert!(matches!(*brain.state().borrow(), LocalState::Ready { .. }));
}

#[tokio::test]
async fn a_question_does_not_wait_for_a_preparation_and_that_is_taken_up_again() {
    let home = Home::new("linger");
    let brain = home.brain();
    let person = async {
        let mut look_again = tokio::time::interval(Duration::from_millis(10));
        while !home.folder.path().join("tiny-model.lingers").exists() {
            look_again.tick().await;
        }
        assert_eq!(content(ask(&brain).await), "start 1 done");
    };
    let question = question();
    let both = async { tokio::join!(brain.warm(&question), person) };
    let (warmed, ()) = tokio::time::timeout(DEADLINE, both).await.unwrap();
    assert!(warmed.unwrap().is_some());
}

#[tokio::test]
async fn it_is_stopped_when_idle_and_comes_back() {
    let mut home = Home::new("serve");
    home.settings.idle_stop = Duration::from_millis(150);
    let brain = home.brain();
    assert_eq!(content(ask(&brain).await), "start 1 done");
    until_state(&brain, |state| *state == LocalState::Stopped).await;
    assert!(!is_alive(home.starts()[0]));
    assert_eq!(content(ask(&brain).await), "start 2 done");
}

#[tokio::test]
async fn it_is_not_stopped_in_the_middle_of_a_reply() {
    let mut home = Home::new("stall");
    home.settings.idle_stop = Duration::from_millis(50);
    home.settings.timeouts.next_token = Duration::from_millis(600);
    let brain = home.brain();
    let error = ask(&brain).await.unwrap_err();
    assert!(
        matches!(
            error,
            BrainError::TimedOut {
                phase: WaitPhase::NextToken,
                ..
            }
        ),
        "{error:?}"
    );
    until_state(&brain, |state| *state == LocalState::Stopped).await;
}

#[tokio::test]
async fn a_kill_in_the_middle_of_a_reply_is_survived() {
    let home = Home::new("stall");
    let brain = home.brain();
    let heard = Heard::new();
    let kill = async {
        heard.until("start 1").await;
        let pid = home.starts()[0].to_string();
        assert!(
            Command::new("kill")
                .args(["-9", &pid])
                .status()
                .unwrap()
                .success()
        );
    };
    let (reply, ()) = tokio::join!(ask_aloud(&brain, &heard), kill);
    assert_eq!(content(reply), "start 2 done");
    assert_eq!(heard.so_far(), "start 1 |start 2 done");
    assert!(matches!(*brain.state().borrow(), LocalState::Ready { pid, .. } if pid == home.starts()[1]));
}

#[tokio::test]
async fn a_kill_between_two_questions_is_not_noticed_by_the_person() {
    let home = Home::new("serve");
    let brain = home.brain();
    ask(&brain).await.unwrap();
    let pid = home.starts()[0].to_string();
    assert!(
        Command::new("kill")
            .args(["-9", &pid])
            .status()
            .unwrap()
            .success()
    );
    let failed = until_state(&brain, |state| matches!(state, LocalState::Failed { .. })).await;
    assert!(failed.to_string().contains("memory"), "{failed}");
    assert_eq!(content(ask(&brain).await), "start 2 done");
}

#[tokio::test]
async fn a_crash_is_survived_once() {
    let home = Home::new("die");
    assert_eq!(content(ask(&home.brain()).await), "start 2 done");
}

#[tokio::test]
async fn a_worker_that_keeps_crashing_is_given_up_and_not_started_for_ever() {
    let home = Home::new("die-always");
    let brain = home.brain();
    for _ in 0..6 {
        match ask(&brain).await {
            Err(BrainError::NotStarted { reason }) => assert!(reason.contains("signal 6"), "{reason}"),
            other => panic!("{other:?}"),
        }
    }
    // Two at once, then after half a second, one and two; the next pause is longer than anybody would wait.
    assert!((3..=5).contains(&home.starts().len()), "{:?}", home.starts());
    match ask(&brain).await {
        Err(BrainError::NotStarted { reason }) => {
            assert_eq!(reason.matches("again in").count(), 1, "{reason}");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_worker_that_hangs_is_replaced_for_the_next_question() {
    let mut home = Home::new("freeze");
    home.settings.timeouts.next_token = Duration::from_millis(200);
    let brain = home.brain();
    let error = ask(&brain).await.unwrap_err();
    assert!(matches!(error, BrainError::TimedOut { .. }), "{error:?}");
    assert_eq!(content(ask(&brain).await), "start 2 done");
    assert!(!is_alive(home.starts()[0]));
}

#[tokio::test]
async fn a_model_that_is_missing() {
    let mut home = Home::new("serve");
    home.settings.model = home.folder.path().join("big-model.gguf");
    let reason = not_started(&home).await;
    let expected = format!(
        "the model file {} is missing; put it there, or set local_brain.model to one of `loquat models list`",
        home.settings.model.display()
    );
    assert_eq!(reason, expected);
}

#[tokio::test]
async fn a_model_that_is_mended_is_taken_at_once() {
    let home = Home::new("serve");
    let hidden = home.folder.path().join("hidden");
    fs::rename(&home.settings.model, &hidden).unwrap();
    let brain = home.brain();
    for _ in 0..3 {
        assert!(ask(&brain).await.is_err());
    }
    fs::rename(&hidden, &home.settings.model).unwrap();
    assert_eq!(content(ask(&brain).await), "start 1 done");
}

#[tokio::test]
async fn files_that_are_no_models() {
    let home = Home::new("serve");
    for contents in ["", "GG", "<html>not found</html>"] {
        fs::write(&home.settings.model, contents).unwrap();
        let reason = not_started(&home).await;
        assert!(
            reason.contains("truncated or no GGUF model") && reason.contains("local_brain.model"),
            "{reason}"
        );
    }
    assert!(home.starts().is_empty());
}

#[tokio::test]
async fn a_model_that_the_worker_cannot_use() {
    let mut home = Home::new("78 tensor data is cut off");
    home.settings.model_name = Some("catalogue-name".into());
    let reason = not_started(&home).await;
    assert!(
        reason.contains("(tensor data is cut off)")
            && reason.contains("`loquat models fetch catalogue-name`"),
        "{reason}"
    );
}

#[tokio::test]
async fn a_socket_that_cannot_be_had() {
    let reason = not_started(&Home::new("69 address in use")).await;
    assert!(
        reason.contains("socket") && reason.contains("address in use"),
        "{reason}"
    );

    let mut home = Home::new("serve");
    home.settings.socket_folder = home.settings.model.join("below-a-file");
    let reason = not_started(&home).await;
    assert!(reason.contains("below-a-file"), "{reason}");

    home.settings.socket_folder = home.folder.path().join("x".repeat(100));
    let reason = not_started(&home).await;
    assert!(reason.contains("too long"), "{reason}");
}

#[tokio::test]
async fn a_worker_that_fails_in_an_unknown_way() {
    let reason = not_started(&Home::new("3 who knows")).await;
    assert!(reason.contains("code 3: who knows"), "{reason}");
}

#[tokio::test]
async fn a_program_that_is_missing_or_none() {
    let mut home = Home::new("serve");
    home.settings.program = home.folder.path().join("nowhere");
    let reason = not_started(&home).await;
    assert!(reason.contains("nowhere is missing; install"), "{reason}");
    home.settings.program.clone_from(&home.settings.model);
    let reason = not_started(&home).await;
    assert!(reason.contains("make it executable"), "{reason}");
}

#[tokio::test]
async fn a_model_that_takes_too_long() {
    let mut home = Home::new("load-forever");
    home.settings.start_timeout = Duration::from_millis(300);
    let reason = not_started(&home).await;
    assert!(reason.contains("not loaded within 300ms"), "{reason}");
    until_dead(home.starts()[0]).await;
    assert!(home.sockets().is_empty());
}

#[tokio::test]
async fn a_worker_that_will_not_end_is_killed() {
    let mut home = Home::new("stubborn");
    home.settings.stop_grace = Duration::from_millis(100);
    let brain = home.brain();
    ask(&brain).await.unwrap();
    brain.shutdown().await;
    assert!(!is_alive(home.starts()[0]) && home.sockets().is_empty());
}

#[tokio::test]
async fn no_worker_outlives_its_brain() {
    let home = Home::new("stubborn");
    let brain = home.brain();
    ask(&brain).await.unwrap();
    drop(brain);
    until_dead(home.starts()[0]).await;
    assert!(home.sockets().is_empty());
}

#[tokio::test]
async fn a_shutdown_ends_a_start() {
    let home = Home::new("load-forever");
    let brain = home.brain();
    let stop = async {
        until_state(&brain, |state| *state == LocalState::Starting).await;
        brain.shutdown().await;
    };
    let (reply, ()) = tokio::join!(ask(&brain), stop);
    assert!(matches!(reply, Err(BrainError::NotStarted { .. })), "{reply:?}");
    assert_ne!(*brain.state().borrow(), LocalState::Starting);
}

#[test]
fn the_daemon_can_make_it_before_it_has_a_runtime() {
    let brain = LocalBrain::new(LocalBrainSettings::new("p", Path::new("m"), "s"));
    assert!(brain.capabilities().json_schema);
}
