//! The ladder against scripted brains, on paused time.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use loquat_conversation::brain::Delta;

use super::*;

/// Replies as its script says, then for ever with the last entry.
#[derive(Debug)]
struct Scripted {
    name: &'static str,
    capabilities: Capabilities,
    script: Mutex<VecDeque<Result<(), BrainError>>>,
    requests: Mutex<Vec<ChatRequest>>,
    takes: Duration,
}

impl Scripted {
    fn new(name: &'static str, script: Vec<Result<(), BrainError>>) -> Arc<Self> {
        Arc::new(Self {
            name,
            capabilities: Capabilities {
                native_tools: true,
                json_schema: true,
                small: false,
                acts_at_once: false,
                context_tokens: None,
                favours: false,
            },
            script: Mutex::new(script.into()),
            requests: Mutex::default(),
            takes: Duration::ZERO,
        })
    }

    fn taking(self: Arc<Self>, takes: Duration) -> Arc<Self> {
        let this = Arc::into_inner(self).unwrap();
        Arc::new(Self { takes, ..this })
    }

    fn asked(&self) -> usize {
        self.requests.lock().unwrap().len()
    }
}

impl Brain for Scripted {
    fn name(&self) -> &str {
        self.name
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn ask<'a>(
        &'a self,
        asking: &'a Asking<'_>,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        Box::pin(async move {
            let request = asking.for_brain(self.capabilities());
            self.requests.lock().unwrap().push((*request).clone());
            tokio::time::sleep(self.takes).await;
            sink.delta(Delta::Content(self.name.into()));
            let mut script = self.script.lock().unwrap();
            let outcome = if script.len() > 1 {
                script.pop_front()
            } else {
                script.front().cloned()
            };
            outcome.unwrap_or(Ok(())).map(|()| ChatReply::of_words(self.name))
        })
    }
}

#[derive(Debug, Default)]
struct Heard(Mutex<String>);

impl DeltaSink for Heard {
    fn delta(&self, delta: Delta) {
        let mut heard = self.0.lock().unwrap();
        match delta {
            Delta::Content(text) | Delta::Reasoning(text) => heard.push_str(&text),
            Delta::Restart => heard.push('|'),
        }
    }
}

fn down() -> BrainError {
    BrainError::Unreachable {
        address: "a".into(),
        reason: "gone".into(),
    }
}

fn refused() -> BrainError {
    BrainError::Refused {
        address: "a".into(),
        status: 401,
        message: "no".into(),
    }
}

fn too_long() -> BrainError {
    BrainError::ContextTooLong { address: "a".into() }
}

fn ladder(rungs: &[&Arc<Scripted>]) -> Ladder {
    Ladder::new(
        rungs
            .iter()
            .map(|rung| Arc::clone(rung) as Arc<dyn Brain>)
            .collect(),
    )
}

async fn ask(ladder: &Ladder) -> Result<String, BrainError> {
    ladder
        .chat(&ChatRequest::default(), &())
        .await
        .map(|reply| reply.content)
}

#[tokio::test]
async fn the_next_rung_is_asked_when_one_fails() {
    for error in [down(), refused()] {
        let (first, second) = (
            Scripted::new("first", vec![Err(error)]),
            Scripted::new("second", vec![]),
        );
        let ladder = ladder(&[&first, &second]);
        let heard = Heard::default();
        let reply = ladder.chat(&ChatRequest::default(), &heard).await.unwrap();
        assert_eq!(reply.content, "second");
        assert_eq!(*heard.0.lock().unwrap(), "first|second");
        assert_eq!(ladder.name(), "first, else second");
    }
}

#[tokio::test]
async fn a_conversation_that_is_too_long_goes_no_further() {
    let (first, second) = (
        Scripted::new("first", vec![Err(too_long())]),
        Scripted::new("second", vec![]),
    );
    let ladder = ladder(&[&first, &second]);
    for _ in 0..5 {
        assert_eq!(ask(&ladder).await, Err(too_long()));
    }
    assert_eq!((first.asked(), second.asked()), (5, 0));
}

#[tokio::test]
async fn the_most_telling_error_is_reported() {
    for (errors, expected) in [([refused(), down()], refused()), ([down(), refused()], refused())] {
        let rungs = errors.map(|error| Scripted::new("rung", vec![Err(error)]));
        assert_eq!(ask(&ladder(&[&rungs[0], &rungs[1]])).await, Err(expected));
    }
    assert!(matches!(
        ask(&ladder(&[])).await,
        Err(BrainError::NotStarted { .. })
    ));
}

