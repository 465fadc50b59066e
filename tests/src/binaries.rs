//! Finds the programs of the workspace that a test drives.

use std::env;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Finds the daemon, built beside this program.
pub fn loquat() -> PathBuf {
    program("loquat")
}

/// Finds the program that serves the model of this device.
pub fn local_brain() -> PathBuf {
    program("loquat-local-brain")
}

/// Finds an MCP server of all manners.
pub fn mcp_server() -> PathBuf {
    program("mcp_server")
}

/// Finds the client of the MCP conformance suite.
pub fn mcp_conformance_client() -> PathBuf {
    program("mcp_conformance_client")
}

/// Finds the program of `make attack`.
pub fn attack() -> PathBuf {
    program("attack")
}

/// Finds a program that speaks in tones.
pub fn speaker() -> PathBuf {
    program("speaker")
}

/// Reads a setting of the person who runs the tests.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place where the test kit reads the environment"
)]
pub fn setting(key: &str) -> Option<String> {
    env::var(key).ok().filter(|value| !value.is_empty())
}

/// Reads how often something is to be done, where the person who runs the tests says so.
///
/// # Panics
/// When that is no number.
pub fn wanted<T: FromStr>(key: &str, usual: T) -> T {
    let said = setting(key);
    said.map_or(usual, |said| {
        said.parse().unwrap_or_else(|_| panic!("{key} is a number"))
    })
}

/// Finds a program beside the test's own, which cargo puts into `target/<profile>` or its `deps` folder.
fn program(name: &str) -> PathBuf {
    let own = env::current_exe().expect("a running program has a path");
    let folder = own.parent().expect("a program lies in a folder");
    let places = [Some(folder), folder.parent()];
    let found = places
        .into_iter()
        .flatten()
        .map(|place| place.join(name))
        .find(|path| path.is_file());
    found.unwrap_or_else(|| {
        panic!(
            "{name} is not built yet: `make test` builds it beside {}",
            shown(folder.parent())
        )
    })
}

fn shown(path: Option<&Path>) -> String {
    path.map(|path| path.display().to_string()).unwrap_or_default()
}
