//! Kernels: ggml's arithmetic, compiled for one kind of processor each and all of them part of one program, which chooses
//! when it starts. Never asks for instructions that the processor does not have, and never for those of the machine on
//! which it is built.
//!
//! `.cargo/config.toml` switches all instruction sets off for the ggml of llama.cpp and of whisper.cpp, which is the
//! plain kernel. A program with all kernels, as `make packages` makes it, has the arithmetic compiled once more here
//! for SSE4.2, AVX2 and AVX-512, and on ARM for dot product and for matrices of bytes. The objects of a kernel become
//! one object that shows its entry alone, so that the linker mixes nothing of two kernels. The shared objects that ggml
//! itself offers would have to be shipped, and opened before the sandbox.
//!
//! `KERNELS_FOR=this-processor` has ggml compiled once, for the processor of the machine that builds and in the place
//! of the plain kernel (`ggml.cmake`). A build whose ggml was compiled for another one is refused.
//!
//! ggml's own threads spin while they wait, and on two cores each takes the processor from a thread that the other
//! waits for. So each program links OpenMP, whose threads sleep after a thousand looks (`GOMP_SPINCOUNT`, which is set
//! here unless a person has set it).

#[cfg(feature = "compile")]
mod compile;
mod kernel;

#[cfg(feature = "compile")]
pub use compile::{CompileError, compile};
pub use kernel::{Kernel, UnknownKernel};
