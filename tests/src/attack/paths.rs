//! Paths that want out of the folder of files: generated from what means "up", what separates, what stands for another
//! place, and the links, pipes and exchanged folders that a stranger has laid there.
//!
//! No answer may hold what stands outside, and nothing outside may change.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use rustix::fs::{CWD, FileType, RenameFlags, mknodat, renameat_with};
use serde_json::{Value, json};

use super::errand::{Errands, over_the_bus};
use super::row::Row;
use super::scale::Scale;
use super::target::Target;
use crate::dice::Dice;

const FILES: &str = "ovos-filesystem-tools";

/// What stands outside and is told nowhere.
pub(super) const CANARY: &str = "canary-7f3a-of-the-neighbour";

/// Of `/etc/passwd` and of the daemon's environment.
pub(super) const SECRETS: [&str; 3] = [CANARY, "root:x:", "XDG_CONFIG_HOME="];

const STARTS: &[&str] = &[
    "",
    "/",
    "//",
    "./",
    " ",
    "\t",
    "~/",
    "~root/",
    "$HOME/",
    "\0",
    "file://",
    "notes/",
    "notes/deep/",
    "plan.txt/",
    "swap/",
    "out-folder/",
    "out-up/",
    "out-proc/",
    "out-root/",
    "hard/",
    "*/",
    "\u{feff}",
    "C:\\",
];

const UPS: &[&str] = &[
    "..",
    "..",
    "..",
    ".",
    "...",
    "....",
    "%2e%2e",
    "%252e%252e",
    "..%00",
    "..;",
    "\u{2024}\u{2024}",
    "\u{ff0e}\u{ff0e}",
    "..\u{200b}",
    "..\u{202e}",
    " ..",
    ".. ",
    "..\\..",
    ".\0.",
];

const SEPARATORS: &[&str] = &[
    "/", "/", "/", "//", "/./", "\\", "%2f", "%c0%af", "\u{2215}", "\u{2044}", "\u{ff0f}", "/ /",
];

const ENDS: &[&str] = &[
    "outside/canary.txt",
    "outside/canary.txt",
    "outside",
    "canary.txt",
    "etc/passwd",
    "proc/self/environ",
    "environ",
    "root/etc/passwd",
    "cwd/../outside/canary.txt",
    "fd/3",
    "self/root/etc/passwd",
    "out-file",
    "out-magic",
    "notes/out-deep",
    "pipe",
    "HOME",
];

const TAILS: &[&str] = &[
    "", "", "", "/", "/.", "/..", "\0", "\0.txt", " ", ".", "?x", "#x", "%00",
];

/// The folder, and what lies beside it.
struct Ground {
    home: PathBuf,
    over: Arc<AtomicBool>,
    exchanging: Option<JoinHandle<()>>,
}

/// Tries many paths, through all tools, while a folder and a link change places.
pub async fn attack(scale: Scale) -> Row {
    let target = Target::begin(|tester, home| {
        Errands::prepare(home);
        home.setting("tools.expose", &json!([FILES]).to_string());
        tester
            .toolboxes(&[FILES])
            .setting(FILES, json!({"allow_write": true}))
    })
    .await;
    let ground = Ground::lay(target.home.path());
    let errands = Errands::begin(&target.brain);
    let mut row = Row::default();
    let inside = over_the_bus(&target, FILES, ("read_file", &json!({"path": "plan.txt"}))).await;
    row.demand(inside.contains("harmless"), || {
        format!("a good path is not read: {inside}")
    });
    let write = json!({"path": "new.txt", "content": "new"});
    let written = errands.run(&target, 0, ("write_file", &write)).await;
    row.demand(written.done && ground.root().join("new.txt").is_file(), || {
        format!("a good path is not written: {}", written.text)
    });
    let mut dice = Dice::new(scale.seed);
    let (mut asked, mut question) = (0, None);
    for number in 1..=scale.ways_out {
        let path = path(&mut dice, &ground);
        for (tool, arguments) in calls(&path) {
            let told = over_the_bus(&target, FILES, (tool, &arguments)).await;
            ground.judge(&mut row, &told, &json!([tool, arguments]));
            row.count += 1;
        }
        let arguments = json!({"path": path, "content": "changed"});
        let told = errands.run(&target, number, ("write_file", &arguments)).await;
        ground.judge(&mut row, &told.text, &json!(["write_file", arguments]));
        row.demand(told.ended, || format!("the turn with {path:?} has no end"));
        row.count += 1;
        asked += usize::from(told.asked);
        if number == scale.ways_out / 2 {
            question = target.ask().await;
        }
    }
    ground.end();
    row.seen = format!(
        "{} escapes of {} paths, {asked} writes were asked about",
        row.faults.len(),
        scale.ways_out
    );
    row.faults.truncate(5);
    target.judged(row, question).await
}

