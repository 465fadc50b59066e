//! Dangerous calls: the person is asked, and only a yes of theirs lets one run, once.

use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use loquat_agent::consent::{Consent, Person, Request};
use loquat_agent::event::Event;
use loquat_agent::record::Reason;
use loquat_agent::toolbox::{Confirm, Tool};
use loquat_agent::turn::Stopper;
use serde_json::json;

use crate::brain::{Step, act, done, say};
use crate::support::{Played, Stage};
use crate::tools::{Deed, Tools, add, confirmed, dangerous, tool};

/// Gives this answer to every question and remembers what it was asked.
struct Somebody {
    answer: Consent,
    asked: Mutex<Vec<Request>>,
}

impl Person for Somebody {
    fn consents<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Consent> {
        self.asked.lock().unwrap().push(request.clone());
        Box::pin(std::future::ready(self.answer))
    }
}

/// Speaks into the question instead of answering it; learns late whom to stop.
#[derive(Default)]
struct Interrupter(Mutex<Option<Stopper>>);

impl Person for Interrupter {
    fn consents<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Consent> {
        let stopper = self.0.lock().unwrap().clone().expect("the turn has a stopper");
        stopper.stop(Reason::BargeIn);
        Box::pin(std::future::pending())
    }
}

pub(crate) async fn play(answer: Consent, stage: Stage) -> (Played, Vec<Request>) {
    let person = Arc::new(Somebody {
        answer,
        asked: Mutex::default(),
    });
    let stage = Stage {
        person: Some(Arc::clone(&person) as Arc<dyn Person>),
        ..stage
    };
    let played = stage.play().await;
    let asked = person.asked.lock().unwrap().clone();
    (played, asked)
}

fn unlocking() -> Stage {
    Stage {
        tools: Tools::new([dangerous("unlock"), add()]),
        ..Stage::react([act("unlock", r#"{"x": 1}"#), done("The door is open.")])
    }
}

#[tokio::test(start_paused = true)]
async fn a_yes_lets_a_dangerous_call_run_and_ends_the_turn() {
    let (played, asked) = play(Consent::Given, unlocking()).await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::DangerousTool, "The door is open.")
    );
    assert_eq!(played.ran.len(), 1);
    let [request] = asked.as_slice() else {
        panic!("asked {} times", asked.len());
    };
    let call = played.calls()[0];
    assert_eq!(
        (&request.tool, &request.call_id, &request.arguments),
        (&"unlock".to_owned(), &call.call_id, &call.arguments)
    );
    assert_eq!(
        (request.session_id.as_str(), request.turn_id.as_str(), request.pin),
        ("session-1", "turn-1", false)
    );
    assert!(played.happened(|event| matches!(
        event,
        Event::ConsentAnswered {
            consent: Consent::Given,
            ..
        }
    )));
}

#[tokio::test(start_paused = true)]
async fn two_dangerous_calls_that_were_agreed_to_run_both_and_end_the_turn() {
    let two = Step::Call(
        String::new(),
        vec![("a", "unlock", "{}".into()), ("b", "burn", "{}".into())],
    );
    let stage = Stage {
        tools: Tools::new([dangerous("unlock"), dangerous("burn")]),
        ..Stage::native([two, say("It is open.")])
    };
    let (played, asked) = play(Consent::Given, stage).await;
    assert_eq!((played.ran.len(), asked.len()), (2, 2));
    assert_eq!(played.record.reason, Reason::DangerousTool);
    assert!(played.requests[1].tools.is_empty(), "one closing answer");
}

#[tokio::test(start_paused = true)]
async fn without_a_yes_nothing_runs_and_nobody_is_asked_twice() {
    for (answer, words) in [
        (Consent::Refused, "said no"),
        (Consent::Unclear, "no clear yes"),
        (Consent::Barred, "cannot be given here"),
    ] {
        let (played, asked) = play(answer, unlocking()).await;
        assert_eq!(played.record.reason, Reason::ConfirmationDenied);
        assert_eq!(played.record.answer, "The door is open.");
        assert!(played.ran.is_empty());
        assert_eq!(asked.len(), 1);
        assert!(played.seen(0).contains(words), "{}", played.seen(0));
    }
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_said_in_full_is_not_asked_and_the_brain_may_mend_it() {
    let (tool, deed) = dangerous("unlock");
    let argument_schema = json!({"type": "object", "properties": {"x": {"type": "string"}}});
    let stage = Stage {
        tools: Tools::new([(
            Tool {
                argument_schema,
                ..tool
            },
            deed,
        )]),
        ..Stage::react([
            act("unlock", r#"{"x": "*"}"#),
            act("unlock", r#"{"x": "front"}"#),
            done("The door is open."),
        ])
    };
    let (played, asked) = play(Consent::Given, stage).await;
    assert_eq!((played.ran.len(), asked.len()), (1, 1));
    let shown = &played.calls()[0].observation;
    assert!(
        shown.contains("cannot be asked for aloud because its x"),
        "{shown}"
    );
}

#[tokio::test(start_paused = true)]
async fn speaking_into_the_question_runs_nothing() {
    let person = Arc::new(Interrupter::default());
    let stage = Stage {
        person: Some(Arc::clone(&person) as Arc<dyn Person>),
        ..unlocking()
    };
    let played = stage
        .play_with(|stopper| *person.0.lock().unwrap() = Some(stopper))
        .await;
    assert_eq!(
        (played.record.reason, played.record.answer.as_str()),
        (Reason::BargeIn, "")
    );
    assert!(played.ran.is_empty());
    assert!(played.seen(0).contains("stopped"));
}

#[tokio::test(start_paused = true)]
async fn a_harmless_call_that_has_to_be_confirmed_lets_the_turn_go_on() {
    let (pinned, deed) = confirmed("buy");
    let pinned = Tool {
        confirm: Confirm::Pin,
        ..pinned
    };
    let stage = Stage {
        tools: Tools::new([(pinned, deed), tool("look", Deed::Give(json!({"n": 1})))]),
        ..Stage::react([act("buy", "{}"), act("look", "{}"), done("Bought.")])
    };
    let (played, asked) = play(Consent::Given, stage).await;
    assert_eq!((played.record.reason, played.ran.len()), (Reason::Answered, 2));
    assert!(asked[0].pin);
}

#[tokio::test(start_paused = true)]
async fn a_dangerous_call_among_reading_ones_waits_for_its_yes() {
    let both = Step::Call(
        String::new(),
        vec![
            ("a", "add", r#"{"a": 1, "b": 2}"#.into()),
            ("b", "unlock", "{}".into()),
        ],
    );
    let stage = Stage {
        tools: Tools::new([dangerous("unlock"), add()]),
        ..Stage::native([both, say("No.")])
    };
    let (played, _) = play(Consent::Refused, stage).await;
    assert_eq!(played.ran.len(), 1);
    assert_eq!(played.ran[0].0, "add");
}

#[tokio::test(start_paused = true)]
async fn calls_that_were_planned_together_are_asked_for_too() {
    let plan = || say("#E1 = add(a=1, b=2)\n#E2 = unlock(x=1)");
    for (consent, ran) in [(Consent::Given, 2), (Consent::Refused, 1)] {
        let stage = Stage::of("rewoo", json!({}), [plan(), say("Done.")]).with([dangerous("unlock"), add()]);
        let (played, asked) = play(consent, stage).await;
        assert_eq!((played.ran.len(), asked.len()), (ran, 1), "{consent:?}");
    }
}
