//! What lasts from turn to turn: the cache, the breaker of a toolbox, and the emergency stop of a session.

use std::sync::Arc;
use std::time::Duration;

use loquat_agent::brain::BrainError;
use loquat_agent::record::Reason;
use loquat_agent::toolbox::{CacheScope, Tool};
use loquat_agent::turn::TurnCache;
use serde_json::json;

use crate::brain::{Step, act, done};
use crate::support::{Played, Stage};
use crate::tools::{Deed, Tools, tool, writing};

/// Plays one turn of a session, with tools made anew and everything that lasts kept.
async fn turn(
    turn_cache: &Arc<TurnCache>,
    session: &str,
    tools: Tools,
    replies: impl IntoIterator<Item = Step>,
) -> Played {
    let mut stage = Stage {
        tools,
        turn_cache: Arc::clone(turn_cache),
        ..Stage::react(replies)
    };
    stage.question.session_id = session.to_owned();
    stage.play().await
}

fn weather(scope: CacheScope) -> Tools {
    let (weather, deed) = tool("weather", Deed::Give(json!({"degrees": 21})));
    let cached = Tool {
        cacheable: Duration::from_secs(600),
        cache_scope: scope,
        ..weather
    };
    Tools::new([
        (cached, deed),
        writing("move_house", Deed::Give(json!({"ok": true}))),
    ])
}

