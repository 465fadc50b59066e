//! Compiles the kernels of the ggml that llama.cpp brings. Never uses another version of it than the one that is linked.
#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells build scripts by the environment"
)]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// These are the flags with which llama-cpp-sys-2 compiles its own.
const FLAGS: [&str; 4] = [
    "-DGGML_USE_CPU_REPACK",
    "-DGGML_USE_LLAMAFILE",
    "-DGGML_USE_OPENMP",
    "-fopenmp",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let configuration = PathBuf::from(env::var("DEP_LLAMA_GGML_CMAKE_DIR")?);
    let notes = notes(&configuration)?;
    let ggml = sources(&notes)?.join("ggml");
    let folder = PathBuf::from(env::var("OUT_DIR")?);
    Ok(loquat_kernels::compile(&ggml, &notes, &FLAGS, &folder)?)
}

/// What cmake noted where the library was built.
fn notes(configuration: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let built = configuration.ancestors().nth(2);
    Ok(built
        .ok_or("the library lies nowhere")?
        .join("build/CMakeCache.txt"))
}

/// The folder of llama.cpp, by these notes.
fn sources(notes: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let notes = fs::read_to_string(notes)?;
    let mut folders = notes
        .lines()
        .filter_map(|line| line.strip_prefix("CMAKE_HOME_DIRECTORY:INTERNAL="));
    Ok(folders
        .next()
        .ok_or("cmake did not note the folder of llama.cpp")?
        .into())
}
