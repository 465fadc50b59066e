//! The tools beside a real PulseAudio and a real `PipeWire` with an output that goes nowhere, and what people say.

use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use loquat_agent::toolbox::{Circumstances, Outcome, Toolbox};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::Instant;

use crate::dbus::DeviceAddresses;
use crate::dbus::stage::wording;
use loquat_kit::function::FunctionToolbox;
use loquat_trial::heard;

use super::{SKILL, mixers};

const DEADLINE: Duration = Duration::from_secs(20);

/// A sound server that ends with the test.
struct Server {
    folder: TempDir,
    programs: Vec<Child>,
    socket: PathBuf,
}

impl Server {
    fn of(socket: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(folder.path().join("run")).expect("a folder");
        let socket = folder.path().join(socket);
        Self {
            folder,
            programs: Vec::new(),
            socket,
        }
    }

    /// It wants a cookie of the right length, and there is no file with one.
    async fn pulse_audio() -> Self {
        let mut server = Self::of("pulse.socket");
        let protocol = format!("module-native-protocol-unix socket={}", server.socket.display());
        server.start(
            "pulseaudio",
            &[
                "-n",
                "--daemonize=no",
                "--exit-idle-time=-1",
                "--use-pid-file=no",
                "-L",
                &protocol,
                "-L",
                "module-null-sink sink_name=nowhere channels=2",
            ],
        );
        server.is_up().await;
        server
    }

