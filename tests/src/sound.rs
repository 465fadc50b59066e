//! A sound server of the test's own with a virtual microphone, and a voice to speak into it.

mod witness;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::net::UnixStream;
use tokio::process::Command;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::process::Process;
use crate::wait::{PATIENCE, wait_for, within};

pub use witness::Witness;

/// Playing takes as long as the recording, which is a few seconds.
const PLAYING: Duration = Duration::from_secs(60);

/// Quiet before and after the words: end-pointing waits for some, and a recording begins a moment late.
const LEAD_IN_SECONDS: f32 = 0.4;
const LEAD_OUT_SECONDS: f32 = 1.5;

/// What is played here is heard by the microphone.
const MICROPHONE: &str = "vmic_sink";

/// Every program that reaches the socket may play and record.
const LETS_ALL_IN: &str = "auth-anonymous=1";

/// In a room: where a person speaks, and the loudspeaker of the device.
const PERSON: &str = "person";
const LOUDSPEAKER: &str = "loudspeaker";

/// The way from the loudspeaker to the microphone, and from the person, as options of a loop. With more delay than it is asked
/// for a loop adjusts itself, which is not what a room does.
const THROUGH_THE_ROOM: &str = "latency_msec=60 adjust_time=0";
const BESIDE_THE_MICROPHONE: &str = "latency_msec=20 adjust_time=0";

/// So many sound servers may run at once in a process. A story mostly waits for sound, but that does not wait for a machine that is
/// busy with many others.
static PLACES: Semaphore = Semaphore::const_new(2);

/// A `PulseAudio` whose default source is what is played into its sink. While there are two, the next waits to be started.
#[derive(Debug)]
pub struct SoundServer {
    server: Process,
    place: Option<SemaphorePermit<'static>>,
    address: String,
    /// Where [`Self::play`] plays.
    voice: &'static str,
}

impl SoundServer {
    /// Starts it with its socket in `folder`; it lets everybody in.
    pub async fn start(folder: &Path) -> Self {
        Self::letting_in(folder, LETS_ALL_IN, "", MICROPHONE).await
    }

    /// Starts one in which the loudspeaker, which is the default sink, is heard by the microphone 60 ms later, and a person
    /// speaks beside it.
    pub async fn in_a_room(folder: &Path) -> Self {
        let sink =
            |name: &str| format!("load-module module-null-sink sink_name={name} rate=16000 channels=1\n");
        let heard = |name: &str, way: &str| {
            format!(
                "load-module module-loopback source={name}.monitor sink={MICROPHONE} source_dont_move=1 \
                 sink_dont_move=1 {way}\n"
            )
        };
        let room = [
            sink(PERSON),
            sink(LOUDSPEAKER),
            heard(PERSON, BESIDE_THE_MICROPHONE),
            heard(LOUDSPEAKER, THROUGH_THE_ROOM),
            format!("set-default-sink {LOUDSPEAKER}\n"),
        ];
        Self::letting_in(folder, LETS_ALL_IN, &room.concat(), PERSON).await
    }

    /// Starts one that lets its own user in alone, and has made no cookie.
    pub async fn without_cookie(folder: &Path) -> Self {
        Self::letting_in(folder, "auth-cookie-enabled=0", "", MICROPHONE).await
    }

    /// Ends it as a crash would, and starts another at the same address.
    pub async fn kill_and_start_again(&mut self, folder: &Path) {
        self.server.kill();
        self.server.gone().await;
        // What a killed server leaves behind would be taken for one that runs.
        fs::remove_file(folder.join("pulse.socket")).expect("a killed server leaves its socket");
        let place = self.place.take();
        *self = Self::at(place, folder, LETS_ALL_IN, ("", MICROPHONE)).await;
    }

    async fn letting_in(folder: &Path, rule: &str, room: &str, voice: &'static str) -> Self {
        let place = PLACES.acquire().await.expect("it is never closed");
        Self::at(Some(place), folder, rule, (room, voice)).await
    }

