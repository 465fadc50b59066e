//! One loaded whisper model and its working memory. Lives on the whisper thread; knows no queue.

#[expect(unsafe_code, reason = "whisper.cpp shows what it weighs through a C callback")]
mod open_end;
#[cfg(test)]
mod passes;
pub(super) mod speed;

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::debug;
use whisper_rs::{
    FullParams, SamplingStrategy, WhisperContext, WhisperContextParameters, WhisperError, WhisperState,
};

use self::open_end::OpenEnds;
use super::glance::{self, Glimpse};
use super::invented::{self, Evidence};
use super::language::{self, Spoken};
use super::params::{CurrentJob, up_to_the_encoder, with_strategy};
use super::room;
use super::window::{self, Window};
use super::{TranscribeError, Transcript};
use crate::completeness;
use crate::kernel::use_best_kernel;
use crate::known::Known;
use crate::model_file::{self, LoadModelError, ModelKind};
use crate::names;
use crate::settings::SpeechSettings;
use crate::whisper_log;

/// Below this confidence the cut window is not trusted and the whole one is tried, which then counts. Chosen on the 60
/// clips of speech that the window was measured on: the error rates are then those of the whole window, and of clear
/// speech one clip in three is decoded twice.
const SURE: f32 = 0.75;
/// From this confidence on, a first text counts that is something people say to this device: its few words alone make it
/// doubtful, and a second pass has been seen to change none of them.
const EXPECTED: f32 = 0.4;
/// Where no word is less probable than this, a second pass is not worth its time: of recorded commands that were doubtful as a whole
/// and had no such word, "Stop" among them, it mended none and spoilt one. What makes such a text doubtful are its marks, or that it
/// is short. A number has to be sure, since nothing else in a sentence tells that it is a wrong one.
const CLEAR: f32 = 0.35;
/// Texts that are followed at once in half of the window.
const TEXTS: i32 = 5;
/// A word less probable than this may be a name that was not understood.
const DOUBTED: f32 = 0.7;
/// whisper.cpp ignores less than 0.1 s; no word is as short as that.
const LEAST_SAMPLES: usize = crate::SAMPLE_RATE as usize / 10;
/// A glance is at this many samples, the last ones: a few words take no longer.
const GLANCED_AT: usize = crate::SAMPLE_RATE as usize * 5 / 2;
/// Where nothing is heard in these, a glance is at so many: what the device itself has said before a word, of which its canceller
/// leaves a rest, keeps whisper from hearing the word.
const LAST_WORD: usize = crate::SAMPLE_RATE as usize * 6 / 5;
/// The root mean square below which a recording is digital silence, about −80 dB.
const SILENCE: f32 = 0.000_1;

/// The result of one pass of the decoder.
#[derive(Debug)]
struct Decoded {
    text: String,
    evidence: Evidence,
    lang: &'static str,
    /// Words that may have been others, in lower-case letters.
    doubted: HashSet<String>,
    /// The probability that the last word is one with which no sentence ends.
    open_end: f32,
    /// The number of its tokens.
    tokens: u16,
    /// There are words, and none of them is doubtful.
    is_clear: bool,
}

impl Decoded {
    /// Tells whether whisper has said something over that was said once.
    fn is_looped(&self) -> bool {
        invented::repeats(&self.text) || invented::doubles(&self.text)
    }

    /// Takes out what whisper has said over. What was weighed at the end of that says nothing of where a person ended.
    fn say_once(&mut self) {
        if let Some(text) = invented::once(&self.text, self.lang) {
            (self.text, self.open_end) = (text, 0.0);
        }
    }
}

