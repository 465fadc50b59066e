//! The real OVOS components as child processes, in both generations.
//!
//! `install.py peers` installs them; the pins are in `peers`.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::process::Command;

use crate::binaries::setting;
use crate::frame::Frame;
use crate::home::{Home, free_port};
use crate::ovos_core::Generation;
use crate::probe::BusProbe;
use crate::process::Process;
use crate::wait::{PATIENCE, within};

/// A core loads for five seconds on a quiet machine.
const CORE_PATIENCE: Duration = Duration::from_secs(120);

/// How long one question whether it is ready waits before it is asked again.
const ASK_AGAIN: Duration = Duration::from_millis(250);

/// One generation's programs, and a home in which they run.
#[derive(Debug)]
pub struct Peers {
    generation: Generation,
    environment: PathBuf,
    home: Home,
    /// Skills that the core loads.
    skills: Option<PathBuf>,
}

impl Peers {
    /// Finds the installed programs of a generation.
    ///
    /// # Panics
    /// When they are not installed.
    pub fn of(generation: Generation) -> Self {
        let peers = Self {
            generation,
            environment: environment(generation),
            home: Home::without_bus(),
            skills: None,
        };
        let bus = peers.program("ovos-messagebus");
        assert!(
            bus.is_file(),
            "the OVOS components are not installed at {}: `make test-peers` installs them",
            peers.environment.display()
        );
        peers.configure(&json!({}));
        peers
    }

    /// Finds the programs of [`Self::of`], with the stock skills of the generation for its core.
    ///
    /// # Panics
    /// When they are not installed.
    pub fn with_skills(generation: Generation) -> Self {
        let skills = match generation {
            Generation::Stable => installed("LOQUAT_PEERS_STABLE_SKILLS", "stable-skills"),
            Generation::PreRelease => installed("LOQUAT_PEERS_PRERELEASE_SKILLS", "prerelease-skills"),
        };
        assert!(
            skills.is_dir(),
            "the stock skills are not installed at {}: `make test-peers` installs them",
            skills.display()
        );
        Self {
            skills: Some(skills),
            ..Self::of(generation)
        }
    }

    /// Gives the home that they share with the daemon.
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// Tells which programs these are.
    pub fn generation(&self) -> Generation {
        self.generation
    }

    /// Writes a `mycroft.conf` with a pipeline of intents and fallback handlers; `more` replaces keys at the top level.
    pub fn configure(&self, more: &Value) {
        let mut conf = json!({
            "gui_websocket": {"host": "127.0.0.1", "base_port": free_port(), "route": "/gui", "ssl": false},
            "skills": {"installer": {"allow_pip": false}},
            "intents": {"pipeline": pipeline(self.generation)},
        });
        for (key, value) in more.as_object().into_iter().flatten() {
            conf[key] = value.clone();
        }
        self.home.mycroft_conf(&conf);
    }

    /// Starts the real bus and waits until it is open.
    pub async fn bus(&self) -> (Process, BusProbe) {
        let bus = self.start_bus();
        let probe = within(
            "the real bus to open",
            PATIENCE,
            BusProbe::connect(self.home.port()),
        )
        .await;
        (bus, probe)
    }

    /// Starts the real bus and waits for nothing.
    pub fn start_bus(&self) -> Process {
        self.start("ovos-messagebus")
    }

    /// Starts the real core and waits until it is ready.
    pub async fn core(&self, probe: &BusProbe) -> Process {
        let core = self.start("ovos-core");
        within("the real core to be ready", CORE_PATIENCE, ready(probe)).await;
        core
    }

    /// Starts the real audio service with a silent voice and waits until it is ready. Its configuration is
    /// that of [`Self::configure`].
    pub async fn audio(&self, probe: &BusProbe) -> Process {
        let audio = self.start("ovos-audio");
        let question = json!({"type": "mycroft.audio.is_ready", "data": {}, "context": {"source": "probe"}});
        let ready = async {
            loop {
                let mark = probe.mark();
                probe.send(&question).await;
                let yes = probe.try_wait(mark, ASK_AGAIN, |frame| {
                    frame.topic == "mycroft.audio.is_ready.response" && frame.data["status"] == true
                });
                if yes.await.is_some() {
                    return;
                }
            }
        };
        within("the audio service to be ready", CORE_PATIENCE, ready).await;
        audio
    }

    /// Installs our pipeline plugin where the core finds it, and puts its two stages into the pipeline in place of the
    /// intents: what is matched, they have matched.
    pub async fn pipeline_plugin(&self) {
        let mut command = self.command("python");
        command.arg(peers_file("install_plugin.py")).arg(self.plugins());
        let mut pip = Process::spawn("pip", command);
        assert!(pip.ended(PATIENCE).await.success(), "{}", pip.output());
        let stages = pipeline(self.generation);
        let stages = stages.as_array().cloned().unwrap_or_default();
        let is_stop_or_converse = |stage: &&Value| {
            let name = stage.as_str().unwrap_or_default();
            name.contains("stop") || name.contains("converse")
        };
        let mut stages: Vec<Value> = stages.iter().filter(is_stop_or_converse).cloned().collect();
        stages.extend([json!("loquat"), json!("loquat-fallback")]);
        self.configure(&json!({"intents": {"pipeline": stages}}));
    }

    /// Gives the folder of plugins that are in no environment.
    fn plugins(&self) -> PathBuf {
        self.home.path().join("plugins")
    }

