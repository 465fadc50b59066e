//! Commands that want more than their program: generated from programs that start others, options that do, signs of a shell,
//! variables, working folders and links, each with something to read, to change, to reach or to end outside.
//!
//! A person has said yes to each, so that nothing but the confinement is left.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::errand::Errands;
use super::paths::{CANARY, SECRETS};
use super::row::Row;
use super::scale::Scale;
use super::target::Target;
use crate::dice::Dice;

const SHELL: &str = "ovos-shell-tools";

/// What is done to `T`; the first half reads, the second changes.
const DEEDS: &[&str] = &[
    "cat T",
    "head -c 99 T",
    "dd if=T",
    "sort T",
    "sed -n p T",
    "awk //{print} T",
    "grep -r . T",
    "tar cf - T",
    "cp T here.txt",
    "ln T here.txt",
    "ln -s T here.txt",
    "base64 T",
    "od -c T",
    "wc --files0-from=T",
    "date -f T",
    "diff plan.txt T",
    "xargs -a T echo",
    "tac T",
    "perl -pe 1 T",
    "bash T",
    "touch T",
    "tee T",
    "sort -o T plan.txt",
    "sed -i s/c/x/ T",
    "dd if=plan.txt of=T",
    "cp -f plan.txt T",
    "truncate -s 0 T",
    "rm -f T",
    "mv plan.txt T",
    "chmod 0 T",
    "find T -delete",
    "ln -f plan.txt T",
    "install plan.txt T",
    "shred -u T",
];

/// What is done to the machine: `PORT` listens, `PID` is the daemon.
const REACHES: &[&str] = &[
    "bash -c 'echo x > /dev/tcp/127.0.0.1/PORT'",
    "bash -c 'echo x > /dev/udp/127.0.0.1/PORT'",
    "curl -m 1 http://127.0.0.1:PORT/",
    "perl -MIO::Socket::INET -e 'IO::Socket::INET->new(q(127.0.0.1:PORT))'",
    "kill -9 PID",
    "kill -STOP PID",
    "bash -c 'kill -9 PID'",
    "bash -c 'kill -9 -1'",
    "gdb -p PID",
    "cat /proc/PID/environ",
    "cat /proc/PID/root/etc/passwd",
    "ls /proc/PID/cwd/outside",
    "perl -e 'kill 9, PID'",
    "dd if=/proc/PID/mem count=1",
];

/// What stands around a deed, which is `D`.
const WAYS: &[&str] = &[
    "D",
    "D",
    "sh -c 'D'",
    "bash -c 'D'",
    "env D",
    "env -i D",
    "env X=1 D",
    "env -S 'D'",
    "nice D",
    "timeout 2 D",
    "nohup D",
    "setsid D",
    "stdbuf -o0 D",
    "find . -maxdepth 0 -exec D ';'",
    "xargs -a one.txt D",
    "perl -e 'exec q(D)'",
    "awk 'BEGIN{system(\"D\")}'",
    "sed '1e D' plan.txt",
    "tar --checkpoint=1 --checkpoint-action=exec='D' -cf x.tar plan.txt",
    "sort --compress-program='D' -S 1 plan.txt",
    "git -c core.pager='D' -c alias.x='!D' x",
    "split --filter='D' plan.txt",
    "ls; D",
    "ls && D",
    "ls | D",
    "ls & D",
    "ls $(D)",
    "ls `D`",
    "ls\nD",
    "ls \"$(D)\"",
    "ls > /dev/null; D",
    "(D)",
    "PATH=/tmp D",
    "LD_PRELOAD=./x.so D",
    "env BASH_ENV=one.txt bash -c 'D'",
    "bash -c '(sleep 0; D) & wait'",
    "sh -c 'cd ..; D'",
    "unshare -Ur D",
    "chroot .. D",
    "/usr/bin/env D",
    "../../bin/sh -c 'D'",
    "--help; D",
    "-c 'D'",
    "\u{ff53}h -c 'D'",
    "sh\u{200b} -c 'D'",
    "sh -c 'exec 3<.; D'",
];

const FOLDERS: &[&str] = &[
    "",
    "",
    "",
    "notes",
    "..",
    "../outside",
    "link",
    "/",
    "notes/../..",
    "/proc/self/cwd",
];

