//! What waits for one subscriber: bounded, and fair to sessions.
//!
//! Every session has a lane. Up to [`QUANTUM`] frames of each wait in the order of their arrival; of what a session has
//! beyond that each further quantum is one round later, so that a flood in one session delays the others by one quantum.
//! Within a session the order of arrival is kept, always. The frames of this client itself, thus what the person at this
//! device says, have a lane of their own and go first. An order to stop goes to the front together with what its session
//! has before it; when there is much of that, every second frame is another's. While no more than one quantum waits, and
//! nothing goes before something else, all of it is one queue and no session has a lane: that is so nearly always.
//!
//! Overload: a frame weighs its bytes, at least [`LEAST`], and [`MAX_WEIGHT`] may wait. Then the oldest frame of a session
//! that has more than its share gives way: of the newcomer's if that is one, and otherwise of the heaviest. Where each
//! session has one frame, the newest gives way. Orders to stop go last, and own frames only where nothing else waits.
//! A frame that is owed an end leaves its outline behind, of which [`MAX_OUTLINES`] bytes may wait: about 100,000 of them.
//! The others are counted.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use loquat_wire::{Message, stub, topic};

use crate::received::{Cut, Received};

/// This many frames of one session go in one round. A turn causes about ten.
const QUANTUM: usize = 64;

/// The smallest frame weighs this many bytes, so that 4,096 of them are the limit.
const LEAST: usize = 2 << 10;

/// This many bytes of text may wait. What is read of them takes up to ten times as much.
const MAX_WEIGHT: usize = 8 << 20;

/// This many bytes of outlines of frames that gave way may wait. They wait as text, which is the smallest they can
/// be.
const MAX_OUTLINES: usize = 16 << 20;

/// One frame of so many is an outline, as long as any wait.
const OUTLINE_EVERY: usize = 4;

/// Frames of these topics are owed an end, whatever becomes of them.
const OWED: [&str; 4] = [
    topic::UTTERANCE_HANDLE,
    topic::PERSONA_QUERY,
    topic::TOOLS_CALL,
    topic::TOOL_SERVICE_INVOKE,
];

#[derive(Debug, Default)]
pub(crate) struct Mailbox {
    /// All that waits while it is little, with its size; otherwise empty.
    few: VecDeque<(Received, usize)>,
    frames: BTreeMap<Place, Waiting>,
    lanes: HashMap<LaneId, Lane>,
    outlines: VecDeque<Outline>,
    outline_bytes: usize,
    weight: usize,
    /// The round that is being served.
    round: u64,
    /// Counts the frames that were put in, and those that were taken out.
    put: u64,
    taken: usize,
    /// The last frame taken was one that went to the front.
    was_urgent: bool,
}

/// A session, or nothing for this client itself.
type LaneId = Option<Arc<str>>;

/// The place of a frame in the order of serving, the first to be served first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    class: Class,
    round: u64,
    /// No two frames have the same number.
    number: u64,
    /// It is an order to stop.
    stops: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Own,
    Urgent,
    Normal,
}

#[derive(Debug)]
struct Waiting {
    received: Received,
    bytes: usize,
    lane: LaneId,
}

#[derive(Debug)]
struct Outline {
    text: Box<str>,
    own: bool,
}

#[derive(Debug, Default)]
struct Lane {
    places: VecDeque<Place>,
    weight: usize,
    /// This many of them, from the front on, went to the front.
    urgent: usize,
    /// This many of them are no orders to stop.
    others: usize,
    /// This many at the front are known to be orders to stop, so that they are not looked at again.
    known_stops: usize,
}

fn weight(bytes: usize) -> usize {
    bytes.max(LEAST)
}

/// Tells whether a frame is an order to stop, to everybody or to one skill.
fn stops(received: &Received) -> bool {
    received.canonical.rsplit(['.', ':']).next() == Some("stop")
}

impl Mailbox {
    /// Adds a frame of that size; how many had to go for it without a trace.
    pub(crate) fn put(&mut self, received: Received, bytes: usize) -> u64 {
        self.weight += weight(bytes);
        if self.is_last_of_few(&received) {
            self.few.push_back((received, bytes));
            return 0;
        }
        while let Some((received, bytes)) = self.few.pop_front() {
            self.line_up(received, bytes);
        }
        let lane = self.line_up(received, bytes);
        let mut lost = 0;
        while self.weight > MAX_WEIGHT && self.frames.len() > 1 {
            lost += u64::from(!self.give_way(&lane));
        }
        lost
    }

    /// Tells whether little waits, and all of it goes before this frame, whose weight is counted.
    fn is_last_of_few(&self, received: &Received) -> bool {
        let is_last = !received.own && !stops(received) && self.weight <= MAX_WEIGHT;
        self.frames.is_empty() && self.few.len() < QUANTUM && (is_last || self.few.is_empty())
    }

    /// Gives a frame its place, and tells in which lane.
    fn line_up(&mut self, received: Received, bytes: usize) -> LaneId {
        let lane: LaneId = (!received.own).then(|| received.message.context.session_id().into());
        let waiting = Waiting {
            received,
            bytes,
            lane: lane.clone(),
        };
        let place = self.stand_in_line(&waiting);
        self.frames.insert(place, waiting);
        if place.stops && lane.is_some() {
            self.send_to_front(&lane);
        }
        lane
    }

