//! Kernels: ggml's arithmetic, compiled for one kind of processor each and all of them part of one program, which chooses
//! when it starts. Never asks for instructions that the processor does not have, and never for those of the machine on
//! which it is built.

#[cfg(feature = "compile")]
mod compile;
mod kernel;

#[cfg(feature = "compile")]
pub use compile::{CompileError, compile};
pub use kernel::{Kernel, UnknownKernel};
