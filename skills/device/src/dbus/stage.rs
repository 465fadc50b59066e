//! A D-Bus of its own for a test, with mocks of the services of a device (python3-dbusmock) on it.
//!
//! The real services of the machine that runs the test are never asked.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use loquat_agent::toolbox::{Circumstances, Outcome, ToolError, Toolbox};
use serde_json::Value;
use tempfile::TempDir;
use tokio::time::Instant;
use zbus::Connection;

use crate::dbus::DeviceBus;
use loquat_kit::Skill;
use loquat_kit::function::FunctionToolbox;
use loquat_kit::wording::Wording;

/// For programs to start, and for what they change.
pub(crate) const DEADLINE: Duration = Duration::from_secs(30);

/// The bus, and the programs on it; both end with the test.
pub(crate) struct Stage {
    folder: TempDir,
    programs: Vec<Child>,
    connection: Connection,
}

impl Stage {
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let address = format!("unix:path={}", folder.path().join("bus").display());
        let listening = format!("--address={address}");
        let daemon = start(
            &folder,
            "dbus-daemon",
            &["--session", "--nofork", "--nopidfile", &listening],
        );
        let deadline = Instant::now() + DEADLINE;
        let connection = loop {
            let opened = zbus::connection::Builder::address(address.as_str()).build().await;
            match opened {
                Ok(connection) => break connection,
                Err(error) => assert!(Instant::now() < deadline, "{error}"),
            }
            tokio::task::yield_now().await;
        };
        Self {
            folder,
            programs: vec![daemon],
            connection,
        }
    }

    /// Starts a mock, and waits until it has this name.
    pub(crate) async fn mock(&mut self, template: &str, name: &'static str, parameters: &Value) {
        let log = self.folder.path().join("log");
        let (log, parameters) = (log.display().to_string(), parameters.to_string());
        let arguments = [
            "-m",
            "dbusmock",
            "--template",
            template,
            "--logfile",
            &log,
            "--parameters",
            &parameters,
        ];
        let mock = start(&self.folder, "/usr/bin/python3", &arguments);
        self.programs.push(mock);
        let bus = zbus::fdo::DBusProxy::new(&self.connection).await.expect("a bus");
        let deadline = Instant::now() + DEADLINE;
        let name = zbus::names::BusName::from_static_str(name).expect("a name");
        while !bus.name_has_owner(name.clone()).await.expect("an answer") {
            assert!(
                Instant::now() < deadline,
                "{name} does not come up; ./daemon/packages.sh test installs python3-dbusmock"
            );
            tokio::task::yield_now().await;
        }
    }

    /// Calls a method of a mock: name, path, interface and method.
    pub(crate) async fn call<B>(&self, [name, path, interface, method]: [&str; 4], body: &B) -> zbus::Message
    where
        B: serde::Serialize + zbus::DynamicType,
    {
        let reply = self
            .connection
            .call_method(Some(name), path, Some(interface), method, body)
            .await;
        reply.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Where programs of the test find the bus.
    pub(crate) fn address(&self) -> String {
        format!("unix:path={}", self.folder.path().join("bus").display())
    }

    /// What the mocks were asked.
    pub(crate) fn asked(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    /// Both of the device's buses are this one.
    pub(crate) fn bus(&self) -> DeviceBus {
        DeviceBus::of_system(Some(self.address()))
    }

    /// Calls a tool of a toolbox on this bus as a person's turn does.
    pub(crate) async fn tool(&self, make: Make, tool: &str, arguments: Value) -> Outcome {
        let called = run(&toolbox_on(make, &self.bus()), tool, arguments).await;
        called.expect("an outcome")
    }

    /// Calls a tool of a toolbox, and gives what is said of it.
    pub(crate) async fn spoken(&self, make: Make, tool: &str, arguments: Value) -> String {
        let outcome = self.tool(make, tool, arguments).await;
        outcome.spoken.expect("a sentence")
    }
}

/// A skill, and what makes its toolbox on a bus.
pub(crate) type Make = (&'static Skill, fn(&DeviceBus, &Wording) -> FunctionToolbox);

/// The toolbox on a bus, with the sentences of its skill alone.
pub(crate) fn toolbox_on((skill, make): Make, bus: &DeviceBus) -> FunctionToolbox {
    make(bus, &wording(skill))
}

/// The sentences of a skill alone.
pub(crate) fn wording(skill: &'static Skill) -> Wording {
    Wording::new(Skill::locales([skill]).into())
}

/// Calls a tool of a toolbox in English.
pub(crate) async fn run(
    toolbox: &FunctionToolbox,
    tool: &str,
    arguments: Value,
) -> Result<Outcome, ToolError> {
    let person = Circumstances {
        lang: Some("en-US".to_owned()),
        ..Circumstances::default()
    };
    let arguments = serde_json::from_value(arguments).expect("an object");
    toolbox.call(tool, arguments, &person).await
}

/// Where no service is, every tool of a toolbox says so in each language, and names the mend; and which of its tools ask first
/// is what the test expects.
pub(crate) async fn tells_what_is_missing(make: Make, calls: &[(&str, Value)], asking: &[&str]) {
    let nowhere = DeviceBus::of_system(None);
    tells_what_is_missing_on(make, calls, asking, &nowhere, "install and start dbus").await;
}

/// As above, of services on a bus whose absence is mended so.
pub(crate) async fn tells_what_is_missing_on(
    make: Make,
    calls: &[(&str, Value)],
    asking: &[&str],
    nowhere: &DeviceBus,
    mend: &str,
) {
    let stage = Stage::new().await;
    let toolbox = toolbox_on(make, nowhere);
    for (tool, arguments) in calls {
        let outcome = stage.tool(make, tool, arguments.clone()).await;
        let problem = outcome.result["problem"].as_str().expect("a problem");
        assert!(
            problem.contains("no program has this name on D-Bus; start"),
            "{problem}"
        );
        outcome.spoken.expect("a sentence");
        let without = run(&toolbox, tool, arguments.clone()).await;
        let without = without.expect("an outcome");
        let problem = without.result["problem"].as_str().expect("a problem");
        assert!(problem.contains(mend), "{problem}");
    }
    let tools = toolbox.tools();
    let asks = tools
        .iter()
        .filter(|tool| tool.confirm != loquat_agent::toolbox::Confirm::Never);
    let asks: Vec<&str> = asks.map(|tool| tool.name.as_str()).collect();
    assert_eq!(asks, asking);
}

fn start(folder: &TempDir, program: &str, arguments: &[&str]) -> Child {
    let address = format!("unix:path={}", folder.path().join("bus").display());
    let started = Command::new(program)
        .args(arguments)
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("HOME", folder.path())
        .env("DBUS_SESSION_BUS_ADDRESS", &address)
        .env("DBUS_SYSTEM_BUS_ADDRESS", &address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    started.unwrap_or_else(|error| {
        panic!("{program} cannot be started ({error}); ./daemon/packages.sh test installs it")
    })
}

impl Drop for Stage {
    fn drop(&mut self) {
        for program in &mut self.programs {
            program.kill().ok();
            program.wait().ok();
        }
    }
}
