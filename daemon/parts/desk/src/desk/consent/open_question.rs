//! A question that waits for the answer of a person: whose words count for it, and what they mean.

use loquat_phrases::Phrases;
use loquat_phrases::assent::Reply;
use loquat_wire::Message;
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::reception::{Reach, Reception};
use crate::desk::asker::Answer;
use crate::desk::job::Voice;
use crate::desk::saying::Saying;
use crate::desk::utterances;

/// Whose words are the answer to a question.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answerer {
    /// It is the microphone or the terminal of this process.
    Own,
    /// It is any client of the bus.
    Anybody,
    /// Who began the turn.
    Source(Option<String>),
}

impl Answerer {
    fn is(&self, voice: &Voice) -> bool {
        match self {
            Self::Own => voice.own,
            Self::Anybody => true,
            Self::Source(source) => *source == voice.source,
        }
    }
}

/// What has to be said for a yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::desk) enum Wanted {
    Yes,
    Pin,
    /// The number of the question in its turn: a yes to the one before, said twice, is none to this one.
    Number(u32),
}

/// What was said, before it is known what it is said to.
#[derive(Debug, Clone)]
pub(super) struct Words {
    /// Letters and figures alone; a PIN may be among them.
    said: SecretString,
    reply: Reply,
    pin: Option<SecretString>,
    number: Option<u32>,
}

impl Words {
    pub(super) fn of(words: &Message, lang: &str, names: &[String]) -> Self {
        let said = utterances(words).into_iter().next().unwrap_or_default();
        let phrases = Phrases::of(lang);
        let letters = said.chars().filter(|c| c.is_alphanumeric());
        Self {
            said: letters.flat_map(char::to_lowercase).collect::<String>().into(),
            reply: phrases.reply(&said, names),
            pin: phrases.pin(&said),
            number: phrases.number(&said),
        }
    }

    /// Whether they are the same, word for word.
    pub(super) fn are_repeated_by(&self, later: &Self) -> bool {
        self.said.expose_secret() == later.said.expose_secret()
    }

    /// Whether they say the same, in whatever words.
    pub(super) fn are_same(&self, other: &Self) -> bool {
        let pin = |words: &Self| words.pin.as_ref().map(|pin| pin.expose_secret().to_owned());
        pin(self) == pin(other) && self.number == other.number && self.reply == other.reply
    }

    fn meant(&self, wanted: Wanted) -> Meant {
        if matches!(self.reply, Reply::No | Reply::Stop) {
            return Meant::Reply(self.reply);
        }
        let reply = match wanted {
            Wanted::Yes => self.reply,
            Wanted::Pin => match &self.pin {
                Some(pin) => return Meant::Pin(pin.clone()),
                // Of a yes alone nothing is run that wants a PIN.
                None => without_yes(self.reply),
            },
            Wanted::Number(number) => match self.number {
                Some(said) if said == number => Reply::Yes,
                Some(_) => Reply::Unclear,
                None => without_yes(self.reply),
            },
        };
        Meant::Reply(reply)
    }
}

fn without_yes(reply: Reply) -> Reply {
    match reply {
        Reply::Yes => Reply::Unclear,
        other => other,
    }
}

/// What a person said, as an answer.
#[derive(Debug, Clone)]
pub(super) enum Meant {
    Reply(Reply),
    Pin(SecretString),
}

impl Meant {
    /// Whether a core may bring it to us as an answer.
    pub(super) fn is_answer(&self) -> bool {
        !matches!(self, Self::Reply(Reply::Stop | Reply::Other))
    }

    /// Whether it takes the question back, which does no harm at any time.
    pub(super) fn is_refusal(&self) -> bool {
        matches!(self, Self::Reply(Reply::No | Reply::Stop))
    }
}

/// An answer that was said to a core, which may bring it to us.
#[derive(Debug)]
pub(super) struct Overheard {
    pub(super) words: Words,
    pub(super) reach: Reach,
    pub(super) voice: Voice,
}

/// What waits for the answer of a person.
#[derive(Debug)]
pub(in crate::desk) struct OpenQuestion {
    pub(super) answer: oneshot::Sender<Answer>,
    pub(super) reception: Reception,
    pub(super) by: Answerer,
    pub(super) wanted: Wanted,
    /// How the device may be addressed.
    pub(super) names: Vec<String>,
    /// The last answer that was said to the core since.
    pub(super) heard: Option<Overheard>,
    /// Whether the log tells that a speaker who may not has answered.
    pub(super) is_told: bool,
}

impl OpenQuestion {
    /// Whether the turn still waits for its answer.
    pub(in crate::desk) fn is_open(&self) -> bool {
        !self.answer.is_closed()
    }

    /// Whether these words would be its answer.
    pub(in crate::desk) fn is_answered_by(&self, words: &Message, lang: &str) -> bool {
        self.is_open() && self.meant(&self.words(words, lang)).is_answer()
    }

    pub(super) fn words(&self, words: &Message, lang: &str) -> Words {
        Words::of(words, lang, &self.names)
    }

    pub(super) fn meant(&self, words: &Words) -> Meant {
        words.meant(self.wanted)
    }

    /// Whether this was said when the question had come to the person; a refusal counts at any time.
    pub(super) fn reach(&self, meant: &Meant, saying: Saying) -> Reach {
        if meant.is_refusal() {
            return Reach::Heard;
        }
        let reach = self.reception.reach(saying);
        if reach != Reach::NotYet || !meant.is_answer() {
            return reach;
        }
        tracing::info!(
            "an answer was said before its question had been heard, or while something else was; it does not count"
        );
        let now = Saying {
            began: Instant::now(),
            ..saying
        };
        // Who has begun too early is not listened to any more, and waits for something to happen.
        match self.reception.reach(now) {
            Reach::Heard => Reach::Cut,
            other => other,
        }
    }

    /// Whether these words of this speaker are heeded.
    pub(super) fn heeds(&mut self, meant: &Meant, voice: &Voice) -> bool {
        if self.by.is(voice) || meant.is_refusal() {
            return true;
        }
        if meant.is_answer() && !self.is_told {
            self.is_told = true;
            tracing::warn!(
                source = voice.source,
                "somebody who may not answered a question for consent; it stays open (desk.consent_from)"
            );
        }
        false
    }
}
