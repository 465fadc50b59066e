//! The ladder before servers on loopback that answer, fail, hang, send elsewhere and talk nonsense.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use loquat_speech::{
    KnownSpeech, Names, SpeechSettings, TranscribeError, Transcriber, Transcript, Utterance,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use super::*;
use crate::recognizers::{RecognizerServer, Recognizers};
use crate::whisper::Whisper;

/// No answer on loopback takes this long, on a busy machine either.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server that hangs may take this long in tests.
const SHORT: Duration = Duration::from_millis(300);

#[derive(Clone)]
enum Manner {
    /// Answers with this status, type and body.
    Answers(u16, &'static str, Vec<u8>),
    /// Redirects the client to this address.
    Sends(String),
    /// Says nothing for ever.
    Hangs,
    /// Ends the connection.
    HangsUp,
    /// Begins an answer and never ends it.
    Trickles,
}

struct Asked {
    head: String,
    body: Vec<u8>,
}

/// A server that lives as long as this.
struct Standing {
    address: SocketAddr,
    asked: mpsc::Receiver<Asked>,
    /// Ends with this.
    _tasks: JoinSet<()>,
}

impl Standing {
    async fn of(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, asked) = mpsc::channel(16);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((connection, _)) = listener.accept().await {
                connections.spawn(serve(connection, manner.clone(), sender.clone()));
            }
        });
        Self {
            address,
            asked,
            _tasks: tasks,
        }
    }

    async fn asked(&mut self) -> Asked {
        timeout(PATIENCE, self.asked.recv())
            .await
            .expect("a request")
            .expect("a server")
    }

    fn was_asked(&mut self) -> bool {
        self.asked.try_recv().is_ok()
    }

    fn openai(&self) -> String {
        format!("kind = \"openai\"\nurl = \"http://{}/v1\"", self.address)
    }

    fn ovos(&self) -> String {
        format!("kind = \"ovos\"\nurl = \"http://{}\"", self.address)
    }
}

async fn serve(mut connection: TcpStream, manner: Manner, asked: mpsc::Sender<Asked>) {
    let Some(request) = request(&mut connection).await else {
        return;
    };
    asked.send(request).await.unwrap_or_default();
    let answer: Vec<u8> = match manner {
        Manner::Hangs => return std::future::pending().await,
        Manner::HangsUp => return,
        Manner::Trickles => {
            let begun = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\nlig";
            connection.write_all(begun).await.unwrap_or_default();
            return std::future::pending().await;
        }
        Manner::Sends(to) => {
            format!("HTTP/1.1 307 Elsewhere\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n").into()
        }
        Manner::Answers(status, kind, body) => {
            let head = format!(
                "HTTP/1.1 {status} Done\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            [head.into_bytes(), body].concat()
        }
    };
    // The client may have gone.
    connection.write_all(&answer).await.unwrap_or_default();
    connection.shutdown().await.unwrap_or_default();
}

async fn request(connection: &mut TcpStream) -> Option<Asked> {
    let mut read = Vec::new();
    loop {
        let end = read.windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8_lossy(&read[..end]).into_owned();
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length")
                    .then(|| value.trim().parse().ok())?
            });
            let body_end = end + 4 + length.unwrap_or(0_usize);
            if read.len() >= body_end {
                let body = read[end + 4..body_end].to_vec();
                return Some(Asked { head, body });
            }
        }
        let mut piece = [0; 4096];
        match connection.read(&mut piece).await {
            Ok(0) | Err(_) => return None,
            Ok(length) => read.extend_from_slice(&piece[..length]),
        }
    }
}

/// Knows one word that people say.
#[derive(Debug)]
struct KnowsOkay;

impl KnownSpeech for KnowsOkay {
    fn knows(&self, text: &str, _: &str) -> bool {
        text == "Okay."
    }

    fn names(&self, _: &str) -> Arc<Names> {
        Arc::default()
    }
}

