//! From 16 kHz sound to captures: wake word, voice activity and end-pointing put together.
//!
//! It runs on the ear's thread. Its only clock is the sound itself, so a file that is read fast and a microphone behave
//! the same. It does not know where sound comes from or what becomes of a capture.
//!
//! 250 ms into a pause whisper is given what was said so far, while the hearing goes on. How long the silence must be
//! for the end depends on how whole that text is and on how long this person has paused before. While the text is not
//! known the longest silence is waited out, which costs nothing, since everything waits for the text. A file is read
//! faster than it was spoken, so there each pause waits for its text.
//!
//! Who speaks while the device does may want it to stop, so that a pause of theirs is told sooner, and whisper glances at what was
//! said before it looks at it.

mod capture;
mod judged;
mod recording;
mod tempo;
#[cfg(test)]
mod tests;
mod words;

use std::path::PathBuf;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::completeness::Completeness;
use crate::endpoint::{Point, Rules, frames};
use crate::settings::{ListenMode, SpeechSettings};
use crate::trigger::Trigger;
use crate::voice::{FRAME, HOP, Voice};
use crate::wake_word::{Detection, WakeWordDetector};
use capture::Capture;
use judged::Judged;
use recording::Recording;
pub use recording::RecordingEnd;
use tempo::Tempo;
use words::Words;

/// The samples that voice activity looks at in one go.
const BLOCK: usize = HOP * FRAME;

/// A pause of who interrupts is told after this many frames: where it is an order that stops, the device speaks on until then.
const PROMPTLY: u32 = 4;

/// Captures in a row that were cut at the longest utterance, after which the sound is taken for noise that is like a voice.
const ENDLESS: u8 = 2;

/// In such noise the probability of speech must be this much higher.
const ABOVE_NOISE: f32 = 0.25;

/// Tells the hearing how whole the text before a pause is.
pub(crate) type Pauses = Judged<Completeness>;

/// Says whether a wake word was really said.
pub(crate) type Doubts = Judged<bool>;

/// A notice of the hearing to its ear.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Notice {
    /// A wake word was heard in its sleep, and ended that.
    Awoken,
    /// A sound like a wake word was heard, and counts if whisper finds it too.
    Doubted {
        doubt: u64,
        wake_word: String,
        /// The sound in which it is.
        samples: Vec<f32>,
    },
    WakeWord(Detection),
    /// A capture began.
    Started(Trigger),
    /// The person in the capture pauses, or has ended; this is what was said until now.
    Paused {
        /// The number of the pause.
        pause: u64,
        /// The samples of the capture until now.
        samples: Vec<f32>,
    },
    /// The person speaks on; what was said until that pause is not all.
    WentOn,
    /// The capture ended. The samples are absent when there was no voice in it.
    Ended(Option<Vec<f32>>),
    /// A recording began.
    RecordingStarted(PathBuf),
    /// A recording ended, or could not begin.
    RecordingEnded {
        path: PathBuf,
        length: Duration,
        end: RecordingEnd,
    },
}

/// Says how much of the sound counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attention {
    /// All of it counts.
    Awake,
    /// Only wake words count.
    Asleep,
    /// None of it counts.
    Deaf,
}

/// Says what to do when no capture is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Idle {
    /// Wait for a wake word or for being asked.
    Rest,
    /// Open a capture for the person who speaks.
    Watch(Trigger),
}

impl Idle {
    /// Gives what a microphone does in this mode.
    pub(crate) fn of(mode: ListenMode) -> Self {
        match mode {
            ListenMode::PushToTalk => Self::Rest,
            ListenMode::Continuous => Self::Watch(Trigger::Voice),
        }
    }
}

/// Follows one stream of sound.
pub(crate) struct Hearing<V> {
    settings: SpeechSettings,
    voice: V,
    words: Option<Words>,
    idle: Idle,
    capture: Option<Capture>,
    recording: Option<Recording>,
    /// The samples that do not fill a frame or a block yet.
    pending: Vec<f32>,
    /// The sound of these moments as wake words and whisper are to hear it.
    pending_whole: Vec<f32>,
    attention: Attention,
    speaking: bool,
    ringing: bool,
    tempo: Tempo,
    /// Tells how whole the text before a pause is; absent, all pauses are alike.
    pauses: Option<Pauses>,
    /// Where sound comes faster than it is spoken, the text before a pause is waited for until this is cancelled.
    waits_until: Option<CancellationToken>,
    /// Captures in a row that were cut because the sound did not end.
    endless: u8,
    /// The probability of speech in the last frame.
    speech: f32,
}

