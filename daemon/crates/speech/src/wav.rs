//! Reads WAV files of any common kind: integers of 8, 16, 24 and 32 bits, floats, any number of channels, any rate.
//!
//! The ear hears files piece by piece through the same resampler as a microphone; [`read`] gives a whole one.

mod header;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::SAMPLE_RATE;
use crate::resample::Resampler;
use header::Fault;
pub(crate) use header::{Encoding, Format};

/// The longest file that [`read`] takes into memory, 38 MB of samples.
const LONGEST: Duration = Duration::from_secs(600);

/// This many frames are read at a time.
const FRAMES: usize = 4_096;

/// Says why a WAV file gives no sound.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadWavError {
    /// The file is not there or cannot be read.
    #[error("failed to read the sound file {}; check that it is there and may be read", path.display())]
    Unreadable {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        source: io::Error,
    },
    /// The file is no WAV file or a broken one.
    #[error(
        "failed to read {} as a WAV file: {fault}; if it is sound of another kind, convert it, for example with \
         `ffmpeg -i {} -ar 16000 -ac 1 speech.wav`",
        path.display(), path.display()
    )]
    Damaged {
        /// The path of the file.
        path: PathBuf,
        /// Says what is wrong with it.
        fault: String,
    },
    /// The file is a WAV file of a kind that is not read.
    #[error(
        "failed to use the WAV file {}: {fault}; convert it, for example with `ffmpeg -i {} -ar 16000 -ac 1 speech.wav`",
        path.display(), path.display()
    )]
    Unsupported {
        /// The path of the file.
        path: PathBuf,
        /// Says what is not supported.
        fault: String,
    },
    /// The file holds more than is read at once.
    #[error(
        "failed to use the WAV file {}: it is longer than {} minutes; cut it, for example with \
         `ffmpeg -i {} -t {} -ar 16000 -ac 1 speech.wav`",
        path.display(), LONGEST.as_secs() / 60, path.display(), LONGEST.as_secs()
    )]
    TooLong {
        /// The path of the file.
        path: PathBuf,
    },
}

/// Reads a whole WAV file, of at most ten minutes, as 16 kHz mono samples between −1 and 1.
pub fn read(path: &Path) -> Result<Vec<f32>, ReadWavError> {
    whole(WavFile::open(path)?)
}

/// Reads a whole WAV file that lies in memory, of at most ten minutes; errors call it by this name.
pub fn read_bytes(bytes: &[u8], name: &str) -> Result<Vec<f32>, ReadWavError> {
    whole(in_memory(bytes, name)?)
}

/// Reads a whole WAV file that lies in memory at its own rate, which comes with its samples: mono, between −1 and 1. Errors
/// call it by this name.
pub fn read_bytes_as_they_are(bytes: &[u8], name: &str) -> Result<(u32, Vec<f32>), ReadWavError> {
    let mut file = in_memory(bytes, name)?;
    let mut samples = Vec::new();
    while let Some(piece) = file.next_piece()? {
        samples.extend(piece);
    }
    Ok((file.format.rate, samples))
}

fn in_memory<'bytes>(bytes: &'bytes [u8], name: &str) -> Result<WavFile<&'bytes [u8]>, ReadWavError> {
    let path = Path::new(name);
    let mut reader = bytes;
    let read = header::read(&mut reader, bytes.len() as u64);
    let (format, left) = read.map_err(|fault| explain(path, fault))?;
    Ok(WavFile {
        path: path.into(),
        reader,
        format,
        left,
    })
}

fn whole(mut file: WavFile<impl Read>) -> Result<Vec<f32>, ReadWavError> {
    let mut resampler = file.resampler()?;
    let mut samples = Vec::new();
    while let Some(piece) = file.next_piece()? {
        resampler.feed(&piece, &mut samples);
        if samples.len() as u64 > LONGEST.as_secs() * u64::from(SAMPLE_RATE) {
            return Err(ReadWavError::TooLong { path: file.path });
        }
    }
    resampler.finish(&mut samples);
    Ok(samples)
}

