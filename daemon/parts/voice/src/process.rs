//! A speech process that is kept running: lines of text in, raw PCM out (16 bits, mono), as `piper --output-raw` does.
//!
//! Raw PCM has no mark at the end of a sentence, and Piper writes none elsewhere: nothing to standard error either. A pause
//! alone is no sign: a busy machine makes pauses too. So a sentence has ended when sound came, then none for a while, and
//! meanwhile every thread of the process waited and used no processor time: it waits for the next line. The sound is played
//! while that is found out, so no person waits for it.
//!
//! Never linked: Piper and espeak-ng are under the GPL.

use std::collections::VecDeque;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use loquat_orchestrator::vocabulary::same_language;
use parking_lot::Mutex;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use super::piece::{MakeSpeechError, Piece, Pieces};
use super::process_group::{Activity, activity};
use super::speed::{LENGTH_SCALE, Speed};

/// A process that writes nothing is looked at this often. Two looks at which it waits end a sentence.
const LOOK: Duration = Duration::from_millis(100);

/// The pause that ends a sentence where the kernel does not tell what a process does.
const BLIND_PAUSE: Duration = Duration::from_millis(1_500);

/// A process that waits may have made no sound of a sentence for this long: it may wait for another machine.
const IDLE_PATIENCE: Duration = Duration::from_secs(5);

/// A process that works may take this long: a small board loads a large voice first.
const BUSY_PATIENCE: Duration = Duration::from_secs(30);

/// A line is taken at once by a process that reads.
const WRITE_PATIENCE: Duration = Duration::from_secs(5);

/// The rest of a sentence that was broken off is waited for this long, before the process is started anew.
const REST_PATIENCE: Duration = Duration::from_secs(5);

/// The most sound of one sentence: so much, and so much for each of its letters, of which one may be a digit or a sign that
/// is read out. Who speaks most slowly needs half.
const LONGEST: (Duration, Duration) = (Duration::from_secs(10), Duration::from_millis(600));

/// This many bytes are read at once, a tenth of a second.
const CHUNK: usize = 4_096;

/// Lines of its complaints that are kept.
const COMPLAINTS: usize = 3;

/// The command that is started, and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SpeechCommand {
    pub(super) words: Vec<String>,
    /// The samples a second of what it writes.
    pub(super) rate: u32,
    pub(super) lang: String,
}

/// A speech process, running or not.
#[derive(Debug)]
pub(super) struct SpeechProcess {
    command: SpeechCommand,
    speed: Speed,
    running: Option<Running>,
}

impl SpeechProcess {
    pub(super) fn new(command: SpeechCommand, speed: Speed) -> Self {
        Self {
            command,
            speed,
            running: None,
        }
    }

    pub(super) fn name(&self) -> String {
        self.command.words.first().cloned().unwrap_or_default()
    }

    pub(super) fn speaks(&self, lang: &str) -> bool {
        same_language(&self.command.lang, lang)
    }

    /// Has it running, so that its voice is loaded before the first sentence.
    pub(super) fn warm(&mut self) -> Result<(), MakeSpeechError> {
        self.started().map(drop)
    }

    /// Ends it.
    pub(super) fn cool(&mut self) {
        self.running = None;
    }

    /// Makes speech of a sentence. One that has ended in the meantime is started anew, and so is one that fails.
    pub(super) async fn make(&mut self, sentence: &str, pieces: &Pieces) -> Result<(), MakeSpeechError> {
        let (name, rate) = (self.name(), self.command.rate);
        let mut line: String = sentence
            .chars()
            .map(|sign| if sign.is_control() { ' ' } else { sign })
            .collect();
        line.push('\n');
        if let Some(running) = &mut self.running
            && !running.is_free(rate).await
        {
            self.running = None;
        }
        let running = self.started()?;
        let longest = LONGEST.0 + LONGEST.1 * u32::try_from(line.chars().count()).unwrap_or(u32::MAX);
        let made = running
            .make(&line, Sound::new(rate, longest, Some(pieces)), &name)
            .await;
        match made {
            Ok(Ending::Waits) => Ok(()),
            // One process for each sentence will do as well.
            Ok(Ending::HasEnded) => {
                self.running = None;
                Ok(())
            }
            Err(error) => {
                self.running = None;
                // The next sentence finds it loaded.
                drop(self.warm());
                Err(error)
            }
        }
    }

