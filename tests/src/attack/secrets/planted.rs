//! The secrets themselves, and the paths on which they are planted.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::mirror::Mirror;
use crate::binaries;
use crate::daemon::Launch;
use crate::home::Home;
use crate::persona::Persona;

/// What a person says that others must not read.
pub(super) const SAID: &str = "planted-words-marigold";

/// All who are asked: the usual persona, and one for each way in which a key is kept.
pub(super) const PERSONAS: [&str; 4] = ["Tester", "Filed", "Credited", "Addressed"];

/// Where the service manager lays credentials.
const CREDENTIALS: &str = "credentials";

/// Each by its path.
pub(super) struct Secrets(Vec<(&'static str, String)>);

/// The paths.
const INLINE: &str = "key-in-a-persona";
const FILED: &str = "key-in-a-file";
const CREDITED: &str = "key-as-a-credential";
const ADDRESSED: &str = "password-in-an-address";
const HOME: &str = "token-of-the-home";
const MCP_TOKEN: &str = "token-of-an-mcp-server";
const MCP_VARIABLE: &str = "variable-of-an-mcp-server";
const PAGE_METRICS: &str = "token-of-figures";
const PAGE_MCP: &str = "token-of-the-mcp-door";
const MYCROFT: &str = "key-in-mycroft-conf";
const VARIABLE: &str = "variable-of-the-service";
const SEARCH: &str = "password-in-the-address-of-a-search";
const HOME_ADDRESS: &str = "password-in-the-address-of-the-home";

/// Those that a server has to be sent, so that they can be told on.
const SENT: [&str; 3] = [FILED, CREDITED, MCP_TOKEN];

impl Default for Secrets {
    fn default() -> Self {
        let paths = [
            INLINE,
            FILED,
            CREDITED,
            ADDRESSED,
            HOME,
            MCP_TOKEN,
            MCP_VARIABLE,
            PAGE_METRICS,
            PAGE_MCP,
            MYCROFT,
            VARIABLE,
            SEARCH,
            HOME_ADDRESS,
        ];
        Self(
            paths
                .into_iter()
                .map(|path| (path, format!("sk-{path}-4711")))
                .collect(),
        )
    }
}

impl Secrets {
    pub(super) fn count(&self) -> usize {
        self.0.len() + 1
    }

    /// Lists all but what is said.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(path, secret)| (*path, secret.as_str()))
    }

    fn of(&self, path: &str) -> &str {
        let mut all = self.all();
        all.find(|(known, _)| *known == path)
            .map(|(_, secret)| secret)
            .expect("each path has a secret")
    }

    /// Writes a setting that is refused, since no password may stand in it.
    pub(super) fn refused(&self) -> String {
        format!(
            "home_assistant.url=\"http://robert:{}@127.0.0.1\"",
            self.of(HOME_ADDRESS)
        )
    }

    /// Those that the mirror has to be sent.
    pub(super) fn sent(&self) -> Vec<&str> {
        SENT.iter().map(|path| self.of(path)).collect()
    }

    /// Plants them; the usual persona gets its own.
    pub(super) fn plant(&self, tester: Persona, home: &Home, mirror: &Mirror) -> Persona {
        let quoted = |text: &str| format!("{text:?}");
        let file = |name: &str, path: &str| {
            let file = home.write(name, &format!("{}\n", self.of(path)));
            fs::set_permissions(&file, Permissions::from_mode(0o600)).expect("the home can be written");
            file.display().to_string()
        };
        file(&format!("{CREDENTIALS}/brain"), CREDITED);
        file(&format!("{CREDENTIALS}/home_assistant"), HOME);
        file(&format!("{CREDENTIALS}/server"), MCP_VARIABLE);
        let keys = [
            (
                "Filed",
                mirror.url(""),
                json!({"file": file("config/loquat/brain.key", FILED)}),
            ),
            ("Credited", mirror.url(""), json!({"credential": "brain"})),
            ("Addressed", mirror.url(self.of(ADDRESSED)), Value::Null),
        ];
        for (name, url, key) in keys {
            home.persona(&Persona::react(name, &format!("{url}/v1")).brain("key", key));
        }
        home.setting(
            "page.metrics_token",
            &quoted(&file("config/loquat/metrics.token", PAGE_METRICS)),
        );
        home.setting(
            "page.mcp_token",
            &quoted(&file("config/loquat/mcp.token", PAGE_MCP)),
        );
        home.setting("home_assistant.url", &quoted(&mirror.url("")));
        home.setting("web.search_url", &quoted(&mirror.url(self.of(SEARCH))));
        home.mycroft_conf(
            &json!({"openai": {"key": self.of(MYCROFT)}, "server": {"token": self.of(MYCROFT)}}),
        );
        let program = binaries::mcp_server().display().to_string();
        let log = home.path().join("mcp.log").display().to_string();
        let token = file("config/loquat/server.token", MCP_TOKEN);
        home.add_settings(&format!(
            "[mcp.servers.near]\ncommand = {program:?}\nargs = [\"honest\", {log:?}]\nenv = {{ KEY = {{ credential = \"server\" }} }}\n\
             [mcp.servers.far]\nurl = \"{}/mcp\"\ntoken = {{ file = {token:?} }}\n",
            mirror.url("")
        ));
        tester.brain("key", json!(self.of(INLINE)))
    }

    /// Hands over what the service manager does.
    pub(super) fn hand_over<'a>(&self, launch: Launch<'a>) -> Launch<'a> {
        let folder = launch.home().path().join(CREDENTIALS);
        launch
            .env("CREDENTIALS_DIRECTORY", folder)
            .env("OPENAI_API_KEY", self.of(VARIABLE))
    }
}
