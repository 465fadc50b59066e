//! Who gets a turn, who waits, and what is remembered.

use loquat_agent::turn::stop_pair;
use loquat_wire::{Message, Session};
use serde_json::json;

use super::*;

fn job(origin: Origin, session_id: &str, own: bool) -> Job {
    let mut cause = Message::new("x", json!({}));
    cause.context.set_session(&Session::named(session_id));
    let persona = Arc::new(ReadyPersona::apologising("Nobody is here.".into()));
    let job = Job::new(origin, cause, persona, ("Hello".into(), "en-US"));
    Job { own, ..job }
}

fn conversations() -> Conversations {
    Conversations::new(1_000, 1_000)
}

/// Hands a job in and begins it, if it may begin.
fn enters(conversations: &mut Conversations, job: Job) -> bool {
    match conversations.admit(job) {
        Admission::Start(job) => {
            conversations.began(job, stop_pair().0);
            true
        }
        Admission::Waits => true,
        Admission::Refused(_) => false,
    }
}

#[tokio::test]
async fn strangers_leave_room_for_what_our_own_ear_hears() {
    let mut conversations = conversations();
    let flood = (0..1_000).map(|number| job(Origin::Solo, &format!("s{number}"), false));
    let begun = flood.filter(|job| enters(&mut conversations, job.clone()));
    assert_eq!(begun.count(), TURNS - OWN_RESERVE);
    assert!(
        conversations.by_session.len() <= TURNS,
        "who is refused is not remembered"
    );
    assert!(!enters(&mut conversations, job(Origin::Query, "late", false)));
    let own = (0..TURNS).map(|number| job(Origin::Solo, &format!("own{number}"), true));
    let begun = own.filter(|job| enters(&mut conversations, job.clone()));
    assert_eq!(begun.count(), OWN_RESERVE);
}

#[tokio::test]
async fn queries_have_their_part_only() {
    let mut conversations = conversations();
    let flood = (0..100).map(|number| job(Origin::Query, &format!("s{number}"), false));
    let begun = flood.filter(|job| enters(&mut conversations, job.clone()));
    assert_eq!(begun.count(), ALL_QUERIES);
    assert!(enters(&mut conversations, job(Origin::Solo, "person", false)));
}

#[tokio::test]
async fn what_waits_is_bounded_and_the_person_goes_first() {
    let mut conversations = conversations();
    for number in 0..TURNS - OWN_RESERVE {
        let id = format!("s{number}");
        for place in 0..=WAITING + 1 {
            enters(&mut conversations, job(Origin::Solo, &id, place == WAITING + 1));
        }
    }
    let waiting = conversations.count(|conversation| conversation.waiting.len());
    assert_eq!(waiting, ALL_WAITING + OWN_RESERVE);
    let next = conversations.by_session.get_mut("s0").unwrap().waiting.front();
    assert!(next.is_some_and(|job| job.own));
}

fn said(bytes: usize) -> Vec<ChatMessage> {
    vec![
        ChatMessage::user("x".repeat(bytes)),
        ChatMessage::assistant("ß".repeat(bytes)),
    ]
}

#[tokio::test]
async fn histories_have_a_size_each_and_together() {
    let mut conversations = conversations();
    for _ in 0..100 {
        conversations.remember("long", said(100_000));
    }
    let long = &conversations.by_session["long"];
    assert!(
        long.history
            .iter()
            .all(|message| message.content.len() <= MESSAGE)
    );
    assert!(bytes(&long.history) <= HISTORY && bytes(&long.fresh) <= HISTORY);
    assert!(bytes(&long.history) > HISTORY / 4);
    assert_eq!(long.history.len() % 2, 0, "a question stays with its answer");

    conversations.remember(DEFAULT_SESSION_ID, said(10));
    for number in 0..SESSIONS {
        for _ in 0..20 {
            conversations.remember(&format!("s{number}"), said(MESSAGE));
        }
    }
    assert!(conversations.count(Conversation::bytes) <= ALL_HISTORIES);
    assert!(
        !conversations.by_session.contains_key("long"),
        "the longest silent goes"
    );
    assert!(
        !conversations.history(DEFAULT_SESSION_ID).is_empty(),
        "the device's own stays"
    );
    assert!(
        conversations
            .by_session
            .contains_key(&format!("s{}", SESSIONS - 1))
    );
}
