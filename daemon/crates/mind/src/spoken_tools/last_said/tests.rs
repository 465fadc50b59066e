//! How much of a conversation is kept.

use loquat_agent::record::Reason;

use super::*;

/// What was understood of the sentence with this number, perhaps one that does something.
fn said(number: usize, is_deed: bool) -> LastSaid {
    let call = IntendedCall {
        toolbox_id: "lamps".to_owned(),
        tool: format!("lamp {number}"),
        ..IntendedCall::default()
    };
    let undo = is_deed.then(|| Undoable {
        call: call.clone(),
        deed: "a lamp".to_owned(),
    });
    let wanted = Wanted {
        intent: "lamps.on".to_owned(),
        call,
        readings: Vec::new(),
        own: None,
        several: None,
    };
    let reply = Reply {
        undo,
        ..Reply::instead(Reason::Answered, "")
    };
    LastSaid::of(&wanted, "the lamp", "en", &Speaker::Owner, &reply).expect("what was understood")
}

/// The last of so many sentences, each said so long after the one before. Those with an even number do something.
async fn talk(count: usize, pause: Duration) -> LastSaid {
    let mut last: Option<Arc<LastSaid>> = None;
    for number in 0..count {
        tokio::time::advance(pause).await;
        let next = said(number, number % 2 == 0).behind(last.as_ref());
        last = Some(Arc::new(next));
    }
    Arc::unwrap_or_clone(last.expect("a sentence"))
}

/// How many sentences are kept with this one, whatever they are kept for.
fn kept(said: &LastSaid) -> usize {
    let others = [&said.before, &said.deed].into_iter().flatten();
    1 + others.map(|other| kept(other)).sum::<usize>()
}

#[tokio::test(start_paused = true)]
async fn of_many_sentences_the_oldest_are_dropped() {
    let last = talk(9, Duration::from_secs(2)).await;
    let tools: Vec<&str> = last.chain().map(|said| said.call.tool.as_str()).collect();
    assert_eq!(
        tools,
        ["lamp 8", "lamp 7", "lamp 6", "lamp 5", "lamp 4", "lamp 3"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_long_conversation_is_not_kept_whole() {
    for seconds in [1, 61, 100, 179] {
        let last = talk(40, Duration::from_secs(seconds)).await;
        assert!(kept(&last) <= 2 * MOST_KEPT, "{seconds}: {}", kept(&last));
        assert!(last.chain().count() >= 2, "{seconds}");
    }
}
