//! What the page tells of the device itself while it happens: how loud it is in front of the microphone, what is understood
//! before the end, and how far the download of a model has come.

use std::fs;

use loquat_tests::browser::{Browser, served};
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::home::Home;
use loquat_tests::models::{folder, smallest};
use loquat_tests::sound::{SoundServer, speak};
use loquat_tests::wait::{PATIENCE, within};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::story::Scene;

const MODEL: &str = "hey_mycroft";

/// The home of a device that hears and serves its page.
fn hearing() -> Home {
    let home = Scene::default().home;
    home.setting("speech.enabled", "true");
    home.setting("speech.host", "\"pulseaudio\"");
    home.setting("speech.whisper_model", &smallest("ggml-tiny", "bin"));
    home.setting("speech.vad_model", &smallest("ggml-silero", "bin"));
    home
}

/// The device with its microphone open, and a browser that has entered.
async fn opened(home: &Home) -> (SoundServer, Daemon, Browser) {
    let root = served(home);
    let sound = SoundServer::start(home.path()).await;
    let launch = Launch::new(home, &["run"]).env("PULSE_SERVER", sound.address());
    let (daemon, _probe) = launch.ready().await;
    daemon.wrote("microphone is open", PATIENCE).await;
    daemon.wrote("the page is served", PATIENCE).await;
    let browser = Browser::entered(home, &root).await;
    (sound, daemon, browser)
}

#[tokio::test]
async fn the_level_of_the_microphone_follows_what_is_said() {
    let home = hearing();
    let (sound, _daemon, mut browser) = opened(&home).await;
    assert!(browser.look("/sound").await.contains("<meter"));
    let mut pushed = browser.watch("sound").await;
    let spoken = speak("Is anybody there?", home.path()).await;
    sound.play(&spoken).await;
    let level = |least: u64, most: u64| {
        move |piece: &Value| {
            piece
                .as_u64()
                .is_some_and(|level| (least..=most).contains(&level))
        }
    };
    pushed.piece("a loud level", PATIENCE, level(5, 100)).await;
    pushed.piece("a low level behind it", PATIENCE, level(0, 1)).await;
}

#[tokio::test]
async fn what_is_half_heard_is_seen_hidden_and_gives_way_to_the_whole() {
    let home = hearing();
    home.setting("speech.wake_word", "\"off\"");
    // A busy machine has time to look at the words before silence ends them.
    for silence in ["end_silence_ms", "whole_silence_ms", "open_silence_ms"] {
        home.setting(&format!("speech.{silence}"), "10000");
    }
    let (sound, daemon, mut browser) = opened(&home).await;
    let probe = daemon.joined(home.port()).await;
    assert!(browser.look("/sound").await.contains("id=\"half-heard\""));
    let mut pushed = browser.watch("sound").await;
    let spoken = speak("What time is it in Tokyo?", home.path()).await;
    browser.send("/listen", &[("back", "/sound")]).await;
    sound.play(&spoken).await;
    let is_piece = |id: &'static str, words: &'static str| {
        move |piece: &Value| {
            piece["id"] == id && piece["html"].as_str().is_some_and(|html| html.contains(words))
        }
    };
    let early = pushed
        .piece("early words", PATIENCE, is_piece("half-heard", "hidden</span>"))
        .await;
    assert!(!early.to_string().contains("Tokyo"), "{early}");
    // No other program is told of it, and it is not in the log.
    let told = probe.since(0).into_iter();
    let told: Vec<_> = told
        .filter(|frame| frame.data.to_string().contains("Tokyo"))
        .collect();
    assert!(told.is_empty(), "{told:?}");
    assert!(!daemon.output().contains("Tokyo"), "{}", daemon.output());
    pushed
        .piece("the whole", PATIENCE, is_piece("heard", "It heard: "))
        .await;
    let after = browser.look("/sound").await;
    assert!(after.contains("aria-live=\"off\" hidden></p>"), "{after}");
}

/// Sends half of a file, and the rest when it is told to.
async fn halting_mirror(listener: TcpListener, file: Vec<u8>, go_on: oneshot::Receiver<()>) {
    let (mut client, _) = listener.accept().await.expect("the daemon asks");
    read_head(&mut client).await;
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        file.len()
    );
    let (first, rest) = file.split_at(file.len() / 2);
    client.write_all(head.as_bytes()).await.expect("the head");
    client.write_all(first).await.expect("the first half");
    go_on.await.expect("the test goes on");
    client.write_all(rest).await.expect("the second half");
}

async fn read_head(client: &mut TcpStream) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(client.read_u8().await.expect("a request"));
    }
}

#[tokio::test]
async fn a_download_is_seen_half_way_and_at_its_end() {
    let models = folder().expect("`make test` fetches the models and names their folder");
    let file = fs::read(models.join("hey_mycroft.tflite")).expect("the model is there");
    let (size, half) = (file.len(), file.len() / 2);
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let (go_on, told) = oneshot::channel();
    let mut mirror = JoinSet::new();
    mirror.spawn(halting_mirror(listener, file, told));
    let scene = Scene::default();
    let root = served(&scene.home);
    scene
        .home
        .setting("models.mirror", &format!("\"http://127.0.0.1:{port}\""));
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.daemon.wrote("the page is served", PATIENCE).await;
    let mut browser = Browser::entered(&story.home, &root).await;
    browser.look("/models").await;
    let mut pushed = browser.watch("models").await;
    browser.send("/models/fetch", &[("name", MODEL)]).await;
    let holds =
        |words: String| move |piece: &Value| piece["html"].as_str().is_some_and(|html| html.contains(&words));
    let bar = format!("<progress max=\"{size}\" value=\"{half}\"");
    pushed.piece("half of the file", PATIENCE, holds(bar)).await;
    go_on.send(()).expect("the mirror waits");
    pushed
        .piece("the whole file", PATIENCE, |piece: &Value| {
            piece["id"] == "fetching" && holds("is there".to_owned())(piece)
        })
        .await;
    let is_listed = |piece: &Value| piece["id"] == "models" && !holds(format!("Fetch {MODEL}"))(piece);
    pushed.piece("the model in the list", PATIENCE, is_listed).await;
    let ended = within("the mirror", PATIENCE, mirror.join_next()).await;
    ended.expect("there is one").expect("it ends well");
}