    pub(crate) fn take(&mut self) -> Option<(Received, usize)> {
        self.taken = self.taken.wrapping_add(1);
        let nothing_else = self.few.is_empty() && self.frames.is_empty();
        let is_turn = self.taken.is_multiple_of(OUTLINE_EVERY) || nothing_else;
        if is_turn && let Some(outline) = self.outlines.pop_front() {
            self.outline_bytes -= outline.text.len();
            if let Some(received) = outline.unfolded() {
                return Some((received, 0));
            }
        }
        if let Some((received, bytes)) = self.few.pop_front() {
            self.weight -= weight(bytes);
            return Some((received, bytes));
        }
        let place = self.next_place()?;
        self.was_urgent = place.class == Class::Urgent;
        self.round = self.round.max(place.round);
        let waiting = self.remove(place)?;
        Some((waiting.received, waiting.bytes))
    }

    fn next_place(&self) -> Option<Place> {
        let first = *self.frames.first_key_value()?.0;
        if first.class != Class::Urgent || !self.was_urgent {
            return Some(first);
        }
        let normal = Place {
            class: Class::Normal,
            round: 0,
            number: 0,
            stops: false,
        };
        let Some((_, other)) = self.frames.range(normal..).next() else {
            return Some(first);
        };
        // What went to the front may stand before it in its own session.
        self.lanes.get(&other.lane)?.places.front().copied()
    }

    /// Gives a frame that has just arrived its place, at the end of its lane.
    fn stand_in_line(&mut self, waiting: &Waiting) -> Place {
        self.put += 1;
        let lane = self.lanes.entry(waiting.lane.clone()).or_default();
        let behind = lane.places.len() / QUANTUM;
        let round = self.round + u64::try_from(behind).unwrap_or(u64::MAX);
        let last = lane.places.back().map_or(0, |last| last.round);
        let place = Place {
            class: waiting.lane.as_ref().map_or(Class::Own, |_| Class::Normal),
            round: round.max(last),
            number: self.put,
            stops: stops(&waiting.received),
        };
        lane.places.push_back(place);
        lane.weight += weight(waiting.bytes);
        lane.others += usize::from(!place.stops);
        place
    }

    /// Sends everything that a session has to the front, each frame once.
    fn send_to_front(&mut self, id: &LaneId) {
        let Some(lane) = self.lanes.get_mut(id) else {
            return;
        };
        for place in lane.places.iter_mut().skip(lane.urgent) {
            let Some(waiting) = self.frames.remove(place) else {
                continue;
            };
            (place.class, place.round) = (Class::Urgent, 0);
            self.frames.insert(*place, waiting);
        }
        lane.urgent = lane.places.len();
    }

    /// Has one frame give way; whether it left its outline.
    fn give_way(&mut self, newcomer: &LaneId) -> bool {
        let lane = self.lane_with_too_much(newcomer);
        let oldest = self.lanes.get_mut(&lane).and_then(Lane::oldest);
        let Some(waiting) = oldest.and_then(|place| self.remove(place)) else {
            return false;
        };
        OWED.contains(&waiting.received.canonical.as_str()) && self.keep_outline(&waiting.received)
    }

    fn keep_outline(&mut self, received: &Received) -> bool {
        let Some(outline) = stub::of(&received.message) else {
            return false;
        };
        let text = outline.to_text();
        if self.outline_bytes + text.len() > MAX_OUTLINES {
            return false;
        }
        self.outline_bytes += text.len();
        self.outlines.push_back(Outline {
            text: text.into(),
            own: received.own,
        });
        true
    }

    /// Finds the lane whose frame gives way.
    fn lane_with_too_much(&self, newcomer: &LaneId) -> LaneId {
        let share = MAX_WEIGHT / self.lanes.len().max(1);
        let its = self.lanes.get(newcomer).filter(|_| newcomer.is_some());
        if its.is_some_and(|lane| lane.others > 0 && lane.weight > share) {
            return newcomer.clone();
        }
        let strangers = self.lanes.iter().filter(|(id, _)| id.is_some());
        let most = strangers.max_by_key(|(_, lane)| {
            (
                lane.weight > share,
                lane.others > 0,
                lane.weight,
                lane.begins_at(),
            )
        });
        most.and_then(|(id, _)| id.clone())
    }

    fn remove(&mut self, place: Place) -> Option<Waiting> {
        let waiting = self.frames.remove(&place)?;
        self.weight -= weight(waiting.bytes);
        if let Some(lane) = self.lanes.get_mut(&waiting.lane) {
            lane.leave(place, weight(waiting.bytes));
            if lane.places.is_empty() {
                self.lanes.remove(&waiting.lane);
            }
        }
        Some(waiting)
    }
}

impl Outline {
    fn unfolded(self) -> Option<Received> {
        let message = Message::parse(&self.text).ok()?;
        Some(Received {
            canonical: topic::canonical_of(&message.topic).to_owned(),
            message,
            own: self.own,
            cut: Some(Cut::Overload),
        })
    }
}

impl Lane {
    fn begins_at(&self) -> u64 {
        self.places.front().map_or(0, |place| place.number)
    }

    /// Finds the oldest frame that is no order to stop, or the oldest of these where there is no other.
    fn oldest(&mut self) -> Option<Place> {
        let unknown = self.places.iter().skip(self.known_stops);
        self.known_stops += unknown.take_while(|place| place.stops).count();
        let other = self.places.get(self.known_stops);
        other.or(self.places.front()).copied()
    }

    fn leave(&mut self, place: Place, weight: usize) {
        // It is the first but where one gives way behind an order to stop.
        let Ok(index) = self
            .places
            .binary_search_by_key(&place.number, |other| other.number)
        else {
            return;
        };
        self.places.remove(index);
        self.weight -= weight;
        self.urgent -= usize::from(index < self.urgent);
        self.known_stops -= usize::from(index < self.known_stops);
        self.others -= usize::from(!place.stops);
    }
}

#[cfg(test)]
mod tests;