impl<V: Voice> Hearing<V> {
    pub(crate) fn new(
        settings: SpeechSettings,
        voice: V,
        wake_words: Option<Box<dyn WakeWordDetector>>,
        idle: Idle,
    ) -> Self {
        let pending = Vec::with_capacity(2 * BLOCK);
        let mut this = Self {
            tempo: Tempo::new(&settings),
            pauses: None,
            waits_until: None,
            endless: 0,
            speech: 0.0,
            settings,
            voice,
            words: wake_words.map(Words::new),
            idle,
            capture: None,
            recording: None,
            pending,
            pending_whole: Vec::with_capacity(2 * BLOCK),
            attention: Attention::Awake,
            speaking: false,
            ringing: false,
        };
        this.rest();
        this
    }

    /// Tells pauses, and ends them by how whole the text is that is found meanwhile.
    pub(crate) fn telling_pauses(mut self, pauses: Pauses) -> Self {
        self.pauses = Some(pauses);
        self.rest();
        self
    }

    /// Waits at each pause for its text from now on: the sound is no longer spoken while it is heard.
    pub(crate) fn wait_at_pauses(&mut self, until: CancellationToken) {
        self.waits_until = Some(until);
    }

    /// Makes the rules of listening for ever.
    fn watching(&self) -> Rules {
        let pause = self.pauses.as_ref().and_then(|_| self.tempo.pause());
        let mut rules = Rules::watching(&self.settings).looking_at_pauses(pause);
        if self.endless >= ENDLESS {
            rules.threshold = (rules.threshold + ABOVE_NOISE).min(0.95);
        }
        rules
    }

    /// Gives the rules of a capture that was asked for.
    fn asked(&self) -> Rules {
        Rules {
            patience: Rules::asked(&self.settings).patience,
            ..self.watching()
        }
    }

    /// Tells whether sound makes any difference at present.
    pub(crate) fn wants_sound(&self) -> bool {
        match self.attention {
            Attention::Awake => self.capture.is_some() || self.words.is_some() || self.recording.is_some(),
            Attention::Asleep => self.words.is_some(),
            Attention::Deaf => false,
        }
    }

    /// Gives the last probability of speech, and the detector's certainty of each wake word.
    pub(crate) fn findings(&self) -> (f32, Vec<f32>) {
        let speech = if self.follows() { self.speech } else { 0.0 };
        let words = self.words.as_ref().map_or_else(Vec::new, Words::scores);
        (speech, words)
    }

    /// Tells how much of the sound counts at present.
    pub(crate) fn attention(&self) -> Attention {
        self.attention
    }

    /// Tells whether sound belongs to a capture, or to the watch for one.
    fn follows(&self) -> bool {
        self.attention == Attention::Awake && self.capture.is_some()
    }

    /// The device speaks from now on, or does not any more. Who speaks unasked meanwhile interrupts it.
    pub(crate) fn set_speaking(&mut self, speaking: bool) {
        self.speaking = speaking;
        self.tell_words();
    }

    /// The device rings from now on, or does not any more.
    pub(crate) fn set_ringing(&mut self, ringing: bool) {
        self.ringing = ringing;
        self.tell_words();
    }

    /// Changes what is done between captures. One that was told goes on.
    pub(crate) fn set_idle(&mut self, idle: Idle) {
        self.idle = idle;
        if !self.capture.as_ref().is_some_and(|capture| capture.announced) {
            self.rest();
        }
    }

    pub(crate) fn feed(&mut self, samples: &[f32], notify: &mut impl FnMut(Notice)) {
        self.feed_apart(samples, samples, notify);
    }

    /// Takes the next samples for voice activity, and as many that wake words and whisper are to hear instead.
    pub(crate) fn feed_apart(&mut self, samples: &[f32], whole: &[f32], notify: &mut impl FnMut(Notice)) {
        if self.attention == Attention::Deaf {
            return;
        }
        self.pending.extend_from_slice(samples);
        self.pending_whole.extend_from_slice(whole);
        self.settle_doubt(notify);
        self.hear_pending(notify);
    }

    /// Looks at the sound that came, unless it waits for a wake word to be judged.
    fn hear_pending(&mut self, notify: &mut impl FnMut(Notice)) {
        loop {
            if self.is_in_doubt() {
                return;
            }
            let take = if self.follows() || self.recording.is_some() {
                BLOCK
            } else {
                FRAME
            };
            if self.pending.len() < take {
                return;
            }
            let piece: Vec<f32> = self.pending.drain(..take).collect();
            let whole: Vec<f32> = self.pending_whole.drain(..take).collect();
            if self.recording.is_some() {
                self.record_block(&piece, &whole, notify);
            } else if self.follows() {
                self.follow(&piece, &whole, notify);
            } else {
                self.look_for_words(&whole, notify);
            }
        }
    }

