//! The ear's thread: takes sound from the source, resamples it, and has it heard. Voice activity costs too much to run
//! among other tasks; here it may take its time, and the ring behind the microphone bridges it.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::handle::Shared;
use crate::capture::ring::RingReader;
use crate::echo::{EchoFilter, Passed};
use crate::hearing::{Attention, Doubts, Hearing, Idle, Notice, Pauses, RecordingEnd};
use crate::resample::Resampler;
use crate::settings::{ListenMode, RecordingSettings, SpeechSettings};
use crate::trigger::Trigger;
use crate::voice::{Silero, Voice};
use crate::wake_word::WakeWordDetector;
use crate::wav::{ReadWavError, WavFile};

/// While sound is wanted, the ring is looked at this often; callbacks come less often.
const POLL: Duration = Duration::from_millis(30);

/// While nothing is listened to, the ring is emptied this often. Orders wake the thread at once.
const REST: Duration = Duration::from_millis(250);

/// An order to the thread.
#[derive(Debug)]
pub(super) enum Order {
    /// Open a capture.
    Listen,
    /// End the capture with what was said.
    Stop,
    Record(RecordingSettings),
    /// Wait so long for a person who speaks on.
    FollowUp(Duration),
    /// Wait no more for a person who speaks on.
    NoFollowUp,
    /// Begin captures so from now on.
    Mode(ListenMode),
    /// Take sound from this microphone from now on.
    Microphone {
        samples: RingReader,
        resampler: Resampler,
    },
    /// The microphone is gone.
    Lost,
    /// Hear this file, and end.
    File(PathBuf),
}

/// A report of the thread.
#[derive(Debug)]
pub(super) enum Report {
    /// Tells something about a capture.
    Notice(Notice),
    /// The file is being read.
    FileOpened(PathBuf),
    /// The file was heard, or why it could not be to its end.
    FileEnded(Result<(), String>),
}

/// All that the thread needs to begin.
pub(super) struct Parts {
    pub(super) settings: SpeechSettings,
    pub(super) pauses: Pauses,
    pub(super) doubts: Doubts,
    pub(super) wake_words: Option<Box<dyn WakeWordDetector>>,
    /// Takes our own voice out of what the microphone hears.
    pub(super) echo: Option<EchoFilter>,
    pub(super) inbox: Receiver<Order>,
    pub(super) reporter: mpsc::Sender<Report>,
    pub(super) done: CancellationToken,
    /// Dropped when the thread is gone.
    pub(super) alive: mpsc::Sender<()>,
}

/// Starts the thread; it ends when the token is cancelled, when its reports are not taken, or after a file.
pub(super) fn start(parts: Parts, silero: Silero, shared: Arc<Shared>) -> io::Result<()> {
    let listen = move || {
        let Parts {
            settings,
            pauses,
            doubts,
            wake_words,
            echo,
            inbox,
            reporter,
            done,
            alive,
        } = parts;
        let (idle, checks) = (Idle::of(settings.mode), settings.check_wake_words);
        let mut hearing = Hearing::new(settings, silero, wake_words, idle).telling_pauses(pauses);
        if checks {
            hearing = hearing.doubting_words(doubts);
        }
        Listener {
            hearing,
            echo,
            microphone: None,
            shared,
            reporter,
            done,
        }
        .run(&inbox);
        drop(alive);
    };
    std::thread::Builder::new()
        .name("loquat-ear".into())
        .spawn(listen)
        .map(drop)
}

struct Listener<V> {
    hearing: Hearing<V>,
    echo: Option<EchoFilter>,
    microphone: Option<(RingReader, Resampler)>,
    shared: Arc<Shared>,
    reporter: mpsc::Sender<Report>,
    done: CancellationToken,
}

impl<V: Voice> Listener<V> {
    fn run(mut self, inbox: &Receiver<Order>) {
        while !self.is_done() {
            // Deaf or asleep, the ring is emptied quickly too, so that what was said before a resumption is gone by then.
            let quick = self.hearing.wants_sound() || self.hearing.attention() != Attention::Awake;
            let pause = if quick { POLL } else { REST };
            let order = match inbox.recv_timeout(pause) {
                Ok(order) => Some(order),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let attention = self.shared.attention();
            if attention != Attention::Awake {
                self.attend(attention);
            }
            // Before a resumption and before the order: what was said until now is not meant for it.
            self.hearing
                .set_speaking(self.shared.speaking.load(Ordering::SeqCst));
            self.hearing
                .set_ringing(self.shared.ringing.load(Ordering::SeqCst));
            self.drain_microphone();
            self.settle();
            if attention == Attention::Awake {
                self.attend(attention);
            }
            match order {
                Some(Order::File(path)) => return self.hear_file(path, inbox),
                Some(order) => self.obey(order),
                None => {}
            }
        }
    }

    fn settle(&mut self) {
        let report = &mut awake_to(&self.shared, report_to(&self.reporter));
        self.hearing.settle(report);
    }

    fn is_done(&self) -> bool {
        self.done.is_cancelled() || self.reporter.is_closed()
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Listen => self
                .hearing
                .listen(Trigger::Asked, &mut report_to(&self.reporter)),
            Order::Record(settings) => self.hearing.record(&settings, &mut report_to(&self.reporter)),
            Order::Stop => self.hearing.stop(&mut report_to(&self.reporter)),
            Order::FollowUp(patience) => self.hearing.await_follow_up(patience),
            Order::NoFollowUp => self.hearing.end_follow_up(),
            Order::Mode(mode) => self.hearing.set_idle(Idle::of(mode)),
            Order::Microphone { samples, resampler } => self.microphone = Some((samples, resampler)),
            Order::Lost => {
                self.microphone = None;
                self.hearing
                    .end_recording(RecordingEnd::Deaf, &mut report_to(&self.reporter));
                // What was said before the microphone went is still worth recognising.
                self.hearing.stop(&mut report_to(&self.reporter));
                self.hearing.discard(&mut report_to(&self.reporter));
            }
            Order::File(_) => tracing::warn!("an ear that hears a microphone cannot hear a file"),
        }
    }

