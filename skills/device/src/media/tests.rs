//! The tools beside real players, and beside one that lies, on a D-Bus of their own.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use loquat_agent::toolbox::{Circumstances, Outcome, Toolbox};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use loquat_kit::function::FunctionToolbox;
use loquat_trial::heard;

use super::{Players, SKILL};
use crate::dbus::DeviceBus;
use crate::dbus::stage::wording;

/// For programs to start and to change what they do.
const DEADLINE: Duration = Duration::from_secs(20);

/// A bus that ends with the test, and the programs on it.
struct Stage {
    folder: TempDir,
    programs: Vec<Child>,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut stage = Self {
            folder,
            programs: Vec::new(),
        };
        let address = format!("--address={}", stage.address());
        stage.start("dbus-daemon", &["--session", "--nofork", "--nopidfile", &address]);
        stage
    }

    fn address(&self) -> String {
        format!("unix:path={}", self.folder.path().join("bus").display())
    }

    fn start(&mut self, program: &str, arguments: &[&str]) {
        let started = Command::new(program)
            .args(arguments)
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", self.folder.path())
            .env("DBUS_SESSION_BUS_ADDRESS", self.address())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let started = started.unwrap_or_else(|error| {
            panic!("{program} cannot be started ({error}); ./daemon/packages.sh test installs it")
        });
        self.programs.push(started);
    }

    /// A player that plays a minute of silence.
    fn mpv(&mut self, name: &str) {
        let file = self.folder.path().join(format!("{name}.wav"));
        silence(&file);
        let file = file.display().to_string();
        let title = format!("--force-media-title={name}");
        let script = "--script=/usr/lib/mpv-mpris/mpris.so";
        let mut arguments = vec![
            "--no-config",
            "--ao=null",
            "--vo=null",
            "--idle=yes",
            "--loop=inf",
            &title,
        ];
        if Path::new("/usr/lib/mpv-mpris/mpris.so").exists() {
            arguments.push(script);
        }
        arguments.push(&file);
        self.start("mpv", &arguments);
    }

    /// A program of these lines on the bus.
    fn python(&mut self, lines: &str) {
        let file = self.folder.path().join("player.py");
        std::fs::write(&file, lines).expect("a file");
        self.start("/usr/bin/python3", &[&file.display().to_string()]);
    }

    fn device(&self) -> Device {
        Device::on(DeviceBus::at(Some(self.address())))
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        for program in &mut self.programs {
            program.kill().ok();
            program.wait().ok();
        }
    }
}

/// A minute of it, 8,000 bytes a second.
fn silence(file: &Path) {
    let length: u32 = 60 * 8_000;
    let mut wav = Vec::new();
    wav.extend(b"RIFF");
    wav.extend((36 + length).to_le_bytes());
    wav.extend(b"WAVEfmt ");
    wav.extend(16_u32.to_le_bytes());
    wav.extend([1, 0, 1, 0]);
    wav.extend(8_000_u32.to_le_bytes());
    wav.extend(8_000_u32.to_le_bytes());
    wav.extend([1, 0, 8, 0]);
    wav.extend(b"data");
    wav.extend(length.to_le_bytes());
    wav.resize(wav.len() + length as usize, 128);
    let mut file = std::fs::File::create(file).expect("a file");
    file.write_all(&wav).expect("room");
}

struct Device {
    toolbox: FunctionToolbox,
    players: Arc<Players>,
}

impl Device {
    fn on(bus: DeviceBus) -> Self {
        let players = Arc::new(Players::new(bus));
        let toolbox = super::toolbox(&players, None, &wording(&SKILL));
        Self { toolbox, players }
    }

    async fn call(&self, tool: &str, arguments: Value) -> Outcome {
        let person = Circumstances {
            lang: Some("en-US".to_owned()),
            ..Circumstances::default()
        };
        let arguments = serde_json::from_value(arguments).expect("an object");
        let called = self.toolbox.call(tool, arguments, &person).await;
        called.expect("an outcome")
    }

    async fn control(&self, action: &str) -> String {
        let outcome = self.call("control_player", json!({"action": action})).await;
        outcome.spoken.expect("a sentence")
    }

    /// The players that are there, and whether they play.
    async fn playing(&self) -> Vec<bool> {
        let outcome = self.call("list_players", json!({})).await;
        let players = outcome.result["players"].as_array().cloned().unwrap_or_default();
        players
            .iter()
            .map(|player| player["playing"] == json!(true))
            .collect()
    }

