//! Compiles the kernels of the ggml that whisper.cpp brings, and has OpenMP become part of the program. Never uses another
//! version of ggml than the one that is linked, and none that was compiled for the machine that builds.
#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells build scripts by the environment"
)]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// These are the flags with which whisper-rs-sys compiles its own.
const FLAGS: [&str; 3] = ["-DGGML_USE_CPU_REPACK", "-DGGML_USE_OPENMP", "-fopenmp"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let built = PathBuf::from(env::var("DEP_WHISPER_ROOT")?);
    let notes = built.join("build/CMakeCache.txt");
    let folder = PathBuf::from(env::var("OUT_DIR")?);
    loquat_kernels::compile(&built.join("whisper.cpp/ggml"), &notes, &FLAGS, &folder)?;
    bring_openmp(&folder)
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
