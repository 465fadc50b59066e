//! An ear in a process of its own, since the sound server's address is part of a process's environment.
//!
//! That process is this very program, running the test that started it in another role.

use std::future::Future;
use std::process::Stdio;
use std::time::Duration;

use loquat_speech::{AudioHost, Ear, EarEvent, EarHandle, ListenMode, Recognizer, Source, SpeechSettings};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::sound::{PATIENCE, settings, tell, wake_word};

/// The variable that makes a test the ear that it otherwise starts.
pub(crate) const ROLE: &str = "LOQUAT_TEST_EAR";
/// Stands before every event in what the ear prints.
pub(crate) const MARK: &str = "event: ";

/// Plays the ear if this process is to be one; says whether it was.
pub(crate) fn was_the_ear() -> bool {
    let Some(role) = std::env::var_os(ROLE) else {
        return false;
    };
    let role = role.to_string_lossy().into_owned();
    let mut settings = settings();
    settings.listen_timeout = Duration::from_secs(3);
    settings.mode = if role.contains("continuous") {
        ListenMode::Continuous
    } else {
        ListenMode::PushToTalk
    };
    settings.host = match role.split('/').next_back() {
        Some("pulseaudio") => AudioHost::PulseAudio,
        Some("alsa") => AudioHost::Alsa,
        _ => AudioHost::Auto,
    };
    run(be_the_ear(settings, role.contains("wake")));
    true
}

/// Runs a test that is a process of its own part of the time.
pub(crate) fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Runtime::new().unwrap().block_on(test);
}

/// Prints its events and obeys its standard input until that ends.
pub(crate) async fn be_the_ear(settings: SpeechSettings, with_wake_word: bool) {
    let recognizer = Recognizer::start(&settings).unwrap();
    let (ear, mut actor) = Ear::new(settings, recognizer.clone(), Source::Microphone);
    if with_wake_word {
        actor = actor.with_wake_words(Box::new(wake_word()));
    }
    let (mut events, stop) = (ear.take_events().unwrap(), CancellationToken::new());
    let mut tasks = JoinSet::new();
    tasks.spawn(actor.run(stop.clone()));
    let mut orders = BufReader::new(tokio::io::stdin()).lines();
    loop {
        tokio::select! {
            Some(event) = events.recv() => if !matches!(event, EarEvent::SoFar { .. } | EarEvent::WentOn) {
                println!("{MARK}{}", tell(&event));
            },
            order = orders.next_line() => match order.unwrap() {
                Some(order) => obey(&ear, &order),
                None => break,
            },
        }
    }
    stop.cancel();
    tasks.join_next().await.unwrap().unwrap();
    recognizer.shutdown().await;
}

fn obey(ear: &EarHandle, order: &str) {
    match order {
        "listen" => match ear.listen() {
            Ok(()) => println!("{MARK}listens"),
            Err(error) => println!("{MARK}{error}"),
        },
        "stop" => ear.stop_recording(),
        "mute" => ear.mute(true),
        "unmute" => ear.mute(false),
        "sleep" => ear.sleep(),
        "wake" => ear.wake(),
        other => panic!("{other} is no order"),
    }
    // A task waits for the switches to be set.
    if order != "listen" {
        println!("{MARK}done");
    }
}

/// The ear, seen from the test.
pub(crate) struct OtherEar {
    process: Child,
    orders: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl OtherEar {
    /// Runs the test `name` of this very program in a role that it looks for in the environment.
    pub(crate) fn start(name: &str, role: &str, environment: &[(&str, &str)]) -> Self {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name, "--nocapture"])
            .env(ROLE, role)
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let orders = process.stdin.take().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        Self {
            process,
            orders,
            lines,
        }
    }

    /// Tells it something, such as `listen`.
    pub(crate) async fn order(&mut self, order: &str) {
        self.orders
            .write_all(format!("{order}\n").as_bytes())
            .await
            .unwrap();
    }

    /// Waits for its next event, and words it as a story tells it.
    pub(crate) async fn next(&mut self) -> String {
        let told = async {
            loop {
                let line = self.lines.next_line().await.unwrap().expect("the ear still runs");
                // Around the events stands what the test runner prints.
                if let Some((_, told)) = line.split_once(MARK) {
                    return told.to_owned();
                }
            }
        };
        timeout(PATIENCE, told).await.expect("an event comes in time")
    }

    /// Ends it, and gives what it wrote to standard error.
    pub(crate) async fn finish(self) -> String {
        let Self {
            mut process,
            orders,
            mut lines,
        } = self;
        // The end of its orders is its sign to end; what it still prints has to go somewhere.
        drop(orders);
        let mut errors = String::new();
        let mut error_pipe = process.stderr.take().unwrap();
        let ended = async {
            while lines.next_line().await.unwrap().is_some() {}
            error_pipe.read_to_string(&mut errors).await.unwrap();
            process.wait().await.unwrap()
        };
        let status = timeout(PATIENCE, ended).await.expect("the ear ends in time");
        assert!(status.success(), "{status}: {errors}");
        errors
    }
}
