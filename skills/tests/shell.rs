//! Commands that try to get out, run with the program that confines them. A file outside of the folder is never read,
//! changed or made, and nothing that a command starts outlives its call.

#![expect(clippy::expect_used, reason = "a failed expectation is how a test fails")]

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use loquat_agent::toolbox::{Circumstances, Outcome, ToolError, Toolbox};
use loquat_skills::Resources;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::RwLock;
use tokio::time::{Instant, timeout};

const CONFINE: &str = env!("CARGO_BIN_EXE_loquat-confine");

/// What stands in the file outside.
const CANARY: &str = "canary-51c9 outside";

/// A bomb takes what there is for all commands of a person, so it has to be alone.
static BESIDE: RwLock<()> = RwLock::const_new(());

/// A folder for commands with a neighbour that is open to all, so that nothing but confinement keeps it.
struct Device {
    place: TempDir,
    toolbox: Arc<dyn Toolbox>,
}

impl Device {
    fn new(allow_write: bool) -> Self {
        let place = tempfile::tempdir().expect("a folder");
        for folder in ["", "root", "root/sub", "outside"] {
            let folder = place.path().join(folder);
            fs::create_dir_all(&folder).expect("a folder");
            fs::set_permissions(&folder, Permissions::from_mode(0o777)).expect("rights");
        }
        for (file, text) in [("outside/canary.txt", CANARY), ("root/inside.txt", "inside")] {
            let file = place.path().join(file);
            fs::write(&file, text).expect("a file");
            fs::set_permissions(&file, Permissions::from_mode(0o666)).expect("rights");
        }
        std::os::unix::fs::symlink("../outside", place.path().join("root/link")).expect("a link");
        let root = place.path().join("root");
        let settings =
            json!({"allow_shell": true, "root_path": root, "allow_write": allow_write, "max_timeout": 5});
        let settings = serde_json::from_value(settings).expect("an object");
        let resources =
            Resources::volatile(Arc::new(loquat_skills::locales())).with_confine(Path::new(CONFINE));
        let made = loquat_skills::find("ovos-shell-tools", &settings, &resources);
        let toolbox = made.expect("a toolbox").expect("settings");
        Self { place, toolbox }
    }

    fn canary(&self) -> PathBuf {
        self.place.path().join("outside/canary.txt")
    }

    async fn call(&self, arguments: Value) -> Result<Outcome, ToolError> {
        let _beside = BESIDE.read().await;
        self.call_now(arguments).await
    }

    async fn call_now(&self, arguments: Value) -> Result<Outcome, ToolError> {
        let arguments = serde_json::from_value(arguments).expect("an object");
        let person = Circumstances::default();
        self.toolbox.call("run_command", arguments, &person).await
    }

    async fn run(&self, command: &str) -> Value {
        let called = self.call(json!({"command": command, "timeout": 3})).await;
        Value::Object(called.expect(command).result)
    }

    /// Runs a command that has to stay without effect, and gives what came of it.
    async fn attack(&self, command: &str) -> String {
        let called = self.call(json!({"command": command, "timeout": 2})).await;
        let told = match &called {
            Ok(outcome) => format!("{outcome:?}"),
            Err(error) => error.to_string(),
        };
        assert!(
            !told.contains(CANARY) && !told.contains("root:x:"),
            "{command}: {told}"
        );
        self.is_whole(command);
        told
    }

    fn is_whole(&self, attack: &str) {
        let canary = self.canary();
        assert_eq!(fs::read_to_string(&canary).expect(attack), CANARY, "{attack}");
        let rights = fs::metadata(&canary).expect(attack).permissions().mode();
        assert_eq!(rights & 0o777, 0o666, "{attack}");
        for (folder, count) in [("outside", 1), ("", 2)] {
            let entries = fs::read_dir(self.place.path().join(folder)).expect(attack);
            assert_eq!(entries.count(), count, "{attack}");
        }
    }
}