/// A model, ready to transcribe.
pub(super) struct Whisper {
    state: WhisperState,
    context: WhisperContext,
    current: CurrentJob,
    open_ends: OpenEnds,
    threads: i32,
    known: Known,
    spoken: Spoken,
    /// Per language and number of texts, because whisper-rs never frees a language it was given; there are about a hundred.
    params: HashMap<(Option<&'static str>, i32), FullParams<'static, 'static>>,
}

impl Whisper {
    pub(super) fn load(settings: &SpeechSettings, known: Known) -> Result<Self, LoadModelError> {
        let (path, threads) = (settings.whisper_model.as_path(), settings.threads);
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
            open_ends: OpenEnds::default(),
            threads,
            known,
            spoken: Spoken::new(settings.lang.as_deref(), &settings.langs),
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
        if samples.len() < LEAST_SAMPLES || room::strength(samples) < SILENCE {
            return Err(TranscribeError::NothingHeard);
        }
        *self.current.lock() = cancelled.clone();
        let detected = self.detected(samples, lang);
        let lang = detected.as_deref().or(lang);
        let code = self.decoder_language(lang);
        let (decoded, other) = self.decode_surely(samples, code, lang)?;
        let text = invented::spoken(&decoded.text, decoded.evidence).ok_or(TranscribeError::NothingHeard)?;
        let lang = language::reported(lang, decoded.lang);
        let other =
            other.and_then(|other| Some((invented::spoken(&other.text, other.evidence)?, other.doubted)));
        let texts = [Some((text, decoded.doubted)), other];
        let names = self.known.names(&lang).unwrap_or_default();
        let put_right = |(text, doubted): &(String, _)| names.put_right(text, doubted, &lang);
        // In a text that counts less there may be a name all the same.
        let right = texts.iter().flatten().find_map(put_right);
        let heard = texts.into_iter().flatten().map(|(text, _)| text);
        let mut texts = right.into_iter().chain(heard);
        let mut transcript = Transcript {
            text: texts.next().ok_or(TranscribeError::NothingHeard)?,
            alternatives: Vec::new(),
            lang,
            confidence: decoded.evidence.confidence,
            open_end: decoded.open_end,
            elapsed: Duration::ZERO,
        };
        texts.for_each(|other| transcript.or_instead(other));
        Ok(transcript)
    }

    /// Recognises the last few words where nothing else was said before or behind them; stops early when the token is cancelled. It
    /// takes a fifth of the time of [`Self::transcribe`], and twice that where it hears nothing at first. What is not sure, or is in
    /// one of several languages, is not recognised.
    pub(super) fn glance(
        &mut self,
        samples: &[f32],
        lang: Option<&str>,
        cancelled: &CancellationToken,
    ) -> Result<Transcript, TranscribeError> {
        let code = self.decoder_language(lang).ok_or(TranscribeError::NothingHeard)?;
        *self.current.lock() = cancelled.clone();
        let before = samples.len().saturating_sub(GLANCED_AT);
        let mut shown = samples.get(before..).unwrap_or_default();
        while shown.len() >= LEAST_SAMPLES && room::strength(shown) >= SILENCE {
            let decoded = self.decode(shown, Some(code), Window::Glance)?;
            let was_stopped = i32::from(decoded.tokens) >= glance::TOKENS;
            match glance::words_once(&decoded.text, decoded.evidence.confidence, was_stopped) {
                Glimpse::Words(text) => return Ok(glimpsed(text, lang, &decoded)),
                Glimpse::Nothing if shown.len() > LAST_WORD => {
                    let before = shown.len() - LAST_WORD;
                    shown = shown.get(before..).unwrap_or_default();
                }
                Glimpse::Nothing | Glimpse::GoesOn => break,
            }
        }
        Err(TranscribeError::NothingHeard)
    }

    /// Detects the language that is spoken, where it is one of several. It is looked for in the window that
    /// the first pass will have.
    fn detected(&mut self, samples: &[f32], lang: Option<&str>) -> Option<String> {
        if !self.context.is_multilingual() || !self.spoken.are_in_question(lang) {
            return None;
        }
        let threads = usize::try_from(self.threads).unwrap_or(1);
        let looked = self.look_at(samples, Window::Cut);
        let detected = looked.and_then(|()| self.state.lang_detect(0, threads));
        match detected {
            Ok((_, probabilities)) => self.spoken.likeliest(&probabilities).map(str::to_owned),
            Err(error) => {
                debug!(%error, "the language could not be detected");
                None
            }
        }
    }

