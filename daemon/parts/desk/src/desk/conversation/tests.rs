//! What is remembered.

use super::*;

fn said(bytes: usize) -> Vec<ChatMessage> {
    vec![
        ChatMessage::user("x".repeat(bytes)),
        ChatMessage::assistant("ß".repeat(bytes)),
    ]
}

#[tokio::test]
async fn histories_have_a_size_each_and_together() {
    let mut conversations = Conversations::new(1_000, 1_000);
    for _ in 0..100 {
        conversations.remember("long", said(100_000), &Utterances::default());
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

    conversations.remember(DEFAULT_SESSION_ID, said(10), &Utterances::default());
    for number in 0..SESSIONS {
        for _ in 0..20 {
            conversations.remember(&format!("s{number}"), said(MESSAGE), &Utterances::default());
        }
    }
    assert!(conversations.count(Conversation::bytes) <= ALL_HISTORIES);
    assert!(
        !conversations.by_session.contains_key("long"),
        "the longest silent goes"
    );
    assert!(
        conversations.by_session.contains_key(DEFAULT_SESSION_ID),
        "the device's own stays"
    );
    assert!(
        conversations
            .by_session
            .contains_key(&format!("s{}", SESSIONS - 1))
    );
}

#[tokio::test]
async fn an_answer_is_remembered_as_far_as_it_was_heard() {
    let utterances = Utterances::default();
    let mut conversations = Conversations::new(10, 10);
    let turn = |asked: &str, answer: &str| vec![ChatMessage::user(asked), ChatMessage::assistant(answer)];
    conversations.remember("kitchen", turn("Weather?", "It rains. All day."), &utterances);
    let (said, heard) = ("It rains. All day.", "It rains.");
    assert!(!conversations.cut_short("bathroom", said, heard));
    assert!(!conversations.cut_short("kitchen", "One moment.", ""));
    assert!(conversations.cut_short("kitchen", said, heard));
    let remembered = conversations.remembered("kitchen").unwrap();
    assert_eq!(remembered.messages[1].content, "It rains…");
    let kitchen = &conversations.by_session["kitchen"];
    assert_eq!(kitchen.interrupted.as_deref(), Some(heard));
    assert_eq!(kitchen.fresh[1].content, "It rains…");
    // An answer before the last is cut too, and is nothing that the next turn is told of.
    conversations.remember("kitchen", turn("Time?", "It is late. Very late."), &utterances);
    conversations.remember("kitchen", turn("Sure?", "Yes."), &utterances);
    assert!(conversations.cut_short("kitchen", "It is late. Very late.", "It is"));
    let kitchen = &conversations.by_session["kitchen"];
    assert_eq!(kitchen.history[3].content, "It is…");
    assert_eq!(kitchen.interrupted, None);
}

#[tokio::test]
async fn what_is_set_aside_is_known_again_until_it_is_forgotten() {
    let utterances = Utterances::default();
    let mut conversations = Conversations::new(10, 10);
    let turn = |asked: &str| vec![ChatMessage::user(asked), ChatMessage::assistant("Yes.")];
    let asked = |conversations: &Conversations| -> Vec<String> {
        let shown = conversations.so_far("kitchen").into_iter();
        let of_person = shown.filter(|message| message.role == Role::User);
        of_person.map(|message| message.content).collect()
    };
    assert!(!conversations.take_back("kitchen"), "nobody was there");
    conversations.remember("kitchen", turn("First?"), &utterances);
    conversations.set_aside("kitchen");
    assert!(asked(&conversations).is_empty());
    // What ran when it was left belongs to it.
    conversations.remember_aside("kitchen", turn("Second?"));
    // Nothing was said since, so nothing takes its place.
    conversations.set_aside("kitchen");
    conversations.remember("kitchen", turn("Third?"), &utterances);
    assert_eq!(asked(&conversations), ["Third?"]);
    assert!(conversations.take_back("kitchen"));
    assert_eq!(asked(&conversations), ["First?", "Second?", "Third?"]);
    assert!(!conversations.take_back("kitchen"), "it is back already");
    conversations.set_aside("kitchen");
    conversations.forget("kitchen");
    assert!(!conversations.take_back("kitchen"), "it is forgotten");
}