#[tokio::test]
async fn a_command_runs_in_the_folder_and_tells_all() {
    let device = Device::new(false);
    let expected = json!({"stdout": "inside", "stderr": "", "returncode": 0, "success": true});
    assert_eq!(device.run("cat inside.txt").await, expected);
    let failed = device.run("sh -c 'echo no >&2; exit 7'").await;
    let expected = json!({"stdout": "", "stderr": "no\n", "returncode": 7, "success": false});
    assert_eq!(failed, expected);
    let there = device
        .call(json!({"command": "pwd", "cwd": "sub"}))
        .await
        .expect("a folder");
    assert!(
        there.result["stdout"]
            .as_str()
            .is_some_and(|told| told.ends_with("/root/sub\n"))
    );
    let spoken = device
        .call(json!({"command": "echo hello"}))
        .await
        .expect("words")
        .spoken;
    assert_eq!(spoken.as_deref(), Some("It says: hello"));
    for program in [
        "ls -la",
        "df -h /usr",
        "date",
        "uname -a",
        "free",
        "wc -c inside.txt",
        "find . -type f",
        "sort inside.txt",
    ] {
        let ran = device.run(program).await;
        assert_eq!(ran["success"], true, "{program}: {ran}");
    }
}

#[tokio::test]
async fn it_writes_only_where_that_is_allowed() {
    let closed = Device::new(false);
    for command in [
        "touch new.txt",
        "rm inside.txt",
        "cp inside.txt new.txt",
        "mkdir new",
        "mv inside.txt new.txt",
        "truncate -s 0 inside.txt",
        "chmod 000 inside.txt",
        "ln -s inside.txt new",
        "dd if=/dev/zero of=inside.txt count=1",
    ] {
        let ran = closed.run(command).await;
        assert_eq!(ran["success"], false, "{command}: {ran}");
    }
    let inside = closed.place.path().join("root/inside.txt");
    assert_eq!(fs::read_to_string(inside).expect("it"), "inside");
    let open = Device::new(true);
    for command in [
        "cp inside.txt new.txt",
        "mkdir made",
        "mv new.txt made/new.txt",
        "sh -c 'echo x > y'",
        "rm y",
    ] {
        let ran = open.run(command).await;
        assert_eq!(ran["success"], true, "{command}: {ran}");
    }
    assert!(open.place.path().join("root/made/new.txt").exists());
}

#[tokio::test]
async fn no_cwd_leads_out() {
    let device = Device::new(true);
    let outside = device.place.path().join("outside").display().to_string();
    for cwd in [
        "..",
        "../outside",
        "sub/../..",
        "link",
        "link/.",
        "/",
        "/etc",
        "/proc/self/cwd",
        "nothing",
        "inside.txt",
        "sub/../../outside",
        "a\0b",
        &outside,
    ] {
        let called = device.call(json!({"command": "pwd", "cwd": cwd})).await;
        assert!(called.is_err(), "{cwd}: {called:?}");
    }
}

