//! One loaded whisper model and its working memory. Lives on the whisper thread; knows no queue.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::debug;
use whisper_rs::{FullParams, WhisperContext, WhisperContextParameters, WhisperState};

use super::invented::{self, Evidence};
use super::language;
use super::params::{CurrentJob, new_params};
use super::window::{self, Window};
use super::{TranscribeError, Transcript};
use crate::kernel::use_best_kernel;
use crate::model_file::{self, LoadModelError, ModelKind};
use crate::whisper_log;

/// Below this confidence the cut window is not trusted and the whole one is tried, which then counts. Chosen on the 60
/// clips of speech that the window was measured on: the error rates are then those of the whole window, and of clear
/// speech one clip in three is decoded twice.
const SURE: f32 = 0.75;
/// whisper.cpp ignores less than 0.1 s; no word is as short as that.
const LEAST_SAMPLES: usize = crate::SAMPLE_RATE as usize / 10;
/// The root mean square below which a recording is digital silence, about −80 dB.
const SILENCE: f32 = 0.000_1;

/// What one pass of the decoder gave.
#[derive(Debug)]
struct Decoded {
    text: String,
    evidence: Evidence,
    lang: &'static str,
}

/// A model, ready to transcribe.
pub(super) struct Whisper {
    state: WhisperState,
    context: WhisperContext,
    current: CurrentJob,
    threads: i32,
    /// Per language, because whisper-rs never frees a language it was given; there are about a hundred.
    params: HashMap<Option<&'static str>, FullParams<'static, 'static>>,
}

impl Whisper {
    /// Checks the file and loads it.
    pub(super) fn load(path: &Path, threads: usize) -> Result<Self, LoadModelError> {
        model_file::check(path, ModelKind::Whisper)?;
        use_best_kernel();
        let refused = |_| LoadModelError::Refused {
            kind: ModelKind::Whisper.name(),
            path: path.into(),
            reason: whisper_log::take_complaint(),
        };
        let parameters = WhisperContextParameters::default();
        let context = WhisperContext::new_with_params(path, parameters).map_err(refused)?;
        let state = context.create_state().map_err(refused)?;
        let threads = i32::try_from(threads.max(1)).unwrap_or(1);
        Ok(Self {
            state,
            context,
            current: CurrentJob::default(),
            threads,
            params: HashMap::new(),
        })
    }

    /// Recognises one utterance; stops early when the token is cancelled.
    pub(super) fn transcribe(
        &mut self,
        samples: &[f32],
        lang: Option<&str>,
        cancelled: &CancellationToken,
    ) -> Result<Transcript, TranscribeError> {
        if samples.len() < LEAST_SAMPLES || root_mean_square(samples) < SILENCE {
            return Err(TranscribeError::NothingHeard);
        }
        *self.current.lock() = cancelled.clone();
        let code = self.decoder_language(lang);
        let decoded = self.decode_surely(samples, code)?;
        let text = invented::spoken(&decoded.text, decoded.evidence).ok_or(TranscribeError::NothingHeard)?;
        Ok(Transcript {
            text,
            lang: language::reported(lang, decoded.lang),
            confidence: decoded.evidence.confidence,
            elapsed: Duration::ZERO,
        })
    }

