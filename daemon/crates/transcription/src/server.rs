//! A recogniser elsewhere: a WAV file goes there over HTTP, and a text comes back, in the shape of OpenAI's transcriptions or of
//! the ovos-stt-http-server. It is sent nowhere else, whatever it answers.

use std::io::Cursor;
use std::time::Duration;

use hound::{SampleFormat, WavSpec, WavWriter};
use loquat_speech::{SAMPLE_RATE, Utterance, language_code};
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use reqwest::multipart::{Form, Part};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use tokio::time::timeout;

use super::recognizers::{RecognizerKind, RecognizerServer};

/// The model that is asked for where none is named: OpenAI's own, and a name that imitators understand.
const USUAL_MODEL: &str = "whisper-1";

/// An answer longer than this is no text of an utterance.
const LARGEST_ANSWER: usize = 64 << 10;

/// The text of an utterance is cut to this many letters.
const LONGEST_TEXT: usize = 8_000;

/// A machine that is there takes a connection sooner.
const CONNECTED_WITHIN: Duration = Duration::from_secs(2);

/// The words that a recogniser elsewhere heard.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HeardThere {
    pub(super) text: String,
    /// The language, where it says which it found.
    pub(super) language: Option<&'static str>,
}

/// Says why a recogniser elsewhere gave no text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ServerError {
    /// It is not there, or went away.
    #[error("failed to reach {address}: {reason}; check that it runs and that the network is there")]
    Unreachable {
        /// The server was asked at this address.
        address: String,
        /// The network failed for this reason.
        reason: String,
    },
    /// The server took too long.
    #[error("failed to have an answer of {address} within {seconds} s")]
    TooSlow {
        /// The server was asked at this address.
        address: String,
        /// The seconds for which it was waited.
        seconds: String,
    },
    /// It takes no key of ours, or wants one.
    #[error("failed to be let in at {address}: it answered {status}; see key of the recogniser")]
    NotLetIn {
        /// The server was asked at this address.
        address: String,
        /// The server answered with this status.
        status: u16,
    },
    /// It did not do it.
    #[error("failed to have speech recognised at {address}: it answered {status}")]
    Refused {
        /// The server was asked at this address.
        address: String,
        /// The server answered with this status.
        status: u16,
    },
    /// The answer holds no text.
    #[error("failed to understand {address}: {reason}")]
    Garbled {
        /// The server was asked at this address.
        address: String,
        /// A sentence that says what is wrong with the answer.
        reason: String,
    },
}

#[derive(Deserialize)]
struct Transcribed {
    text: String,
    #[serde(default)]
    language: Option<String>,
}

/// A recogniser elsewhere.
#[derive(Debug)]
pub struct Server {
    name: String,
    kind: RecognizerKind,
    /// The paths of its requests stand behind this address.
    base: Url,
    model: String,
    key: Option<SecretString>,
    client: Client,
    patience: Duration,
}

impl Server {
    /// Takes the server as the settings describe it, and does not connect yet. The error says what is wrong with the
    /// settings.
    pub fn new(
        name: &str,
        settings: &RecognizerServer,
        key: Option<SecretString>,
        patience: Duration,
    ) -> Result<Self, String> {
        let mut base = Url::parse(settings.url.as_str()).map_err(|error| error.to_string())?;
        let endpoint = match settings.kind {
            RecognizerKind::OpenAi => "/audio/transcriptions",
            RecognizerKind::Ovos => "/stt",
        };
        let path = base.path().trim_end_matches('/');
        let path = path.strip_suffix(endpoint).unwrap_or(path).to_owned();
        base.set_path(&path);
        Ok(Self {
            name: name.to_owned(),
            kind: settings.kind,
            client: client(&base)?,
            base,
            model: settings.model.clone().unwrap_or_else(|| USUAL_MODEL.to_owned()),
            key,
            patience,
        })
    }

    /// Gives the name that the settings give it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Gives the address to which sound is sent, for a person.
    pub fn address(&self) -> String {
        self.base.to_string().trim_end_matches('/').to_owned()
    }

    /// Tells whether what people say cannot be read on the way there.
    pub fn is_encrypted(&self) -> bool {
        self.base.scheme() == "https"
    }

