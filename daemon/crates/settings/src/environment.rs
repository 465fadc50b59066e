//! What the process environment says, read once.
//!
//! Everything else takes a snapshot as an argument, so tests pass a map and no test depends on the machine.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A snapshot of the process environment.
#[derive(Debug, Clone)]
pub struct Environment {
    variables: BTreeMap<String, String>,
    system_root: PathBuf,
    user_id: u32,
}

impl Environment {
    /// Reads the environment of this process. No other place looks at it.
    pub fn from_process() -> Self {
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        Self {
            variables,
            system_root: PathBuf::from("/"),
            // The owner of the process's own entry is its effective user.
            user_id: std::fs::metadata("/proc/self").map_or(0, |entry| entry.uid()),
        }
    }

    /// Makes an environment of these variables and no others.
    pub fn from_pairs<Name: Into<String>, Value: Into<String>>(
        pairs: impl IntoIterator<Item = (Name, Value)>,
    ) -> Self {
        Self {
            variables: pairs
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
            system_root: PathBuf::from("/"),
            user_id: 0,
        }
    }

    /// Looks for system files (`/etc`, `/usr/share`, `/tmp`) below this folder instead of `/`.
    #[must_use]
    pub fn with_system_root(mut self, root: impl Into<PathBuf>) -> Self {
        self.system_root = root.into();
        self
    }

    /// Acts for this user.
    #[must_use]
    pub fn with_user_id(mut self, user_id: u32) -> Self {
        self.user_id = user_id;
        self
    }

    /// Gives the address of the D-Bus of the person who is logged in, where there is one.
    pub fn session_bus(&self) -> Option<String> {
        let named = self.variable("DBUS_SESSION_BUS_ADDRESS").map(str::to_owned);
        let usual = || {
            let socket = self.path("XDG_RUNTIME_DIR")?.join("bus");
            socket.exists().then(|| format!("unix:path={}", socket.display()))
        };
        named.or_else(usual)
    }

    /// Gives a variable. One that is set to nothing counts as absent.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// Lists the variables whose name begins like this, in order.
    pub fn beginning_with<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.variables
            .iter()
            .filter(move |(name, _)| name.starts_with(prefix))
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Reads a variable that holds an absolute path; the XDG rules ignore relative ones.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        self.variable(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    }

    /// Reads the first of the colon-separated absolute paths that systemd puts into variables such as
    /// `STATE_DIRECTORY`.
    pub fn first_path(&self, name: &str) -> Option<PathBuf> {
        self.variable(name)?
            .split(':')
            .map(PathBuf::from)
            .find(|path| path.is_absolute())
    }

    /// Finds the person's home. Services without one are often given `/`, which is no home.
    pub fn home(&self) -> Option<PathBuf> {
        self.path("HOME").filter(|home| home != Path::new("/"))
    }

    /// Gives `$XDG_CONFIG_HOME`, else `~/.config`.
    pub fn config_home(&self) -> Option<PathBuf> {
        self.xdg("XDG_CONFIG_HOME", ".config")
    }

    /// Gives `$XDG_DATA_HOME`, else `~/.local/share`.
    pub fn data_home(&self) -> Option<PathBuf> {
        self.xdg("XDG_DATA_HOME", ".local/share")
    }

    /// Gives `$XDG_STATE_HOME`, else `~/.local/state`.
    pub fn state_home(&self) -> Option<PathBuf> {
        self.xdg("XDG_STATE_HOME", ".local/state")
    }

    /// Gives the path of a file or folder of the whole machine, for example of `etc/loquat`.
    pub fn system_path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.system_root.join(relative)
    }

    /// Gives the number of the user that this process acts for.
    pub fn user_id(&self) -> u32 {
        self.user_id
    }

    /// Replaces a leading `~/` by the person's home.
    pub fn expand_home(&self, path: &Path) -> PathBuf {
        match (path.strip_prefix("~"), self.home()) {
            (Ok(rest), Some(home)) => home.join(rest),
            _ => path.to_owned(),
        }
    }

    fn xdg(&self, variable: &str, below_home: &str) -> Option<PathBuf> {
        self.path(variable)
            .or_else(|| Some(self.home()?.join(below_home)))
    }
}
