//! Sends what whisper.cpp and ggml would print to standard error into the log, where it belongs at level debug.
//!
//! whisper-rs can do this too, but at level info, where a start alone is sixty lines and every look at voice activity
//! six more. whisper.cpp never logs what was said.

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};

/// This is `GGML_LOG_LEVEL_WARN` of `ggml.h`. Errors are one above, and 5 continues a line.
const WARNING: u32 = 3;
const CONTINUED: u32 = 5;

thread_local! {
    /// The last complaint on this thread, for the error that a null pointer becomes.
    static COMPLAINT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Installs the redirection, for the process.
pub(crate) fn redirect() {
    // SAFETY: the callback does not unwind (it only copies and logs text) and lives as long as the process.
    unsafe { whisper_rs::set_log_callback(Some(receive), std::ptr::null_mut()) };
}

/// Takes what whisper.cpp complained about last on this thread.
pub(crate) fn take_complaint() -> String {
    let complaint = COMPLAINT.with_borrow_mut(std::mem::take);
    if complaint.is_empty() {
        "whisper.cpp gave no reason".into()
    } else {
        complaint
    }
}

unsafe extern "C" fn receive(level: u32, text: *const c_char, _data: *mut c_void) {
    if text.is_null() {
        return;
    }
    // SAFETY: whisper.cpp passes a string that ends in a zero byte and outlives this call.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    let text = text.trim();
    if text.is_empty() {
        return;
    }
    if (WARNING..CONTINUED).contains(&level) {
        // A thread that is ending has no caller left that asks for the complaint.
        let _ended = COMPLAINT.try_with(|complaint| text.clone_into(&mut complaint.borrow_mut()));
        tracing::debug!(target: "loquat_speech::whisper", "{text}");
    } else {
        tracing::trace!(target: "loquat_speech::whisper", "{text}");
    }
}
