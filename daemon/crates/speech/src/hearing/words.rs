//! What a hearing does at a wake word: opens a capture behind it, begins the one that is open anew, or only tells of it.
//! Where whisper is asked whether the word was said at all, the sound behind it waits for the answer.

use std::collections::VecDeque;

use super::capture::Capture;
use super::{Attention, Doubts, Hearing, Notice};
use crate::SAMPLE_RATE;
use crate::trigger::Trigger;
use crate::voice::{FRAME, Voice};
use crate::wake_word::{Detection, WakeWordDetector, WakeWordEffect};

/// This many samples before a wake word was noticed may belong to what follows it: a word is noticed a little after
/// its end, and a fast speaker makes no pause.
const BEHIND_THE_WORD: usize = 3 * FRAME;

/// Whisper looks for a word in this many samples. A word that is said slowly takes a second and a half.
const LOOKED_AT: usize = 2 * SAMPLE_RATE as usize;

/// This many samples may wait for whisper. With more behind it a word counts unjudged, so that a slow machine stays
/// of use.
const MOST_WAITING: usize = 6 * SAMPLE_RATE as usize;

/// The detector, and the sound that it heard last.
pub(super) struct Words {
    detector: Box<dyn WakeWordDetector>,
    /// The last sound that it was fed, which is also what whisper is to hear of these moments.
    recent: VecDeque<f32>,
    /// One of the words is there to end a sleep, so that the others do not.
    has_waking: bool,
    /// Tells what whisper thinks of a word; absent, all of them count.
    doubts: Option<Doubts>,
    /// The word that whisper is asked about, and the number of the doubt.
    in_doubt: Option<(u64, Detection)>,
}

impl Words {
    pub(super) fn new(detector: Box<dyn WakeWordDetector>) -> Self {
        let words = detector.words();
        Self {
            has_waking: words.iter().any(|word| word.effect == WakeWordEffect::Wake),
            detector,
            recent: VecDeque::with_capacity(LOOKED_AT + FRAME),
            doubts: None,
            in_doubt: None,
        }
    }

    pub(super) fn scores(&self) -> Vec<f32> {
        self.detector.scores()
    }

    /// Forgets what was fed before.
    pub(super) fn reset(&mut self) {
        self.detector.reset();
        self.recent.clear();
    }

    /// Finds the word that ends with this frame, as wake words and whisper hear it: what voice activity hears
    /// instead has holes while the device speaks.
    pub(super) fn spot(&mut self, whole: &[f32]) -> Option<Detection> {
        let surplus = (self.recent.len() + whole.len()).saturating_sub(LOOKED_AT);
        self.recent.drain(..surplus.min(self.recent.len()));
        self.recent.extend(whole);
        self.detector.feed(whole)
    }

    /// Has the detector hear this frame for its scores alone.
    pub(super) fn score(&mut self, whole: &[f32]) {
        let _counts_for_nothing = self.spot(whole);
    }

    /// Gives the sound that may belong to what follows the word.
    fn behind(&self) -> Vec<f32> {
        let before = self.recent.len().saturating_sub(BEHIND_THE_WORD);
        self.recent.iter().skip(before).copied().collect()
    }

    /// Tells whether a word of this effect ends a sleep.
    fn wakes(&self, effect: &WakeWordEffect) -> bool {
        match effect {
            WakeWordEffect::Wake => true,
            WakeWordEffect::Listen | WakeWordEffect::Persona(_) => !self.has_waking,
            WakeWordEffect::Stop => false,
        }
    }
}

impl<V: Voice> Hearing<V> {
    /// Has a wake word behind which something is heard count only where it is said here that it was said.
    pub(crate) fn doubting_words(mut self, doubts: Doubts) -> Self {
        if let Some(words) = &mut self.words {
            words.doubts = Some(doubts);
        }
        self
    }

    /// Tells whether a person who speaks is heard although no word was said.
    pub(super) fn is_watching(&self) -> bool {
        let is_watched = |capture: &Capture| capture.trigger.is_unasked();
        self.capture.as_ref().is_some_and(is_watched)
    }

    /// Tells the detector whether the device itself can be heard.
    pub(super) fn tell_words(&mut self) {
        let sounding = self.speaking || self.ringing;
        if let Some(words) = &mut self.words {
            words.detector.set_sounding(sounding);
        }
    }

    pub(super) fn is_in_doubt(&self) -> bool {
        self.words.as_ref().is_some_and(|words| words.in_doubt.is_some())
    }