/// Has many commands run, each allowed by a person.
pub async fn attack(scale: Scale) -> Row {
    let target = Target::begin(|tester, home| {
        Errands::prepare(home);
        let settings = json!({"allow_shell": true, "allow_write": true, "max_timeout": 5});
        tester.toolboxes(&[SHELL]).setting(SHELL, settings)
    })
    .await;
    let home = target.home.path().to_owned();
    lay(&home);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port is free");
    listener
        .set_nonblocking(true)
        .expect("a socket can be told not to wait");
    let port = listener
        .local_addr()
        .expect("a bound socket has an address")
        .port();
    let errands = Errands::begin(&target.brain);
    let mut row = Row::default();
    let good = json!({"command": "cat plan.txt"});
    let told = errands.run(&target, 0, ("run_command", &good)).await;
    row.demand(told.asked && told.done && told.text.contains("harmless"), || {
        format!("a good command does not run: {}", told.text)
    });
    let mut dice = Dice::new(scale.seed);
    let (mut ran, mut question) = (0, None);
    for number in 1..=scale.ways_out {
        let arguments = command(&mut dice, &home, port, target.daemon.pid());
        let told = errands.run(&target, number, ("run_command", &arguments)).await;
        ran += usize::from(told.done);
        row.count += 1;
        // What the person was asked names the command, and so may every secret's place, but no secret.
        judge(&mut row, &home, &told.text, &arguments);
        row.demand(listener.accept().is_err(), || {
            format!("{arguments} has reached the network")
        });
        row.demand(told.ended, || format!("the turn with {arguments} has no end"));
        if number == scale.ways_out / 2 {
            question = target.ask().await;
        }
    }
    row.seen = format!(
        "{} escapes, {ran} commands ran and were content",
        row.faults.len()
    );
    row.faults.truncate(5);
    target.judged(row, question).await
}

fn command(dice: &mut Dice, home: &Path, port: u16, daemon: u32) -> Value {
    let places = [
        home.join("outside/canary.txt").display().to_string(),
        "../outside/canary.txt".to_owned(),
        "link/canary.txt".to_owned(),
        "notes/../../outside/canary.txt".to_owned(),
        "/etc/passwd".to_owned(),
        "/proc/self/environ".to_owned(),
        home.join("state/loquat/state.db").display().to_string(),
    ];
    let deed = if dice.one_in(4) {
        let deed = dice.pick(REACHES).replace("PORT", &port.to_string());
        deed.replace("PID", &daemon.to_string())
    } else {
        let deed = dice.pick(DEEDS);
        let place = dice.pick(&places);
        let words = deed.split(' ').map(|word| match word.strip_suffix('T') {
            Some(before) if before.is_empty() || before.ends_with('=') => format!("{before}{place}"),
            _ => word.to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let way = dice.pick(WAYS);
    let way = if deed.contains('\'') && way.contains('\'') {
        &"D"
    } else {
        way
    };
    let folder = *dice.pick(FOLDERS);
    let mut arguments = json!({"command": way.replace('D', &deed), "timeout": 3});
    if !folder.is_empty() {
        arguments["cwd"] = json!(folder);
    }
    arguments
}

fn lay(home: &Path) {
    let root = home.join("Documents");
    fs::create_dir_all(root.join("notes")).expect("a folder can be made");
    fs::create_dir(home.join("outside")).expect("a folder can be made");
    for (name, text) in [("plan.txt", "harmless\n"), ("one.txt", "1\n")] {
        fs::write(root.join(name), text).expect("a file can be written");
    }
    fs::write(canary(home), CANARY).expect("a file can be written");
    symlink("../outside", root.join("link")).expect("a link can be made");
}

fn canary(home: &Path) -> PathBuf {
    home.join("outside/canary.txt")
}

fn judge(row: &mut Row, home: &Path, told: &str, attack: &Value) {
    for secret in SECRETS {
        row.demand(!told.contains(secret), || format!("{attack} tells {secret:?}"));
    }
    let is_whole = fs::read_to_string(canary(home)).is_ok_and(|text| text == CANARY);
    row.demand(is_whole, || format!("{attack} has changed what stands outside"));
    let beside = fs::read_dir(home.join("outside")).map_or(0, Iterator::count);
    row.demand(beside == 1, || format!("{attack} has left something outside"));
}
