//! A recording that a program asked for: all sound into one file, until it is ended, a word stops it, it is silent for long,
//! or the file is as long as it may become. Nothing of it is recognised.

use std::fs::{File, OpenOptions};
use std::io::BufWriter;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::time::Duration;

use hound::{SampleFormat, WavSpec, WavWriter};
use serde::Serialize;

use super::{Hearing, Notice};
use crate::SAMPLE_RATE;
use crate::endpoint::frames;
use crate::settings::RecordingSettings;
use crate::voice::{FRAME, Voice};
use crate::wake_word::WakeWordEffect;

/// Others of this machine must not hear what was said.
const RIGHTS: u32 = 0o600;

/// After this many samples the file is whole again, so that a crash takes no more.
const WRITTEN_OUT: u32 = 5 * SAMPLE_RATE;

/// Says why a recording ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RecordingEnd {
    /// It was to.
    Asked,
    /// A wake word that stops was said.
    StopWord,
    /// Nothing was said for as long as was to be waited.
    Silence,
    /// It is as long as it may become.
    Full,
    /// The device was sent to sleep, or its microphone has gone.
    Deaf,
    /// The file cannot be written, for this reason.
    Failed(String),
}

/// A recording that goes on.
pub(super) struct Recording {
    path: PathBuf,
    writer: WavWriter<BufWriter<File>>,
    written: u32,
    /// The samples that it may have.
    most: u32,
    /// The frames since the last voice, and how many end it.
    silent: u32,
    most_silent: u32,
}

impl Recording {
    fn begin(settings: &RecordingSettings) -> Result<Self, hound::Error> {
        let spec = WavSpec {
            channels: 1,
            sample_rate: SAMPLE_RATE,
            bits_per_sample: i16::BITS as u16,
            sample_format: SampleFormat::Int,
        };
        let mut options = OpenOptions::new();
        // It never writes over what another has recorded.
        let file = options
            .write(true)
            .create_new(true)
            .mode(RIGHTS)
            .open(&settings.path)?;
        Ok(Self {
            path: settings.path.clone(),
            writer: WavWriter::new(BufWriter::new(file), spec)?,
            written: 0,
            most: (settings.longest.as_secs_f64() * f64::from(SAMPLE_RATE)) as u32,
            silent: 0,
            most_silent: frames(settings.silence).max(1),
        })
    }

    /// Writes a frame; whether that was the last.
    fn take(&mut self, frame: &[f32], is_voiced: bool) -> Option<RecordingEnd> {
        for sample in frame {
            let whole = (sample * f32::from(i16::MAX)) as i16;
            if let Err(error) = self.writer.write_sample(whole) {
                return Some(RecordingEnd::Failed(error.to_string()));
            }
        }
        let before = self.written / WRITTEN_OUT;
        self.written += frame.len() as u32;
        if self.written / WRITTEN_OUT > before
            && let Err(error) = self.writer.flush()
        {
            return Some(RecordingEnd::Failed(error.to_string()));
        }
        self.silent = if is_voiced { 0 } else { self.silent + 1 };
        if self.written >= self.most {
            return Some(RecordingEnd::Full);
        }
        (self.silent >= self.most_silent).then_some(RecordingEnd::Silence)
    }

    fn end(self, end: RecordingEnd) -> Notice {
        let finalized = self.writer.finalize();
        let end = match finalized {
            Err(error) if !matches!(end, RecordingEnd::Failed(_)) => RecordingEnd::Failed(error.to_string()),
            _ => end,
        };
        Notice::RecordingEnded {
            path: self.path,
            length: Duration::from_secs_f64(f64::from(self.written) / f64::from(SAMPLE_RATE)),
            end,
        }
    }
}

impl<V: Voice> Hearing<V> {
    /// Records from now on instead of listening. A recording that goes on goes on, and a capture that is open ends with
    /// nothing.
    pub(crate) fn record(&mut self, settings: &RecordingSettings, notify: &mut impl FnMut(Notice)) {
        if self.recording.is_some() {
            return;
        }
        self.forget_doubt();
        self.drop_capture(notify);
        let path = settings.path.clone();
        match Recording::begin(settings) {
            Ok(recording) => {
                self.recording = Some(recording);
                notify(Notice::RecordingStarted(path));
            }
            Err(error) => notify(Notice::RecordingEnded {
                path,
                length: Duration::ZERO,
                end: RecordingEnd::Failed(error.to_string()),
            }),
        }
    }

    /// Ends the recording, if one goes on, with what was said last.
    pub(super) fn stop_recording(&mut self, notify: &mut impl FnMut(Notice)) {
        if let Some(recording) = &mut self.recording {
            let rest = std::mem::take(&mut self.pending);
            self.pending_whole.clear();
            let end = recording.take(&rest, true).unwrap_or(RecordingEnd::Asked);
            self.end_recording(end, notify);
        }
    }

    /// Ends the recording, if one goes on.
    pub(crate) fn end_recording(&mut self, end: RecordingEnd, notify: &mut impl FnMut(Notice)) {
        if let Some(recording) = self.recording.take() {
            notify(recording.end(end));
            self.rest();
        }
    }

    /// Writes a block of sound, and listens for a word that stops.
    pub(super) fn record_block(&mut self, block: &[f32], whole: &[f32], notify: &mut impl FnMut(Notice)) {
        let probabilities = self.voice.probabilities(block);
        let heard = block.chunks_exact(FRAME).zip(whole.chunks_exact(FRAME));
        for ((frame, whole), probability) in heard.zip(probabilities) {
            let Some(recording) = &mut self.recording else {
                return;
            };
            let mut end = recording.take(frame, probability >= self.settings.vad_threshold);
            if let Some(spotted) = self.spot_to_stop(whole) {
                notify(Notice::WakeWord(spotted));
                end = Some(RecordingEnd::StopWord);
            }
            if let Some(end) = end {
                self.end_recording(end, notify);
            }
        }
    }

    fn spot_to_stop(&mut self, whole: &[f32]) -> Option<crate::wake_word::Detection> {
        let spotted = self.words.as_mut()?.spot(whole)?;
        (spotted.word.effect == WakeWordEffect::Stop).then_some(spotted)
    }
}