#[tokio::test(start_paused = true)]
async fn a_rung_that_keeps_failing_is_skipped_and_then_tried_once() {
    let first = Scripted::new(
        "first",
        vec![Err(down()), Err(down()), Err(down()), Err(down()), Ok(())],
    );
    let second = Scripted::new("second", vec![]);
    let ladder = ladder(&[&first, &second]);
    for asked in [1, 2, 3, 3, 3] {
        assert_eq!(ask(&ladder).await.as_deref(), Ok("second"));
        assert_eq!(first.asked(), asked);
    }
    tokio::time::advance(Duration::from_secs(29)).await;
    ask(&ladder).await.unwrap();
    assert_eq!(first.asked(), 3);
    tokio::time::advance(Duration::from_secs(1)).await;
    for _ in 0..2 {
        assert_eq!(ask(&ladder).await.as_deref(), Ok("second"));
        assert_eq!(first.asked(), 4, "one trial, which failed");
    }
    tokio::time::advance(Duration::from_secs(30)).await;
    for asked in [5, 6] {
        assert_eq!(ask(&ladder).await.as_deref(), Ok("first"));
        assert_eq!(first.asked(), asked);
    }
}

#[tokio::test]
async fn a_success_forgives_earlier_failures() {
    let outcomes = [Err(down()), Err(down()), Ok(())]
        .into_iter()
        .cycle()
        .take(12)
        .collect();
    let (first, second) = (Scripted::new("first", outcomes), Scripted::new("second", vec![]));
    let ladder = ladder(&[&first, &second]);
    for _ in 0..12 {
        ask(&ladder).await.unwrap();
    }
    assert_eq!(first.asked(), 12);
}

#[tokio::test(start_paused = true)]
async fn a_trial_that_is_dropped_leaves_room_for_another() {
    let (first, second) = (
        Scripted::new("first", vec![Err(down())]).taking(Duration::from_millis(500)),
        Scripted::new("second", vec![]),
    );
    let ladder = ladder(&[&first, &second]);
    for _ in 0..3 {
        ask(&ladder).await.unwrap();
    }
    tokio::time::advance(Duration::from_secs(31)).await;
    for asked in [4, 5] {
        let stopped = tokio::time::timeout(Duration::from_millis(100), ask(&ladder)).await;
        assert!(stopped.is_err());
        assert_eq!(first.asked(), asked);
    }
}

#[tokio::test(start_paused = true)]
async fn a_brain_that_is_waited_for_in_vain_fails_at_once_until_it_is_tried_again() {
    let script = vec![Err(down()), Err(down()), Err(down()), Err(down()), Ok(())];
    let only = Scripted::new("only", script).taking(Duration::from_secs(20));
    let ladder = ladder(&[&only]);
    for asked in 1..=3 {
        assert_eq!(ask(&ladder).await, Err(down()));
        assert_eq!(only.asked(), asked);
    }
    let began = Instant::now();
    for _ in 0..5 {
        assert_eq!(ask(&ladder).await, Err(down()));
    }
    assert_eq!((began.elapsed(), only.asked()), (Duration::ZERO, 3));
    tokio::time::advance(Duration::from_secs(30)).await;
    assert_eq!(ask(&ladder).await, Err(down()));
    assert_eq!(only.asked(), 4, "one trial");
    assert_eq!(ask(&ladder).await, Err(down()));
    assert_eq!(only.asked(), 4);
    tokio::time::advance(Duration::from_secs(30)).await;
    for asked in [5, 6] {
        assert_eq!(ask(&ladder).await.as_deref(), Ok("only"));
        assert_eq!(only.asked(), asked);
    }
}

#[tokio::test(start_paused = true)]
async fn when_all_rungs_are_skipped_those_that_cost_no_time_are_asked() {
    let (first, second) = (
        Scripted::new("first", vec![Err(down())]),
        Scripted::new("second", vec![Err(refused())]),
    );
    let ladder = ladder(&[&first, &second]);
    for asked in 1..=6 {
        assert_eq!(ask(&ladder).await, Err(refused()));
        assert_eq!((first.asked(), second.asked()), (asked, asked));
    }
}

#[test]
fn a_ladder_can_what_its_first_rung_can_in_the_smallest_window() {
    let with = |name, native_tools, window| {
        let mut rung = Arc::try_unwrap(Scripted::new(name, vec![])).unwrap();
        rung.capabilities.native_tools = native_tools;
        rung.capabilities.context_tokens = Some(window);
        Arc::new(rung)
    };
    let capabilities = ladder(&[&with("first", true, 32_000), &with("second", false, 4_096)]).capabilities();
    assert_eq!(
        (capabilities.native_tools, capabilities.context_tokens),
        (true, Some(4_096))
    );
    assert_eq!(ladder(&[]).capabilities(), Capabilities::default());
}

#[tokio::test(start_paused = true)]
async fn each_rung_gets_the_request_that_is_for_it() {
    let first = Scripted::new("first", vec![Err(down())]);
    let mut second = Arc::try_unwrap(Scripted::new("second", vec![])).unwrap();
    second.capabilities.native_tools = false;
    let second = Arc::new(second);
    let asking = Asking::new(|capabilities| ChatRequest {
        stop: vec![capabilities.native_tools.to_string()],
        ..ChatRequest::default()
    });
    let reply = ladder(&[&first, &second]).ask(&asking, &()).await;
    assert!(reply.is_ok());
    let stops = |rung: &Scripted| {
        rung.requests
            .lock()
            .unwrap()
            .iter()
            .map(|request| request.stop.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (stops(&first), stops(&second)),
        (vec![vec!["true".to_owned()]], vec![vec!["false".to_owned()]])
    );
}
