//! A sound server of the test's own, whose microphone is what is played into its sink.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::sound::PATIENCE;

/// `PulseAudio` with a virtual microphone. It ends when this is dropped.
pub(crate) struct SoundServer {
    process: Child,
    socket: PathBuf,
    /// Listens all the time: a sink that nothing hears takes two seconds to deliver its first sound, as no card does.
    _rouser: Child,
    /// The sound that the server hears has to go somewhere.
    _taken: JoinSet<std::io::Result<u64>>,
}

impl SoundServer {
    /// Starts it with its socket in `folder`, and waits until it answers.
    pub(crate) async fn start(folder: &Path) -> Self {
        let (socket, script) = (folder.join("pulse.socket"), folder.join("pulse.pa"));
        // What a killed server leaves behind would be taken for one that runs.
        drop(std::fs::remove_file(&socket));
        let modules = format!(
            "load-module module-native-protocol-unix socket={} auth-anonymous=1\n\
             load-module module-null-sink sink_name=vmic_sink rate=16000 channels=1\n\
             load-module module-remap-source source_name=vmic master=vmic_sink.monitor\n\
             set-default-sink vmic_sink\n\
             set-default-source vmic\n",
            socket.display()
        );
        std::fs::write(&script, modules).unwrap();
        let mut process = Command::new("pulseaudio")
            .args([
                "-n",
                "--daemonize=no",
                "--exit-idle-time=-1",
                "--use-pid-file=no",
                "--log-level=notice",
                "-F",
            ])
            .arg(&script)
            .env("HOME", folder)
            .env("XDG_RUNTIME_DIR", folder)
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("pulseaudio plays the sound card; install the package pulseaudio");
        let answers = async {
            while !Self::answers(&socket).await {
                let ended = process.try_wait().unwrap();
                assert_eq!(ended, None, "pulseaudio has ended");
            }
        };
        timeout(PATIENCE, answers)
            .await
            .expect("pulseaudio answers in time");
        let mut rouser = Command::new("parec")
            .args(["--latency-msec=20", "--device=vmic_sink.monitor"])
            .env("PULSE_SERVER", format!("unix:{}", socket.display()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("parec hears the sound server; install the package pulseaudio-utils");
        let mut sound = rouser.stdout.take().unwrap();
        timeout(PATIENCE, sound.read_u8())
            .await
            .expect("sound arrives in time")
            .unwrap();
        let mut taken = JoinSet::new();
        taken.spawn(async move { tokio::io::copy(&mut sound, &mut tokio::io::sink()).await });
        Self {
            process,
            socket,
            _rouser: rouser,
            _taken: taken,
        }
    }

    /// Tells whether the server knows its microphone by now, which is the last thing that it sets up.
    async fn answers(socket: &Path) -> bool {
        let asked = Command::new("pactl")
            .arg("get-default-source")
            .env("PULSE_SERVER", format!("unix:{}", socket.display()))
            .stderr(Stdio::null())
            .output()
            .await
            .expect("pactl asks the sound server; install the package pulseaudio-utils");
        asked.stdout.starts_with(b"vmic")
    }

    /// Adds a microphone of this name, which hears what is played too; gives what unplugs it.
    pub(crate) async fn plug(&self, name: &str) -> String {
        let source = format!("source_name={name}");
        let arguments = [
            "load-module",
            "module-remap-source",
            &source,
            "master=vmic_sink.monitor",
        ];
        self.control(&arguments).await
    }

    /// Takes it away again.
    pub(crate) async fn unplug(&self, plugged: &str) {
        self.control(&["unload-module", plugged]).await;
    }

    async fn control(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("pactl");
        command.args(arguments).env("PULSE_SERVER", self.address());
        let output = timeout(PATIENCE, command.output()).await;
        let output = output.expect("pactl ends in time").unwrap();
        assert!(output.status.success(), "pactl {arguments:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// `PULSE_SERVER` has to be this.
    pub(crate) fn address(&self) -> String {
        format!("unix:{}", self.socket.display())
    }

    /// Begins to play a WAV file into the microphone.
    pub(crate) fn begin(&self, wav: &Path) -> Child {
        Command::new("paplay")
            .arg(wav)
            .env("PULSE_SERVER", self.address())
            .kill_on_drop(true)
            .spawn()
            .expect("paplay speaks into the microphone; install the package pulseaudio-utils")
    }

    /// Plays a WAV file into the microphone, to its end.
    pub(crate) async fn play(&self, wav: &Path) {
        let played = timeout(PATIENCE, self.begin(wav).wait()).await;
        let status = played.expect("the file is played in time").unwrap();
        assert!(status.success(), "paplay: {status}");
    }

    /// Ends it as a crash would.
    pub(crate) async fn kill(mut self) {
        self.process.kill().await.unwrap();
    }
}