    fn attend(&mut self, attention: Attention) {
        if attention != self.hearing.attention() {
            self.hearing.attend(attention, &mut report_to(&self.reporter));
        }
    }

    fn drain_microphone(&mut self) {
        let Some((ring, resampler)) = &mut self.microphone else {
            return;
        };
        let (before, mut raw) = (ring.dropped(), Vec::new());
        ring.read(&mut raw);
        let lost = ring.dropped() - before;
        // A person who looks at the meter wants to know whether the microphone hears, also while nothing is listened for.
        self.shared.note_level(&raw);
        let is_wanted = self.hearing.wants_sound();
        if let Some(echo) = &mut self.echo {
            let unheard = if is_wanted { lost } else { lost + raw.len() as u64 };
            echo.skip(resampler.length_of(unheard));
        }
        if !is_wanted {
            return;
        }
        if lost > 0 {
            tracing::warn!(samples = lost, "sound was lost, the ear is too slow");
            self.hearing.skip();
        }
        let mut samples = Vec::with_capacity(raw.len());
        resampler.feed(&raw, &mut samples);
        self.shared.note_sound(&samples);
        let report = &mut awake_to(&self.shared, report_to(&self.reporter));
        match &mut self.echo {
            Some(echo) => {
                let Passed { clear, whole } = echo.pass(&samples);
                self.hearing.feed_apart(&clear, &whole, report);
            }
            None => self.hearing.feed(&samples, report),
        }
        let (speech, words) = self.hearing.findings();
        self.shared.note_findings(speech, &words);
    }

    /// Hears a file from start to end; a file without speech is one capture with nothing in it. While the device speaks the file
    /// is the sound of its room.
    fn hear_file(&mut self, path: PathBuf, inbox: &Receiver<Order>) {
        let is_room = self.shared.speaking.load(Ordering::SeqCst);
        let trigger = if is_room { Trigger::Voice } else { Trigger::File };
        self.hearing.set_idle(Idle::Watch(trigger));
        self.hearing.set_speaking(is_room);
        self.hearing.wait_at_pauses(self.done.clone());
        let mut captures = 0;
        let outcome = self
            .play(path, inbox, &mut captures)
            .map_err(|error| error.to_string());
        let report = &mut report_to(&self.reporter);
        if outcome.is_ok() && captures == 0 {
            report(Notice::Started(Trigger::File));
            report(Notice::Ended(None));
        }
        let _gone = self.reporter.blocking_send(Report::FileEnded(outcome));
    }

    fn play(
        &mut self,
        path: PathBuf,
        inbox: &Receiver<Order>,
        captures: &mut u32,
    ) -> Result<(), ReadWavError> {
        let mut file = WavFile::open(&path)?;
        let mut resampler = file.resampler()?;
        let _gone = self.reporter.blocking_send(Report::FileOpened(path));
        while let Some(piece) = file.next_piece()? {
            if self.is_done() {
                return Ok(());
            }
            self.attend(self.shared.attention());
            if let Ok(order) = inbox.try_recv() {
                self.obey(order);
            }
            let mut samples = Vec::with_capacity(piece.len());
            resampler.feed(&piece, &mut samples);
            let report = &mut awake_to(&self.shared, counted(captures, &self.reporter));
            self.hearing.feed(&samples, report);
        }
        let mut samples = Vec::new();
        resampler.finish(&mut samples);
        let report = &mut awake_to(&self.shared, counted(captures, &self.reporter));
        self.hearing.feed(&samples, report);
        self.hearing.finish(report);
        Ok(())
    }
}

/// Sends notices on; waits while the conductor is behind. When it is gone, the loop sees that by itself.
fn report_to(reporter: &mpsc::Sender<Report>) -> impl FnMut(Notice) {
    |notice| drop(reporter.blocking_send(Report::Notice(notice)))
}

/// Has a wake word end the sleep that callers know of, and announces it. Who was woken over the handle meanwhile is told
/// already.
fn awake_to(shared: &Shared, mut report: impl FnMut(Notice)) -> impl FnMut(Notice) {
    move |notice| {
        if matches!(notice, Notice::WakeWord { .. }) {
            shared.wake_words.add_permits(1);
        }
        if notice != Notice::Awoken || shared.asleep.swap(false, Ordering::SeqCst) {
            report(notice);
        }
    }
}

fn counted(captures: &mut u32, reporter: &mpsc::Sender<Report>) -> impl FnMut(Notice) {
    move |notice| {
        *captures += u32::from(matches!(notice, Notice::Started(_)));
        drop(reporter.blocking_send(Report::Notice(notice)));
    }
}
