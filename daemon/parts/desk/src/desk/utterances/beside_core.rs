//! Utterances beside a core: held until it shows that it has them, at the core until they are brought to us, ended for us
//! until it ends them. None is answered twice, and none is lost with a core that dies.
//!
//! A core that is asked to stop does so at once, and may only then bring us what was said before. Both are seen on the bus
//! in the order in which they were said.

use std::time::Duration;

use loquat_orchestrator::poll::same_round;
use loquat_sentences::words::words;
use loquat_wire::Message;
use tokio::time::Instant;

use super::{Utterance, Utterances};
use crate::desk::{Arrival, utterances};

/// Utterances held at once; a person does not say more before it is known who answers.
const HELD: usize = 16;

/// Utterances held or at a core at once.
const HEARD: usize = 64;

/// A core gives each of its stages ten seconds; nothing that was said longer ago is on its way to us, or expects an answer.
const LIFE: Duration = Duration::from_secs(15);

/// A core that listens has shown well before this that it has an utterance.
const TAKING: Duration = Duration::from_secs(2);

/// A core that polls skills who do not answer first takes up to a second to pass on that its person said stop.
const PASSED_ON: Duration = Duration::from_secs(2);

/// Ends awaited at once.
const ENDED: usize = 64;

/// A core that lives sends the end marker within milliseconds.
const ENDING: Duration = Duration::from_secs(5);

/// Bytes of an utterance that a person can say before they can say stop.
const LONGEST: usize = 1000;

/// How an utterance was said, by which it is known again when a core brings it.
#[derive(Debug, Clone)]
pub(super) struct Heard {
    arrival: Arrival,
    /// Every hypothesis, as it is compared.
    said: Vec<String>,
    /// Whether it is the word that stops.
    stops: bool,
    pub(super) is_stopped: bool,
}

/// What is known of an utterance that a core brings us.
#[derive(Debug, Default)]
pub(in crate::desk) struct Brought {
    /// Whether it was stopped on the way.
    pub(in crate::desk) is_stopped: bool,
    /// How it came in and who said it, if that was heard.
    pub(in crate::desk) arrival: Option<Arrival>,
}

/// A held utterance that is ours to take up.
#[derive(Debug)]
pub(in crate::desk) struct TakenUp {
    pub(in crate::desk) entry: Message,
    pub(in crate::desk) arrival: Arrival,
    /// Whether it was stopped while it was held.
    pub(in crate::desk) is_stopped: bool,
}

impl Utterance {
    /// How it was said, beside a core.
    fn heard(&self) -> Option<&Heard> {
        match self {
            Self::Held { heard, .. } | Self::AtCore(heard) => Some(heard),
            _ => None,
        }
    }

    fn is_held(&self) -> bool {
        matches!(self, Self::Held { .. })
    }

    /// A held one is the core's from now on.
    fn adopt(&mut self) {
        if let Self::Held { heard, .. } = self {
            *self = Self::AtCore(heard.clone());
        }
    }
}

impl Utterances {
    /// Holds an utterance that is said to a core, or before it is known who answers. Overload: the oldest of another client's
    /// is held no more, or the oldest; beyond that the oldest is forgotten.
    pub(in crate::desk) fn hold(&mut self, entry: Message, arrival: Arrival, stops: bool) {
        self.take_all(|utterance| {
            utterance
                .heard()
                .is_some_and(|heard| heard.arrival.at.elapsed() >= LIFE)
        });
        if self.count(Utterance::is_held) >= HELD {
            tracing::warn!("an utterance was dropped: too many came before it was known who answers");
            self.adopt_oldest();
        }
        if self.count(|utterance| utterance.heard().is_some()) >= HEARD {
            self.forget_oldest();
        }
        let heard = Heard {
            arrival,
            said: compared(&entry),
            stops,
            is_stopped: false,
        };
        let session_id = entry.context.session_id().to_owned();
        let entry = Box::new(entry);
        self.list(&session_id).push(Utterance::Held { heard, entry });
    }

    fn adopt_oldest(&mut self) {
        let held = self
            .by_session
            .values_mut()
            .flatten()
            .filter(|utterance| utterance.is_held());
        let oldest = held.min_by_key(|utterance| {
            utterance
                .heard()
                .map(|heard| (heard.arrival.speaker.is_owner(), heard.arrival.at))
        });
        if let Some(oldest) = oldest {
            oldest.adopt();
        }
    }

    fn forget_oldest(&mut self) {
        let oldest = self
            .all()
            .filter_map(Utterance::heard)
            .map(|heard| heard.arrival.at)
            .min();
        self.take_all(|utterance| {
            utterance
                .heard()
                .is_some_and(|heard| Some(heard.arrival.at) == oldest)
        });
    }

    /// A core shows that it has what was said in this session.
    pub(in crate::desk) fn adopted(&mut self, sign: &Message) {
        let list = self.by_session.get_mut(sign.context.session_id());
        list.into_iter().flatten().for_each(Utterance::adopt);
    }

    /// What is held and ours to answer now, in the order in which it was said.
    pub(in crate::desk) fn take_up(&mut self) -> Vec<TakenUp> {
        self.take_up_after(Duration::ZERO)
    }

