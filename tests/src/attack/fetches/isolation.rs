//! A namespace of network and mounts in which every address leads to this machine, and names are looked up with us.

use tempfile::NamedTempFile;
use tokio::process::Command;

use crate::attack::row::Row;
use crate::attack::scale::Scale;
use crate::binaries::{self, setting};

/// Set within the namespace.
const INSIDE: &str = "LOQUAT_ISOLATED";

/// Makes all addresses local, some of them those of a home, and names ours; and becomes the attack.
const ENTER: &str = "ip link set lo up && ip route add local 0.0.0.0/0 dev lo && ip -6 route add local ::/0 dev lo && \
     ip addr add 151.101.7.7/24 dev lo && ip -6 addr add 2a02:1234:5678:9abc::7/64 dev lo nodad && mount --bind \"$0\" /etc/resolv.conf && exec \"$@\"";

/// Tells whether this process is within it.
pub fn is_isolated() -> bool {
    setting(INSIDE).is_some()
}

/// Runs the attack of this name in a process within, and gives its row. Where this machine makes no namespace nothing is
/// tested, and the row says so; the tests of the toolbox itself try such addresses on any machine.
pub(super) async fn run(scale: Scale, attack: &str) -> Row {
    let names = NamedTempFile::new().expect("a temporary file can be made");
    std::fs::write(names.path(), "nameserver 127.0.0.1\n").expect("the temporary file can be written");
    let mut command = Command::new("unshare");
    command
        .args(["-r", "-n", "-m", "sh", "-c", ENTER])
        .arg(names.path());
    command.arg(binaries::attack());
    command.env(INSIDE, "1").env("ATTACKS", attack);
    command.env("SEED", scale.seed.to_string()).kill_on_drop(true);
    if scale.ways_out == Scale::short().ways_out {
        command.env("SHORT", "1");
    }
    let mut row = Row::default();
    let output = match command.output().await {
        Ok(output) => output,
        Err(error) => {
            row.seen = format!("not tested: unshare cannot be started: {error}");
            return row;
        }
    };
    let told = String::from_utf8_lossy(&output.stdout);
    let remarks = String::from_utf8_lossy(&output.stderr);
    let own = told.lines().find(|line| line.starts_with('{'));
    if let Some(own) = own.and_then(|line| serde_json::from_str(line).ok()) {
        return own;
    }
    let first = remarks.lines().next().unwrap_or_default();
    if ["unshare:", "ip:", "RTNETLINK", "mount:", "sh:"]
        .iter()
        .any(|beginning| first.starts_with(beginning))
    {
        row.seen = format!("not tested: {first}");
    } else {
        row.fault(format!("the attack broke off: {told}{remarks}"));
    }
    row
}
