//! A D-Bus of the test's own, its tools, and a media player on it.
//!
//! Its socket has no place in a folder, so that other users reach it too.

use std::path::Path;
use std::process::Output;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::process::Command;

use crate::process::Process;
use crate::wait::{PATIENCE, wait_for, within};

/// Every user may do everything.
const OPEN: &str = r#"<policy context="default">
  <allow user="*"/><allow own="*"/>
  <allow send_destination="*"/><allow receive_sender="*"/>
</policy>"#;

/// As the bus of a machine begins: names and calls have to be allowed, signals and answers are.
const CLOSED: &str = r#"<policy context="default">
  <allow user="*"/><deny own="*"/><deny send_type="method_call"/>
  <allow send_type="signal"/><allow send_requested_reply="true" send_type="method_return"/>
  <allow send_requested_reply="true" send_type="error"/>
  <allow receive_type="method_call"/><allow receive_type="method_return"/>
  <allow receive_type="error"/><allow receive_type="signal"/>
  <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus"/>
</policy>"#;

/// The bus; it ends with this value.
#[derive(Debug)]
pub struct DbusDaemon {
    address: String,
    daemon: Process,
}

impl DbusDaemon {
    /// One on which every user may do everything; its configuration lies in `folder`.
    pub async fn open(folder: &Path) -> Self {
        Self::at(&free_address(), folder, OPEN).await
    }

    /// Starts an open one at this address.
    pub async fn open_at(address: &str, folder: &Path) -> Self {
        Self::at(address, folder, OPEN).await
    }

    /// One that forbids as the bus of a machine does, and allows what `policy` does.
    pub async fn closed(folder: &Path, policy: &str) -> Self {
        Self::at(&free_address(), folder, &format!("{CLOSED}{policy}")).await
    }

    async fn at(address: &str, folder: &Path, policies: &str) -> Self {
        let file = folder.join("dbus.conf");
        let text = format!(
            "<busconfig><type>session</type><listen>{address}</listen><auth>EXTERNAL</auth>{policies}</busconfig>"
        );
        std::fs::write(&file, text).expect("the test's own folder can be written");
        let mut command = Command::new("dbus-daemon");
        command
            .args(["--nofork", "--nopidfile", "--config-file"])
            .arg(&file);
        let daemon = Process::spawn("dbus-daemon", command);
        let bus = Self {
            address: address.to_owned(),
            daemon,
        };
        wait_for("the D-Bus", PATIENCE, async || {
            let list = [
                "call",
                "org.freedesktop.DBus",
                "/",
                "org.freedesktop.DBus",
                "GetId",
            ];
            bus.busctl(&list).await.status.success().then_some(())
        })
        .await;
        bus
    }

    /// Ends it, so that another can have its address.
    pub async fn close(mut self) {
        self.daemon.kill();
        self.daemon.gone().await;
    }

    /// Gives what `DBUS_SESSION_BUS_ADDRESS` has to be.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Runs `busctl --user` on it.
    pub async fn busctl(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("busctl");
        command.args(["--user", "--timeout=20"]).args(arguments);
        self.run(command).await
    }

    /// Runs `busctl` on it as another user, which root alone can.
    pub async fn busctl_as(&self, user: u32, arguments: &[&str]) -> Output {
        let mut command = Command::new("setpriv");
        let (user, group) = (format!("--reuid={user}"), format!("--regid={user}"));
        command.args([&user, &group, "--clear-groups", "busctl", "--user"]);
        command.arg("--timeout=20").args(arguments);
        self.run(command).await
    }

    /// Runs `gdbus call --session` on it.
    pub async fn gdbus_call(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("gdbus");
        command.args(["call", "--session"]).args(arguments);
        self.run(command).await
    }

    async fn run(&self, mut command: Command) -> Output {
        command
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            .kill_on_drop(true);
        let output = within("a tool of D-Bus", PATIENCE, command.output()).await;
        output.expect("./daemon/packages.sh test installs the tools of D-Bus")
    }

    /// A mock of python3-dbusmock that stands in for the service of this name; it ends with the value.
    pub async fn mock(&self, template: &str, name: &str) -> Process {
        let mut command = Command::new("/usr/bin/python3");
        command
            .args(["-m", "dbusmock", "--template", template])
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            .env("DBUS_SYSTEM_BUS_ADDRESS", &self.address);
        let mock = Process::spawn(template, command);
        let call = [
            "call",
            "org.freedesktop.DBus",
            "/",
            "org.freedesktop.DBus",
            "GetNameOwner",
            "s",
            name,
        ];
        wait_for(name, PATIENCE, async || {
            self.busctl(&call).await.status.success().then_some(())
        })
        .await;
        mock
    }

    /// Starts a player that plays a silent file over and over, and shows itself by this script of mpv.
    pub fn player(&self, folder: &Path) -> Process {
        let file = crate::sound::noise(folder);
        let mut command = Command::new("mpv");
        command
            .args(["--no-config", "--ao=null", "--vo=null", "--loop=inf"])
            .args(["--script=/usr/lib/mpv-mpris/mpris.so"])
            .arg(&file)
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", folder)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address);
        Process::spawn("mpv", command)
    }
}

/// Makes an address that no other test has, and no bus yet.
pub fn free_address() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("unix:abstract=loquat-test-{}-{number}", std::process::id())
}

/// Joins what a tool wrote, whether it was content or not.
pub fn shown(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}
