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
