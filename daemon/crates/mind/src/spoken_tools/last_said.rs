//! What was understood last in a conversation, as data: the intent, its gaps, the call, and how it is taken back. What a person says
//! next may go on with it.
//!
//! It is of one speaker and one language, and grows too old within minutes. Nothing here reads a sentence.

use std::sync::Arc;
use std::time::Duration;

use loquat_agent::Speaker;
use loquat_agent::turn::IntendedCall;
use loquat_orchestrator::manifest::Recognised;
use loquat_phrases::following::Several;
use loquat_skills::home;
use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::ellipsis::Meaning;
use super::{Wanted, primary};
use crate::reply::{Reply, Undoable};

/// Who says "and tomorrow?" later means something else.
const WITHIN: Duration = Duration::from_secs(180);

/// So many sentences are known that were about the same toolbox one after the other.
const MOST_KEPT: usize = 6;

/// What was understood last.
#[derive(Debug, Clone)]
pub struct LastSaid {
    pub(super) lang: String,
    /// What was said, or the sentence in which a brain said it again.
    pub(super) text: String,
    /// The person's own words, where a brain said them again.
    pub(super) heard: Option<String>,
    pub(super) call: IntendedCall,
    /// As a sentence of ours.
    pub(super) own: Option<Own>,
    /// What was answered; nothing where that was silence.
    pub(super) answer: Option<Arc<str>>,
    /// What takes it back, where something was done.
    pub(super) undo: Option<Undoable>,
    /// What the same toolbox did before, where this only asked about it.
    pub(super) deed: Option<Arc<Self>>,
    /// What the same toolbox was asked for right before.
    before: Option<Arc<Self>>,
    /// So many that were spoken of are meant together since.
    pub(super) together: Option<Several>,
    /// Whether it stands in the place of the one before.
    corrects: bool,
    speaker: Speaker,
    at: Instant,
    /// What was asked about last, and what it means: one utterance is asked about several times on its way.
    answered: Arc<Mutex<Option<Answered>>>,
}

#[derive(Debug)]
struct Answered {
    text: String,
    lang: String,
    meaning: Meaning,
}

/// A sentence of ours as it was understood.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Own {
    pub(super) intent: String,
    /// What fills its gaps, as it was said.
    pub(super) slots: Vec<(String, String)>,
    /// Arguments that a pronoun has brought.
    pub(super) carried: Map<String, Value>,
    /// The sentence whose thing the pronoun means. Of that there may be one more.
    pub(super) base: Option<Box<Self>>,
}

impl Own {
    pub(super) fn of(found: Recognised) -> Self {
        Self {
            intent: found.intent_name,
            slots: found.slots,
            carried: Map::new(),
            base: None,
        }
    }

    /// The sentence that first spoke of the thing.
    pub(super) fn first(&self) -> &Self {
        self.base.as_deref().unwrap_or(self)
    }
}

impl LastSaid {
    /// What a turn has understood and done for this speaker; nothing of a sentence with several wishes, of one that was only
    /// nearly understood, and of an undo.
    pub fn of(wanted: &Wanted, text: &str, lang: &str, speaker: &Speaker, said: &Reply) -> Option<Self> {
        let call = wanted.done()?;
        Some(Self {
            lang: primary(lang),
            text: text.to_owned(),
            heard: None,
            call: call.clone(),
            own: wanted.own.clone(),
            answer: Some(said.text.trim())
                .filter(|text| !text.is_empty())
                .map(Arc::from),
            undo: said.undo.clone(),
            deed: None,
            before: None,
            together: None,
            corrects: wanted.call.undoes,
            speaker: speaker.clone(),
            at: Instant::now(),
            answered: Arc::default(),
        })
    }

    /// With the person's own words, which a brain said again as this.
    #[must_use]
    pub fn heard_as(self, heard: Option<String>) -> Self {
        Self { heard, ..self }
    }