    /// The language to decode in; absent means that the model detects it.
    fn decoder_language(&self, lang: Option<&str>) -> Option<&'static str> {
        if self.context.is_multilingual() {
            lang.and_then(language::whisper_code)
        } else {
            Some("en")
        }
    }

    /// Decodes with the cut window, and once more with the whole one when the first text is doubtful.
    fn decode_surely(
        &mut self,
        samples: &[f32],
        lang: Option<&'static str>,
    ) -> Result<Decoded, TranscribeError> {
        let first = self.decode(samples, lang, Window::Cut)?;
        if first.evidence.confidence >= SURE && !invented::repeats(&first.text) {
            return Ok(first);
        }
        let second = self.decode(samples, lang, Window::Full)?;
        let better =
            invented::repeats(&first.text) || second.evidence.confidence >= first.evidence.confidence;
        Ok(if better { second } else { first })
    }

    fn decode(
        &mut self,
        samples: &[f32],
        lang: Option<&'static str>,
        window: Window,
    ) -> Result<Decoded, TranscribeError> {
        let began = Instant::now();
        let mut params = self.params_for(lang);
        let audio_ctx = window.audio_ctx(samples.len(), self.context.model_n_audio_layer());
        params.set_audio_ctx(audio_ctx);
        params.set_max_tokens(window::max_tokens(samples.len()));
        self.state
            .full(params, samples)
            .map_err(|error| TranscribeError::Whisper {
                reason: format!("{error} ({})", whisper_log::take_complaint()),
            })?;
        let decoded = self.collect(window::seconds(samples.len()));
        let Evidence {
            confidence,
            no_speech,
            seconds,
        } = decoded.evidence;
        let elapsed = began.elapsed();
        debug!(
            audio_ctx,
            confidence,
            no_speech,
            seconds,
            ?elapsed,
            lang = decoded.lang,
            "whisper decoded"
        );
        tracing::trace!(text = decoded.text, "whisper's text");
        Ok(decoded)
    }

    /// Gathers text and evidence of all segments.
    fn collect(&self, seconds: f32) -> Decoded {
        let mut text = String::new();
        let (mut log_sum, mut tokens, mut no_speech) = (0.0_f32, 0_u16, 0.0_f32);
        for segment in self.state.as_iter() {
            text.push_str(&String::from_utf8_lossy(segment.to_bytes().unwrap_or_default()));
            no_speech = no_speech.max(segment.no_speech_probability());
            for token in (0..segment.n_tokens()).filter_map(|index| segment.get_token(index)) {
                // Marks such as the end of the text come after all words.
                if token.token_id() < self.context.token_eot() {
                    log_sum += token.token_probability().max(f32::MIN_POSITIVE).ln();
                    tokens += 1;
                }
            }
        }
        let confidence = if tokens == 0 {
            0.0
        } else {
            (log_sum / f32::from(tokens)).exp()
        };
        let lang = whisper_rs::get_lang_str(self.state.full_lang_id_from_state()).unwrap_or("en");
        Decoded {
            text,
            evidence: Evidence {
                confidence,
                no_speech,
                seconds,
            },
            lang,
        }
    }

    fn params_for(&mut self, lang: Option<&'static str>) -> FullParams<'static, 'static> {
        let (threads, current) = (self.threads, &self.current);
        self.params
            .entry(lang)
            .or_insert_with(|| new_params(threads, lang, current))
            .clone()
    }
}

fn root_mean_square(samples: &[f32]) -> f32 {
    let energy: f64 = samples
        .iter()
        .map(|sample| f64::from(*sample) * f64::from(*sample))
        .sum();
    (energy / samples.len() as f64).sqrt() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest model, which `make test` fetches.
    fn model() -> std::path::PathBuf {
        let folder = std::env::var_os("LOQUAT_TEST_MODELS")
            .expect("LOQUAT_TEST_MODELS names the folder of models; `make test` fetches them and sets it");
        Path::new(&folder).join("ggml-tiny.en.bin")
    }

    #[test]
    fn whisper_asks_whether_to_stop_and_can_go_on_afterwards() {
        let mut whisper = Whisper::load(&model(), 1).unwrap();
        let samples = vec![0.01; 16_000];
        let cancelled = CancellationToken::new();
        assert_eq!(
            whisper.transcribe(&samples, None, &cancelled),
            Err(TranscribeError::NothingHeard)
        );
        cancelled.cancel();
        let outcome = whisper.transcribe(&samples, None, &cancelled);
        assert!(
            matches!(outcome, Err(TranscribeError::Whisper { .. })),
            "{outcome:?}"
        );
        let outcome = whisper.transcribe(&samples, None, &CancellationToken::new());
        assert_eq!(outcome, Err(TranscribeError::NothingHeard));
    }
}
