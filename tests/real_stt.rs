//! The device and a real ovos-stt-http-server, whose ear tells what sound it was given. `make test-stt` installs the server and
//! runs this.
#![cfg(test)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use loquat_tests::binaries::setting;
use loquat_tests::daemon::Launch;
use loquat_tests::home::{Home, free_port};
use loquat_tests::models::smallest;
use loquat_tests::process::Process;
use loquat_tests::sound::speak;
use loquat_tests::wait::wait_for;
use tokio::net::TcpStream;
use tokio::process::Command;

/// Python starts slowly on a busy machine.
const LOADED: Duration = Duration::from_secs(120);

fn server(home: &Home, port: u16) -> Process {
    let usual = || PathBuf::from(setting("HOME").expect("a home")).join(".cache/loquat/peers/stt");
    let folder = setting("LOQUAT_STT_PEERS").map_or_else(usual, PathBuf::from);
    let program = folder.join("bin/ovos-stt-server");
    assert!(
        program.is_file(),
        "{} is missing: `make test-stt` installs it",
        program.display()
    );
    let mut command = Command::new(program);
    let ear = Path::new(env!("CARGO_MANIFEST_DIR")).join("stt/telling_ear");
    command
        .env_clear()
        .envs(home.environment())
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("LANG", "C.UTF-8")
        .env("PYTHONPATH", ear)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(home.path());
    command.args([
        "--engine",
        "telling-ear",
        "--host",
        "127.0.0.1",
        "--port",
        &port.to_string(),
    ]);
    Process::spawn("ovos-stt-server", command)
}

async fn listened(home: &Home, wav: &Path, lang: &str) -> String {
    let wav = wav.display().to_string();
    let arguments = ["listen", "--transcribe-only", "--lang", lang, &wav];
    Launch::new(home, &arguments).run().await.shown()
}

#[tokio::test]
async fn the_stock_server_is_given_sound_and_language_and_its_text_is_taken() {
    let home = Home::without_bus();
    let port = free_port();
    home.setting("speech.vad_model", &smallest("ggml-silero", "bin"));
    home.setting("speech.ladder", "[\"cellar\"]");
    let described = format!("{{ cellar = {{ kind = \"ovos\", url = \"http://127.0.0.1:{port}\" }} }}");
    home.setting("speech.recognizers", &described);
    let wav = speak("what time is it in Tokyo?", home.path()).await;
    let refused = listened(&home, &wav, "en-US").await;
    assert!(refused.contains("failed to reach http://127.0.0.1"), "{refused}");

    let server = server(&home, port);
    wait_for("the server", LOADED, async || {
        TcpStream::connect(("127.0.0.1", port)).await.ok()
    })
    .await;
    for (lang, told) in [("en-US", "en-us"), ("de-DE", "de-de")] {
        let heard = listened(&home, &wav, lang).await;
        let is_told = heard.contains("tenths of sound at 16000 hertz in") && heard.contains(told);
        assert!(is_told, "{heard}\n{}", server.output());
        let tenths = heard.split_whitespace().find_map(|word| word.parse::<u32>().ok());
        assert!(tenths.is_some_and(|tenths| (10..40).contains(&tenths)), "{heard}");
    }
    let check = Launch::new(&home, &["check"]).run().await.shown();
    assert!(check.contains("which hears with telling-ear"), "{check}");
}