    /// Has it hear this. Without a language it looks for it itself, if it can.
    pub(super) async fn hear(&self, utterance: &Utterance) -> Result<HeardThere, ServerError> {
        let sound = wav(&utterance.samples);
        let request = match self.kind {
            RecognizerKind::OpenAi => self.transcriptions(sound, utterance.lang.as_deref())?,
            RecognizerKind::Ovos => self.stt(sound, utterance.lang.as_deref()),
        };
        self.in_time(async {
            let response = self.sent(request).await?;
            let is_page = is_page(&response);
            let body = self.body(response).await?;
            let heard = match self.kind {
                RecognizerKind::OpenAi => transcribed(&body),
                RecognizerKind::Ovos if is_page => Err("it answered with a web page".to_owned()),
                RecognizerKind::Ovos => plain(&body),
            };
            heard.map_err(|reason| self.garbled(reason))
        })
        .await
    }

    /// Tells whether it is there, without sending it what anybody says; what it says of itself, if it does.
    pub async fn probe(&self) -> Result<Option<String>, ServerError> {
        let path = match self.kind {
            RecognizerKind::OpenAi => "models",
            RecognizerKind::Ovos => "status",
        };
        let request = self.with_key(self.client.get(self.url(path)));
        self.in_time(async {
            match self.sent(request).await {
                Ok(response) => {
                    let body = self.body(response).await?;
                    let said: Option<serde_json::Value> = serde_json::from_slice(&body).ok();
                    let plugin = said.as_ref().and_then(|said| said.get("plugin")?.as_str());
                    Ok(plugin.map(str::to_owned))
                }
                // It answers, and need not tell of itself.
                Err(ServerError::Refused {
                    status: 404 | 405, ..
                }) => Ok(None),
                Err(error) => Err(error),
            }
        })
        .await
    }

    async fn in_time<T>(
        &self,
        answer: impl Future<Output = Result<T, ServerError>>,
    ) -> Result<T, ServerError> {
        let too_slow = |_| ServerError::TooSlow {
            address: self.address(),
            seconds: format!("{:.1}", self.patience.as_secs_f64()),
        };
        timeout(self.patience, answer).await.map_err(too_slow)?
    }

    fn transcriptions(&self, sound: Vec<u8>, lang: Option<&str>) -> Result<RequestBuilder, ServerError> {
        let part = Part::bytes(sound).file_name("speech.wav").mime_str("audio/wav");
        let part = part.map_err(|error| self.garbled(error.to_string()))?;
        let mut form = Form::new().part("file", part).text("model", self.model.clone());
        form = match lang.and_then(language_code) {
            Some(code) => form.text("language", code).text("response_format", "json"),
            // In this form it tells which language it found.
            None => form.text("response_format", "verbose_json"),
        };
        let request = self.client.post(self.url("audio/transcriptions"));
        Ok(self.with_key(request.multipart(form)))
    }

    fn stt(&self, sound: Vec<u8>, lang: Option<&str>) -> RequestBuilder {
        let mut url = self.url("stt");
        // As its own client asks: in small letters.
        let lang = lang.map_or_else(|| "auto".to_owned(), str::to_lowercase);
        url.query_pairs_mut().append_pair("lang", &lang);
        let request = self.client.post(url).header(CONTENT_TYPE, "audio/wav");
        self.with_key(request.body(sound))
    }

    fn with_key(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.key {
            Some(key) => request.bearer_auth(key.expose_secret()),
            None => request,
        }
    }

    fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}/{path}", self.base.path().trim_end_matches('/')));
        url
    }

    async fn sent(&self, request: RequestBuilder) -> Result<Response, ServerError> {
        let response = request.send().await.map_err(|error| self.unreachable(&error))?;
        let (address, status) = (self.address(), response.status().as_u16());
        match response.status() {
            StatusCode::OK => Ok(response),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                Err(ServerError::NotLetIn { address, status })
            }
            _ => Err(ServerError::Refused { address, status }),
        }
    }

    async fn body(&self, mut response: Response) -> Result<Vec<u8>, ServerError> {
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(|error| self.unreachable(&error))? {
            if body.len() + piece.len() > LARGEST_ANSWER {
                return Err(self.garbled(format!("its answer has more than {} KiB", LARGEST_ANSWER >> 10)));
            }
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }

    fn unreachable(&self, error: &reqwest::Error) -> ServerError {
        // The address is told already, and without what may stand behind it.
        let mut reason = loquat_failure::with_causes(error);
        if let Some(url) = error.url() {
            reason = reason.replace(url.as_str(), "its address");
        }
        let address = self.address();
        ServerError::Unreachable { address, reason }
    }

    fn garbled(&self, reason: String) -> ServerError {
        let address = self.address();
        ServerError::Garbled { address, reason }
    }
}