    async fn at(
        place: Option<SemaphorePermit<'static>>,
        folder: &Path,
        rule: &str,
        (room, voice): (&str, &'static str),
    ) -> Self {
        let socket = folder.join("pulse.socket");
        let script = folder.join("pulse.pa");
        let modules = format!(
            "load-module module-native-protocol-unix socket={} {rule}\n\
             load-module module-null-sink sink_name={MICROPHONE} rate=16000 channels=1\n\
             load-module module-remap-source source_name=vmic master={MICROPHONE}.monitor\n\
             set-default-sink {MICROPHONE}\nset-default-source vmic\n{room}",
            socket.display()
        );
        fs::write(&script, modules).expect("the test's own folder can be written");
        // What a killed server leaves behind would be taken for one that runs.
        fs::remove_file(&socket).ok();
        let mut command = Command::new("pulseaudio");
        command
            .args([
                "-n",
                "--daemonize=no",
                "--exit-idle-time=-1",
                "--use-pid-file=no",
                "-F",
            ])
            .arg(&script);
        command
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", folder);
        command
            .env("XDG_RUNTIME_DIR", folder.join("run"))
            .env("XDG_CONFIG_HOME", folder.join("config"));
        let server = Process::spawn("pulseaudio", command);
        wait_for("the sound server", PATIENCE, async || {
            UnixStream::connect(&socket).await.ok()
        })
        .await;
        Self {
            server,
            place,
            address: format!("unix:{}", socket.display()),
            voice,
        }
    }

    /// Gives what `PULSE_SERVER` has to be.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Has `pactl` do this, and gives what it says.
    pub async fn control(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("pactl");
        command.args(arguments).env("PULSE_SERVER", &self.address);
        let output = within("pactl", PATIENCE, command.kill_on_drop(true).output()).await;
        let output = output.expect("./daemon/packages.sh test installs pulseaudio-utils");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Runs a line in a shell that speaks to this.
    pub async fn shell(&self, line: &str) {
        let mut command = Command::new("sh");
        command.args(["-ec", line]).env("PULSE_SERVER", &self.address);
        let output = within("a shell", PATIENCE, command.kill_on_drop(true).output()).await;
        let output = output.expect("there is a shell");
        assert!(output.status.success(), "{line}: {output:?}");
    }

    /// Adds a microphone of this name, which hears what is played too; gives what unplugs it.
    pub async fn plug(&self, name: &str) -> String {
        let source = format!("source_name={name}");
        let plugged = [
            "load-module",
            "module-remap-source",
            &source,
            "master=vmic_sink.monitor",
        ];
        self.control(&plugged).await.trim().to_owned()
    }

    /// Takes it away again.
    pub async fn unplug(&self, plugged: &str) {
        self.control(&["unload-module", plugged]).await;
    }

    /// Listens to the microphone too.
    pub fn witness(&self) -> Witness {
        Witness::of(&self.address, "vmic")
    }

    /// Listens to the loudspeaker of a room.
    pub fn loudspeaker(&self) -> Witness {
        Witness::of(&self.address, &format!("{LOUDSPEAKER}.monitor"))
    }

    /// Listens to what the person in a room says.
    pub fn person(&self) -> Witness {
        Witness::of(&self.address, &format!("{PERSON}.monitor"))
    }

    /// Turns the loudspeaker of a room up or down, to such a part of its volume: `"50%"`.
    pub async fn turn_loudspeaker(&self, volume: &str) {
        self.control(&["set-sink-volume", LOUDSPEAKER, volume]).await;
    }

    /// Lists the arguments with which `paplay` plays a WAV file into the microphone.
    pub fn playing(&self, wav: &Path) -> Vec<String> {
        let server = format!("--server={}", self.address);
        let device = format!("--device={}", self.voice);
        vec![
            server,
            device,
            "--latency-msec=20".to_owned(),
            wav.display().to_string(),
        ]
    }

    /// Plays a WAV file into the microphone as a source of sound does that is not hurried: who listens gets as much at a time as it
    /// asks for, as from the microphone of a device.
    pub async fn play_unhurried(&self, wav: &Path) {
        let device = format!("--device={}", self.voice);
        self.play_with(&[device, wav.display().to_string()]).await;
    }

    /// Plays a WAV file into the microphone, to its end.
    pub async fn play(&self, wav: &Path) {
        self.play_with(&self.playing(wav)).await;
    }

    async fn play_with(&self, arguments: &[String]) {
        let mut command = Command::new("paplay");
        command.args(arguments).env("PULSE_SERVER", &self.address);
        let mut player = Process::spawn("paplay", command);
        let status = player.ended(PLAYING).await;
        assert!(status.success(), "paplay: {}", player.output());
    }
}

/// Before a sentence, that it is meant for the device.
pub const WAKE_WORD: &str = "hey mycroft";

/// Writes a recording as satellites send it.
pub fn base64(wav: &Path) -> String {
    use base64::Engine as _;
    let recording = fs::read(wav).expect("a recording can be read");
    base64::engine::general_purpose::STANDARD.encode(recording)
}

/// Has espeak-ng speak a sentence into a WAV file in `folder`, with some quiet around it.
pub async fn speak(text: &str, folder: &Path) -> PathBuf {
    // Whisper understands the one voice better, and the wake word's model the other.
    let (voice, speed) = if text.starts_with(WAKE_WORD) {
        ("en-gb", "150")
    } else {
        ("en-us", "120")
    };
    speak_as(voice, speed, text, folder).await
}

/// Has espeak-ng speak a sentence with this voice, at so many words a minute.
pub async fn speak_as(voice: &str, speed: &str, text: &str, folder: &Path) -> PathBuf {
    let name: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    let spoken = folder.join(format!("{name}-spoken.wav"));
    let mut command = Command::new("espeak-ng");
    command
        .args(["-v", voice, "-s", speed, "-w"])
        .arg(&spoken)
        .arg(text)
        .kill_on_drop(true);
    let status = within("espeak-ng", PATIENCE, command.status()).await;
    let status = status.expect("espeak-ng speaks the questions; install the package espeak-ng");
    assert!(status.success(), "espeak-ng: {status}");
    let path = folder.join(format!("{name}.wav"));
    with_quiet(&spoken, &path);
    path
}

/// Makes two seconds of hiss as a WAV file in `folder`; it is the same in every run.
pub fn noise(folder: &Path) -> PathBuf {
    hiss(folder, "noise", 2.0, 4096)
}

/// Makes a burst of a quarter of a second, loud and gone: a cough without a throat.
pub fn cough(folder: &Path) -> PathBuf {
    hiss(folder, "cough", 0.25, 16_384)
}

fn hiss(folder: &Path, name: &str, seconds: f32, loudness: i32) -> PathBuf {
    let format = hound::WavSpec {
        channels: 1,
        sample_rate: 16_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let path = folder.join(name).with_extension("wav");
    let mut writer = hound::WavWriter::create(&path, format).expect("the test's own folder can be written");
    let mut state = 1_u32;
    for _ in 0..(seconds * format.sample_rate as f32) as u32 {
        // A linear congruential generator: its upper bits are as random as a hiss.
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let sample = ((state >> 16).cast_signed() % loudness - loudness / 2) as i16;
        writer
            .write_sample(sample)
            .expect("the test's own folder can be written");
    }
    writer.finalize().expect("the test's own folder can be written");
    path
}

fn with_quiet(from: &Path, to: &Path) {
    let mut reader = hound::WavReader::open(from).expect("espeak-ng writes a WAV file");
    let format = reader.spec();
    let quiet = |seconds: f32| std::iter::repeat_n(0_i16, (seconds * format.sample_rate as f32) as usize);
    let words: Vec<i16> = reader
        .samples()
        .collect::<Result<_, _>>()
        .expect("espeak-ng writes 16 bit samples");
    let mut writer = hound::WavWriter::create(to, format).expect("the test's own folder can be written");
    for sample in quiet(LEAD_IN_SECONDS).chain(words).chain(quiet(LEAD_OUT_SECONDS)) {
        writer
            .write_sample(sample)
            .expect("the test's own folder can be written");
    }
    writer.finalize().expect("the test's own folder can be written");
}