/// `C` is the file outside, `O` its folder.
const ATTACKS: &[&str] = &[
    "cat C",
    "head -c 99 C",
    "tail C",
    "cat link/canary.txt",
    "cat ../outside/canary.txt",
    "cat ./sub/../../outside/canary.txt",
    "grep -r canary O",
    "grep -R canary .",
    "grep canary C",
    "sed -n p C",
    "awk '{print}' C",
    "cut -c1- C",
    "sort C",
    "od -c C",
    "tac C",
    "rev C",
    "base64 C",
    "dd if=C",
    "diff inside.txt C",
    "cmp inside.txt C",
    "wc C",
    "cp C here.txt",
    "ln C here.txt",
    "ln -s C here.txt",
    "mv C here.txt",
    "tar cf - O",
    "find O -name '*'",
    "find O -exec cat '{}' ';'",
    "find . -exec cat C ';'",
    "find . -execdir sh -c 'cat C' ';'",
    "find . -fprintf C x",
    "find O -delete",
    "xargs -a C echo",
    "sh -c 'cat C'",
    "sh -c 'cat < C'",
    "sh -c 'echo x > C'",
    "sh -c 'echo x >> C'",
    "sh -c 'cd O && ls'",
    "sh -c '. C'",
    "bash -c 'cat C'",
    "bash -c 'echo x >| C'",
    "bash -c 'read x < C; echo $x'",
    "bash -c 'exec 3<>C; cat <&3'",
    "bash --rcfile C -i -c true",
    "bash C",
    "env sh -c 'cat C'",
    "env -i cat C",
    "env -S 'cat C'",
    "env PATH=/tmp cat C",
    "env LD_PRELOAD=C ls",
    "env LD_LIBRARY_PATH=O ls",
    "env LD_AUDIT=C ls",
    "env BASH_ENV=C bash -c true",
    "nice cat C",
    "timeout 1 cat C",
    "nohup cat C",
    "stdbuf -o0 cat C",
    "setsid cat C",
    "chroot O ls",
    "unshare -r cat C",
    "unshare -Urm cat C",
    "nsenter -t 1 cat C",
    "mount --bind O sub",
    "touch C",
    "touch O/new",
    "touch -d 1970-01-01 C",
    "rm C",
    "rm -rf O",
    "rmdir O",
    "unlink C",
    "shred C",
    "truncate -s 0 C",
    "tee C",
    "chmod 000 C",
    "chmod -R 000 O",
    "chown 0 C",
    "chgrp 0 C",
    "install inside.txt C",
    "cp inside.txt C",
    "cp -f inside.txt C",
    "mv inside.txt C",
    "mkdir O/new",
    "mkfifo O/new",
    "mknod O/new p",
    "mknod sub/null c 1 3",
    "ln -s x O/new",
    "ln inside.txt O/new",
    "dd if=inside.txt of=C",
    "sed -i s/c/x/ C",
    "sort -o C inside.txt",
    "split inside.txt O/new",
    "csplit -f O/new C 1",
    "perl -e 'open F, q(C); print <F>'",
    "perl -e 'open F, q(>C); print F 1'",
    "perl -e 'unlink q(C)'",
    "perl -e 'chmod 0, q(C)'",
    "perl -e 'utime 1, 1, q(C)'",
    "perl -e 'rename q(C), q(x)'",
    "perl -e 'truncate q(C), 0'",
    "perl -e 'symlink q(C), q(x); open F, q(x); print <F>'",
    "perl -e 'link q(C), q(x); open F, q(x); print <F>'",
    "perl -e 'exec q(cat), q(C)'",
    "perl -e 'chroot q(O); open F, q(/canary.txt); print <F>'",
    "cat /etc/passwd",
    "cat /etc/shadow",
    "ls /root",
    "ls /home",
    "cat /root/.bashrc",
    "ls /tmp",
    "ls /",
    "ls /etc",
    "cat /proc/1/environ",
    "cat /proc/self/environ",
    "cat /proc/self/root/etc/passwd",
    "ls /proc",
    "ls /proc/self/fd",
    "cat /dev/mem",
    "cat /dev/sda",
    "sh -c 'echo x > /dev/tty'",
    "sh -c 'echo x > /proc/sysrq-trigger'",
    "/lib64/ld-linux-x86-64.so.2 /bin/cat C",
    "bash -c '/lib64/ld-linux-x86-64.so.2 /bin/cat C'",
    "su -c 'cat C'",
    "sudo cat C",
    "passwd",
    "mount",
    "umount /",
    "gdb -p 1",
    "strace cat C",
    "ls; cat C",
    "ls && cat C",
    "ls | tee C",
    "ls > C",
    "cat < C",
    "echo $(cat C)",
    "echo `cat C`",
    "ls\ncat C",
    "echo \"$(cat C)\"",
    "../bin/sh",
    "/bin/cat C",
];

#[tokio::test]
async fn no_command_reads_or_changes_what_is_outside() {
    assert!(ATTACKS.len() > 120, "{}", ATTACKS.len());
    let device = Device::new(true);
    let (canary, outside) = (device.canary(), device.place.path().join("outside"));
    for attack in ATTACKS {
        let command = attack
            .split_inclusive([' ', '(', ')', '<', '>', '|', '\'', ';', '=', '/'])
            .map(|word| named(word, &canary, &outside))
            .collect::<String>();
        device.attack(&command).await;
    }
}

