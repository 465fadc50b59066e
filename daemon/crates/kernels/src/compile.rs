//! Compiles ggml for each kind of processor of the target, for build scripts. Never compiles the kernel of the crate which
//! brings ggml: the plain one, for which `.cargo/config.toml` switches all instruction sets off, or, in a program for one
//! processor, that processor's, for which `ggml.cmake` switches its own on.
//!
//! The objects of one kernel become one object of which only its entry can be seen, so that the linker mixes nothing of
//! different kernels, inline functions of C++ included.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::kernel::{Kernel, of};

/// The entry of a kernel as ggml calls it.
const ENTRY: &str = "ggml_backend_cpu_reg";

/// How often one of the threads that compute looks for the others before it sleeps. By itself OpenMP looks 300,000 times,
/// some milliseconds at each of the hundreds of steps of a token: where other programs are at work, that takes the processor
/// from just the thread that is waited for.
const SPINS: u32 = 1000;

/// The one kernel of a program that is for the processor on which it is built.
const BUILT: Option<&str> = option_env!("LOQUAT_BUILT_KERNEL");

/// ggml's switches, each with what it asks of a processor.
const SWITCHES: [(&str, &str); 7] = [
    ("GGML_SSE42", "sse4.2"),
    ("GGML_AVX2", "avx2"),
    ("GGML_FMA", "fma"),
    ("GGML_F16C", "f16c"),
    ("GGML_BMI2", "bmi2"),
    ("GGML_AVX512", "avx512f"),
    ("GGML_AVX512_VNNI", "avx512vnni"),
];

/// The kernels could not be compiled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// A file or folder could not be used.
    #[error("failed to use {}: {source}", path.display())]
    File {
        /// The file is here.
        path: PathBuf,
        /// It failed for this reason.
        #[source]
        source: io::Error,
    },
    /// The compiler failed; it has said why.
    #[error("failed to compile ggml: {0}")]
    Compiler(#[from] cc::Error),
    /// ggml was compiled for another processor than the program is.
    #[error(
        "failed to use the ggml of {}: {switch} is not as daemon/crates/kernels wants it; build inside the repository, whose \
         .cargo/config.toml sets it, after `cargo clean -p whisper-rs-sys -p llama-cpp-sys-2`",
        notes.display()
    )]
    Other {
        /// What cmake noted where it was built.
        notes: PathBuf,
        /// The switch that is on or off against what the kernel needs.
        switch: &'static str,
    },
    /// A program of binutils failed or is not there.
    #[error("failed to run {program:?}: {why}; it is part of binutils")]
    Program {
        /// The program was called so.
        program: String,
        /// It failed for this reason.
        why: String,
    },
}

/// Compiles the kernels of the target from ggml's folder, with the flags that its other parts were compiled with as `notes`,
/// cmake's file of what it was told, shows; has cargo link them into the package whose build script calls this. The C function `loquat_use_kernel(number)` puts one of
/// them to use. What is linked also keeps OpenMP's threads from spinning for long; for that OpenMP has to be linked as an
/// archive, since a shared library reads the environment before.
///
/// # Errors
/// When a compiler, a linker or a file fails.
#[expect(
    clippy::disallowed_methods,
    reason = "cargo tells build scripts by the environment"
)]
pub fn compile(ggml: &Path, notes: &Path, flags: &[&str], folder: &Path) -> Result<(), CompileError> {
    let architecture = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    built_as_chosen(notes, &architecture)?;
    let kernels = of(&architecture);
    let sources = Sources::of(ggml, &architecture)?;
    let mut library = cc::Build::new();
    for kernel in kernels.iter().filter(|kernel| is_compiled(**kernel)) {
        let folder = folder.join(kernel.name);
        fs::create_dir_all(&folder).map_err(|source| at(&folder, source))?;
        let objects = sources.objects(*kernel, &architecture, flags, &folder)?;
        library.object(as_one(*kernel, &objects, &folder)?);
    }
    let chooser = folder.join("kernels.c");
    fs::write(&chooser, chooser_of(kernels)).map_err(|source| at(&chooser, source))?;
    library.file(chooser).try_compile("loquat_kernels")?;
    Ok(())
}

/// A program of a single kernel has the one that the crate which brings ggml has compiled.
fn is_compiled(kernel: Kernel) -> bool {
    !kernel.needs.is_empty() && BUILT.is_none()
}

/// Refuses a ggml that was not compiled for the kernel that the program takes it for. cmake does not look again at a library
/// of which only the environment has changed.
fn built_as_chosen(notes: &Path, architecture: &str) -> Result<(), CompileError> {
    let text = fs::read_to_string(notes).map_err(|source| at(notes, source))?;
    let chosen = BUILT.and_then(|name| of(architecture).iter().find(|kernel| kernel.name == name));
    let wanted = chosen.map_or(&[][..], |kernel| kernel.needs);
    let other = SWITCHES
        .iter()
        .find(|(name, feature)| architecture == "x86_64" && is_on(&text, name) != wanted.contains(feature));
    other.map_or(Ok(()), |(switch, _)| {
        Err(CompileError::Other {
            notes: notes.to_owned(),
            switch,
        })
    })
}

fn is_on(notes: &str, switch: &str) -> bool {
    let mut lines = notes.lines().filter_map(|line| line.split_once(':'));
    lines.any(|(name, value)| name == switch && value.ends_with("=ON"))
}

