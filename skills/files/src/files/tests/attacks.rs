//! Ways out of the folder. Each of them has to fail: no result holds what stands outside, and nothing there changes.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::{CANARY, Device, names};

/// Paths that mean something outside, or that mean nothing.
fn paths(device: &Device) -> Vec<String> {
    let whole = device.canary().display().to_string();
    let mut paths: Vec<String> = [
        "..",
        "../",
        "../outside/canary.txt",
        "./../outside/canary.txt",
        "a/./../../outside/canary.txt",
        "notes/../../outside/canary.txt",
        "notes/deep/../../../outside/canary.txt",
        "notes/..//../outside/canary.txt",
        "/../outside/canary.txt",
        "//outside/canary.txt",
        "..\\outside\\canary.txt",
        "..%2foutside%2fcanary.txt",
        "%2e%2e/outside/canary.txt",
        "..;/outside/canary.txt",
        "....//outside/canary.txt",
        ".../outside/canary.txt",
        "\u{2024}\u{2024}/outside/canary.txt",
        "\u{ff0e}\u{ff0e}/outside/canary.txt",
        "..\u{2215}outside\u{2215}canary.txt",
        "..\u{200b}/outside/canary.txt",
        " ../outside/canary.txt",
        "../outside/canary.txt ",
        "\t../outside/canary.txt",
        "../outside/canary.txt\0.txt",
        "plan.txt\0../outside/canary.txt",
        "plan.txt/../../outside/canary.txt",
        "~/canary.txt",
        "~root/canary.txt",
        "$HOME/canary.txt",
        "`cat ../outside/canary.txt`",
        "file:///etc/passwd",
        "/etc/passwd",
        "/etc/shadow",
        "etc/passwd",
        "/proc/self/environ",
        "/proc/self/root/etc/passwd",
        "/proc/self/cwd",
        "/proc/self/fd/0",
        "/proc/1/root/etc/passwd",
        "/dev/null",
        "/dev/zero",
        "/dev/stdin",
        "/",
        "//",
        "out-file",
        "out-whole",
        "out-folder/canary.txt",
        "out-folder/../outside/canary.txt",
        "out-folder/../../outside/canary.txt",
        "out-chain",
        "out-up/outside/canary.txt",
        "out-up/root/../outside/canary.txt",
        "notes/out-deep",
        "out-proc/environ",
        "out-proc/cwd/plan.txt",
        "out-proc/root/etc/passwd",
        "out-fd/0",
        "out-magic",
        "out-circle",
        "out-circle/canary.txt",
        "out-etc/passwd",
        "out-dev/zero",
        "pipe",
        "socket",
    ]
    .map(str::to_owned)
    .to_vec();
    let root = device.root().display().to_string();
    paths.extend([
        whole.clone(),
        format!("{root}/../outside/canary.txt"),
        format!("{root}-other/canary.txt"),
        format!("{root}/./notes/../../outside/canary.txt"),
        format!("plan.txt/{whole}"),
        format!("/proc/self/root{whole}"),
        format!("{}outside/canary.txt", "../".repeat(20)),
        format!("{}/outside/canary.txt", "notes/..".repeat(500)),
        "a/".repeat(3000),
        "a".repeat(300),
        "x".repeat(100_000),
        format!("{}plan.txt", "./".repeat(2047)),
    ]);
    paths
}

/// Links, pipes and sockets that a stranger has put into the folder.
fn traps(device: &Device) -> std::os::unix::net::UnixListener {
    let root = device.root();
    let link = |to: &Path, name: &str| symlink(to, root.join(name)).unwrap();
    link(Path::new("../outside/canary.txt"), "out-file");
    link(&device.canary(), "out-whole");
    link(Path::new("../outside"), "out-folder");
    link(Path::new("out-file"), "out-chain");
    link(Path::new(".."), "out-up");
    link(Path::new("../../outside/canary.txt"), "notes/out-deep");
    link(Path::new("/proc/self"), "out-proc");
    link(Path::new("/proc/self/fd"), "out-fd");
    link(Path::new("/proc/self/exe"), "out-magic");
    link(Path::new("out-circle"), "out-circle");
    link(Path::new("/etc"), "out-etc");
    link(Path::new("/dev"), "out-dev");
    let fifo = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, root.join("pipe"), fifo, 0o666.into(), 0).unwrap();
    std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap()
}

/// Nothing outside is told, and nothing there has changed.
fn nothing_escaped(device: &Device, told: &str, attack: &Value) {
    for secret in [CANARY, "root:x:", "PATH="] {
        assert!(!told.contains(secret), "{attack}: {told}");
    }
    assert_eq!(fs::read_to_string(device.canary()).unwrap(), CANARY, "{attack}");
    assert_eq!(names(device.place.path()), ["outside", "root"], "{attack}");
    assert_eq!(
        names(&device.place.path().join("outside")),
        ["canary.txt"],
        "{attack}"
    );
}

async fn attack(device: &Device, tool: &str, arguments: Value) -> bool {
    let outcome = device.call(tool, arguments.clone()).await;
    let told = match &outcome {
        Ok(outcome) => format!("{outcome:?}"),
        Err(error) => error.to_string(),
    };
    nothing_escaped(device, &told, &json!([tool, arguments]));
    outcome.is_ok()
}