    async fn pipe_wire() -> Self {
        let mut server = Self::of("run/pulse/native");
        server.start("pipewire", &[]);
        let core = server.folder.path().join("run/pipewire-0");
        wait_until(|| core.exists()).await;
        server.start("pipewire-pulse", &[]);
        server.is_up().await;
        server.control(&["load-module", "module-null-sink", "sink_name=nowhere"]);
        server
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", self.folder.path())
            .env("XDG_RUNTIME_DIR", self.folder.path().join("run"))
            .env("PULSE_SERVER", format!("unix:{}", self.socket.display()))
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    fn start(&mut self, program: &str, arguments: &[&str]) {
        let started = self
            .command(program)
            .args(arguments)
            .stdout(Stdio::null())
            .spawn();
        let started = started.unwrap_or_else(|error| {
            panic!("{program} cannot be started ({error}); ./daemon/packages.sh test installs it")
        });
        self.programs.push(started);
    }

    /// What the server's own program says.
    fn control(&self, arguments: &[&str]) -> String {
        let output = self.command("pactl").args(arguments).output();
        let output = output.expect("./daemon/packages.sh test installs pulseaudio-utils");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    async fn is_up(&self) {
        wait_until(|| self.control(&["info"]).contains("Server Name")).await;
    }

    fn device(&self) -> Device {
        Device::at(&self.socket)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        for program in self.programs.iter_mut().rev() {
            program.kill().ok();
            program.wait().ok();
        }
    }
}

async fn wait_until(is_there: impl Fn() -> bool) {
    let deadline = Instant::now() + DEADLINE;
    while !is_there() {
        assert!(Instant::now() < deadline, "it has not come up");
        tokio::task::yield_now().await;
    }
}

struct Device(FunctionToolbox);

impl Device {
    fn at(socket: &Path) -> Self {
        let addresses = DeviceAddresses {
            sound_server: Some(socket.to_owned()),
            ..DeviceAddresses::default()
        };
        Self(super::toolbox(&mixers(&addresses), &wording(&SKILL)))
    }

    async fn call(&self, tool: &str, arguments: Value) -> Outcome {
        let person = Circumstances {
            lang: Some("en-US".to_owned()),
            ..Circumstances::default()
        };
        let arguments = serde_json::from_value(arguments).expect("an object");
        self.0.call(tool, arguments, &person).await.expect("an outcome")
    }

    async fn says(&self, tool: &str, arguments: Value) -> String {
        self.call(tool, arguments).await.spoken.expect("a sentence")
    }
}

async fn obeys(server: &Server) {
    let device = server.device();
    let loudness = || server.control(&["get-sink-volume", "nowhere"]);
    let silence = || server.control(&["get-sink-mute", "nowhere"]);
    let said = device.says("set_volume", json!({"percent": 30})).await;
    assert_eq!(said, "The volume is 30 percent.");
    assert_eq!(loudness().matches("30%").count(), 2, "{}", loudness());
    let said = device.says("change_volume", json!({"by": 15})).await;
    assert_eq!(said, "The volume is 45 percent.");
    assert!(loudness().contains("45%"), "{}", loudness());
    assert_eq!(device.says("mute", json!({})).await, "Muted.");
    assert!(silence().contains("yes"), "{}", silence());
    let said = device.says("get_volume", json!({})).await;
    assert_eq!(said, "The sound is muted; the volume is 45 percent.");
    device.says("change_volume", json!({"by": -100})).await;
    assert!(loudness().contains(" 0%"), "{}", loudness());
    let said = device.says("change_volume", json!({"by": 100})).await;
    assert_eq!(said, "The volume is 100 percent.");
    assert!(silence().contains("no"), "{}", silence());
    server.control(&["set-sink-volume", "nowhere", "150%"]);
    let outcome = device.call("get_volume", json!({})).await;
    assert_eq!(outcome.result["percent"], 100, "no more is said than can be set");
}

#[tokio::test]
async fn pulse_audio_obeys_although_there_is_no_cookie() {
    obeys(&Server::pulse_audio().await).await;
}

#[tokio::test]
async fn pipe_wire_obeys() {
    obeys(&Server::pipe_wire().await).await;
}

#[tokio::test]
async fn what_is_missing_or_hangs_is_named_with_the_mend() {
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("native");
    let device = Device::at(&socket);
    let outcome = device.call("mute", json!({})).await;
    let problem = outcome.result["problem"].as_str().expect("a problem");
    assert!(problem.contains(&socket.display().to_string()), "{problem}");
    assert!(
        problem.contains("see whether PulseAudio or PipeWire runs"),
        "{problem}"
    );
    assert_eq!(
        outcome.spoken.as_deref(),
        Some("I find no sound server on this device. Start PulseAudio or PipeWire.")
    );
    let _silent = UnixListener::bind(&socket).expect("a socket");
    let begin = Instant::now();
    let outcome = device.call("mute", json!({})).await;
    assert_eq!(outcome.result["done"], false);
    assert_eq!(outcome.spoken.as_deref(), Some("The sound server did not do it."));
    assert!(begin.elapsed() < DEADLINE, "{:?}", begin.elapsed());
}

#[test]
#[expect(clippy::too_many_lines, reason = "it is a table")]
fn orders_are_understood_in_six_languages() {
    for (lang, text, tool, arguments) in [
        (
            "en-us",
            "set the volume to 30 percent",
            "set_volume",
            json!({"percent": 30.0}),
        ),
        ("en-us", "volume up", "change_volume", json!({"by": 10.0})),
        ("en-us", "a bit quieter", "change_volume", json!({"by": -10.0})),
        ("en-us", "touch louder", "change_volume", json!({"by": 10.0})),
        ("en-us", "way quieter", "change_volume", json!({"by": -10.0})),
        ("en-us", "far too loud", "change_volume", json!({"by": -10.0})),
        ("en-us", "tad too quiet", "change_volume", json!({"by": 10.0})),
        (
            "en-us",
            "turn it down by 20 percent",
            "change_volume",
            json!({"by": -20.0}),
        ),
        ("en-us", "mute", "mute", json!({})),
        ("en-us", "how loud are you", "get_volume", json!({})),
        (
            "de-de",
            "stell die Lautstärke auf 30 Prozent",
            "set_volume",
            json!({"percent": 30.0}),
        ),
        ("de-de", "etwas lauter", "change_volume", json!({"by": 10.0})),
        ("de-de", "bisschen leiser", "change_volume", json!({"by": -10.0})),
        ("de-de", "viel zu laut", "change_volume", json!({"by": -10.0})),
        (
            "de-de",
            "mach die Musik leiser",
            "change_volume",
            json!({"by": -10.0}),
        ),
        ("de-de", "schalte den Ton aus", "mute", json!({})),
        (
            "fr-fr",
            "mets le volume à 30 pour cent",
            "set_volume",
            json!({"percent": 30.0}),
        ),
        ("fr-fr", "plus fort", "change_volume", json!({"by": 10.0})),
        (
            "fr-fr",
            "un poil moins fort",
            "change_volume",
            json!({"by": -10.0}),
        ),
        (
            "fr-fr",
            "beaucoup trop fort",
            "change_volume",
            json!({"by": -10.0}),
        ),
        ("fr-fr", "baisse le son", "change_volume", json!({"by": -10.0})),
        ("fr-fr", "coupe le son", "mute", json!({})),
        (
            "es-es",
            "pon el volumen al 30 por ciento",
            "set_volume",
            json!({"percent": 30.0}),
        ),
        ("es-es", "sube el volumen", "change_volume", json!({"by": 10.0})),
        (
            "es-es",
            "un poquito más bajo",
            "change_volume",
            json!({"by": -10.0}),
        ),
        ("es-es", "demasiado alto", "change_volume", json!({"by": -10.0})),
        ("es-es", "silencia el sonido", "mute", json!({})),
        (
            "pt-pt",
            "põe o volume em 30 por cento",
            "set_volume",
            json!({"percent": 30.0}),
        ),
        ("pt-pt", "baixa o volume", "change_volume", json!({"by": -10.0})),
        (
            "pt-pt",
            "bocadinho mais alto",
            "change_volume",
            json!({"by": 10.0}),
        ),
        (
            "pt-pt",
            "muito alto demais",
            "change_volume",
            json!({"by": -10.0}),
        ),
        ("pt-pt", "tira o som", "mute", json!({})),
        (
            "it-it",
            "metti il volume al 30 per cento",
            "set_volume",
            json!({"percent": 30.0}),
        ),
        ("it-it", "alza il volume", "change_volume", json!({"by": 10.0})),
        ("it-it", "un po' più forte", "change_volume", json!({"by": 10.0})),
        (
            "it-it",
            "pochino più piano",
            "change_volume",
            json!({"by": -10.0}),
        ),
        (
            "it-it",
            "decisamente troppo forte",
            "change_volume",
            json!({"by": -10.0}),
        ),
        ("it-it", "togli l'audio", "mute", json!({})),
    ] {
        let call = heard(&[&SKILL], text, lang).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(
            (call.tool.as_str(), Value::Object(call.arguments)),
            (tool, arguments),
            "{text}"
        );
    }
}

#[test]
fn other_talk_is_not_about_loudness() {
    for (lang, text) in [
        ("en-us", "what is the volume of a sphere"),
        ("en-us", "turn up at the party at five"),
        ("en-us", "turn the heating down by 2 degrees"),
        ("en-us", "how loud is a jet engine"),
        ("en-us", "way too hot"),
        ("en-us", "too loud for the neighbours"),
        ("en-us", "a bit of a problem"),
        ("de-de", "was ist das Volumen einer Kugel"),
        ("de-de", "mach das Licht aus"),
        ("de-de", "viel zu warm"),
        ("fr-fr", "trop fort"),
        ("es-es", "muy alto"),
        ("it-it", "troppo forte"),
        ("fr-fr", "quel est le volume d'une sphère"),
        ("es-es", "apaga la luz"),
        ("pt-pt", "desliga a luz"),
        ("it-it", "spegni la luce"),
    ] {
        let call = heard(&[&SKILL], text, lang);
        assert!(
            call.as_ref().is_none_or(|call| call.toolbox_id != super::ID),
            "{text}: {call:?}"
        );
    }
}