fn at(path: &Path, source: io::Error) -> CompileError {
    CompileError::File {
        path: path.to_owned(),
        source,
    }
}

/// The files of ggml's processor back end.
struct Sources {
    ggml: PathBuf,
    c: Vec<PathBuf>,
    cpp: Vec<PathBuf>,
}

impl Sources {
    fn of(ggml: &Path, architecture: &str) -> Result<Self, CompileError> {
        let own = if architecture == "aarch64" { "arm" } else { "x86" };
        let folder = ggml.join("src/ggml-cpu");
        let mut files = Vec::new();
        for part in ["", "amx", "tiled", "llamafile", &format!("arch/{own}")] {
            let part = folder.join(part);
            if part.is_dir() {
                files.extend(entries(&part).map_err(|source| at(&part, source))?);
            }
        }
        files.retain(|file| file.file_stem() != Some(OsStr::new("cpu-feats")));
        let ending = |ending: &str| {
            let of_ending = files
                .iter()
                .filter(|file| file.extension() == Some(OsStr::new(ending)));
            of_ending.cloned().collect()
        };
        Ok(Self {
            ggml: ggml.to_owned(),
            c: ending("c"),
            cpp: ending("cpp"),
        })
    }

    fn objects(
        &self,
        kernel: Kernel,
        architecture: &str,
        more: &[&str],
        folder: &Path,
    ) -> Result<Vec<PathBuf>, CompileError> {
        let mut build = cc::Build::new();
        build
            .opt_level(3)
            .debug(false)
            .warnings(false)
            .pic(true)
            .out_dir(folder);
        build.define("NDEBUG", None).define("_GNU_SOURCE", None);
        build.flags(more).flags(flags(kernel, architecture));
        for part in ["include", "src", "src/ggml-cpu"] {
            build.include(self.ggml.join(part));
        }
        let mut objects = build
            .clone()
            .std("gnu11")
            .files(&self.c)
            .try_compile_intermediates()?;
        let cpp = build.cpp(true).std("gnu++17").files(&self.cpp);
        objects.extend(cpp.flag("-fno-gnu-unique").try_compile_intermediates()?);
        Ok(objects)
    }
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}

fn flags(kernel: Kernel, architecture: &str) -> Vec<String> {
    if architecture == "aarch64" {
        return vec![format!("-march=armv8.2-a+{}", kernel.needs.join("+"))];
    }
    kernel
        .needs
        .iter()
        .map(|feature| format!("-m{feature}"))
        .collect()
}

/// Makes one object of a kernel's, of which only the entry can be seen, under the kernel's own name.
fn as_one(kernel: Kernel, objects: &[PathBuf], folder: &Path) -> Result<PathBuf, CompileError> {
    let (whole, closed) = (folder.join("whole.o"), folder.join("kernel.o"));
    let mut link = cc::Build::new().try_get_compiler()?.to_command();
    link.args(["-r", "-nostdlib", "-Wl,--force-group-allocation", "-o"]);
    run(link.arg(&whole).args(objects))?;
    let entry = entry(kernel);
    let mut close = Command::new(objcopy()?);
    close.arg(format!("--redefine-sym={ENTRY}={entry}"));
    close.arg(format!("--keep-global-symbol={entry}"));
    run(close.arg(&whole).arg(&closed))?;
    Ok(closed)
}

/// Names the one that belongs to the target's `ar`.
fn objcopy() -> Result<String, CompileError> {
    let archiver = cc::Build::new().try_get_archiver()?;
    let archiver = archiver.get_program().to_string_lossy().into_owned();
    Ok(match archiver.strip_suffix("ar") {
        // gcc's own `ar` is a front for that of binutils.
        Some(target) => format!("{}objcopy", target.strip_suffix("gcc-").unwrap_or(target)),
        None => "objcopy".to_owned(),
    })
}

fn run(command: &mut Command) -> Result<(), CompileError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let why = match command.status() {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    Err(CompileError::Program { program, why })
}

fn entry(kernel: Kernel) -> String {
    if !is_compiled(kernel) {
        return ENTRY.to_owned();
    }
    format!("loquat_kernel_{}", kernel.name.replace('-', "_"))
}

/// The registry knows the plain kernel from the beginning; what computes is what it knows first. OpenMP reads the environment
/// once, before `main`, in a constructor without a priority, and so behind every constructor that has one.
fn chooser_of(kernels: &[Kernel]) -> String {
    let entries: Vec<_> = kernels.iter().map(|kernel| entry(*kernel)).collect();
    let declared: BTreeSet<_> = entries
        .iter()
        .map(|entry| format!("reg {entry}(void);"))
        .collect();
    let declared = Vec::from_iter(declared).join("\n");
    let listed = entries.join(", ");
    format!(
        "#include <stdlib.h>\n\
         __attribute__((constructor(101))) static void spin_little(void) {{\n    \
             setenv(\"GOMP_SPINCOUNT\", \"{SPINS}\", 0);\n\
         }}\n\
         typedef struct ggml_backend_reg * reg;\n\
         void ggml_backend_register(reg);\n\
         void ggml_backend_unload(reg);\n\
         {declared}\n\
         void loquat_use_kernel(unsigned number) {{\n    \
             static reg (* const kernels[])(void) = {{ {listed} }};\n    \
             if (number >= sizeof kernels / sizeof *kernels) return;\n    \
             ggml_backend_unload({ENTRY}());\n    \
             ggml_backend_register(kernels[number]());\n\
         }}\n"
    )
}
