//! One peer: its events are answered one after the other, each within its time.

use std::future::pending;
use std::io;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use loquat_connections::{Counted, Requests};
use loquat_speech::{Pcm, PcmFormat, UnusableSound};
use loquat_transcription::recordings::{HearError, Heard};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, ReadHalf, WriteHalf};
use tokio::time::{Instant, timeout};

use super::conversations::{AskError, Sentence};
use super::event::{self, Data, Event, ReadEventError};
use super::field::{Number, Text};
use super::service::Service;

/// A connection on which nothing begins for so long is closed.
pub(super) const IDLE: Duration = Duration::from_secs(60);

/// An event that has begun has to be whole within this.
pub(super) const WHOLE: Duration = Duration::from_secs(20);

/// A recording has this long from its first to its last event.
pub(super) const RECORDING: Duration = Duration::from_secs(120);

/// A peer that is silent for so long in the midst of a recording keeps its place only until another one wants it.
const STALLED: Duration = Duration::from_secs(5);

/// A peer that does not read is not waited for longer.
const SENDING: Duration = Duration::from_secs(10);

/// A peer has this long to hear why its connection ends.
const LEAVING: Duration = Duration::from_secs(1);

/// Says why a connection ends before the peer wants it to. All but the last are told it.
#[derive(Debug, thiserror::Error)]
enum EndError {
    #[error(transparent)]
    Event(#[from] ReadEventError),
    #[error("failed to read an event: it was not whole within {} s", WHOLE.as_secs())]
    TooSlow,
    #[error("failed to answer: {0} says no text")]
    NoText(&'static str),
    #[error(transparent)]
    Sentence(#[from] AskError),
    #[error("failed to hear: no recordings are heard here")]
    Deaf,
    #[error("failed to hear: there is no other model here than {there}")]
    Model { there: String },
    #[error(transparent)]
    Sound(#[from] UnusableSound),
    #[error("failed to hear: audio-chunk has another format than what came before it, or none at all")]
    Format,
    #[error("failed to hear: audio-stop came without an audio-start")]
    NoRecording,
    #[error("failed to hear: the recording did not end within {} s", RECORDING.as_secs())]
    TooLong,
    #[error(transparent)]
    Hearing(#[from] HearError),
    #[error("failed to take the connection: too many others are served")]
    TooMany,
    #[error("the peer has gone")]
    Gone,
}

impl From<io::Error> for EndError {
    fn from(_: io::Error) -> Self {
        Self::Gone
    }
}

impl EndError {
    /// Gives the code that the protocol has for this end, for programs.
    fn code(&self) -> &'static str {
        match self {
            Self::Event(ReadEventError::TooLarge { .. }) | Self::Sentence(AskError::TooLong) => "too-large",
            Self::Event(_) | Self::NoText(_) | Self::NoRecording | Self::Format => "malformed",
            Self::Sentence(AskError::Busy(_)) | Self::Hearing(HearError::Busy) | Self::TooMany => "busy",
            Self::TooSlow | Self::TooLong => "timeout",
            Self::Sentence(AskError::TooLate) | Self::Hearing(HearError::TooLate) => "timeout",
            Self::Deaf | Self::Model { .. } | Self::Sound(_) => "unsupported",
            Self::Sentence(_) | Self::Hearing(_) | Self::Gone => "failed",
        }
    }
}

/// A recording that is being received.
struct Recording {
    language: Option<String>,
    sound: Option<(PcmFormat, Pcm)>,
    began: Instant,
    /// Holds its place.
    counted: Option<Counted>,
}

impl Recording {
    fn new(language: Option<String>) -> Self {
        Self {
            language,
            sound: None,
            began: Instant::now(),
            counted: None,
        }
    }

    /// Starts or finds the recording of the sound so far. Its format is that of the first event that names one.
    fn sound(&mut self, data: &Data, longest: Duration) -> Result<&mut Pcm, EndError> {
        let named = (data.rate, data.width, data.channels);
        let named = match named {
            (Number(None), Number(None), Number(None)) => None,
            (Number(Some(rate)), Number(Some(width)), Number(Some(channels))) => Some(PcmFormat {
                rate,
                width,
                channels,
            }),
            _ => return Err(EndError::Format),
        };
        match &mut self.sound {
            sound @ None => {
                let format = named.ok_or(EndError::Format)?;
                let pcm = Pcm::new(format, longest)?;
                Ok(&mut sound.insert((format, pcm)).1)
            }
            Some((format, pcm)) if named.is_none_or(|named| named == *format) => Ok(pcm),
            Some(_) => Err(EndError::Format),
        }
    }
}

pub(super) struct Connection<Stream> {
    reader: BufReader<ReadHalf<Stream>>,
    writer: WriteHalf<Stream>,
    peer: IpAddr,
    requests: Requests,
    service: Arc<Service>,
    recording: Option<Recording>,
}

impl<Stream: AsyncRead + AsyncWrite + Send> Connection<Stream> {
    /// The count of requests is shared with the door, which lets an idle peer go first.
    pub(super) fn new(stream: Stream, peer: IpAddr, requests: Requests, service: Arc<Service>) -> Self {
        let (reader, writer) = tokio::io::split(stream);
        Self {
            reader: BufReader::new(reader),
            writer,
            peer,
            requests,
            service,
            recording: None,
        }
    }

    /// Serves until the peer goes, is silent for too long or says what cannot be understood.
    pub(super) async fn serve(mut self) {
        loop {
            let outcome = match self.next().await {
                Ok(Some(event)) => {
                    let _counted = self.requests.begin();
                    self.answer(event).await
                }
                Ok(None) => return,
                Err(error) => Err(error),
            };
            if let Err(error) = outcome {
                return self.end(&error).await;
            }
        }
    }

    /// Tells the peer that there are too many others.
    pub(super) async fn refuse(self) {
        self.end(&EndError::TooMany).await;
    }

    /// Tells the peer why its connection ends, and lets it end: words on a connection that is closed while the peer speaks
    /// may be lost.
    async fn end(mut self, error: &EndError) {
        tracing::debug!(peer = %self.peer, %error, "a connection ends");
        if matches!(error, EndError::Gone) {
            return;
        }
        let data = json!({"text": error.to_string(), "code": error.code()});
        let told = async {
            self.send("error", &data).await?;
            self.writer.shutdown().await?;
            while !self.reader.fill_buf().await?.is_empty() {
                let unread = self.reader.buffer().len();
                self.reader.consume(unread);
            }
            Ok::<(), EndError>(())
        };
        timeout(LEAVING, told).await.ok();
    }

    /// Waits for the next event; there is none when the peer has gone or has said nothing for too long.
    async fn next(&mut self) -> Result<Option<Event>, EndError> {
        let left = match &self.recording {
            Some(recording) => RECORDING.saturating_sub(recording.began.elapsed()).min(IDLE),
            None => IDLE,
        };
        let mut next = pin!(next_of(&mut self.reader, left, self.recording.is_some()));
        if let Ok(event) = timeout(STALLED, &mut next).await {
            return event;
        }
        if let Some(recording) = &mut self.recording {
            recording.counted = None;
        }
        next.await
    }

    async fn answer(&mut self, event: Event) -> Result<(), EndError> {
        match event.kind.as_str() {
            "describe" => {
                let info = self.service.info().await;
                self.send("info", &info).await
            }
            "ping" => {
                let text = event.data.text.0;
                self.send("pong", &json!({"text": text})).await
            }
            "transcript" => self.sentence(event.data).await,
            "transcribe" => self.transcribe(event.data),
            "audio-start" => self.audio(&event.data, &[]),
            "audio-chunk" => self.audio(&event.data, &event.payload),
            "audio-stop" => self.heard().await,
            // Newer peers may say more than we know.
            _ => Ok(()),
        }
    }

    /// A sentence is answered as one that was said here, in its own conversation.
    async fn sentence(&mut self, data: Data) -> Result<(), EndError> {
        let Some(text) = data.text.words() else {
            return Err(EndError::NoText("transcript"));
        };
        let context = data.context.0;
        let sentence = Sentence {
            peer: self.peer,
            text: text.to_owned(),
            language: data.language.0,
            conversation: context.conversation.0,
            device: context.device.0.or(context.satellite.0),
        };
        let service = Arc::clone(&self.service);
        let answer = self.unless_gone(service.conversations.ask(&sentence)).await??;
        let kind = if answer.is_handled || !answer.text.is_empty() {
            "handled"
        } else {
            "not-handled"
        };
        let text = match kind {
            "handled" => answer.text,
            _ => service.unknown(sentence.language.as_deref()),
        };
        self.send(kind, &json!({"text": text})).await
    }

    fn transcribe(&mut self, data: Data) -> Result<(), EndError> {
        let there = self.service.model().ok_or(EndError::Deaf)?;
        match data.name {
            Text(Some(asked)) if asked != there => Err(EndError::Model {
                there: there.to_owned(),
            }),
            Text(_) => {
                self.recording = Some(Recording::new(data.language.0));
                Ok(())
            }
        }
    }

    fn audio(&mut self, data: &Data, bytes: &[u8]) -> Result<(), EndError> {
        if self.service.model().is_none() {
            return Err(EndError::Deaf);
        }
        let longest = self.service.longest;
        let recording = self.recording.get_or_insert_with(|| Recording::new(None));
        if recording.began.elapsed() > RECORDING {
            return Err(EndError::TooLong);
        }
        recording.counted.get_or_insert_with(|| self.requests.begin());
        recording.sound(data, longest)?.feed(bytes);
        Ok(())
    }

    async fn heard(&mut self) -> Result<(), EndError> {
        let recording = self.recording.take().ok_or(EndError::NoRecording)?;
        let (_, sound) = recording.sound.ok_or(EndError::NoRecording)?;
        let service = Arc::clone(&self.service);
        let language = recording.language.unwrap_or_else(|| service.lang().to_owned());
        let hearing = service.hearing.as_ref().ok_or(EndError::Deaf)?;
        let Heard { text, language, .. } = self.unless_gone(hearing.hear(sound.finish(), language)).await??;
        self.send("transcript", &json!({"text": text, "language": language}))
            .await
    }

    /// Does the work unless the peer goes before it is done: then there is no one to answer.
    async fn unless_gone<Out>(&mut self, work: impl Future<Output = Out>) -> Result<Out, EndError> {
        tokio::select! {
            biased;
            outcome = work => Ok(outcome),
            () = gone(&mut self.reader) => Err(EndError::Gone),
        }
    }

    async fn send(&mut self, kind: &str, data: &Value) -> Result<(), EndError> {
        match timeout(SENDING, event::write(&mut self.writer, kind, data)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(EndError::Gone),
        }
    }
}

/// Reads the next event, if it begins within the time that is left.
async fn next_of<Reader: AsyncRead + Unpin + Send>(
    reader: &mut BufReader<Reader>,
    left: Duration,
    is_recording: bool,
) -> Result<Option<Event>, EndError> {
    let Ok(begun) = timeout(left, reader.fill_buf()).await else {
        return if is_recording {
            Err(EndError::TooLong)
        } else {
            Ok(None)
        };
    };
    if begun?.is_empty() {
        return Ok(None);
    }
    let read = timeout(WHOLE, event::read(reader)).await;
    Ok(read.map_err(|_| EndError::TooSlow)??)
}

/// Returns when the peer has ended; never when it says more instead.
async fn gone<Reader: AsyncRead + Unpin>(reader: &mut BufReader<Reader>) {
    if reader.fill_buf().await.is_ok_and(|bytes| !bytes.is_empty()) {
        pending::<()>().await;
    }
}
