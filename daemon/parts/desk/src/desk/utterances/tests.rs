//! Who gets a turn and who waits, what an order does in each state, and what is known beside a core.

use std::sync::Arc;
use std::time::Duration;

use loquat_agent::Speaker;
use loquat_agent::turn::stop_pair;
use loquat_mind::ReadyPersona;
use loquat_wire::{Message, Session};
use serde_json::json;

use super::*;
use crate::desk::Arrival;
use crate::desk::saying::Saying;

fn job(origin: Origin, session_id: &str, own: bool) -> Job {
    let mut cause = Message::new("x", json!({}));
    cause.context.set_session(&Session::named(session_id));
    let persona = Arc::new(ReadyPersona::apologising("Nobody is here.".into()));
    let job = Job::new(origin, cause, persona, "Hello".into(), "en-US");
    let speaker = if own { Speaker::Owner } else { Speaker::Program };
    Job { speaker, ..job }
}

/// Hands a job in and begins it, if it may begin.
fn enters(utterances: &mut Utterances, job: Job) -> bool {
    match utterances.admit(job) {
        Admission::Start(job) => {
            utterances.began(job, stop_pair().0);
            true
        }
        Admission::Waits => true,
        Admission::Refused(_) => false,
    }
}

#[tokio::test]
async fn strangers_leave_room_for_what_our_own_ear_hears() {
    let mut utterances = Utterances::default();
    let flood = (0..1_000).map(|number| job(Origin::Solo, &format!("s{number}"), false));
    let begun = flood.filter(|job| enters(&mut utterances, job.clone()));
    assert_eq!(begun.count(), TURNS - OWN_RESERVE);
    assert!(
        utterances.by_session.len() <= TURNS,
        "who is refused is not remembered"
    );
    assert!(!enters(&mut utterances, job(Origin::Query, "late", false)));
    let own = (0..TURNS).map(|number| job(Origin::Solo, &format!("own{number}"), true));
    let begun = own.filter(|job| enters(&mut utterances, job.clone()));
    assert_eq!(begun.count(), OWN_RESERVE);
}

#[tokio::test]
async fn queries_have_their_part_only() {
    let mut utterances = Utterances::default();
    let flood = (0..100).map(|number| job(Origin::Query, &format!("s{number}"), false));
    let begun = flood.filter(|job| enters(&mut utterances, job.clone()));
    assert_eq!(begun.count(), ALL_QUERIES);
    assert!(enters(&mut utterances, job(Origin::Solo, "person", false)));
}

#[tokio::test]
async fn what_waits_is_bounded_and_the_person_goes_first() {
    let mut utterances = Utterances::default();
    for number in 0..TURNS - OWN_RESERVE {
        let id = format!("s{number}");
        for place in 0..=WAITING + 1 {
            enters(&mut utterances, job(Origin::Solo, &id, place == WAITING + 1));
        }
    }
    let waiting = utterances.count(Utterance::is_waiting);
    assert_eq!(waiting, ALL_WAITING + OWN_RESERVE);
    let next = utterances.take_job("s0");
    assert!(next.is_some_and(|job| job.speaker.is_owner()));
}

fn said(texts: &[&str], session_id: &str) -> Message {
    let mut message = Message::new("x", json!({"utterances": texts}));
    message.context.set_session(&Session::named(session_id));
    message
}

fn hear(utterances: &mut Utterances, entry: &Message, stops: bool) {
    let arrival = Arrival {
        at: Instant::now(),
        speaker: Speaker::Program,
        kept: None,
        voice: None,
        saying: Saying::of(entry, false),
    };
    utterances.hold(entry.clone(), arrival, stops);
}