    /// Lists where Python looks for plugins beside the environment.
    fn plugin_path(&self) -> OsString {
        let folders = [self.plugins(), peers_file("silent_voice")];
        env::join_paths(folders.iter().chain(&self.skills))
            .expect("no folder of ours has a colon in its name")
    }

    /// Has a script beside the pins talk to the bus through the stock client, and gives what it prints.
    pub async fn stock_client(&self, arguments: &[&str]) -> Value {
        self.stock_client_within(PATIENCE, arguments).await
    }

    /// Gives what that script prints when it has much to do, and so long for it.
    pub async fn stock_client_within(&self, patience: Duration, arguments: &[&str]) -> Value {
        let script = peers_file("stock_client.py");
        let mut command = self.command("python");
        command
            .arg(script)
            .args(["--port", &self.home.port().to_string()])
            .args(arguments);
        let mut client = Process::spawn("the stock client", command);
        let status = client.ended(patience).await;
        let output = client.output();
        assert!(status.success(), "the stock client failed: {output}");
        let last = output.lines().last().unwrap_or_default();
        serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {output}"))
    }

    /// Starts stock skills of the generation and waits until they are on the bus.
    pub async fn stock_skills(&self) -> Process {
        self.script("skill/stock_skill.py", "stock skills are loaded")
            .await
    }

    /// A stock skill in a process of its own, as the stock launcher has it: it asks whether there is a core to register
    /// with.
    pub async fn launched_skill(&self, watch: &BusProbe) -> Process {
        let mark = watch.mark();
        let mut command = self.command("ovos-skill-launcher");
        command.arg("launched.skill").arg(peers_file("skill"));
        let process = Process::spawn("ovos-skill-launcher", command);
        let asks = |frame: &Frame| frame.topic == "mycroft.skills.is_ready";
        watch.wait("the launcher to ask", mark, PATIENCE, asks).await;
        process
    }

    /// Starts a stock toolbox and waits until it is on the bus as `stock-tools`.
    pub async fn stock_toolbox(&self) -> Process {
        self.script("stock_toolbox.py", "is bound").await
    }

    /// The example of how a toolbox in Python tells pieces, goes on and takes back, on the bus as `telling-tools`.
    pub async fn telling_toolbox(&self) -> Process {
        self.script("telling_toolbox.py", "is bound").await
    }

    /// The example of the book, on the bus as `disk-tools`. It says nothing when it is there.
    pub fn example_skill(&self) -> Process {
        let mut command = self.command("python");
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../skills/example/disk_tools.py"));
        Process::spawn("disk_tools.py", command)
    }

    async fn script(&self, name: &str, ready: &str) -> Process {
        let mut command = self.command("python");
        command
            .arg(peers_file(name))
            .args(["--port", &self.home.port().to_string()]);
        let process = Process::spawn(name, command);
        process.wrote(ready, PATIENCE).await;
        process
    }

    fn start(&self, program: &str) -> Process {
        Process::spawn(program, self.command(program))
    }

    /// Prepares one of its programs, living in its home.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.program(program));
        command
            .env_clear()
            .envs(self.home.environment())
            .current_dir(self.home.path());
        command
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("LANG", "C.UTF-8");
        command
            .env("PYTHONPATH", self.plugin_path())
            .env("PYTHONUNBUFFERED", "1")
            .env("PYTHONDONTWRITEBYTECODE", "1");
        command.env("OVOS_CONFIG_BASE_FOLDER", "mycroft");
        command
    }

    fn program(&self, name: &str) -> PathBuf {
        self.environment.join("bin").join(name)
    }
}

/// Finds a script that is installed or run in the environments.
pub(crate) fn peers_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers").join(name)
}

async fn ready(probe: &BusProbe) {
    let question = json!({"type": "mycroft.skills.is_ready", "data": {}, "context": {"source": "probe"}});
    loop {
        let mark = probe.mark();
        probe.send(&question).await;
        let yes = probe.try_wait(mark, ASK_AGAIN, |frame| {
            // A daemon that orchestrates answers too, until it sees the core.
            let is_core = frame.context["skill_id"] != "loquat";
            is_core && frame.topic == "mycroft.skills.is_ready.response" && frame.data["status"] == true
        });
        if yes.await.is_some() {
            return;
        }
    }
}

fn environment(generation: Generation) -> PathBuf {
    match generation {
        Generation::Stable => installed("LOQUAT_PEERS_STABLE", "stable"),
        Generation::PreRelease => installed("LOQUAT_PEERS_PRERELEASE", "prerelease"),
    }
}

/// A virtual environment: named by the caller, or in the cache where `install.py peers` puts it.
pub(crate) fn installed(key: &str, name: &str) -> PathBuf {
    let cache = || match setting("LOQUAT_PEERS") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(setting("HOME").unwrap_or_default()).join(".cache/loquat/peers"),
    };
    setting(key).map_or_else(|| cache().join(name), PathBuf::from)
}

fn pipeline(generation: Generation) -> Value {
    match generation {
        Generation::Stable => json!([
            "stop_high",
            "converse",
            "padacioso_high",
            "padacioso_medium",
            "fallback_high",
            "fallback_medium",
            "fallback_low"
        ]),
        Generation::PreRelease => json!([
            "ovos-stop-pipeline-plugin-high",
            "ovos-converse-pipeline-plugin",
            "ovos-padacioso-pipeline-plugin-high",
            "ovos-padacioso-pipeline-plugin-medium",
            "ovos-fallback-pipeline-plugin-high",
            "ovos-fallback-pipeline-plugin-medium",
            "ovos-fallback-pipeline-plugin-low",
        ]),
    }
}