fn calls(path: &str) -> [(&'static str, Value); 4] {
    [
        ("read_file", json!({"path": path})),
        ("list_directory", json!({"path": path})),
        ("find_files", json!({"path": path, "glob": "*canary*"})),
        (
            "search_in_files",
            json!({"path": path, "pattern": "canary-7f3a|root:x"}),
        ),
    ]
}

fn path(dice: &mut Dice, ground: &Ground) -> String {
    let mut path = (*dice.pick(STARTS)).to_owned();
    for _ in 0..dice.index(5) {
        path.push_str(dice.pick::<&str>(UPS));
        path.push_str(dice.pick::<&str>(SEPARATORS));
    }
    let end = match dice.index(6) {
        0 => ground.canary().display().to_string(),
        1 => format!("{}/../outside/canary.txt", ground.root().display()),
        _ => (*dice.pick(ENDS)).to_owned(),
    };
    path + &end + dice.pick::<&str>(TAILS)
}

impl Ground {
    fn lay(home: &Path) -> Self {
        let ground = Self {
            home: home.to_owned(),
            over: Arc::default(),
            exchanging: None,
        };
        let root = ground.root();
        for folder in ["notes/deep", "swap"] {
            fs::create_dir_all(root.join(folder)).expect("a folder can be made");
        }
        fs::create_dir(ground.outside()).expect("a folder can be made");
        for file in ["plan.txt", "notes/deep/idea.txt", "swap/canary.txt"] {
            fs::write(root.join(file), "harmless").expect("a file can be written");
        }
        fs::write(ground.canary(), CANARY).expect("a file can be written");
        for (to, name) in [
            ("../outside/canary.txt", "out-file"),
            ("../outside", "out-folder"),
            ("..", "out-up"),
            ("/", "out-root"),
            ("/proc/self", "out-proc"),
            ("/proc/self/environ", "out-magic"),
            ("../../outside/canary.txt", "notes/out-deep"),
            ("../outside", "swap-link"),
        ] {
            symlink(to, root.join(name)).expect("a link can be made");
        }
        mknodat(CWD, root.join("pipe"), FileType::Fifo, 0o666.into(), 0).expect("a pipe can be made");
        ground.exchanging()
    }

    /// Exchanges a folder and a link for as long as the attack lasts, so that what was judged is not what is opened.
    fn exchanging(mut self) -> Self {
        let (folder, link) = (self.root().join("swap"), self.root().join("swap-link"));
        let over = Arc::clone(&self.over);
        self.exchanging = Some(thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                // A file system that cannot exchange names is no fault of the daemon.
                if renameat_with(CWD, &folder, CWD, &link, RenameFlags::EXCHANGE).is_err() {
                    return;
                }
            }
        }));
        self
    }

    fn root(&self) -> PathBuf {
        self.home.join("Documents")
    }

    fn outside(&self) -> PathBuf {
        self.home.join("outside")
    }

    fn canary(&self) -> PathBuf {
        self.outside().join("canary.txt")
    }

    fn judge(&self, row: &mut Row, told: &str, attack: &Value) {
        for secret in SECRETS {
            row.demand(!told.contains(secret), || format!("{attack} tells {secret:?}"));
        }
        let is_whole = fs::read_to_string(self.canary()).is_ok_and(|text| text == CANARY);
        row.demand(is_whole, || format!("{attack} has changed what stands outside"));
        let beside = fs::read_dir(self.outside()).map_or(0, Iterator::count);
        row.demand(beside == 1, || format!("{attack} has left something outside"));
    }

    fn end(mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(exchanging) = self.exchanging.take() {
            exchanging.join().expect("exchanging names does not panic");
        }
    }
}