/// Goes to the one server and follows it nowhere.
fn client(base: &Url) -> Result<Client, String> {
    let mut builder = loquat_tls::http_client()
        .user_agent(concat!("loquat/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECTED_WITHIN)
        .referer(false)
        .redirect(Policy::none());
    if base.scheme() == "http" {
        // Reading the machine's certificates takes time and fails where there are none. What goes in the clear goes to this
        // machine or to one of the owner's network, which no proxy reaches for us.
        builder = builder.tls_certs_only([]).no_proxy();
    }
    builder.build().map_err(|error| error.to_string())
}

fn is_page(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    kind.is_some_and(|kind| kind.starts_with(b"text/html"))
}

/// Reads the text in an answer in the form of OpenAI's.
fn transcribed(body: &[u8]) -> Result<HeardThere, String> {
    let Transcribed { text, language } =
        serde_json::from_slice(body).map_err(|_| "its answer is no transcription".to_owned())?;
    Ok(HeardThere {
        text: bounded(&text)?,
        language: language.as_deref().and_then(language_code),
    })
}

/// Reads the text in an answer of an OVOS server: as it is, or as JSON has it.
fn plain(body: &[u8]) -> Result<HeardThere, String> {
    let text = std::str::from_utf8(body).map_err(|_| "its answer is no text".to_owned())?;
    let quoted: Option<String> = serde_json::from_str(text).ok();
    let text = bounded(quoted.as_deref().unwrap_or(text))?;
    let language = None;
    Ok(HeardThere { text, language })
}

fn bounded(text: &str) -> Result<String, String> {
    if text.chars().count() > LONGEST_TEXT {
        return Err(format!("its text has more than {LONGEST_TEXT} letters"));
    }
    if text.contains('\0') {
        return Err("its answer is no text".to_owned());
    }
    Ok(text.trim().to_owned())
}

fn wav(samples: &[f32]) -> Vec<u8> {
    const HEADER: usize = 44;
    let spec = WavSpec {
        channels: 1,
        sample_rate: SAMPLE_RATE,
        bits_per_sample: 16,
        sample_format: SampleFormat::Int,
    };
    let mut file = Cursor::new(Vec::with_capacity(HEADER + 2 * samples.len()));
    let write = |file: &mut Cursor<Vec<u8>>| -> hound::Result<()> {
        let mut writer = WavWriter::new(file, spec)?;
        for sample in samples {
            writer.write_sample((sample.clamp(-1.0, 1.0) * f32::from(i16::MAX)).round() as i16)?;
        }
        writer.finalize()
    };
    // Memory takes all that is written to it.
    drop(write(&mut file));
    file.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_in_both_forms_and_doubted() {
        let heard = |text: &str, language| HeardThere {
            text: text.to_owned(),
            language,
        };
        assert_eq!(
            transcribed(br#"{"text": " Lights on. ", "language": "english", "segments": []}"#),
            Ok(heard("Lights on.", Some("en")))
        );
        assert_eq!(transcribed(br#"{"text": ""}"#), Ok(heard("", None)));
        for garbage in ["", "Lights on.", "{}", r#"{"text": 7}"#, "[1"] {
            assert!(transcribed(garbage.as_bytes()).is_err(), "{garbage}");
        }
        assert_eq!(plain(b" lights on\n"), Ok(heard("lights on", None)));
        assert_eq!(plain(b"\"lights on\""), Ok(heard("lights on", None)));
        assert_eq!(plain(b""), Ok(heard("", None)));
        assert!(plain(b"\xff\xfe").is_err() && plain(b"a\0b").is_err());
        assert!(plain("a".repeat(LONGEST_TEXT + 1).as_bytes()).is_err());
    }

    #[test]
    fn a_wav_file_holds_the_samples() {
        let samples = [0.0, 0.5, -1.0, 7.0];
        let read = loquat_speech::wav::read_bytes(&wav(&samples), "test").unwrap();
        for (read, was) in read.iter().zip([0.0_f32, 0.5, -1.0, 1.0]) {
            assert!((read - was).abs() < 0.001, "{read} {was}");
        }
        assert_eq!(read.len(), samples.len());
    }
}