/// A word of an attack, with the mark that follows it.
fn named(word: &str, canary: &Path, outside: &Path) -> String {
    let bare = word.trim_end_matches([' ', '(', ')', '<', '>', '|', '\'', ';', '=', '/']);
    let path = match bare.trim_start_matches(['&', '3']) {
        "C" | "C\"" | "C`" => canary,
        "O" => outside,
        _ => return word.to_owned(),
    };
    word.replacen(['C', 'O'], &path.display().to_string(), 1)
}

#[tokio::test]
async fn there_is_no_network() {
    let device = Device::new(true);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("no waiting");
    let port = listener.local_addr().expect("an address").port();
    for attack in [
        format!("bash -c 'echo x > /dev/tcp/127.0.0.1/{port}'"),
        format!("bash -c 'echo x > /dev/udp/127.0.0.1/{port}'"),
        format!("perl -MIO::Socket::INET -e 'IO::Socket::INET->new(q(127.0.0.1:{port})) or die'"),
        "perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0) or die'".to_owned(),
        "perl -MSocket -e 'socketpair(A, B, PF_UNIX, SOCK_STREAM, 0) or die'".to_owned(),
        "perl -MSocket -e 'socket(S, 16, SOCK_RAW, 0) or die'".to_owned(),
    ] {
        let ran = device.run(&attack).await;
        assert_eq!(ran["success"], false, "{attack}: {ran}");
    }
    assert!(listener.accept().is_err());
}

#[tokio::test]
async fn calls_that_reach_beyond_the_process_are_not_there() {
    let device = Device::new(true);
    let me = std::process::id();
    for attack in [
        format!("perl -e 'exit(kill(9, {me}) ? 0 : 1)'"),
        format!("perl -e 'exit(kill(0, {me}) ? 0 : 1)'"),
        "perl -e 'exit(kill(0, getppid) ? 0 : 1)'".to_owned(),
        "perl -e 'use POSIX; exit(POSIX::setsid() == -1 ? 1 : 0) if fork == 0; wait; exit($? >> 8)'"
            .to_owned(),
        "perl -e 'exit(setpgrp(0, 0) ? 0 : 1) if fork == 0; wait; exit($? >> 8)'".to_owned(),
    ] {
        let ran = device.run(&attack).await;
        assert_eq!(ran["success"], false, "{attack}: {ran}");
    }
    // ptrace, process_vm_readv, mount, unshare, setns, bpf, keyctl, io_uring_setup, memfd_create, userfaultfd,
    // perf_event_open, open_by_handle_at, fchmod, fchmodat, fchown, utimensat, setxattr, symlinkat, x32 getpid.
    #[cfg(target_arch = "x86_64")]
    for call in [
        101,
        310,
        165,
        272,
        308,
        321,
        250,
        425,
        319,
        323,
        298,
        304,
        91,
        268,
        93,
        280,
        188,
        266,
        0x4000_0027,
    ] {
        let ran = device
            .run(&format!(
                "perl -e 'exit(syscall({call}, 0, 0, 0, 0, 0) == -1 && $! == 38 ? 0 : 1)'"
            ))
            .await;
        assert_eq!(ran["success"], true, "{call}: {ran}");
    }
}

/// How many processes have this word among their arguments.
fn processes(word: &str) -> usize {
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    let told = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    told.filter(|line| String::from_utf8_lossy(line).contains(word))
        .count()
}

/// Processes that are killed are still listed for a moment.
async fn all_gone(word: &str) {
    let gone = async {
        while processes(word) > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(5), gone).await.expect(word);
}

#[tokio::test]
async fn whatever_hangs_ends_at_its_time_with_all_that_it_started() {
    let device = Device::new(true);
    for (number, script) in [
        "sleep W",
        "trap \"\" TERM INT HUP QUIT; sleep W; sleep W",
        "(sleep W &) ; sleep W",
        "nohup sleep W & wait",
        "while :; do :; done",
        "while :; do echo y; done",
        "while :; do echo y >&2; done",
        "kill -STOP $$",
    ]
    .iter()
    .enumerate()
    {
        let word = format!("9{}00{number}", std::process::id());
        let started = Instant::now();
        let command = format!("sh -c '{}' {word}", script.replace('W', &word));
        let called = device.call(json!({"command": command, "timeout": 1})).await;
        let ran = called.expect("it ran").result;
        assert!(
            started.elapsed() < Duration::from_secs(4),
            "{script}: {:?}",
            started.elapsed()
        );
        assert_eq!(ran["returncode"], -1, "{script}: {ran:?}");
        assert!(ran["stdout"].as_str().expect("words").len() < 70_000, "{script}");
        all_gone(&word).await;
    }
}

