//! The daemon and the real HiveMind: the stock client as a satellite of ours, hivemind-core 5 in front of our bus, and our
//! daemon as a member of that core's hive. `make test-hive` installs them and runs this.
#![cfg(test)]

use std::path::PathBuf;
use std::time::Duration;

use loquat_tests::binaries::setting;
use loquat_tests::brain::Reply;
use loquat_tests::daemon::Launch;
use loquat_tests::hive::{HivePort, Keys, let_in, owner, with_ears};
use loquat_tests::home::{Home, free_port};
use loquat_tests::models::smallest;
use loquat_tests::process::Process;
use loquat_tests::sound::speak;
use loquat_tests::story::{Scene, Story, TESTER};
use loquat_tests::wait::wait_for;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::process::Command;

/// Python starts slowly on a busy machine, and derives keys slowly everywhere.
const EXCHANGE: Duration = Duration::from_secs(120);

const UTTERANCE: &str = "recognizer_loop:utterance";

fn program(name: &str) -> PathBuf {
    let usual = || PathBuf::from(setting("HOME").expect("a home")).join(".cache/loquat/peers/hive");
    let folder = setting("LOQUAT_HIVE_PEERS").map_or_else(usual, PathBuf::from);
    let program = folder.join("bin").join(name);
    assert!(
        program.is_file(),
        "{} is missing: `make test-hive` installs it",
        program.display()
    );
    program
}