/// Counts how often the weather was really looked up in a turn that asks for it.
async fn look_ups(turn_cache: &Arc<TurnCache>, session: &str, scope: CacheScope) -> usize {
    let played = turn(
        turn_cache,
        session,
        weather(scope),
        [act("weather", "{}"), done("21")],
    )
    .await;
    assert_eq!(played.seen(0), r#"{"degrees":21}"#);
    assert!(played.calls()[0].ok);
    played.ran.len()
}

#[tokio::test(start_paused = true)]
async fn a_result_is_used_again_in_its_scope_until_it_is_old() {
    let turn_cache = Arc::new(TurnCache::default());
    let session = CacheScope::Session;
    assert_eq!(look_ups(&turn_cache, "one", session).await, 1);
    assert_eq!(look_ups(&turn_cache, "one", session).await, 0);
    assert_eq!(
        look_ups(&turn_cache, "two", session).await,
        1,
        "sessions never see each other"
    );
    tokio::time::advance(Duration::from_secs(600)).await;
    assert_eq!(look_ups(&turn_cache, "one", session).await, 1);
    assert_eq!(look_ups(&turn_cache, "one", CacheScope::Device).await, 1);
    assert_eq!(look_ups(&turn_cache, "two", CacheScope::Device).await, 0);
}

#[tokio::test(start_paused = true)]
async fn a_change_makes_kept_results_old() {
    let turn_cache = Arc::new(TurnCache::default());
    let session = CacheScope::Session;
    assert_eq!(look_ups(&turn_cache, "one", session).await, 1);
    turn(
        &turn_cache,
        "one",
        weather(session),
        [act("move_house", "{}"), done("Moved.")],
    )
    .await;
    assert_eq!(look_ups(&turn_cache, "one", session).await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_not_cacheable_always_runs() {
    let turn_cache = Arc::new(TurnCache::default());
    for _ in 0..2 {
        let tools = Tools::new([tool("clock", Deed::Give(json!({"time": "12:00"})))]);
        let played = turn(&turn_cache, "one", tools, [act("clock", "{}"), done("Noon.")]).await;
        assert_eq!(played.ran.len(), 1);
    }
}

fn dead() -> Tools {
    Tools::new([tool("look", Deed::Complain("ConnectionError", "nobody there"))])
}

#[tokio::test(start_paused = true)]
async fn a_toolbox_that_does_not_answer_is_skipped_and_tried_again() {
    let turn_cache = Arc::new(TurnCache::default());
    for session in ["a", "b", "c"] {
        let played = turn(&turn_cache, session, dead(), [act("look", "{}"), done("No.")]).await;
        assert_eq!(played.ran.len(), 1);
    }
    let skipped = turn(&turn_cache, "d", dead(), [act("look", "{}"), done("No.")]).await;
    assert!(skipped.ran.is_empty());
    assert!(
        skipped.seen(0).contains("does not answer at the moment"),
        "{}",
        skipped.seen(0)
    );
    // After the pause one call is tried, and only one while it still fails.
    tokio::time::advance(Duration::from_secs(30)).await;
    let replies = [
        act("look", r#"{"n": 1}"#),
        act("look", r#"{"n": 2}"#),
        done("No."),
    ];
    assert_eq!(turn(&turn_cache, "e", dead(), replies).await.ran.len(), 1);
    tokio::time::advance(Duration::from_secs(30)).await;
    for _ in 0..2 {
        let alive = Tools::new([tool("look", Deed::Give(json!({"n": 1})))]);
        let played = turn(&turn_cache, "f", alive, [act("look", "{}"), done("One.")]).await;
        assert_eq!(played.ran.len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_complaint_about_arguments_is_no_outage() {
    let turn_cache = Arc::new(TurnCache::default());
    for session in ["a", "b", "c", "d"] {
        let tools = Tools::new([tool("look", Deed::Complain("ValueError", "no such room"))]);
        let played = turn(&turn_cache, session, tools, [act("look", "{}"), done("No.")]).await;
        assert_eq!(played.ran.len(), 1);
    }
}

fn tries(numbers: impl IntoIterator<Item = u32>) -> impl Iterator<Item = Step> {
    let one = |n| act("fail", &format!("{{\"n\": {n}}}"));
    numbers.into_iter().map(one).chain([done("It does not work.")])
}

/// The tool tells its tries apart.
fn numbered() -> Tools {
    let (fail, deed) = failing_tool();
    Tools::new([(fail, deed), tool("look", Deed::Give(json!({"n": 1})))])
}

fn failing_tool() -> (Tool, Deed) {
    let (fail, deed) = tool("fail", Deed::Complain("ValueError", "no"));
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    (
        Tool {
            argument_schema: schema,
            ..fail
        },
        deed,
    )
}

#[tokio::test(start_paused = true)]
async fn three_failures_in_a_row_end_a_turn_with_words() {
    let turn_cache = Arc::new(TurnCache::default());
    let played = turn(&turn_cache, "one", numbered(), tries(1..=3)).await;
    assert_eq!(
        (
            played.record.reason,
            played.record.answer.as_str(),
            played.ran.len()
        ),
        (Reason::Answered, "It does not work.", 3)
    );
    assert!(played.record.fault.is_some());
    assert!(
        played.last_shown().contains("No more tools"),
        "{}",
        played.last_shown()
    );
    // A success in between begins the count anew.
    let replies = [
        act("fail", r#"{"n": 1}"#),
        act("fail", r#"{"n": 2}"#),
        act("look", "{}"),
        act("fail", r#"{"n": 3}"#),
        act("fail", r#"{"n": 4}"#),
        done("Done."),
    ];
    let played = turn(&turn_cache, "two", numbered(), replies).await;
    assert_eq!((played.ran.len(), played.record.fault), (5, None));
}

#[tokio::test(start_paused = true)]
async fn five_failures_over_turns_stop_the_session_until_it_is_cleared() {
    let turn_cache = Arc::new(TurnCache::default());
    turn(&turn_cache, "one", numbered(), tries(1..=3)).await;
    assert!(!turn_cache.is_stopped("one"));
    let told = turn(&turn_cache, "one", numbered(), tries(4..=6)).await;
    assert_eq!(
        (told.record.reason, told.record.answer.as_str(), told.ran.len()),
        (Reason::EmergencyStop, "It does not work.", 2)
    );
    let refused = turn(&turn_cache, "one", numbered(), [done("Hi.")]).await;
    assert_eq!(
        (
            refused.record.reason,
            refused.record.answer.as_str(),
            refused.requests.len()
        ),
        (Reason::EmergencyStop, "", 0)
    );
    let other = turn(&turn_cache, "two", numbered(), [done("Hi.")]).await;
    assert_eq!(other.record.reason, Reason::Answered);
    turn_cache.clear("one");
    let again = turn(&turn_cache, "one", numbered(), [done("Hi.")]).await;
    assert_eq!(again.record.reason, Reason::Answered);
}

#[tokio::test(start_paused = true)]
async fn five_turns_that_the_brain_fails_stop_the_session_until_it_is_cleared() {
    let turn_cache = Arc::new(TurnCache::default());
    let down = || {
        Step::Fail(BrainError::NotStarted {
            reason: "down".into(),
        })
    };
    let reason = async |reply: Step| {
        let played = turn(&turn_cache, "one", numbered(), [reply]).await;
        played.record.reason
    };
    for _ in 0..4 {
        assert_eq!(reason(down()).await, Reason::LlmError);
    }
    assert_eq!(reason(done("Hi.")).await, Reason::Answered, "begins anew");
    for _ in 0..4 {
        assert_eq!(reason(down()).await, Reason::LlmError);
    }
    assert_eq!(reason(down()).await, Reason::EmergencyStop);
    let refused = turn(&turn_cache, "one", numbered(), [done("Hi.")]).await;
    assert_eq!(
        (refused.record.reason, refused.requests.len()),
        (Reason::EmergencyStop, 0)
    );
    let other = turn(&turn_cache, "two", numbered(), [done("Hi.")]).await;
    assert_eq!(other.record.reason, Reason::Answered);
    turn_cache.clear_all();
    assert_eq!(reason(done("Hi.")).await, Reason::Answered);
}