    /// Looks at one frame of what whisper is to hear for words; whether one ends with it that is heeded now.
    pub(super) fn look_for_words(&mut self, whole: &[f32], notify: &mut impl FnMut(Notice)) -> bool {
        let Some(words) = &mut self.words else {
            return false;
        };
        let Some(spotted) = words.spot(whole) else {
            return false;
        };
        let effect = &spotted.word.effect;
        let counts = match self.attention {
            // An alarm may ring for a device that sleeps.
            Attention::Asleep => words.wakes(effect) || *effect == WakeWordEffect::Stop,
            Attention::Awake => *effect != WakeWordEffect::Wake,
            Attention::Deaf => false,
        };
        if counts && words.doubts.is_some() && effect.opens_capture() {
            self.doubt(spotted, notify);
        } else if counts {
            self.heed(spotted, notify);
        }
        counts
    }

    fn doubt(&mut self, spotted: Detection, notify: &mut impl FnMut(Notice)) {
        let Some(words) = &mut self.words else { return };
        let Some(doubts) = &words.doubts else { return };
        let doubt = doubts.begin();
        notify(Notice::Doubted {
            doubt,
            wake_word: spotted.word.name.clone(),
            samples: words.recent.iter().copied().collect(),
        });
        words.in_doubt = Some((doubt, spotted));
        if let Some(until) = &self.waits_until {
            doubts.wait(until);
            self.settle_doubt(notify);
        }
    }

    /// Heeds the word that whisper was asked about, or not, once that is known.
    pub(super) fn settle_doubt(&mut self, notify: &mut impl FnMut(Notice)) {
        let waiting = self.pending.len();
        let Some(words) = &mut self.words else { return };
        let Some((doubt, _)) = &words.in_doubt else { return };
        let judgement = words.doubts.as_ref().and_then(|doubts| doubts.judgement(*doubt));
        let Some(was_said) = judgement.or((waiting > MOST_WAITING).then_some(true)) else {
            return;
        };
        if let Some((_, spotted)) = words.in_doubt.take().filter(|_| was_said) {
            self.heed(spotted, notify);
        }
    }

    /// Whatever whisper says, the word does not count.
    pub(super) fn forget_doubt(&mut self) {
        if let Some(words) = &mut self.words {
            words.in_doubt = None;
        }
    }

    /// Does what a word is said for.
    fn heed(&mut self, spotted: Detection, notify: &mut impl FnMut(Notice)) {
        let is_stop = spotted.word.effect == WakeWordEffect::Stop;
        if self.attention == Attention::Asleep && !is_stop {
            self.attention = Attention::Awake;
            notify(Notice::Awoken);
        }
        let opens = spotted.word.effect.opens_capture();
        if opens {
            self.end_interruption(notify);
        }
        notify(Notice::WakeWord(spotted));
        if opens {
            self.open_behind_the_word(notify);
        } else if is_stop && self.is_watching() {
            self.drop_capture(notify);
        }
    }

    /// Ends an interruption that was no word to the device, or the beginning of the wake word.
    fn end_interruption(&mut self, notify: &mut impl FnMut(Notice)) {
        let interrupts =
            |capture: &mut Capture| capture.announced && capture.trigger == Trigger::Interruption;
        if let Some(capture) = self.capture.take_if(interrupts) {
            if capture.pause.is_some() {
                notify(Notice::WentOn);
            }
            notify(Notice::Ended(None));
        }
    }

    /// Opens a capture behind the wake word, since what comes behind it is meant. A capture that was reported already
    /// goes on as what is said there.
    fn open_behind_the_word(&mut self, notify: &mut impl FnMut(Notice)) {
        let (rules, before) = (self.asked(), self.capture.take());
        if !before.as_ref().is_some_and(|capture| capture.announced) {
            notify(Notice::Started(Trigger::WakeWord));
        }
        if before.is_some_and(|capture| capture.pause.is_some()) {
            notify(Notice::WentOn);
        }
        let samples = self.words.as_ref().map(Words::behind).unwrap_or_default();
        let mut capture = Capture::new(rules, Trigger::WakeWord, true);
        capture.samples = samples;
        self.capture = Some(capture);
    }

    /// Ends the open capture with nothing, and goes on with the sound.
    pub(super) fn drop_capture(&mut self, notify: &mut impl FnMut(Notice)) {
        if self.capture.take().is_some_and(|capture| capture.announced) {
            notify(Notice::Ended(None));
        }
        self.rest();
    }
}
