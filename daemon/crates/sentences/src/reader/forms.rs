//! The forms of a text that sentences are compared with: with skip words, without, and without them at one end.

use crate::matcher::{BufferId, Matcher};
use crate::sketch::{Sketch, of_letters};
use crate::skip::Where;
use crate::spoken::Spoken;

/// The forms of a text that sentences are compared with.
#[derive(Debug, Default)]
pub(super) struct Forms {
    whole: Option<Spoken>,
    /// Everything, but no space at the end.
    pub(super) verbatim: BufferId,
    pub(super) with_skip_words: BufferId,
    pub(super) without: BufferId,
    /// Skip words are dropped at this end only; made when a sentence needs it.
    without_at_start: Option<BufferId>,
    without_at_end: Option<BufferId>,
    pub(super) has_skip_words: bool,
}

impl Forms {
    pub(super) fn new(matcher: &mut Matcher<'_>, text: &[char]) -> Self {
        let whole = Spoken::new(text.to_vec());
        let mut dropped = whole.clone();
        matcher
            .language
            .skip_words
            .drop_from(&mut dropped, Where::Anywhere);
        let has_skip_words = dropped.letters != whole.letters;
        let with_skip_words = Self::keep(matcher, whole.clone());
        Self {
            verbatim: matcher.buffers.add(whole.clone()),
            with_skip_words,
            without: if has_skip_words {
                Self::keep(matcher, dropped)
            } else {
                with_skip_words
            },
            without_at_start: None,
            without_at_end: None,
            has_skip_words,
            whole: Some(whole),
        }
    }

    /// Keeps a form with a space at its end, or without any where they count for nothing.
    fn keep(matcher: &mut Matcher<'_>, mut spoken: Spoken) -> BufferId {
        if matcher.language.ignores_whitespace {
            spoken.drop_unspaced();
        } else {
            spoken.end_word();
        }
        matcher.buffers.add(spoken)
    }

    /// The form without skip words at one end.
    pub(super) fn trimmed(&mut self, matcher: &mut Matcher<'_>, from: Where) -> BufferId {
        let known = if from == Where::End {
            &mut self.without_at_end
        } else {
            &mut self.without_at_start
        };
        if let Some(known) = *known {
            return known;
        }
        let mut spoken = self.whole.clone().unwrap_or_else(|| Spoken::new(Vec::new()));
        matcher.language.skip_words.drop_from(&mut spoken, from);
        *known.insert(Self::keep(matcher, spoken))
    }
}

/// The sketch of the text in any of its forms.
pub(super) fn sketch(forms: &Forms, matcher: &Matcher<'_>) -> Sketch {
    let all = [forms.verbatim, forms.with_skip_words, forms.without];
    all.into_iter().fold(0, |sketch, form| {
        sketch | of_letters(matcher.buffers.rest(form, 0))
    })
}