/// A program of HiveMind's, living in this home.
fn command(home: &Home, name: &str) -> Command {
    let mut command = Command::new(program(name));
    command
        .env_clear()
        .envs(home.environment())
        .current_dir(home.path());
    command
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("LANG", "C.UTF-8");
    command
        .env("PYTHONUNBUFFERED", "1")
        .env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

/// A device on which the stock client runs.
struct Stock {
    home: Home,
    port: u16,
    keys: Keys,
}

impl Stock {
    fn new(port: u16, keys: &Keys) -> Self {
        Self {
            home: Home::without_bus(),
            port,
            keys: keys.clone(),
        }
    }

    /// Has it do something, and gives what it prints.
    async fn does(&self, arguments: &[&str]) -> Value {
        self.does_by(("python", "client.py"), arguments).await
    }

    /// Has it do something by the stable client, which speaks the protocol before version 3.
    async fn does_the_old_way(&self, arguments: &[&str]) -> Value {
        self.does_by(("../old/bin/python", "old_client.py"), arguments)
            .await
    }

    async fn does_by(&self, (python, script): (&str, &str), arguments: &[&str]) -> Value {
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("hive")
            .join(script);
        let mut command = command(&self.home, python);
        command
            .arg(script)
            .args(["--port", &self.port.to_string()])
            .args(["--key", &self.keys.access_key, "--password", &self.keys.password])
            .args(arguments);
        let mut client = Process::spawn("the stock client", command);
        let status = client.ended(EXCHANGE).await;
        let output = client.output();
        assert!(status.success(), "the stock client failed: {output}");
        let last = output
            .lines()
            .rev()
            .find(|line| line.starts_with('{'))
            .unwrap_or_default();
        serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {output}"))
    }
}

/// A daemon whose hive is open, and a stock satellite that may come in.
async fn open(prepare: impl FnOnce(&Scene)) -> (Story, Stock) {
    let scene = Scene::default();
    prepare(&scene);
    let door = HivePort::of(&scene.home);
    let keys = let_in(&scene.home, "kitchen", &[]).await;
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    drop(door.connect().await);
    (story, Stock::new(door.number(), &keys))
}

#[tokio::test]
async fn a_stock_satellite_asks_is_answered_and_is_denied() {
    let (story, stock) = open(|_| {}).await;
    story
        .brain
        .whenever(TESTER, "my cat", Reply::answers("A fine name."));
    story.brain.whenever(TESTER, "is it", Reply::answers("I see."));
    let told = stock.does(&["ask", "Tiger is my cat", "What is it?"]).await;
    assert_eq!(told["answers"], json!([["A fine name."], ["I see."]]), "{told}");
    assert_eq!(
        told["sessions"],
        json!([told["session"]]),
        "it hears its own session's id"
    );
    assert!(
        story
            .brain
            .requests(TESTER)
            .last()
            .unwrap()
            .text()
            .contains("Tiger")
    );
    // As bits, packed, and with the keys that both sides know by now.
    let told = stock.does(&["--binary", "ask", "What is it?"]).await;
    assert_eq!(told["answers"], json!([["I see."]]), "{told}");
    let told = stock
        .does(&["send", "mycroft.volume.set", "{\"percent\": 1}"])
        .await;
    let denied = &told["messages"][0];
    assert_eq!(denied["type"], "hive.policy.denied", "{told}");
    assert_eq!(denied["data"]["denied_type"], "mycroft.volume.set");
    owner(&story.home, &["--json", "hive", "deny", "kitchen", UTTERANCE]).await;
    // The running daemon looks at it once in a second.
    let look = async || {
        let told = stock.does(&["ask", "What is it?"]).await;
        Some(told).filter(|told| told["answers"] == json!([[]]))
    };
    let told = wait_for("questions to be denied", EXCHANGE, look).await;
    assert_eq!(told["denied"][0]["code"], "acl_disallowed_type", "{told}");
}

#[tokio::test]
async fn a_stock_satellite_speaks_what_is_said_to_it_from_another_room() {
    let scene = Scene::default();
    let door = HivePort::of(&scene.home);
    let keys = let_in(&scene.home, "kitchen", &[]).await;
    let bath = let_in(&scene.home, "bath", &[]).await;
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    drop(door.connect().await);
    let stock = Stock::new(door.number(), &keys);
    let listens = stock.does(&["listen", "2"]);
    let says = async {
        story.daemon.wrote("there client=\"kitchen\"", EXCHANGE).await;
        let mut bath = door.satellite(&bath, "s").await;
        for said in [
            "Tell the kitchen that dinner is ready",
            "Tell the kitchen to unlock the door",
        ] {
            assert_eq!(bath.ask(said).await, ["I have said it there: kitchen."]);
        }
    };
    let (heard, ()) = tokio::join!(listens, says);
    assert_eq!(
        heard["spoken"],
        json!([
            "Message from bath: dinner is ready",
            "Message from bath: unlock the door"
        ])
    );
    let others = heard["topics"].as_array().into_iter().flatten();
    assert!(others.into_iter().all(|topic| topic == "speak"), "{heard}");
}

#[tokio::test]
async fn a_stock_client_that_proves_nothing_is_refused() {
    let (_story, stock) = open(|_| {}).await;
    let told = stock.does(&["--protocol", "2", "ask", "Hello"]).await;
    let refused = told["refused"].as_str().unwrap_or_default();
    assert!(refused.contains("requires the v3 Noise handshake"), "{told}");
    let wrong = |change: fn(&mut Keys)| {
        let mut keys = stock.keys.clone();
        change(&mut keys);
        Stock::new(stock.port, &keys)
    };
    let told = wrong(|keys| keys.access_key = "no key".to_owned())
        .does(&["ask", "Hello"])
        .await;
    assert!(
        told["refused"]
            .as_str()
            .is_some_and(|why| why.contains("invalid api key")),
        "{told}"
    );
    let told = wrong(|keys| keys.password = "another long password".to_owned())
        .does(&["ask", "Hello"])
        .await;
    assert!(told["refused"].is_string(), "{told}");
    assert_eq!(
        stock.does(&["send", "x.y", "{}"]).await["messages"][0]["type"],
        "hive.policy.denied"
    );
    // The same keys on another device.
    let told = Stock::new(stock.port, &stock.keys).does(&["ask", "Hello"]).await;
    assert!(told["refused"].is_string(), "{told}");
}

#[tokio::test]
async fn sound_goes_both_ways() {
    let (story, stock) = open(|scene| {
        scene.home.setting("voice.espeak", "\"auto\"");
        scene
            .home
            .setting("speech.whisper_model", &smallest("ggml-tiny", "bin"));
    })
    .await;
    story.brain.whenever(TESTER, "okyo", Reply::answers("Late."));
    let told = stock.does(&["speak", "Good morning"]).await;
    let sound = &told["sounds"][0];
    assert_eq!(
        (&sound["head"], &sound["utterance"]),
        (&json!("RIFF"), &json!("Good morning")),
        "{told}"
    );
    assert!(sound["bytes"].as_u64().unwrap() > 10_000, "{told}");
    let wav = speak("what time is it in Tokyo?", story.home.path()).await;
    let wav = wav.display().to_string();
    for (kind, until) in [
        ("b64", "recognizer_loop:b64_transcribe.response"),
        ("STT_AUDIO_TRANSCRIBE", "recognizer_loop:transcribe.response"),
        ("STT_AUDIO_HANDLE", "ovos.utterance.handled"),
    ] {
        let told = stock.does(&["hear", kind, &wav, until]).await;
        let messages = told["messages"].as_array().unwrap();
        let last = messages.iter().find(|message| message["type"] == until);
        assert!(last.is_some(), "{kind}: {told}");
        if until.ends_with("response") {
            let text = last.unwrap()["data"]["transcriptions"][0][0]
                .to_string()
                .to_lowercase();
            assert!(text.contains("tokyo"), "{kind}: {told}");
        } else {
            assert!(
                messages.iter().any(|message| message["type"] == "speak"),
                "{told}"
            );
        }
    }
}

#[tokio::test]
async fn the_microphone_of_a_stock_satellite_is_listened_to() {
    let (story, stock) = open(|scene| with_ears(&scene.home)).await;
    story.brain.whenever(TESTER, "okyo", Reply::answers("Late."));
    let wav = speak("hey mycroft what time is it in Tokyo?", story.home.path()).await;
    let wav = wav.display().to_string();
    let told = stock.does(&["stream", &wav, "ovos.utterance.handled"]).await;
    let topics: Vec<&str> = told["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|message| message["type"].as_str())
        .collect();
    for topic in [
        "recognizer_loop:wakeword",
        "recognizer_loop:record_begin",
        "recognizer_loop:record_end",
        "recognizer_loop:utterance",
        "speak",
    ] {
        assert!(topics.contains(&topic), "{topic}: {told}");
    }
}

#[tokio::test]
async fn a_stable_client_comes_in_where_the_owner_wants_it_and_nowhere_else() {
    let scene = Scene::default();
    scene.home.setting("hive.old_protocols", "true");
    with_ears(&scene.home);
    let door = HivePort::of(&scene.home);
    let old = let_in(&scene.home, "cellar", &["--old-protocol"]).await;
    let new = let_in(&scene.home, "kitchen", &[]).await;
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    drop(door.connect().await);
    story.brain.whenever(TESTER, "", Reply::answers("Good morning."));
    let stock = Stock::new(door.number(), &old);
    let said = |told: &Value| told["messages"].to_string().contains("Good morning.");
    for form in [&["ask", "Hello there"][..], &["--text", "ask", "Hello there"]] {
        let told = stock.does_the_old_way(form).await;
        assert!(said(&told), "{told}");
    }
    let wav = speak("hey mycroft what time is it in Tokyo?", story.home.path()).await;
    let told = stock
        .does_the_old_way(&["stream", &wav.display().to_string()])
        .await;
    assert!(said(&told), "{told}");
    // The same client by version 3.
    let told = Stock::new(door.number(), &old).does(&["ask", "Hello"]).await;
    assert_eq!(told["answers"], json!([["Good morning."]]), "{told}");
    let wrong = Keys {
        password: "another long password".to_owned(),
        ..old.clone()
    };
    for refused in [&new, &wrong] {
        let told = Stock::new(door.number(), refused)
            .does_the_old_way(&["ask", "Hello"])
            .await;
        assert_eq!(told["refused"], true, "{told}");
    }
    let checked = Launch::new(&story.home, &["check"]).run().await.shown();
    assert!(checked.contains("hive.old_protocols is set"), "{checked}");
    story.daemon.wrote("hive.old_protocols is set", EXCHANGE).await;
}

#[tokio::test]
async fn stock_clients_come_over_tls() {
    let (story, stock) = open(|scene| {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let certificate = scene.home.write("hive.pem", &made.cert.pem());
        let key = scene.home.write("hive.key", &made.signing_key.serialize_pem());
        scene.home.setting(
            "hive.certificate",
            &format!("{:?}", certificate.display().to_string()),
        );
        scene
            .home
            .setting("hive.key", &format!("{:?}", key.display().to_string()));
    })
    .await;
    story.brain.whenever(TESTER, "", Reply::answers("Good morning."));
    let told = stock.does(&["--scheme", "wss", "ask", "Hello"]).await;
    assert_eq!(told["answers"], json!([["Good morning."]]), "{told}");
}

/// The real hivemind-core, in front of a bus.
struct Core {
    home: Home,
    port: u16,
    process: Option<Process>,
}

impl Core {
    /// In front of the bus at this port; it does not run yet.
    fn before(bus: u16) -> Self {
        let home = Home::without_bus();
        let port = free_port();
        let agent = "hivemind-ovos-agent-plugin";
        let config = json!({
            "agent_protocol": {"module": agent, agent: {"host": "127.0.0.1", "port": bus}},
            "binary_protocol": {"module": null},
            "presence": {"enabled": false},
            "network_protocol": {"hivemind-websocket-plugin": {"host": "127.0.0.1", "port": port, "ssl": false}},
        });
        home.write("config/hivemind-core/server.json", &config.to_string());
        Self {
            home,
            port,
            process: None,
        }
    }

    /// Lets a client in that may send these.
    async fn let_in(&self, name: &str, topics: &[&str]) -> Keys {
        let keys = Keys {
            access_key: format!("access-key-of-{name}"),
            password: format!("a long password of {name}, 7319"),
        };
        let mut command = command(&self.home, "hivemind-core");
        command.args(["add-client", "--name", name]).args([
            "--access-key",
            &keys.access_key,
            "--password",
            &keys.password,
        ]);
        for topic in topics {
            command.args(["--allow", topic]);
        }
        let mut added = Process::spawn("hivemind-core add-client", command);
        assert!(added.ended(EXCHANGE).await.success(), "{}", added.output());
        keys
    }

    async fn run(mut self) -> Self {
        let mut command = command(&self.home, "hivemind-core");
        command.arg("listen");
        self.process = Some(Process::spawn("hivemind-core", command));
        let look = async || TcpStream::connect(("127.0.0.1", self.port)).await.ok();
        wait_for("hivemind-core to listen", EXCHANGE, look).await;
        self
    }

    /// Has a daemon in this home join with these keys.
    fn joined_by(&self, home: &Home, keys: &Keys) {
        let file = home.write("hive.keys", &format!("{}:{}\n", keys.access_key, keys.password));
        home.setting("hive.join", &format!("\"ws://127.0.0.1:{}\"", self.port));
        home.setting("hive.join_file", &format!("{:?}", file.display().to_string()));
    }
}

#[tokio::test]
async fn behind_a_real_core_a_stock_satellite_asks_is_answered_and_is_denied() {
    let story = Story::begin().await;
    story.brain.whenever(TESTER, "", Reply::answers("Good morning."));
    let core = Core::before(story.home.port());
    let keys = core.let_in("satellite", &[UTTERANCE]).await;
    let core = core.run().await;
    let stock = Stock::new(core.port, &keys);
    let told = stock.does(&["ask", "Hello there"]).await;
    assert_eq!(told["answers"], json!([["Good morning."]]), "{told}");
    let told = stock.does(&["send", "speak", "{\"utterance\": \"hi\"}"]).await;
    assert_eq!(told["messages"][0]["type"], "hive.policy.denied", "{told}");
    assert_eq!(told["messages"][0]["data"]["denied_type"], "speak");
}

#[tokio::test]
async fn the_command_asks_a_real_core_and_is_denied_by_it() {
    let story = Story::begin().await;
    story.brain.whenever(TESTER, "", Reply::answers("Good morning."));
    let core = Core::before(story.home.port());
    let may = core.let_in("may", &[UTTERANCE]).await;
    let may_not = core.let_in("may-not", &[]).await;
    let core = core.run().await;
    let home = Home::without_bus();
    core.joined_by(&home, &may);
    // At the second time both sides know each other's keys.
    for _ in 0..2 {
        let told = owner(&home, &["--json", "hive", "ask", "Hello", "there"]).await;
        assert_eq!(told["answer"], json!(["Good morning."]));
    }
    let checked = Launch::new(&home, &["check"]).run().await.shown();
    assert!(checked.contains("lets this device in"), "{checked}");
    let denied = Home::without_bus();
    core.joined_by(&denied, &may_not);
    let finished = Launch::new(&denied, &["hive", "ask", "Hello"]).run().await;
    let shown = finished.shown();
    assert!(
        !finished.status.success() && shown.contains("does not allow this device"),
        "{shown}"
    );
    let wrong = Home::without_bus();
    let keys = Keys {
        password: "no password that is known, 4711".to_owned(),
        ..may.clone()
    };
    core.joined_by(&wrong, &keys);
    let finished = Launch::new(&wrong, &["hive", "ask", "Hello"]).run().await;
    let shown = finished.shown();
    assert!(
        !finished.status.success() && shown.contains("password"),
        "{shown}"
    );
    // The same keys on another device.
    let another = Home::without_bus();
    core.joined_by(&another, &may);
    let finished = Launch::new(&another, &["hive", "ask", "Hello"]).run().await;
    assert!(!finished.status.success(), "{}", finished.shown());
}

#[tokio::test]
async fn a_member_answers_what_is_asked_of_all_nodes_of_a_real_hive() {
    // No program on the core's own bus answers.
    let quiet = Home::without_bus();
    let bus = Launch::new(&quiet, &["bus"]).process();
    let look = async || TcpStream::connect(("127.0.0.1", quiet.port())).await.ok();
    wait_for("a bus for the core", EXCHANGE, look).await;
    let core = Core::before(quiet.port());
    let ours = core.let_in("loquat", &[UTTERANCE]).await;
    let theirs = core.let_in("satellite", &[UTTERANCE]).await;
    let core = core.run().await;
    let scene = Scene::default();
    core.joined_by(&scene.home, &ours);
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.daemon.wrote("the hive is joined", EXCHANGE).await;
    story.brain.whenever(TESTER, "", Reply::answers("Here I am."));
    let told = Stock::new(core.port, &theirs)
        .does(&["cascade", "Is anybody there?"])
        .await;
    assert_eq!(told["said"][0]["utterance"], "Here I am.", "{told}");
    assert_eq!(told["said"][0]["by"], "loquat");
    drop(bus);
}