#[tokio::test(start_paused = true)]
async fn what_was_stopped_on_the_way_is_known_when_it_comes() {
    let mut utterances = Utterances::default();
    hear(&mut utterances, &said(&["What's the time?"], "kitchen"), false);
    hear(&mut utterances, &said(&["What's the time?"], "garage"), false);
    utterances.obey(Order::Stop, "kitchen");
    let dispatch = said(&["what is the time", "what's the time"], "kitchen");
    assert!(utterances.brought(&dispatch).is_stopped);
    assert!(!utterances.brought(&dispatch).is_stopped, "it comes once");
    assert!(
        !utterances
            .brought(&said(&["What's the time?"], "garage"))
            .is_stopped
    );

    hear(&mut utterances, &said(&["And now?"], "kitchen"), false);
    utterances.obey(Order::Stop, "kitchen");
    hear(&mut utterances, &said(&["And now?"], "kitchen"), false);
    assert!(
        !utterances.brought(&said(&["And now?"], "kitchen")).is_stopped,
        "said again after the stop"
    );
    assert!(
        !utterances
            .brought(&said(&["something else"], "kitchen"))
            .is_stopped,
        "nobody said that"
    );

    hear(&mut utterances, &said(&["stop"], "kitchen"), true);
    hear(&mut utterances, &said(&["Go on"], "kitchen"), false);
    utterances.obey(Order::Stop, "kitchen");
    assert!(
        !utterances.brought(&said(&["Go on"], "kitchen")).is_stopped,
        "said after the word that is passed on"
    );
    hear(&mut utterances, &said(&["And now?"], "kitchen"), false);
    tokio::time::advance(Duration::from_secs(2)).await;
    utterances.obey(Order::Stop, "kitchen");
    assert!(
        utterances.brought(&said(&["And now?"], "kitchen")).is_stopped,
        "a stop of its own"
    );
    hear(&mut utterances, &said(&["And now?"], "kitchen"), false);
    utterances.obey(Order::Stop, "kitchen");
    tokio::time::advance(Duration::from_secs(15)).await;
    assert!(
        !utterances.brought(&said(&["And now?"], "kitchen")).is_stopped,
        "long ago"
    );
}

#[tokio::test(start_paused = true)]
async fn what_has_no_words_is_not_taken_for_something_else() {
    let mut utterances = Utterances::default();
    hear(&mut utterances, &said(&["?!"], "kitchen"), false);
    utterances.obey(Order::Stop, "kitchen");
    assert!(!utterances.brought(&said(&["..."], "kitchen")).is_stopped);
}

#[tokio::test(start_paused = true)]
async fn all_that_was_said_so_far_can_be_called_off() {
    let mut utterances = Utterances::default();
    hear(&mut utterances, &said(&["stop"], "kitchen"), true);
    hear(&mut utterances, &said(&["Go on"], "kitchen"), false);
    hear(&mut utterances, &said(&["Go on"], "garage"), false);
    utterances.obey(Order::BargeIn, "kitchen");
    assert!(utterances.brought(&said(&["Go on"], "kitchen")).is_stopped);
    assert!(!utterances.brought(&said(&["Go on"], "garage")).is_stopped);
    hear(&mut utterances, &said(&["Go on"], "kitchen"), false);
    assert!(
        !utterances.brought(&said(&["Go on"], "kitchen")).is_stopped,
        "said after it"
    );
}

#[tokio::test(start_paused = true)]
async fn the_word_that_stops_is_known_for_as_long_as_a_core_passes_it_on() {
    let mut utterances = Utterances::default();
    hear(&mut utterances, &said(&["Go on"], "kitchen"), false);
    assert!(!utterances.says_stop("kitchen"));
    hear(&mut utterances, &said(&["stop"], "kitchen"), true);
    assert!(utterances.says_stop("kitchen") && !utterances.says_stop("garage"));
    tokio::time::advance(Duration::from_secs(2)).await;
    assert!(!utterances.says_stop("kitchen"));
}

fn turn(utterances: &mut Utterances, origin: Origin) -> loquat_agent::turn::StopSignal {
    let (stopper, signal) = stop_pair();
    utterances.began(job(origin, "kitchen", true), stopper);
    signal
}