    /// Gives the running process, which is started at the speed that is set now.
    fn started(&mut self) -> Result<&mut Running, MakeSpeechError> {
        let words = self.words();
        if self
            .running
            .as_mut()
            .is_some_and(|running| running.words != words || running.has_ended())
        {
            self.running = None;
        }
        match &mut self.running {
            Some(running) => Ok(running),
            none => Ok(none.insert(Running::start(words)?)),
        }
    }

    fn words(&self) -> Vec<String> {
        let scale = format!("{:.2}", self.speed.length_scale());
        let words = self.command.words.iter();
        words.map(|word| word.replace(LENGTH_SCALE, &scale)).collect()
    }
}

/// Tells how a sentence ended well.
#[derive(Debug, PartialEq, Eq)]
enum Ending {
    /// The process waits for the next.
    Waits,
    /// It was a process for one sentence.
    HasEnded,
}

/// A process of ours. It ends when this is dropped, with all that it has started.
#[derive(Debug)]
struct Running {
    words: Vec<String>,
    child: Child,
    group: Option<Pid>,
    input: ChildStdin,
    output: ChildStdout,
    complaints: Arc<Mutex<VecDeque<String>>>,
    reader: JoinSet<()>,
    /// Says whether it may still make sound of a sentence that is not wanted any more.
    in_sentence: bool,
}

/// The sound of one sentence that is being made.
#[derive(Debug)]
struct Sound<'pieces> {
    rate: u32,
    longest: Duration,
    /// Absent where it is not wanted.
    pieces: Option<&'pieces Pieces>,
    /// The first byte of a sample whose second has not come.
    odd: Option<u8>,
    bytes: u64,
}

impl<'pieces> Sound<'pieces> {
    fn new(rate: u32, longest: Duration, pieces: Option<&'pieces Pieces>) -> Self {
        let (odd, bytes) = (None, 0);
        Self {
            rate,
            longest,
            pieces,
            odd,
            bytes,
        }
    }

    async fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        let mut whole: Vec<u8> = self.odd.take().into_iter().chain(bytes.iter().copied()).collect();
        if whole.len() % 2 == 1 {
            self.odd = whole.pop();
        }
        let samples = whole.as_chunks::<2>().0.iter();
        let samples = samples.map(|bytes| f32::from(i16::from_le_bytes(*bytes)) / 32_768.0);
        if let Some(pieces) = self.pieces {
            let piece = Piece {
                rate: self.rate,
                samples: samples.collect(),
            };
            // Where nothing is wanted any more the process is still read to the end of the sentence.
            drop(pieces.send(piece).await);
        }
    }

    fn is_endless(&self) -> bool {
        self.bytes > self.longest.as_secs() * u64::from(self.rate) * 2
    }
}

/// Says whether a process that writes nothing has waited since the last look.
#[derive(Debug, Default)]
struct Waiting(Option<Activity>);

impl Waiting {
    async fn look(&mut self, group: Option<Pid>) -> Option<bool> {
        let group = group?.as_raw_nonzero().get();
        let seen = tokio::task::spawn_blocking(move || activity(group))
            .await
            .ok()??;
        let before = self.0.replace(seen);
        Some(seen.all_wait && before == Some(seen))
    }
}