    /// Has whisper encode this sound next, in this window.
    fn look_at(&mut self, samples: &[f32], window: Window) -> Result<(), WhisperError> {
        let audio_ctx = window.audio_ctx(samples.len(), self.context.model_n_audio_layer());
        let looked = self
            .state
            .full(up_to_the_encoder(self.threads, audio_ctx), samples);
        // It complains that it was told to end, which is no reason of a later error.
        let _told_to_end = whisper_log::take_complaint();
        looked
    }

    /// Finds the language to decode in. Absent means that the model detects it.
    fn decoder_language(&self, lang: Option<&str>) -> Option<&'static str> {
        if self.context.is_multilingual() {
            lang.and_then(language::whisper_code)
        } else {
            Some("en")
        }
    }

    /// Decodes with the cut window, and once more with the whole one when a word of the first text is doubtful and it is nothing that
    /// is said to this device, or when it says something over. Also gives the text that does not count.
    ///
    /// Where it is quiet, a model whose whole window is slow takes half of it with several texts for a second pass. There the whole
    /// window mends no more: of 101 words in other languages that an artificial voice said, the base model had 87 wrong with it, and
    /// 78 without. What is said over is then said once, unless a person may have said it so.
    ///
    /// The whole window, greedily, is the second pass that makes the fewest mistakes, although it takes four times as long as the
    /// cut one: of 593 words, most of them in noise, 88 were wrong with it, 96 and 102 with a beam of 2 and 5 on the cut window, 101
    /// and 102 with several decodings of one encoding, 100 with a beam on the whole window, and 103 without a second pass.
    fn decode_surely(
        &mut self,
        samples: &[f32],
        code: Option<&'static str>,
        lang: Option<&str>,
    ) -> Result<(Decoded, Option<Decoded>), TranscribeError> {
        let mut first = self.decode(samples, code, Window::Cut)?;
        let in_half = window::is_slow(self.context.model_n_audio_layer()) && room::is_quiet(samples);
        if in_half {
            first.say_once();
        }
        let is_sure = first.evidence.confidence >= SURE || first.is_clear;
        if !first.is_looped() && (is_sure || self.expects(&first, lang)) {
            return Ok((first, None));
        }
        let wider = if in_half && !first.is_looped() {
            Window::Half
        } else {
            Window::Full
        };
        let mut second = self.decode(samples, code, wider)?;
        if wider == Window::Half {
            second.open_end = first.open_end;
        }
        Ok(if is_better(&first, &second) {
            (second, Some(first))
        } else {
            (first, Some(second))
        })
    }

    /// Tells whether this is something that is said to this device.
    fn expects(&self, decoded: &Decoded, lang: Option<&str>) -> bool {
        let lang = language::reported(lang, decoded.lang);
        decoded.evidence.confidence >= EXPECTED && self.known.expects(&decoded.text, &lang)
    }

