//! Recognisers elsewhere: what is said goes to the server that the owner names and to no other, and where it fails the device hears
//! itself.

use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::home::{Home, free_port};
use loquat_tests::models::smallest;
use loquat_tests::sound::{base64, speak};
use loquat_tests::wait::PATIENCE;
use loquat_tests::web_server::{Answer, Asked, WebServer};
use serde_json::json;

/// A home whose device asks this server first, and its own whisper then.
fn stage(server: &str, kind: &str, ladder: &str) -> Home {
    let home = Home::with_bus(free_port());
    home.setting("speech.whisper_model", &smallest("ggml-tiny", "bin"));
    home.setting("speech.vad_model", &smallest("ggml-silero", "bin"));
    home.setting("speech.ladder", ladder);
    let described = format!("{{ cellar = {{ kind = \"{kind}\", url = \"{server}\" }} }}");
    home.setting("speech.recognizers", &described);
    home
}

fn openai(asked: &Asked) -> Answer {
    match asked.path.as_str() {
        "/v1/audio/transcriptions" => Answer::json(&json!({"text": "Open the pod bay doors."})),
        _ => Answer::status(404),
    }
}

/// What `loquat listen` says of a sentence.
async fn listened(home: &Home) -> String {
    let wav = speak("what time is it in Tokyo?", home.path()).await;
    let wav = wav.display().to_string();
    let finished = Launch::new(home, &["listen", "--transcribe-only", &wav])
        .run()
        .await;
    assert!(finished.status.success(), "{}", finished.shown());
    finished.stdout
}

#[tokio::test]
async fn a_server_hears_what_is_said_and_the_device_does_where_it_fails() {
    let server = WebServer::start(openai).await;
    let home = stage(
        &format!("{}/v1", server.url()),
        "openai",
        "[\"cellar\", \"local\"]",
    );
    let heard = listened(&home).await;
    assert!(heard.contains("pod bay doors"), "{heard}");
    let asked = server.asked();
    assert_eq!(asked.len(), 1, "a pause is looked at on the device alone");
    let is_wav = asked[0].body.windows(4).any(|four| four == b"RIFF");
    assert!(is_wav, "a recording went there");

    let failing = WebServer::start(|_| Answer::status(500)).await;
    let home = stage(&failing.url(), "ovos", "[\"cellar\", \"local\"]");
    let heard = listened(&home).await;
    assert!(heard.contains("Tokyo"), "{heard}");
    assert_eq!(failing.asked().len(), 1);

    let unasked = WebServer::start(openai).await;
    let home = stage(
        &format!("{}/v1", unasked.url()),
        "openai",
        "[\"local\", \"cellar\"]",
    );
    let heard = listened(&home).await;
    assert!(heard.contains("Tokyo"), "{heard}");
    assert!(
        unasked.asked().is_empty(),
        "what the device hears itself is sent nowhere"
    );
}

#[tokio::test]
async fn a_device_without_whisper_has_recordings_of_satellites_heard_elsewhere() {
    let server = WebServer::start(openai).await;
    let home = stage(&format!("{}/v1", server.url()), "openai", "[\"cellar\"]");
    home.setting("speech.whisper_model", "\"missing.bin\"");
    home.setting("speech.enabled", "true");
    // Only PulseAudio is asked, whose socket is looked for in the test's own home.
    home.setting("speech.host", "\"pulseaudio\"");
    let (daemon, probe) = Launch::new(&home, &["run"]).ready().await;
    daemon
        .wrote("what is said is sent to a recogniser elsewhere", PATIENCE)
        .await;
    let audio = base64(&speak("what time is it in Tokyo?", home.path()).await);
    let mark = probe.mark();
    let context = json!({"source": "satellite", "session": {"session_id": "attic", "lang": "de-DE"}});
    let frame = json!({"type": "recognizer_loop:b64_audio", "data": {"audio": audio}, "context": context});
    probe.send(&frame).await;
    let is_heard = |frame: &Frame| frame.topic == "ovos.utterance.handle" && !frame.is_twin();
    let heard = probe.wait("what was said", mark, PATIENCE, is_heard).await;
    assert_eq!(heard.data["utterances"], json!(["Open the pod bay doors."]));
    assert_eq!(heard.data["lang"], "de-DE", "the language of the session");
    assert_eq!(heard.context["session"]["stt_lang"], "de-DE");
    let body = String::from_utf8_lossy(&server.asked()[0].body).into_owned();
    assert!(
        body.contains("name=\"language\"\r\n\r\nde"),
        "it is told the language"
    );
}

#[tokio::test]
async fn the_check_says_what_is_sent_where_and_what_is_wrong_there() {
    let server =
        WebServer::start(|_| Answer::json(&json!({"status": "ok", "plugin": "ovos-stt-plugin-x"}))).await;
    let home = stage(&server.url(), "ovos", "[\"cellar\", \"local\"]");
    let check = Launch::new(&home, &["check"]).run().await.shown();
    for part in [
        "what is said to this device is sent to http://127.0.0.1",
        "in the clear",
        "ovos-stt-plugin-x",
    ] {
        assert!(check.contains(part), "{part}: {check}");
    }
    assert!(
        server.asked().iter().all(|asked| asked.body.is_empty()),
        "no sound for a check"
    );

    let gone = format!("https://127.0.0.1:{}", free_port());
    let home = stage(&gone, "ovos", "[\"local\", \"cellar\"]");
    let check = Launch::new(&home, &["check"]).run().await.shown();
    let sent = format!("what those before it in speech.ladder cannot hear is sent to {gone}, encrypted");
    assert!(check.contains(&sent), "{check}");
    assert!(check.contains(&format!("failed to reach {gone}")), "{check}");

    let home = stage("http://192.168.1.20:8080", "ovos", "[\"cellar\"]");
    let check = Launch::new(&home, &["check"]).run().await.shown();
    assert!(check.contains("keys.clear_text_hosts"), "{check}");
}