    /// This with another call and another sentence for the same, and with what was done before it.
    pub(super) fn asked_as(self, call: IntendedCall, own: Option<Own>, deed: Option<Arc<Self>>) -> Self {
        Self {
            call,
            own,
            deed,
            ..self
        }
    }

    /// This behind what was said before. Who asks how a deed stands may change it in the next sentence still.
    #[must_use]
    pub fn behind(self, before: Option<&Arc<Self>>) -> Self {
        let is_about = |before: &&Arc<Self>| {
            before.is_of(&self.speaker)
                && before.call.toolbox_id == self.call.toolbox_id
                && !self.can_be_undone()
        };
        let deed = before.filter(is_about).and_then(|before| {
            if before.can_be_undone() {
                Some(Arc::clone(before))
            } else {
                before.deed.clone()
            }
        });
        let goes_on = |before: &&Arc<Self>| {
            before.is_of(&self.speaker) && before.call.toolbox_id == self.call.toolbox_id
        };
        let earlier = before.filter(goes_on).cloned();
        let earlier = match earlier {
            Some(wrong) if self.corrects => wrong.before.clone(),
            earlier => earlier,
        };
        let before = earlier.and_then(|earlier| earlier.cut(MOST_KEPT - 1));
        Self { deed, before, ..self }
    }

    /// This with what was said before it, so many sentences at most: those that are older, or too old to be gone on with, are
    /// dropped. What was done before an earlier sentence is gone on with no more, and would keep all that was said before in turn.
    fn cut(&self, most: usize) -> Option<Arc<Self>> {
        let most = most.checked_sub(1).filter(|_| self.is_fresh())?;
        let before = self.before.as_ref().and_then(|before| before.cut(most));
        Some(Arc::new(Self {
            deed: None,
            before,
            ..self.clone()
        }))
    }

    /// This and what the same toolbox was asked for before it, the last one first.
    pub(super) fn chain(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |said| said.before.as_deref()).take_while(|said| said.is_fresh())
    }

    /// This behind a sentence about several things of a home, which are all meant then; nothing behind any other sentence.
    #[must_use]
    pub fn together(&self, wanted: &Wanted) -> Option<Self> {
        let is_of_home = self.call.toolbox_id == home::ID;
        let several = wanted.several.filter(|_| is_of_home)?;
        Some(Self {
            together: Some(several),
            at: Instant::now(),
            answered: Arc::default(),
            ..self.clone()
        })
    }

    /// Whether what is said now by this speaker may go on with it.
    pub fn is_of(&self, speaker: &Speaker) -> bool {
        self.speaker == *speaker && self.is_fresh()
    }

    /// Whether it is not too old.
    pub fn is_fresh(&self) -> bool {
        self.at.elapsed() < WITHIN
    }

    /// Whether it was the last thing done that can be taken back.
    pub fn can_be_undone(&self) -> bool {
        self.undo.is_some()
    }

    /// What a brain is told of it, on one line.
    pub fn told(&self) -> String {
        format!("{} {}", self.call.tool, json!(self.call.arguments))
    }

    /// What a text means behind it: what was found out before, or else this.
    pub(super) fn answered(&self, text: &str, lang: &str, look_up: impl FnOnce() -> Meaning) -> Meaning {
        let mut answered = self.answered.lock();
        if let Some(known) = answered
            .as_ref()
            .filter(|known| known.text == text && known.lang == lang)
        {
            return known.meaning.clone();
        }
        let meaning = look_up();
        *answered = Some(Answered {
            text: text.to_owned(),
            lang: lang.to_owned(),
            meaning: meaning.clone(),
        });
        meaning
    }

    /// The sentence of ours that first spoke of what this one is about.
    pub(super) fn base(&self) -> Option<Box<Own>> {
        self.own.as_ref().map(|own| Box::new(own.first().clone()))
    }

    pub(super) fn is_spoken_in(&self, lang: &str) -> bool {
        self.lang == primary(lang)
    }
}

#[cfg(test)]
mod tests;
