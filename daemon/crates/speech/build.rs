//! Compiles the kernels of the ggml that whisper.cpp brings, and has OpenMP become part of the program. Never uses another
//! version of ggml than the one that is linked, and none that was compiled for the machine that builds.
#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells build scripts by the environment"
)]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// As whisper-rs-sys compiles its own.
const FLAGS: [&str; 3] = ["-DGGML_USE_CPU_REPACK", "-DGGML_USE_OPENMP", "-fopenmp"];

/// What `.cargo/config.toml` switches off, so that the plain kernel runs on any processor.
const OFF: [&str; 7] = [
    "GGML_NATIVE",
    "GGML_SSE42",
    "GGML_AVX",
    "GGML_AVX2",
    "GGML_FMA",
    "GGML_F16C",
    "GGML_BMI2",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let built = PathBuf::from(env::var("DEP_WHISPER_ROOT")?);
    refuse_unless_plain(&built.join("build/CMakeCache.txt"))?;
    let folder = PathBuf::from(env::var("OUT_DIR")?);
    loquat_kernels::compile(&built.join("whisper.cpp/ggml"), &FLAGS, &folder)?;
    bring_openmp(&folder)
}

/// whisper-rs-sys is not built again when only the environment changes.
fn refuse_unless_plain(notes: &Path) -> Result<(), Box<dyn Error>> {
    let notes = fs::read_to_string(notes)?;
    let is_off = |name: &str| {
        let of_name = |line: &&str| line.split_once(':').is_some_and(|(first, _)| first == name);
        let line = notes.lines().find(of_name);
        line.is_some_and(|line| line.ends_with("=OFF"))
    };
    match OFF.iter().find(|name| !is_off(name)) {
        None => Ok(()),
        Some(name) => Err(format!(
            "whisper.cpp was built without {name}=OFF; build inside the repository, whose .cargo/config.toml sets it, \
             after `cargo clean -p whisper-rs-sys`"
        )
        .into()),
    }
}

/// whisper-rs-sys links the first `gomp` that is found. With the compiler's archive, and no shared library, in a folder that
/// is looked at first, the program needs no library that a device may lack, and the kernels can tell OpenMP how to wait.
fn bring_openmp(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut compiler = cc::Build::new().try_get_compiler()?.to_command();
    let told = compiler.arg("--print-file-name=libgomp.a").output()?.stdout;
    let archive = String::from_utf8(told)?;
    let archive = archive.trim();
    fs::copy(archive, folder.join("libgomp.a"))
        .map_err(|error| format!("failed to copy {archive}: {error}"))?;
    println!("cargo:rustc-link-search=native={}", folder.display());
    Ok(())
}
