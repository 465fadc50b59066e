//! What computes: each kernel that the processor runs, in a process of its own, since it is chosen once.

use std::collections::BTreeSet;
use std::process::Output;

use loquat_kernels::Kernel;
use loquat_speech::{Recognizer, use_best_kernel, use_kernel};
use tokio::process::Command;
use tokio::time::timeout;

use crate::ear_process::run;
use crate::sound::{KITCHEN, PATIENCE, is, settings, spoken};

/// The variable that makes a test the process that it otherwise starts: the place of a kernel among the usable ones.
const ROLE: &str = "LOQUAT_TEST_KERNEL";
/// Stands before what ggml says of the kernel that is in use.
const MARK: &str = "in use: ";

#[test]
fn every_kernel_understands_what_is_said() {
    if let Some(place) = std::env::var_os(ROLE) {
        let place: usize = place.to_str().unwrap().parse().unwrap();
        return run(understand(Kernel::usable().nth(place).unwrap()));
    }
    run(async {
        let mut in_use = BTreeSet::new();
        for (place, kernel) in Kernel::usable().enumerate() {
            let output = in_role(place).await;
            let told = String::from_utf8_lossy(&output.stdout);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{kernel}: {told}{errors}");
            assert!(errors.contains("GOMP_SPINCOUNT = '1000'"), "{errors}");
            let features = told.lines().find_map(|line| line.split_once(MARK)).unwrap().1;
            assert!(in_use.insert(features.to_owned()), "{kernel}: {in_use:?}");
        }
    });
}

async fn in_role(place: usize) -> Output {
    let test = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "kernels::every_kernel_understands_what_is_said",
            "--nocapture",
        ])
        .env(ROLE, place.to_string())
        // OpenMP says on standard error what it goes by.
        .env("OMP_DISPLAY_ENV", "VERBOSE")
        .kill_on_drop(true)
        .output();
    timeout(PATIENCE, test).await.expect("it ends in time").unwrap()
}

async fn understand(kernel: Kernel) {
    assert_eq!(use_kernel(kernel), kernel);
    let mut settings = settings();
    // They have to wait for each other.
    settings.threads = 2;
    let recognizer = Recognizer::start(&settings).unwrap();
    assert_eq!(use_best_kernel(), kernel, "it does not change any more");
    let transcript = recognizer.transcribe(spoken(KITCHEN), None).await.unwrap();
    assert!(is(&transcript.text, KITCHEN), "{}", transcript.text);
    println!("{MARK}{}", whisper_rs::print_system_info());
    recognizer.shutdown().await;
}