    /// Some sound was lost. What is being said is still worth recognising; a wake word is not heard across the gap.
    pub(crate) fn skip(&mut self) {
        if let (false, Some(words)) = (self.follows(), &mut self.words) {
            words.reset();
        }
    }

    /// Opens a capture that ends even without speech. Nothing more happens if one is open.
    pub(crate) fn listen(&mut self, trigger: Trigger, notify: &mut impl FnMut(Notice)) {
        if self.attention != Attention::Awake || self.recording.is_some() {
            return;
        }
        // Who is asked to speak needs no word.
        self.forget_doubt();
        let rules = self.asked();
        match &mut self.capture {
            Some(capture) if capture.announced => {}
            Some(capture) => {
                (capture.announced, capture.trigger) = (true, trigger);
                capture.end_pointer.limit_patience(rules.patience);
                notify(Notice::Started(trigger));
            }
            None => {
                self.capture = Some(Capture::new(rules, trigger, true));
                notify(Notice::Started(trigger));
            }
        }
    }

    /// Watches so long for a person who speaks on, and reports nothing where it stays silent.
    pub(crate) fn await_follow_up(&mut self, patience: Duration) {
        if self.attention == Attention::Awake && self.capture.is_none() && self.recording.is_none() {
            self.capture = Some(Capture::follow_up(self.watching(), patience));
        }
    }

    /// Ends that watch, unless a person speaks already.
    pub(crate) fn end_follow_up(&mut self) {
        let is_watch = |capture: &mut Capture| capture.trigger == Trigger::FollowUp && !capture.announced;
        if self.capture.take_if(is_watch).is_some() {
            self.rest();
        }
    }

    /// Ends the open capture with what was said until now, or the recording.
    pub(crate) fn stop(&mut self, notify: &mut impl FnMut(Notice)) {
        self.stop_recording(notify);
        if !self.capture.as_ref().is_some_and(|capture| capture.announced) {
            return;
        }
        self.flush(notify);
        self.close(notify);
    }

    /// The sound is at its end, and with it whatever is being said, be it ever so short.
    pub(crate) fn finish(&mut self, notify: &mut impl FnMut(Notice)) {
        self.settle_doubt(notify);
        self.hear_pending(notify);
        if !self.follows() {
            return self.discard(notify);
        }
        self.flush(notify);
        if let Some(capture) = &mut self.capture
            && !capture.announced
            && capture.end_pointer.heard_voice()
        {
            capture.announced = true;
            notify(Notice::Started(capture.trigger));
        }
        self.close(notify);
    }

    /// Looks at the samples that do not fill a block.
    fn flush(&mut self, notify: &mut impl FnMut(Notice)) {
        self.forget_doubt();
        self.hear_pending(notify);
        let mut rest = std::mem::take(&mut self.pending);
        let mut whole = std::mem::take(&mut self.pending_whole);
        if !rest.is_empty() {
            rest.resize(BLOCK, 0.0);
            whole.resize(BLOCK, 0.0);
            self.follow(&rest, &whole, notify);
        }
    }

    fn close(&mut self, notify: &mut impl FnMut(Notice)) {
        if let Some(capture) = self.capture.take_if(|capture| capture.announced) {
            let heard = capture.end_pointer.heard_voice();
            notify(Notice::Ended(heard.then_some(capture.samples)));
        }
        self.rest();
    }

    /// Ends the open capture with nothing, and forgets all sound, as it does after a gap.
    pub(crate) fn discard(&mut self, notify: &mut impl FnMut(Notice)) {
        self.forget_doubt();
        self.pending.clear();
        self.pending_whole.clear();
        self.voice.reset();
        self.drop_capture(notify);
    }

    /// Changes how much of the sound counts; unless all does, an open capture ends with nothing.
    pub(crate) fn attend(&mut self, attention: Attention, notify: &mut impl FnMut(Notice)) {
        // Who mutes the microphone for a while goes on with the recording later.
        if attention == Attention::Asleep {
            self.end_recording(RecordingEnd::Deaf, notify);
        }
        if attention != Attention::Awake {
            self.discard(notify);
        }
        self.attention = attention;
    }