#[tokio::test]
async fn no_path_leads_out() {
    let device = Device::new();
    let _socket = traps(&device);
    let mut count = 0;
    for path in paths(&device) {
        for (tool, arguments) in [
            ("read_file", json!({"path": path})),
            ("list_directory", json!({"path": path})),
            ("find_files", json!({"path": path, "glob": "*canary*"})),
            (
                "search_in_files",
                json!({"path": path, "pattern": "canary-7f3a|root:x"}),
            ),
            ("write_file", json!({"path": path, "content": "changed"})),
        ] {
            attack(&device, tool, arguments).await;
            count += 1;
        }
    }
    assert!(count >= 300, "{count}");
}

#[tokio::test]
async fn no_link_pipe_or_socket_is_read_or_written_through() {
    let device = Device::new();
    let _socket = traps(&device);
    for name in [
        "out-file",
        "out-whole",
        "out-chain",
        "notes/out-deep",
        "out-magic",
        "out-circle",
        "pipe",
        "socket",
    ] {
        assert!(
            !attack(&device, "read_file", json!({"path": name})).await,
            "{name}"
        );
        assert!(
            !attack(&device, "write_file", json!({"path": name, "content": "x"})).await,
            "{name}"
        );
    }
    for name in ["out-folder", "out-up", "out-proc", "out-fd", "out-etc", "out-dev"] {
        assert!(
            !attack(&device, "list_directory", json!({"path": name})).await,
            "{name}"
        );
        let beneath = json!({"path": format!("{name}/new.txt"), "content": "x"});
        assert!(!attack(&device, "write_file", beneath).await, "{name}");
    }
}

#[tokio::test]
async fn no_pattern_leads_out() {
    let device = Device::new();
    let _socket = traps(&device);
    for pattern in [
        "..",
        "../*",
        "../**/*",
        "../outside/*",
        "../outside/canary.txt",
        "notes/../../outside/*",
        "**/../**/*",
        "**/../../outside/canary.txt",
        "/etc/*",
        "/etc/passwd",
        "/proc/self/*",
        "//*",
        "out-*/*",
        "out-folder/**",
        "out-up/outside/*",
        "{..,x}/outside/*",
        "[.][.]/outside/*",
        ".?/outside/*",
        ".*/outside/*",
        "?./outside/*",
        "**/canary.txt",
        "**/*",
        "*/canary*",
        "\\..\\./outside/*",
        "{,../outside/}canary.txt",
        "*\0*",
        "out-proc/**/environ",
        "\u{ff0e}\u{ff0e}/*",
        "~/*",
        "./../outside/*",
    ] {
        attack(&device, "find_files", json!({"glob": pattern})).await;
        attack(&device, "list_directory", json!({"pattern": pattern})).await;
        attack(
            &device,
            "search_in_files",
            json!({"pattern": "7f3a|root:x", "glob": pattern}),
        )
        .await;
    }
    let found = device.result("find_files", json!({"glob": "*canary*"})).await;
    assert_eq!(found["files"], json!([]));
}

/// Exchanges a folder and a link for as long as it is looked at.
fn exchange(root: &Path, over: &AtomicBool) {
    let (folder, link) = (root.join("swap"), root.join("swap-link"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("canary.txt"), "harmless").unwrap();
    symlink("../outside", &link).unwrap();
    while !over.load(Ordering::Relaxed) {
        let flags = rustix::fs::RenameFlags::EXCHANGE;
        rustix::fs::renameat_with(rustix::fs::CWD, &folder, rustix::fs::CWD, &link, flags).unwrap();
    }
}

#[tokio::test]
async fn a_folder_that_is_exchanged_for_a_link_meanwhile_leads_nowhere() {
    let device = Device::new();
    let over = Arc::new(AtomicBool::new(false));
    let (root, until) = (device.root(), Arc::clone(&over));
    let exchanging = std::thread::spawn(move || exchange(&root, &until));
    for _ in 0..300 {
        attack(&device, "read_file", json!({"path": "swap/canary.txt"})).await;
        attack(&device, "search_in_files", json!({"pattern": "canary"})).await;
        attack(&device, "list_directory", json!({"path": "swap"})).await;
        attack(
            &device,
            "write_file",
            json!({"path": "swap/canary.txt", "content": "changed"}),
        )
        .await;
        attack(
            &device,
            "write_file",
            json!({"path": "swap/new/file.txt", "content": "changed"}),
        )
        .await;
    }
    over.store(true, Ordering::Relaxed);
    exchanging.join().unwrap();
}

/// A mount needs rights that tests do not always have; where they are missing there is nothing to enter.
#[tokio::test]
async fn no_mount_is_entered() {
    let device = Device::new();
    let place = device.root().join("mounted");
    fs::create_dir(&place).unwrap();
    let outside = device.place.path().join("outside");
    let mounted = std::process::Command::new("mount")
        .arg("--bind")
        .args([&outside, &place])
        .status();
    if !mounted.is_ok_and(|status| status.success()) {
        return;
    }
    let read = attack(&device, "read_file", json!({"path": "mounted/canary.txt"})).await;
    let listed = attack(&device, "list_directory", json!({"path": "mounted"})).await;
    attack(&device, "search_in_files", json!({"pattern": "canary"})).await;
    attack(
        &device,
        "write_file",
        json!({"path": "mounted/canary.txt", "content": "x"}),
    )
    .await;
    let ended = std::process::Command::new("umount").arg(&place).status();
    assert!(ended.is_ok_and(|status| status.success()));
    assert!(!read && !listed);
}
