//! How whisper decodes: once, without timestamps, and asking whether to go on.

use std::ffi::c_void;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;
use whisper_rs::{FullParams, SamplingStrategy};
use whisper_rs_sys::{whisper_context, whisper_state};

/// The token of the job that is being worked on, where whisper's abort callback looks for it.
pub(super) type CurrentJob = Arc<Mutex<CancellationToken>>;

/// Parameters for this language and this way to decode; without a language the model detects it.
pub(super) fn with_strategy(
    strategy: SamplingStrategy,
    threads: i32,
    lang: Option<&'static str>,
    current: &CurrentJob,
) -> FullParams<'static, 'static> {
    let mut params = FullParams::new(strategy);
    params.set_n_threads(threads);
    params.set_language(lang);
    params.set_no_context(true);
    params.set_no_timestamps(true);
    params.set_single_segment(true);
    // The whole window is our second try; whisper.cpp's own ones are up to five more passes of the decoder.
    params.set_temperature_inc(0.0);
    params.set_print_special(false);
    params.set_print_progress(false);
    params.set_print_realtime(false);
    params.set_print_timestamps(false);
    let current = Arc::clone(current);
    // Boxed by name: whisper-rs 0.16 calls the callback as the very type it is given, but stores a box of it.
    let cancelled: Box<dyn FnMut() -> bool> = Box::new(move || current.lock().is_cancelled());
    params.set_abort_callback_safe(cancelled);
    params
}

/// Parameters with which whisper ends before it encodes anything: what is left of such a call is the spectrum of its sound, and
/// the window that encodes it next. whisper.cpp has no other way to set the window.
pub(super) fn up_to_the_encoder(threads: i32, audio_ctx: i32) -> FullParams<'static, 'static> {
    let mut params = FullParams::new(SamplingStrategy::Greedy { best_of: 1 });
    // Its language stays whisper's usual one: without any, whisper would detect it in the window of the call before.
    params.set_n_threads(threads);
    params.set_no_context(true);
    params.set_audio_ctx(audio_ctx);
    // SAFETY: the callback looks at none of its pointers, does not unwind, and lives as long as the process.
    unsafe { params.set_start_encoder_callback(Some(never)) };
    params
}

/// Answers whisper that the encoder is not to begin.
unsafe extern "C" fn never(_: *mut whisper_context, _: *mut whisper_state, _: *mut c_void) -> bool {
    false
}