    /// Goes back to what is done between captures. No wake word has heard what was said until now.
    fn rest(&mut self) {
        if let Some(words) = &mut self.words {
            words.reset();
        }
        self.capture = match self.idle {
            Idle::Rest => None,
            Idle::Watch(trigger) => Some(Capture::new(self.watching(), trigger, false)),
        };
    }

    /// Looks at one block of sound for the capture or watch that is open.
    fn follow(&mut self, block: &[f32], whole: &[f32], notify: &mut impl FnMut(Notice)) {
        let probabilities = self.voice.probabilities(block);
        self.speech = probabilities.last().copied().unwrap_or_default();
        let heard = whole.chunks_exact(FRAME).zip(probabilities);
        for (number, (whole_frame, probability)) in heard.enumerate() {
            if self.is_watching() && self.look_for_words(whole_frame, notify) {
                if self.is_in_doubt() {
                    let later =
                        |heard: &[f32]| heard.get((number + 1) * FRAME..).unwrap_or_default().to_vec();
                    self.pending.splice(0..0, later(block));
                    self.pending_whole.splice(0..0, later(whole));
                    return;
                }
                continue;
            }
            if self.settings.score_wake_words
                && !self.is_watching()
                && let Some(words) = &mut self.words
            {
                words.score(whole_frame);
            }
            let Some(capture) = &mut self.capture else { return };
            if capture.settling > 0 {
                capture.settling -= 1;
                continue;
            }
            capture.samples.extend_from_slice(whole_frame);
            match capture.end_pointer.feed(probability) {
                None => capture.forget(&self.settings),
                Some(Point::Began { frames_ago }) => {
                    capture.begin(frames_ago + frames(self.settings.pre_roll));
                    if !capture.announced {
                        capture.announced = true;
                        if self.speaking && capture.trigger.is_unasked() {
                            capture.trigger = Trigger::Interruption;
                            capture.end_pointer.tell_pauses_after(PROMPTLY);
                        }
                        notify(Notice::Started(capture.trigger));
                    }
                }
                Some(Point::Paused) => self.pause(notify),
                Some(Point::WentOn { silent }) => {
                    capture.pause = None;
                    self.tempo.paused(silent);
                    notify(Notice::WentOn);
                }
                Some(Point::Ended { silent }) => self.end(silent, notify),
                Some(Point::NobodySpoke) => {
                    if capture.announced {
                        notify(Notice::Ended(None));
                    }
                    self.rest();
                }
            }
        }
    }

    /// A person pauses, or has ended.
    fn pause(&mut self, notify: &mut impl FnMut(Notice)) {
        let (Some(pauses), Some(capture)) = (&self.pauses, &mut self.capture) else {
            return;
        };
        let pause = pauses.begin();
        capture.pause = Some(pause);
        let samples = capture.until_now();
        notify(Notice::Paused { pause, samples });
        if let Some(until) = &self.waits_until {
            pauses.wait(until);
            self.settle_pause(notify);
        }
    }

    /// Goes on with what whisper has found meanwhile: whether a wake word was said, and whether a pause whose text is known
    /// to be whole enough for the silence that there was is the end.
    pub(crate) fn settle(&mut self, notify: &mut impl FnMut(Notice)) {
        self.settle_doubt(notify);
        self.hear_pending(notify);
        self.settle_pause(notify);
    }

    fn settle_pause(&mut self, notify: &mut impl FnMut(Notice)) {
        let (Some(pauses), Some(capture)) = (&self.pauses, &mut self.capture) else {
            return;
        };
        // What interrupts speech may be an echo of it, and what a person says behind that is another capture.
        let is_behind_speech = capture.trigger == Trigger::Interruption && !self.speaking;
        let judged = |pause| {
            if is_behind_speech {
                Some(Completeness::Whole)
            } else {
                pauses.judgement(pause)
            }
        };
        let Some(text) = capture.pause.and_then(judged) else {
            return;
        };
        let ended = capture.end_pointer.wait_for(self.tempo.wait(text));
        if let Some(Point::Ended { silent }) = ended {
            self.end(silent, notify);
        }
    }

    /// The person has ended, so many frames ago.
    fn end(&mut self, silent: u32, notify: &mut impl FnMut(Notice)) {
        self.tempo.ended();
        self.endless = if silent == 0 {
            self.endless.saturating_add(1)
        } else {
            0
        };
        if let Some(mut capture) = self.capture.take() {
            capture.trim(silent);
            notify(Notice::Ended(Some(capture.samples)));
        }
        self.rest();
    }
}