/// A WAV file being read from start to end.
#[derive(Debug)]
pub(crate) struct WavFile<R = BufReader<File>> {
    path: PathBuf,
    reader: R,
    format: Format,
    left: u64,
}

impl WavFile {
    /// Opens the file and checks that its kind is understood and that there is sound in it.
    pub(crate) fn open(path: &Path) -> Result<Self, ReadWavError> {
        let explain = |fault| explain(path, fault);
        // Asked before opening, because opening a pipe would wait for a writer.
        let metadata = std::fs::metadata(path).map_err(|error| explain(Fault::Io(error)))?;
        if !metadata.is_file() {
            return Err(explain(Fault::Damaged("it is not a file".into())));
        }
        let file = File::open(path).map_err(|error| explain(Fault::Io(error)))?;
        let mut reader = BufReader::new(file);
        let (format, left) = header::read(&mut reader, metadata.len()).map_err(explain)?;
        Ok(Self {
            path: path.into(),
            reader,
            format,
            left,
        })
    }
}

impl<R: Read> WavFile<R> {
    /// Makes what brings its pieces to 16 kHz.
    pub(crate) fn resampler(&self) -> Result<Resampler, ReadWavError> {
        Resampler::new(self.format.rate)
            .map_err(|error| explain(&self.path, Fault::Unsupported(error.to_string())))
    }

    /// Reads the next frames, mixed to mono, at the file's own rate; gives `None` after the last.
    pub(crate) fn next_piece(&mut self) -> Result<Option<Vec<f32>>, ReadWavError> {
        let frame = self.format.frame_bytes();
        let size = self.left.min((FRAMES * frame) as u64);
        if size == 0 {
            return Ok(None);
        }
        self.left -= size;
        let mut bytes = vec![0; size as usize];
        let read = self.reader.read_exact(&mut bytes);
        read.map_err(|error| explain(&self.path, header::io_fault(error)))?;
        Ok(Some(self.format.mono(&bytes).collect()))
    }
}

impl Format {
    /// A frame, which is a sample of each channel, has this many bytes.
    pub(crate) fn frame_bytes(self) -> usize {
        self.encoding.bytes() * self.channels
    }

    /// Gives the whole frames of these bytes, mixed to mono.
    pub(crate) fn mono(self, bytes: &[u8]) -> impl Iterator<Item = f32> {
        bytes
            .chunks_exact(self.frame_bytes())
            .map(move |frame| self.mix(frame))
    }

    /// The mean of the channels of one frame; what is no number is silence.
    fn mix(self, frame: &[u8]) -> f32 {
        let samples = frame
            .chunks_exact(self.encoding.bytes())
            .map(|bytes| sample(self.encoding, bytes));
        let mean = samples.sum::<f32>() / self.channels as f32;
        if mean.is_finite() {
            mean.clamp(-1.0, 1.0)
        } else {
            0.0
        }
    }
}

/// Reads one sample between −1 and 1.
fn sample(encoding: Encoding, bytes: &[u8]) -> f32 {
    let bits = bytes
        .iter()
        .rev()
        .fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    match encoding {
        Encoding::Unsigned8 => bits as f32 / 128.0 - 1.0,
        // Moved to the top of a word, where the sign is in its place.
        Encoding::Signed(width) => {
            ((bits << (64 - 8 * width)).cast_signed() as f64 / 2.0_f64.powi(63)) as f32
        }
        Encoding::Float(4) => f32::from_bits(bits as u32),
        Encoding::Float(_) => f64::from_bits(bits) as f32,
    }
}

fn explain(path: &Path, fault: Fault) -> ReadWavError {
    let path = path.to_path_buf();
    match fault {
        Fault::Io(source) => ReadWavError::Unreadable { path, source },
        Fault::Damaged(fault) => ReadWavError::Damaged { path, fault },
        Fault::Unsupported(fault) => ReadWavError::Unsupported { path, fault },
    }
}