#[tokio::test]
async fn what_is_left_in_the_background_ends_with_the_command() {
    let device = Device::new(true);
    let word = format!("9{}01", std::process::id());
    let perl = format!(
        "perl -e 'use POSIX; if (fork == 0) {{ POSIX::setsid(); if (fork == 0) {{ $SIG{{TERM}} = q(IGNORE); sleep {word} }} exit }}' {word}"
    );
    let started = Instant::now();
    for command in [format!("sh -c 'sh -c \"sleep {word}; true\" {word} &'"), perl] {
        let ran = device.run(&command).await;
        assert_eq!(ran["success"], true, "{command}: {ran}");
        all_gone(&word).await;
    }
    assert!(
        started.elapsed() < Duration::from_secs(3),
        "{:?}",
        started.elapsed()
    );
}

#[tokio::test]
async fn a_call_that_is_given_up_ends_the_command() {
    let device = Device::new(true);
    let word = format!("9{}02", std::process::id());
    let arguments = json!({"command": format!("sh -c 'sleep {word}; true' {word}")});
    let started = async {
        while processes(&word) == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        called = device.call(arguments) => assert!(called.is_err(), "{called:?}"),
        () = started => {}
    }
    all_gone(&word).await;
}

#[tokio::test]
async fn bombs_end_and_leave_the_machine_usable() {
    let device = Device::new(true);
    let bomb = "my $n = 0; while ($n < 500) { my $p = fork; last unless defined $p; if (!$p) { sleep 977 } $n++ } print $n";
    let alone = BESIDE.write().await;
    let forks = device
        .call_now(json!({"command": format!("perl -e '{bomb}'"), "timeout": 3}))
        .await;
    drop(alone);
    let forks = forks.expect("a count").result;
    let count: u32 = forks["stdout"]
        .as_str()
        .and_then(|told| told.parse().ok())
        .expect("a number");
    assert!((1..=64).contains(&count), "{forks:?}");
    let memory = device
        .run("perl -e '$x = q(a) x (3 * 1024 ** 3); print length $x'")
        .await;
    assert_eq!(memory["success"], false, "{memory}");
    let files = device.run("perl -e 'open F, q(>big); $SIG{XFSZ} = q(IGNORE); print F q(a) x 1048576 for 1..100; close F or exit 1; print -s q(big)'").await;
    assert_eq!(files["success"], false, "{files}");
    let told = device
        .run("perl -e 'print q(a) x 1000000; print STDERR q(b) x 1000000'")
        .await;
    let shown = told["stdout"].as_str().expect("words");
    assert!(shown.len() < 70_000 && shown.ends_with("(more was said and is left out)"));
}

#[tokio::test]
async fn without_the_confining_program_nothing_runs() {
    let place = tempfile::tempdir().expect("a folder");
    let root = place.path().join("root");
    fs::create_dir(&root).expect("a folder");
    for confine in ["/bin/true", "/bin/echo", "/bin/sh", "/nowhere"] {
        let settings = json!({"allow_shell": true, "root_path": root});
        let settings = serde_json::from_value(settings).expect("an object");
        let resources =
            Resources::volatile(Arc::new(loquat_skills::locales())).with_confine(Path::new(confine));
        let made = loquat_skills::find("ovos-shell-tools", &settings, &resources);
        let toolbox = made.expect("a toolbox").expect("settings");
        let arguments = serde_json::from_value(json!({"command": "ls"})).expect("an object");
        let called = toolbox
            .call("run_command", arguments, &Circumstances::default())
            .await;
        assert!(called.is_err(), "{confine}: {called:?}");
    }
}