/// Makes a ladder of these rungs. A text that is not "local" describes a server.
fn ladder_within(patience: Duration, rungs: &[&str], langs: &[&str]) -> Ladder {
    let whisper =
        Whisper::new(SpeechSettings::new("nowhere.bin", "nowhere.bin")).expecting(Arc::new(KnowsOkay));
    let rung = |(index, described): (usize, &&str)| {
        if *described == LOCAL {
            return Rung::Local;
        }
        let described: RecognizerServer = toml::from_str(described).unwrap();
        Rung::Server {
            server: Box::new(Server::new(&format!("server{index}"), &described, None, patience).unwrap()),
            rests_until: Mutex::default(),
        }
    };
    let rungs = rungs.iter().enumerate().map(rung).collect();
    let langs = langs.iter().map(ToString::to_string);
    Ladder::of(rungs, Arc::new(whisper), langs, patience)
}

fn ladder(rungs: &[&str]) -> Ladder {
    ladder_within(PATIENCE, rungs, &["en-US"])
}

fn utterance() -> Utterance {
    Utterance {
        samples: vec![0.25; 16_000],
        lang: Some("en-US".to_owned()),
    }
}

fn found(text: &str, lang: &str) -> Transcription {
    let transcript = Transcript {
        text: text.to_owned(),
        alternatives: Vec::new(),
        lang: lang.to_owned(),
        confidence: 0.9,
        open_end: 0.0,
        elapsed: Duration::ZERO,
    };
    Box::pin(std::future::ready(Ok(transcript)))
}

async fn heard(ladder: &Ladder, looked: Option<Transcription>) -> Result<String, TranscribeError> {
    let outcome = timeout(PATIENCE, ladder.transcribe(utterance(), looked)).await;
    outcome.expect("an outcome").map(|transcript| transcript.text)
}

fn text(body: &str) -> Manner {
    Manner::Answers(200, "text/plain; charset=utf-8", body.as_bytes().to_vec())
}

fn json(body: &str) -> Manner {
    Manner::Answers(200, "application/json", body.as_bytes().to_vec())
}

#[tokio::test]
async fn an_ovos_server_gets_a_wav_file_and_the_language() {
    let mut server = Standing::of(text("turn on the light\n")).await;
    let ladder = ladder(&[&server.ovos()]);
    assert_eq!(heard(&ladder, None).await.unwrap(), "turn on the light");
    let asked = server.asked().await;
    assert!(
        asked.head.starts_with("POST /stt?lang=en-us HTTP/1.1\r\n"),
        "{}",
        asked.head
    );
    assert!(
        asked.head.to_lowercase().contains("content-type: audio/wav"),
        "{}",
        asked.head
    );
    let samples = loquat_speech::wav::read_bytes(&asked.body, "what was sent").unwrap();
    assert_eq!(samples.len(), 16_000);
    assert!(samples.iter().all(|sample| (sample - 0.25).abs() < 0.001));
}