impl Running {
    fn start(words: Vec<String>) -> Result<Self, MakeSpeechError> {
        let (program, arguments) = match words.split_first() {
            Some((program, arguments)) => (program.as_str(), arguments),
            None => ("", &[][..]),
        };
        let not_started = |source| MakeSpeechError::NotStarted {
            program: program.to_owned(),
            source,
        };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(not_started)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(not_started(std::io::ErrorKind::BrokenPipe.into()));
        };
        let complaints = Arc::default();
        let mut reader = JoinSet::new();
        reader.spawn(keep_last_lines(errors, Arc::clone(&complaints)));
        tracing::debug!(program, "speech process started");
        Ok(Self {
            group: child.id().and_then(|id| Pid::from_raw(id.cast_signed())),
            words,
            child,
            input,
            output,
            complaints,
            reader,
            in_sentence: false,
        })
    }

    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits for the end of a sentence that was broken off; says whether the process can take another.
    async fn is_free(&mut self, rate: u32) -> bool {
        if !self.in_sentence {
            return true;
        }
        let unwanted = Sound::new(rate, BUSY_PATIENCE, None);
        let rest = timeout(REST_PATIENCE, self.read(unwanted, "")).await;
        self.in_sentence = !matches!(rest, Ok(Ok(Ending::Waits)));
        !self.in_sentence
    }

    async fn make(&mut self, line: &str, sound: Sound<'_>, name: &str) -> Result<Ending, MakeSpeechError> {
        self.in_sentence = true;
        let written = timeout(WRITE_PATIENCE, self.write(line)).await;
        match written {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return Err(self.ended(name).await),
            Err(_) => return Err(silent(name, WRITE_PATIENCE)),
        }
        let made = self.read(sound, name).await?;
        self.in_sentence = false;
        Ok(made)
    }

    async fn write(&mut self, line: &str) -> std::io::Result<()> {
        self.input.write_all(line.as_bytes()).await?;
        self.input.flush().await
    }

    /// Reads to the end of a sentence.
    async fn read(&mut self, mut sound: Sound<'_>, name: &str) -> Result<Ending, MakeSpeechError> {
        let mut chunk = [0; CHUNK];
        let (mut quiet_since, mut waiting) = (Instant::now(), Waiting::default());
        loop {
            match timeout(LOOK, self.output.read(&mut chunk)).await {
                Ok(Ok(0) | Err(_)) => return self.at_its_end(&sound, name).await,
                Ok(Ok(length)) => {
                    sound.add(chunk.get(..length).unwrap_or_default()).await;
                    (quiet_since, waiting) = (Instant::now(), Waiting::default());
                    if sound.is_endless() {
                        let (program, seconds) = (name.to_owned(), sound.longest.as_secs());
                        return Err(MakeSpeechError::Endless { program, seconds });
                    }
                }
                Err(_) => {
                    let quiet = quiet_since.elapsed();
                    let waits = waiting.look(self.group).await;
                    let has_ended = sound.bytes > 0 && waits.unwrap_or(quiet >= BLIND_PAUSE);
                    let patience = if waits == Some(false) {
                        BUSY_PATIENCE
                    } else {
                        IDLE_PATIENCE
                    };
                    if has_ended || (sound.pieces.is_none() && waits == Some(true)) {
                        return Ok(Ending::Waits);
                    }
                    if quiet >= patience {
                        return Err(silent(name, quiet));
                    }
                }
            }
        }
    }

    /// Judges the end of its output: the sentence ended well where the process did and made sound.
    async fn at_its_end(&mut self, sound: &Sound<'_>, name: &str) -> Result<Ending, MakeSpeechError> {
        let status = timeout(LOOK, self.child.wait()).await;
        match status {
            Ok(Ok(status)) if status.success() && sound.bytes > 0 => Ok(Ending::HasEnded),
            _ => Err(self.ended(name).await),
        }
    }

    async fn ended(&mut self, name: &str) -> MakeSpeechError {
        let status = timeout(LOOK, self.child.wait()).await;
        let mut how = match status {
            Ok(Ok(status)) => status.to_string(),
            _ => "it has closed its output".to_owned(),
        };
        // Its last words may still be on the way.
        drop(timeout(LOOK, self.reader.join_next()).await);
        for complaint in &*self.complaints.lock() {
            how.push_str("; ");
            how.push_str(complaint);
        }
        MakeSpeechError::Ended {
            program: name.to_owned(),
            how,
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Its own children too; one that has ended needs no signal.
        if let Some(group) = self.group {
            let _ended_already = kill_process_group(group, Signal::KILL);
        }
    }
}

fn silent(name: &str, after: Duration) -> MakeSpeechError {
    MakeSpeechError::Silent {
        program: name.to_owned(),
        seconds: after.as_secs(),
    }
}

/// Keeps the last lines of a program's standard error, which tell why it ended. They have to be read in any case.
async fn keep_last_lines(errors: impl AsyncRead + Unpin, last: Arc<Mutex<VecDeque<String>>>) {
    const LONGEST_LINE: u64 = 4_096;
    let mut errors = BufReader::new(errors);
    let mut line = Vec::new();
    while let Ok(1..) = (&mut errors)
        .take(LONGEST_LINE)
        .read_until(b'\n', &mut line)
        .await
    {
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        tracing::debug!(text, "the speech process says");
        let mut last = last.lock();
        if last.len() == COMPLAINTS {
            last.pop_front();
        }
        last.push_back(text);
        line.clear();
    }
}