    fn decode(
        &mut self,
        samples: &[f32],
        lang: Option<&'static str>,
        window: Window,
    ) -> Result<Decoded, TranscribeError> {
        let began = Instant::now();
        let texts = if window == Window::Half { TEXTS } else { 1 };
        let mut params = self.params_for(lang, texts);
        let audio_ctx = window.audio_ctx(samples.len(), self.context.model_n_audio_layer());
        params.set_audio_ctx(audio_ctx);
        params.set_max_tokens(window.max_tokens(samples.len()));
        // Of several texts it would not be known which of them was weighed; the open end stays that of the pass before.
        if texts == 1 {
            self.open_ends.follow(&mut params, &self.context, lang);
        }
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
        let mut words = Words::default();
        let mut number = 0;
        for segment in self.state.as_iter() {
            text.push_str(&String::from_utf8_lossy(segment.to_bytes().unwrap_or_default()));
            no_speech = no_speech.max(segment.no_speech_probability());
            for token in (0..segment.n_tokens()).filter_map(|index| segment.get_token(index)) {
                // Marks such as the end of the text come after all words.
                if token.token_id() < self.context.token_eot() {
                    log_sum += token.token_probability().max(f32::MIN_POSITIVE).ln();
                    let bytes = token.to_bytes().unwrap_or_default();
                    words.take(bytes, token.token_probability(), number);
                    tokens += 1;
                }
                number += 1;
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
            doubted: words.doubted(),
            open_end: words.end(lang).map_or(0.0, |(token, is_behind_open)| {
                self.open_ends.at(token, is_behind_open)
            }),
            tokens,
            is_clear: words.are_clear(),
        }
    }

    fn params_for(&mut self, lang: Option<&'static str>, texts: i32) -> FullParams<'static, 'static> {
        let (threads, current) = (self.threads, &self.current);
        let strategy = if texts > 1 {
            SamplingStrategy::BeamSearch {
                beam_size: texts,
                patience: -1.0,
            }
        } else {
            SamplingStrategy::Greedy { best_of: 1 }
        };
        self.params
            .entry((lang, texts))
            .or_insert_with(|| with_strategy(strategy, threads, lang, current))
            .clone()
    }
}

/// The words of a text, put together from tokens.
#[derive(Debug, Default)]
struct Words(Vec<Word>);

/// A word is as probable as the least probable token with letters in it.
#[derive(Debug)]
struct Word {
    bytes: Vec<u8>,
    least: f32,
    /// The number of its first token.
    begin: usize,
}

impl Word {
    fn letters(&self) -> String {
        names::letters(&String::from_utf8_lossy(&self.bytes))
    }
}

impl Words {
    fn take(&mut self, token: &[u8], probability: f32, number: usize) {
        let begins = token.first().is_none_or(u8::is_ascii_whitespace);
        if begins || self.0.is_empty() {
            self.0.push(Word {
                bytes: Vec::new(),
                least: 1.0,
                begin: number,
            });
        }
        let Some(Word { bytes, least, .. }) = self.0.last_mut() else {
            return;
        };
        bytes.extend_from_slice(token);
        // How sure a mark is says nothing about the word.
        if token
            .iter()
            .any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
        {
            *least = least.min(probability);
        }
    }

    /// Tells whether there are any, and none is doubtful.
    fn are_clear(&self) -> bool {
        let is_clear = |word: &Word| {
            let is_number = word.bytes.iter().any(u8::is_ascii_digit);
            word.least >= if is_number { SURE } else { CLEAR }
        };
        !self.0.is_empty() && self.0.iter().all(is_clear)
    }

    /// Lists the words that may have been others.
    fn doubted(&self) -> HashSet<String> {
        let doubted = self.0.iter().filter(|word| word.least < DOUBTED);
        doubted
            .map(Word::letters)
            .filter(|word| !word.is_empty())
            .collect()
    }

