//! The kernel with which whisper.cpp computes, words as well as voice activity: chosen once for the process, before its
//! first model. Never changes then, since a loaded model keeps its weights as its kernel wants them.

use std::sync::OnceLock;

use loquat_kernels::Kernel;

use crate::whisper_log;

unsafe extern "C" {
    /// Takes all numbers; one that it does not know changes nothing.
    safe fn loquat_use_kernel(number: std::ffi::c_uint);
}

/// Has whisper.cpp compute with this kernel, unless one is in use already. Returns the one in use.
pub fn use_kernel(kernel: Kernel) -> Kernel {
    static IN_USE: OnceLock<Kernel> = OnceLock::new();
    *IN_USE.get_or_init(|| {
        // ggml tells of its kernels, on standard error unless that is redirected.
        whisper_log::redirect();
        loquat_use_kernel(kernel.number());
        kernel
    })
}

/// Has whisper.cpp compute with the fastest kernel that the processor runs, unless one is in use already. Returns the one
/// in use.
pub fn use_best_kernel() -> Kernel {
    use_kernel(Kernel::best())
}