#[tokio::test]
async fn an_order_ends_what_it_is_for_in_every_state() {
    for (order, searches, turn_of_person, query, waits) in [
        (Order::Stop, true, true, true, true),
        (Order::BargeIn, true, true, false, true),
        (Order::EmergencyStop, false, true, true, true),
        (Order::Shutdown, true, true, true, true),
    ] {
        let mut utterances = Utterances::default();
        let mut entry = said(&["What is that?"], "kitchen");
        entry.context.set_utterance_id("u1");
        let called_off = utterances.search(&entry, CancellationToken::new());
        let mut elsewhere = said(&["What is that?"], "garage");
        elsewhere.context.set_utterance_id("u2");
        let other = utterances.search(&elsewhere, CancellationToken::new());
        let person = turn(&mut utterances, Origin::Solo);
        let program = turn(&mut utterances, Origin::Query);
        assert!(enters(&mut utterances, job(Origin::Solo, "kitchen", true)));
        let jobs = utterances.obey(order, "kitchen");
        assert_eq!(called_off.is_cancelled(), searches, "{order:?}");
        assert!(!other.is_cancelled(), "{order:?} in another session");
        assert_eq!(
            person.reason(),
            turn_of_person.then(|| order.reason()),
            "{order:?}"
        );
        assert_eq!(program.reason(), query.then(|| order.reason()), "{order:?}");
        assert_eq!(jobs.len(), usize::from(waits), "{order:?}");
        assert_eq!(utterances.arrived_back(&entry), searches, "{order:?}");
    }
}

#[tokio::test]
async fn a_skill_at_work_goes_on_and_what_it_declines_is_not_searched_again() {
    let mut utterances = Utterances::default();
    let mut entry = said(&["Play some music"], "kitchen");
    entry.context.set_utterance_id("u1");
    let stopped = utterances.bring(&entry, "music");
    utterances.obey(Order::Stop, "kitchen");
    utterances.skill_was_stopped("kitchen", Some("radio"));
    assert!(!stopped.is_cancelled());
    utterances.skill_was_stopped("kitchen", Some("music"));
    assert!(stopped.is_cancelled() && utterances.arrived_back(&entry));
}

#[tokio::test(start_paused = true)]
async fn what_is_held_is_taken_up_once_unless_a_core_has_it() {
    let mut utterances = Utterances::default();
    hear(&mut utterances, &said(&["One"], "kitchen"), false);
    tokio::time::advance(Duration::from_secs(1)).await;
    hear(&mut utterances, &said(&["Two"], "garage"), false);
    hear(&mut utterances, &said(&["Three"], "cellar"), false);
    utterances.adopted(&said(&[], "cellar"));
    utterances.obey(Order::Stop, "garage");
    let taken = utterances.take_up();
    let sessions: Vec<_> = taken
        .iter()
        .map(|taken| (taken.entry.context.session_id(), taken.is_stopped))
        .collect();
    assert_eq!(sessions, [("kitchen", false), ("garage", true)]);
    assert!(utterances.take_up().is_empty());
    assert!(utterances.brought(&said(&["Three"], "cellar")).arrival.is_some());
    assert!(utterances.by_session.is_empty());
}

#[tokio::test(start_paused = true)]
async fn what_is_held_and_what_is_ended_is_bounded() {
    let mut utterances = Utterances::default();
    for number in 0..200 {
        hear(&mut utterances, &said(&["One"], &format!("s{number}")), false);
        utterances.await_end(said(&["One"], &format!("s{number}")));
        tokio::time::advance(Duration::from_millis(1)).await;
    }
    assert_eq!(
        utterances.count(|utterance| matches!(utterance, Utterance::Held { .. })),
        16
    );
    assert_eq!(
        utterances.count(|utterance| matches!(utterance, Utterance::AtCore(_))),
        48
    );
    assert_eq!(
        utterances.count(|utterance| matches!(utterance, Utterance::Ended { .. })),
        64
    );
    tokio::time::advance(Duration::from_secs(5)).await;
    assert_eq!(utterances.overdue().len(), 64);
}