    /// What a core that has just come up cannot have heard.
    pub(in crate::desk) fn take_up_unheard(&mut self) -> Vec<TakenUp> {
        self.take_up_after(TAKING)
    }

    fn take_up_after(&mut self, age: Duration) -> Vec<TakenUp> {
        let is_old = |utterance: &Utterance| {
            utterance
                .heard()
                .is_some_and(|heard| heard.arrival.at.elapsed() >= age)
        };
        let held = self.take_all(|utterance| utterance.is_held() && is_old(utterance));
        let mut taken: Vec<TakenUp> = held.into_iter().filter_map(Utterance::taken_up).collect();
        taken.sort_by_key(|taken| taken.arrival.at);
        taken
    }

    /// What was said has been brought to us.
    ///
    /// Frames of an utterance do not name its entry, and a core may add hypotheses, so it is known by its session and its
    /// words. Of several with equal words it is the last: what is said again after a stop is meant.
    pub(in crate::desk) fn brought(&mut self, dispatch: &Message) -> Brought {
        let said = compared(dispatch);
        let is_it = |utterance: &Utterance| {
            utterance.heard().is_some_and(|heard| {
                heard.arrival.at.elapsed() < LIFE && heard.said.iter().any(|text| said.contains(text))
            })
        };
        let session_id = dispatch.context.session_id();
        let place = self.of(session_id).iter().rposition(is_it);
        match place.and_then(|place| self.take_at(session_id, place)) {
            Some(Utterance::Held { heard, .. } | Utterance::AtCore(heard)) => Brought {
                is_stopped: heard.is_stopped,
                arrival: Some(heard.arrival),
            },
            _ => Brought::default(),
        }
    }

    /// Whether the word that stops was said in a session and a core may just be passing it on.
    pub(in crate::desk) fn says_stop(&self, session_id: &str) -> bool {
        self.place_of_stop_word(session_id).is_some()
    }

    /// What was said in a session before the word that stops is not wanted any more.
    pub(in crate::desk) fn stop_word_was_said(&mut self, session_id: &str) {
        let word = self.place_of_stop_word(session_id).unwrap_or(0);
        let list = self.by_session.get_mut(session_id).into_iter().flatten();
        for utterance in list.take(word) {
            if let Utterance::Held { heard, .. } | Utterance::AtCore(heard) = utterance {
                heard.is_stopped = true;
            }
        }
    }

    /// The place of that word. A stop that only passes it on is not for what was said after it.
    pub(super) fn place_of_stop_word(&self, session_id: &str) -> Option<usize> {
        self.of(session_id).iter().rposition(|utterance| {
            utterance
                .heard()
                .is_some_and(|heard| heard.stops && heard.arrival.at.elapsed() < PASSED_ON)
        })
    }

    /// An utterance has ended for us, and the core will send its end marker. Overload: the oldest is forgotten.
    pub(in crate::desk) fn await_end(&mut self, cause: Message) {
        let ended = || self.all().filter_map(Utterance::ended_at);
        if ended().count() >= ENDED {
            let oldest = ended().min();
            self.take_all(|utterance| utterance.ended_at().is_some_and(|since| Some(since) == oldest));
        }
        let session_id = cause.context.session_id().to_owned();
        let (cause, since) = (Box::new(cause), Instant::now());
        self.list(&session_id).push(Utterance::Ended { cause, since });
    }

    /// The core has sent it.
    pub(in crate::desk) fn end_came(&mut self, end: &Message) {
        self.take_all(
            |utterance| matches!(utterance, Utterance::Ended { cause, .. } if same_round(end, cause)),
        );
    }

    /// What the core should have ended by now.
    pub(in crate::desk) fn overdue(&mut self) -> Vec<Message> {
        let is_late = |utterance: &Utterance| {
            utterance
                .ended_at()
                .is_some_and(|since| since.elapsed() >= ENDING)
        };
        let late = self.take_all(is_late).into_iter();
        late.filter_map(|utterance| match utterance {
            Utterance::Ended { cause, .. } => Some(*cause),
            _ => None,
        })
        .collect()
    }
}

impl Utterance {
    fn taken_up(self) -> Option<TakenUp> {
        let Self::Held { heard, entry } = self else {
            return None;
        };
        (heard.arrival.at.elapsed() < LIFE).then(|| TakenUp {
            entry: *entry,
            arrival: heard.arrival,
            is_stopped: heard.is_stopped,
        })
    }

    fn ended_at(&self) -> Option<Instant> {
        match self {
            Self::Ended { since, .. } => Some(*since),
            _ => None,
        }
    }
}

/// The hypotheses as they are compared. One without words would equal every other one without words.
fn compared(message: &Message) -> Vec<String> {
    let texts = utterances(message).into_iter();
    let short = texts.filter(|text| text.len() <= LONGEST);
    let plain = short.map(|text| {
        let words: Vec<String> = words(&text).into_iter().map(|word| word.plain).collect();
        words.join(" ")
    });
    plain.filter(|text| !text.is_empty()).collect()
}