    /// What the players themselves say, whatever gave way.
    async fn sounding(&self) -> usize {
        let all = self.players.all().await.unwrap_or_default();
        all.iter()
            .filter(|player| player.status == super::player::Status::Playing)
            .count()
    }

    async fn comes_to(&self, expected: &[bool]) {
        let deadline = Instant::now() + DEADLINE;
        loop {
            let playing = self.playing().await;
            if playing == expected {
                return;
            }
            assert!(
                Instant::now() < deadline,
                "{playing:?} in the place of {expected:?}"
            );
            tokio::task::yield_now().await;
        }
    }

    async fn sounds_with(&self, expected: usize) {
        let deadline = Instant::now() + DEADLINE;
        loop {
            let sounding = self.sounding().await;
            if sounding == expected {
                return;
            }
            assert!(
                Instant::now() < deadline,
                "{sounding} play in the place of {expected}"
            );
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn a_real_player_does_as_it_is_told() {
    let mut stage = Stage::new();
    let device = stage.device();
    stage.mpv("Kind of Blue");
    device.comes_to(&[true]).await;
    let outcome = device.call("what_is_playing", json!({})).await;
    assert_eq!(outcome.result["title"], "Kind of Blue");
    assert_eq!(outcome.spoken.as_deref(), Some("This is Kind of Blue."));
    assert_eq!(device.control("pause").await, "Paused.");
    device.comes_to(&[false]).await;
    assert_eq!(device.control("pause").await, "Nothing is being played.");
    assert_eq!(device.control("play").await, "Playing on mpv.");
    device.comes_to(&[true]).await;
    let outcome = device.call("seek", json!({"seconds": 20})).await;
    assert_eq!(outcome.spoken.as_deref(), Some("I went forward."));
    assert_eq!(device.control("restart").await, "Once more from the beginning.");
    let outcome = device
        .call("control_player", json!({"action": "pause", "player": "Winamp"}))
        .await;
    assert_eq!(
        outcome.spoken.as_deref(),
        Some("There is no player called Winamp.")
    );
    assert_eq!(outcome.result["done"], false);
}

#[tokio::test]
async fn two_players_pause_together_and_come_back_alone_where_they_were_not_changed() {
    let mut stage = Stage::new();
    let device = stage.device();
    stage.mpv("one");
    device.comes_to(&[true]).await;
    stage.mpv("two");
    device.comes_to(&[true, true]).await;
    device.players.give_way().await;
    device.sounds_with(0).await;
    assert_eq!(device.playing().await, [true, true], "they are only giving way");
    device.players.come_back().await;
    device.sounds_with(2).await;
    device.players.give_way().await;
    device.sounds_with(0).await;
    assert_eq!(
        device.control("pause").await,
        "Which one do you mean: mpv (one) and mpv (two)?"
    );
    let both = json!({"action": "pause", "choice": "both"});
    let paused = device.call("control_player", both).await;
    assert_eq!(paused.spoken.as_deref(), Some("Paused."));
    device.players.come_back().await;
    assert_eq!(device.sounding().await, 0, "a person has paused them");
    device.players.give_way().await;
    device.players.come_back().await;
    assert_eq!(device.sounding().await, 0, "what was silent stays silent");
}

const LIAR: &str = r#"
import dbus, dbus.service, dbus.mainloop.glib
from gi.repository import GLib
dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
class Player(dbus.service.Object):
    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        if name == "PlaybackStatus": return "Playing"
        if name == "Identity": return dbus.Int32(7)
        return dbus.Dictionary(METADATA, signature="sv")
bus = dbus.SessionBus()
name = dbus.service.BusName("org.mpris.MediaPlayer2.liar", bus)
player = Player(bus, "/org/mpris/MediaPlayer2")
GLib.MainLoop().run()
"#;

async fn title_of_a_liar(metadata: &str) -> (Outcome, Duration) {
    let mut stage = Stage::new();
    let device = stage.device();
    stage.python(&LIAR.replace("METADATA", metadata));
    device.comes_to(&[true]).await;
    let begin = Instant::now();
    let outcome = timeout(DEADLINE, device.call("what_is_playing", json!({}))).await;
    (outcome.expect("in time"), begin.elapsed())
}

#[tokio::test]
async fn absurd_metadata_are_cut_or_left_out() {
    let (outcome, _) = title_of_a_liar(
        r#"{"xesam:title": "a\x1b[2J\u202e" + "b" * 1000000, "xesam:artist": dbus.Int32(5)}"#,
    )
    .await;
    let title = outcome.result["title"].as_str().expect("a title");
    assert!(
        title.chars().count() <= 120 && title.starts_with("a[2Jbbb"),
        "{title}"
    );
    assert_eq!(outcome.result.get("artist"), None);
    let (outcome, _) = title_of_a_liar(r#"{"xesam:title": dbus.Array([1, 2], signature="i")}"#).await;
    assert_eq!(
        outcome.spoken.as_deref(),
        Some("Liar is playing, and does not say what.")
    );
}

#[tokio::test]
async fn what_is_too_large_is_read_past_and_the_rest_works() {
    let (outcome, took) = title_of_a_liar(r#"{"xesam:title": "b" * 40000000}"#).await;
    assert_eq!(outcome.result.get("title"), None);
    assert_eq!(
        outcome.spoken.as_deref(),
        Some("Liar is playing, and does not say what.")
    );
    assert!(took < super::PATIENCE, "{took:?}");
}

#[tokio::test]
async fn what_is_missing_is_named_with_the_mend() {
    let nothing = Device::on(DeviceBus::at(None));
    let outcome = nothing.call("control_player", json!({"action": "next"})).await;
    let problem = outcome.result["problem"].as_str().expect("a problem");
    assert!(
        problem.contains("there is no D-Bus session; run Loquat"),
        "{problem}"
    );
    assert!(
        outcome
            .spoken
            .expect("a sentence")
            .contains("cannot reach the music players")
    );
    let stage = Stage::new();
    let device = stage.device();
    let deadline = Instant::now() + DEADLINE;
    // The bus may still be starting.
    let spoken = loop {
        let spoken = device.control("next").await;
        if !spoken.contains("cannot reach the music players") {
            break spoken;
        }
        assert!(Instant::now() < deadline);
        tokio::task::yield_now().await;
    };
    assert!(
        spoken.starts_with("No music player is running on this device. "),
        "{spoken}"
    );
}

#[tokio::test]
async fn a_bus_that_was_lost_is_found_again() {
    let mut stage = Stage::new();
    let device = stage.device();
    stage.mpv("one");
    device.comes_to(&[true]).await;
    for mut program in stage.programs.drain(..) {
        program.kill().expect("it runs");
        program.wait().expect("it ends");
    }
    std::fs::remove_file(stage.folder.path().join("bus")).ok();
    device.comes_to(&[]).await;
    let address = format!("--address={}", stage.address());
    stage.start("dbus-daemon", &["--session", "--nofork", "--nopidfile", &address]);
    stage.mpv("two");
    device.comes_to(&[true]).await;
}

/// What is said, and the tool with its arguments.
const SAID: &[(&str, &str, &str)] = &[
    ("en-us", "resume the music", "play"),
    ("en-us", "pause the music", "pause"),
    ("en-us", "pause", "pause"),
    ("en-us", "stop the music", "stop"),
    ("en-us", "next song", "next"),
    ("en-us", "skip this track", "next"),
    ("en-us", "play the previous song", "previous"),
    ("en-us", "play this song again", "restart"),
    ("de-de", "spiel die Musik weiter", "play"),
    ("de-de", "pausiere die Musik", "pause"),
    ("de-de", "mach die Musik aus", "stop"),
    ("de-de", "spiel das nächste Lied", "next"),
    ("de-de", "ein Lied zurück", "previous"),
    ("de-de", "wiederhole das Lied", "restart"),
    ("fr-fr", "reprends la musique", "play"),
    ("fr-fr", "mets la musique en pause", "pause"),
    ("fr-fr", "arrête la musique", "stop"),
    ("fr-fr", "chanson suivante", "next"),
    ("fr-fr", "chanson précédente", "previous"),
    ("fr-fr", "recommence cette chanson", "restart"),
    ("es-es", "reanuda la música", "play"),
    ("es-es", "pon la música en pausa", "pause"),
    ("es-es", "para la música", "stop"),
    ("es-es", "siguiente canción", "next"),
    ("es-es", "canción anterior", "previous"),
    ("es-es", "repite esta canción", "restart"),
    ("pt-pt", "retoma a música", "play"),
    ("pt-pt", "põe a música em pausa", "pause"),
    ("pt-pt", "para a música", "stop"),
    ("pt-pt", "próxima música", "next"),
    ("pt-pt", "música anterior", "previous"),
    ("pt-pt", "repete esta música", "restart"),
    ("it-it", "riprendi la musica", "play"),
    ("it-it", "metti in pausa la musica", "pause"),
    ("it-it", "spegni la musica", "stop"),
    ("it-it", "prossima canzone", "next"),
    ("it-it", "canzone precedente", "previous"),
    ("it-it", "ripeti questa canzone", "restart"),
];

#[test]
fn orders_are_understood_in_six_languages() {
    for (lang, text, action) in SAID {
        let call = heard(&[&SKILL], text, lang).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(call.tool, super::CONTROL, "{text}");
        assert_eq!(call.arguments["action"], *action, "{text}");
    }
    for (lang, text, seconds) in [
        ("en-us", "skip forward 30 seconds", 30.0),
        ("en-us", "rewind one minute", -60.0),
        ("de-de", "spul 30 Sekunden vor", 30.0),
        ("de-de", "spring 30 Sekunden zurück", -30.0),
        ("fr-fr", "avance de 30 secondes", 30.0),
        ("fr-fr", "recule de 30 secondes", -30.0),
        ("es-es", "avanza 30 segundos", 30.0),
        ("es-es", "retrocede 30 segundos", -30.0),
        ("pt-pt", "avança 30 segundos", 30.0),
        ("pt-pt", "recua 30 segundos", -30.0),
        ("it-it", "vai avanti di 30 secondi", 30.0),
        ("it-it", "torna indietro di 30 secondi", -30.0),
    ] {
        let call = heard(&[&SKILL], text, lang).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(
            call.arguments,
            *json!({"seconds": seconds}).as_object().expect("an object"),
            "{text}"
        );
    }
    for (lang, text) in [
        ("en-us", "what's playing"),
        ("en-us", "what song is this"),
        ("de-de", "was läuft gerade"),
        ("fr-fr", "qui chante cette chanson"),
        ("es-es", "qué canción es esta"),
        ("pt-pt", "que música é esta"),
        ("it-it", "che canzone è questa"),
    ] {
        assert_eq!(
            heard(&[&SKILL], text, lang).map(|call| call.tool).as_deref(),
            Some(super::PLAYING),
            "{text}"
        );
    }
}

#[test]
fn other_talk_is_not_for_the_players() {
    for (lang, text) in [
        ("en-us", "play some music"),
        ("en-us", "stop the music in ten minutes"),
        ("en-us", "who wrote the next song of Bach"),
        ("en-us", "what is playing in the cinema"),
        ("en-us", "go back to the office"),
        ("en-us", "what is the previous question"),
        ("en-us", "skip breakfast"),
        ("de-de", "spiel Musik"),
        ("de-de", "was läuft im Kino"),
        ("de-de", "mach eine Pause"),
        ("fr-fr", "joue de la musique"),
        ("fr-fr", "qui chante demain à Paris"),
        ("es-es", "pon música"),
        ("es-es", "para el coche"),
        ("pt-pt", "põe música"),
        ("pt-pt", "para o carro"),
        ("it-it", "suona il campanello"),
        ("it-it", "ferma la macchina"),
    ] {
        let call = heard(&[&SKILL], text, lang);
        assert!(
            call.as_ref().is_none_or(|call| call.toolbox_id != super::ID),
            "{text}: {call:?}"
        );
    }
}

#[tokio::test]
async fn the_names_of_players_follow_those_that_come_and_go() {
    let mut stage = Stage::new();
    let device = stage.device();
    while !stage.folder.path().join("bus").exists() {
        tokio::task::yield_now().await;
    }
    let cancel = CancellationToken::new();
    let comes = async |stage: &Stage, expected: usize| {
        let deadline = Instant::now() + DEADLINE;
        loop {
            let named = device.players.named();
            if named.len() == expected {
                return named;
            }
            assert!(
                Instant::now() < deadline,
                "{named:?}, with {} programs",
                stage.programs.len()
            );
            tokio::task::yield_now().await;
        }
    };
    let look = async {
        stage.mpv("sonata");
        let named = comes(&stage, 1).await;
        assert!(named[0].to_lowercase().contains("mpv"), "{named:?}");
        if let Some(mut player) = stage.programs.pop() {
            player.kill().ok();
            player.wait().ok();
        }
        comes(&stage, 0).await;
        cancel.cancel();
    };
    tokio::join!(device.players.follow_names(cancel.clone()), look);
    let nowhere = Players::new(DeviceBus::at(None));
    nowhere.follow_names(CancellationToken::new()).await;
    assert!(nowhere.named().is_empty());
}
