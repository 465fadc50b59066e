//! A turn that is followed without a server: whatever a worker may say of it is heard as it would be from a real one, sealed as
//! by a worker that has the turn's key. For those who try what strangers write; nothing is sent, and no brain is asked.

use async_nats::{HeaderMap, Message};
use bytes::Bytes;

use crate::message::{Asked, Request, run_of, sealed};
use crate::order::Order;
use crate::placement::{Look, Placement};
use crate::roster::{Roster, Wish};
use crate::seal::SealKey;
use crate::subjects::Subjects;

const RUN: &str = "run";

/// Hears what a worker says.
#[derive(Debug)]
pub struct Rehearsal {
    key: SealKey,
    placement: Placement,
    roster: Roster,
    entries: u64,
}

impl Default for Rehearsal {
    fn default() -> Self {
        let key = SealKey::draw();
        let subjects = Subjects::of("home").of_turn("kind", "kitchen", "turn");
        let placement = Placement::new(
            "turn".to_owned(),
            key.clone(),
            "cellar.1",
            subjects,
            Bytes::new(),
            true,
        );
        let claim = Request {
            placement: "turn".to_owned(),
            serial: 0,
            asked: Asked::Claim {
                worker: "cellar.1".to_owned(),
            },
        };
        placement.admits(RUN, &claim);
        Self {
            key,
            placement,
            roster: Roster::default(),
            entries: 0,
        }
    }
}

impl Rehearsal {
    /// Takes pieces of a reply, as they are told while it is written. It says how many bytes of the reply to
    /// this request are heard then.
    pub fn tell(&self, payload: &[u8], request: &str) -> usize {
        let subject = &self.placement.subjects.told;
        self.placement
            .told(&self.message(subject, payload, &HeaderMap::new()));
        let (mut number, mut heard, mut pieces) = (None, 0, 0);
        while let Look::Pieces(more) = self.placement.look(request, &mut number, pieces) {
            pieces += more.len();
            heard += more.iter().map(|piece| format!("{piece:?}").len()).sum::<usize>();
        }
        heard
    }

    /// Hears the next entry of the journal, and tells whether the turn is still the worker's.
    pub fn write(&mut self, payload: &[u8]) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert("Nats-Last-Sequence", self.entries.to_string().as_str());
        self.entries += 1;
        headers.insert("Nats-Sequence", self.entries.to_string().as_str());
        let subject = &self.placement.subjects.journal;
        self.placement.written(&self.message(subject, payload, &headers));
        !self.placement.is_lost()
    }

    /// Hears what a worker says of itself, and tells whether a turn would be given to it.
    pub fn announce(&mut self, payload: &[u8]) -> bool {
        if let Ok(announcement) = serde_json::from_slice(payload) {
            self.roster.hear(announcement);
        }
        let wish = Wish {
            session: "here",
            is_urgent: true,
            brains: &[],
        };
        self.roster.choose(wish).is_some()
    }

    /// Hears a request to the device, and tells whether it is one.
    pub fn ask(&self, payload: &[u8]) -> bool {
        let request: Option<Request> = serde_json::from_slice(payload).ok();
        if let Some(request) = &request {
            self.placement.admits(RUN, request);
        }
        request.is_some()
    }

    /// Takes an order of a turn, as a worker reads it. It says whether it is one.
    pub fn order(&self, payload: &[u8]) -> bool {
        serde_json::from_slice::<Order>(payload).is_ok()
    }

    fn message(&self, subject: &str, payload: &[u8], more: &HeaderMap) -> Message {
        let mut headers = sealed(&self.key, subject, RUN, payload);
        for (name, values) in more.iter() {
            for value in values {
                headers.insert(name.clone(), value.clone());
            }
        }
        debug_assert!(run_of(Some(&headers), &self.key, subject, payload).is_some());
        Message {
            subject: subject.into(),
            reply: None,
            payload: Bytes::copy_from_slice(payload),
            headers: Some(headers),
            status: None,
            description: None,
            length: payload.len(),
        }
    }
}
