//! Files called `AGENTS.md` beside a persona, each of which is another file of this machine.

use std::fs::{self, create_dir_all, hard_link};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, mknodat};
use serde_json::json;

use crate::attack::row::Row;
use crate::attack::target::Target;
use crate::dice::Dice;
use crate::home::Home;
use crate::persona::Persona;
use crate::story::TESTER;

const MODULE: &str = "ovos-agents-md-context-plugin";

/// What no persona's server may be sent: of the files, of the environment and of `/etc/passwd`.
const SECRETS: [&str; 3] = ["canary-93e1-of-the-owner", "XDG_CONFIG_HOME=", "root:x:"];

/// What stands in the one file that may be used.
const OWN: &str = "The cat of this house is called Tom.";

/// The files that were laid.
#[derive(Debug)]
pub(super) struct Laid(Vec<String>);

impl Laid {
    /// Lays so many of them.
    pub(super) fn lay(home: &Home, dice: &mut Dice, count: usize) -> Self {
        let text = format!("# Secret\n{}\n", SECRETS[0]);
        let secret = home.write("config/loquat/openai.key", &text);
        let folder = home.write("outside/AGENTS.md", &text);
        let folder = folder.parent().expect("it has a folder").to_owned();
        let personas = home.path().join("config/ovos_persona");
        home.write("config/ovos_persona/own/AGENTS.md", &format!("# House\n{OWN}\n"));
        let one = |number| laid((number, dice), &personas, (&secret, &folder));
        Self((0..count).map(one).collect())
    }

    /// Gives this persona a list of all of them.
    pub(super) fn listed_by(&self, persona: Persona) -> Persona {
        let own = "own/AGENTS.md".to_owned();
        let all: Vec<&String> = self.0.iter().chain([&own]).collect();
        persona
            .key("memory_module", json!(MODULE))
            .key(MODULE, json!({"agents_md_sources": all, "max_tokens": 100_000}))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Tells whether any was sent, and each was named.
    pub(super) fn judge(&self, target: &Target, row: &mut Row) {
        let sent: String = target
            .brain
            .requests(TESTER)
            .iter()
            .map(crate::brain::Request::text)
            .collect();
        row.demand(sent.contains(OWN), || "the persona's own file is not used".into());
        for secret in SECRETS {
            row.demand(!sent.contains(secret), || format!("{secret} was sent"));
        }
        let log = target.daemon.output();
        for path in &self.0 {
            row.demand(log.contains(&format!("{path} is not used: ")), || {
                format!("{path} is refused without a word")
            });
        }
    }
}

/// Lays one of them, and gives its path from the persona's folder on.
fn laid((number, dice): (usize, &mut Dice), personas: &Path, (secret, outside): (&Path, &Path)) -> String {
    let depth = 1 + dice.index(3);
    let steps: Vec<String> = (0..depth).map(|step| format!("{number}-{step}")).collect();
    let at = steps.join("/");
    let file = personas.join(&at).join("AGENTS.md");
    let linked = |to: &Path| {
        make_way(&file);
        symlink(to, &file).expect("a link can be made");
    };
    match number % 12 {
        0 => linked(secret),
        1 => linked(Path::new("/proc/self/environ")),
        2 => linked(Path::new("/etc/passwd")),
        3 => {
            let up = "../".repeat(depth + 1) + "loquat/openai.key";
            linked(Path::new(&up));
        }
        // A chain of links.
        4 => {
            linked(Path::new("next"));
            symlink(secret, file.with_file_name("next")).expect("a link can be made");
        }
        // A folder on the way, at any depth.
        5 | 6 => {
            let folder = personas.join(&at);
            make_way(&folder);
            symlink(outside, folder).expect("a link can be made");
        }
        7 => {
            make_way(&file);
            hard_link(secret, &file).expect("a hard link can be made");
        }
        8 => {
            make_way(&file);
            mknodat(CWD, &file, FileType::Fifo, 0o666.into(), 0).expect("a pipe can be made");
        }
        9 => linked(Path::new("/dev/zero")),
        10 => others((&file, secret)),
        _ => return format!("{at}/{}outside/AGENTS.md", "../".repeat(depth + 2)),
    }
    format!("{at}/AGENTS.md")
}

/// Lays the file of another user, where this one may make such; a second name of the secret elsewhere.
fn others((file, secret): (&PathBuf, &Path)) {
    make_way(file);
    fs::copy(secret, file).expect("a file can be written");
    if std::os::unix::fs::chown(file, Some(65534), Some(65534)).is_err() {
        fs::remove_file(file).expect("it was written");
        hard_link(secret, file).expect("a hard link can be made");
    }
}

fn make_way(file: &Path) {
    let folder = file.parent().expect("it lies in a folder");
    create_dir_all(folder).expect("a folder can be made");
}
