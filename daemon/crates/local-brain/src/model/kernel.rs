//! Puts the kernel to use with which llama.cpp computes. Never after a model was loaded.
#![expect(unsafe_code, reason = "the kernels are C")]

use loquat_kernels::Kernel;

unsafe extern "C" {
    /// Takes all numbers; one that it does not know changes nothing.
    safe fn loquat_use_kernel(number: std::ffi::c_uint);
}

/// Has llama.cpp compute with this kernel from now on.
pub(super) fn put_to_use(kernel: Kernel) {
    loquat_use_kernel(kernel.number());
}