    /// Gives the first token of the last word, and tells whether no sentence of this language ends with the word before it.
    fn end(&self, lang: &str) -> Option<(usize, bool)> {
        let mut backwards = self.0.iter().rev().map(|word| (word.begin, word.letters()));
        let mut spoken = backwards.by_ref().filter(|(_, letters)| !letters.is_empty());
        let (begin, _) = spoken.next()?;
        let before = spoken.next();
        Some((
            begin,
            before.is_some_and(|(_, word)| completeness::open_words(lang).contains(&word)),
        ))
    }
}

/// Tells whether the second text counts.
fn is_better(first: &Decoded, second: &Decoded) -> bool {
    let is_surer = second.evidence.confidence >= first.evidence.confidence;
    match (first.is_looped(), second.is_looped()) {
        (true, false) => true,
        (false, true) => false,
        (true, true) => invented::repeats(&first.text) || is_surer,
        (false, false) => is_surer,
    }
}

/// What a glance heard.
fn glimpsed(text: String, lang: Option<&str>, decoded: &Decoded) -> Transcript {
    Transcript {
        text,
        alternatives: Vec::new(),
        lang: language::reported(lang, decoded.lang),
        confidence: decoded.evidence.confidence,
        open_end: decoded.open_end,
        elapsed: Duration::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// The smallest model, which `make test` fetches.
    fn model() -> std::path::PathBuf {
        let folder = std::env::var_os("LOQUAT_TEST_MODELS")
            .expect("LOQUAT_TEST_MODELS names the folder of models; `make test` fetches them and sets it");
        Path::new(&folder).join("ggml-tiny.en.bin")
    }

    #[test]
    fn a_word_is_as_sure_as_its_least_sure_letters() {
        let mut words = Words::default();
        for (token, probability) in [
            (" Ask", 0.9),
            (" Lok", 0.95),
            ("wat", 0.4),
            (".", 0.1),
            (" pl", 0.99),
            ("ease", 0.99),
            ("!", 0.01),
        ] {
            words.take(token.as_bytes(), probability, 0);
        }
        assert_eq!(words.doubted(), HashSet::from(["lokwat".to_owned()]));
    }

    #[test]
    fn words_are_clear_where_none_is_doubtful_and_numbers_are_sure() {
        let clear = |tokens: &[(&str, f32)]| {
            let mut words = Words::default();
            for (token, probability) in tokens {
                words.take(token.as_bytes(), *probability, 0);
            }
            words.are_clear()
        };
        assert!(clear(&[(" Stop", 0.8), (".", 0.1)]));
        assert!(!clear(&[(" Stop", 0.8), (" it", 0.2)]));
        assert!(!clear(&[(" times", 0.9), (" 8", 0.5)]));
        assert!(clear(&[(" times", 0.4), (" 8", 0.8)]));
        assert!(!clear(&[]));
    }

    #[test]
    fn a_model_is_measured_without_anything_being_said() {
        let mut settings = SpeechSettings::new(model(), "");
        settings.threads = 1;
        let took = speed::measure(&settings).unwrap();
        assert!(
            took > Duration::ZERO && took < Duration::from_secs(60),
            "{took:?}"
        );
        let missing = SpeechSettings::new("nowhere.bin", "");
        assert!(matches!(
            speed::measure(&missing),
            Err(speed::MeasureError::Load(_))
        ));
    }

    #[test]
    fn whisper_looks_at_a_sound_in_the_window_that_it_is_told_to() {
        let mut settings = SpeechSettings::new(model(), "");
        settings.threads = 1;
        let mut whisper = Whisper::load(&settings, Known::default()).unwrap();
        let samples: Vec<f32> = (0..32_000_u16)
            .map(|index| 0.1 * (f32::from(index) * 0.2).sin())
            .collect();
        let encoded = |whisper: &mut Whisper| {
            whisper.state.encode(0, 1).unwrap();
            let begin = [whisper.context.token_sot()];
            whisper.state.decode(&begin, 0, 1).unwrap();
            whisper.state.get_logits().unwrap().to_vec()
        };
        let apart = |one: &[f32], other: &[f32]| {
            let each = one.iter().zip(other).map(|(one, other)| (one - other).abs());
            each.fold(0.0, f32::max)
        };
        whisper.decode(&samples, Some("en"), Window::Full).unwrap();
        let in_the_whole = encoded(&mut whisper);
        whisper.look_at(&samples, Window::Cut).unwrap();
        let looked_at = encoded(&mut whisper);
        whisper.decode(&samples, Some("en"), Window::Cut).unwrap();
        let in_the_cut = encoded(&mut whisper);
        assert!(apart(&looked_at, &in_the_cut) < 0.001);
        assert!(apart(&looked_at, &in_the_whole) > 0.01);
    }

    #[test]
    fn whisper_asks_whether_to_stop_and_can_go_on_afterwards() {
        let mut whisper = Whisper::load(&SpeechSettings::new(model(), ""), Known::default()).unwrap();
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