#[tokio::test]
async fn an_openai_server_gets_a_form_and_the_key() {
    let mut server = Standing::of(json(r#"{"text": " Turn on the light."}"#)).await;
    let described: RecognizerServer = toml::from_str(&server.openai()).unwrap();
    let key = Some("the secret key".into());
    let there = Server::new("cellar", &described, key, PATIENCE).unwrap();
    assert!(!format!("{there:?}").contains("the secret key"));
    assert_eq!(there.hear(&utterance()).await.unwrap().text, "Turn on the light.");
    let asked = server.asked().await;
    assert!(
        asked
            .head
            .starts_with("POST /v1/audio/transcriptions HTTP/1.1\r\n"),
        "{}",
        asked.head
    );
    assert!(
        asked.head.contains("authorization: Bearer the secret key"),
        "{}",
        asked.head
    );
    let body = String::from_utf8_lossy(&asked.body);
    for part in [
        "name=\"model\"\r\n\r\nwhisper-1",
        "name=\"language\"\r\n\r\nen",
        "filename=\"speech.wav\"",
        "RIFF",
    ] {
        assert!(body.contains(part), "{part}");
    }
}

#[tokio::test]
async fn a_server_that_fails_in_any_way_falls_to_the_next_within_a_bound() {
    let elsewhere = Standing::of(text("wrong")).await;
    let big = "x".repeat(1 << 20);
    for (what, manner) in [
        ("an error", Manner::Answers(500, "text/plain", b"oops".to_vec())),
        ("too many", Manner::Answers(429, "text/plain", Vec::new())),
        ("a key", Manner::Answers(401, "text/plain", Vec::new())),
        (
            "a page",
            Manner::Answers(200, "text/html", b"<html>sign in</html>".to_vec()),
        ),
        ("bytes", Manner::Answers(200, "text/plain", vec![0xff, 0xfe, 0])),
        ("too much", text(&big)),
        (
            "a redirection",
            Manner::Sends(format!("http://{}/stt", elsewhere.address)),
        ),
        ("nothing", Manner::Hangs),
        ("an end", Manner::HangsUp),
        ("half an answer", Manner::Trickles),
    ] {
        let first = Standing::of(manner).await;
        let mut second = Standing::of(text("lights on")).await;
        let ladder = ladder_within(Duration::from_secs(2), &[&first.ovos(), &second.ovos()], &[]);
        let began = Instant::now();
        assert_eq!(heard(&ladder, None).await.as_deref(), Ok("lights on"), "{what}");
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "{what}: {:?}",
            began.elapsed()
        );
        assert!(second.was_asked(), "{what}");
    }
    let mut elsewhere = elsewhere;
    assert!(
        !elsewhere.was_asked(),
        "what is said goes where the settings say, and nowhere else"
    );
}

#[tokio::test]
async fn garbage_of_an_openai_server_is_no_text() {
    for garbage in [
        "",
        "turn on",
        "{}",
        r#"{"text": null}"#,
        r#"{"error": {"message": "no"}}"#,
    ] {
        let server = Standing::of(json(garbage)).await;
        let outcome = heard(&ladder(&[&server.openai()]), None).await;
        let Err(TranscribeError::Unanswered { reason }) = outcome else {
            panic!("{garbage}: {outcome:?}");
        };
        assert!(reason.contains(&server.address.to_string()), "{reason}");
    }
}

#[tokio::test]
async fn a_server_that_failed_is_not_waited_for_again() {
    let mut first = Standing::of(Manner::Hangs).await;
    let mut second = Standing::of(text("lights on")).await;
    let ladder = ladder_within(SHORT, &[&first.ovos(), &second.ovos()], &[]);
    assert_eq!(heard(&ladder, None).await.unwrap(), "lights on");
    assert!(first.was_asked() && second.was_asked());
    assert_eq!(heard(&ladder, None).await.unwrap(), "lights on");
    assert!(!first.was_asked() && second.was_asked(), "it rests");
}

#[tokio::test]
async fn where_all_fail_each_says_why_and_nothing_is_made_up() {
    let gone = {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap()
    };
    let gone = format!("kind = \"ovos\"\nurl = \"http://{gone}\"");
    let failing = Standing::of(Manner::Answers(503, "text/plain", Vec::new())).await;
    let outcome = heard(&ladder(&["local", &gone, &failing.ovos()]), None).await;
    let Err(TranscribeError::Unanswered { reason }) = outcome else {
        panic!("{outcome:?}");
    };
    for why in ["nowhere.bin", "failed to reach", "503"] {
        assert!(reason.contains(why), "{why}: {reason}");
    }
}

#[tokio::test]
async fn whisper_that_is_slow_or_missing_gives_way_and_silence_is_an_answer() {
    let mut server = Standing::of(text("lights on")).await;
    let slow: Transcription = Box::pin(std::future::pending());
    let first = ladder_within(SHORT, &["local", &server.ovos()], &["en-US"]);
    assert_eq!(heard(&first, Some(slow)).await.unwrap(), "lights on");
    assert_eq!(
        heard(&first, None).await.unwrap(),
        "lights on",
        "its model is missing"
    );
    assert!(server.was_asked());
    let mut unasked = Standing::of(text("lights on")).await;
    let first = ladder(&["local", &unasked.ovos()]);
    let silence: Transcription = Box::pin(std::future::ready(Err(TranscribeError::NothingHeard)));
    assert_eq!(
        heard(&first, Some(silence)).await,
        Err(TranscribeError::NothingHeard)
    );
    assert_eq!(
        heard(&first, Some(found("lights off", "en-US"))).await.unwrap(),
        "lights off"
    );
    assert!(
        !unasked.was_asked(),
        "what this device has heard itself is sent nowhere"
    );
}

#[tokio::test]
async fn before_whisper_a_server_is_told_the_language_and_whisper_gives_the_other_text() {
    let mut server = Standing::of(text("Licht an")).await;
    let ladder = ladder_within(PATIENCE, &[&server.ovos(), "local"], &["en-US", "de-DE"]);
    let transcript = ladder
        .transcribe(utterance(), Some(found("Nicht an.", "de-DE")))
        .await
        .unwrap();
    assert_eq!(
        (transcript.text.as_str(), transcript.lang.as_str()),
        ("Licht an", "de-DE")
    );
    assert_eq!(transcript.alternatives, ["Nicht an."]);
    assert!(server.asked().await.head.starts_with("POST /stt?lang=de-de "));
    let failing = Standing::of(Manner::HangsUp).await;
    let ladder = ladder_within(PATIENCE, &[&failing.ovos(), "local"], &["en-US"]);
    assert_eq!(
        heard(&ladder, Some(found("lights off", "en-US"))).await.unwrap(),
        "lights off",
        "the text is there already"
    );
}

#[tokio::test]
async fn of_several_languages_the_one_that_a_server_found_counts_if_it_is_spoken_here() {
    for (told, lang) in [("german", "de-DE"), ("klingon", "en-US"), ("french", "en-US")] {
        let mut server =
            Standing::of(json(&format!(r#"{{"text": "Licht an", "language": "{told}"}}"#))).await;
        let ladder = ladder_within(PATIENCE, &[&server.openai()], &["en-US", "de-DE"]);
        let transcript = ladder.transcribe(utterance(), None).await.unwrap();
        assert_eq!(transcript.lang, lang, "{told}");
        let body = server.asked().await.body;
        let body = String::from_utf8_lossy(&body);
        assert!(body.contains("verbose_json") && !body.contains("name=\"language\""));
    }
}

#[tokio::test]
async fn what_recognisers_make_up_of_noise_is_not_heard_and_a_known_word_is() {
    for (said, outcome) in [
        ("", Err(TranscribeError::NothingHeard)),
        ("Thank you.", Err(TranscribeError::NothingHeard)),
        ("Thanks for watching!", Err(TranscribeError::NothingHeard)),
        ("[Music]", Err(TranscribeError::NothingHeard)),
        ("Okay.", Ok("Okay.".to_owned())),
        ("Stop.", Ok("Stop.".to_owned())),
    ] {
        let server = Standing::of(text(said)).await;
        assert_eq!(heard(&ladder(&[&server.ovos()]), None).await, outcome, "{said}");
    }
}

#[tokio::test]
async fn what_is_not_ended_is_looked_at_on_this_device_alone() {
    let mut server = Standing::of(text("lights on")).await;
    assert!(ladder(&[&server.ovos()]).look(utterance()).is_none());
    let looked = ladder(&[&server.ovos(), "local"])
        .look(utterance())
        .expect("whisper looks");
    assert!(looked.await.is_err(), "its model is missing");
    assert!(!server.was_asked());
}

#[tokio::test]
async fn a_probe_tells_whether_a_server_is_there_and_sends_no_sound() {
    for (manner, is_there) in [
        (
            json(r#"{"status": "ok", "plugin": "ovos-stt-plugin-vosk"}"#),
            true,
        ),
        (Manner::Answers(404, "text/plain", Vec::new()), true),
        (Manner::Answers(403, "text/plain", Vec::new()), false),
        (Manner::HangsUp, false),
        (Manner::Hangs, false),
    ] {
        let mut server = Standing::of(manner).await;
        let described: RecognizerServer = toml::from_str(&server.ovos()).unwrap();
        let there = Server::new("cellar", &described, None, Duration::from_secs(2)).unwrap();
        assert_eq!(there.probe().await.is_ok(), is_there);
        let asked = server.asked().await;
        assert!(asked.head.starts_with("GET /status ") && asked.body.is_empty());
    }
}

#[test]
fn a_ladder_without_anybody_hears_nothing_and_says_so() {
    let nobody = Ladder::of(
        Vec::new(),
        Arc::new(Whisper::new(SpeechSettings::new("a", "b"))),
        [],
        PATIENCE,
    );
    assert!(!nobody.can_hear());
    let ready = nobody.ready().now_or_never().unwrap();
    assert!(ready.unwrap_err().contains("speech.ladder"));
    assert_eq!(Recognizers::default().0.len(), 0);
}
