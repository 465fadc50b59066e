//! How likely it is that a text ends in a word with which no sentence ends, whatever word whisper has written in its place: it
//! likes whole sentences, and writes "remind me too" for "remind me to". Looks at what whisper weighs while it decodes, and
//! changes nothing of it.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::ptr::from_ref;
use std::slice;
use std::sync::Arc;

use parking_lot::Mutex;
use whisper_rs::{FullParams, WhisperContext};
use whisper_rs_sys::{whisper_context, whisper_state, whisper_token_data};

use crate::completeness;

/// Marks with which a text may be over.
const MARKS: [&str; 11] = [".", "?", "!", ",", "...", "…", "-", " -", "--", ":", ";"];

/// A word is a token or a few.
const MOST_TOKENS: usize = 16;

/// The tokens of a language that tell of an open end.
#[derive(Debug, Default)]
struct Telling {
    /// Words with which no sentence ends.
    open: Vec<usize>,
    /// Marks, and the end of the text.
    ends: Vec<usize>,
}

/// What was weighed before one token was chosen: the probabilities of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Step {
    open: f32,
    ends: f32,
}

/// What the decoder has weighed until now, where whisper's callback finds it.
#[derive(Debug, Default)]
struct Weighed {
    telling: Arc<Telling>,
    vocabulary: usize,
    steps: Vec<Step>,
}

/// Follows the decoder. It has to outlive the calls of whisper with parameters that it has been added to.
#[derive(Debug, Default)]
pub(super) struct OpenEnds {
    weighed: Box<Mutex<Weighed>>,
    languages: HashMap<&'static str, Arc<Telling>>,
}

impl OpenEnds {
    /// Has the next call of whisper with these parameters followed, in this language.
    pub(super) fn follow(
        &mut self,
        params: &mut FullParams<'_, '_>,
        context: &WhisperContext,
        lang: Option<&'static str>,
    ) {
        let telling = lang.map_or_else(Arc::default, |lang| {
            let known = self.languages.entry(lang);
            Arc::clone(known.or_insert_with(|| Arc::new(Telling::of(lang, context))))
        });
        *self.weighed.lock() = Weighed {
            telling,
            vocabulary: usize::try_from(context.n_vocab()).unwrap_or_default(),
            steps: Vec::new(),
        };
        let weighed = from_ref::<Mutex<Weighed>>(&self.weighed)
            .cast_mut()
            .cast::<c_void>();
        // SAFETY: the callback changes nothing of whisper's, does not unwind, and lives as long as the process.
        unsafe { params.set_filter_logits_callback(Some(weigh)) };
        // SAFETY: what it points to is shared behind a lock, stays in its place, and outlives the call.
        unsafe { params.set_filter_logits_callback_user_data(weighed) };
    }

    /// Gives the probability that the last word, which begins with the token of this number, is one with which no sentence ends.
    /// Behind such a word it is also that of being over without it.
    pub(super) fn at(&self, token: usize, is_behind_open: bool) -> f32 {
        let weighed = self.weighed.lock();
        let step = weighed.steps.get(token).copied().unwrap_or_default();
        if is_behind_open {
            step.open + step.ends
        } else {
            step.open
        }
    }
}

impl Telling {
    fn of(lang: &str, context: &WhisperContext) -> Self {
        let one = |text: &str| {
            let tokens = context.tokenize(text, MOST_TOKENS).ok()?;
            let [token] = tokens[..] else { return None };
            usize::try_from(token).ok()
        };
        let open = completeness::open_words(lang).iter();
        let open = open.filter_map(|word| one(&format!(" {word}"))).collect();
        let end = usize::try_from(context.token_eot()).ok();
        let ends = MARKS.into_iter().filter_map(one).chain(end).collect();
        Self { open, ends }
    }
}

impl Weighed {
    fn weigh(&mut self, step: usize, logits: &[f32]) {
        let most = logits.iter().copied().fold(f32::MIN, f32::max);
        let part = |logit: &f32| (logit - most).exp();
        let all: f32 = logits.iter().map(part).sum();
        let of = |tokens: &[usize]| {
            let parts = tokens.iter().filter_map(|token| logits.get(*token));
            parts.map(part).sum::<f32>() / all
        };
        let weighed = Step {
            open: of(&self.telling.open),
            ends: of(&self.telling.ends),
        };
        self.steps.truncate(step);
        self.steps.push(weighed);
    }
}

/// Called by whisper before each token is chosen.
unsafe extern "C" fn weigh(
    _: *mut whisper_context,
    _: *mut whisper_state,
    _: *const whisper_token_data,
    tokens: c_int,
    logits: *mut f32,
    weighed: *mut c_void,
) {
    // SAFETY: it is what `OpenEnds::follow` has given, which outlives the call.
    let weighed = unsafe { &*weighed.cast::<Mutex<Weighed>>() };
    let mut weighed = weighed.lock();
    if logits.is_null() || weighed.telling.open.is_empty() {
        return;
    }
    // SAFETY: whisper has one for each token of its vocabulary, and changes none of them meanwhile.
    let logits = unsafe { slice::from_raw_parts(logits.cast_const(), weighed.vocabulary) };
    weighed.weigh(usize::try_from(tokens).unwrap_or_default(), logits);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_weighed_are_probabilities_and_a_new_text_begins_anew() {
        let telling = Telling {
            open: vec![0, 2],
            ends: vec![1],
        };
        let open_ends = OpenEnds::default();
        open_ends.weighed.lock().telling = Arc::new(telling);
        let near = |step: usize, is_behind_open, expected: f32| {
            let found = open_ends.at(step, is_behind_open);
            assert!((found - expected).abs() < 1e-6, "{step}: {found}");
        };
        let logits = |parts: [f32; 4]| parts.map(f32::ln);
        open_ends.weighed.lock().weigh(0, &logits([1.0, 1.0, 1.0, 1.0]));
        open_ends.weighed.lock().weigh(1, &logits([0.0, 3.0, 1.0, 4.0]));
        near(0, false, 0.5);
        near(1, false, 0.125);
        near(1, true, 0.5);
        near(2, true, 0.0);
        open_ends.weighed.lock().weigh(0, &logits([0.0, 0.0, 0.0, 1.0]));
        near(0, true, 0.0);
        near(1, true, 0.0);
    }
}
